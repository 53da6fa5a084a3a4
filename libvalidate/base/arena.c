/*
 * arena.c - bump memory that is given back all at once.
 *
 * Fails:  by a jump to the guard, which turns it into XDS_ERR_NO_MEMORY. This is the one
 *         place of the library where control leaves a function that way.
 */
#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/format.h"

#define FIRST_ROOM ((size_t)8)    /* items, but */
#define FIRST_BYTES ((size_t)512) /* for no more than so many, if they are large */
#define FIRST_BLOCK ((size_t)16 << 10)
#define LARGEST_STEP ((size_t)1 << 20) /* blocks double up to here */

struct xds_arena_block {
    struct xds_arena_block *next;
    size_t size; /* of data */
    alignas(max_align_t) char data[];
};

void xds_arena_init(struct xds_arena *arena, size_t limit)
{
    *arena = (struct xds_arena){.limit = limit};
}

void xds_arena_release(struct xds_arena *arena)
{
    struct xds_arena_block *block = arena->first;

    while (block) {
        struct xds_arena_block *next = block->next;

        free(block);
        block = next;
    }
    xds_arena_init(arena, arena->limit);
}

static void use_block(struct xds_arena *arena, struct xds_arena_block *block)
{
    arena->block = block;
    arena->next = block->data;
    arena->left = block->size;
}

void xds_arena_reset(struct xds_arena *arena)
{
    arena->used = 0;
    arena->full = false;
    if (arena->first)
        use_block(arena, arena->first);
}

struct xds_arena_mark xds_arena_mark(const struct xds_arena *arena)
{
    return (struct xds_arena_mark){arena->block, arena->next, arena->left, arena->used};
}

void xds_arena_rewind(struct xds_arena *arena, struct xds_arena_mark mark)
{
    if (!mark.block) {
        xds_arena_reset(arena);
        return;
    }
    arena->block = mark.block;
    arena->next = mark.next;
    arena->left = mark.left;
    arena->used = mark.used;
}

/* Its blocks go in front: there an arena looks for room only after a reset. */
void xds_arena_adopt(struct xds_arena *arena, struct xds_arena *other)
{
    struct xds_arena_block *last = other->first;

    while (last && last->next)
        last = last->next;
    if (!arena->first) {
        arena->block = other->block;
        arena->next = other->next;
        arena->left = other->left;
    } else if (last) {
        last->next = arena->first;
    }
    if (last)
        arena->first = other->first;
    arena->used += other->used;
    xds_arena_init(other, other->limit);
}

void xds_arena_give_up(struct xds_arena *arena)
{
    if (!arena->guard)
        abort(); /* a call outside of any guard: a bug of the library, never of the input
                  */
    longjmp(*arena->guard, 1);
}

enum xds_status xds_arena_guard(struct xds_arena *const *arenas, size_t n,
                                void (*body)(void *), void *arg)
{
    enum { MOST = 16 };
    jmp_buf here;
    jmp_buf *outer[MOST];
    volatile enum xds_status status = XDS_OK;

    if (n > MOST)
        return XDS_ERR_USAGE;
    for (size_t i = 0; i < n; i++) {
        outer[i] = arenas[i]->guard;
        arenas[i]->guard = &here;
    }
    if (setjmp(here) == 0)
        body(arg);
    else
        status = XDS_ERR_NO_MEMORY;
    for (size_t i = 0; i < n; i++)
        arenas[i]->guard = outer[i];
    return status;
}

/* Go on to the next block that is large enough; a smaller one stays after unused. */
static void more_room(struct xds_arena *arena, size_t size)
{
    struct xds_arena_block *last = arena->block;

    while (last && last->next) {
        last = last->next;
        if (last->size >= size) {
            use_block(arena, last);
            return;
        }
    }

    size_t room = arena->block ? arena->block->size * 2 : FIRST_BLOCK;
    struct xds_arena_block *block;

    if (room > LARGEST_STEP)
        room = LARGEST_STEP;
    if (room < size)
        room = size;
    block = malloc(sizeof *block + room);
    if (!block)
        xds_arena_give_up(arena);
    block->size = room;
    block->next = NULL;
    if (last)
        last->next = block;
    else
        arena->first = block;
    use_block(arena, block);
}

