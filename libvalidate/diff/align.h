/* align.h - which items of two lists are the same one. */
#ifndef XDS_DIFF_ALIGN_H
#define XDS_DIFF_ALIGN_H

#include "diff/lists.h"
#include "base/arena.h"

#define XDS_NO_PARTNER SIZE_MAX

struct xds_align_item {
    uint64_t digest;
    uint64_t key[XDS_LIST_KEYS];
    bool has_key[XDS_LIST_KEYS];
    uint64_t loose;
    bool has_loose;
    size_t partner; /* index in the other list, or XDS_NO_PARTNER */
    bool moved;     /* of the new list, ordered: it is on another side of items that
                       stayed */
};

struct xds_align_list {
    struct xds_align_item *items;
    size_t n;
};

/* Fills partner and moved. Time is n log n. */
void xds_align(struct xds_arena *scratch, const struct xds_list_rule *rule,
               struct xds_align_list old, struct xds_align_list now);

#endif
