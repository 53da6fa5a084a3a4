/*
 * pool.c - texts that live as long as an arena, each of them once.
 *
 * Takes:  texts, which may be gone after the call.
 * Gives:  a copy in the arena: a new one, or the one that is there already.
 * Fails:  by a jump to the guard of the arena.
 */
#include "base/pool.h"

#include <stdio.h>
#include <stdlib.h>

#include <xxhash.h>

enum {
    FIRST_CAP = 64,
    MOST_KEPT = 1024, /* a larger table is not kept for fewer texts */
    LONGEST = 1024,   /* a longer text hardly comes twice: it is copied each time */
};

struct xds_pool_entry {
    uint32_t hash, len;
    char text[];
};

void xds_pool_init(struct xds_pool *pool, struct xds_arena *arena)
{
    *pool = (struct xds_pool){.arena = arena};
}

void xds_pool_release(struct xds_pool *pool)
{
    free(pool->slots);
    xds_pool_init(pool, pool->arena);
}

void xds_pool_reset(struct xds_pool *pool)
{
    if (pool->cap > MOST_KEPT) {
        xds_pool_release(pool);
        return;
    }
    if (pool->n > 0)
        memset(pool->slots, 0, pool->cap * sizeof *pool->slots);
    pool->n = 0;
}

/* ---- the table: open addressing, linear probing -------------------------------------
 */

/* Where the text is, or belongs. */
static struct xds_pool_entry **find(const struct xds_pool *pool, struct xds_slice text,
                                    uint32_t hash)
{
    size_t i = hash & (pool->cap - 1);
    const struct xds_pool_entry *entry;

    while ((entry = pool->slots[i]) != NULL &&
           !(entry->hash == hash &&
             xds_slice_eq(xds_slice_make(entry->text, entry->len), text)))
        i = (i + 1) & (pool->cap - 1);
    return &pool->slots[i];
}

static void grow(struct xds_pool *pool)
{
    const struct xds_pool old = *pool;
    const size_t cap = old.cap ? old.cap * 2 : FIRST_CAP;

    pool->slots =
        xds_arena_realloc(pool->arena, NULL, cap, sizeof(struct xds_pool_entry *));
    pool->cap = cap;
    memset(pool->slots, 0, cap * sizeof(struct xds_pool_entry *));
    for (size_t i = 0; i < old.cap; i++) {
        struct xds_pool_entry *entry = old.slots[i];

        if (entry)
            *find(pool, xds_slice_make(entry->text, entry->len), entry->hash) = entry;
    }
    free(old.slots);
}

static struct xds_pool_entry *new_entry(struct xds_pool *pool, struct xds_slice text,
                                        uint32_t hash)
{
    struct xds_pool_entry *entry =
        xds_arena_alloc(pool->arena, sizeof *entry + text.len + 1);

    entry->hash = hash;
    entry->len = (uint32_t)text.len;
    memcpy(entry->text, text.data, text.len);
    entry->text[text.len] = '\0';
    pool->n++;
    return entry;
}

/* ---- texts --------------------------------------------------------------------------
 */

struct xds_slice xds_pool_text(struct xds_pool *pool, struct xds_slice text)
{
    if (!text.data || text.len > LONGEST)
        return xds_arena_dup(pool->arena, text);
    const uint32_t hash = (uint32_t)XXH3_64bits(text.data, text.len);

    if (pool->n * 4 >= pool->cap * 3)
        grow(pool);
    struct xds_pool_entry **slot = find(pool, text, hash);
    if (!*slot)
        *slot = new_entry(pool, text, hash);
    return xds_slice_make((*slot)->text, (*slot)->len);
}

struct xds_slice xds_pool_vprintf(struct xds_pool *pool, const char *format, va_list args)
{
    char text[LONGEST + 1];
    va_list again;

    va_copy(again, args);
    const int len = vsnprintf(text, sizeof text, format, args);
    const struct xds_slice out =
        len >= 0 && (size_t)len < sizeof text
            ? xds_pool_text(pool, xds_slice_make(text, (size_t)len))
            : xds_arena_vprintf(pool->arena, format, again);
    va_end(again);
    return out;
}
