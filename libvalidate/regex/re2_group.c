/*
 * re2_group.c - groups, branches and flags: "(", "(?P<name>", "(?i-s:", "|", ")".
 *
 * Fails:  with RE2's error.
 * Source: RE2 parse.cc, ParsePerlFlags(), DoRightParen(), IsValidCaptureName().
 */
#include "regex/re2_parser.h"

#include "base/ascii.h"

/* Clear it but for its memory. */
void xds_re2_group_init(const struct xds_re2_parser *p, struct xds_re2_group *g)
{
    const struct xds_rune_set branch = g->branch.runes, branches = g->branches.runes;

    *g = (struct xds_re2_group){
        .outer = g->outer, .inner = g->inner, .depth = g->depth, .repeat = 1};
    g->branch.runes = (struct xds_rune_set){p->arena, branch.range, 0, branch.cap, 0};
    g->branches.runes =
        (struct xds_rune_set){p->arena, branches.range, 0, branches.cap, 0};
    g->branch_nullable = true;
}

/* Go's tree is 1000 high at most, and around the pattern it puts a group of its own. */
#define MOST_GO_GROUPS 999

static bool open_group(struct xds_re2_parser *p, bool captures)
{
    struct xds_re2_group *outer = p->group, *inner = outer->inner;

    if (outer->depth == XDS_MAX_REGEX_DEPTH) {
        p->gave_up = true;
        return true;
    }
    if (!inner) {
        inner = outer->inner = XDS_NEW(p->arena, struct xds_re2_group);
        inner->outer = outer;
        inner->depth = outer->depth + 1;
    }
    xds_re2_group_init(p, inner);
    inner->captured = outer->captured + captures;
    p->result->not_grouped |= inner->captured >= MOST_GO_GROUPS;
    inner->start = xds_re2_text_length(p);
    inner->flags_after = p->flags;
    inner->captures = captures;
    p->group = inner;
    p->result->groups += captures;
    xds_re2_literals_end(&p->literals);
    xds_re2_write(p->out, captures ? "(" : "(?:");
    xds_re2_begin_branch(p);
    return true;
}

/* What lies in front of a class without runes is compiled, but not captured. */
static void size_group(struct xds_re2_parser *p, struct xds_re2_atom *atom,
                       const struct xds_re2_group *group)
{
    const struct xds_re2_branches *all = &group->branches;

    atom->size = all->size;
    if (p->has_nothing)
        atom->size.least -= all->choices < all->size.least ? all->choices : 0;
    if (group->captures) {
        atom->size.least += p->has_nothing ? 0 : 2;
        atom->size.most += 2;
        atom->shape = (struct xds_re2_shape){.first = XDS_RE2_UNLIKE_ALL,
                                             .unit = XDS_RE2_UNLIKE_ALL};
        return;
    }
    atom->shape = xds_re2_group_shape(all, &group->branch);
    if (atom->shape.known)
        xds_re2_keep_runes(p, xds_re2_group_runes(all, &group->branch));
}

bool xds_re2_close(struct xds_re2_parser *p)
{
    struct xds_re2_group *inner = p->group;

    if (!inner->outer)
        return xds_re2_fail(p, XDS_RE2_UNEXPECTED_PAREN, p->whole);
    xds_re2_skip(p, 1);
    xds_re2_end_branch(p);
    p->group = inner->outer;
    xds_re2_write(p->out, ")");

    struct xds_re2_atom *atom = xds_re2_new_atom(p);
    atom->start = inner->start;
    atom->repeat = inner->repeat;
    size_group(p, atom, inner);
    atom->nullable = inner->nullable || inner->branch_nullable;
    p->flags = inner->flags_after;
    return true;
}

void xds_re2_bar(struct xds_re2_parser *p)
{
    xds_re2_skip(p, 1);
    xds_re2_end_branch(p);
    if (!p->group->outer)
        xds_re2_literals_bar(&p->literals);
    p->group->nullable |= p->group->branch_nullable;
    p->group->branch_nullable = true;
    xds_re2_write(p->out, "|");
    xds_re2_begin_branch(p);
}

/* The categories of which a group's name may be made, besides [0-9A-Za-z_]. */
static void add_name_runes(struct xds_rune_set *set)
{
    static const char *const names[] = {"L", "Nl", "Mn", "Mc", "Nd", "Pc"};

    for (size_t i = 0; i < XDS_ARRAY_LEN(names); i++)
        xds_runes_add_named(set, xds_slice_of(names[i]), false);
    xds_runes_normalize(set);
}

