/* digits.h - the decimal digits of a number. */
#ifndef XDS_BASE_DIGITS_H
#define XDS_BASE_DIGITS_H

#include <stdint.h>

#include "base/slice.h"

enum { XDS_DIGITS = 20 }; /* of UINT64_MAX; those of INT64_MIN and its sign */

/* The text is at the end of the room, and lives as long as it. A format would take ten
 * times as long. */
static inline struct xds_slice xds_digits(uint64_t number, char room[XDS_DIGITS])
{
    size_t at = XDS_DIGITS;

    do
        room[--at] = (char)('0' + number % 10);
    while (number /= 10);
    return xds_slice_make(room + at, XDS_DIGITS - at);
}

static inline struct xds_slice xds_signed_digits(int64_t number, char room[XDS_DIGITS])
{
    const struct xds_slice digits =
        xds_digits(number < 0 ? 0 - (uint64_t)number : (uint64_t)number, room);
    char *sign = room + XDS_DIGITS - digits.len;

    if (number >= 0)
        return digits;
    *--sign = '-';
    return xds_slice_make(sign, digits.len + 1);
}

/* In place; gives the end. */
static inline char *xds_put_digits(char *to, uint64_t number)
{
    size_t n = 1;

    for (uint64_t rest = number; rest >= 10; rest /= 10)
        n++;
    for (size_t i = n; i > 0; number /= 10)
        to[--i] = (char)('0' + number % 10);
    return to + n;
}

#endif
