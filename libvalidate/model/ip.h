/* ip.h - IP addresses and ranges of them. */
#ifndef XDS_MODEL_IP_H
#define XDS_MODEL_IP_H

#include "base/slice.h"

/* All bytes count in a comparison: unused ones are 0. */
struct xds_ip {
    uint32_t family; /* 4 or 6; 0: not an address */
    unsigned char bytes[16];
};

struct xds_ip_range {
    struct xds_slice text; /* address_prefix, verbatim */
    struct xds_ip ip;      /* what it says to those who take no name of a host */
    bool is_plain;         /* without brackets and without a zone */
    bool has_prefix_len;   /* unset: 0, which each address of the family matches */
    uint32_t prefix_len;   /* may be more than the address has bits */
};

#endif
