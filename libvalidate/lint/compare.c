/*
 * compare.c - the way from an older snapshot to this one.
 *
 * Source: gRFC A56, A115; spec cluster 5.4, 5.6.
 */
#include "lint/compare.h"

#include "lint/checks.h"
#include "model/child_numbers.h"

/* ---- what is kept ---- */

static bool has_used_endpoint(const struct xds_locality *locality)
{
    for (size_t i = 0; i < locality->n_endpoints; i++)
        if (locality->endpoints[i].health <= XDS_HEALTH_HEALTHY)
            return true;
    return false;
}

static struct xds_locality copy_of(struct xds_arena *arena, const struct xds_locality *l)
{
    static const struct xds_endpoint used = {.health = XDS_HEALTH_HEALTHY};

    return (struct xds_locality){
        .region = xds_arena_dup(arena, l->region),
        .zone = xds_arena_dup(arena, l->zone),
        .sub_zone = xds_arena_dup(arena, l->sub_zone),
        .priority = l->priority,
        .index = l->index,
        .endpoints = &used,
        .n_endpoints = has_used_endpoint(l),
    };
}

const struct xds_endpoints *xds_localities_keep(struct xds_arena *arena,
                                                const struct xds_endpoints *endpoints)
{
    struct xds_endpoints *out = XDS_NEW(arena, struct xds_endpoints);
    struct xds_locality *localities =
        XDS_NEW_ARRAY(arena, struct xds_locality, endpoints->n_localities);

    for (size_t i = 0; i < endpoints->n_localities; i++)
        localities[i] = copy_of(arena, &endpoints->localities[i]);
    out->localities = localities;
    out->n_localities = endpoints->n_localities;
    return out;
}

/* ---- the old snapshot ---- */

const struct xds_node *xds_before_find(const struct xds_graph *graph,
                                       const struct xds_graph_name *name)
{
    const struct xds_before *before = graph->before;

    return before ? xds_graph_find(before->graph, name->type, name->text) : NULL;
}

void xds_before_relate(const struct xds_inspection *in, struct xds_before *before,
                       const struct xds_node *old)
{
    struct xds_place at = before->report->resources[old->resource].at;
    const struct xds_slice file = before->report->files[at.file];
    void **slot = xds_strmap_at(&before->files, file);

    if (!*slot)
        *slot = (void *)(uintptr_t)(xds_report_add_file(in->report, file) + 1);
    at.file = (uint32_t)((uintptr_t)*slot - 1);
    xds_report_relate(in->report, XDS_NO_RESOURCE, NULL, &at,
                      "here it is, in the old "
                      "snapshot");
}

/* ---- localities that change their child policy ---- */

struct move {
    const struct xds_locality *locality; /* the first one that moves, NULL: none */
    uint32_t from;                       /* its old priority */
    size_t n;
};

/* Of a locality in the old snapshot; one that was in several priorities is left out. */
struct stood {
    uint64_t number;
    uint32_t priority;
    bool several;
};

static struct xds_slice name_of(struct xds_arena *arena, const struct xds_locality *l)
{
    return xds_arena_printf(arena, "%zu:%.*s%zu:%.*s%.*s", l->region.len,
                            XDS_FMT(l->region), l->zone.len, XDS_FMT(l->zone),
                            XDS_FMT(l->sub_zone));
}

static void note_priority(struct xds_strmap *map, const struct xds_child_numbers *numbers,
                          size_t priority)
{
    for (size_t i = 0; i < numbers->priorities[priority].n; i++) {
        const struct xds_locality *l = numbers->priorities[priority].localities[i];
        void **slot = xds_strmap_at(map, name_of(map->arena, l));
        struct stood *stood = *slot;

        if (stood) {
            stood->several = true;
            continue;
        }
        stood = XDS_NEW(map->arena, struct stood);
        *stood = (struct stood){numbers->number[priority], l->priority, false};
        *slot = stood;
    }
}

static void find_moves(const struct xds_strmap *before,
                       const struct xds_child_numbers *numbers, size_t priority,
                       struct move *move)
{
    for (size_t i = 0; i < numbers->priorities[priority].n; i++) {
        const struct xds_locality *l = numbers->priorities[priority].localities[i];
        const struct stood *stood = xds_strmap_get(before, name_of(before->arena, l));

        if (!stood || stood->several || stood->number == numbers->number[priority])
            continue;
        if (move->n++ == 0) {
            move->locality = l;
            move->from = stood->priority;
        }
    }
}

static struct move moves_for(struct xds_arena *arena, const struct xds_options *options,
                             enum xds_client client, const struct xds_endpoints *old,
                             const struct xds_endpoints *new)
{
    const struct xds_child_numbers none = {.n = 0};
    struct xds_child_numbers before = xds_child_priorities(arena, client, old);
    struct xds_child_numbers now = xds_child_priorities(arena, client, new);
    struct xds_strmap stood;
    struct move out = {.n = 0};

    xds_child_numbers_assign(arena, options, client, &none, &before);
    xds_child_numbers_assign(arena, options, client, &before, &now);
    xds_strmap_init(&stood, arena);
    for (size_t i = 0; i < before.n; i++)
        note_priority(&stood, &before, i);
    for (size_t i = 0; i < now.n; i++)
        find_moves(&stood, &now, i, &out);
    return out;
}

static void report_move(const struct xds_inspection *in, const struct xds_graph *graph,
                        const struct xds_node *node, const struct move *move,
                        unsigned clients)
{
    const struct xds_slice others =
        move->n == 1 ? XDS_S("")
                     : xds_arena_printf(in->scratch, ", and so %s %zu more",
                                        move->n == 2 ? "does" : "do", move->n - 1);

    if (xds_lint_fire(
            in, XDS_AT_I(NULL, "endpoints", move->locality->index),
            XDS_R_LINT_LOCALITIES_MOVED,
            "a locality of \"%.*s\", in priority %u before and %u now, moves to another "
            "child policy%.*s%.*s: connections to its hosts are made anew",
            XDS_FMT(node->name->text), move->from, move->locality->priority,
            XDS_FMT(xds_lint_for_some(in, clients)), XDS_FMT(others)))
        xds_before_relate(in, graph->before, xds_before_find(graph, node->name));
}

static void compare(const struct xds_inspection *in, const struct xds_graph *graph,
                    const struct xds_node *node, const struct xds_endpoints *old)
{
    struct move first = {.n = 0};
    unsigned clients = 0;

    for (enum xds_client c = 0; c < XDS_CLIENTS; c++) {
        if (!(in->report->options.clients & XDS_CLIENT_BIT(c)))
            continue;
        const struct move move =
            moves_for(in->scratch, &in->report->options, c, old, node->endpoints);

        if (move.n > 0 && first.n == 0)
            first = move;
        if (move.n > 0)
            clients |= XDS_CLIENT_BIT(c);
    }
    if (clients)
        report_move(in, graph, node, &first, clients);
}

void xds_check_moves(struct xds_inspection *in, const struct xds_graph *graph)
{
    for (const struct xds_node *n = graph->first[XDS_TYPE_ENDPOINT]; n; n = n->next) {
        const struct xds_node *old = xds_before_find(graph, n->name);

        in->resource = n->resource;
        if (old && old->endpoints && n->endpoints)
            compare(in, graph, n, old->endpoints);
    }
}
