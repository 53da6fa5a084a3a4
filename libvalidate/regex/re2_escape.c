/*
 * re2_escape.c - one escaped character of a pattern to its rune.
 *
 * Fails:  with RE2's error, about the escape as far as it was read.
 * Source: RE2 parse.cc, ParseEscape().
 */
#include "regex/re2_parser.h"

#include "base/ascii.h"

static const struct letter {
    char letter;
    char rune;
} letters[] = {{'a', '\a'}, {'f', '\f'}, {'n', '\n'},
               {'r', '\r'}, {'t', '\t'}, {'v', '\v'}};

/* Under 16 for a hex digit. */
static uint32_t hex_digit(uint32_t rune)
{
    if (rune >= '0' && rune <= '9')
        return rune - '0';
    if (rune >= 'a' && rune <= 'f')
        return rune - 'a' + 10;
    if (rune >= 'A' && rune <= 'F')
        return rune - 'A' + 10;
    return 16;
}

static bool bad_escape(struct xds_re2_parser *p, const char *begin)
{
    return xds_re2_fail(p, XDS_RE2_BAD_ESCAPE, xds_re2_since(p, begin));
}

static bool is_octal(char c)
{
    return c >= '0' && c <= '7';
}

/* Behind the first digit; up to two more follow. */
static uint32_t read_octal(struct xds_re2_parser *p, uint32_t value)
{
    for (int i = 0; i < 2 && is_octal(xds_re2_peek(p, 0)); i++) {
        value = value * 8 + (uint32_t)(xds_re2_peek(p, 0) - '0');
        xds_re2_skip(p, 1);
    }
    return value;
}

/* Behind "\x{". */
static bool read_braced_hex(struct xds_re2_parser *p, const char *begin, uint32_t *rune)
{
    uint32_t value = 0, c;

    if (!xds_re2_rune(p, &c))
        return false;
    if (hex_digit(c) > 15)
        return bad_escape(p, begin);
    while (hex_digit(c) < 16) {
        value = value * 16 + hex_digit(c);
        if (value > XDS_RUNE_MAX || p->rest.len == 0)
            return bad_escape(p, begin);
        if (!xds_re2_rune(p, &c))
            return false;
    }
    *rune = value;
    return c == '}' || bad_escape(p, begin);
}

/* Behind "\x". */
static bool read_hex(struct xds_re2_parser *p, const char *begin, uint32_t *rune)
{
    uint32_t high, low;

    if (p->rest.len == 0)
        return bad_escape(p, begin);
    if (!xds_re2_rune(p, &high))
        return false;
    if (high == '{')
        return read_braced_hex(p, begin, rune);
    if (p->rest.len == 0)
        return bad_escape(p, begin);
    if (!xds_re2_rune(p, &low))
        return false;
    *rune = hex_digit(high) * 16 + hex_digit(low);
    return (hex_digit(high) < 16 && hex_digit(low) < 16) || bad_escape(p, begin);
}

static bool read_letter(uint32_t c, uint32_t *rune)
{
    for (const struct letter *l = letters; l < letters + XDS_ARRAY_LEN(letters); l++)
        if (c == (uint32_t)l->letter) {
            *rune = (uint32_t)l->rune;
            return true;
        }
    return false;
}

static bool is_punctuation(uint32_t c)
{
    return c < 0x80 && !xds_ascii_alpha((char)c) && !xds_ascii_digit((char)c);
}

bool xds_re2_escape(struct xds_re2_parser *p, uint32_t *rune)
{
    const char *begin = p->rest.data;
    uint32_t c;

    if (p->rest.len == 1)
        return xds_re2_fail(p, XDS_RE2_TRAILING_BACKSLASH, XDS_S(""));
    xds_re2_skip(p, 1);
    if (!xds_re2_rune(p, &c))
        return false;
    *rune = c;
    if (is_punctuation(c) || read_letter(c, rune))
        return true;
    if (c == 'x')
        return read_hex(p, begin, rune);
    /* One digit but 0 would be a back-reference. */
    if (c == '0' || (c < 0x80 && is_octal((char)c) && is_octal(xds_re2_peek(p, 0)))) {
        *rune = read_octal(p, c - '0');
        return true;
    }
    p->result->loose_java |= c >= 0x80;
    return bad_escape(p, begin) || c >= 0x80;
}
