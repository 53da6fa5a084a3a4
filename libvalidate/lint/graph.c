/*
 * graph.c - who names whom in a snapshot.
 *
 * Source: gRFC A27, A28, A37.
 */
#include "lint/graph.h"

#include "lint/compare.h"
#include "lint/route_facts.h"

void xds_graph_init(struct xds_graph *graph, struct xds_arena *arena)
{
    *graph = (struct xds_graph){.arena = arena, .of_names = arena};
    xds_strmap_init(&graph->filters, arena);
}

/* ---- references ---- */

/* The references of one resource. */
struct collector {
    struct xds_graph *graph;
    struct xds_arena *scratch;
    struct xds_node *node;
    struct xds_ref *refs; /* in the scratch memory until all are known */
    uint32_t n, cap;
};

static struct xds_ref *add_ref(struct collector *c)
{
    if (c->n == c->cap) {
        const uint32_t cap = c->cap ? c->cap * 2 : 16;
        struct xds_ref *more = xds_arena_alloc(c->scratch, cap * sizeof(struct xds_ref));

        if (c->refs)
            memcpy(more, c->refs, c->n * sizeof *more);
        c->refs = more;
        c->cap = cap;
    }
    return &c->refs[c->n++];
}

static struct xds_ref *refer(struct collector *c, struct xds_site site,
                             enum xds_resource_type type, struct xds_slice text)
{
    struct xds_graph_name *name = xds_graph_name(c->graph, type, text);

    if (c->refs && name->named_by == c->node) {
        c->refs[name->ref].times++;
        return &c->refs[name->ref];
    }
    name->named_by = c->node;
    name->ref = c->n;
    struct xds_ref *ref = add_ref(c);
    *ref = (struct xds_ref){.name = name, .site = site, .times = 1};
    return ref;
}

static void refer_to_cluster(struct collector *c, struct xds_site site,
                             const struct xds_route_scope *scope)
{
    const struct xds_slice name =
        scope->entry ? scope->entry->name : scope->route->cluster;
    struct xds_ref *ref = refer(c, site, XDS_TYPE_CLUSTER, name);

    c->node->hashes |= xds_route_facts_add(c->graph->arena, ref, site, scope);
}

static void refer_to_weighted(struct collector *c, struct xds_site site,
                              const struct xds_route_scope *scope)
{
    site.kind = XDS_SITE_WEIGHTED_CLUSTER;
    for (size_t i = 0; i < scope->route->n_weighted; i++) {
        const struct xds_weighted_cluster *entry = &scope->route->weighted[i];

        site.entry = (uint32_t)i;
        if (entry->weight > 0)
            refer_to_cluster(c, site,
                             &(struct xds_route_scope){scope->host, scope->route, entry});
    }
}

static void refer_from_route(struct collector *c, struct xds_site site,
                             const struct xds_route_scope *scope)
{
    switch (scope->route->action) {
    case XDS_ACTION_CLUSTER:
        site.kind = XDS_SITE_ROUTE_CLUSTER;
        refer_to_cluster(c, site, scope);
        break;
    case XDS_ACTION_WEIGHTED:
        refer_to_weighted(c, site, scope);
        break;
    case XDS_ACTION_PLUGIN:
        c->node->routes->names_at_will = true;
        break;
    case XDS_ACTION_NO_SPECIFIER:
    case XDS_ACTION_NON_FORWARDING:
    case XDS_ACTION_UNSUPPORTED:
        break;
    }
}

static void expect_clusters(const struct xds_graph *graph, const struct xds_route *route)
{
    if (route->action == XDS_ACTION_CLUSTER)
        xds_graph_expect(graph, XDS_TYPE_CLUSTER, route->cluster);
    for (size_t i = 0; i < route->n_weighted; i++)
        xds_graph_expect(graph, XDS_TYPE_CLUSTER, route->weighted[i].name);
}

