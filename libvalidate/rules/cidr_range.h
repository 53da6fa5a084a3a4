/* cidr_range.h - the ranges of IP addresses that filter chains are chosen by. */
#ifndef XDS_RULES_CIDR_RANGE_H
#define XDS_RULES_CIDR_RANGE_H

#include "rules/ctx.h"
#include "decode/pb.h"

/* All bytes count in a comparison: unused ones are 0. */
struct xds_cidr {
    uint32_t family; /* 4 or 6 */
    uint32_t prefix_len;
    unsigned char ip[16];
};

/* How the clients compare ranges. */
enum xds_cidr_form {
    XDS_CIDR_MASKED,     /* without the bits after the prefix; its length is clamped */
    XDS_CIDR_UNMAPPED,   /* the same, and IPv4 inside IPv6 is IPv4 */
    XDS_CIDR_AS_WRITTEN, /* every bit and the length count, of IPv4 inside IPv6 as IPv4 */
    XDS_CIDR_FORMS
};

/* CidrRange of a FilterChainMatch. False when no client can read its address. */
bool xds_cidr_range_read(struct xds_ctx *ctx, const struct xds_path *at,
                         const pb_cidr_range *pb, struct xds_cidr out[XDS_CIDR_FORMS]);
/* "{address_prefix=10.0.0.0:0, prefix_len=8}", as core writes it. */
struct xds_slice xds_cidr_text(struct xds_arena *arena, const struct xds_cidr *cidr);

#endif
