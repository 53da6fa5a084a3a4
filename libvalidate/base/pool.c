/*
 * pool.c - texts that live as long as an arena, those that come again soon but once.
 *
 * Fails:  by a jump to the guard of the arena.
 *
 * Of texts that come again, most have been here not long ago. So the table forgets them
 * all when it is full, and stays near the processor: to look for a text in a large one
 * takes longer than to copy it. A strmap never forgets, and its slots are larger.
 */
#include "base/pool.h"

#include <stdlib.h>
#include <xxhash.h>

#include "base/format.h"

enum {
    FIRST_CAP = 64,
    LAST_CAP = 4096,
    MOST_KEPT = 1024, /* a larger table is not kept for fewer texts */
    LONGEST = 1024,   /* a longer text hardly comes twice: it is copied each time */
};

struct xds_pool_slot {
    const char *text; /* NULL: free */
    uint32_t hash, len;
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

static void forget(struct xds_pool *pool)
{
    if (pool->n > 0)
        memset(pool->slots, 0, pool->cap * sizeof *pool->slots);
    pool->n = 0;
}

void xds_pool_reset(struct xds_pool *pool)
{
    if (pool->cap > MOST_KEPT)
        xds_pool_release(pool);
    else
        forget(pool);
}

/* Where the text is, or belongs. */
static struct xds_pool_slot *find(const struct xds_pool *pool, struct xds_slice text,
                                  uint32_t hash)
{
    size_t i = hash & (pool->cap - 1);
    const struct xds_pool_slot *slot;

    while ((slot = &pool->slots[i])->text &&
           !(slot->hash == hash &&
             xds_slice_eq(xds_slice_make(slot->text, slot->len), text)))
        i = (i + 1) & (pool->cap - 1);
    return &pool->slots[i];
}

static void make_room(struct xds_pool *pool)
{
    if (pool->n * 4 < pool->cap * 3)
        return;
    if (pool->cap < LAST_CAP) {
        const struct xds_pool old = *pool;
        const size_t cap = old.cap ? old.cap * 2 : FIRST_CAP;

        pool->slots = xds_arena_realloc(pool->arena, NULL, cap, sizeof *pool->slots);
        pool->cap = cap;
        memset(pool->slots, 0, cap * sizeof *pool->slots);
        for (size_t i = 0; i < old.cap; i++) {
            const struct xds_pool_slot *slot = &old.slots[i];

            if (slot->text)
                *find(pool, xds_slice_make(slot->text, slot->len), slot->hash) = *slot;
        }
        free(old.slots);
    } else
        forget(pool);
}

struct xds_slice xds_pool_text(struct xds_pool *pool, struct xds_slice text)
{
    if (!text.data || text.len > LONGEST)
        return xds_arena_dup(pool->arena, text);
    const uint32_t hash = (uint32_t)XXH3_64bits(text.data, text.len);

    make_room(pool);
    struct xds_pool_slot *slot = find(pool, text, hash);
    if (!slot->text) {
        const char *copy = xds_arena_dup(pool->arena, text).data;

        *slot = (struct xds_pool_slot){copy, hash, (uint32_t)text.len};
        pool->n++;
    }
    return xds_slice_make(slot->text, slot->len);
}

struct xds_slice xds_pool_vprintf(struct xds_pool *pool, const char *format, va_list args)
{
    char text[LONGEST + 1];
    va_list again;

    va_copy(again, args);
    const int len = xds_vformat(text, sizeof text, format, args);
    const struct xds_slice out =
        len >= 0 && (size_t)len < sizeof text
            ? xds_pool_text(pool, xds_slice_make(text, (size_t)len))
            : xds_arena_vprintf(pool->arena, format, again);
    va_end(again);
    return out;
}
