/* hash.h - the request hash that ring_hash reads. */
#ifndef XDS_ROUTE_HASH_H
#define XDS_ROUTE_HASH_H

#include "model/route_config.h"
#include "route/rpc.h"

/* False: no policy gives one and the request fixes none, so it is random. */
bool xds_request_hash(const struct xds_rpc *rpc, const struct xds_route *route,
                      uint64_t *hash);

#endif
