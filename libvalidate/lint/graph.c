/*
 * graph.c - who names whom in a snapshot.
 *
 * Takes:  the model of each resource as it passes.
 * Gives:  a node with its references; at the end, whom they mean.
 * Source: gRFC A27, A28, A37.
 */
#include "lint/graph.h"

#include "lint/compare.h"
#include "lint/places.h"
#include "lint/route_facts.h"

void xds_graph_init(struct xds_graph *graph, struct xds_arena *arena)
{
    *graph = (struct xds_graph){.arena = arena};
    for (size_t i = 0; i < XDS_ARRAY_LEN(graph->by_name); i++)
        xds_strmap_init(&graph->by_name[i], arena);
}

/* ---- references ------------------------------------------------------------------- */

/* The references of one resource, by type and name. */
struct collector {
    struct xds_arena *arena; /* of the graph */
    bool keeps_localities;
    bool hashes; /* a route has a hash policy, or a cluster wants one */
    struct xds_node *node;
    struct xds_strmap seen[XDS_TYPE_ENDPOINT + 1];
};

static struct xds_ref *refer(struct collector *c, const struct xds_path *at,
                             enum xds_resource_type type, struct xds_slice name)
{
    void **slot = xds_strmap_at(&c->seen[type], name);
    struct xds_ref *ref = *slot;

    if (ref) {
        ref->times++;
        return ref;
    }
    ref = XDS_NEW(c->arena, struct xds_ref);
    *ref = (struct xds_ref){.from = c->node,
                            .type = type,
                            .name = xds_arena_dup(c->arena, name),
                            .path = xds_path_copy(c->arena, at),
                            .times = 1};
    *slot = ref;
    *c->node->last_ref = ref;
    c->node->last_ref = &ref->next;
    return ref;
}

static void refer_to_weighted(struct collector *c, const struct xds_path *at,
                              const struct xds_route_scope *scope)
{
    const struct xds_path *entries = XDS_AT(at, "route.weighted_clusters");

    for (size_t i = 0; i < scope->route->n_weighted; i++) {
        const struct xds_weighted_cluster *entry = &scope->route->weighted[i];
        const struct xds_path *here = XDS_AT(XDS_AT_I(entries, "clusters", i), "name");

        if (entry->weight > 0)
            c->hashes |= xds_route_facts_add(
                c->arena, refer(c, here, XDS_TYPE_CLUSTER, entry->name), here,
                &(struct xds_route_scope){scope->host, scope->route, entry});
    }
}

static void refer_from_route(struct collector *c, const struct xds_path *at,
                             const struct xds_route_scope *scope)
{
    const struct xds_path *cluster = XDS_AT(at, "route.cluster");

    switch (scope->route->action) {
    case XDS_ACTION_CLUSTER:
        c->hashes |= xds_route_facts_add(
            c->arena, refer(c, cluster, XDS_TYPE_CLUSTER, scope->route->cluster), cluster,
            scope);
        break;
    case XDS_ACTION_WEIGHTED:
        refer_to_weighted(c, at, scope);
        break;
    case XDS_ACTION_PLUGIN:
        c->node->names_at_will = true;
        break;
    case XDS_ACTION_NO_SPECIFIER:
    case XDS_ACTION_NON_FORWARDING:
    case XDS_ACTION_UNSUPPORTED:
        break;
    }
}

static void refer_from_routes(struct collector *c, const struct xds_path *at,
                              const struct xds_route_config *config)
{
    xds_domains_keep(c->arena, config, c->node);
    xds_overrides_keep(c->arena, c->seen[0].arena, at, config, c->node);
    for (size_t i = 0; i < config->n_virtual_hosts; i++) {
        const struct xds_virtual_host *host = &config->virtual_hosts[i];
        const struct xds_path *host_at = XDS_AT_I(at, "virtual_hosts", i);

        for (size_t j = 0; j < host->n_routes; j++)
            if (host->routes[j].skipped_by != XDS_ALL_CLIENTS)
                refer_from_route(
                    c, XDS_AT_I(host_at, "routes", j),
                    &(struct xds_route_scope){.host = host, .route = &host->routes[j]});
    }
}

static void refer_from_listener(struct collector *c, const struct xds_listener *listener)
{
    c->node->for_servers = !listener->is_api_listener;
    c->node->sessions = xds_sessions_of(listener);
    xds_filters_keep(c->arena, listener, c->node);
    if (listener->rds_name.len > 0)
        (void)refer(c, XDS_AT(XDS_AT_CONNECTION_MANAGER, "rds.route_config_name"),
                    XDS_TYPE_ROUTE, listener->rds_name);
    if (listener->route_config)
        refer_from_routes(c, XDS_AT_INLINE_ROUTES, listener->route_config);
}

/* Without a service_name it is the cluster's own name. */
static const char *names_endpoints(const struct xds_cluster *cluster)
{
    return xds_slice_eq(cluster->eds_name, cluster->name)
               ? "name"
               : "eds_cluster_config.service_name";
}

