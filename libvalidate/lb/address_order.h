/* address_order.h - the order in which C-core keeps endpoints: by their sets of
 * addresses. */
#ifndef XDS_LB_ADDRESS_ORDER_H
#define XDS_LB_ADDRESS_ORDER_H

#include "base/arena.h"
#include "model/endpoint.h"

struct xds_ip {
    unsigned char bytes[16];
    size_t n; /* of them: 4 or 16 */
    uint16_t port;
};

/* Of "1.2.3.4:80" or "[::1]:80"; false: it is none. */
bool xds_ip_read(struct xds_slice address, struct xds_ip *out);

/* Bytes that compare as the sets of addresses do: the smallest address first, each by
 * family (IPv4, IPv6, others), port and number; of equals the shorter set is less. */
struct xds_slice xds_address_set_order(struct xds_arena *arena,
                                       const struct xds_endpoint *endpoint);

#endif
