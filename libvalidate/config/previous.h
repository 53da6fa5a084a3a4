/* previous.h - what was generated for the update before, whose names are kept. */
#ifndef XDS_CONFIG_PREVIOUS_H
#define XDS_CONFIG_PREVIOUS_H

#include "base/strmap.h"
#include "model/tree.h"

struct xds_previous {
    struct xds_arena arena; /* reset when another text comes */
    struct xds_slice text;
    bool is_read;
    struct xds_slice error;      /* where and why the text is no such JSON, or absent */
    const struct xds_tree *last; /* its last document; NULL: none */
    struct xds_strmap clusters;  /* its documents about LB policies, by cluster */
};

void xds_previous_init(struct xds_previous *previous);
void xds_previous_release(struct xds_previous *previous);
/* One document, or one per line; absent text is none. False with `error` filled when it
 * cannot be used. The text is borrowed; the one of the last call is not read again. */
bool xds_previous_read(struct xds_previous *previous, struct xds_slice text);
/* The service config in the last document, or that document itself; NULL: none. */
const struct xds_tree *xds_previous_service_config(const struct xds_previous *previous);
/* The document about a cluster; NULL: none. */
const struct xds_tree *xds_previous_cluster(const struct xds_previous *previous,
                                            struct xds_slice cluster);

#endif
