/*
 * observe_elsewhere.c - find an address in clusters that the RPC does not reach.
 *
 * Source: spec routing 2.1, 2.2, 3.2 and 12.
 */
#include "explain/observe_elsewhere.h"

#include "explain/observe_place.h"
#include "route/accepted.h"
#include "route/match.h"

/* Clusters, and routes of one cluster, that are spoken of. */
enum { MAX_CLUSTERS = 4, MAX_ROUTES = 4, MAX_AGGREGATES = 1000 };

void xds_sentences_init(struct xds_sentences *out, struct xds_arena *arena, size_t cap)
{
    *out = (struct xds_sentences){
        .arena = arena, .list = XDS_NEW_ARRAY(arena, struct xds_slice, cap), .cap = cap};
}

void xds_sentences_add(struct xds_sentences *out, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    const struct xds_slice text = xds_arena_vprintf(out->arena, format, args);
    va_end(args);
    for (size_t i = 0; i < out->n; i++)
        if (xds_slice_eq(out->list[i], text))
            return;
    if (out->n < out->cap)
        out->list[out->n++] = text;
}

struct tour {
    const struct xds_lb *lb;
    const struct xds_decision *d;
    const struct xds_strmap *followed;
    struct xds_slice address;
    struct xds_sentences *out;
    size_t *budget;
    struct xds_rpc rpc; /* asks matchers; an undecided regex says no more than that */
    bool found;         /* in any cluster, followed or not */
    size_t n_clusters, n_routes;
};

static struct xds_slice quoted(const struct tour *t, struct xds_slice name)
{
    return xds_excerpt(t->out->arena, name);
}

/* ---- routes ---- */

/* Is `leaf` the cluster, or one of those that the aggregate is made of? */
static bool leads_to(struct xds_slice cluster, const struct xds_strmap *above,
                     struct xds_slice leaf)
{
    return xds_slice_eq(cluster, leaf) || xds_strmap_get(above, cluster);
}

/* The weighted entry, or the route itself, that leads to the leaf. */
struct lead {
    bool found;
    bool weightless; /* every entry that does has weight 0 */
    struct xds_slice cluster;
};

static struct lead lead_of(const struct xds_route *route, const struct xds_strmap *above,
                           struct xds_slice leaf)
{
    struct lead lead = {.found = false};

    if (route->action == XDS_ACTION_CLUSTER) {
        lead.found = leads_to(route->cluster, above, leaf);
        lead.cluster = route->cluster;
    }
    for (size_t i = 0; i < route->n_weighted; i++) {
        const struct xds_weighted_cluster *entry = &route->weighted[i];
        if (!leads_to(entry->name, above, leaf) || (lead.found && !lead.weightless))
            continue;
        lead = (struct lead){true, entry->weight == 0, entry->name};
    }
    return lead;
}

/* Criteria of the match that fail; *reason is that of the first. */
static size_t count_failures(const struct tour *t, const struct xds_route_match *match,
                             struct xds_slice *reason)
{
    struct xds_slice here;
    size_t n = 0;

    if (!xds_path_matches(&t->rpc, &match->path, &here) && n++ == 0)
        *reason = here;
    for (size_t i = 0; i < match->n_headers; i++)
        if (!xds_header_matches(&t->rpc, &match->headers[i], &here) && n++ == 0)
            *reason = here;
    return n;
}

static const struct xds_route_try *try_of(const struct xds_decision *d, size_t index)
{
    for (size_t i = 0; i < d->walk.n_tries; i++)
        if (d->walk.tries[i].index == index)
            return &d->walk.tries[i];
    return NULL;
}

static bool comes_to(const struct xds_decision *d, struct xds_slice cluster)
{
    for (size_t i = 0; i < d->n_clusters; i++)
        if (xds_slice_eq(d->clusters[i].name, cluster))
            return true;
    return false;
}

/* The route matches as far as the request can tell. */
static void say_matching_route(struct tour *t, size_t index, const struct lead *lead)
{
    const struct xds_decision *d = t->d;
    const struct xds_route_try *try = try_of(d, index);
    const struct xds_slice name = quoted(t, lead->cluster);

    if (!try)
        xds_sentences_add(t->out,
                          "route #%zu leads to cluster %.*s and matches, but route #%zu "
                          "comes first and matches too",
                          index, XDS_FMT(name),
                          d->walk.n_tries ? d->walk.tries[d->walk.n_tries - 1].index : 0);
    else if (try->matched == XDS_CHANCE_NO)
        xds_sentences_add(t->out, "route #%zu leads to cluster %.*s, but: %.*s", index,
                          XDS_FMT(name), XDS_FMT(try->reason));
    else if (lead->weightless)
        xds_sentences_add(
            t->out, "route #%zu matches the RPC, but gives cluster %.*s the weight 0",
            index, XDS_FMT(name));
    else if (comes_to(d, lead->cluster))
        xds_sentences_add(t->out,
                          "route #%zu leads to cluster %.*s, but a filter ends the RPC "
                          "before a host is picked",
                          index, XDS_FMT(name));
    else
        xds_sentences_add(
            t->out, "route #%zu matches the RPC, but %s another cluster than %.*s", index,
            d->cluster && d->cluster->why == XDS_CLUSTER_COOKIE
                ? "the session cookie names"
                : "the given random numbers choose",
            XDS_FMT(name));
}

