/* pick.h - one RPC through the LB tree of its cluster, as far as it is static. */
#ifndef XDS_LB_PICK_H
#define XDS_LB_PICK_H

#include "lb/drops.h"
#include "lb/failover.h"
#include "lb/hosts.h"
#include "lb/override_host.h"

enum { XDS_PICK_NOTES = 3 };

struct xds_pick {
    struct xds_slice error;                /* present: the RPC fails with this message */
    struct xds_slice code;                 /* with which; absent: UNAVAILABLE */
    bool refused;                          /* by a drop category or the circuit breaker */
    const struct xds_leaf *leaf;           /* NULL: there is none */
    const struct xds_lb_policy *policy;    /* of the leaf */
    const struct xds_endpoints *endpoints; /* of the leaf; NULL: it has none */
    const struct xds_priority_try *tries;  /* of all leaves, until one could be used */
    size_t n_tries;
    struct xds_drop_result drops;
    bool has_priority;
    uint32_t priority;
    const struct xds_host *hosts; /* those with a probability, or not computable */
    size_t n_hosts;
    const struct xds_host *host; /* certain, or NULL */
    enum xds_host_why why;
    size_t drawn; /* random numbers, before that of a host */
    bool waits;   /* the RPC waits for a connection to host, or to one of hosts */
    struct xds_request_key key; /* that the ring was asked with */
    const struct xds_ring_use *rings;
    size_t n_rings;
    bool affinity_tried;
    enum xds_session_code affinity; /* when tried */
    struct xds_slice affinity_reason;
    struct xds_slice notes[XDS_PICK_NOTES];
    size_t n_notes;
};

/* session: NULL, or the filter's state when it acts. */
struct xds_pick xds_pick_host(const struct xds_lb *lb, struct xds_slice cluster,
                              struct xds_request_key key,
                              const struct xds_session *session);

#endif
