/*
 * drops.c - decide whether the drop categories of a cluster take an RPC.
 *
 * Takes:  the drop policy of the assignment, at most one number per category.
 * Gives:  dropped, not dropped, or open with the probability.
 * Source: gRFC A32, spec routing 11.
 */
#include "lb/drops.h"

enum { MILLION = 1000000 };

static enum xds_chance test_category(const struct xds_rpc *rpc,
                                     const struct xds_drop *drop)
{
    uint64_t number;

    if (xds_random_draw(rpc->random, MILLION, &number))
        return number < drop->per_million ? XDS_CHANCE_YES : XDS_CHANCE_NO;
    if (drop->per_million == 0)
        return XDS_CHANCE_NO;
    return drop->per_million >= MILLION ? XDS_CHANCE_YES : XDS_CHANCE_OPEN;
}

struct xds_drop_result xds_drops_test(const struct xds_rpc *rpc,
                                      const struct xds_endpoints *endpoints)
{
    struct xds_drop_result r = {.dropped = XDS_CHANCE_NO};
    double survives = 1;

    for (size_t i = 0; i < endpoints->n_drops; i++)
        survives *= 1 - endpoints->drops[i].per_million / (double)MILLION;
    r.probability = 1 - survives;

    for (size_t i = 0; i < endpoints->n_drops; i++) {
        const enum xds_chance chance = test_category(rpc, &endpoints->drops[i]);

        if (chance != XDS_CHANCE_NO)
            r.dropped = chance;
        if (chance != XDS_CHANCE_YES)
            continue;
        r.cause = &endpoints->drops[i];
        break;
    }
    return r;
}
