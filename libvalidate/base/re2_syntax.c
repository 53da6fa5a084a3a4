/*
 * re2_syntax.c - a pattern to RE2's verdict on it, and to PCRE2 text of the same meaning.
 *
 * Takes:  any bytes.
 * Gives:  the number of capturing groups; text in the writer. Groups are kept on a stack
 *         of our own, so that nesting costs no C stack.
 * Fails:  with RE2's error text.
 * Source: RE2 parse.cc, Regexp::Parse(); compile.cc for the size of a program.
 */
#include "base/re2_parser.h"

/* ---- errors and reading ---------------------------------------------------------- */

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
    [XDS_RE2_TOO_DEEP] = "expression nests too deeply",
    [XDS_RE2_TOO_LARGE] = "pattern too large - compile failed",
};

struct xds_slice xds_re2_since(const struct xds_re2_parser *p, const char *from)
{
    return xds_slice_make(from, (size_t)(p->rest.data - from));
}

bool xds_re2_fail(struct xds_re2_parser *p, enum xds_re2_error error,
                  struct xds_slice about)
{
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

bool xds_re2_rune(struct xds_re2_parser *p, uint32_t *rune)
{
    return xds_utf8_next(&p->rest, rune) || fail(p, XDS_RE2_BAD_UTF8);
}

bool xds_re2_is_exhausted(const struct xds_re2_parser *p)
{
    return p->spent + p->set.work > XDS_RE2_MOST_SPENT;
}

bool xds_re2_check_utf8(struct xds_re2_parser *p, struct xds_slice text)
{
    uint32_t rune;

    while (text.len)
        if (!xds_utf8_next(&text, &rune))
            return fail(p, XDS_RE2_BAD_UTF8);
    return true;
}

/* ---- atoms ----------------------------------------------------------------------- */

size_t xds_re2_text_length(const struct xds_re2_parser *p)
{
    return p->out ? p->out->len : 0;
}

/* The last atom can no longer be repeated: count it. */
void xds_re2_settle(struct xds_re2_group *g)
{
    if (!g->has_last)
        return;
    g->cost += g->last.cost;
    if (g->last.repeat > g->repeat)
        g->repeat = g->last.repeat;
    g->branch_nullable &= g->last.nullable;
    g->has_last = false;
}

/* To be called before the atom is written. */
struct xds_re2_atom *xds_re2_new_atom(struct xds_re2_parser *p)
{
    struct xds_re2_group *g = p->group;

    xds_re2_settle(g);
    g->has_last = true;
    g->last =
        (struct xds_re2_atom){.start = xds_re2_text_length(p), .cost = 1, .repeat = 1};
    p->spent++;
    return &g->last;
}

static void push_assertion(struct xds_re2_parser *p, const char *text)
{
    struct xds_re2_atom *atom = xds_re2_new_atom(p);

    atom->loose = atom->nullable = true;
    xds_re2_write(p->out, text);
}

static void push_set(struct xds_re2_parser *p)
{
    struct xds_re2_atom *atom = xds_re2_new_atom(p);

    atom->cost = xds_re2_set_cost(&p->set);
    p->spent += atom->cost + p->set.work;
    xds_re2_write_set(p->out, &p->set);
    p->set.n = p->set.work = 0;
}

static void push_exact(struct xds_re2_parser *p, uint32_t rune)
{
    struct xds_re2_atom *atom = xds_re2_new_atom(p);

    atom->cost = xds_utf8_length(rune);
    atom->loose = atom->cost > 1;
    xds_re2_write_rune(p->out, rune);
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

/* ---- the rest -------------------------------------------------------------------- */

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
            break;
        }
        if (!xds_re2_rune(p, &rune))
            return false;
        xds_re2_push_rune(p, rune);
    }
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
        xds_re2_new_atom(p);
        xds_re2_write(p->out, "."); /* PCRE2_DOTALL is set */
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

/* PCRE2's own "^" would not match behind a newline at the very end. */
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

static bool finish(struct xds_re2_parser *p)
{
    if (p->depth > 0)
        return xds_re2_fail(p, XDS_RE2_MISSING_PAREN, p->whole);
    xds_re2_settle(p->group);
    if (p->group->cost > XDS_RE2_MOST_INSTRUCTIONS || xds_re2_is_exhausted(p))
        return fail(p, XDS_RE2_TOO_LARGE);
    xds_re2_write_end(p->out);
    return true;
}

bool xds_re2_read(struct xds_arena *arena, struct xds_slice pattern,
                  struct xds_re2_writer *out, struct xds_re2_pattern *result)
{
    const size_t depths = XDS_MAX_REGEX_NESTING + 1;
    struct xds_re2_parser p = {.arena = arena,
                               .whole = pattern,
                               .rest = pattern,
                               .out = out,
                               .set = {.arena = arena},
                               .name_runes = {.arena = arena},
                               .result = result};

    *result = (struct xds_re2_pattern){.groups = 0};
    p.group = xds_arena_alloc(arena, depths * sizeof *p.group);
    *p.group = (struct xds_re2_group){.repeat = 1};
    while (p.rest.len)
        if (!read_one(&p))
            return false;
    return finish(&p);
}