static bool is_name_rune(struct xds_re2_parser *p, uint32_t rune)
{
    if (rune < 0x80)
        return rune == '_' || xds_ascii_alpha((char)rune) || xds_ascii_digit((char)rune);
    if (p->name_runes.n == 0)
        add_name_runes(&p->name_runes);
    return xds_runes_has(&p->name_runes, rune);
}

static bool is_name(struct xds_re2_parser *p, struct xds_slice name)
{
    uint32_t rune;

    if (name.len == 0)
        return false;
    while (name.len)
        if (!xds_re2_next(&name, &rune) || !is_name_rune(p, rune))
            return false;
    return true;
}

/* Names that Go, re2j or re2-wasm refuses. */
static void note_name(struct xds_re2_parser *p, struct xds_slice name)
{
    bool beyond_ascii = false;

    if (name.len == 0)
        return;
    for (size_t i = 0; name.data && i < name.len; i++)
        beyond_ascii |= (unsigned char)name.data[i] >= 0x80;

    void **slot = xds_strmap_at(&p->names, name);
    p->result->strict_go |= beyond_ascii;
    p->result->strict_java |= beyond_ascii || *slot;
    p->result->strict_node |= beyond_ascii || *slot;
    *slot = p;
}

/* "(?P<name>" or "(?<name>", of which `prefix` bytes are before the name. */
static bool open_named(struct xds_re2_parser *p, size_t prefix)
{
    const struct xds_slice all = p->rest;
    const struct xds_slice from_name = xds_slice_from(all, prefix);
    const size_t end = xds_slice_find(from_name, '>');
    const struct xds_slice name = xds_slice_make(from_name.data, end);

    if (end == from_name.len)
        return xds_re2_check_utf8(p, all) && xds_re2_fail(p, XDS_RE2_BAD_GROUP_NAME, all);
    if (!xds_re2_check_utf8(p, name))
        return false;
    xds_re2_skip(p, prefix + end + 1);
    note_name(p, name);
    if (!is_name(p, name))
        return xds_re2_fail(p, XDS_RE2_BAD_GROUP_NAME, xds_re2_since(p, all.data));
    return open_group(p, true);
}

/* "(?<name>", which is an error to older releases, and the first one to be named. */
static bool open_newly_named(struct xds_re2_parser *p)
{
    xds_re2_fail(p, XDS_RE2_BAD_PERL_OP, XDS_S("(?<"));
    p->result->named_newly = true;
    return open_named(p, 3);
}

static unsigned flag_of(uint32_t rune)
{
    static const struct {
        char letter;
        enum xds_re2_flag flag;
    } flags[] = {{'i', XDS_RE2_FOLD},
                 {'m', XDS_RE2_MULTILINE},
                 {'s', XDS_RE2_DOT_ALL},
                 {'U', XDS_RE2_NON_GREEDY}};

    for (size_t i = 0; i < XDS_ARRAY_LEN(flags); i++)
        if (rune == (uint32_t)flags[i].letter)
            return flags[i].flag;
    return 0;
}

/* "(?i-s)" and "(?i-s:"; what is no flag makes it an operator that RE2 lacks. */
static bool read_flags(struct xds_re2_parser *p)
{
    const char *begin = p->rest.data;
    unsigned flags = p->flags;
    bool negated = false, dangling = false; /* "-" without a flag after it */
    uint32_t c = 0;

    xds_re2_skip(p, 2);
    while (c != ':' && c != ')') {
        if (p->rest.len == 0)
            return xds_re2_fail(p, XDS_RE2_BAD_PERL_OP, xds_re2_since(p, begin));
        if (!xds_re2_rune(p, &c))
            return false;
        if (c == '-' && !negated) {
            negated = dangling = true;
        } else if (flag_of(c)) {
            flags = negated ? flags & ~flag_of(c) : flags | flag_of(c);
            dangling = false;
        } else if ((c != ':' && c != ')') || dangling) {
            return xds_re2_fail(p, XDS_RE2_BAD_PERL_OP, xds_re2_since(p, begin));
        }
    }
    if (c == ':' && !open_group(p, false))
        return false;
    p->flags = flags;
    return true;
}

static bool is_look_around(char c)
{
    return c == '=' || c == '!';
}

bool xds_re2_paren(struct xds_re2_parser *p)
{
    const char c = xds_re2_peek(p, 2);

    if (xds_re2_peek(p, 1) != '?') {
        xds_re2_skip(p, 1);
        return open_group(p, true);
    }
    if (p->rest.len > 4 && c == 'P' && xds_re2_peek(p, 3) == '<')
        return open_named(p, 4);
    if (p->rest.len > 3 && c == '<' && !is_look_around(xds_re2_peek(p, 3)))
        return open_newly_named(p);
    return read_flags(p);
}
