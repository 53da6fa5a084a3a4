/* compare.h - what is kept of an older snapshot, and reported about it. */
#ifndef XDS_LINT_COMPARE_H
#define XDS_LINT_COMPARE_H

#include "lint/graph.h"

/* A copy of the localities with weight: of their endpoints only whether one is used. */
const struct xds_endpoints *xds_localities_keep(struct xds_arena *arena,
                                                const struct xds_endpoints *endpoints);
/* The resource of this name as it was, or NULL. */
const struct xds_node *xds_before_find(const struct xds_graph *graph,
                                       const struct xds_graph_name *name);
/* Tell in the last finding where it was. */
void xds_before_relate(const struct xds_inspection *in, struct xds_before *before,
                       const struct xds_node *old);

#endif
