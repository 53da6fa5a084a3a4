/* reach.h - what an RPC must be like to get to a route, in words. */
#ifndef XDS_SUITE_REACH_H
#define XDS_SUITE_REACH_H

#include "model/route_config.h"

/* "authority shop.example.com, path prefix /shop.Cart/, header x-tester exact yes". */
struct xds_slice xds_route_reach(struct xds_arena *arena,
                                 const struct xds_virtual_host *host,
                                 const struct xds_route *route);

#endif
