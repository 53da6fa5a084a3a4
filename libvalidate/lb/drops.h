/* drops.h - what cluster_impl refuses: EDS drop categories and the circuit breaker. */
#ifndef XDS_LB_DROPS_H
#define XDS_LB_DROPS_H

#include "lb/share.h"
#include "model/cluster.h"
#include "model/endpoint.h"
#include "route/rpc.h"

struct xds_drop_result {
    enum xds_chance dropped;
    double probability;           /* of any category, before anything is drawn */
    struct xds_share share;       /* the same exactly */
    const struct xds_drop *cause; /* the category that certainly drops, or NULL */
    double before;                /* with a cause: what open categories before it drop */
};

/* Draws one number per category, in list order, until one drops. */
struct xds_drop_result xds_drops_test(const struct xds_rpc *rpc,
                                      const struct xds_endpoints *endpoints);

/* Does one category drop every RPC, and does the client therefore take the leaf for ready
 * whatever its endpoints do? */
bool xds_drops_make_ready(const struct xds_rpc *rpc,
                          const struct xds_endpoints *endpoints);

struct xds_refusal {
    struct xds_drop_result drops;
    struct xds_slice error; /* present: the RPC ends here with this message */
};

/* Categories and breaker in the client's order and words. works: false when every
 * priority fails, or none is ready yet. */
struct xds_refusal xds_refuse(const struct xds_rpc *rpc,
                              const struct xds_cluster *cluster,
                              const struct xds_endpoints *endpoints, bool works);

#endif
