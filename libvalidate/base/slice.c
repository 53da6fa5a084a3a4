/*
 * slice.c - comparing, searching and reading numbers in text that needs no NUL.
 *
 * Fails:  never; what cannot be read is reported as false.
 */
#include "base/slice.h"

#include "base/ascii.h"

bool xds_slice_take(struct xds_slice *s, const char *prefix)
{
    const struct xds_slice text = xds_slice_of(prefix);

    if (!xds_slice_starts(*s, text))
        return false;
    *s = xds_slice_from(*s, text.len);
    return true;
}

int xds_slice_cmp(struct xds_slice a, struct xds_slice b)
{
    const size_t n = a.len < b.len ? a.len : b.len;
    const int c = n ? memcmp(a.data, b.data, n) : 0;

    return c ? c : (a.len > b.len) - (a.len < b.len);
}

bool xds_slice_eq_fold(struct xds_slice a, struct xds_slice b)
{
    if (a.len != b.len)
        return false;
    if (a.len == 0 || memcmp(a.data, b.data, a.len) == 0) /* most that are equal at all */
        return true;
    for (size_t i = 0; i < a.len; i++)
        if (xds_ascii_lower(a.data[i]) != xds_ascii_lower(b.data[i]))
            return false;
    return true;
}

size_t xds_slice_find(struct xds_slice s, char c)
{
    const char *at = s.len ? memchr(s.data, c, s.len) : NULL;

    return at ? (size_t)(at - s.data) : s.len;
}

size_t xds_slice_search(struct xds_slice s, struct xds_slice needle)
{
    size_t i = 0;

    if (needle.len == 0)
        return 0;
    while (s.len - i >= needle.len) {
        const char *at = memchr(s.data + i, needle.data[0], s.len - i - needle.len + 1);

        if (!at)
            break;
        i = (size_t)(at - s.data);
        if (memcmp(at, needle.data, needle.len) == 0)
            return i;
        i++;
    }
    return s.len + 1;
}

bool xds_slice_like(struct xds_slice s, struct xds_slice pattern)
{
    size_t p = 0, i = 0, star = pattern.len, again = 0;

    while (i < s.len) {
        if (p < pattern.len && pattern.data[p] == '*') {
            star = p++;
            again = i;
        } else if (p < pattern.len &&
                   (pattern.data[p] == '?' || pattern.data[p] == s.data[i])) {
            p++;
            i++;
        } else if (star < pattern.len) {
            /* The last star takes one more; no earlier one has to. */
            p = star + 1;
            i = ++again;
        } else {
            return false;
        }
    }
    while (p < pattern.len && pattern.data[p] == '*')
        p++;
    return p == pattern.len;
}

struct xds_slice xds_slice_cut(struct xds_slice s, char c, struct xds_slice *head)
{
    const size_t at = xds_slice_find(s, c);

    *head = xds_slice_make(s.data, at);
    return at == s.len ? (struct xds_slice){NULL, 0} : xds_slice_from(s, at + 1);
}

