/*
 * re2_parse.c - a pattern to RE2's verdict on it, and to PCRE2 text of the same meaning.
 *
 * Source: RE2 parse.cc: Parse(), ParsePerlFlags(), DoRightParen(), IsValidCaptureName(),
 *         PushRepeatOp(), PushRepetition(), RepetitionWalker; regexp.cc,
 * RequiredPrefix().
 */
#include "base/ascii.h"
#include "regex/re2.h"

/* ---- literals that all matches have ---- */

/* Anything else that matches something, or may. */
static void literals_end(struct xds_re2_literals *l)
{
    const struct xds_slice run = xds_slice_make(l->text + l->run, l->n - l->run);

    if (l->in_run && !l->past_start)
        l->head = run;
    else if (l->in_run && run.len > l->inner.len)
        l->inner = run;
    l->in_run = false;
    l->past_start = true;
}

static void literals_add(struct xds_re2_parser *p, uint32_t rune)
{
    struct xds_re2_literals *l = &p->literals;

    if (rune >= 0x80 || p->group->outer) {
        literals_end(l);
        return;
    }
    l->run = l->in_run ? l->run : l->n;
    l->in_run = true;
    l->text[l->n++] = (char)rune;
}

/* ---- atoms ---- */

static size_t text_length(const struct xds_re2_parser *p)
{
    return p->out ? p->out->len : 0;
}

static unsigned height_of(const struct xds_re2_height *h)
{
    return h->of_items + h->row;
}

/* Go's limits for its tree: syntax/parse.go, maxHeight and maxSize. */
#define MOST_GO_HEIGHT 1000
#define MOST_GO_SIZE UINT64_C(3355443)

static uint64_t go_size(uint64_t size)
{
    return size == 0 ? 1 : size > MOST_GO_SIZE ? MOST_GO_SIZE + 1 : size;
}

static void height_add(struct xds_re2_height *to, const struct xds_re2_height *item)
{
    to->items += !(to->literal && item->literal);
    to->of_items = item->of_items > to->of_items ? item->of_items : to->of_items;
    to->row = to->items > 1 || item->row;
    to->literal = item->literal;
    to->size = go_size(to->size + item->size);
    to->repeats = to->items > 1 ? 0 : item->repeats;
}

/* One node over all of it, of this size with it. */
static struct xds_re2_height height_over(const struct xds_re2_height *h, uint64_t size)
{
    return (struct xds_re2_height){
        .of_items = height_of(h) + 1, .items = 1, .size = go_size(size)};
}

/* Go has met a counted repeat, of so many. */
static void count_repeats(struct xds_re2_parser *p, unsigned repeats)
{
    if (repeats > 1)
        p->go_repeats = go_size(p->go_repeats * repeats);
}

/* Of all branches, once they are read: single runes are a class, with no node over them.
 */
static struct xds_re2_height height_of_group(const struct xds_re2_group *g)
{
    if (g->n_branches == 1)
        return g->height;
    return (struct xds_re2_height){.of_items = g->highest + g->not_runes,
                                   .items = 1,
                                   .size = g->not_runes ? g->largest : 1};
}

/* The last atom can no longer be repeated: count it. */
static void settle(struct xds_re2_group *g)
{
    if (!g->has_last)
        return;
    height_add(&g->height, &g->last.height);
    xds_re2_branch_add(&g->branch, g->last.size, &g->last.shape);
    if (g->last.repeat > g->repeat)
        g->repeat = g->last.repeat;
    g->branch_nullable &= g->last.nullable;
    g->has_last = false;
}

static void begin_branch(struct xds_re2_parser *p)
{
    xds_re2_branch_init(&p->group->branch);
    p->group->height = (struct xds_re2_height){.items = 0};
    p->group->branch_start = xds_re2_mark(p->out);
}

/* So can the last branch no longer grow. */
static void end_branch(struct xds_re2_parser *p)
{
    struct xds_re2_group *g = p->group;

    settle(g);
    if (g->height.items == 0) /* matches "", which is a node as well */
        g->height = (struct xds_re2_height){.of_items = 1, .items = 1, .size = 1};
    /* What is alone is met again, as a row and as a choice. */
    count_repeats(p, g->height.repeats);
    count_repeats(p, g->height.repeats);
    if (g->height.size > g->largest)
        g->largest = g->height.size;
    if (height_of(&g->height) > g->highest)
        g->highest = height_of(&g->height);
    g->not_runes |= g->highest > 1 || g->branch.atoms != 1;
    g->n_branches++;
    if (xds_re2_branches_add(&g->branches, &g->branch, p->layout)) {
        xds_re2_rewind(p->out, g->run_start);
        xds_re2_write_set(p->out, &g->branches.runes);
    } else {
        g->run_start = g->branch_start;
    }

    struct xds_regex_open *all = &p->result->open;
    const struct xds_regex_open *open = &g->branches.open;

    all->letters |= open->letters;
    all->orbits |= open->orbits;
    all->bytes |= open->bytes;
}

