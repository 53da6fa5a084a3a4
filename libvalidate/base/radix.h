/*
 * radix.h - texts by what they begin with: a tree whose edges are pieces of text.
 *
 * One walk down finds all texts of the tree that a text begins with, whatever their
 * number. The tree is made node by node, and then packed: a walk meets little memory.
 */
#ifndef XDS_BASE_RADIX_H
#define XDS_BASE_RADIX_H

#include "base/arena.h"

struct xds_radix_node;

/* A tree in the making. */
struct xds_radix_maker {
    struct xds_arena *arena;
    struct xds_radix_node *root; /* of the empty text */
    size_t n, bytes;             /* nodes; what labels and their first bytes need */
};

void xds_radix_init(struct xds_radix_maker *maker, struct xds_arena *arena);
/* The slot of a text's value, made with NULL when the text is new. */
void **xds_radix_at(struct xds_radix_maker *maker, struct xds_slice text);

/* A packed node: its children are in one piece, as do their first bytes and labels. */
struct xds_radix_entry {
    uint32_t children, n;      /* index of the first; how many */
    uint32_t firsts;           /* offset of the first bytes of their labels */
    uint32_t label, label_len; /* offset; the text of the parent continues so */
    void *value;
};

struct xds_radix {
    const struct xds_radix_entry *entries; /* the first is that of the empty text */
    const char *bytes;
};

/* pack_value: what to keep of a value that is not NULL; called for all nodes, parents
 * before children. */
struct xds_radix xds_radix_pack(const struct xds_radix_maker *maker,
                                void *(*pack_value)(void *value, void *user), void *user);
/* The child that *rest begins with, whose label is taken off *rest; NULL when there is
 * none. fold: *rest counts in lower case (ASCII), as the texts of the tree are then. */
const struct xds_radix_entry *xds_radix_step(const struct xds_radix *tree,
                                             const struct xds_radix_entry *entry,
                                             struct xds_slice *rest, bool fold);

#endif