bool xds_slice_to_u64(struct xds_slice s, uint64_t *out)
{
    uint64_t value = 0;

    if (s.len == 0)
        return false;
    for (size_t i = 0; i < s.len; i++) {
        if (!xds_ascii_digit(s.data[i]))
            return false;
        const unsigned digit = (unsigned)(s.data[i] - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *out = value;
    return true;
}

struct xds_slice xds_slice_clip(struct xds_slice s, size_t most)
{
    if (s.len <= most)
        return s;
    while (most > 0 && ((unsigned char)s.data[most] & 0xC0u) == 0x80u)
        most--;
    return (struct xds_slice){s.data, most};
}

struct xds_slice xds_slice_trim(struct xds_slice s)
{
    while (s.len && xds_ascii_blank(s.data[0]))
        s = xds_slice_from(s, 1);
    while (s.len && xds_ascii_blank(s.data[s.len - 1]))
        s.len--;
    return s;
}

bool xds_slice_to_i64(struct xds_slice s, int64_t *out)
{
    const bool negative = s.len && s.data[0] == '-';
    const bool sign = negative || (s.len && s.data[0] == '+');
    uint64_t value;

    if (!xds_slice_to_u64(sign ? xds_slice_from(s, 1) : s, &value))
        return false;
    if (value > (uint64_t)INT64_MAX + (negative ? 1 : 0))
        return false;
    if (!negative)
        *out = (int64_t)value;
    else
        *out = value > (uint64_t)INT64_MAX ? INT64_MIN : -(int64_t)value;
    return true;
}

static size_t digits_from(struct xds_slice s, size_t from)
{
    size_t at = from;

    while (at < s.len && xds_ascii_digit(s.data[at]))
        at++;
    return at - from;
}

bool xds_json_number(struct xds_slice s)
{
    size_t at = s.len > 0 && s.data[0] == '-';
    const size_t whole = digits_from(s, at);

    if (whole == 0 || (whole > 1 && s.data[at] == '0'))
        return false;
    at += whole;
    if (at < s.len && s.data[at] == '.') {
        const size_t fraction = digits_from(s, at + 1);
        if (fraction == 0)
            return false;
        at += 1 + fraction;
    }
    if (at < s.len && (s.data[at] == 'e' || s.data[at] == 'E')) {
        at++;
        at += at < s.len && (s.data[at] == '+' || s.data[at] == '-');
        const size_t exponent = digits_from(s, at);
        if (exponent == 0)
            return false;
        at += exponent;
    }
    return at == s.len;
}

static size_t length_after(unsigned char first)
{
    if (first < 0xC2 || first >= 0xF5)
        return 0;
    return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

/* The length of the well-formed sequence at s, which begins with a byte >= 0x80; 0 if
 * there is none. The ranges are those of table 3-7 of the Unicode standard. */
static size_t utf8_sequence(const unsigned char *s, size_t len, bool surrogates)
{
    const unsigned char c = s[0];
    const unsigned char low = c == 0xE0 ? 0xA0 : c == 0xF0 ? 0x90 : 0x80;
    const unsigned char high = c == 0xED && !surrogates ? 0x9F : c == 0xF4 ? 0x8F : 0xBF;
    const size_t n = length_after(c);

    if (n == 0 || n > len || s[1] < low || s[1] > high)
        return 0;
    for (size_t i = 2; i < n; i++)
        if (s[i] < 0x80 || s[i] > 0xBF)
            return 0;
    return n;
}

bool xds_utf8_valid(struct xds_slice s)
{
    const unsigned char *p = (const unsigned char *)s.data;
    size_t i = 0;

    while (i < s.len) {
        uint64_t eight;

        if (s.len - i >= sizeof eight) { /* ASCII in strides: nearly all text is */
            memcpy(&eight, p + i, sizeof eight);
            if ((eight & 0x8080808080808080u) == 0) {
                i += sizeof eight;
                continue;
            }
        }
        const size_t n = p[i] < 0x80 ? 1 : utf8_sequence(p + i, s.len - i, false);
        if (n == 0)
            return false;
        i += n;
    }
    return true;
}

size_t xds_utf8_first(struct xds_slice s)
{
    const unsigned char *p = (const unsigned char *)s.data;

    if (s.len == 0)
        return 0;
    return p[0] < 0x80 ? 1 : utf8_sequence(p, s.len, false);
}

bool xds_utf8_next(struct xds_slice *s, uint32_t *rune)
{
    const unsigned char *p = (const unsigned char *)s->data;

    if (s->len == 0)
        return false;
    const size_t n = p[0] < 0x80 ? 1 : utf8_sequence(p, s->len, true);
    if (n == 0)
        return false;
    *rune = n == 1 ? p[0] : p[0] & (0x7fu >> n);
    for (size_t i = 1; i < n; i++)
        *rune = *rune << 6 | (p[i] & 0x3fu);
    *s = xds_slice_from(*s, n);
    return true;
}

bool xds_rune_is_unsafe(uint32_t rune)
{
    static const struct {
        uint32_t first, last;
    } blocks[] = {
        {0x0000, 0x001f},   /* C0 */
        {0x007f, 0x009f},   /* DEL, C1 */
        {0x00ad, 0x00ad},   /* soft hyphen */
        {0x061c, 0x061c},   /* Arabic letter mark */
        {0x180e, 0x180e},   /* Mongolian vowel separator */
        {0x200b, 0x200f},   /* of no width; marks of directions */
        {0x2028, 0x202e},   /* line and paragraph separator; directions */
        {0x2060, 0x206f},   /* of no width; isolated directions */
        {0xd800, 0xdfff},   /* surrogates */
        {0xfeff, 0xfeff},   /* byte order mark */
        {0xfff9, 0xfffb},   /* annotations */
        {0x1bca0, 0x1bca3}, /* format controls of shorthand */
        {0x1d173, 0x1d17a}, /* ... of music */
        {0xe0000, 0xe0fff}, /* tags and variation selectors */
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(blocks) && blocks[i].first <= rune; i++)
        if (rune <= blocks[i].last)
            return true;
    return false;
}

unsigned xds_utf8_length(uint32_t code)
{
    return 1u + (code >= 0x80) + (code >= 0x800) + (code >= 0x10000);
}

unsigned xds_utf8_put(void *out, uint32_t code)
{
    static const unsigned char lead[] = {0, 0x00, 0xc0, 0xe0, 0xf0};
    const unsigned n = xds_utf8_length(code);
    unsigned char *byte = out;

    for (unsigned i = n - 1; i > 0; i--, code >>= 6)
        byte[i] = (unsigned char)(0x80 | (code & 0x3f));
    byte[0] = (unsigned char)(lead[n] | code);
    return n;
}

size_t xds_text_keep_nul(struct xds_slice text, char *out)
{
    size_t n = 0;

    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i]) {
            out[n++] = text.data[i];
            continue;
        }
        memcpy(out + n, XDS_NUL.data, XDS_NUL.len);
        n += XDS_NUL.len;
    }
    return n;
}

size_t xds_text_restore_nul(struct xds_slice text, char *out)
{
    size_t n = 0;

    while (text.len) {
        const bool nul = xds_slice_starts(text, XDS_NUL);

        out[n++] = nul ? '\0' : text.data[0];
        text = xds_slice_from(text, nul ? XDS_NUL.len : 1);
    }
    return n;
}