/* An atom of known runes has begun. */
static void keep_runes(struct xds_re2_parser *p, const struct xds_rune_set *runes)
{
    struct xds_re2_branch *branch = &p->group->branch;

    p->group->last.shape.known = true;
    if (branch->atoms == 0)
        xds_runes_copy(&branch->runes, runes);
}

static struct xds_re2_atom *new_atom(struct xds_re2_parser *p)
{
    struct xds_re2_group *g = p->group;

    settle(g);
    g->has_last = true;
    g->last = (struct xds_re2_atom){.start = text_length(p),
                                    .repeat = 1,
                                    .height = {.of_items = 1, .items = 1, .size = 1}};
    p->go_nodes++;
    p->spent++;
    return &g->last;
}

/* RE2 takes "^", and the literals after it, out of what it compiles. */
static void keep_head(struct xds_re2_parser *p, bool belongs, uint64_t size)
{
    p->in_head &= belongs;
    p->head += p->in_head ? size : 0;
}

static void push_assertion(struct xds_re2_parser *p, const char *text)
{
    const bool begins = text[0] == '\\' && text[1] == 'A';
    const uint32_t length = (uint32_t)strlen(text);
    const uint64_t key =
        xds_re2_rune_key(XDS_RUNE_MAX + length * 256 + (unsigned char)text[1]);

    p->anchored |= begins && p->spent == 0;
    keep_head(p, begins, 1);
    if (!begins || p->spent > 0)
        literals_end(&p->literals);

    struct xds_re2_atom *atom = new_atom(p);
    atom->size = (struct xds_re2_size){1, 1};
    atom->shape = (struct xds_re2_shape){.first = key, .unit = key};
    atom->loose = atom->nullable = true;
    xds_re2_write(p->out, text);
}

static bool is_rune(const struct xds_rune_set *set)
{
    return set->n == 1 && set->range[0].lo == set->range[0].hi;
}

static void push_set(struct xds_re2_parser *p)
{
    const struct xds_rune_set *set = &p->set;
    const bool is_letter = xds_runes_are_both_cases(set);

    if (is_rune(set)) /* "[.]" is a literal, as "\." is */
        literals_add(p, set->range[0].lo);
    else
        literals_end(&p->literals);
    const uint64_t key =
        is_rune(set) ? xds_re2_rune_key(set->range[0].lo) : xds_re2_set_key(set);
    struct xds_re2_atom *atom = new_atom(p);

    atom->size = xds_re2_set_size(p->layout, set);
    atom->shape = (struct xds_re2_shape){.first = key, .unit = key, .runes = true};
    keep_runes(p, set);
    keep_head(p, is_letter || is_rune(set), atom->size.most);
    atom->shape.ends = xds_re2_set_ends(set);
    p->has_nothing |= set->n == 0;
    p->spent += atom->size.most + set->work;
    xds_re2_write_set(p->out, set);
    p->set.n = p->set.work = 0;
}

static void push_exact(struct xds_re2_parser *p, uint32_t rune)
{
    const uint64_t key = xds_re2_rune_key(rune), size = xds_utf8_length(rune);
    struct xds_rune_range range = {rune, rune};
    const struct xds_rune_set set = {.range = &range, .n = 1};
    struct xds_re2_atom *atom = new_atom(p);

    literals_add(p, rune);
    atom->size = (struct xds_re2_size){size, size};
    atom->shape = (struct xds_re2_shape){.first = key, .unit = key, .runes = true};
    atom->shape.ends = xds_re2_set_ends(&set);
    atom->loose = size > 1;
    atom->height.literal = true;
    p->go_nodes -= p->group->height.literal; /* it becomes one with the literal before */
    keep_runes(p, &set);
    keep_head(p, true, size);
    xds_re2_write_rune(p->out, rune);
}

