/*
 * number.h - arithmetic that needs no library, and bounds of numbers.
 *
 * floor() alone would have every start of the program load libm: a tenth of its time.
 */
#ifndef XDS_BASE_NUMBER_H
#define XDS_BASE_NUMBER_H

#include <stdint.h>
#include <string.h>

/* The largest whole number that is not above value. What is too large for 64 bits is
 * whole, or no number. */
static inline double xds_floor(double value)
{
    const double most = 4611686018427387904.0; /* 2 to the power of 62 */

    if (!(value > -most && value < most))
        return value;
    const double whole = (double)(int64_t)value;

    return whole > value ? whole - 1 : whole;
}

/* As a comparison function of qsort() returns it. */
static inline int xds_u32_cmp(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

__extension__ typedef unsigned __int128 xds_u128;

/* A value: it needs no arena, and lasts as long as the expression it is in. */
struct xds_u128_text {
    char text[40];
};

static inline struct xds_u128_text xds_u128_text(xds_u128 value)
{
    struct xds_u128_text out;
    char digits[sizeof(out.text)];
    size_t at = sizeof(digits) - 1;

    digits[at] = '\0';
    do
        digits[--at] = (char)('0' + (int)(value % 10));
    while (value /= 10);
    memcpy(out.text, digits + at, sizeof(digits) - at);
    return out;
}

/* 10000 years, to either side of 0. */
#define XDS_DURATION_MAX_SECONDS INT64_C(315576000000)
#define XDS_DURATION_MAX_MS (XDS_DURATION_MAX_SECONDS * 1000)
#define XDS_DURATION_MAX_NANOS 999999999

#endif
