/* align_test.c - which items of two lists pair, and which have moved. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "diff/diff.h"

/* A letter is an item; the digit after it, if any, is its key. */
static struct row {
    const char *name, *old, *now;
    const char *wanted; /* for each new item: index of its partner, '-' none, 'm' after
                           it when it moved */
} rows[] = {
    {"equal", "a b c", "a b c", "0 1 2"},
    {"inserted", "a b c", "a x b c", "0 - 1 2"},
    {"removed", "a b c", "a c", "0 2"},
    {"moved to the front", "a b c d", "d a b c", "3m 0 1 2"},
    {"moved to the back", "a b c d", "b c d a", "1 2 3 0m"},
    {"twins pair in order", "a a b", "a b", "0 2"},
    {"changed with a key", "a1 b2", "a1 x2", "0 1"},
    {"changed with a key and moved", "a1 b2 c3", "x3 a1 b2", "2m 0 1"},
    {"other keys are other items", "a1", "b2", "-"},
    {"alone between neighbours", "a b c", "a x c", "0 1 2"},
    {"from nothing", "", "a b", "- -"},
};

static struct xds_align_list list_of(struct xds_arena *arena, const char *text)
{
    struct xds_align_list list = {XDS_NEW_ARRAY(arena, struct xds_align_item, 16), 0};
    struct xds_slice rest = xds_slice_of(text), word;

    while (rest.len > 0) {
        rest = xds_slice_cut(rest, ' ', &word);
        list.items[list.n++] =
            (struct xds_align_item){.digest = (uint64_t)word.data[0],
                                    .has_key = {word.len > 1},
                                    .key = {word.len > 1 ? (uint64_t)word.data[1] : 0},
                                    .partner = XDS_NO_PARTNER};
    }
    return list;
}

static void check_row(struct xds_arena *arena, const struct row *r)
{
    const bool keyed = strpbrk(r->old, "123") != NULL;
    const struct xds_list_rule rule = {.keys = {keyed ? "name" : NULL}};
    const struct xds_align_list old = list_of(arena, r->old),
                                now = list_of(arena, r->now);
    char got[64] = "";

    xds_align(arena, &rule, old, now);
    for (size_t i = 0; i < now.n; i++) {
        const struct xds_align_item *item = &now.items[i];
        char word[32] = "-";

        if (item->partner != XDS_NO_PARTNER)
            (void)snprintf(word, sizeof word, "%zu%s", item->partner,
                           item->moved ? "m" : "");
        (void)snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s",
                       i > 0 ? " " : "", word);
    }
    cr_expect_str_eq(got, r->wanted, "%s: %s", r->name, got);
}

static void check_rows(void *arg)
{
    for (struct row *r = rows; r < rows + XDS_ARRAY_LEN(rows); r++)
        check_row(arg, r);
}

Test(align, pairs_what_is_the_same_item)
{
    struct xds_arena arena;
    struct xds_arena *const arenas[] = {&arena};

    xds_arena_init(&arena, 0);
    cr_assert_eq(xds_arena_guard(arenas, 1, check_rows, &arena), XDS_OK);
    xds_arena_release(&arena);
}
