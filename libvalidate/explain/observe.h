/* observe.h - what can have sent an RPC to an address, or keeps it away from there. */
#ifndef XDS_EXPLAIN_OBSERVE_H
#define XDS_EXPLAIN_OBSERVE_H

#include "explain/branches.h"

/* The RPC that was explained. */
struct xds_observed_rpc {
    const struct xds_lb *lb;
    const struct xds_branches *branches; /* empty when the RPC ended before a route */
    struct xds_decision *d;              /* all but what is asked here */
    struct xds_arena *scratch;           /* free for use, reset at will */
};

/* In the arena of the RPC. */
const struct xds_observation *xds_observe(const struct xds_observed_rpc *seen,
                                          struct xds_slice address);
/* As above, with the question turned round. */
const struct xds_why_not *xds_why_not(const struct xds_observed_rpc *seen,
                                      struct xds_slice address);

#endif
