/*
 * weighted.c - pick an entry of weighted_clusters.
 *
 * Source: gRFC A28, spec routing 3.2.
 */
#include "route/route.h"

uint64_t xds_weight_sum(const struct xds_route *route)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < route->n_weighted; i++)
        sum += route->weighted[i].weight;
    return sum;
}

/* The first entry whose running sum is over the number. */
static const struct xds_weighted_cluster *entry_at(const struct xds_route *route,
                                                   uint64_t number)
{
    uint64_t end = 0;
    size_t i = 0;

    while (i + 1 < route->n_weighted && number >= (end += route->weighted[i].weight))
        i++;
    return &route->weighted[i];
}

struct xds_weighted_choices xds_weighted_pick(const struct xds_rpc *rpc,
                                              const struct xds_route *route)
{
    struct xds_weighted_choice *list =
        XDS_NEW_ARRAY(rpc->arena, struct xds_weighted_choice, route->n_weighted);
    struct xds_weighted_choices out = {list, 0, xds_weight_sum(route)};
    uint64_t number;

    if (out.sum == 0)
        return out;
    if (xds_random_draw(rpc->random, out.sum, &number)) {
        list[out.n++] = (struct xds_weighted_choice){entry_at(route, number), 1};
        return out;
    }
    for (size_t i = 0; i < route->n_weighted; i++) {
        const struct xds_weighted_cluster *entry = &route->weighted[i];
        if (entry->weight)
            list[out.n++] = (struct xds_weighted_choice){entry, (double)entry->weight /
                                                                    (double)out.sum};
    }
    return out;
}
