/* child_numbers.h - which child policy each priority of a cluster has, over updates of
 * EDS. */
#ifndef XDS_MODEL_CHILD_NUMBERS_H
#define XDS_MODEL_CHILD_NUMBERS_H

#include "model/endpoint.h"

/* One priority: its localities in the order in which the client walks them. */
struct xds_config_priority {
    const struct xds_locality *const *localities;
    size_t n;
};

/* What is kept from one update to the next. */
struct xds_child_numbers {
    uint64_t next;    /* above every number that was ever given */
    uint64_t *number; /* of each priority */
    struct xds_config_priority *priorities;
    size_t n;
};

/* The priorities of an EDS resource (NULL: no data) that get names, with their numbers;
 * of a client that drops those without a usable endpoint there may be none. former: of
 * the update before, or all zero. */
struct xds_child_numbers xds_child_numbers_of(struct xds_arena *arena,
                                              const struct xds_options *options,
                                              enum xds_client client,
                                              const struct xds_child_numbers *former,
                                              const struct xds_endpoints *endpoints);
/* The numbers alone, of priorities that are known. */
void xds_child_numbers_assign(struct xds_arena *arena, const struct xds_options *options,
                              enum xds_client client,
                              const struct xds_child_numbers *former,
                              struct xds_child_numbers *now);
/* Those that get a child: where unusable localities are dropped, maybe none. */
struct xds_child_numbers xds_child_numbers_used(struct xds_arena *arena,
                                                const struct xds_options *options,
                                                enum xds_client client,
                                                const struct xds_child_numbers *all);
/* Localities by priority, and inside one in the client's order. */
struct xds_locality_list {
    const struct xds_locality **list;
    size_t n;
};

/* Without those whose weight the client reads as negative. */
struct xds_locality_list xds_localities_in_order(struct xds_arena *arena,
                                                 const struct xds_options *options,
                                                 enum xds_client client,
                                                 const struct xds_endpoints *endpoints);
/* Region, zone and sub-zone as one text, for a map. */
struct xds_slice xds_locality_key(struct xds_arena *arena,
                                  const struct xds_locality *locality);

#endif
