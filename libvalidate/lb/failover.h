/* failover.h - which leaf and which of its priorities an RPC uses, and why not another.
 */
#ifndef XDS_LB_FAILOVER_H
#define XDS_LB_FAILOVER_H

#include "lb/candidates.h"

/* A priority that was looked at. */
struct xds_priority_try {
    struct xds_slice leaf;
    uint32_t priority;
    enum xds_connectivity state; /* what the LB policy below it reports */
    bool chosen;
    struct xds_slice reason; /* a sentence */
};

struct xds_failover {
    struct xds_slice error;                /* present: the cluster has no leaf */
    const struct xds_leaf *leaf;           /* in use, or the last one */
    const struct xds_lb_policy *policy;    /* of the leaf */
    const struct xds_endpoints *endpoints; /* of the leaf; NULL: see why */
    struct xds_slice why;
    struct xds_slice code; /* of the RPCs then; absent: UNAVAILABLE */
    bool works;            /* false: every priority fails */
    bool ready;            /* it works, and is not just on its way to */
    bool holds;            /* it fails, but passes for ready: no leaf after it is tried */
    struct xds_candidates candidates; /* of the priority in use, or of the last one */
    const struct xds_priority_try *tries;
    size_t n_tries;
};

/* The policy of a leaf as the client has it below its priorities. */
const struct xds_lb_policy *xds_leaf_policy(const struct xds_lb *lb,
                                            const struct xds_leaf *leaf);
/* Depends on the cluster, the snapshot and the assumptions, on nothing else of the RPC.
 */
const struct xds_failover *xds_failover_of(const struct xds_lb *lb,
                                           struct xds_slice cluster);

#endif