static void push_byte(struct xds_re2_parser *p)
{
    const uint64_t key = xds_re2_rune_key(XDS_RUNE_MAX + 1);
    struct xds_re2_atom *atom = new_atom(p);

    p->result->any_byte = true;
    literals_end(&p->literals);
    atom->size = (struct xds_re2_size){1, 1};
    atom->shape = (struct xds_re2_shape){.first = key, .unit = key, .runes = true};
    keep_head(p, false, 0);
    xds_re2_write(p->out, "."); /* PCRE2_DOTALL is set */
}

/* An atom begins here; to be called before it is written. It has no size yet. */
static void push_rune(struct xds_re2_parser *p, uint32_t rune)
{
    if (p->flags & XDS_RE2_FOLD)
        xds_runes_add(&p->set, rune, rune, true);
    if (p->set.n < 2) { /* it folds to nothing else */
        p->set.n = 0;
        push_exact(p, rune);
        return;
    }
    xds_runes_normalize(&p->set);
    push_set(p);
}

/* ---- repeats ---- */

struct repeat {
    int min, max;          /* max -1: no end */
    const char *text;      /* "*", "+", "?" or NULL for a counted one */
    struct xds_slice said; /* in the pattern, with its "?" */
    bool lazy;
};

static void write_repeated(struct xds_re2_writer *out, const struct xds_re2_atom *atom,
                           const struct repeat *r)
{
    if (r->max == 0) { /* PCRE2 can take a "^" in there for one of the whole pattern */
        xds_re2_wrap(out, atom->start, "(?:(?!)");
        xds_re2_write(out, "?");
        return;
    }
    if (atom->loose)
        xds_re2_wrap(out, atom->start, "(?:");
    if (r->text)
        xds_re2_write(out, r->text);
    else if (out) {
        xds_re2_write(out, "{");
        xds_re2_write_number(out, r->min);
        xds_re2_write(out, ",");
        if (r->max >= 0)
            xds_re2_write_number(out, r->max);
        xds_re2_write(out, "}");
    }
    xds_re2_write(out, r->lazy ? "?" : "");
}

/* Go's calcSize() of a part of this size that is repeated. */
static uint64_t repeated_size(uint64_t size, const struct repeat *r)
{
    const uint64_t min = (uint64_t)r->min, max = (uint64_t)r->max;

    if (r->max < 0)
        return r->min == 0 ? size + 2 : min * size + 1;
    return max * size + (max - min);
}

static bool repeat_last(struct xds_re2_parser *p, const struct repeat *r)
{
    struct xds_re2_atom *atom = &p->group->last;
    const unsigned count = (unsigned)(r->max < 0 ? r->min : r->max);

    if (!p->group->has_last)
        return xds_re2_fail(p, XDS_RE2_REPEAT_ARGUMENT, r->said);
    if (count && !r->text)
        atom->repeat *= count;
    if (atom->repeat > XDS_MAX_REGEX_REPEAT) {
        if (r->min >= 2 || r->max >= 2) {
            (void)xds_re2_fail(p, XDS_RE2_REPEAT_SIZE, r->said);
            p->result->over_repeated = true;
        }
        atom->repeat = XDS_MAX_REGEX_REPEAT + 1;
    }
    write_repeated(p->out, atom, r);

    /* The last atom is repeated, so that it may be there or not, and more than once. */
    p->literals.n -= p->literals.in_run;
    literals_end(&p->literals);
    /* PCRE2 leaves a loop once it went through it without progress, RE2 continues. */
    p->result->nullable_loop |= atom->nullable && r->max < 0;
    const struct xds_re2_counts counts = {(unsigned)r->min,
                                          r->max < 0 ? XDS_RE2_NO_MAX : (unsigned)r->max};

    xds_re2_repeat_size(&atom->size, &atom->shape, counts, atom->nullable);
    atom->nullable |= r->min == 0;
    atom->loose = true;
    atom->height = height_over(&atom->height, repeated_size(atom->height.size, r));
    atom->height.repeats = r->text ? 0 : count;
    count_repeats(p, atom->height.repeats);
    p->go_nodes++;
    return true;
}

/* The operator, of `len` bytes, is read; `before` is one that it is after. */
static bool finish_repeat(struct xds_re2_parser *p, struct repeat *r, size_t len,
                          struct xds_slice before)
{
    const char *begin = p->rest.data;

