/*
 * text_scalar.c - what is inside of text proto's strings and numbers.
 *
 * Fails:  with the offset of the fault, or false; what that means is the caller's to say.
 * Source: Protocol Buffers text format, "String literals" and "Numeric literals".
 */
#include "source/text/text_source.h"

#include <inttypes.h>

#include "base/ascii.h"

static unsigned digit_value(char c)
{
    const char low = xds_ascii_lower(c);

    if (xds_ascii_digit(c))
        return (unsigned)(c - '0');
    return low >= 'a' && low <= 'f' ? (unsigned)(low - 'a') + 10 : 16;
}

/* Up to `most` digits of s from `at` on; their number. */
static size_t read_digits(struct xds_slice s, size_t at, unsigned base, size_t most,
                          uint32_t *value)
{
    size_t n = 0;

    *value = 0;
    for (; n < most && at + n < s.len && digit_value(s.data[at + n]) < base; n++)
        *value = *value * base + digit_value(s.data[at + n]);
    return n;
}

/* The three below read the escape that s begins with, into out (*n bytes there), and
 * return its length; 0 when it is none. */
static size_t unescape_byte(struct xds_slice s, size_t prefix, unsigned base, size_t most,
                            char *out, size_t *n)
{
    uint32_t value;
    const size_t digits = read_digits(s, prefix, base, most, &value);

    out[(*n)++] = (char)(unsigned char)value;
    return digits && value <= 0xFF ? prefix + digits : 0;
}

static size_t unescape_one(struct xds_slice s, char *out, size_t *n)
{
    static const char from[] = "abfnrtv\\'\"?", to[] = "\a\b\f\n\r\t\v\\'\"?";
    const char c = s.len > 1 ? s.data[1] : '\0';
    const char *simple = memchr(from, c, sizeof from - 1);

    if (simple) {
        out[(*n)++] = to[simple - from];
        return 2;
    }
    if (c == 'x' || c == 'X')
        return unescape_byte(s, 2, 16, 2, out, n);
    if (c == 'u' || c == 'U') {
        uint32_t code;
        size_t len = 10;
        bool good;

        if (s.data[1] == 'u')
            good = xds_json_escape(s, &code, &len) == XDS_ESCAPE_OK;
        else
            good = read_digits(s, 2, 16, 8, &code) == 8 && code <= 0x10FFFF &&
                   (code < 0xD800 || code > 0xDFFF);
        if (good)
            *n += xds_utf8_put(out + *n, code);
        return good ? len : 0;
    }
    return unescape_byte(s, 1, 8, 3, out, n);
}

size_t xds_text_unescape(struct xds_slice text, char *out, size_t *fault)
{
    size_t n = 0, len;

    for (*fault = 0; *fault < text.len; *fault += len) {
        const struct xds_slice rest = xds_slice_from(text, *fault);

        len = 1;
        if (rest.data[0] != '\\')
            out[n++] = rest.data[0];
        else
            len = unescape_one(rest, out, &n);
        if (len == 0)
            break;
    }
    return n;
}

/* What no 64-bit type holds becomes 2^64, which is out of range of all of them. */
static bool read_based(struct xds_slice digits, unsigned base, struct xds_arena *arena,
                       struct xds_slice *out)
{
    uint64_t value = 0;
    bool fits = true;

    for (size_t i = 0; i < digits.len; i++) {
        const unsigned digit = digit_value(digits.data[i]);

        if (digit >= base)
            return false;
        fits = fits && value <= (UINT64_MAX - digit) / base;
        value = value * base + digit;
    }
    *out =
        fits ? xds_arena_printf(arena, "%" PRIu64, value) : XDS_S("18446744073709551616");
    return digits.len > 0;
}

static size_t skip_digits(struct xds_slice s, size_t at)
{
    while (at < s.len && xds_ascii_digit(s.data[at]))
        at++;
    return at;
}

/* Digits with an optional point and exponent; *real: it has one of the two. */
static bool is_decimal(struct xds_slice s, bool *real)
{
    const size_t whole = skip_digits(s, 0);
    size_t at = whole, digits = whole;

    if (whole > 1 && s.data[0] == '0')
        return false;
    if (at < s.len && s.data[at] == '.') {
        const size_t end = skip_digits(s, at + 1);

        digits += end - at - 1;
        at = end;
    }
    if (digits > 0 && at < s.len && xds_ascii_lower(s.data[at]) == 'e') {
        at++;
        at += at < s.len && (s.data[at] == '+' || s.data[at] == '-');
        const size_t end = skip_digits(s, at);

        digits = end > at ? digits : 0;
        at = end;
    }
    *real = at > whole;
    return digits > 0 && at == s.len;
}

bool xds_text_number(struct xds_slice literal, struct xds_arena *arena,
                     struct xds_slice *out)
{
    const bool zero = literal.len > 1 && literal.data[0] == '0';
    struct xds_slice s = literal;
    bool real;

    if (zero && xds_ascii_lower(literal.data[1]) == 'x')
        return read_based(xds_slice_from(literal, 2), 16, arena, out);
    if (zero && xds_ascii_digit(literal.data[1]))
        return read_based(xds_slice_from(literal, 1), 8, arena, out);
    if (s.len > 1 && xds_ascii_lower(s.data[s.len - 1]) == 'f')
        s.len--;
    if (!is_decimal(s, &real))
        return false;
    *out = s;
    if (s.len < literal.len && !real)
        *out = xds_arena_concat(arena, s, XDS_S(".0"));
    return true;
}
