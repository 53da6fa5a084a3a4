/* pool_test.c - each text once, and paths that outlive the stack. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "base/path.h"

static struct xds_slice format(struct xds_pool *pool, const char *text, ...)
{
    va_list args;

    va_start(args, text);
    const struct xds_slice out = xds_pool_vprintf(pool, text, args);
    va_end(args);
    return out;
}

/* Run under a guard, with an empty pool. */
static void with_pool(void (*body)(void *))
{
    struct xds_arena arena;
    struct xds_arena *const list[] = {&arena};
    struct xds_pool pool;

    xds_arena_init(&arena, 0);
    xds_pool_init(&pool, &arena);
    cr_expect_eq(xds_arena_guard(list, 1, body, &pool), XDS_OK);
    xds_pool_release(&pool);
    xds_arena_release(&arena);
}

static void thousand_texts(void *arg)
{
    struct xds_pool *pool = arg;
    struct xds_slice first[1000];
    char text[16];

    for (int i = 0; i < 1000; i++) {
        snprintf(text, sizeof text, "text%d", i);
        first[i] = xds_pool_text(pool, xds_slice_of(text));
    }
    for (int i = 0; i < 1000; i++) {
        snprintf(text, sizeof text, "text%d", i);
        const struct xds_slice again = format(pool, "%s%d", "text", i);

        cr_expect_eq(again.data, first[i].data);
        cr_expect_str_eq(again.data, text);
        cr_expect_eq(again.len, strlen(text));
    }
}

Test(pool, a_text_that_comes_again_is_the_same)
{
    with_pool(thousand_texts);
}

static void many_texts(void *arg)
{
    struct xds_pool *pool = arg;
    unsigned twice = 0;

    for (unsigned i = 0; i < 100000; i++) {
        const struct xds_slice text = format(pool, "text%u", i);
        const struct xds_slice again = format(pool, "text%u", i);

        cr_expect(xds_slice_eq(text, again));
        cr_expect_leq(pool->cap, 4096);
        twice += text.data != again.data;
    }
    cr_expect_lt(twice, 100, "only where the table had become full");
}

Test(pool, the_table_of_many_texts_stays_small)
{
    with_pool(many_texts);
}

static void odd_texts(void *arg)
{
    struct xds_pool *pool = arg;
    char text[3000];

    memset(text, 'x', sizeof text);
    const struct xds_slice lengths[] = {{text, 0},    {text, 1},    {text, 1023},
                                        {text, 1024}, {text, 1025}, {text, 2999}};

    cr_expect_null(xds_pool_text(pool, (struct xds_slice){NULL, 0}).data);
    for (size_t i = 0; i < XDS_ARRAY_LEN(lengths); i++) {
        const int len = (int)lengths[i].len;
        const struct xds_slice kept = xds_pool_text(pool, lengths[i]);

        cr_expect(xds_slice_eq(kept, lengths[i]), "%d", len);
        cr_expect_eq(kept.data[len], '\0');
        cr_expect(xds_slice_eq(format(pool, "%.*s", len, text), lengths[i]), "%d", len);
    }
}

Test(pool, absent_empty_and_long_texts_are_what_they_were)
{
    with_pool(odd_texts);
}

/* ---- paths ---- */

static void expect_same_steps(const struct xds_path *a, const struct xds_path *b)
{
    for (; a && b; a = a->up, b = b->up) {
        cr_expect_eq(a->kind, b->kind);
        cr_expect_eq(a->seen, b->seen);
    }
    cr_expect_eq(a, b);
}

static void expect_kept(struct xds_pool *pool, const struct xds_path *path)
{
    const struct xds_slice want = xds_path_render(pool->arena, path);
    const struct xds_steps steps[] = {xds_path_copy(pool->arena, path),
                                      xds_pool_steps(pool, path)};

    for (size_t i = 0; i < XDS_ARRAY_LEN(steps); i++) {
        const struct xds_path *again = xds_path_of(pool->arena, steps[i]);
        const struct xds_slice got = xds_path_render(pool->arena, again);

        cr_expect(xds_slice_eq(got, want), "%.*s, not %.*s", XDS_FMT(got), XDS_FMT(want));
        expect_same_steps(again, path);
    }
    cr_expect(xds_slice_eq(xds_pool_path(pool, path), want));
}

static void all_kinds(void *arg)
{
    struct xds_pool *pool = arg;
    char key[600];

    memset(key, 'k', sizeof key);
    const struct xds_path *value = XDS_AT_VALUE(XDS_AT(NULL, "a"), XDS_S("envoy.X"));
    const struct xds_path *index = XDS_AT_I(value, "list", SIZE_MAX);
    const struct xds_path *unsaid = XDS_AT_UNSAID_KEY(index, "map", XDS_S("b"));
    const struct xds_path *said = XDS_AT_SAID_I(unsaid, "items", 128);

    expect_kept(pool, NULL);
    expect_kept(pool, XDS_AT_I(said, "first", 0));
    expect_kept(pool, XDS_AT_KEY(said, "map", XDS_S("")));
    expect_kept(pool, XDS_AT_KEY(said, "map", ((struct xds_slice){key, 200})));
    expect_kept(pool, XDS_AT_KEY(said, "map", ((struct xds_slice){key, sizeof key})));
}

Test(path, what_was_kept_is_the_same_path_again)
{
    with_pool(all_kinds);
}
