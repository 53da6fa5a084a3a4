/*
 * impact.c - what depends on a resource that is rejected: the way back from it to the
 *            listeners.
 *
 * Only what leads to a rejected resource is kept of the references. A listener of clients
 * names one route configuration, so that those of several are just added up.
 */
#include <stdlib.h>

#include "lint/checks.h"

enum {
    MOST_NAMES = 20,
    MOST_CAUSES = 100000, /* of which it is said */
    MOST_STEPS = 20000000 /* of all searches together */
};

/* A reference to what is hit. */
struct edge {
    struct xds_node *from;
    const struct xds_ref *ref;
};

/* By the number of the name that they lead to, once they are sorted. */
struct edges {
    struct edge *list;
    size_t n, cap;
    size_t *first; /* by number, and one more */
    size_t n_names;
};

struct search {
    const struct xds_inspection *in;
    struct xds_graph *graph;
    struct xds_graph_name **names; /* by number */
    size_t n, cap;
    struct edges of_clusters, of_routes, of_listeners;
    struct xds_node **causes; /* by resource */
    size_t n_causes, cap_causes;
    size_t *n_clients; /* by number of a route configuration: its listeners of clients */
    struct xds_graph_name **trail;
    size_t n_trail, cap_trail;
    uint32_t stamp;
    size_t steps;
};

/* ---- names and references ---- */

/* The number of a name is its ref; what is there of old is no number of this name. */
static void number(struct search *s, struct xds_graph_name *name)
{
    if (name->ref < s->n && s->names[name->ref] == name)
        return;
    name->ref = (uint32_t)s->n;
    s->names = xds_arena_room(s->in->scratch, s->names, s->n, &s->cap,
                              sizeof(struct xds_graph_name *));
    s->names[s->n++] = name;
}

static void add_edge(struct search *s, struct edges *edges, struct xds_node *from,
                     const struct xds_ref *ref)
{
    number(s, ref->name);
    edges->list = xds_arena_room(s->in->scratch, edges->list, edges->n, &edges->cap,
                                 sizeof *edges->list);
    edges->list[edges->n++] = (struct edge){from, ref};
}

/* Those that lead to the same name stay in their order. */
static void sort_edges(struct search *s, struct edges *edges)
{
    size_t *next = XDS_NEW_ARRAY(s->in->scratch, size_t, s->n + 2);
    struct edge *sorted = XDS_NEW_ARRAY(s->in->scratch, struct edge, edges->n);

    for (size_t i = 0; i < edges->n; i++)
        next[edges->list[i].ref->name->ref + 2]++;
    for (size_t i = 2; i < s->n + 2; i++)
        next[i] += next[i - 1];
    for (size_t i = 0; i < edges->n; i++)
        sorted[next[edges->list[i].ref->name->ref + 1]++] = edges->list[i];
    edges->list = sorted;
    edges->first = next;
    edges->n_names = s->n;
}

static const struct edge *edges_to(const struct edges *edges,
                                   const struct xds_graph_name *name, size_t *n)
{
    const size_t i = name->ref;

    *n = i < edges->n_names ? edges->first[i + 1] - edges->first[i] : 0;
    return *n > 0 ? edges->list + edges->first[i] : NULL;
}

static size_t routes_of(const struct xds_ref *ref)
{
    return ref->times - ref->same_route;
}

/* ---- what is hit ---- */

static bool is_rejected(const struct search *s, const struct xds_node *node)
{
    const struct xds_resource_result *result = &s->in->report->resources[node->resource];

    return ((result->nacked_by | result->crashed_by) & s->in->report->options.clients) !=
           0;
}

/* References lead to the first resource of a name. */
static bool counts(const struct search *s, const struct xds_node *node)
{
    return node->name->node == node && xds_is_judged(s->in, node);
}

static int by_resource(const void *left, const void *right)
{
    const struct xds_node *a = *(struct xds_node *const *)left;
    const struct xds_node *b = *(struct xds_node *const *)right;

    return (a->resource > b->resource) - (a->resource < b->resource);
}

static void find_causes(struct search *s)
{
    for (size_t type = 0; type < XDS_ARRAY_LEN(s->graph->first); type++)
        for (struct xds_node *n = s->graph->first[type]; n; n = n->next) {
            if (!is_rejected(s, n))
                continue;
            number(s, n->name);
            n->name->is_hit = true;
            s->causes = xds_arena_room(s->in->scratch, s->causes, s->n_causes,
                                       &s->cap_causes, sizeof(struct xds_node *));
            s->causes[s->n_causes++] = n;
        }
    if (s->n_causes > 1)
        qsort(s->causes, s->n_causes, sizeof(struct xds_node *), by_resource);
}

