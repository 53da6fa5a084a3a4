/* chart.c - who served when: the states of all policies over time, in bounded memory. */
#include "scenario/scenario.h"

size_t xds_scene_add(struct xds_scene *scene, struct xds_arena *arena, size_t above,
                     struct xds_scene_node node)
{
    if (!node.name.data)
        node.name = node.label;
    scene->list =
        xds_arena_room(arena, scene->list, scene->n, &scene->cap, sizeof *scene->list);
    node.above = above;
    node.depth = above == XDS_SCENE_TOP ? 0 : scene->list[above].depth + 1;
    scene->list[scene->n] = node;
    return scene->n++;
}

struct xds_slice xds_scene_path(const struct xds_scene *scene, size_t i, size_t from,
                                struct xds_arena *arena)
{
    const struct xds_scene_node *node = &scene->list[i];

    if (node->depth <= from)
        return node->name;
    return xds_arena_join(
        arena,
        (const struct xds_slice[]){xds_scene_path(scene, node->above, from, arena),
                                   XDS_S("/"), node->name},
        3);
}

void xds_chart_init(struct xds_chart *chart, struct xds_arena *arena)
{
    *chart = (struct xds_chart){.arena = arena, .width_ms = 1};
    xds_strmap_init(&chart->by_path, arena);
}

/* Ten buckets become one: the last of them that knows something counts. */
static void coarsen_row(struct xds_chart_row *row)
{
    enum { TEN = 10 };

    for (size_t to = 0; to < XDS_CHART_BUCKETS; to++) {
        struct xds_chart_mark last = {0};

        for (size_t from = TEN * to; from < TEN * (to + 1) && from < XDS_CHART_BUCKETS;
             from++)
            if (row->marks[from].known)
                last = row->marks[from];
        row->marks[to] = last;
    }
}

static struct xds_chart_row *
row_of(struct xds_chart *chart, const struct xds_scene_node *node, struct xds_slice path)
{
    struct xds_chart_row *row = xds_strmap_get(&chart->by_path, path);

    if (row)
        return row;
    if (chart->n_rows == XDS_CHART_ROWS)
        return NULL;
    row = XDS_NEW(chart->arena, struct xds_chart_row);
    row->label = xds_arena_dup(chart->arena, node->label);
    row->depth = node->depth;
    chart->rows[chart->n_rows++] = row;
    *xds_strmap_at(&chart->by_path, path) = row;
    return row;
}

void xds_chart_add(struct xds_chart *chart, int64_t now_ms, const struct xds_scene *scene,
                   struct xds_arena *scratch)
{
    while (now_ms / chart->width_ms >= XDS_CHART_BUCKETS) {
        chart->width_ms *= 10;
        for (size_t i = 0; i < chart->n_rows; i++)
            coarsen_row(chart->rows[i]);
    }

    const size_t bucket = (size_t)(now_ms / chart->width_ms);

    chart->end_ms = now_ms;
    size_t left_out = 0;

    for (size_t i = 0; i < chart->n_rows; i++)
        chart->rows[i]->marks[bucket] = (struct xds_chart_mark){.known = true};
    for (size_t i = 0; i < scene->n; i++) {
        const struct xds_scene_node *node = &scene->list[i];
        struct xds_chart_row *row =
            row_of(chart, node, xds_scene_path(scene, i, 0, scratch));

        left_out += !row;
        if (row)
            row->marks[bucket] = (struct xds_chart_mark){
                .known = true,
                .there = true,
                .serves = node->serves,
                .parked = node->parked,
                .state = node->state,
            };
    }
    if (left_out > chart->left_out)
        chart->left_out = left_out;
}
