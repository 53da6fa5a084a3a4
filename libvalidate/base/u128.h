/* u128.h - whole numbers of 128 bits, and their text. */
#ifndef XDS_BASE_U128_H
#define XDS_BASE_U128_H

#include <stdint.h>
#include <string.h>

__extension__ typedef unsigned __int128 xds_u128;

/* A value: it needs no arena, and lasts as long as the expression it is in. */
struct xds_u128_text {
    char text[40];
};

static inline struct xds_u128_text xds_u128_text(xds_u128 value)
{
    struct xds_u128_text out;
    size_t at = sizeof(out.text) - 1;

    out.text[at] = '\0';
    do
        out.text[--at] = (char)('0' + (int)(value % 10));
    while (value /= 10);
    memmove(out.text, out.text + at, sizeof(out.text) - at);
    return out;
}

#endif