static void follow(struct search *s, struct xds_graph_name *name)
{
    s->trail = xds_arena_room(s->in->scratch, s->trail, s->n_trail, &s->cap_trail,
                              sizeof(struct xds_graph_name *));
    s->trail[s->n_trail++] = name;
}

/* Aggregate clusters that lead to what is hit, and clusters of endpoints that are. */
static void hit_clusters(struct search *s)
{
    for (struct xds_node *n = s->graph->first[XDS_TYPE_CLUSTER]; n; n = n->next)
        for (const struct xds_ref *ref = n->refs; counts(s, n) && ref < xds_refs_end(n);
             ref++)
            if (ref->name->is_hit || ref->name->type == XDS_TYPE_CLUSTER)
                add_edge(s, &s->of_clusters, n, ref);
    sort_edges(s, &s->of_clusters);
    for (size_t i = 0; i < s->n_causes; i++)
        follow(s, s->causes[i]->name);
    while (s->n_trail > 0) {
        size_t n;
        const struct edge *edge = edges_to(&s->of_clusters, s->trail[--s->n_trail], &n);

        for (; n > 0; n--, edge++) {
            struct xds_graph_name *name = edge->from->name;

            if (name->is_hit)
                continue;
            name->is_hit = true;
            number(s, name);
            follow(s, name);
        }
    }
}

/* How many of its routes lead to what is hit; all when it is rejected itself. */
static size_t hit_routes(struct search *s, struct xds_node *node)
{
    size_t sum = 0;

    for (const struct xds_ref *ref = node->refs; ref < xds_refs_end(node); ref++)
        if (ref->name->type == XDS_TYPE_CLUSTER && ref->name->is_hit) {
            add_edge(s, &s->of_routes, node, ref);
            sum += routes_of(ref);
        }
    return is_rejected(s, node) || sum > node->routes->n_routes ? node->routes->n_routes
                                                                : sum;
}

static void hit_route_configs(struct search *s, struct xds_impact_sum *sum)
{
    for (struct xds_node *n = s->graph->first[XDS_TYPE_ROUTE]; n; n = n->next) {
        if (!counts(s, n))
            continue;
        const size_t routes = hit_routes(s, n);

        sum->routes += routes;
        if (routes == 0 && !n->name->is_hit)
            continue;
        number(s, n->name);
        n->name->is_hit = true;
        sum->route_configs++;
    }
}

/* Servers do not use clusters: they are hit by what is wrong in the routes alone. */
static bool is_hit_by(const struct search *s, const struct xds_node *listener,
                      const struct xds_ref *ref)
{
    return ref->name->type == XDS_TYPE_ROUTE && ref->name->is_hit && xds_ref_to(ref) &&
           (!listener->listener->for_servers || is_rejected(s, xds_ref_to(ref)));
}

/* Those of clients come first. */
static void hit_listeners(struct search *s, struct xds_impact_sum *sum, bool of_servers)
{
    for (struct xds_node *n = s->graph->first[XDS_TYPE_LISTENER]; n; n = n->next) {
        if (n->listener->for_servers != of_servers || !counts(s, n))
            continue;
        const size_t routes = of_servers ? 0 : hit_routes(s, n);
        bool is_hit = routes > 0 || is_rejected(s, n);

        sum->routes += routes;
        for (const struct xds_ref *ref = n->refs; ref < xds_chain_refs_end(n); ref++)
            if (is_hit_by(s, n, ref)) {
                add_edge(s, &s->of_listeners, n, ref);
                is_hit = true;
            }
        sum->listeners += is_hit;
    }
}

/* ---- one cause ---- */

static void add_name(struct search *s, struct xds_dependents *to, struct xds_slice *names,
                     const struct xds_node *node)
{
    to->n++;
    if (to->n_names < MOST_NAMES)
        names[to->n_names++] = s->in->report->resources[node->resource].name;
}

static bool is_new(struct search *s, struct xds_node *node)
{
    const bool is = node->stamp != s->stamp;

    node->stamp = s->stamp;
    return is;
}

struct lists {
    struct xds_slice listeners[MOST_NAMES], route_configs[MOST_NAMES],
        clusters[MOST_NAMES];
};

