/* candidates.h - the endpoints that a leaf cluster balances over. */
#ifndef XDS_LB_CANDIDATES_H
#define XDS_LB_CANDIDATES_H

#include "lb/aggregate.h"
#include "lb/share.h"

/* One endpoint, and the address of it that is or will be connected. */
struct xds_host {
    const struct xds_endpoint *endpoint;
    const struct xds_locality *locality;
    size_t address; /* index in the endpoint's addresses */
    enum xds_connectivity state;
    double probability;     /* XDS_NOT_COMPUTABLE where nothing can be said */
    struct xds_share share; /* the same exactly, where it is a fraction */
};

#define XDS_NOT_COMPUTABLE (-1.0)

struct xds_candidates {
    uint32_t priority;
    struct xds_host *hosts; /* by locality, then list order */
    size_t n;
};

/* A run of candidates: those of one locality, or all. */
struct xds_host_group {
    struct xds_host *hosts;
    size_t n;
};

void xds_host_give(struct xds_host *host, struct xds_share share);
struct xds_slice xds_host_address_of(const struct xds_host *host);
/* The candidates of one locality, beginning at `from`. */
struct xds_host_group xds_locality_at(const struct xds_candidates *c, size_t from);

/* The endpoints of a leaf as the client reads them: of its EDS resource, or the one of
 * LOGICAL_DNS. NULL when there are none, *why is then a sentence. */
const struct xds_endpoints *xds_leaf_endpoints(const struct xds_lb *lb,
                                               const struct xds_leaf *leaf,
                                               struct xds_slice *why);
/* UNKNOWN or HEALTHY. */
bool xds_endpoint_usable(const struct xds_endpoint *endpoint);

/* Localities by priority, and inside one in the client's order. */
struct xds_locality_list {
    const struct xds_locality **list;
    size_t n;
};

struct xds_locality_list xds_localities_in_order(const struct xds_lb *lb,
                                                 const struct xds_endpoints *endpoints);
/* The usable endpoints of one priority: that of list[*at]. *at moves after it. */
struct xds_candidates xds_candidates_at(const struct xds_lb *lb,
                                        const struct xds_locality_list *localities,
                                        size_t *at);
/* "region", "zone" and "sub_zone" as C-core names a locality in its configs. */
struct xds_slice xds_locality_name(struct xds_arena *arena,
                                   const struct xds_locality *locality);

#endif
