/* strmap.c - a hash map from text to a pointer: open addressing, linear probing. */
#include "base/strmap.h"

#include <xxhash.h>

#define FIRST_CAP 4 /* many maps hold one key */

void xds_strmap_init(struct xds_strmap *map, struct xds_arena *arena)
{
    *map = (struct xds_strmap){.arena = arena};
}

void xds_strmap_clear(struct xds_strmap *map)
{
    if (map->n > 0)
        memset(map->slots, 0, map->cap * sizeof *map->slots);
    map->n = 0;
}

static struct xds_strmap_entry *find_slot(const struct xds_strmap *map,
                                          struct xds_slice key, uint64_t hash)
{
    size_t i = (size_t)hash & (map->cap - 1);

    while (map->slots[i].key.data &&
           !(map->slots[i].hash == hash && xds_slice_eq(map->slots[i].key, key)))
        i = (i + 1) & (map->cap - 1);
    return &map->slots[i];
}

static uint64_t hash_of(struct xds_slice key)
{
    return XXH3_64bits(key.len ? key.data : "", key.len);
}

void *xds_strmap_get(const struct xds_strmap *map, struct xds_slice key)
{
    return map->cap ? find_slot(map, key, hash_of(key))->value : NULL;
}

static void grow(struct xds_strmap *map)
{
    struct xds_strmap bigger = {
        .arena = map->arena, .n = map->n, .cap = map->cap ? map->cap * 2 : FIRST_CAP};

    bigger.slots = XDS_NEW_ARRAY(map->arena, struct xds_strmap_entry, bigger.cap);
    for (size_t i = 0; i < map->cap; i++)
        if (map->slots[i].key.data)
            *find_slot(&bigger, map->slots[i].key, map->slots[i].hash) = map->slots[i];
    *map = bigger;
}

struct xds_strmap_entry *xds_strmap_entry_at(struct xds_strmap *map, struct xds_slice key)
{
    const uint64_t hash = hash_of(key);

    if (map->n * 4 >= map->cap * 3)
        grow(map);
    struct xds_strmap_entry *slot = find_slot(map, key, hash);
    if (!slot->key.data) {
        *slot = (struct xds_strmap_entry){
            xds_arena_dup(map->arena, key.data ? key : XDS_S("")), hash, NULL};
        map->n++;
    }
    return slot;
}

void **xds_strmap_at(struct xds_strmap *map, struct xds_slice key)
{
    return &xds_strmap_entry_at(map, key)->value;
}
