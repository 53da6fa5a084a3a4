/*
 * re2_syntax.c - a pattern to RE2's verdict on it, and to PCRE2 text of the same meaning.
 *
 * Fails:  with RE2's error text.
 * Source: RE2 parse.cc, Regexp::Parse(); regexp.cc, RequiredPrefix().
 */
#include "regex/re2_parser.h"

/* ---- errors and reading ---- */

static const char *const errors[] = {
    [XDS_RE2_BAD_ESCAPE] = "invalid escape sequence",
    [XDS_RE2_BAD_RANGE] = "invalid character class range",
    [XDS_RE2_MISSING_BRACKET] = "missing ]",
    [XDS_RE2_MISSING_PAREN] = "missing )",
    [XDS_RE2_UNEXPECTED_PAREN] = "unexpected )",
    [XDS_RE2_TRAILING_BACKSLASH] = "trailing \\",
    [XDS_RE2_REPEAT_ARGUMENT] = "no argument for repetition operator",
    [XDS_RE2_REPEAT_SIZE] = "invalid repetition size",
    [XDS_RE2_REPEAT_OP] = "bad repetition operator",
    [XDS_RE2_BAD_PERL_OP] = "invalid perl operator",
    [XDS_RE2_BAD_UTF8] = "invalid UTF-8",
    [XDS_RE2_BAD_GROUP_NAME] = "invalid named capture group",
};

struct xds_slice xds_re2_since(const struct xds_re2_parser *p, const char *from)
{
    return xds_slice_make(from, (size_t)(p->rest.data - from));
}

bool xds_re2_fail(struct xds_re2_parser *p, enum xds_re2_error error,
                  struct xds_slice about)
{
    if (p->result->error.data) /* of "(?<name>", after which more is wrong */
        return false;

    const struct xds_slice what = xds_slice_of(errors[error]);
    const size_t len = about.len ? what.len + 2 + about.len : what.len;
    char *text = xds_arena_alloc(p->arena, len + 1);

    memcpy(text, what.data, what.len);
    if (about.len) {
        memcpy(text + what.len, ": ", 2);
        memcpy(text + what.len + 2, about.data, about.len);
    }
    text[len] = '\0';
    p->result->error = xds_slice_make(text, len);
    return false;
}

static bool fail(struct xds_re2_parser *p, enum xds_re2_error error)
{
    return xds_re2_fail(p, error, XDS_S(""));
}

char xds_re2_peek(const struct xds_re2_parser *p, size_t skip)
{
    return skip < p->rest.len ? p->rest.data[skip] : '\0';
}

void xds_re2_skip(struct xds_re2_parser *p, size_t n)
{
    p->rest = xds_slice_make(p->rest.data + n, p->rest.len - n);
}

bool xds_re2_next(struct xds_slice *pattern, uint32_t *rune)
{
    if (xds_utf8_next(pattern, rune))
        return true;
    if (!xds_slice_starts(*pattern, XDS_NUL))
        return false;
    *rune = 0;
    *pattern = xds_slice_from(*pattern, XDS_NUL.len);
    return true;
}

bool xds_re2_rune(struct xds_re2_parser *p, uint32_t *rune)
{
    return xds_re2_next(&p->rest, rune) || fail(p, XDS_RE2_BAD_UTF8);
}

bool xds_re2_is_exhausted(const struct xds_re2_parser *p)
{
    return p->spent + p->set.work > XDS_RE2_MOST_SPENT ||
           xds_re2_layout_is_spent(p->layout);
}

bool xds_re2_check_utf8(struct xds_re2_parser *p, struct xds_slice text)
{
    uint32_t rune;

    while (text.len)
        if (!xds_re2_next(&text, &rune))
            return fail(p, XDS_RE2_BAD_UTF8);
    return true;
}

/* ---- atoms ---- */

size_t xds_re2_text_length(const struct xds_re2_parser *p)
{
    return p->out ? p->out->len : 0;
}

/* The last atom can no longer be repeated: count it. */
void xds_re2_settle(struct xds_re2_group *g)
{
    if (!g->has_last)
        return;
    xds_re2_branch_add(&g->branch, g->last.size, &g->last.shape);
    if (g->last.repeat > g->repeat)
        g->repeat = g->last.repeat;
    g->branch_nullable &= g->last.nullable;
    g->has_last = false;
}

void xds_re2_begin_branch(struct xds_re2_parser *p)
{
    xds_re2_branch_init(&p->group->branch);
    p->group->branch_start = xds_re2_mark(p->out);
}

static void note_open(struct xds_re2_open *all, const struct xds_re2_open *open)
{
    all->letters |= open->letters;
    all->orbits |= open->orbits;
    all->bytes |= open->bytes;
}

void xds_re2_end_branch(struct xds_re2_parser *p)
{
    struct xds_re2_group *g = p->group;

    xds_re2_settle(g);
    if (xds_re2_branches_add(&g->branches, &g->branch, p->layout)) {
        xds_re2_rewind(p->out, g->run_start);
        xds_re2_write_set(p->out, &g->branches.runes);
    } else {
        g->run_start = g->branch_start;
    }
    note_open(&p->result->open, &g->branches.open);
}

