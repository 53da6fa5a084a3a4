/* hash.h - the request hash that ring_hash reads. */
#ifndef XDS_ROUTE_HASH_H
#define XDS_ROUTE_HASH_H

#include "base/u128.h"
#include "model/route_config.h"
#include "route/rpc.h"

/* What came of one hash policy. */
struct xds_hash_step {
    const struct xds_hash_policy *policy;
    struct xds_slice value; /* what was hashed; absent if nothing was */
    bool has_hash;
    uint64_t hash;           /* of this policy alone */
    struct xds_slice reason; /* why it gives none, or ends the list; or absent */
    struct xds_slice thrown; /* the exception that it ends with; or absent */
};

/* False: no policy gives one and the request fixes none, so it is random. Only some
 * clients have hashes of more than 64 bits. *thrown: with which exception the RPC ends
 * instead; absent: with none. */
bool xds_request_hash(const struct xds_rpc *rpc, const struct xds_route *route,
                      xds_u128 *hash, struct xds_slice *thrown);
/* The same, policy by policy; one step for each of the route. */
const struct xds_hash_step *xds_request_hash_steps(const struct xds_rpc *rpc,
                                                   const struct xds_route *route);

#endif
