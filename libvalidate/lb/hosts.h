/* hosts.h - what the LB policy below the priority makes of the candidates. */
#ifndef XDS_LB_HOSTS_H
#define XDS_LB_HOSTS_H

#include "lb/candidates.h"

struct xds_request_key {
    bool has_hash; /* false: the hash is random */
    uint64_t hash;
};

enum xds_host_why {
    XDS_HOST_OPEN, /* nothing was drawn */
    XDS_HOST_OVERRIDE,
    XDS_HOST_RING_HASH,
    XDS_HOST_PICK_FIRST,
    XDS_HOST_ONLY,
    XDS_HOST_RANDOM,
};

/* Gives every candidate its probability. Returns the host when it is certain. */
const struct xds_host *xds_hosts_decide(const struct xds_lb *lb,
                                        const struct xds_lb_policy *policy,
                                        struct xds_request_key key,
                                        struct xds_candidates *candidates,
                                        enum xds_host_why *why);

#endif