    xds_re2_skip(p, len);
    r->lazy = p->flags & XDS_RE2_NON_GREEDY;
    if (xds_re2_peek(p, 0) == '?') {
        r->lazy = !r->lazy;
        xds_re2_skip(p, 1);
    }
    if (before.data)
        return xds_re2_fail(p, XDS_RE2_REPEAT_OP, xds_re2_since(p, before.data));
    r->said = xds_re2_since(p, begin);
    p->last_repeat = r->said;
    if (r->max > XDS_MAX_REGEX_REPEAT || r->min > XDS_MAX_REGEX_REPEAT ||
        (r->max >= 0 && r->max < r->min))
        return xds_re2_fail(p, XDS_RE2_REPEAT_SIZE, r->said);
    return repeat_last(p, r);
}

static bool read_operator(struct xds_re2_parser *p, struct xds_slice before)
{
    struct repeat star = {.min = 0, .max = -1, .text = "*"};
    struct repeat plus = {.min = 1, .max = -1, .text = "+"};
    struct repeat quest = {.min = 0, .max = 1, .text = "?"};
    const char c = p->rest.data[0];

    return finish_repeat(p, c == '*' ? &star : c == '+' ? &plus : &quest, 1, before);
}

/* Digits off the front of s; false for none, leading zeros and what would not fit, which
 * *is_long tells. */
static bool read_count(struct xds_slice *s, int *count, bool *is_long)
{
    int n = 0;
    size_t i = 0;

    for (; i < s->len && xds_ascii_digit(s->data[i]); i++) {
        if (i == 1 && n == 0)
            return false;
        *is_long |= n >= 100000000;
        n = *is_long ? n : n * 10 + (s->data[i] - '0');
    }
    *count = n;
    *s = xds_slice_from(*s, i);
    return i > 0;
}

/* "{2}", "{2,}", "{2,4}"; the number of its bytes, 0 when "{" is a literal. */
static size_t read_counts(struct xds_slice text, struct repeat *r, bool *is_long)
{
    struct xds_slice s = xds_slice_from(text, 1);

    if (!read_count(&s, &r->min, is_long))
        return 0;
    r->max = r->min;
    if (xds_slice_take(&s, ",")) {
        r->max = -1;
        if (s.len && s.data[0] != '}' && !read_count(&s, &r->max, is_long))
            return 0;
    }
    const bool closes = xds_slice_take(&s, "}");

    *is_long &= closes;
    return closes && !*is_long ? text.len - s.len : 0;
}

/* What re2j takes for a second repeat after a "{" that is none. */
static bool is_operator(const struct xds_re2_parser *p)
{
    struct repeat r;
    bool is_long = false;
    const char c = xds_re2_peek(p, 0);

    return c == '*' || c == '+' || c == '?' ||
           (c == '{' && read_counts(p->rest, &r, &is_long));
}

/* Do counts, of any size, end with a "}"? */
static bool is_closed(struct xds_slice text)
{
    size_t i = 1;

    while (i < text.len && (xds_ascii_digit(text.data[i]) || text.data[i] == ','))
        i++;
    return i < text.len && text.data[i] == '}';
}

/* `before` is the operator right before this one, or absent. A "{" that
 * begins no counts is a literal. */
static bool read_brace(struct xds_re2_parser *p, struct xds_slice before)
{
    struct repeat r = {.text = NULL};
    bool is_long = false;
    const size_t len = read_counts(p->rest, &r, &is_long);

    is_long = is_long && is_closed(p->rest);
    p->result->strict_go |= is_long;
    p->result->strict_java |= is_long;
    if (len)
        return finish_repeat(p, &r, len, before);
    xds_re2_skip(p, 1);
    push_rune(p, '{');
    p->result->strict_java |= is_operator(p);
    return true;
}

/* ---- groups ---- */

/* Clear it but for its memory. */
static void group_init(const struct xds_re2_parser *p, struct xds_re2_group *g)
{
    const struct xds_rune_set branch = g->branch.runes, branches = g->branches.runes;

    *g = (struct xds_re2_group){
        .outer = g->outer, .inner = g->inner, .depth = g->depth, .repeat = 1};
    g->branch.runes = (struct xds_rune_set){p->arena, branch.range, 0, branch.cap, 0};
    g->branches.runes =
        (struct xds_rune_set){p->arena, branches.range, 0, branches.cap, 0};
    g->branch_nullable = true;
}

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
    group_init(p, inner);
    inner->start = text_length(p);
    inner->flags_after = p->flags;
    inner->captures = captures;
    p->group = inner;
    p->result->groups += captures;
    literals_end(&p->literals);
    xds_re2_write(p->out, captures ? "(" : "(?:");
    begin_branch(p);
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
        keep_runes(p, xds_re2_group_runes(all, &group->branch));
}

