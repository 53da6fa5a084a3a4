/*
 * radix.h - texts by what they begin with: a tree whose edges are pieces of text.
 *
 * One walk down finds all texts of the tree that a text begins with, whatever their
 * number.
 */
#ifndef XDS_BASE_RADIX_H
#define XDS_BASE_RADIX_H

#include "base/arena.h"

/* The root is a cleared node; it stands for the empty text. */
struct xds_radix_node {
    struct xds_slice label;           /* the text of the parent goes on so */
    char *firsts;                     /* the first byte of each child's label, and */
    struct xds_radix_node **children; /* the children in the same order */
    uint16_t n, cap;
    void *value;
};

/* The node of a text; made when it is new. */
struct xds_radix_node *xds_radix_at(struct xds_arena *arena, struct xds_radix_node *root,
                                    struct xds_slice text);
/* The child that *rest begins with, whose label is taken off *rest; NULL when there is
 * none. fold: *rest counts in lower case (ASCII), as the texts of the tree are then. */
const struct xds_radix_node *xds_radix_step(const struct xds_radix_node *node,
                                            struct xds_slice *rest, bool fold);

#endif
