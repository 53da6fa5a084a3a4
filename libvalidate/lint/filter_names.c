/*
 * filter_names.c - overrides for filters that are not there, and routes of servers.
 *
 * Source: gRFC A36, A39.
 */
#include "lint/filter_names.h"

#include "lint/checks.h"

/* ---- what is kept ---- */

/* Few filters are named over and over. */
static struct xds_slice keep_name(struct xds_graph *graph, struct xds_slice name)
{
    return xds_strmap_entry_at(&graph->filters, name)->key;
}

void xds_filters_keep(struct xds_graph *graph, const struct xds_listener *listener,
                      struct xds_listener_facts *facts)
{
    const size_t n = listener->n_filters;
    struct xds_slice *names = XDS_NEW_ARRAY(graph->arena, struct xds_slice, n);

    for (size_t i = 0; i < n; i++)
        names[i] = keep_name(graph, listener->filters[i].name);
    facts->filters = names;
    facts->n_filters = n;
}

struct keeper {
    struct xds_graph *graph;
    struct xds_strmap seen;
    struct xds_routes_facts *routes;
    struct xds_override_name **end;
};

static void keep_overrides(struct keeper *k, struct xds_site site,
                           enum xds_site_kind kind, const struct xds_overrides *overrides)
{
    site.kind = kind;
    for (size_t i = 0; i < overrides->n; i++) {
        void **slot = xds_strmap_at(&k->seen, overrides->entries[i].name);

        if (*slot)
            continue;
        struct xds_override_name *kept =
            XDS_NEW(k->graph->arena, struct xds_override_name);
        kept->name = keep_name(k->graph, overrides->entries[i].name);
        kept->site = site;
        *slot = kept;
        *k->end = kept;
        k->end = &kept->next;
    }
}

static void keep_route(struct keeper *k, struct xds_site site,
                       const struct xds_route *route)
{
    keep_overrides(k, site, XDS_SITE_ROUTE_OVERRIDE, &route->overrides);
    for (size_t i = 0; i < route->n_weighted; i++) {
        site.entry = (uint32_t)i;
        keep_overrides(k, site, XDS_SITE_WEIGHTED_OVERRIDE,
                       &route->weighted[i].overrides);
    }
    if (route->action == XDS_ACTION_NON_FORWARDING &&
        k->routes->not_forwarding.kind == XDS_SITE_NONE) {
        site.kind = XDS_SITE_NON_FORWARDING;
        k->routes->not_forwarding = site;
    }
}

void xds_overrides_keep(struct xds_graph *graph, struct xds_arena *scratch,
                        const struct xds_route_config *config, bool is_inline,
                        struct xds_routes_facts *routes)
{
    struct keeper k = {.graph = graph, .routes = routes, .end = &routes->overrides};

    xds_strmap_init(&k.seen, scratch);
    for (size_t i = 0; i < config->n_virtual_hosts; i++) {
        const struct xds_virtual_host *host = &config->virtual_hosts[i];
        struct xds_site site = {.host = (uint32_t)i, .is_inline = is_inline};

        keep_overrides(&k, site, XDS_SITE_HOST_OVERRIDE, &host->overrides);
        for (size_t j = 0; j < host->n_routes; j++) {
            site.route = (uint32_t)j;
            keep_route(&k, site, &host->routes[j]);
        }
    }
}

/* ---- what is wrong ---- */

static bool has_filter(const struct xds_listener_facts *listener, struct xds_slice name)
{
    for (size_t i = 0; i < listener->n_filters; i++)
        if (xds_slice_eq(listener->filters[i], name))
            return true;
    return false;
}

/* The routes that a client's listener uses are marked with what it has for them. */
static void mark(const struct xds_listener_facts *listener,
                 struct xds_routes_facts *routes)
{
    routes->used_by_client = true;
    for (struct xds_override_name *o = routes->overrides; o; o = o->next)
        o->found = o->found || has_filter(listener, o->name);
}

static void mark_all(const struct xds_graph *graph)
{
    for (struct xds_node *n = graph->first[XDS_TYPE_LISTENER]; n; n = n->next) {
        if (n->listener->for_servers || n->is_unread)
            continue;
        mark(n->listener, n->routes);
        for (const struct xds_ref *ref = n->refs; ref < xds_refs_end(n); ref++)
            if (ref->name->type == XDS_TYPE_ROUTE && xds_ref_to(ref))
                mark(n->listener, xds_ref_to(ref)->routes);
    }
}

static void check_overrides(const struct xds_inspection *in,
                            const struct xds_routes_facts *routes)
{
    struct xds_site_frames frames;

    for (const struct xds_override_name *o = routes->overrides; o; o = o->next)
        if (!o->found)
            (void)xds_lint_fire(
                in, xds_site_path(o->site, o->name, &frames), XDS_R_LINT_OVERRIDE_UNUSED,
                "the listener has no HTTP filter \"%.*s\": the override is never applied",
                XDS_FMT(o->name));
}

static void check_action(const struct xds_inspection *in,
                         const struct xds_routes_facts *routes)
{
    struct xds_site_frames frames;

    if (routes->not_forwarding.kind != XDS_SITE_NONE)
        (void)xds_lint_fire(
            in, xds_site_path(routes->not_forwarding, XDS_S(""), &frames),
            XDS_R_LINT_NOT_FORWARDING,
            "non_forwarding_action is for servers only: RPCs of a client that match this "
            "route fail with UNAVAILABLE, and no later route is tried");
}

static void check_nodes(struct xds_inspection *in, const struct xds_node *node)
{
    for (; node; node = node->next) {
        in->resource = node->resource;
        if (!node->routes->used_by_client)
            continue;
        check_overrides(in, node->routes);
        check_action(in, node->routes);
    }
}

/* A listener whose routes are not known: those of another resource may be for it. */
static bool is_shared(const struct xds_graph *graph)
{
    for (const struct xds_node *n = graph->first[XDS_TYPE_LISTENER]; n; n = n->next)
        if (n->listener->for_servers || n->is_unread)
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
