/*
 * endpoint_readers.h - the readers that ClusterLoadAssignment is made of.
 */
#ifndef XDS_RULES_ENDPOINT_READERS_H
#define XDS_RULES_ENDPOINT_READERS_H

#include "rules/address_set.h"
#include "rules/cluster_readers.h"

/* What the walk over one ClusterLoadAssignment has met so far. */
struct xds_eds_walk {
    struct xds_ctx *ctx;
    struct xds_address_set addresses;
    struct xds_strmap localities;  /* priority and names to who keeps it */
    xds_readers dualstack;         /* who reads additional_addresses */
    xds_readers locality_metadata; /* ... metadata of localities */
    xds_readers endpoint_metadata; /* ... metadata of endpoints */
};

/* What one locality adds to its priority. */
struct xds_priority_share {
    uint32_t priority;
    uint32_t weight;        /* 0: unset too */
    xds_readers counted_by; /* for which the locality fills the priority */
};

/* Fills *out and *share. */
void xds_locality_read(struct xds_eds_walk *walk, const struct xds_path *at,
                       const pb_locality_lb_endpoints *pb, struct xds_locality *out,
                       struct xds_priority_share *share);
/* address is where out->addresses may point when there is just one. */
void xds_lb_endpoint_read(struct xds_eds_walk *walk, const struct xds_path *at,
                          const pb_lb_endpoint *pb, struct xds_slice *address,
                          struct xds_endpoint *out);
/* Gaps and weight sums; sorts the shares. Returns how many priorities, from 0 on without
 * a gap, have a locality with weight. */
uint32_t xds_priorities_check(struct xds_ctx *ctx, struct xds_priority_share *shares,
                              size_t n);

#endif
