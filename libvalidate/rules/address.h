/*
 * address.h - an IP literal and a port as the clients read them, in 28 bytes that can be
 * compared, and as text.
 */
#ifndef XDS_RULES_ADDRESS_H
#define XDS_RULES_ADDRESS_H

#include "rules/ctx.h"
#include "decode/pb.h"

#define XDS_MAX_PORT 65535

/* All bytes count in a comparison: unused ones are 0. */
struct xds_sockaddr {
    uint32_t family; /* 4 or 6; 0: not an address */
    uint32_t port;
    uint32_t scope; /* of IPv6: the zone */
    unsigned char ip[16];
};

/* The longest text: brackets, 45 characters of IPv6, a zone, a port. */
#define XDS_SOCKADDR_TEXT 72

/* Reads an IPv4 literal, or an IPv6 literal with or without brackets and with a numeric
 * zone, as inet_pton does. False for anything else; port is copied. */
bool xds_sockaddr_parse(struct xds_slice host, uint32_t port, struct xds_sockaddr *out);
/* The same of "LITERAL%ZONE", whatever the zone; false without one. */
bool xds_sockaddr_parse_zone(struct xds_slice host, uint32_t port,
                             struct xds_sockaddr *out, struct xds_slice *zone);
/* Who accepts this zone, which is not a number. */
xds_readers xds_zone_known_to(const struct xds_ctx *ctx,
                              const struct xds_sockaddr *address, struct xds_slice host,
                              struct xds_slice zone);
/* Is it an address to a client that asks DNS for what is none? An empty text becomes the
 * loopback address, and a name what DNS knows of it: nothing, as far as is known here. */
bool xds_address_resolves(struct xds_slice text);
/* "10.0.0.1:80", "[2001:db8::1]:80" in its canonical form; the length, no NUL. buffer
 * has XDS_SOCKADDR_TEXT bytes. */
size_t xds_sockaddr_format(const struct xds_sockaddr *address, char *buffer);
/* The same in the arena; host is what was parsed. */
struct xds_slice xds_sockaddr_text(struct xds_arena *arena,
                                   const struct xds_sockaddr *address,
                                   struct xds_slice host);
/* "ipv4:10.0.0.1:80", "ipv6:%5B2001:db8::1%5D:80", as core writes it. */
struct xds_slice xds_sockaddr_uri(struct xds_arena *arena,
                                  const struct xds_sockaddr *address);

/* "Failed to parse address:HOST:PORT", as core says it of what is not a literal. */
struct xds_slice xds_address_fault(struct xds_arena *arena, struct xds_slice host,
                                   uint32_t port);

/* Address (NULL when it was not set) at the path of the field that holds it. False when
 * it is not an IP address with a port that fits; *out is then of family 0. */
bool xds_address_read(struct xds_ctx *ctx, const struct xds_path *at,
                      const pb_address *pb, struct xds_sockaddr *out);

/* The socket address of an Address, or NULL. */
const pb_socket_address *xds_socket_address(const pb_address *pb);
/* port_value, or 0 where the port is not given as a number. */
uint32_t xds_port_value(const pb_socket_address *pb);

#endif
