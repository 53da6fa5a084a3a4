/*
 * pool.h - texts that live as long as an arena, those that come again soon but once.
 *
 * Names, paths and messages of a snapshot repeat over and over: a text that was here not
 * long ago costs a look-up and no memory.
 */
#ifndef XDS_BASE_POOL_H
#define XDS_BASE_POOL_H

#include "base/arena.h"

struct xds_pool_slot;

struct xds_pool {
    struct xds_arena *arena;
    struct xds_pool_slot *slots; /* not of the arena: they grow without leaving waste */
    size_t n, cap;               /* cap is 0 or a power of two */
};

/* The arena takes the texts; everything below runs under its guard. */
void xds_pool_init(struct xds_pool *pool, struct xds_arena *arena);
/* The texts stay where they are, in the arena. */
void xds_pool_release(struct xds_pool *pool);
/* Forget the texts. */
void xds_pool_reset(struct xds_pool *pool);

/* The same text, NUL-terminated after its end. Absent stays absent. */
struct xds_slice xds_pool_text(struct xds_pool *pool, struct xds_slice text);
struct xds_slice xds_pool_vprintf(struct xds_pool *pool, const char *format, va_list args)
    XDS_PRINTF(2, 0);

#endif
