/* address_map.h - endpoints in a hash map whose keys are their lists of addresses. */
#ifndef XDS_LB_ADDRESS_MAP_H
#define XDS_LB_ADDRESS_MAP_H

#include "base/arena.h"
#include "model/endpoint.h"

/* The address as the client prints it: "/10.0.0.1:80", "/[2001:db8:0:0:0:0:0:1]:80". */
struct xds_slice xds_socket_text(struct xds_arena *arena, struct xds_slice address);
/* Which of n different endpoints comes when a map of them is walked, by its index. */
const size_t *xds_address_map_order(struct xds_arena *arena,
                                    const struct xds_endpoint *const *endpoints,
                                    size_t n);

#endif
