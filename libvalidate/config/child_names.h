/* child_names.h - the names of a cluster's priorities, stable over updates of EDS. */
#ifndef XDS_CONFIG_CHILD_NAMES_H
#define XDS_CONFIG_CHILD_NAMES_H

#include "config/maker.h"
#include "lb/lb.h"
#include "model/child_numbers.h"

/* The numbers as the document keeps them for the next update, and back; what cannot be
 * read is as if there were none. */
struct xds_tree xds_child_numbers_tree(const struct xds_maker *maker,
                                       const struct xds_child_numbers *numbers);
struct xds_child_numbers xds_child_numbers_read(const struct xds_maker *maker,
                                                const struct xds_tree *tree);

#endif
