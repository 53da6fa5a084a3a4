/*
 * sample.c - a text that a regex matches.
 *
 * Fails:  with an absent text at what is no such thing: \p{...}, negated classes without
 *         an easy member, nesting that is too deep.
 */
#include "explain/explain.h"

#include "base/ascii.h"
#include "base/limits.h"
#include "base/text.h"

struct reader {
    struct xds_slice pattern;
    size_t at;
    struct xds_text text;
    bool optional;
    bool failed;
    unsigned depth;
};

static bool at_end(const struct reader *r)
{
    return r->failed || r->at >= r->pattern.len;
}

static char peek(const struct reader *r)
{
    return r->at < r->pattern.len ? r->pattern.data[r->at] : '\0';
}

static void put(struct reader *r, char c)
{
    xds_text_add(&r->text, xds_slice_make(&c, 1));
}

/* What a backslash and a letter stand for; '\0': nothing that has a width, or unknown. */
static char escaped(struct reader *r, char c)
{
    static const struct {
        char letter, member;
    } classes[] = {{'d', '0'},  {'w', 'a'},  {'s', ' '},  {'D', 'a'},
                   {'W', '-'},  {'S', 'a'},  {'n', '\n'}, {'t', '\t'},
                   {'r', '\r'}, {'f', '\f'}, {'v', '\v'}};

    for (size_t i = 0; i < XDS_ARRAY_LEN(classes); i++)
        if (classes[i].letter == c)
            return classes[i].member;
    if (c == 'b' || c == 'B' || c == 'A' || c == 'z')
        return '\0';
    r->failed |= xds_ascii_alpha(c) || xds_ascii_digit(c);
    return c;
}

static void put_escaped(struct reader *r, char letter)
{
    const char c = escaped(r, letter);

    if (c != '\0' && !r->failed)
        put(r, c);
}

/* Does the class from `from` to `to` name this character, ranges included? */
static bool names(const struct reader *r, size_t from, size_t to, char c)
{
    for (size_t i = from; i < to; i++) {
        const char low = r->pattern.data[i];
        const bool range = i + 2 < to && r->pattern.data[i + 1] == '-';

        if (low == '\\' || low == '[')
            return true; /* not looked into */
        if (low == c || (range && low <= c && c <= r->pattern.data[i + 2]))
            return true;
        i += range ? 2 : 0;
    }
    return false;
}

static void put_other(struct reader *r, size_t from, size_t to)
{
    static const char candidates[] = "a0-_Zz/ ";

    for (const char *c = candidates; *c != '\0'; c++)
        if (!names(r, from, to, *c)) {
            put(r, *c);
            return;
        }
    r->failed = true;
}

static void put_member(struct reader *r, size_t from)
{
    const char first = r->pattern.data[from];

    if (first == '\\' && from + 1 < r->pattern.len)
        put_escaped(r, r->pattern.data[from + 1]);
    else
        put(r, first == '[' ? 'a' : first); /* [:alpha:] */
}

static void read_class(struct reader *r)
{
    const bool negated = peek(r) == '^';
    const size_t from = r->at + negated;
    /* A bracket that comes first is a member. */
    size_t end = from < r->pattern.len && r->pattern.data[from] == ']' ? from + 1 : from;

    while (end < r->pattern.len && r->pattern.data[end] != ']') {
        if (r->pattern.data[end] == '\\')
            end++;
        else if (xds_slice_starts(xds_slice_from(r->pattern, end), XDS_S("[:")))
            end += 2 + xds_slice_find(xds_slice_from(r->pattern, end + 2), ']');
        end++;
    }
    if (end >= r->pattern.len)
        r->failed = true;
    else if (negated)
        put_other(r, from, end);
    else
        put_member(r, from);
    r->at = end + 1;
}

static void read_alternatives(struct reader *r);

/* "?:", "?P<name>", "?i:" */
static void skip_flags(struct reader *r)
{
    if (peek(r) != '?')
        return;
    while (!at_end(r) && peek(r) != ':' && peek(r) != '>' && peek(r) != ')')
        r->at++;
    if (peek(r) != ')')
        r->at++;
}

static void read_group(struct reader *r)
{
    skip_flags(r);
    if (++r->depth > XDS_MAX_NESTING)
        r->failed = true;
    else
        read_alternatives(r);
    r->depth--;
    r->at++; /* the bracket that closes it */
}

static void read_atom(struct reader *r)
{
    const char c = peek(r);

    r->at++;
    if (c == '(')
        read_group(r);
    else if (c == '[')
        read_class(r);
    else if (c == '\\')
        put_escaped(r, r->at < r->pattern.len ? r->pattern.data[r->at++] : '\0');
    else if (c == '.')
        put(r, 'a');
    else if (c != '^' && c != '$')
        put(r, c);
}

/* The least count of what is after an atom: "*", "+", "?", "{2,3}"; -1: none. */
static int64_t read_count(struct reader *r)
{
    const char c = peek(r);
    struct xds_slice count;
    int64_t least = 1;

    if (c == '*' || c == '?' || c == '+') {
        r->at++;
        return c == '+' || r->optional ? 1 : 0;
    }
    if (c != '{')
        return -1;
    count = xds_slice_from(r->pattern, r->at + 1);
    count.len = xds_slice_find(count, '}');
    r->at += count.len + 2;
    (void)xds_slice_cut(count, ',', &count);
    if (!xds_slice_to_i64(count, &least) || least < 0 || least > XDS_MAX_REGEX_REPEAT)
        r->failed = true;
    return least;
}

/* What an atom has put is put as often as it must be there. */
static void repeat(struct reader *r, size_t from, int64_t times)
{
    const size_t len = r->text.len - from;
    const struct xds_slice once =
        xds_arena_dup(r->text.arena, xds_slice_make(r->text.data + from, len));

    if (len == 0)
        return;
    if (times == 0)
        r->text.len = from;
    if (times > 1 && len * (size_t)times > XDS_MAX_REGEX_REPEAT)
        r->failed = true;
    for (int64_t i = 1; i < times && !r->failed; i++)
        xds_text_add(&r->text, once);
}

static void read_sequence(struct reader *r)
{
    while (!at_end(r) && peek(r) != '|' && peek(r) != ')') {
        const size_t from = r->text.len;

        read_atom(r);
        for (int64_t n; !r->failed && (n = read_count(r)) >= 0;)
            repeat(r, from, n);
    }
}

/* The first alternative counts; the others are skipped. */
static void read_alternatives(struct reader *r)
{
    read_sequence(r);
    while (!r->failed && peek(r) == '|') {
        const size_t len = r->text.len;

        r->at++;
        read_sequence(r);
        r->text.len = len;
    }
}

struct xds_slice xds_regex_sample(struct xds_arena *arena, struct xds_slice pattern,
                                  bool optional)
{
    struct reader r = {
        .pattern = pattern, .text = {.arena = arena}, .optional = optional};

    xds_text_add(&r.text, XDS_S(""));
    read_alternatives(&r);
    return r.failed || r.at < pattern.len ? xds_slice_make(NULL, 0)
                                          : xds_slice_make(r.text.data, r.text.len);
}
