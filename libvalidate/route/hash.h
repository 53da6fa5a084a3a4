/* hash.h - the request hash that ring_hash reads. */
#ifndef XDS_ROUTE_HASH_H
#define XDS_ROUTE_HASH_H

#include "base/number.h"
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

/* Unless it is known it is random: for each channel, of whose id it is made, or for each
 * RPC. */
struct xds_request_hash {
    bool known, of_channel;
    xds_u128 hash;           /* of some clients more than 64 bits */
    struct xds_slice thrown; /* the exception that the RPC ends with instead; or absent */
};

struct xds_request_hash xds_request_hash(const struct xds_rpc *rpc,
                                         const struct xds_route *route);
/* The same, policy by policy; one step for each of the route. */
const struct xds_hash_step *xds_request_hash_steps(const struct xds_rpc *rpc,
                                                   const struct xds_route *route);

#endif
