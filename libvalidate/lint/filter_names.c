/*
 * filter_names.c - overrides for filters that are not there, and routes of servers.
 *
 * Takes:  listeners and routes as they pass, then the linked graph.
 * Gives:  findings at the override, or at the action.
 * Fires:  LINT_NOT_FORWARDING, LINT_OVERRIDE_UNUSED.
 * Source: gRFC A36, A39.
 */
#include "lint/filter_names.h"

#include "lint/checks.h"

/* ---- what is kept ------------------------------------------------------------------ */

void xds_filters_keep(struct xds_arena *arena, const struct xds_listener *listener,
                      struct xds_node *node)
{
    struct xds_slice *names = XDS_NEW_ARRAY(arena, struct xds_slice, listener->n_filters);

    for (size_t i = 0; i < listener->n_filters; i++)
        names[i] = xds_arena_dup(arena, listener->filters[i].name);
    node->filters = names;
    node->n_filters = listener->n_filters;
}

struct keeper {
    struct xds_arena *arena;
    struct xds_strmap seen;
    struct xds_node *node;
    struct xds_override_name **end;
};

static void keep_overrides(struct keeper *k, const struct xds_path *at,
                           const struct xds_overrides *overrides)
{
    for (size_t i = 0; i < overrides->n; i++) {
        const struct xds_slice name = overrides->entries[i].name;
        void **slot = xds_strmap_at(&k->seen, name);

        if (*slot)
            continue;
        struct xds_override_name *kept = XDS_NEW(k->arena, struct xds_override_name);
        kept->name = xds_arena_dup(k->arena, name);
        kept->path = xds_path_copy(k->arena,
                                   XDS_AT_KEY(at, "typed_per_filter_config", kept->name));
        *slot = kept;
        *k->end = kept;
        k->end = &kept->next;
    }
}

static void keep_route(struct keeper *k, const struct xds_path *at,
                       const struct xds_route *route)
{
    const struct xds_path *entries = XDS_AT(at, "route.weighted_clusters");

    keep_overrides(k, at, &route->overrides);
    for (size_t i = 0; i < route->n_weighted; i++)
        keep_overrides(k, XDS_AT_I(entries, "clusters", i),
                       &route->weighted[i].overrides);
    if (route->action == XDS_ACTION_NON_FORWARDING && k->node->not_forwarding.n == 0)
        k->node->not_forwarding =
            xds_path_copy(k->arena, XDS_AT(at, "non_forwarding_action"));
}

void xds_overrides_keep(struct xds_arena *arena, struct xds_arena *scratch,
                        const struct xds_path *at, const struct xds_route_config *config,
                        struct xds_node *node)
{
    struct keeper k = {.arena = arena, .node = node, .end = &node->overrides};

    xds_strmap_init(&k.seen, scratch);
    for (size_t i = 0; i < config->n_virtual_hosts; i++) {
        const struct xds_virtual_host *host = &config->virtual_hosts[i];
        const struct xds_path *host_at = XDS_AT_I(at, "virtual_hosts", i);

        keep_overrides(&k, host_at, &host->overrides);
        for (size_t j = 0; j < host->n_routes; j++)
            keep_route(&k, XDS_AT_I(host_at, "routes", j), &host->routes[j]);
    }
}

/* ---- what is wrong ----------------------------------------------------------------- */

static bool has_filter(const struct xds_node *listener, struct xds_slice name)
{
    for (size_t i = 0; i < listener->n_filters; i++)
        if (xds_slice_eq(listener->filters[i], name))
            return true;
    return false;
}

/* The routes that a client's listener uses are marked with what it has for them. */
static void mark(const struct xds_node *listener, struct xds_node *routes)
{
    routes->used_by_client = true;
    for (struct xds_override_name *o = routes->overrides; o; o = o->next)
        o->found = o->found || has_filter(listener, o->name);
}

static void mark_all(const struct xds_graph *graph)
{
    for (struct xds_node *n = graph->first[XDS_TYPE_LISTENER]; n; n = n->next) {
        if (n->for_servers || n->is_unread)
            continue;
        mark(n, n);
        for (const struct xds_ref *ref = n->refs; ref; ref = ref->next)
            if (ref->type == XDS_TYPE_ROUTE && ref->to)
                mark(n, ref->to);
    }
}

static void check_overrides(const struct xds_inspection *in, const struct xds_node *node)
{
    for (const struct xds_override_name *o = node->overrides; o; o = o->next)
        if (!o->found)
            (void)xds_lint_fire(in, &o->path.step[o->path.n - 1],
                                XDS_R_LINT_OVERRIDE_UNUSED,
                                "the listener has no HTTP filter \"%.*s\": this override "
                                "is never applied",
                                XDS_FMT(o->name));
}

static void check_action(const struct xds_inspection *in, const struct xds_node *node)
{
    if (node->not_forwarding.n > 0)
        (void)xds_lint_fire(
            in, &node->not_forwarding.step[node->not_forwarding.n - 1],
            XDS_R_LINT_NOT_FORWARDING,
            "for servers only: an RPC of a client that matches this route fails with "
            "UNAVAILABLE, and no later route is tried");
}

static void check_nodes(struct xds_inspection *in, const struct xds_node *node)
{
    for (; node; node = node->next) {
        in->resource = node->resource;
        if (!node->used_by_client)
            continue;
        check_overrides(in, node);
        check_action(in, node);
    }
}

/* A listener whose routes are not known: those of another resource may be for it. */
static bool is_shared(const struct xds_graph *graph)
{
    for (const struct xds_node *n = graph->first[XDS_TYPE_LISTENER]; n; n = n->next)
        if (n->for_servers || n->is_unread)
            return true;
    return false;
}

void xds_check_filter_names(struct xds_inspection *in, const struct xds_graph *graph)
{
    mark_all(graph);
    check_nodes(in, graph->first[XDS_TYPE_LISTENER]);
    if (!is_shared(graph))
        check_nodes(in, graph->first[XDS_TYPE_ROUTE]);
}
