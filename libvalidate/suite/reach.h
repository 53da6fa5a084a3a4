/* reach.h - what an RPC must be like to get to a route, in words. */
#ifndef XDS_SUITE_REACH_H
#define XDS_SUITE_REACH_H

#include "model/route_config.h"

/* "path prefix /shop.Cart/, header x-tester yes". */
struct xds_slice xds_route_match_words(struct xds_arena *arena,
                                       const struct xds_route_match *match);
/* "authority shop.example.com, " and these words. */
struct xds_slice xds_route_reach(struct xds_arena *arena,
                                 const struct xds_virtual_host *host,
                                 struct xds_slice match);

#endif
