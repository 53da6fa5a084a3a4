/* weighted.h - which entry of weighted_clusters an RPC gets. */
#ifndef XDS_ROUTE_WEIGHTED_H
#define XDS_ROUTE_WEIGHTED_H

#include "model/route_config.h"
#include "route/rpc.h"

struct xds_weighted_choice {
    const struct xds_weighted_cluster *entry;
    double probability;
};

struct xds_weighted_choices {
    const struct xds_weighted_choice *list; /* of weight > 0; one if a number was drawn */
    size_t n;
    uint64_t sum; /* of the weights */
};

uint64_t xds_weight_sum(const struct xds_route *route);
struct xds_weighted_choices xds_weighted_pick(const struct xds_rpc *rpc,
                                              const struct xds_route *route);

#endif
