/* child_names.h - the names of a cluster's priorities, stable over updates of EDS. */
#ifndef XDS_CONFIG_CHILD_NAMES_H
#define XDS_CONFIG_CHILD_NAMES_H

#include "config/maker.h"

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

/* The priorities of an EDS resource (NULL: no data) as the client has them; never none.
 */
struct xds_child_numbers xds_priorities_of(const struct xds_maker *maker,
                                           const struct xds_endpoints *endpoints);
/* Give them numbers; former is the update before, or all zero. */
void xds_child_numbers_assign(const struct xds_maker *maker,
                              const struct xds_child_numbers *former,
                              struct xds_child_numbers *now);
/* The name of a priority with this number. mechanism: the place of the cluster among the
 * leaves of its root. */
struct xds_slice xds_child_name(const struct xds_maker *maker,
                                const struct xds_cluster *cluster, size_t mechanism,
                                uint64_t number);
/* The numbers as the document keeps them for the next update, and back; what cannot be
 * read is as if there were none. */
struct xds_tree xds_child_numbers_tree(const struct xds_maker *maker,
                                       const struct xds_child_numbers *numbers);
struct xds_child_numbers xds_child_numbers_read(const struct xds_maker *maker,
                                                const struct xds_tree *tree);

#endif
