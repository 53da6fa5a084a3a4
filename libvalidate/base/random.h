/*
 * random.h - where random numbers come from: a list the user gave, or nowhere.
 *
 * Nothing below cli/ draws real random numbers. A decision asks for a number; when the
 * list has ended the choice stays open and is answered with probabilities.
 */
#ifndef XDS_BASE_RANDOM_H
#define XDS_BASE_RANDOM_H

#include "base/slice.h"

struct xds_random {
    const double *values; /* each in [0,1), borrowed */
    size_t n, next;
};

/* The next number, scaled: *out = floor(value * bound), bound >= 1. False when the list
 * has ended. */
static inline bool xds_random_draw(struct xds_random *random, uint64_t bound,
                                   uint64_t *out)
{
    if (random->next >= random->n)
        return false;
    const uint64_t value = (uint64_t)(random->values[random->next++] * (double)bound);
    *out = value < bound ? value : bound - 1; /* rounding may reach the bound */
    return true;
}

#endif
