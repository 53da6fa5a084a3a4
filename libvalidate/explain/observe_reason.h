/* observe_reason.h - why an RPC can reach an address, or why not, in sentences. */
#ifndef XDS_EXPLAIN_OBSERVE_REASON_H
#define XDS_EXPLAIN_OBSERVE_REASON_H

#include "explain/observe_search.h"

/* Branches that share a route and a pick. */
struct xds_trail {
    const struct xds_lb *lb;
    const struct xds_branch *branch; /* the first of them */
    double probability;              /* of all of them */
    struct xds_leaves leaves;
};

enum xds_cause_kind xds_cause_kind_of(const struct xds_trail *trail,
                                      const struct xds_address_place *place,
                                      const struct xds_rpc_path *rpc_path);
/* All that must hold, joined with "; ". sent: the request carries the cookie. */
struct xds_slice xds_cause_reason(const struct xds_trail *trail,
                                  const struct xds_address_place *place,
                                  const struct xds_rpc_path *rpc_path, bool sent);
/* Why the policy sends no RPC to this place; absent when it does. */
struct xds_slice xds_address_place_obstacle(const struct xds_trail *trail,
                                            const struct xds_address_place *place);
/* Why a way was not found. */
struct xds_slice xds_rpc_path_obstacle(const struct xds_trail *trail,
                                       const struct xds_address_place *place,
                                       const struct xds_rpc_path *rpc_path);

#endif
