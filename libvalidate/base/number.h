/*
 * number.h - arithmetic on doubles that needs no library.
 *
 * floor() alone would have every start of the program load libm: a tenth of its time.
 */
#ifndef XDS_BASE_NUMBER_H
#define XDS_BASE_NUMBER_H

#include <stdint.h>

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

#endif
