/*
 * address_set.h - the endpoint addresses of one ClusterLoadAssignment, and who has met
 * each of them.
 *
 * Readers compare parsed addresses, or the text as it was written, or nothing. An IPv4
 * literal has just one spelling, so the first two are the same there.
 */
#ifndef XDS_RULES_ADDRESS_SET_H
#define XDS_RULES_ADDRESS_SET_H

#include "base/strmap.h"
#include "rules/address.h"

/* Of an endpoint: endpoints[locality].lb_endpoints[endpoint]. */
struct xds_endpoint_place {
    uint32_t locality, endpoint;
};

struct xds_address_slot {
    struct xds_sockaddr address; /* family 0: a free slot */
    xds_readers seen_by;
    struct xds_endpoint_place first;
};

struct xds_address_set {
    struct xds_arena *arena;
    struct xds_address_slot *slots;
    size_t n, cap; /* cap is 0 or a power of two */
    uint64_t seed;
    xds_readers by_text, by_value;
    struct xds_strmap texts;         /* "host:port" to its slot, where spellings differ */
    struct xds_endpoint_place here;  /* for the caller to set */
    struct xds_endpoint_place first; /* of the last repetition: where it was met first */
};

/* expected: how many addresses will come, as far as known. */
void xds_address_set_init(struct xds_address_set *set, const struct xds_ctx *ctx,
                          size_t expected);
/* Add what `readers` read here: the address (family 0 when it could not be parsed) and
 * host and port as written. Returns those of them that have met it before. */
xds_readers xds_address_set_add(struct xds_address_set *set,
                                const struct xds_sockaddr *address, struct xds_slice host,
                                uint32_t port, xds_readers readers);

#endif