static void say_route(struct tour *t, size_t index, const struct xds_route *route,
                      const struct lead *lead)
{
    const struct xds_slice name = quoted(t, lead->cluster);
    struct xds_slice reason = {NULL, 0};

    if (route->skipped_by & XDS_CLIENT_BIT(t->rpc.client)) {
        xds_sentences_add(
            t->out, "route #%zu leads to cluster %.*s, but this client ignores it: %s",
            index, XDS_FMT(name),
            route->skip_reason ? route->skip_reason : "not usable for gRPC");
        return;
    }
    const size_t n = count_failures(t, &route->match, &reason);
    if (n == 0)
        say_matching_route(t, index, lead);
    else if (n == 1)
        xds_sentences_add(
            t->out, "route #%zu leads to cluster %.*s, but does not match the RPC: %.*s",
            index, XDS_FMT(name), XDS_FMT(reason));
    else
        xds_sentences_add(t->out,
                          "route #%zu leads to cluster %.*s, but does not match the RPC "
                          "for %zu reasons, the first: %.*s",
                          index, XDS_FMT(name), n, XDS_FMT(reason));
}

static void look_at_host(struct tour *t, const struct xds_virtual_host *host,
                         const struct xds_strmap *above, struct xds_slice leaf)
{
    const bool chosen = host == t->d->virtual_host.host;

    for (size_t i = 0; i < host->n_routes && t->n_routes < MAX_ROUTES; i++) {
        const struct lead lead = lead_of(&host->routes[i], above, leaf);
        if (!lead.found)
            continue;
        t->n_routes++;
        if (chosen) {
            say_route(t, i, &host->routes[i], &lead);
            continue;
        }
        const struct xds_slice name = quoted(t, host->name);
        xds_sentences_add(t->out,
                          "virtual host %.*s has a route to it, but the authority of "
                          "this RPC does not choose that virtual host",
                          XDS_FMT(name));
        return;
    }
}

/* ---- clusters ---- */

/* Names of the aggregates that the leaf belongs to. */
static void find_aggregates(struct tour *t, struct xds_slice leaf,
                            struct xds_strmap *above)
{
    const struct xds_snapshot_entry *e = t->lb->snapshot->first[XDS_TYPE_CLUSTER];
    size_t n = 0;

    xds_strmap_init(above, t->out->arena);
    for (; e && n < MAX_AGGREGATES; e = e->next) {
        const struct xds_cluster *cluster = e->model;
        if (!cluster || cluster->kind != XDS_CLUSTER_AGGREGATE)
            continue;
        n++;
        const struct xds_leaves leaves = xds_aggregate_leaves(t->lb, e->name);
        for (size_t i = 0; i < leaves.n; i++)
            if (xds_slice_eq(leaves.list[i].name, leaf))
                *xds_strmap_at(above, e->name) = t;
    }
}

static void say_routes(struct tour *t, struct xds_slice leaf)
{
    const struct xds_route_config *config = t->d->route_config;
    struct xds_strmap above;

    t->n_routes = 0;
    if (!config)
        return;
    find_aggregates(t, leaf, &above);
    if (t->d->virtual_host.host)
        look_at_host(t, t->d->virtual_host.host, &above, leaf);
    for (size_t i = 0; i < config->n_virtual_hosts; i++)
        if (&config->virtual_hosts[i] != t->d->virtual_host.host)
            look_at_host(t, &config->virtual_hosts[i], &above, leaf);
    if (t->n_routes == 0) {
        const struct xds_slice name = quoted(t, leaf);
        xds_sentences_add(t->out, "no route of this listener leads to cluster %.*s",
                          XDS_FMT(name));
    }
}

static bool is_rejected(const struct tour *t, const struct xds_snapshot_entry *e)
{
    return (e->nacked_by & XDS_CLIENT_BIT(t->rpc.client)) != 0;
}