/* of_servers: all listeners that name the route configuration. */
static void add_listeners(struct search *s, struct xds_impact *out, struct lists *lists,
                          const struct xds_node *config, bool of_servers)
{
    size_t n;
    const struct edge *edge = edges_to(&s->of_listeners, config->name, &n);

    if (!of_servers)
        n = n > 0 ? s->n_clients[config->name->ref] : 0;
    const size_t all = out->listeners.n + n;

    for (; n > 0 && out->listeners.n_names < MOST_NAMES; n--, edge++)
        add_name(s, &out->listeners, lists->listeners, edge->from);
    out->listeners.n = all;
}

static void add_routes(struct search *s, struct xds_impact *out, struct lists *lists,
                       const struct xds_graph_name *cluster)
{
    size_t n;
    const struct edge *edge = edges_to(&s->of_routes, cluster, &n);

    for (s->steps += n; n > 0; n--, edge++) {
        out->routes += routes_of(edge->ref);
        if (!is_new(s, edge->from))
            continue;
        if (edge->from->listener) {
            add_name(s, &out->listeners, lists->listeners, edge->from);
        } else {
            add_name(s, &out->route_configs, lists->route_configs, edge->from);
            add_listeners(s, out, lists, edge->from, false);
        }
    }
}

static void add_clusters(struct search *s, struct xds_impact *out, struct lists *lists,
                         struct xds_node *cause)
{
    if (xds_node_type(cause) == XDS_TYPE_CLUSTER && is_new(s, cause->name->node))
        add_name(s, &out->clusters, lists->clusters, cause);
    follow(s, cause->name);
    while (s->n_trail > 0) {
        const struct xds_graph_name *name = s->trail[--s->n_trail];
        size_t n;
        const struct edge *edge = edges_to(&s->of_clusters, name, &n);

        out->is_open |= s->steps >= MOST_STEPS;
        if (out->is_open)
            continue;
        add_routes(s, out, lists, name);
        for (s->steps += n; n > 0; n--, edge++)
            if (is_new(s, edge->from)) {
                add_name(s, &out->clusters, lists->clusters, edge->from);
                follow(s, edge->from->name);
            }
    }
}

static void keep_names(struct xds_report *report, struct xds_dependents *of,
                       const struct xds_slice *names)
{
    struct xds_slice *copy = XDS_NEW_ARRAY(&report->arena, struct xds_slice, of->n_names);

    if (of->n_names > 0)
        memcpy(copy, names, of->n_names * sizeof *copy);
    of->names = copy;
}

static void look_at(struct search *s, struct xds_node *cause)
{
    struct xds_impact out = {.resource = cause->resource};
    struct lists lists;

    s->stamp++;
    switch (xds_node_type(cause)) {
    case XDS_TYPE_LISTENER:
        out.routes = cause->routes->n_routes;
        add_name(s, &out.listeners, lists.listeners, cause);
        break;
    case XDS_TYPE_ROUTE:
        out.routes = cause->routes->n_routes;
        add_name(s, &out.route_configs, lists.route_configs, cause);
        add_listeners(s, &out, &lists, cause, true);
        break;
    case XDS_TYPE_CLUSTER:
    case XDS_TYPE_ENDPOINT:
        add_clusters(s, &out, &lists, cause);
        break;
    case XDS_TYPE_UNKNOWN:
        return;
    }
    keep_names(s->in->report, &out.listeners, lists.listeners);
    keep_names(s->in->report, &out.route_configs, lists.route_configs);
    keep_names(s->in->report, &out.clusters, lists.clusters);
    xds_report_add_impact(s->in->report, &out);
}

void xds_graph_find_impact(const struct xds_inspection *in, struct xds_graph *graph)
{
    struct search s = {.in = in, .graph = graph};
    struct xds_impact_sum *sum = &in->report->impact.sum;

    find_causes(&s);
    if (s.n_causes == 0)
        return;
    sum->causes += s.n_causes;
    hit_clusters(&s);
    for (const struct xds_node *n = graph->first[XDS_TYPE_CLUSTER]; n; n = n->next)
        sum->clusters += n->name->is_hit && n->name->node == n;
    hit_route_configs(&s, sum);
    hit_listeners(&s, sum, false);

    const size_t n_of_clients = s.of_listeners.n;

    s.n_clients = XDS_NEW_ARRAY(in->scratch, size_t, s.n + 1);
    for (size_t i = 0; i < n_of_clients; i++)
        s.n_clients[s.of_listeners.list[i].ref->name->ref]++;
    hit_listeners(&s, sum, true);
    sort_edges(&s, &s.of_routes);
    sort_edges(&s, &s.of_listeners);
    for (size_t i = 0; i < s.n_causes && i < MOST_CAUSES; i++)
        look_at(&s, s.causes[i]);
}
