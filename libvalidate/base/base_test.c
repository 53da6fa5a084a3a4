/* base_test.c - maps, paths, the virtual clock and the list of random numbers. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/path.h"
#include "base/random.h"
#include "base/strmap.h"

static struct xds_arena arena;

static void in_arena(void (*body)(void *))
{
    struct xds_arena *const list[] = {&arena};

    xds_arena_init(&arena, 0);
    cr_expect_eq(xds_arena_guard(list, 1, body, &arena), XDS_OK);
    xds_arena_release(&arena);
}

static void thousand_keys(void *arg)
{
    struct xds_strmap map;
    char key[16];

    xds_strmap_init(&map, arg);
    for (size_t i = 0; i < 1000; i++) {
        snprintf(key, sizeof key, "key %zu", i);
        *xds_strmap_at(&map, xds_slice_of(key)) =
            xds_arena_dup(arg, XDS_S("x")).data ? (void *)(uintptr_t)(i + 1) : NULL;
    }
    for (size_t i = 0; i < 1000; i++) {
        snprintf(key, sizeof key, "key %zu", i);
        cr_expect_eq((uintptr_t)xds_strmap_get(&map, xds_slice_of(key)), i + 1);
    }
    cr_expect_eq(map.n, 1000);
    cr_expect_null(xds_strmap_get(&map, XDS_S("another")));
    *xds_strmap_at(&map, XDS_S("")) = &map;
    cr_expect_eq(xds_strmap_get(&map, XDS_S("")), &map);
}

Test(strmap, keys_are_found_again_after_it_grew)
{
    in_arena(thousand_keys);
}

static void render(void *arg)
{
    const struct xds_path *hcm =
        XDS_AT_VALUE(XDS_AT(NULL, "typed_config"), XDS_S("envoy.x.v3.Hcm"));
    const struct xds_path *key =
        XDS_AT_KEY(XDS_AT_I(hcm, "routes", 2), "policies", XDS_S("a.b"));

    cr_expect(xds_slice_is(xds_path_render(arg, NULL), ""));
    cr_expect(xds_slice_is(xds_path_render(arg, key),
                           "typed_config.value[envoy.x.v3.Hcm].routes[2].policies[a.b]"));
}

Test(path, frames_render_in_the_grammar_of_c_core)
{
    in_arena(render);
}

static void render_said(void *arg)
{
    const struct xds_path *said = XDS_AT_SAID_I(XDS_AT(NULL, "a"), "list", 3);
    const struct xds_path *unsaid = XDS_AT_UNSAID(XDS_AT_UNSAID_I(said, "x", 3), "y");

    cr_expect(xds_slice_is(xds_path_render(arg, unsaid), "a.list[3]"));
    cr_expect(xds_slice_is(xds_path_render(arg, XDS_AT(unsaid, "b")), "a.list[3].b"));
}

Test(path, what_goes_unsaid_is_not_rendered)
{
    in_arena(render_said);
}

struct shot {
    struct xds_timer timer;
    char *log;
    char letter;
};

static void shoot(struct xds_timer *timer)
{
    struct shot *shot = timer->owner;

    shot->log[strlen(shot->log)] = shot->letter;
}

static void fire_in_order(void *arg)
{
    char log[16] = "";
    struct shot shots[5];
    struct xds_clock clock;
    const int64_t at[] = {30, 10, 20, 10, 40};
    const int rank[] = {0, 1, 0, 0, 0};

    xds_clock_init(&clock, arg);
    for (int i = 0; i < 5; i++) {
        shots[i] = (struct shot){.log = log, .letter = (char)('a' + i)};
        shots[i].timer =
            (struct xds_timer){.rank = rank[i], .fire = shoot, .owner = &shots[i]};
        xds_clock_set(&clock, &shots[i].timer, at[i]);
    }
    xds_clock_cancel(&clock, &shots[2].timer);
    xds_clock_advance(&clock, 30);
    cr_expect_str_eq(log, "dba");
    cr_expect_eq(clock.now_ms, 30);
    xds_clock_set(&clock, &shots[4].timer, 35);
    xds_clock_advance(&clock, 100);
    cr_expect_str_eq(log, "dbae");
    cr_expect_eq(clock.n, 0);
}

Test(clock, timers_fire_by_time_then_rank_and_not_when_cancelled)
{
    in_arena(fire_in_order);
}

Test(random, a_number_at_the_edge_stays_below_the_bound)
{
    const double values[] = {0.0, 0.25, 0.9999999999999999};
    struct xds_random random = {values, 3, 0};
    uint64_t drawn;

    cr_assert(xds_random_draw(&random, 4, &drawn));
    cr_expect_eq(drawn, 0);
    cr_assert(xds_random_draw(&random, 4, &drawn));
    cr_expect_eq(drawn, 1);
    cr_assert(xds_random_draw(&random, UINT64_MAX, &drawn));
    cr_expect_lt(drawn, UINT64_MAX);
    cr_expect_not(xds_random_draw(&random, 4, &drawn));
}
