/*
 * yaml_line.c - a line of YAML as programs write it.
 *
 * Fails:  by calling it another line: what that means, libyaml knows.
 * Source: YAML 1.2.2, chapters 6 to 8; libyaml's scanner.
 */
#include "source/yaml/yaml_line.h"

#include "base/ascii.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* What is read of the line, and where. */
struct cursor {
    const char *text;
    size_t at, len; /* len: XDS_YAML_LINE_MOST at most */
    bool last;
};

/* ---- characters ---- */

/* Control characters, the ends of lines among them, what is not ASCII, comments; and two
 * of the caller's. */
static inline bool is_stop(char c, char a, char b)
{
    return (signed char)c < 0x20 || c == 0x7F || c == '#' || c == a || c == b;
}

#ifdef __SSE2__
#define STEP ((size_t)16)

/* One bit for each stop in a step. As signed numbers, bytes of UTF-8 sequences are less
 * than any ASCII character. */
static inline unsigned find_stops(const char *text, char a, char b)
{
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)text);
    const __m128i control = _mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20));
    const __m128i delete = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x7F));
    const __m128i comment = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('#'));
    const __m128i first = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(a));
    const __m128i second = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b));
    const __m128i own = _mm_or_si128(first, second);

    return (unsigned)_mm_movemask_epi8(
        _mm_or_si128(_mm_or_si128(control, delete), _mm_or_si128(comment, own)));
}

/* One bit for each byte of a step that is another one. */
static inline unsigned find_others(const char *text, char c)
{
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)text);

    return 0xFFFF ^ (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)));
}
#endif

/* The first stop from `at` on, or len. */
static inline size_t stop_from(const struct cursor *c, size_t at, char a, char b)
{
#ifdef __SSE2__
    for (; c->len - at >= STEP; at += STEP) {
        const unsigned stops = find_stops(c->text + at, a, b);

        if (stops)
            return at + (size_t)__builtin_ctz(stops);
    }
#endif
    while (at < c->len && !is_stop(c->text[at], a, b))
        at++;
    return at;
}

static inline bool ends_line(const struct cursor *c, size_t at)
{
    return at < c->len ? c->text[at] == '\n' : c->last;
}

/* A blank or the end of the line: what makes a ':' or '-' in front of it an indicator. */
static inline bool is_blank(const struct cursor *c, size_t at)
{
    return at < c->len ? c->text[at] == ' ' || c->text[at] == '\n' : c->last;
}

/* Lines are mostly indented by many spaces. */
static inline void skip_spaces(struct cursor *c)
{
#ifdef __SSE2__
    while (c->len - c->at >= STEP) {
        const unsigned others = find_others(c->text + c->at, ' ');

        c->at += others ? (size_t)__builtin_ctz(others) : STEP;
        if (others)
            return;
    }
#endif
    while (c->at < c->len && c->text[c->at] == ' ')
        c->at++;
}

/* With these a plain scalar of programs begins. The only indicators among them are the
 * minus of a number and the colon of :path; the '<' of a merge key is not. */
static bool begins_plain(const struct cursor *c)
{
    const char first = c->text[c->at];
    const char second = c->at + 1 < c->len ? c->text[c->at + 1] : '\0';

    if (xds_ascii_alpha(first) || xds_ascii_digit(first))
        return true;
    if (first == '-')
        return xds_ascii_digit(second) || second == '.';
    if (first == ':')
        return xds_ascii_alpha(second);
    return first != '\0' && strchr("/_.+~$(;=^\\", first) != NULL;
}

/* ---- scalars ---- */

static inline bool set_part(struct xds_yaml_part *part, enum xds_yaml_part_kind kind,
                            size_t begin, size_t end)
{
    *part = (struct xds_yaml_part){kind, (uint32_t)begin, (uint32_t)end};
    return true;
}

/* Up to the end of the line or the ':' after a key. */
static bool read_plain(struct cursor *c, struct xds_yaml_part *out)
{
    const size_t begin = c->at;
    size_t end = stop_from(c, begin, ':', ':');

    while (end < c->len && c->text[end] == ':' && !is_blank(c, end + 1))
        end = stop_from(c, end + 1, ':', ':');
    c->at = end;
    while (c->text[end - 1] == ' ')
        end--;
    return set_part(out, XDS_YAML_PLAIN, begin, end);
}

/* What the character after a backslash stands for; 0 for what only libyaml knows. */
static char escaped_by(char c)
{
    static const char by[] = "\\\"/nrt", stands_for[] = "\\\"/\n\r\t";
    const char *found = c != '\0' ? strchr(by, c) : NULL;

    return found ? stands_for[found - by] : '\0';
}

/* At a quote or a backslash: is it an escape? In single quotes a second quote escapes the
 * first. */
