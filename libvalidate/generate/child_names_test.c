/* child_names_test.c - the numbers of priorities over updates, client by client. */
#include <criterion/criterion.h>

#include "generate/config.h"

/* "aa,bb cc": priorities with their localities, sorted as clients walk them. */
static struct xds_child_numbers read_priorities(struct xds_arena *arena, const char *text)
{
    struct xds_child_numbers out = {.n = 0};
    struct xds_slice rest = xds_slice_of(*text ? text : NULL);

    out.priorities = XDS_NEW_ARRAY(arena, struct xds_config_priority, 8);
    while (rest.data) {
        const struct xds_locality **list =
            XDS_NEW_ARRAY(arena, const struct xds_locality *, 8);
        struct xds_slice names;
        size_t n = 0;

        rest = xds_slice_cut(rest, ' ', &names);
        while (names.data) {
            struct xds_locality *locality = XDS_NEW(arena, struct xds_locality);

            names = xds_slice_cut(names, ',', &locality->sub_zone);
            list[n++] = locality;
        }
        out.priorities[out.n++] = (struct xds_config_priority){list, n};
    }
    return out;
}

static const struct vector {
    enum xds_client client;
    const char *before;
    uint64_t numbers[3];
    uint64_t before_next;
    const char *now;
    uint64_t expected[3];
    uint64_t next;
} vectors[] = {
    {XDS_CLIENT_CORE, "", {0}, 0, "aa,bb cc,dd", {0, 1}, 2},
    {XDS_CLIENT_CORE, "aa,bb cc,dd", {0, 1}, 2, "aa,bb ee", {0, 2}, 3},
    {XDS_CLIENT_CORE, "aa,bb cc,dd", {0, 1}, 2, "cc aa,bb", {1, 0}, 2},
    {XDS_CLIENT_CORE, "aa,bb cc,dd", {0, 1}, 2, "aa,bb,cc dd", {0, 1}, 2},
    {XDS_CLIENT_CORE, "aa,bb,cc dd", {0, 1}, 2, "aa,bb cc,dd", {0, 1}, 2},
    {XDS_CLIENT_CORE, "bb,cc aa,dd", {0, 1}, 2, "aa,bb,cc dd", {1, 2}, 3},
    {XDS_CLIENT_CORE, "aa,bb,cc dd", {1, 2}, 3, "bb,cc aa,dd", {1, 2}, 3},
    {XDS_CLIENT_CORE, "CC DD,EE", {1, 2}, 3, "AA,BB CC,DD", {3, 1}, 4},
    {XDS_CLIENT_GO, "b,c a,d", {0, 1}, 2, "a,b,c d", {0, 1}, 2},
    {XDS_CLIENT_GO, "a b", {0, 1}, 2, "b c", {1, 2}, 3},
    {XDS_CLIENT_JAVA, "", {0}, 0, "a b", {1, 2}, 3},
    {XDS_CLIENT_JAVA, "a,b c", {1, 2}, 3, "c a d", {2, 1, 3}, 4},
    {XDS_CLIENT_JAVA, "a,b", {1}, 2, "a b", {1, 2}, 3},
    {XDS_CLIENT_NODE, "", {0}, 0, "a b", {0, 1}, 2},
    {XDS_CLIENT_NODE, "a b", {0, 1}, 2, "b a", {1, 2}, 3},
    {XDS_CLIENT_NODE, "a b", {0, 1}, 2, "b b", {1, 2}, 3},
};

Test(child_names, each_update_keeps_the_numbers_that_its_client_keeps)
{
    struct xds_options options;

    xds_options_init(&options);
    for (const struct vector *v = vectors; v < vectors + XDS_ARRAY_LEN(vectors); v++) {
        struct xds_arena arena;

        xds_arena_init(&arena, 0);
        const struct xds_maker maker = {
            .arena = &arena, .options = &options, .client = v->client};
        struct xds_child_numbers before = read_priorities(&arena, v->before);
        struct xds_child_numbers now = read_priorities(&arena, v->now);
        uint64_t numbers[3] = {v->numbers[0], v->numbers[1], v->numbers[2]};

        before.number = numbers;
        before.next = v->before_next;
        xds_child_numbers_assign(maker.arena, maker.options, maker.client, &before, &now);
        for (size_t i = 0; i < now.n; i++)
            cr_expect_eq(now.number[i], v->expected[i], "%s: %s to %s, %zu",
                         xds_client_name(v->client), v->before, v->now, i);
        cr_expect_eq(now.next, v->next, "%s to %s", v->before, v->now);

        /* The document brings the same numbers back. */
        const struct xds_tree tree = xds_child_numbers_tree(&maker, &now);
        const struct xds_child_numbers again = xds_child_numbers_read(&maker, &tree);

        cr_assert_eq(again.n, now.n);
        cr_expect_eq(again.next, now.next);
        for (size_t i = 0; i < again.n; i++) {
            cr_expect_eq(again.number[i], now.number[i]);
            cr_expect_eq(again.priorities[i].n, now.priorities[i].n);
        }
        xds_arena_release(&arena);
    }
}

Test(child_names, a_counter_that_is_too_small_does_not_give_a_number_twice)
{
    struct xds_arena arena;

    xds_arena_init(&arena, 0);
    const struct xds_maker maker = {.arena = &arena, .client = XDS_CLIENT_CORE};
    struct xds_tree priority = xds_tree_object(), tree = xds_tree_object();

    xds_tree_put(&arena, &priority, "number", xds_tree_number(7));
    xds_tree_put(&arena, &tree, "next", xds_tree_number(2));
    xds_tree_put(&arena, &tree, "priorities", xds_tree_list(&arena, priority));
    cr_expect_eq(xds_child_numbers_read(&maker, &tree).next, 8);

    /* What is no such document is as if there were none. */
    priority = xds_tree_list(&arena, xds_tree_number(1));
    cr_expect_eq(xds_child_numbers_read(&maker, &priority).n, 0);
    cr_expect_eq(xds_child_numbers_read(&maker, NULL).next, 0);
    xds_arena_release(&arena);
}
