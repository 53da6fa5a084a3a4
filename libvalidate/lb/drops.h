/* drops.h - EDS drop categories. */
#ifndef XDS_LB_DROPS_H
#define XDS_LB_DROPS_H

#include "model/endpoint.h"
#include "route/rpc.h"

struct xds_drop_result {
    enum xds_chance dropped;
    double probability;           /* of any category, before anything is drawn */
    const struct xds_drop *cause; /* the category that certainly drops, or NULL */
};

/* Draws one number per category, in list order, until one drops. */
struct xds_drop_result xds_drops_test(const struct xds_rpc *rpc,
                                      const struct xds_endpoints *endpoints);

#endif
