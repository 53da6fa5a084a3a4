/*
 * arena.h - bump memory that is given back all at once.
 *
 * An allocation never returns NULL: when memory runs out, or the arena's limit is
 * reached, control goes back to the xds_arena_guard() around the work. Business code
 * therefore neither checks nor frees.
 */
#ifndef XDS_BASE_ARENA_H
#define XDS_BASE_ARENA_H

#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>

#include "base/slice.h"

struct xds_arena_block;

struct xds_arena {
    struct xds_arena_block *first, *block; /* chain in order of use; the one in use */
    char *next;                            /* free room in block */
    size_t left;                           /* bytes of it */
    size_t used, limit; /* bytes handed out since reset; 0 = no limit */
    bool full;          /* the limit was reached since then, not that of the machine */
    jmp_buf *guard;     /* set while xds_arena_guard() runs */
};

struct xds_arena_mark {
    struct xds_arena_block *block; /* NULL: no memory was taken */
    char *next;
    size_t left, used;
};

/* No memory is taken before the first allocation. */
void xds_arena_init(struct xds_arena *arena, size_t limit);
void xds_arena_release(struct xds_arena *arena);
/* Forget everything; the memory stays for reuse. */
void xds_arena_reset(struct xds_arena *arena);
/* What is allocated between the two is forgotten, such as a text that is only copied. */
struct xds_arena_mark xds_arena_mark(const struct xds_arena *arena);
void xds_arena_rewind(struct xds_arena *arena, struct xds_arena_mark mark);
/* Take over all memory of another arena: what was allocated there lives as long as what
 * was allocated here. The other one is empty then. */
void xds_arena_adopt(struct xds_arena *arena, struct xds_arena *other);

/* Run body(arg); XDS_ERR_NO_MEMORY when an allocation in any arena of the list failed.
 * Nested guards of the same arena are allowed; the inner one catches. */
enum xds_status xds_arena_guard(struct xds_arena *const *arenas, size_t n,
                                void (*body)(void *), void *arg) XDS_MUST_USE;

/* What an allocation does that fails: for memory that is not the arena's. */
_Noreturn void xds_arena_give_up(struct xds_arena *arena);
/* What xds_arena_alloc() does when the block in use has no room for size bytes. */
void *xds_arena_alloc_slow(struct xds_arena *arena, size_t size);

/* Aligned for any type, not cleared. Must run under a guard. Inline: decoding does little
 * else so often. */
static inline void *xds_arena_alloc(struct xds_arena *arena, size_t size)
{
    const size_t align = alignof(max_align_t);
    const size_t whole = (size + align - 1) & ~(align - 1);
    char *memory = arena->next;

    /* whole is 0 of size 0, and of sizes that it has no number for. */
    if (whole - 1 >= arena->left || (arena->limit && whole > arena->limit - arena->used))
        return xds_arena_alloc_slow(arena, size);
    arena->next += whole;
    arena->left -= whole;
    arena->used += whole;
    return memory;
}

/* Cleared memory for n items; the product is checked. */
static inline void *xds_arena_zero(struct xds_arena *arena, size_t n, size_t size)
{
    if (size && n > SIZE_MAX / size)
        return xds_arena_alloc_slow(arena, SIZE_MAX);
    return memset(xds_arena_alloc(arena, n * size), 0, n * size);
}

/* Room for one more after n items: items themselves while n is below *cap, else a copy
 * with twice as much, cleared after the n. */
void *xds_arena_room(struct xds_arena *arena, void *items, size_t n, size_t *cap,
                     size_t size);
/* A copy that is also NUL-terminated. Absent stays absent. */
struct xds_slice xds_arena_dup(struct xds_arena *arena, struct xds_slice s);
const char *xds_arena_strdup(struct xds_arena *arena, const char *text);
/* The text itself, or where it holds U+0000 a copy with XDS_NUL. */
struct xds_slice xds_arena_keep_nul(struct xds_arena *arena, struct xds_slice text);
struct xds_slice xds_arena_concat(struct xds_arena *arena, struct xds_slice a,
                                  struct xds_slice b);
/* All pieces, one after the other: much faster than a format. */
struct xds_slice xds_arena_join(struct xds_arena *arena, const struct xds_slice *pieces,
                                size_t n);
/* Formatted text, NUL-terminated after its end. */
struct xds_slice xds_arena_printf(struct xds_arena *arena, const char *format, ...)
    XDS_PRINTF(2, 3);

struct xds_slice xds_arena_vprintf(struct xds_arena *arena, const char *format,
                                   va_list args) XDS_PRINTF(2, 0);

/* realloc() of n items for memory that is not the arena's, such as an array that grows in
 * place; the caller frees it. Without memory it goes to the guard, and what there was
 * stays. */
void *xds_arena_realloc(struct xds_arena *arena, void *memory, size_t n, size_t size);

#define XDS_NEW(arena, type) ((type *)xds_arena_zero((arena), 1, sizeof(type)))
#define XDS_NEW_ARRAY(arena, type, n) ((type *)xds_arena_zero((arena), (n), sizeof(type)))

#endif
