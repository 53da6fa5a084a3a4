/* host_ring.h - the ring over a group of endpoints, as the client builds it. */
#ifndef XDS_LB_HOST_RING_H
#define XDS_LB_HOST_RING_H

#include "lb/candidates.h"
#include "lb/ring_hash.h"

struct xds_ring_seat {
    size_t entries;         /* on the ring */
    struct xds_share share; /* of all hashes */
};

struct xds_host_ring {
    struct xds_ring ring;
    const struct xds_ring_member *members; /* in the order in which entries are made */
    const struct xds_ring_seat *seats;     /* of each member */
    size_t n_members;
};

/* group is not empty. Kept in the memory: it does not depend on states. */
const struct xds_host_ring *xds_host_ring_of(const struct xds_lb *lb,
                                             const struct xds_lb_policy *policy,
                                             const struct xds_candidates *candidates,
                                             struct xds_host_group group);

#endif
