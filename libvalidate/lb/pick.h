/* pick.h - one RPC through the LB tree of its cluster, as far as it is static. */
#ifndef XDS_LB_PICK_H
#define XDS_LB_PICK_H

#include "lb/drops.h"
#include "lb/hosts.h"
#include "lb/override_host.h"

struct xds_pick {
    struct xds_slice error; /* present: the RPC fails UNAVAILABLE with this message */
    const struct xds_leaf *leaf;           /* NULL: there is none */
    const struct xds_endpoints *endpoints; /* of the leaf; NULL: it has none */
    struct xds_drop_result drops;
    bool has_priority;
    uint32_t priority;
    const struct xds_host *hosts; /* those with a probability, or not computable */
    size_t n_hosts;
    const struct xds_host *host; /* certain, or NULL */
    enum xds_host_why why;
    bool waits; /* the RPC waits for a connection to host */
    bool affinity_tried;
    enum xds_session_code affinity; /* when tried */
    struct xds_slice affinity_reason;
};

/* session: NULL, or the filter's state when it acts. */
struct xds_pick xds_pick_host(const struct xds_lb *lb, struct xds_slice cluster,
                              struct xds_request_key key,
                              const struct xds_session *session);

#endif
