/* ring_pick.h - who a request hash, known or random, leads to on a ring. */
#ifndef XDS_LB_RING_PICK_H
#define XDS_LB_RING_PICK_H

#include "lb/host_ring.h"

struct xds_request_key {
    bool has_hash;   /* false: the hash is random, for each RPC ... */
    bool of_channel; /* ... or, with this, for each channel */
    xds_u128 hash;
    bool own_header; /* gRFC A76: a header that the policy names decides ... */
    bool any_ready;  /* ... and is absent: any connected endpoint will do */
};

/* The key for this policy: that of the route, unless it names a header of its own. */
struct xds_request_key xds_ring_key(const struct xds_lb *lb,
                                    const struct xds_lb_policy *policy,
                                    struct xds_request_key of_route);

/* An endpoint that the walk over the ring has met. */
struct xds_ring_step {
    size_t index; /* of the ring's entry */
    const struct xds_host *host;
    bool taken; /* connected, or waited for */
};

/* The ring as one RPC uses it. */
struct xds_ring_use {
    const struct xds_host_ring *ring;
    struct xds_host_group group;         /* what the members stand for */
    const struct xds_locality *locality; /* NULL: the whole priority */
    struct xds_request_key key;
    size_t index;                     /* found; when the hash is known */
    const struct xds_ring_step *walk; /* from there on, each endpoint once */
    size_t n_walk;
    bool older_fails; /* before gRFC A61 the RPC would have failed */
};

/* NULL when every endpoint fails. */
const struct xds_host *xds_ring_walk(const struct xds_lb *lb, struct xds_ring_use *use);
/* A random hash: give hosts, which are in the order of the group, their parts of
 * `all`. */
void xds_ring_spread(const struct xds_lb *lb, const struct xds_ring_use *use,
                     struct xds_share all, struct xds_host *hosts);

#endif