void xds_re2_keep_runes(struct xds_re2_parser *p, const struct xds_rune_set *runes)
{
    struct xds_re2_branch *branch = &p->group->branch;

    p->group->last.shape.known = true;
    if (branch->atoms == 0)
        xds_runes_copy(&branch->runes, runes);
}

struct xds_re2_atom *xds_re2_new_atom(struct xds_re2_parser *p)
{
    struct xds_re2_group *g = p->group;

    xds_re2_settle(g);
    g->has_last = true;
    g->last = (struct xds_re2_atom){.start = xds_re2_text_length(p), .repeat = 1};
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
        xds_re2_literals_end(&p->literals);

    struct xds_re2_atom *atom = xds_re2_new_atom(p);
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

    xds_re2_literals_end(&p->literals);
    const uint64_t key =
        is_rune(set) ? xds_re2_rune_key(set->range[0].lo) : xds_re2_set_key(set);
    struct xds_re2_atom *atom = xds_re2_new_atom(p);

    atom->size = xds_re2_set_size(p->layout, set);
    atom->shape = (struct xds_re2_shape){.first = key, .unit = key, .runes = true};
    xds_re2_keep_runes(p, set);
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
    struct xds_re2_atom *atom = xds_re2_new_atom(p);

    if (size == 1 && !p->group->outer)
        xds_re2_literals_add(&p->literals, (char)rune);
    else
        xds_re2_literals_end(&p->literals);
    atom->size = (struct xds_re2_size){size, size};
    atom->shape = (struct xds_re2_shape){.first = key, .unit = key, .runes = true};
    atom->shape.ends = xds_re2_set_ends(&set);
    atom->loose = size > 1;
    xds_re2_keep_runes(p, &set);
    keep_head(p, true, size);
    xds_re2_write_rune(p->out, rune);
}

static void push_byte(struct xds_re2_parser *p)
{
    const uint64_t key = xds_re2_rune_key(XDS_RUNE_MAX + 1);
    struct xds_re2_atom *atom = xds_re2_new_atom(p);

    p->result->any_byte = true;
    xds_re2_literals_end(&p->literals);
    atom->size = (struct xds_re2_size){1, 1};
    atom->shape = (struct xds_re2_shape){.first = key, .unit = key, .runes = true};
    keep_head(p, false, 0);
    xds_re2_write(p->out, "."); /* PCRE2_DOTALL is set */
}

void xds_re2_push_rune(struct xds_re2_parser *p, uint32_t rune)
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

static void push_dot(struct xds_re2_parser *p)
{
    if (p->flags & XDS_RE2_DOT_ALL) {
        xds_runes_add(&p->set, 0, XDS_RUNE_MAX, false);
    } else {
        xds_runes_add(&p->set, 0, '\n' - 1, false);
        xds_runes_add(&p->set, '\n' + 1, XDS_RUNE_MAX, false);
    }
    push_set(p);
}

/* ---- the rest ---- */

static const char *assertion_of(char letter)
{
    return letter == 'A'   ? "\\A"
           : letter == 'z' ? "\\z"
           : letter == 'b' ? "\\b"
           : letter == 'B' ? "\\B"
                           : NULL;
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
        xds_re2_push_rune(p, rune);
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
        xds_re2_push_rune(p, rune);
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
        return xds_re2_paren(p);
    case ')':
        return xds_re2_close(p);
    case '|':
        xds_re2_bar(p);
        return true;
    case '^':
        push_line_edge(p, "(?<![^\\n])", "\\A");
        return true;
    case '$':
        push_line_edge(p, "(?![^\\n])", "\\z");
        return true;
    case '.':
        xds_re2_skip(p, 1);
        push_dot(p);
        return true;
    case '[':
        if (!xds_re2_bracket(p))
            return false;
        push_set(p);
        return true;
    case '*':
    case '+':
    case '?':
        return xds_re2_operator(p, before);
    case '{':
        return xds_re2_brace(p, before);
    case '\\':
        return read_backslash(p);
    default:
        return read_literal(p);
    }
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

static bool finish(struct xds_re2_parser *p)
{
    if (p->gave_up) {
        p->result->most = XDS_RE2_MOST_SPENT;
        return true;
    }
    if (p->group->outer)
        return xds_re2_fail(p, XDS_RE2_MISSING_PAREN, p->whole);
    xds_re2_end_branch(p);
    note_size(p);
    xds_re2_write_end(p->out);
    xds_re2_literals_finish(&p->literals);
    p->result->head = p->literals.head;
    p->result->inner = p->literals.inner;
    return true;
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
                               .result = result};

    *result = (struct xds_re2_pattern){.groups = 0};
    xds_strmap_init(&p.names, arena);
    xds_re2_literals_init(&p.literals, arena, pattern);
    p.group = XDS_NEW(arena, struct xds_re2_group);
    p.group->repeat = 1;
    xds_re2_group_init(&p, p.group);
    while (p.rest.len && !p.gave_up)
        if (!read_one(&p))
            return false;
    return finish(&p);
}