static void refer_from_routes(struct collector *c, const struct xds_route_config *config,
                              bool is_inline)
{
    xds_domains_keep(c->graph->arena, config, c->node->routes);
    xds_overrides_keep(c->graph, c->scratch, config, is_inline, c->node->routes);
    for (size_t i = 0; i < config->n_virtual_hosts; i++) {
        const struct xds_virtual_host *host = &config->virtual_hosts[i];

        for (size_t j = 0; j < host->n_routes; j++)
            expect_clusters(c->graph, &host->routes[j]);
        for (size_t j = 0; j < host->n_routes; j++)
            if (host->routes[j].skipped_by != XDS_ALL_CLIENTS)
                refer_from_route(
                    c,
                    (struct xds_site){.host = (uint32_t)i,
                                      .route = (uint32_t)j,
                                      .is_inline = is_inline},
                    &(struct xds_route_scope){.host = host, .route = &host->routes[j]});
    }
}

static void refer_from_listener(struct collector *c, const struct xds_listener *listener)
{
    c->node->listener->for_servers = !listener->is_api_listener;
    c->node->listener->sessions = xds_sessions_of(listener);
    xds_filters_keep(c->graph, listener, c->node->listener);
    if (listener->rds_name.len > 0)
        (void)refer(c, (struct xds_site){.kind = XDS_SITE_RDS}, XDS_TYPE_ROUTE,
                    listener->rds_name);
    if (listener->route_config)
        refer_from_routes(c, listener->route_config, true);
}

/* Without a service_name it is the cluster's own name. */
static enum xds_site_kind names_endpoints(const struct xds_cluster *cluster)
{
    return xds_slice_eq(cluster->eds_name, cluster->name) ? XDS_SITE_CLUSTER_NAME
                                                          : XDS_SITE_SERVICE_NAME;
}

static void refer_to_children(struct collector *c, const struct xds_cluster *cluster)
{
    for (uint32_t i = 0; i < cluster->n_children; i++) {
        const struct xds_site site = {.kind = XDS_SITE_CHILD, .entry = i};
        struct xds_ref *ref = refer(c, site, XDS_TYPE_CLUSTER, cluster->children[i]);

        if (ref->times == 2)
            ref->site.again = i;
    }
}

static void refer_from_cluster(struct collector *c, const struct xds_cluster *cluster)
{
    struct xds_cluster_facts *facts = c->node->cluster;

    facts->kind = cluster->kind;
    facts->override_host_status = cluster->override_host_status;
    facts->has_override_host_status = cluster->has_override_host_status;
    if (cluster->kind != XDS_CLUSTER_AGGREGATE)
        xds_policies_keep(facts, cluster);
    c->node->hashes = facts->ring_hash != 0;
    switch (cluster->kind) {
    case XDS_CLUSTER_EDS:
        (void)refer(c, (struct xds_site){.kind = names_endpoints(cluster)},
                    XDS_TYPE_ENDPOINT, cluster->eds_name);
        break;
    case XDS_CLUSTER_AGGREGATE:
        refer_to_children(c, cluster);
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
        refer_from_routes(c, entry->model, false);
        break;
    case XDS_TYPE_CLUSTER:
        refer_from_cluster(c, entry->model);
        break;
    case XDS_TYPE_ENDPOINT:
        if (c->graph->keeps_localities)
            c->node->endpoints = xds_localities_keep(c->graph->arena, entry->model);
        break;
    case XDS_TYPE_UNKNOWN:
        break;
    }
}

static void keep_refs(const struct collector *c)
{
    const size_t size = c->n * sizeof(struct xds_ref);

    c->node->n_refs = c->n;
    /* Of none too there is an end. */
    c->node->refs = xds_arena_alloc(c->graph->arena, size);
    if (c->n > 0)
        memcpy(c->node->refs, c->refs, size);
}

/* ---- nodes ---- */

static struct xds_cluster_facts *cluster_facts(struct xds_arena *arena, bool is_unread)
{
    struct xds_cluster_facts *facts = XDS_NEW(arena, struct xds_cluster_facts);

    if (is_unread) { /* nothing is reported of what may be */
        facts->kind = XDS_CLUSTER_UNSUPPORTED;
        facts->may_hash = XDS_ALL_CLIENTS;
    }
    return facts;
}

