/* hosts.h - what the LB policy below the priority makes of the candidates. */
#ifndef XDS_LB_HOSTS_H
#define XDS_LB_HOSTS_H

#include "lb/ring_pick.h"

enum xds_host_why {
    XDS_HOST_OPEN, /* nothing was drawn */
    XDS_HOST_OVERRIDE,
    XDS_HOST_RING_HASH,
    XDS_HOST_PICK_FIRST,
    XDS_HOST_ONLY,
    XDS_HOST_RANDOM,
};

struct xds_balance {
    const struct xds_host *hosts; /* those that can be picked, or not computable */
    size_t n_hosts;
    const struct xds_host *host; /* certain, or NULL */
    enum xds_host_why why;
    const struct xds_ring_use *rings; /* one per ring that is used */
    size_t n_rings;
};

/* Gives every candidate its share. The candidates stay as they are. */
struct xds_balance xds_hosts_balance(const struct xds_lb *lb,
                                     const struct xds_lb_policy *policy,
                                     struct xds_request_key key,
                                     const struct xds_candidates *candidates);

#endif
