/*
 * redact.c - keys, tokens and passwords in a line of the input, made unreadable.
 *
 * Source: envoy/config/core/v3/base.proto (DataSource), grpc_service.proto (credentials);
 *         RFC 7468 (PEM), RFC 7617 and 6750 (HTTP).
 */
#include "print/inner.h"

#include "base/ascii.h"

/* Base64 of this length is 30 bytes; names this long have dots or lack digits. */
enum { KEY_LENGTH = 40 };

/* Ends of field names, in lower case and without underscores. */
static const struct words {
    const char *text;
    size_t len;
} fields[] = {
#define WORDS(text)                                                                      \
    {                                                                                    \
        text, sizeof(text) - 1                                                           \
    }
    WORDS("inlinestring"),       WORDS("inlinebytes"), WORDS("accesstoken"),
    WORDS("refreshtoken"),       WORDS("jsonkey"),     WORDS("clientsecret"),
    WORDS("authorizationtoken"), WORDS("password"),
};

/* What a secret follows, in lower case: PEM up to the end of its string, HTTP's
 * credentials up to the next blank. */
static const struct words marks[] = {WORDS("-----begin "), WORDS("bearer "),
                                     WORDS("basic ")};
#undef WORDS

static bool is_base64(char c)
{
    return xds_ascii_word(c) || c == '-' || c == '+' || c == '/' || c == '=';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_quote(char c)
{
    return c == '"' || c == '\'';
}

static size_t run_of(struct xds_slice s, bool (*is)(char c))
{
    size_t n = 0;

    while (n < s.len && is(s.data[n]))
        n++;
    return n;
}

/* ---- what a secret is ---- */

/* Compared from the end, as a name may have more in front of it. */
static bool ends_as(struct xds_slice word, const char *name, size_t left)
{
    while (left > 0 && word.len > 0) {
        const char c = word.data[--word.len];

        if (c != '_' && xds_ascii_lower(c) != name[--left])
            return false;
    }
    return left == 0;
}

/* Does the last letter but one go with the last one in the names of such fields? */
static bool may_end_field(char before, char last)
{
    if (before == '_')
        return true;
    switch (xds_ascii_lower(last)) {
    case 'g':
        return xds_ascii_lower(before) == 'n';
    case 'n':
    case 's':
    case 't':
    case 'y':
        return xds_ascii_lower(before) == 'e';
    case 'd':
        return xds_ascii_lower(before) == 'r';
    case '_':
        return true;
    default:
        return false;
    }
}

static bool holds_secret(struct xds_slice word)
{
    if (word.len < 2 || !may_end_field(word.data[word.len - 2], word.data[word.len - 1]))
        return false; /* nearly all words */
    for (size_t i = 0; i < XDS_ARRAY_LEN(fields); i++)
        if (ends_as(word, fields[i].text, fields[i].len))
            return true;
    return false;
}

/* A line break in a string of JSON, or a name in any notation, has not all three. */
static bool looks_like_key(struct xds_slice run)
{
    bool upper = false, lower = false, digit = false;

    if (run.len < KEY_LENGTH)
        return false;
    for (size_t i = 0; i < run.len; i++) {
        digit |= xds_ascii_digit(run.data[i]);
        upper |= run.data[i] >= 'A' && run.data[i] <= 'Z';
        lower |= run.data[i] >= 'a' && run.data[i] <= 'z';
    }
    return upper && lower && digit;
}

/* The length of the mark in front of s, or 0. first: its first character, lowered. */
static size_t mark_length(struct xds_slice s, char first)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(marks); i++) {
        const struct xds_slice mark = xds_slice_make(marks[i].text, marks[i].len);

        if (s.len >= mark.len && first == mark.data[0] &&
            xds_slice_eq_fold(xds_slice_make(s.data, mark.len), mark))
            return mark.len;
    }
    return 0;
}

/* ---- lines without any ---- */

/* A run that is long enough for a key covers one of the bytes that are looked at. */
static bool has_key(struct xds_slice line)
{
    for (size_t at = KEY_LENGTH - 1; at < line.len; at += KEY_LENGTH) {
        size_t begin = at + 1;

        while (begin > 0 && is_base64(line.data[begin - 1]))
            begin--;
        at += run_of(xds_slice_from(line, at), is_base64);
        if (begin < at && looks_like_key(xds_slice_make(line.data + begin, at - begin)))
            return true;
    }
    return false;
}

