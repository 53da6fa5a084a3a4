/* chains.h - the filters that an RPC passes, once composite filters have chosen. */
#ifndef XDS_EXPLAIN_CHAINS_H
#define XDS_EXPLAIN_CHAINS_H

#include "lb/lb.h"
#include "model/listener.h"
#include "route/overrides.h"

struct xds_chain {
    const struct xds_filter *filters;
    size_t n;
    struct xds_share share; /* of the RPCs; less than all where sample_percent decides */
    struct xds_slice error; /* present: after these filters the RPC fails UNAVAILABLE */
    struct xds_slice
        unknown; /* present: name of a composite filter that is not followed */
};

struct xds_chains {
    const struct xds_chain *list;
    size_t n; /* at least 1 */
};

/* Filters below a composite filter bear its name: overrides written for it are not
 * theirs. */
struct xds_chains xds_chains_of(const struct xds_rpc *rpc,
                                const struct xds_listener *listener,
                                const struct xds_override_scope *scope);
/* What a composite filter does to the RPC, as a clause: "runs ...". */
struct xds_slice xds_composite_does(const struct xds_rpc *rpc,
                                    const struct xds_override_scope *scope,
                                    const struct xds_filter *filter);

#endif
