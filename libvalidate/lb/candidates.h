/* candidates.h - the endpoints that a leaf cluster balances over. */
#ifndef XDS_LB_CANDIDATES_H
#define XDS_LB_CANDIDATES_H

#include "lb/aggregate.h"

/* One endpoint, and the address of it that is or will be connected. */
struct xds_host {
    const struct xds_endpoint *endpoint;
    const struct xds_locality *locality;
    size_t address; /* index in the endpoint's addresses */
    enum xds_assumed_state state;
    double probability; /* XDS_NOT_COMPUTABLE where nothing can be said */
};

#define XDS_NOT_COMPUTABLE (-1.0)

struct xds_candidates {
    uint32_t priority;
    struct xds_host *hosts; /* by locality, then list order */
    size_t n;
};

/* The endpoints of a leaf: of its EDS resource, or the one of LOGICAL_DNS. NULL when
 * there are none, *why is then a sentence. */
const struct xds_endpoints *xds_leaf_endpoints(const struct xds_lb *lb,
                                               const struct xds_leaf *leaf,
                                               struct xds_slice *why);
/* The usable endpoints of the priority in use; false when every priority fails. */
bool xds_candidates_of(const struct xds_lb *lb, const struct xds_endpoints *endpoints,
                       enum xds_lb_kind policy, struct xds_candidates *out);
/* UNKNOWN or HEALTHY. */
bool xds_endpoint_usable(const struct xds_endpoint *endpoint);

#endif
