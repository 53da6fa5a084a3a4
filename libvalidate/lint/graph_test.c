/* graph_test.c - nodes that one graph has read are entered in another one. */
#include <criterion/criterion.h>

#include "lint/checks.h"

struct stage {
    struct xds_arena arena, scratch;
    struct xds_graph mine, other;
    struct xds_node *first, *again, *cluster;
};

static struct xds_route_config routes_to(struct xds_route *route,
                                         struct xds_virtual_host *host, const char *name)
{
    route->action = XDS_ACTION_CLUSTER;
    route->cluster = xds_slice_of(name);
    host->routes = route;
    host->n_routes = 1;
    return (struct xds_route_config){.virtual_hosts = host, .n_virtual_hosts = 1};
}

static struct xds_node *read_routes(struct stage *s, struct xds_graph *graph,
                                    uint32_t resource)
{
    struct xds_route route = {.skipped_by = 0};
    struct xds_virtual_host host = {.n_routes = 0};
    const struct xds_route_config config = routes_to(&route, &host, "c");
    const struct xds_snapshot_entry entry = {.name = XDS_S("r"),
                                             .type = XDS_TYPE_ROUTE,
                                             .resource = resource,
                                             .model = &config};

    return xds_graph_read(graph, &s->scratch, &entry);
}

static struct xds_node *read_cluster(struct stage *s, struct xds_graph *graph)
{
    const struct xds_snapshot_entry entry = {
        .name = XDS_S("c"), .type = XDS_TYPE_CLUSTER, .resource = 2};

    return xds_graph_read(graph, &s->scratch, &entry);
}

static void run(void *arg)
{
    struct stage *s = arg;

    xds_graph_init(&s->mine, &s->arena, XDS_ALL_CLIENTS, 0);
    xds_graph_init(&s->other, &s->arena, XDS_ALL_CLIENTS, 0);
    s->first = read_routes(s, &s->other, 0);
    s->again = read_routes(s, &s->mine, 1);
    s->cluster = read_cluster(s, &s->other);
    cr_expect_eq(xds_graph_enter(&s->mine, s->first), s->first);
    cr_expect_eq(xds_graph_enter(&s->mine, s->again), s->first,
                 "it has the name already");
    cr_expect_eq(xds_graph_enter(&s->mine, s->cluster), s->cluster);
    xds_graph_link(&s->mine);
}

static void with_stage(void (*test)(const struct stage *))
{
    struct stage s = {.first = NULL};
    struct xds_arena *const arenas[] = {&s.arena, &s.scratch};

    xds_arena_init(&s.arena, 0);
    xds_arena_init(&s.scratch, 0);
    cr_assert_eq(xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), run, &s), XDS_OK);
    test(&s);
    xds_graph_release(&s.mine);
    xds_graph_release(&s.other);
    xds_arena_release(&s.arena);
    xds_arena_release(&s.scratch);
}

static void expect_one_name(const struct stage *s)
{
    cr_assert_eq(s->first->n_refs, 1);
    cr_expect_eq(s->first->refs[0].name, s->again->refs[0].name);
    cr_expect_eq(s->first->refs[0].name, s->cluster->name);
    cr_expect_eq(xds_ref_to(s->first->refs), s->cluster);
    cr_expect(s->cluster->name->named_by_route);
    cr_expect_not(s->cluster->name->named_by_cluster);
}

Test(graph, references_of_both_graphs_mean_one_node)
{
    with_stage(expect_one_name);
}

static void expect_all(const struct stage *s)
{
    cr_expect_eq(s->mine.first[XDS_TYPE_ROUTE], s->first);
    cr_expect_eq(s->first->next, s->again);
    cr_expect_eq(s->mine.last[XDS_TYPE_ROUTE], s->again);
    cr_expect_eq(xds_graph_find(&s->mine, XDS_TYPE_ROUTE, XDS_S("r")), s->first);
    cr_expect_null(xds_graph_find(&s->other, XDS_TYPE_ROUTE, XDS_S("r")));
    cr_expect_not(xds_graph_holds(&s->other, XDS_TYPE_CLUSTER));
    cr_expect(s->mine.holds_leaves);
}

Test(graph, what_is_entered_is_no_longer_of_the_graph_that_read_it)
{
    with_stage(expect_all);
}