static void add_facts(struct xds_arena *arena, struct xds_node *node,
                      enum xds_resource_type type)
{
    switch (type) {
    case XDS_TYPE_LISTENER:
        node->listener = XDS_NEW(arena, struct xds_listener_facts);
        node->routes = XDS_NEW(arena, struct xds_routes_facts);
        break;
    case XDS_TYPE_ROUTE:
        node->routes = XDS_NEW(arena, struct xds_routes_facts);
        break;
    case XDS_TYPE_CLUSTER:
        node->cluster = cluster_facts(arena, node->is_unread);
        break;
    case XDS_TYPE_ENDPOINT:
    case XDS_TYPE_UNKNOWN:
        break;
    }
}

struct xds_node *xds_graph_read(struct xds_graph *graph, struct xds_arena *scratch,
                                const struct xds_snapshot_entry *entry)
{
    struct xds_node *node = XDS_NEW(graph->arena, struct xds_node);
    struct collector c = {.graph = graph, .scratch = scratch, .node = node};

    node->name = xds_graph_name(graph, entry->type, entry->name);
    node->resource = entry->resource;
    node->is_unread = !entry->model;
    add_facts(graph->arena, node, entry->type);
    if (entry->model)
        refer_from(&c, entry);
    keep_refs(&c);
    return node;
}

static void enter_refs(struct xds_graph *graph, const struct xds_node *node)
{
    const bool in_cluster = xds_node_type(node) == XDS_TYPE_CLUSTER;

    for (const struct xds_ref *ref = node->refs; ref < xds_refs_end(node); ref++)
        if (ref->name->graph != graph)
            xds_graph_expect(graph, ref->name->type, ref->name->text);
    for (uint32_t i = 0; i < node->n_refs; i++) {
        struct xds_graph_name *name = xds_graph_adopt(graph, node->refs[i].name);

        name->named_by_cluster |= in_cluster;
        name->named_by_route |= !in_cluster;
        node->refs[i].name = name;
    }
}

struct xds_node *xds_graph_enter(struct xds_graph *graph, struct xds_node *node)
{
    const enum xds_resource_type type = xds_node_type(node);

    if (node->is_unread && node->name->text.len == 0) {
        graph->has_gaps = true;
        return node;
    }
    node->name = xds_graph_adopt(graph, node->name);
    enter_refs(graph, node);
    if (graph->last[type])
        graph->last[type]->next = node;
    else
        graph->first[type] = node;
    graph->last[type] = node;
    graph->holds_hashes |= node->hashes;
    graph->holds_leaves |=
        type == XDS_TYPE_CLUSTER && node->cluster->kind != XDS_CLUSTER_AGGREGATE;
    if (!node->name->node)
        node->name->node = node;
    return node->name->node;
}

/* ---- when all have passed ---- */

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

static void push_refs(struct trail *trail, const struct xds_node *from)
{
    for (const struct xds_ref *ref = from->refs; ref < xds_refs_end(from); ref++)
        push(trail, xds_ref_to(ref));
}

void xds_graph_link(struct xds_graph *graph)
{
    struct trail trail = {.arena = graph->arena};

    for (struct xds_node *n = graph->first[XDS_TYPE_LISTENER]; n; n = n->next)
        push(&trail, n);
    while (trail.n > 0)
        push_refs(&trail, trail.nodes[--trail.n]);
}

bool xds_graph_holds(const struct xds_graph *graph, enum xds_resource_type type)
{
    return graph->first[type] != NULL;
}

bool xds_graph_is_open(const struct xds_graph *graph)
{
    if (graph->has_gaps)
        return true;
    for (const struct xds_node *n = graph->first[XDS_TYPE_LISTENER]; n; n = n->next) {
        if (n->listener->for_servers || n->routes->names_at_will || n->is_unread)
            return true;
        for (const struct xds_ref *ref = n->refs; ref < xds_refs_end(n); ref++)
            if (!xds_ref_to(ref) && ref->name->type == XDS_TYPE_ROUTE)
                return true;
    }
    for (const struct xds_node *n = graph->first[XDS_TYPE_ROUTE]; n; n = n->next)
        if (n->reached && (n->routes->names_at_will || n->is_unread))
            return true;
    for (const struct xds_node *n = graph->first[XDS_TYPE_CLUSTER]; n; n = n->next)
        if (n->reached && n->is_unread)
            return true;
    return !xds_graph_holds(graph, XDS_TYPE_LISTENER);
}