static bool is_escape(const struct cursor *c, size_t at, char quote)
{
    if (at + 1 >= c->len)
        return false;
    return quote == '"' ? c->text[at] == '\\' && escaped_by(c->text[at + 1])
                        : c->text[at + 1] == quote;
}

static bool read_quoted(struct cursor *c, struct xds_yaml_part *out)
{
    const size_t begin = c->at;
    const char quote = c->text[begin], other = quote == '"' ? '\\' : quote;
    enum xds_yaml_part_kind kind = XDS_YAML_QUOTED;
    size_t end = stop_from(c, begin + 1, quote, other);

    while (end < c->len && (c->text[end] == quote || c->text[end] == other) &&
           is_escape(c, end, quote)) {
        kind = XDS_YAML_ESCAPED;
        end = stop_from(c, end + 2, quote, other);
    }
    c->at = end + 1;
    return end < c->len && c->text[end] == quote &&
           (kind == XDS_YAML_QUOTED || end - begin <= XDS_YAML_ESCAPED_MOST) &&
           set_part(out, kind, begin, end + 1);
}

size_t xds_yaml_unescape(struct xds_slice text, char quote, char *out)
{
    const char mark = quote == '"' ? '\\' : quote;
    size_t n = 0;

    for (size_t i = 0; i < text.len; i++) {
        const bool escape = text.data[i] == mark;

        i += escape;
        out[n++] = escape && quote == '"' ? escaped_by(text.data[i]) : text.data[i];
    }
    return n;
}

static bool read_empty(struct cursor *c, struct xds_yaml_part *out)
{
    const bool list = c->text[c->at] == '[';
    const size_t begin = c->at;

    c->at += 2;
    return c->at <= c->len && c->text[begin + 1] == (list ? ']' : '}') &&
           set_part(out, list ? XDS_YAML_EMPTY_LIST : XDS_YAML_EMPTY_MAPPING, begin,
                    begin + 2);
}

static bool read_part(struct cursor *c, struct xds_yaml_part *out)
{
    const char first = c->text[c->at];

    if (begins_plain(c))
        return read_plain(c, out);
    if (first == '"' || first == '\'')
        return read_quoted(c, out);
    return (first == '[' || first == '{') && read_empty(c, out);
}

/* ---- lines ---- */

static bool is_indicator(const struct cursor *c, char indicator)
{
    return c->at < c->len && c->text[c->at] == indicator && is_blank(c, c->at + 1);
}

static bool read_dashes(struct cursor *c, struct xds_yaml_line *out)
{
    skip_spaces(c);
    while (is_indicator(c, '-')) {
        if (out->dashes == XDS_YAML_DASHES)
            return false;
        out->dash[out->dashes++] = (uint32_t)c->at++;
        skip_spaces(c);
    }
    return true;
}

/* Nothing, where the line ends. */
static bool read_value(struct cursor *c, struct xds_yaml_line *out)
{
    out->value = (struct xds_yaml_part){XDS_YAML_ABSENT, 0, 0};
    skip_spaces(c);
    return ends_line(c, c->at) || (c->at < c->len && read_part(c, &out->value));
}

/* What was read as a value, when a ':' follows at once. */
static bool take_key(struct cursor *c, struct xds_yaml_line *out)
{
    const struct xds_yaml_part *key = &out->value;

    out->key = *key;
    return key->end == c->at++ && key->end - key->begin <= XDS_YAML_KEY_MOST &&
           (key->kind == XDS_YAML_PLAIN || key->kind == XDS_YAML_QUOTED);
}

static bool read_entry(struct cursor *c, struct xds_yaml_line *out)
{
    if (!read_dashes(c, out) || !read_value(c, out))
        return false;
    if (is_indicator(c, ':') && (!take_key(c, out) || !read_value(c, out)))
        return false;
    skip_spaces(c);
    return ends_line(c, c->at) && (out->dashes > 0 || out->key.kind != XDS_YAML_ABSENT);
}

void xds_yaml_line_read(struct xds_slice text, bool last, struct xds_yaml_line *out)
{
    const bool cut = text.len > XDS_YAML_LINE_MOST;
    struct cursor c = {.text = text.data,
                       .len = cut ? XDS_YAML_LINE_MOST : text.len,
                       .last = last && !cut};

    out->dashes = 0;
    out->key.kind = XDS_YAML_ABSENT;
    /* That may end the document. */
    if (xds_slice_starts(text, XDS_S("...")) || !read_entry(&c, out))
        out->kind = XDS_YAML_LINE_OTHER;
    else
        out->kind = XDS_YAML_LINE_ENTRY;
    out->size = (uint32_t)(c.at + (c.at < c.len));
}
