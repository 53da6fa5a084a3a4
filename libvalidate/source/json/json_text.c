/*
 * json_text.c - what is inside of JSON's strings and numbers.
 *
 * Source: RFC 8259 6 and 7.
 */
#include "source/json/json_text.h"

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

/* ---- escapes ---- */

static bool is_surrogate(uint32_t code)
{
    return code >= 0xD800 && code < 0xE000;
}

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
