/* host_rewrite.h - who replaces :authority by the name of the endpoint. */
#ifndef XDS_ROUTE_HOST_REWRITE_H
#define XDS_ROUTE_HOST_REWRITE_H

#include "model/route_config.h"
#include "route/rpc.h"

/* Does auto_host_rewrite of the route hold for this client? *reason is a sentence that
 * says why or why not. */
bool xds_host_rewrite_holds(const struct xds_rpc *rpc, const struct xds_route *route,
                            struct xds_slice *reason);

#endif