/* Is there such a byte, with something in front of it that makes a secret follow? */
static bool has_secret_behind(struct xds_slice line, char c,
                              bool (*is_due)(struct xds_slice before))
{
    size_t at = 0;

    while ((at += xds_slice_find(xds_slice_from(line, at), c)) < line.len)
        if (is_due(xds_slice_make(line.data, at++)))
            return true;
    return false;
}

static bool ends_with_field(struct xds_slice text)
{
    while (text.len > 0 && is_blank(text.data[text.len - 1]))
        text.len--;
    if (text.len > 0 && is_quote(text.data[text.len - 1]))
        text.len--;
    return holds_secret(text);
}

/* All marks end with a blank, which is not in the text. */
static bool ends_with_mark(struct xds_slice text)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(marks); i++) {
        const struct xds_slice mark = xds_slice_make(marks[i].text, marks[i].len - 1);

        if (text.len >= mark.len &&
            xds_slice_eq_fold(xds_slice_from(text, text.len - mark.len), mark))
            return true;
    }
    return false;
}

/* ---- where it ends ---- */

/* The characters before the quote that ends a string. */
static size_t quoted_length(struct xds_slice s, char quote)
{
    size_t n = 0;

    while (n < s.len && s.data[n] != quote)
        n += quote == '"' && s.data[n] == '\\' && n + 1 < s.len ? 2 : 1;
    return n;
}

/* The value after the name of a field: a string, or all that is left of the line, as
 * nothing else says for sure where an unquoted text ends. *skip stays readable. */
static size_t value_length(struct xds_slice s, size_t *skip)
{
    size_t at = s.len > 0 && is_quote(s.data[0]);

    *skip = 0;
    at += run_of(xds_slice_from(s, at), is_blank);
    if (at >= s.len || s.data[at] != ':')
        return 0;
    at += 1 + run_of(xds_slice_from(s, at + 1), is_blank);
    if (at >= s.len || s.data[at] == '{' || s.data[at] == '[')
        return 0;
    *skip = at;
    if (!is_quote(s.data[at]))
        return s.len - at;
    *skip = at + 1;
    return quoted_length(xds_slice_from(s, at + 1), s.data[at]);
}

/* ---- the copy ---- */

struct copy {
    struct xds_slice line;
    size_t at; /* of it */
    char *to;
    size_t n;
};

static struct xds_slice rest_of(const struct copy *c)
{
    return xds_slice_from(c->line, c->at);
}

static void keep(struct copy *c, size_t len)
{
    memcpy(c->to + c->n, c->line.data + c->at, len);
    c->n += len;
    c->at += len;
}

/* The bytes that continue a character have no column of their own. */
static void hide(struct copy *c, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (((unsigned char)c->line.data[c->at + i] & 0xc0) != 0x80)
            c->to[c->n++] = '*';
    c->at += len;
}

static void copy_run(struct copy *c, struct xds_slice run)
{
    const size_t word = run_of(run, xds_ascii_word);
    size_t skip, value;

    if (looks_like_key(run)) {
        hide(c, run.len);
        return;
    }
    keep(c, word > 0 ? word : 1);
    if (!holds_secret(xds_slice_make(run.data, word)))
        return;
    value = value_length(rest_of(c), &skip);
    keep(c, skip);
    hide(c, value);
}

size_t xds_redact(struct xds_slice line, char *to)
{
    struct copy c = {.line = line, .to = to};

    /* Nearly no line does, and this is soon known. */
    if (line.data && !(has_key(line) || has_secret_behind(line, ':', ends_with_field) ||
                       has_secret_behind(line, ' ', ends_with_mark)))
        keep(&c, line.len);
    while (line.data && c.at < line.len) {
        const char first = xds_ascii_lower(line.data[c.at]);
        const size_t mark = mark_length(rest_of(&c), first);
        const size_t run = run_of(rest_of(&c), is_base64);

        if (mark > 0) {
            const bool is_pem = c.line.data[c.at] == '-';

            keep(&c, mark);
            const size_t string = quoted_length(rest_of(&c), '"');
            const size_t word = xds_slice_find(rest_of(&c), ' ');

            hide(&c, is_pem || string < word ? string : word);
        } else if (run > 0)
            copy_run(&c, xds_slice_make(line.data + c.at, run));
        else
            keep(&c, 1);
    }
    return c.n;
}
