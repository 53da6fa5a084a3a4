/* strmap.h - a hash map from text to a pointer, in an arena; keys are copied. The few
 * tables that are none of these say why. */
#ifndef XDS_BASE_STRMAP_H
#define XDS_BASE_STRMAP_H

#include "base/arena.h"

struct xds_strmap_entry {
    struct xds_slice key; /* data NULL: a free slot */
    uint64_t hash;
    void *value;
};

struct xds_strmap {
    struct xds_arena *arena;
    struct xds_strmap_entry *slots;
    size_t n, cap; /* cap is 0 or a power of two */
};

void xds_strmap_init(struct xds_strmap *map, struct xds_arena *arena);
/* Forget all keys; their texts stay in the arena. */
void xds_strmap_clear(struct xds_strmap *map);
/* NULL when the key is not there. */
void *xds_strmap_get(const struct xds_strmap *map, struct xds_slice key);
/* The key's entry, created with a value of NULL when it is new; valid until the next
 * call, and the text of its key as long as the arena. */
struct xds_strmap_entry *xds_strmap_entry_at(struct xds_strmap *map,
                                             struct xds_slice key);
/* The value's slot in that entry. */
void **xds_strmap_at(struct xds_strmap *map, struct xds_slice key);

#endif