void *xds_arena_alloc_slow(struct xds_arena *arena, size_t size)
{
    const size_t align = alignof(max_align_t);

    if (size > SIZE_MAX / 2)
        xds_arena_give_up(arena);
    size = size ? (size + align - 1) & ~(align - 1) : align;
    arena->full = arena->limit && size > arena->limit - arena->used;
    if (arena->full)
        xds_arena_give_up(arena);
    if (size > arena->left)
        more_room(arena, size);
    void *memory = arena->next;
    arena->next += size;
    arena->left -= size;
    arena->used += size;
    return memory;
}

/* Give back the end of the latest allocation. */
static void shrink(struct xds_arena *arena, size_t from, size_t to)
{
    const size_t align = alignof(max_align_t);
    const size_t unused =
        ((from + align - 1) & ~(align - 1)) - ((to + align - 1) & ~(align - 1));

    arena->next -= unused;
    arena->left += unused;
    arena->used -= unused;
}

/* Few large items: most lists stay short, and clearing costs. */
static size_t first_room(size_t size)
{
    if (size * FIRST_ROOM <= FIRST_BYTES)
        return FIRST_ROOM;
    return size < FIRST_BYTES ? FIRST_BYTES / size : 1;
}

void *xds_arena_room(struct xds_arena *arena, void *items, size_t n, size_t *cap,
                     size_t size)
{
    if (n < *cap)
        return items;
    const size_t more = *cap ? 2 * *cap : first_room(size);
    void *copy = xds_arena_zero(arena, more, size);

    if (n)
        memcpy(copy, items, n * size);
    *cap = more;
    return copy;
}

void *xds_arena_realloc(struct xds_arena *arena, void *memory, size_t n, size_t size)
{
    if (size && n > SIZE_MAX / size)
        xds_arena_give_up(arena);
    const size_t bytes = n * size;
    void *grown = realloc(memory, bytes ? bytes : 1);

    if (!grown)
        xds_arena_give_up(arena);
    return grown;
}

struct xds_slice xds_arena_dup(struct xds_arena *arena, struct xds_slice s)
{
    if (!s.data)
        return s;
    char *copy = xds_arena_alloc(arena, s.len + 1);
    if (s.len)
        memcpy(copy, s.data, s.len);
    copy[s.len] = '\0';
    return xds_slice_make(copy, s.len);
}

struct xds_slice xds_arena_keep_nul(struct xds_arena *arena, struct xds_slice text)
{
    if (text.len == 0 || !memchr(text.data, '\0', text.len))
        return text;
    char *copy = xds_arena_alloc(arena, 2 * text.len);
    return xds_slice_make(copy, xds_text_keep_nul(text, copy));
}

const char *xds_arena_strdup(struct xds_arena *arena, const char *text)
{
    return xds_arena_dup(arena, xds_slice_of(text)).data;
}

struct xds_slice xds_arena_concat(struct xds_arena *arena, struct xds_slice a,
                                  struct xds_slice b)
{
    return xds_arena_join(arena, (const struct xds_slice[]){a, b}, 2);
}

struct xds_slice xds_arena_join(struct xds_arena *arena, const struct xds_slice *pieces,
                                size_t n)
{
    size_t len = 0;

    for (size_t i = 0; i < n; i++)
        len += pieces[i].len;
    char *text = xds_arena_alloc(arena, len + 1), *to = text;

    for (size_t i = 0; i < n; to += pieces[i++].len)
        if (pieces[i].len)
            memcpy(to, pieces[i].data, pieces[i].len);
    *to = '\0';
    return xds_slice_make(text, len);
}

struct xds_slice xds_arena_vprintf(struct xds_arena *arena, const char *format,
                                   va_list args)
{
    enum { USUAL = 160 };
    va_list again;

    va_copy(again, args);
    char *text = xds_arena_alloc(arena, USUAL);
    const int len = xds_vformat(text, USUAL, format, args);
    const size_t size = len > 0 ? (size_t)len : 0;

    if (size < USUAL) {
        shrink(arena, USUAL, size + 1);
    } else {
        text = xds_arena_alloc(arena, size + 1);
        (void)xds_vformat(text, size + 1, format, again);
    }
    va_end(again);
    return xds_slice_make(text, size);
}

struct xds_slice xds_arena_printf(struct xds_arena *arena, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    const struct xds_slice text = xds_arena_vprintf(arena, format, args);
    va_end(args);
    return text;
}
