/* arena_test.c - the guard, the limit, and reuse after a reset. */
#include <criterion/criterion.h>

#include "base/arena.h"

static void take_a_lot(void *arg)
{
    for (int i = 0; i < 1000; i++)
        xds_arena_alloc(arg, 1000);
}

static enum xds_status guarded(struct xds_arena *arena, void (*body)(void *))
{
    struct xds_arena *const list[] = {arena};

    return xds_arena_guard(list, 1, body, arena);
}

Test(arena, reaching_the_limit_ends_in_no_memory_not_in_a_crash)
{
    struct xds_arena arena;

    xds_arena_init(&arena, 100000);
    cr_expect_eq(guarded(&arena, take_a_lot), XDS_ERR_NO_MEMORY);
    xds_arena_reset(&arena);
    cr_expect_eq(arena.used, 0);
    cr_expect_null(arena.guard);
    xds_arena_release(&arena);
}

static void take_too_many(void *arg)
{
    xds_arena_zero(arg, SIZE_MAX / 2, 16);
}

Test(arena, a_product_that_overflows_is_no_memory)
{
    struct xds_arena arena;

    xds_arena_init(&arena, 0);
    cr_expect_eq(guarded(&arena, take_too_many), XDS_ERR_NO_MEMORY);
    xds_arena_release(&arena);
}

static void reuse(void *arg)
{
    struct xds_arena *arena = arg;
    void *first = xds_arena_alloc(arena, 100);

    take_a_lot(arena);
    xds_arena_reset(arena);
    cr_expect_eq(xds_arena_alloc(arena, 100), first);
    take_a_lot(arena);
    memset(xds_arena_alloc(arena, 5u << 20), 1, 5u << 20);
}

Test(arena, a_reset_gives_the_same_memory_again)
{
    struct xds_arena arena;

    xds_arena_init(&arena, 0);
    cr_expect_eq(guarded(&arena, reuse), XDS_OK);
    xds_arena_release(&arena);
}

static void print_and_copy(void *arg)
{
    const struct xds_slice text = xds_arena_printf(arg, "%s %d", "n", 42);

    cr_expect(xds_slice_is(text, "n 42"));
    cr_expect_null(xds_arena_dup(arg, (struct xds_slice){NULL, 0}).data);
    cr_expect_not_null(xds_arena_dup(arg, XDS_S("")).data);
}

Test(arena, absent_text_stays_absent_and_empty_stays_empty)
{
    struct xds_arena arena;

    xds_arena_init(&arena, 0);
    cr_expect_eq(guarded(&arena, print_and_copy), XDS_OK);
    xds_arena_release(&arena);
}

static void take_and_rewind(void *arg)
{
    struct xds_arena *arena = arg;
    const struct xds_arena_mark none = xds_arena_mark(arena);

    (void)xds_arena_alloc(arena, 1 << 20);
    xds_arena_rewind(arena, none);
    cr_expect_eq(arena->used, 0);
    char *kept = memset(xds_arena_alloc(arena, 100), 'a', 100);
    const struct xds_arena_mark mark = xds_arena_mark(arena);
    const void *next = xds_arena_alloc(arena, 16);

    for (int i = 0; i < 100;
         i++) { /* together more than the limit, and into other blocks */
        xds_arena_rewind(arena, mark);
        cr_expect_eq(xds_arena_alloc(arena, 16), next);
        memset(xds_arena_alloc(arena, 3 << 19), 'b', 3 << 19);
        memset(xds_arena_alloc(arena, 1 << 19), 'b', 1 << 19);
    }
    xds_arena_rewind(arena, mark);
    cr_expect_eq(arena->used, mark.used);
    cr_expect_eq(kept[99], 'a');
}

Test(arena, what_is_rewound_is_used_again)
{
    struct xds_arena arena;

    xds_arena_init(&arena, 4 << 20);
    cr_expect_eq(guarded(&arena, take_and_rewind), XDS_OK);
    xds_arena_release(&arena);
}

static void fill_list(void *arg)
{
    size_t cap = 0;
    int *list = NULL;

    for (int i = 0; i < 1000; i++) {
        list = xds_arena_room(arg, list, (size_t)i, &cap, sizeof *list);
        cr_assert_gt(cap, (size_t)i);
        cr_assert_eq(list[i], 0);
        list[i] = i + 1;
    }
    cr_expect_eq(xds_arena_room(arg, list, 5, &cap, sizeof *list), list);
    for (int i = 0; i < 1000; i++)
        cr_assert_eq(list[i], i + 1);
}

Test(arena, a_list_keeps_its_items_as_its_room_doubles)
{
    struct xds_arena arena;

    xds_arena_init(&arena, 0);
    cr_expect_eq(guarded(&arena, fill_list), XDS_OK);
    xds_arena_release(&arena);
}
