/*
 * re2_repeat.c - repetition: "*", "+?", "{2,4}".
 *
 * Fails:  with RE2's error.
 * Source: RE2 parse.cc, PushRepeatOp(), PushRepetition(), RepetitionWalker.
 */
#include "regex/re2_parser.h"

#include "base/ascii.h"

struct repeat {
    int min, max;          /* max -1: no end */
    const char *text;      /* "*", "+", "?" or NULL for a counted one */
    struct xds_slice said; /* in the pattern, with its "?" */
    bool lazy;
};

static void write_counts(struct xds_re2_writer *out, const struct repeat *r)
{
    xds_re2_write(out, "{");
    xds_re2_write_number(out, r->min);
    xds_re2_write(out, ",");
    if (r->max >= 0)
        xds_re2_write_number(out, r->max);
    xds_re2_write(out, "}");
}

static void write_repeat(struct xds_re2_writer *out, const struct repeat *r)
{
    if (r->text)
        xds_re2_write(out, r->text);
    else if (out)
        write_counts(out, r);
    xds_re2_write(out, r->lazy ? "?" : "");
}

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
    write_repeat(out, r);
}

static struct xds_re2_counts counts_of(const struct repeat *r)
{
    return (struct xds_re2_counts){(unsigned)r->min,
                                   r->max < 0 ? XDS_RE2_NO_MAX : (unsigned)r->max};
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
    xds_re2_literals_repeat(&p->literals);
    /* PCRE2 leaves a loop once it went through it without progress, RE2 continues. */
    p->result->nullable_loop |= atom->nullable && r->max < 0;
    xds_re2_repeat_size(&atom->size, &atom->shape, counts_of(r), atom->nullable);
    atom->nullable |= r->min == 0;
    atom->loose = true;
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

bool xds_re2_operator(struct xds_re2_parser *p, struct xds_slice before)
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

static bool skip_byte(struct xds_slice *s, char c)
{
    if (s->len == 0 || s->data[0] != c)
        return false;
    *s = xds_slice_from(*s, 1);
    return true;
}

/* "{2}", "{2,}", "{2,4}"; the number of its bytes, 0 when "{" is a literal. */
static size_t read_counts(struct xds_slice text, struct repeat *r, bool *is_long)
{
    struct xds_slice s = xds_slice_from(text, 1);

    if (!read_count(&s, &r->min, is_long))
        return 0;
    r->max = r->min;
    if (skip_byte(&s, ',')) {
        r->max = -1;
        if (s.len && s.data[0] != '}' && !read_count(&s, &r->max, is_long))
            return 0;
    }
    const bool closes = skip_byte(&s, '}');

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

bool xds_re2_brace(struct xds_re2_parser *p, struct xds_slice before)
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
    xds_re2_push_rune(p, '{');
    p->result->strict_java |= is_operator(p);
    return true;
}
