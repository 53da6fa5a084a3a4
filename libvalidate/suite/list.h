/* list.h - lists that grow in an arena. */
#ifndef XDS_SUITE_LIST_H
#define XDS_SUITE_LIST_H

#include "base/arena.h"

/* A list of n items with room for one more: its room is the next power of two, at least
 * four. */
static inline void *xds_list_room(struct xds_arena *arena, void *items, size_t n,
                                  size_t size)
{
    if (n > 0 && (n < 4 || (n & (n - 1)) != 0))
        return items;
    void *larger = xds_arena_zero(arena, n ? 2 * n : 4, size);

    if (n > 0)
        memcpy(larger, items, n * size);
    return larger;
}

#endif
