/* address_order.h - the order in which C-core keeps endpoints: by their sets of
 * addresses. */
#ifndef XDS_LB_ADDRESS_ORDER_H
#define XDS_LB_ADDRESS_ORDER_H

#include "base/arena.h"
#include "model/endpoint.h"

/* Bytes that compare as the sets of addresses do: the smallest address first, each by
 * family (IPv4, IPv6, others), port and number; of equals the shorter set is less. */
struct xds_slice xds_address_set_order(struct xds_arena *arena,
                                       const struct xds_endpoint *endpoint);

#endif