static void refer_from_cluster(struct collector *c, const struct xds_cluster *cluster)
{
    const struct xds_path *aggregate =
        XDS_AT_VALUE(XDS_AT(NULL, "cluster_type.typed_config"),
                     XDS_S("envoy.extensions.clusters.aggregate.v3.ClusterConfig"));

    c->node->cluster_kind = cluster->kind;
    c->node->override_host_status = cluster->override_host_status;
    c->node->has_override_host_status = cluster->has_override_host_status;
    if (cluster->kind != XDS_CLUSTER_AGGREGATE)
        xds_policies_keep(c->node, cluster);
    c->hashes = c->node->ring_hash != 0;
    switch (cluster->kind) {
    case XDS_CLUSTER_EDS:
        (void)refer(c, XDS_AT(NULL, names_endpoints(cluster)), XDS_TYPE_ENDPOINT,
                    cluster->eds_name);
        break;
    case XDS_CLUSTER_AGGREGATE:
        for (size_t i = 0; i < cluster->n_children; i++)
            (void)refer(c, XDS_AT_I(aggregate, "clusters", i), XDS_TYPE_CLUSTER,
                        cluster->children[i]);
        break;
    case XDS_CLUSTER_LOGICAL_DNS:
    case XDS_CLUSTER_UNSUPPORTED:
        break;
    }
}

static void refer_from(struct collector *c, const struct xds_snapshot_entry *entry)
{
    switch (entry->type) {
    case XDS_TYPE_LISTENER:
        refer_from_listener(c, entry->model);
        break;
    case XDS_TYPE_ROUTE:
        refer_from_routes(c, NULL, entry->model);
        break;
    case XDS_TYPE_CLUSTER:
        refer_from_cluster(c, entry->model);
        break;
    case XDS_TYPE_ENDPOINT:
        if (c->keeps_localities)
            c->node->endpoints = xds_localities_keep(c->arena, entry->model);
        break;
    case XDS_TYPE_UNKNOWN:
        break;
    }
}

/* ---- nodes --------------------------------------------------------------------------
 */

static struct xds_node *new_node(struct xds_graph *graph,
                                 const struct xds_snapshot_entry *entry)
{
    struct xds_node *node = XDS_NEW(graph->arena, struct xds_node);
    void **slot = xds_strmap_at(&graph->by_name[entry->type], entry->name);

    node->type = entry->type;
    node->name = xds_arena_dup(graph->arena, entry->name);
    node->resource = entry->resource;
    node->last_ref = &node->refs;
    if (!*slot)
        *slot = node;
    if (graph->last[entry->type])
        graph->last[entry->type]->next = node;
    else
        graph->first[entry->type] = node;
    graph->last[entry->type] = node;
    return node;
}

struct xds_node *xds_graph_add(struct xds_graph *graph, struct xds_arena *scratch,
                               const struct xds_snapshot_entry *entry)
{
    struct collector c = {.arena = graph->arena,
                          .keeps_localities = graph->keeps_localities,
                          .node = new_node(graph, entry)};

    for (size_t i = 0; i < XDS_ARRAY_LEN(c.seen); i++)
        xds_strmap_init(&c.seen[i], scratch);
    c.node->is_unread = !entry->model;
    if (entry->model)
        refer_from(&c, entry);
    graph->holds_hashes |= c.hashes;
    if (entry->type == XDS_TYPE_CLUSTER && c.node->cluster_kind != XDS_CLUSTER_AGGREGATE)
        graph->holds_leaves = true;
    return c.node;
}

/* ---- when all have passed -----------------------------------------------------------
 */

static void link_refs(const struct xds_graph *graph, const struct xds_node *node)
{
    for (struct xds_ref *ref = node->refs; ref; ref = ref->next) {
        ref->to = xds_strmap_get(&graph->by_name[ref->type], ref->name);
        if (ref->to && node->type == XDS_TYPE_CLUSTER)
            ref->to->named_by_cluster = true;
        else if (ref->to)
            ref->to->named_by_route = true;
    }
}

/* Nodes to visit, as a stack: a chain of clusters may be long. */
struct trail {
    struct xds_node **nodes;
    size_t n, cap;
    struct xds_arena *arena;
};

static void push(struct trail *trail, struct xds_node *node)
{
    if (!node || node->reached)
        return;
    node->reached = true;
    trail->nodes = xds_arena_room(trail->arena, trail->nodes, trail->n, &trail->cap,
                                  sizeof *trail->nodes);
    trail->nodes[trail->n++] = node;
}

static void reach(struct xds_graph *graph)
{
    struct trail trail = {.arena = graph->arena};

    for (struct xds_node *n = graph->first[XDS_TYPE_LISTENER]; n; n = n->next)
        push(&trail, n);
    while (trail.n > 0)
        for (const struct xds_ref *ref = trail.nodes[--trail.n]->refs; ref;
             ref = ref->next)
            push(&trail, ref->to);
}

void xds_graph_link(struct xds_graph *graph)
{
    for (size_t type = 0; type < XDS_ARRAY_LEN(graph->first); type++)
        for (const struct xds_node *node = graph->first[type]; node; node = node->next)
            link_refs(graph, node);
    reach(graph);
}

bool xds_graph_holds(const struct xds_graph *graph, enum xds_resource_type type)
{
    return graph->first[type] != NULL;
}

bool xds_graph_is_open(const struct xds_graph *graph)
{
    for (const struct xds_node *n = graph->first[XDS_TYPE_LISTENER]; n; n = n->next) {
        if (n->for_servers || n->names_at_will || n->is_unread)
            return true;
        for (const struct xds_ref *ref = n->refs; ref; ref = ref->next)
            if (!ref->to && ref->type == XDS_TYPE_ROUTE)
                return true;
    }
    for (const struct xds_node *n = graph->first[XDS_TYPE_ROUTE]; n; n = n->next)
        if (n->reached && (n->names_at_will || n->is_unread))
            return true;
    return !xds_graph_holds(graph, XDS_TYPE_LISTENER);
}
