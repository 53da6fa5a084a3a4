/* address.h - IP addresses and ranges of them, as filter chains and RBAC match them. */
#ifndef XDS_MODEL_ADDRESS_H
#define XDS_MODEL_ADDRESS_H

#include "base/slice.h"

/* All bytes count in a comparison: unused ones are 0. */
struct xds_ip {
    uint32_t family; /* 4 or 6; 0: not known */
    unsigned char bytes[16];
};

struct xds_cidr {
    uint32_t family; /* 4 or 6 */
    uint32_t prefix_len;
    unsigned char ip[16];
};

/* A range as RBAC writes it. */
struct xds_ip_range {
    struct xds_slice text; /* address_prefix, verbatim */
    struct xds_ip ip;      /* what it says to those who take no name of a host */
    bool is_plain;         /* without brackets and without a zone */
    bool has_prefix_len;   /* unset: 0, which each address of the family matches */
    uint32_t prefix_len;   /* may be more than the address has bits */
};

/* How the clients compare ranges. */
enum xds_cidr_form {
    XDS_CIDR_MASKED,     /* without the bits after the prefix; its length is clamped */
    XDS_CIDR_UNMAPPED,   /* the same, and IPv4 inside IPv6 is IPv4 */
    XDS_CIDR_INSIDE,     /* the same, but only if all of the range is IPv4 */
    XDS_CIDR_AS_WRITTEN, /* every bit and the length count, of IPv4 inside IPv6 as IPv4 */
    XDS_CIDR_FORMS
};

#endif