static bool read_close(struct xds_re2_parser *p)
{
    struct xds_re2_group *inner = p->group;

    if (!inner->outer)
        return xds_re2_fail(p, XDS_RE2_UNEXPECTED_PAREN, p->whole);
    xds_re2_skip(p, 1);
    end_branch(p);
    p->group = inner->outer;
    xds_re2_write(p->out, ")");

    const struct xds_re2_height height = height_of_group(inner);
    struct xds_re2_atom *atom = new_atom(p);
    atom->start = inner->start;
    atom->repeat = inner->repeat;
    atom->height = inner->captures ? height_over(&height, height.size + 2) : height;
    size_group(p, atom, inner);
    atom->nullable = inner->nullable || inner->branch_nullable;
    p->flags = inner->flags_after;
    return true;
}

static bool is_name_rune(struct xds_re2_parser *p, uint32_t rune)
{
    if (rune < 0x80)
        return xds_ascii_word((char)rune);
    if (p->name_runes.n == 0) {
        /* The categories of which a group's name may be made, besides [0-9A-Za-z_]. */
        static const char *const names[] = {"L", "Nl", "Mn", "Mc", "Nd", "Pc"};

        for (size_t i = 0; i < XDS_ARRAY_LEN(names); i++)
            xds_runes_add_named(&p->name_runes, xds_slice_of(names[i]), false);
        xds_runes_normalize(&p->name_runes);
    }
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

static bool read_paren(struct xds_re2_parser *p)
{
    const char c = xds_re2_peek(p, 2);

    if (xds_re2_peek(p, 1) != '?') {
        xds_re2_skip(p, 1);
        return open_group(p, true);
    }
    if (p->rest.len > 4 && c == 'P' && xds_re2_peek(p, 3) == '<')
        return open_named(p, 4);
    /* but not "(?<=" and "(?<!", which look around */
    if (p->rest.len > 3 && c == '<' && xds_re2_peek(p, 3) != '=' &&
        xds_re2_peek(p, 3) != '!') {
        /* "(?<name>": an error to older releases, and the first one to be named. */
        xds_re2_fail(p, XDS_RE2_BAD_PERL_OP, XDS_S("(?<"));
        p->result->named_newly = true;
        return open_named(p, 3);
    }
    return read_flags(p);
}

/* ---- the rest ---- */

static const char *assertion_of(char letter)
{
    switch (letter) {
    case 'A':
        return "\\A";
    case 'z':
        return "\\z";
    case 'b':
        return "\\b";
    case 'B':
        return "\\B";
    default:
        return NULL;
    }
}

/* \Q...\E, or up to the end. */
static bool read_quoted(struct xds_re2_parser *p)
{
    uint32_t rune;

    xds_re2_skip(p, 2);
    while (p->rest.len) {
        if (xds_slice_starts(p->rest, XDS_S("\\E"))) {
            xds_re2_skip(p, 2);
            return true;
        }
        if (!xds_re2_rune(p, &rune))
            return false;
        push_rune(p, rune);
    }
    p->result->not_grouped = true;
    return true;
}

static bool read_literal(struct xds_re2_parser *p)
{
    uint32_t rune;
    const bool ok =
        p->rest.data[0] == '\\' ? xds_re2_escape(p, &rune) : xds_re2_rune(p, &rune);

    if (ok)
        push_rune(p, rune);
    return ok;
}

static bool read_backslash(struct xds_re2_parser *p)
{
    const char c = xds_re2_peek(p, 1);
    bool is_set;

    if (assertion_of(c)) {
        xds_re2_skip(p, 2);
        push_assertion(p, assertion_of(c));
        return true;
    }
    if (c == 'C') {
        xds_re2_skip(p, 2);
        push_byte(p);
        return true;
    }
    if (c == 'Q')
        return read_quoted(p);
    if (!xds_re2_set_escape(p, &is_set))
        return false;
    if (!is_set)
        return read_literal(p);
    xds_runes_normalize(&p->set);
    push_set(p);
    return true;
}

/* PCRE2's own "^" would not match after a newline at the very end. */
static void push_line_edge(struct xds_re2_parser *p, const char *of_line,
                           const char *of_text)
{
    xds_re2_skip(p, 1);
    push_assertion(p, p->flags & XDS_RE2_MULTILINE ? of_line : of_text);
}

static bool read_one(struct xds_re2_parser *p)
{
    const struct xds_slice before = p->last_repeat;

    p->last_repeat = (struct xds_slice){NULL, 0};
    switch (p->rest.data[0]) {
    case '(':
        return read_paren(p);
    case ')':
        return read_close(p);
    case '|':
        xds_re2_skip(p, 1);
        end_branch(p);
        if (!p->group->outer) {
            p->result->alternatives = true;
            literals_end(&p->literals);
        }
        p->group->nullable |= p->group->branch_nullable;
        p->group->branch_nullable = true;
        xds_re2_write(p->out, "|");
        begin_branch(p);
        return true;
    case '^':
        push_line_edge(p, "(?<![^\\n])", "\\A");
        return true;
    case '$':
        push_line_edge(p, "(?![^\\n])", "\\z");
        return true;
    case '.':
        xds_re2_skip(p, 1);
        if (p->flags & XDS_RE2_DOT_ALL) {
            xds_runes_add(&p->set, 0, XDS_RUNE_MAX, false);
        } else {
            xds_runes_add(&p->set, 0, '\n' - 1, false);
            xds_runes_add(&p->set, '\n' + 1, XDS_RUNE_MAX, false);
        }
        push_set(p);
        return true;
    case '[':
        if (!xds_re2_bracket(p))
            return false;
        push_set(p);
        return true;
    case '*':
    case '+':
    case '?':
        return read_operator(p, before);
    case '{':
        return read_brace(p, before);
    case '\\':
        return read_backslash(p);
    default:
        return read_literal(p);
    }
}

/* In a group of its own the pattern is part of a row. */
static void note_height(struct xds_re2_parser *p)
{
    const struct xds_re2_height h = height_of_group(p->group);
    const bool measured = p->go_nodes >= MOST_GO_SIZE / p->go_repeats;

    p->result->strict_go |= height_of(&h) > MOST_GO_HEIGHT;
    p->result->strict_go |= measured && h.size > MOST_GO_SIZE;
    p->result->not_grouped |= h.of_items + 1 > MOST_GO_HEIGHT;
}

/* Besides the pattern there is an instruction to fail and one to match, and two for
 * ".*?" in front of what is not anchored. */
static void note_size(struct xds_re2_parser *p)
{
    const struct xds_re2_branches *all = &p->group->branches;
    struct xds_re2_size size = all->size;
    uint64_t spared =
        (p->has_nothing ? all->choices : 0) + (p->anchored ? p->head + 2 : 0);

    size.least += 4;
    p->result->least = spared + 2 < size.least ? size.least - spared : 2;
    p->result->most = size.most + 4;
    p->result->is_whole = !xds_re2_is_exhausted(p);
    if (!p->result->is_whole || p->spent > XDS_RE2_SURE_INSTRUCTIONS)
        p->result->most = XDS_RE2_MOST_SPENT;
}

bool xds_re2_read(struct xds_arena *arena, struct xds_slice pattern,
                  struct xds_re2_writer *out, struct xds_re2_pattern *result)
{
    struct xds_re2_parser p = {.arena = arena,
                               .whole = pattern,
                               .rest = pattern,
                               .out = out,
                               .set = {.arena = arena},
                               .name_runes = {.arena = arena},
                               .layout = xds_re2_layout_new(arena),
                               .in_head = true,
                               .go_repeats = 1,
                               .result = result};

    *result = (struct xds_re2_pattern){.groups = 0};
    xds_strmap_init(&p.names, arena);
    p.literals = (struct xds_re2_literals){.text = xds_arena_alloc(arena, pattern.len),
                                           .head = XDS_S(""),
                                           .inner = XDS_S("")};
    p.group = XDS_NEW(arena, struct xds_re2_group);
    p.group->repeat = 1;
    group_init(&p, p.group);
    while (p.rest.len && !p.gave_up)
        if (!read_one(&p))
            return false;
    if (p.gave_up) {
        p.result->most = XDS_RE2_MOST_SPENT;
        return true;
    }
    if (p.group->outer)
        return xds_re2_fail(&p, XDS_RE2_MISSING_PAREN, p.whole);
    end_branch(&p);
    note_height(&p);
    note_size(&p);
    xds_re2_write_end(p.out);
    literals_end(&p.literals);
    /* Of alternatives nothing is in all matches. */
    p.result->head = p.result->alternatives ? XDS_S("") : p.literals.head;
    p.result->inner = p.result->alternatives ? XDS_S("") : p.literals.inner;
    return true;
}
