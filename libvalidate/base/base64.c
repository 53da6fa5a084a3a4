/*
 * base64.c - base64 to bytes, and back.
 *
 * Source: RFC 4648; proto3 JSON mapping; absl::Base64Unescape, gRFC A55, spec
 * routing 5.4.
 */
#include "base/base64.h"

#include "base/ascii.h"

/* A digit's value plus one; 0: it is none. */
static const unsigned char digits_of[2][256] = {
#define DIGITS                                                                           \
    ['A'] = 1, ['B'] = 2, ['C'] = 3, ['D'] = 4, ['E'] = 5, ['F'] = 6, ['G'] = 7,         \
    ['H'] = 8, ['I'] = 9, ['J'] = 10, ['K'] = 11, ['L'] = 12, ['M'] = 13, ['N'] = 14,    \
    ['O'] = 15, ['P'] = 16, ['Q'] = 17, ['R'] = 18, ['S'] = 19, ['T'] = 20, ['U'] = 21,  \
    ['V'] = 22, ['W'] = 23, ['X'] = 24, ['Y'] = 25, ['Z'] = 26, ['a'] = 27, ['b'] = 28,  \
    ['c'] = 29, ['d'] = 30, ['e'] = 31, ['f'] = 32, ['g'] = 33, ['h'] = 34, ['i'] = 35,  \
    ['j'] = 36, ['k'] = 37, ['l'] = 38, ['m'] = 39, ['n'] = 40, ['o'] = 41, ['p'] = 42,  \
    ['q'] = 43, ['r'] = 44, ['s'] = 45, ['t'] = 46, ['u'] = 47, ['v'] = 48, ['w'] = 49,  \
    ['x'] = 50, ['y'] = 51, ['z'] = 52, ['0'] = 53, ['1'] = 54, ['2'] = 55, ['3'] = 56,  \
    ['4'] = 57, ['5'] = 58, ['6'] = 59, ['7'] = 60, ['8'] = 61, ['9'] = 62, ['+'] = 63,  \
    ['/'] = 64
    {DIGITS},
    {DIGITS, ['-'] = 63, ['_'] = 64},
#undef DIGITS
};

static int value_of(char c, bool url_safe)
{
    return digits_of[url_safe][(unsigned char)c] - 1;
}

bool xds_base64_decode(struct xds_slice text, enum xds_base64 form, char *out,
                       size_t size, size_t *len)
{
    const bool cookie = form == XDS_BASE64_COOKIE;
    uint32_t bits = 0; /* those of the last digits, of which some are written */
    size_t digits = 0, pads = 0, n = 0;

    for (size_t i = 0; i < text.len; i++) {
        const char c = text.data[i];
        const int value = value_of(c, !cookie);

        if (cookie && xds_ascii_blank(c))
            continue;
        if (c == '=' || (cookie && c == '.')) {
            pads++;
            continue;
        }
        if (value < 0 || pads)
            return false;
        bits = bits << 6 | (uint32_t)value;
        if (digits++ % 4 == 0)
            continue;
        if (n >= size)
            return false;
        out[n++] = (char)(bits >> (2 * (-digits % 4)));
    }
    *len = n;
    return pads == 0 ? digits % 4 != 1 : digits % 4 > 1 && digits % 4 + pads == 4;
}

static uint32_t byte_at(struct xds_slice bytes, size_t i)
{
    return i < bytes.len ? (unsigned char)bytes.data[i] : 0;
}

size_t xds_base64_encode(struct xds_slice bytes, char *out, size_t size)
{
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t len = 0;

    for (size_t i = 0; i < bytes.len; i += 3) {
        const uint32_t bits =
            byte_at(bytes, i) << 16 | byte_at(bytes, i + 1) << 8 | byte_at(bytes, i + 2);

        for (size_t k = 0; k < 4; k++) {
            const char digit = alphabet[(bits >> (18 - 6 * k)) & 0x3fu];
            if (len < size)
                out[len] = i + k <= bytes.len ? digit : '=';
            len++;
        }
    }
    return len;
}
