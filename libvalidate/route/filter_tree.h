/* filter_tree.h - what the matcher tree of a composite filter chooses for an RPC. */
#ifndef XDS_ROUTE_FILTER_TREE_H
#define XDS_ROUTE_FILTER_TREE_H

#include "model/filter.h"
#include "route/rpc.h"

enum xds_tree_result {
    XDS_TREE_CHOSEN,
    XDS_TREE_NOTHING, /* no match and no on_no_match: the RPC fails */
    XDS_TREE_UNKNOWN, /* a CEL expression decides */
};

/* CHOSEN: *out is the action. */
enum xds_tree_result xds_filter_tree_choose(const struct xds_rpc *rpc,
                                            const struct xds_filter_tree *tree,
                                            const struct xds_filter_choice **out);

#endif
