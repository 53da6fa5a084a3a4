/*
 * redact.c - keys, tokens and passwords in a line of the input, made unreadable.
 *
 * Source: RFC 7468 (PEM), RFC 7617 and 6750 (HTTP), RFC 7519 (JWT), RFC 3986, 3.2.1
 * (URLs).
 */
#include "secret/secret.h"

#include "base/ascii.h"

/* Base64 of this length is 30 bytes; names this long have dots or lack digits. */
enum { KEY_LENGTH = 40 };

/* What a secret follows, in lower case: PEM up to the end of its string, HTTP's
 * credentials up to the next blank. */
static const struct xds_slice marks[] = {
    {"-----begin ", 11}, {"bearer ", 7}, {"basic ", 6}};

static bool is_base64(char c)
{
    return xds_ascii_word(c) || c == '-' || c == '+' || c == '/' || c == '=';
}

static bool is_name(char c)
{
    return xds_ascii_word(c) || c == '-';
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
        const struct xds_slice mark = marks[i];

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
    if (text.len > 0 && text.data[text.len - 1] == '\\') /* a quote in a string */
        text.len--;
    const size_t end = text.len;

    while (text.len > 0 && is_name(text.data[text.len - 1]))
        text.len--;
    return xds_secret_name(xds_slice_make(text.data + text.len, end - text.len));
}

/* What a URL has between its scheme and its host, without the '@'. */
static bool is_userinfo(char c)
{
    return (unsigned char)c > ' ' && !strchr("/?#\"'<>@\\", c);
}

/* Up to the '@': "https://user:password". */
static bool ends_with_userinfo(struct xds_slice text)
{
    while (text.len > 0 && is_userinfo(text.data[text.len - 1]))
        text.len--;
    return xds_slice_ends(text, XDS_S("://"));
}

/* A JWT begins as base64 of {" does. */
static bool ends_with_jwt(struct xds_slice text)
{
    return xds_slice_ends(text, XDS_S("ey"));
}

/* All marks end with a blank, which is not in the text. */
static bool ends_with_mark(struct xds_slice text)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(marks); i++) {
        const struct xds_slice mark = xds_slice_make(marks[i].data, marks[i].len - 1);

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

/* A parameter of a URL or of a form. */
static bool is_parameter(char c)
{
    return (unsigned char)c > ' ' && !strchr("&#;,\"'<>\\", c);
}

/* The quote that s begins with, in a string with a backslash before it; its length. */
static size_t quote_length(struct xds_slice s)
{
    const size_t at = s.len > 1 && s.data[0] == '\\';

    return s.len > at && is_quote(s.data[at]) ? at + 1 : 0;
}

/* The value after the name of a field: a string, or all that is left of the line, as
 * nothing else says for sure where an unquoted text ends. *skip stays readable. */
static size_t value_length(struct xds_slice s, size_t *skip)
{
    size_t at = quote_length(s);

    *skip = 0;
    at += run_of(xds_slice_from(s, at), is_blank);
    if (at == 0 && s.len > 1 && s.data[0] == '=' && is_parameter(s.data[1])) {
        *skip = 1;
        return run_of(xds_slice_from(s, 1), is_parameter);
    }
    if (at >= s.len || s.data[at] != ':')
        return 0;
    at += 1 + run_of(xds_slice_from(s, at + 1), is_blank);
    if (at >= s.len || s.data[at] == '{' || s.data[at] == '[')
        return 0;
    const size_t quote = quote_length(xds_slice_from(s, at));

    *skip = at + quote;
    if (quote == 0)
        return s.len - at;
    const struct xds_slice rest = xds_slice_from(s, *skip);

    if (quote == 1)
        return quoted_length(rest, s.data[at]);
    const size_t end = xds_slice_search(rest, xds_slice_make(s.data + at, quote));

    return end < rest.len ? end : rest.len;
}

/* Up to the last '@' of the authority, or 0. */
static size_t userinfo_length(struct xds_slice s)
{
    size_t len = 0, end = run_of(s, is_userinfo);

    while (end < s.len && s.data[end] == '@') {
        len = end;
        end += 1 + run_of(xds_slice_from(s, end + 1), is_userinfo);
    }
    return len;
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

/* All parts of a JWT, or 0: base64 with points in between. */
static size_t jwt_length(struct xds_slice s, size_t run)
{
    size_t n = run;

    if (!xds_slice_starts(s, XDS_S("eyJ")))
        return 0;
    while (n + 1 < s.len && s.data[n] == '.' && is_base64(s.data[n + 1]))
        n += 1 + run_of(xds_slice_from(s, n + 1), is_base64);
    return n > run ? n : 0;
}

static void copy_run(struct copy *c, struct xds_slice run)
{
    const size_t word = run_of(run, is_name);
    const size_t jwt = jwt_length(rest_of(c), run.len);
    size_t skip, value;

    if (jwt > 0 || looks_like_key(run)) {
        hide(c, jwt > 0 ? jwt : run.len);
        return;
    }
    keep(c, word > 0 ? word : 1);
    if (!xds_secret_name(xds_slice_make(run.data, word)))
        return;
    value = value_length(rest_of(c), &skip);
    keep(c, skip);

    /* The scheme of credentials can be read. */
    const char first = value > 0 ? xds_ascii_lower(c->line.data[c->at]) : '\0';
    const size_t scheme = first == 'b' ? mark_length(rest_of(c), first) : 0;

    keep(c, scheme < value ? scheme : 0);
    hide(c, scheme < value ? value - scheme : value);
}

size_t xds_redact(struct xds_slice line, char *to)
{
    struct copy c = {.line = line, .to = to};

    /* Nearly no line does, and this is soon known. */
    if (line.data && !(has_key(line) || has_secret_behind(line, ':', ends_with_field) ||
                       has_secret_behind(line, '=', ends_with_field) ||
                       has_secret_behind(line, '@', ends_with_userinfo) ||
                       has_secret_behind(line, ' ', ends_with_mark) ||
                       has_secret_behind(line, 'J', ends_with_jwt)))
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
        } else if (xds_slice_starts(rest_of(&c), XDS_S("://"))) {
            keep(&c, 3);
            hide(&c, userinfo_length(rest_of(&c)));
        } else if (run > 0)
            copy_run(&c, xds_slice_make(line.data + c.at, run));
        else
            keep(&c, 1);
    }
    return c.n;
}
