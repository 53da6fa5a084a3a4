/*
 * base64.c - the standard alphabet, with the leniencies of absl::Base64Unescape.
 *
 * Fails:  on characters outside the alphabet (so on the URL-safe one too), incomplete or
 *         early padding, and a single digit left over. Blanks are skipped; '.' pads like
 *         '='.
 * Source: gRFC A55, spec routing 5.4.
 */
#include "session/base64.h"

#include "base/ascii.h"

static const char alphabet[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static int value_of(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (xds_ascii_digit(c))
        return c - '0' + 52;
    if (c == '+')
        return 62;
    return c == '/' ? 63 : -1;
}

static bool is_pad(char c)
{
    return c == '=' || c == '.';
}

struct decoder {
    char *out;
    size_t size, len;
    uint32_t bits; /* what the open group of four holds */
    unsigned digits, pads;
};

static bool put_byte(struct decoder *d, unsigned shift)
{
    if (d->len >= d->size)
        return false;
    d->out[d->len++] = (char)((d->bits >> shift) & 0xffu);
    return true;
}

static bool take_digit(struct decoder *d, uint32_t digit)
{
    d->bits = (d->bits << 6) | digit;
    if (++d->digits < 4)
        return true;
    const bool fits = put_byte(d, 16) && put_byte(d, 8) && put_byte(d, 0);
    d->bits = d->digits = 0;
    return fits;
}

/* A last group of two digits is one byte, of three two; the bits after are dropped. */
static bool finish(struct decoder *d)
{
    if (d->pads && d->digits + d->pads != 4)
        return false;
    switch (d->digits) {
    case 0:
        return d->pads == 0;
    case 2:
        return put_byte(d, 4);
    case 3:
        return put_byte(d, 10) && put_byte(d, 2);
    default:
        return false;
    }
}

bool xds_base64_decode(struct xds_slice text, char *out, size_t size, size_t *len)
{
    struct decoder d = {.out = out, .size = size};

    for (size_t i = 0; i < text.len; i++) {
        const char c = text.data[i];
        const int value = value_of(c);

        if (xds_ascii_blank(c))
            continue;
        if (is_pad(c)) {
            d.pads++;
            continue;
        }
        if (value < 0 || d.pads || !take_digit(&d, (uint32_t)value))
            return false;
    }
    const bool ok = finish(&d);
    *len = d.len;
    return ok;
}

static void put_char(char *out, size_t size, size_t at, char c)
{
    if (at < size)
        out[at] = c;
}

static uint32_t byte_at(struct xds_slice bytes, size_t i)
{
    return i < bytes.len ? (unsigned char)bytes.data[i] : 0;
}

size_t xds_base64_encode(struct xds_slice bytes, char *out, size_t size)
{
    size_t len = 0;

    for (size_t i = 0; i < bytes.len; i += 3) {
        const uint32_t bits =
            byte_at(bytes, i) << 16 | byte_at(bytes, i + 1) << 8 | byte_at(bytes, i + 2);

        for (size_t k = 0; k < 4; k++) {
            const char digit = alphabet[(bits >> (18 - 6 * k)) & 0x3fu];
            put_char(out, size, len++, i + k <= bytes.len ? digit : '=');
        }
    }
    return len;
}
