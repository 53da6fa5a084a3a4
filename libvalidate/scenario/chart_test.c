/* chart_test.c - buckets that become coarser as time continues. */
#include <criterion/criterion.h>

#include "scenario/scenario.h"

static struct xds_chart chart;

static void see(int64_t at_ms, const char *path, enum xds_connectivity state)
{
    struct xds_scene_node node = {
        .label = xds_slice_of(path), .name = xds_slice_of(path), .state = state};
    const struct xds_scene scene = {.list = &node, .n = *path != '\0'};

    xds_chart_add(&chart, at_ms, &scene, chart.arena);
}

static void expect_state(size_t bucket, enum xds_connectivity state)
{
    const struct xds_chart_mark *mark = &chart.rows[0]->marks[bucket];

    cr_expect(mark->known && mark->there, "bucket %zu", bucket);
    cr_expect_eq(mark->state, state, "bucket %zu", bucket);
}

static void coarsen(void *arg)
{
    xds_chart_init(&chart, arg);
    see(0, "a", XDS_STATE_IDLE);
    see(9, "a", XDS_STATE_CONNECTING);
    see(10, "a", XDS_STATE_READY);
    see(599, "", XDS_STATE_IDLE); /* it is gone */
    cr_expect_eq(chart.width_ms, 1);
    see(600, "a", XDS_STATE_TRANSIENT_FAILURE);
    cr_expect_eq(chart.width_ms, 10);
    expect_state(0, XDS_STATE_CONNECTING); /* the last of its ten */
    expect_state(1, XDS_STATE_READY);
    cr_expect_not(chart.rows[0]->marks[2].known);
    cr_expect(chart.rows[0]->marks[59].known);
    cr_expect_not(chart.rows[0]->marks[59].there);
    expect_state(60, XDS_STATE_TRANSIENT_FAILURE);
    cr_expect_not(chart.rows[0]->marks[61].known);
}

static void far_away(void *arg)
{
    xds_chart_init(&chart, arg);
    see(0, "a", XDS_STATE_READY);
    see(INT64_C(315576000000000), "a", XDS_STATE_IDLE);
    cr_expect_eq(chart.width_ms, INT64_C(1000000000000));
    expect_state(0, XDS_STATE_READY);
    expect_state(315, XDS_STATE_IDLE);
}

static void many_rows(void *arg)
{
    struct xds_scene_node nodes[XDS_CHART_ROWS + 3];
    struct xds_scene scene = {.list = nodes, .n = XDS_ARRAY_LEN(nodes)};

    xds_chart_init(&chart, arg);
    for (size_t i = 0; i < scene.n; i++)
        nodes[i] = (struct xds_scene_node){.name = xds_arena_printf(arg, "%zu", i)};
    xds_chart_add(&chart, 0, &scene, arg);
    cr_expect_eq(chart.n_rows, XDS_CHART_ROWS);
    cr_expect_eq(chart.left_out, 3);
    scene.n = 1;
    xds_chart_add(&chart, 1, &scene, arg);
    cr_expect_eq(chart.left_out, 3); /* it was so, at some time */
}

static void in_arena(void (*body)(void *))
{
    struct xds_arena arena;
    struct xds_arena *const list[] = {&arena};

    xds_arena_init(&arena, 0);
    cr_expect_eq(xds_arena_guard(list, 1, body, &arena), XDS_OK);
    xds_arena_release(&arena);
}

Test(chart, ten_buckets_become_one_when_time_runs_out_of_them)
{
    in_arena(coarsen);
}

Test(chart, ten_thousand_years_fit)
{
    in_arena(far_away);
}

Test(chart, names_without_a_row_are_counted)
{
    in_arena(many_rows);
}
