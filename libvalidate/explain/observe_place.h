/* observe_place.h - where an address is in a snapshot. */
#ifndef XDS_EXPLAIN_OBSERVE_PLACE_H
#define XDS_EXPLAIN_OBSERVE_PLACE_H

#include "lb/lb.h"

/* One address of one endpoint of one leaf cluster. */
struct xds_address_place {
    const struct xds_leaf *leaf;
    size_t leaf_index; /* among the leaves of the cluster that was asked for */
    const struct xds_endpoints *endpoints;
    const struct xds_locality *locality;
    const struct xds_endpoint *endpoint;
    size_t address; /* index in the endpoint's addresses */
    bool by_dns;    /* the endpoint is a DNS name that may resolve to the address */
};

struct xds_address_places {
    struct xds_arena *arena;
    struct xds_address_place *list;
    size_t n, cap;
};

/* Append every place that the address has in the endpoints of a leaf. */
void xds_address_places_add(struct xds_address_places *places,
                            const struct xds_leaf *leaf, size_t leaf_index,
                            const struct xds_endpoints *endpoints,
                            struct xds_slice address);
/* The address as the snapshot writes it. */
struct xds_slice xds_address_place_address(const struct xds_address_place *place);
/* 'priority 0, locality r/z' */
struct xds_slice xds_address_place_text(struct xds_arena *arena,
                                        const struct xds_address_place *place);
/* All endpoints of the assignment, usable or not. */
size_t xds_endpoints_count(const struct xds_endpoints *endpoints);
/* Usable endpoints of the priorities from `first` to `last`. */
size_t xds_usable_count(const struct xds_endpoints *endpoints, uint32_t first,
                        uint32_t last);

#endif