/* Why the RPC does not come to a cluster, as far as the resources themselves say. */
static const char *fault_of(const struct tour *t,
                            const struct xds_snapshot_entry *cluster,
                            const struct xds_snapshot_entry *endpoints)
{
    if (is_rejected(t, cluster))
        return ", but this client rejects that cluster (NACK)";
    if (is_rejected(t, endpoints))
        return ", but this client rejects the endpoints of that cluster (NACK)";
    return NULL;
}

static void say_place(struct tour *t, const struct xds_snapshot_entry *cluster,
                      const char *fault, const struct xds_address_place *place)
{
    const struct xds_slice name = quoted(t, cluster->name);
    const struct xds_slice where = xds_address_place_text(t->out->arena, place);

    t->found = true;
    if (xds_strmap_get(t->followed, cluster->name) || t->n_clusters == MAX_CLUSTERS)
        return;
    t->n_clusters++;
    xds_sentences_add(t->out, "%.*s is in cluster %.*s (%.*s)%s%s", XDS_FMT(t->address),
                      XDS_FMT(name), XDS_FMT(where),
                      place->locality->weight > 0 ? "" : ", in a locality without weight",
                      fault ? fault : ", which the RPC does not reach");
    if (!fault)
        say_routes(t, cluster->name);
}

/* Of two resources with one name the last one counts. */
static bool is_current(const struct tour *t, enum xds_resource_type type,
                       const struct xds_snapshot_entry *e)
{
    return e->model && xds_snapshot_find(t->lb->snapshot, type, e->name) == e;
}

/* Assignments that hold the address: struct xds_address_place by their name. */
static void find_places(struct tour *t, struct xds_strmap *places)
{
    const struct xds_snapshot_entry *e = t->lb->snapshot->first[XDS_TYPE_ENDPOINT];
    static const struct xds_cluster eds = {.kind = XDS_CLUSTER_EDS};
    const struct xds_leaf leaf = {.cluster = &eds};

    xds_strmap_init(places, t->out->arena);
    for (; e && *t->budget > 0; e = e->next) {
        if (!is_current(t, XDS_TYPE_ENDPOINT, e))
            continue;
        struct xds_address_places here = {.arena = t->out->arena};
        const size_t cost = xds_endpoints_count(e->model) + 1;

        xds_address_places_add(&here, &leaf, 0, e->model, t->address);
        if (here.n)
            *xds_strmap_at(places, e->name) = &here.list[0];
        *t->budget -= cost < *t->budget ? cost : *t->budget;
    }
}

static void say_unused(struct tour *t, const struct xds_strmap *places)
{
    const struct xds_snapshot_entry *e = t->lb->snapshot->first[XDS_TYPE_ENDPOINT];

    for (; e && !t->found; e = e->next) {
        const struct xds_address_place *place = xds_strmap_get(places, e->name);
        if (!place)
            continue;
        t->found = true;
        const struct xds_slice name = quoted(t, e->name);
        xds_sentences_add(t->out,
                          "%.*s is in the endpoints of %.*s%s, but no cluster uses them",
                          XDS_FMT(t->address), XDS_FMT(name),
                          is_rejected(t, e) ? ", which this client rejects (NACK)" : "");
    }
}

static void look_at_clusters(struct tour *t, const struct xds_strmap *places)
{
    const struct xds_snapshot *snapshot = t->lb->snapshot;
    const struct xds_snapshot_entry *e = snapshot->first[XDS_TYPE_CLUSTER];

    for (; e; e = e->next) {
        const struct xds_cluster *cluster = e->model;
        if (!is_current(t, XDS_TYPE_CLUSTER, e) || cluster->kind != XDS_CLUSTER_EDS)
            continue;
        const struct xds_address_place *place = xds_strmap_get(places, cluster->eds_name);
        if (!place)
            continue;
        const struct xds_snapshot_entry *eds =
            xds_snapshot_find(snapshot, XDS_TYPE_ENDPOINT, cluster->eds_name);
        say_place(t, e, eds ? fault_of(t, e, eds) : NULL, place);
    }
}

void xds_elsewhere(const struct xds_lb *lb, const struct xds_decision *d,
                   const struct xds_strmap *followed, struct xds_slice address,
                   bool known, size_t *budget, struct xds_sentences *out)
{
    struct tour t = {.lb = lb,
                     .d = d,
                     .followed = followed,
                     .address = address,
                     .found = known,
                     .out = out,
                     .budget = budget,
                     .rpc = *lb->rpc};
    struct xds_strmap places;

    t.rpc.undecided = NULL;
    find_places(&t, &places);
    look_at_clusters(&t, &places);
    say_unused(&t, &places);
    if (!t.found && *budget > 0)
        xds_sentences_add(out, "no endpoint of the snapshot has the address %.*s",
                          XDS_FMT(address));
}
