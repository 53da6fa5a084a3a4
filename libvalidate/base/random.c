/* random.c - random numbers from a list that the user gave. */
#include "base/random.h"

bool xds_random_draw(struct xds_random *random, uint64_t bound, uint64_t *out)
{
    if (random->next >= random->n)
        return false;
    const uint64_t value = (uint64_t)(random->values[random->next++] * (double)bound);
    *out = value < bound ? value : bound - 1; /* rounding may reach the bound */
    return true;
}
