/* aggregate.h - the leaf clusters after a cluster name. */
#ifndef XDS_LB_AGGREGATE_H
#define XDS_LB_AGGREGATE_H

#include "lb/assumptions.h"

struct xds_leaf {
    struct xds_slice name;
    const struct xds_cluster *cluster; /* NULL: the leaf always fails */
    const struct xds_lb_policy *policy;
    struct xds_slice missing; /* why cluster is NULL */
};

struct xds_leaves {
    const struct xds_cluster *root; /* NULL: see error */
    const struct xds_leaf *list;
    size_t n;
    const struct xds_slice *skipped; /* why a child that is missing counts for nothing */
    size_t n_skipped;
    struct xds_slice error; /* absent: all is well */
};

/* The leaves of a cluster in order, each once; one for a cluster that is no aggregate. */
struct xds_leaves xds_aggregate_leaves(const struct xds_lb *lb, struct xds_slice name);

#endif
