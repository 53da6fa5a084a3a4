/*
 * base64.c - base64 to bytes, and back.
 *
 * Source: RFC 4648; proto3 JSON mapping; absl::Base64Unescape, gRFC A55, spec
 * routing 5.4.
 */
#include "base/base64.h"

#include "base/ascii.h"

static int value_of(char c, bool url_safe)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (xds_ascii_digit(c))
        return c - '0' + 52;
    if (c == '+' || (url_safe && c == '-'))
        return 62;
    return c == '/' || (url_safe && c == '_') ? 63 : -1;
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
