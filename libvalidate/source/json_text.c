/*
 * json_text.c - what is inside of JSON's strings and numbers.
 *
 * Source: RFC 8259 6 and 7, RFC 3629.
 */
#include "source/json_text.h"

#include "base/ascii.h"

/* ---- numbers ---- */

static size_t count_digits(struct xds_slice s, size_t from)
{
    size_t at = from;

    while (at < s.len && xds_ascii_digit(s.data[at]))
        at++;
    return at - from;
}

bool xds_json_number(struct xds_slice s)
{
    size_t at = s.len > 0 && s.data[0] == '-';
    const size_t whole = count_digits(s, at);

    if (whole == 0 || (whole > 1 && s.data[at] == '0'))
        return false;
    at += whole;
    if (at < s.len && s.data[at] == '.') {
        const size_t fraction = count_digits(s, at + 1);
        if (fraction == 0)
            return false;
        at += 1 + fraction;
    }
    if (at < s.len && (s.data[at] == 'e' || s.data[at] == 'E')) {
        at++;
        at += at < s.len && (s.data[at] == '+' || s.data[at] == '-');
        const size_t exponent = count_digits(s, at);
        if (exponent == 0)
            return false;
        at += exponent;
    }
    return at == s.len;
}

/* ---- UTF-8 ---- */

/* The lead bits and the least code point of a sequence of n bytes. */
static const struct {
    unsigned char mask, lead;
    uint32_t least;
} utf8_forms[] = {[1] = {0x80, 0x00, 0},
                  [2] = {0xE0, 0xC0, 0x80},
                  [3] = {0xF0, 0xE0, 0x800},
                  [4] = {0xF8, 0xF0, 0x10000}};

static bool is_surrogate(uint32_t code)
{
    return code >= 0xD800 && code < 0xE000;
}

size_t xds_utf8_len(struct xds_slice s)
{
    const unsigned char *byte = (const unsigned char *)s.data;
    size_t n = 1;

    if (s.len == 0)
        return 0;
    while (n <= 4 && (byte[0] & utf8_forms[n].mask) != utf8_forms[n].lead)
        n++;
    if (n > 4 || n > s.len)
        return 0;
    uint32_t code = byte[0] & (0xFFu ^ utf8_forms[n].mask);
    for (size_t i = 1; i < n; i++) {
        if ((byte[i] & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (byte[i] & 0x3Fu);
    }
    const bool good =
        code >= utf8_forms[n].least && code <= 0x10FFFF && !is_surrogate(code);
    return good ? n : 0;
}

size_t xds_utf8_put(char *out, uint32_t code)
{
    const size_t n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;

    for (size_t i = n - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (code & 0x3F));
        code >>= 6;
    }
    out[0] = (char)(utf8_forms[n].lead | code);
    return n;
}

/* ---- escapes ---- */

static int hex_digit(char c)
{
    const char low = xds_ascii_lower(c);

    if (xds_ascii_digit(c))
        return c - '0';
    return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

/* The UTF-16 unit of the "\uXXXX" that s begins with; false when it is none. */
static bool read_unit(struct xds_slice s, uint32_t *unit)
{
    *unit = 0;
    if (s.len < 6 || s.data[0] != '\\' || s.data[1] != 'u')
        return false;
    for (size_t i = 2; i < 6; i++) {
        const int digit = hex_digit(s.data[i]);

        if (digit < 0)
            return false;
        *unit = *unit * 16 + (uint32_t)digit;
    }
    return true;
}

/* The character after the backslash of a short escape, and what it means. */
static bool read_short(struct xds_slice s, uint32_t *code)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const char *at = s.len >= 2 ? memchr(from, s.data[1], sizeof from - 1) : NULL;

    if (at)
        *code = (uint32_t)to[at - from];
    return at != NULL;
}

enum xds_escape xds_json_escape(struct xds_slice s, uint32_t *code, size_t *len)
{
    uint32_t low;

    *len = 2;
    if (read_short(s, code))
        return XDS_ESCAPE_OK;
    if (!read_unit(s, code))
        return XDS_ESCAPE_UNKNOWN;
    *len = 6;
    if (!is_surrogate(*code))
        return XDS_ESCAPE_OK;
    if (*code >= 0xDC00 || !read_unit(xds_slice_from(s, 6), &low) || low < 0xDC00 ||
        low > 0xDFFF)
        return XDS_ESCAPE_LONE_SURROGATE;
    *len = 12;
    *code = 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00);
    return XDS_ESCAPE_OK;
}

size_t xds_json_unescape(struct xds_slice text, char *out)
{
    size_t n = 0, len;

    for (size_t at = 0; at < text.len; at += len) {
        uint32_t code;

        len = 1;
        if (text.data[at] != '\\')
            out[n++] = text.data[at];
        else if (xds_json_escape(xds_slice_from(text, at), &code, &len) == XDS_ESCAPE_OK)
            n += xds_utf8_put(out + n, code);
    }
    return n;
}
