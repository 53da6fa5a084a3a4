/*
 * walk.c - from the listeners that are asked for to all that they lead to.
 *
 * Of the routes only those of the virtual host count that fits the target; names are
 * those for which the client has a child (xds_route_leads), so also what weights of 0 do.
 *
 * Source: gRFC A27, A28, A30, A37, A74; spec cluster 5, 10.
 */
#include <stdlib.h>

#include "ads/inner.h"
#include "base/limits.h"
#include "model/cluster.h"
#include "model/listener.h"
#include "model/tree.h"
#include "route/route.h"

/* ---- what a resource leads to ---- */

struct gathering {
    struct xds_ads *ads;
    struct xds_ads_routes *routes;
    const struct xds_route_config *config;
    struct xds_ads_host *host;
    struct xds_strmap seen; /* in the host */
};

static void add_name(struct gathering *g, struct xds_slice name)
{
    struct xds_ads_host *host = g->host;
    struct xds_strmap_entry *entry = xds_strmap_entry_at(&g->seen, name);

    if (entry->value || name.len == 0)
        return;
    entry->value = g;
    host->names = xds_arena_room(&g->routes->arena, host->names, host->n, &host->cap,
                                 sizeof *host->names);
    host->names[host->n++] = xds_arena_dup(&g->routes->arena, name);
}

/* The RLS policy asks for the cluster that it has for want of an answer; which others
 * there are is decided by its lookups (A37). */
static struct xds_slice default_target(const struct xds_route_config *config,
                                       struct xds_slice plugin)
{
    const struct xds_tree *config_of = NULL, *target;

    for (size_t i = 0; i < config->n_plugins; i++)
        if (xds_slice_eq(config->plugins[i].name, plugin) &&
            config->plugins[i].policy->n > 0)
            config_of =
                xds_tree_member(&config->plugins[i].policy->items[0], "rls_experimental");
    if (config_of)
        config_of = xds_tree_member(config_of, "routeLookupConfig");
    target = config_of ? xds_tree_member(config_of, "defaultTarget") : NULL;
    return target && target->kind == XDS_TREE_STRING ? target->text : XDS_S("");
}

static void lead(void *user, bool plugin, struct xds_slice name)
{
    struct gathering *g = user;

    add_name(g, plugin ? default_target(g->config, name) : name);
}

static void keep_config(struct xds_ads *ads, struct xds_ads_routes *routes,
                        const struct xds_route_config *config)
{
    struct gathering g = {.ads = ads, .routes = routes, .config = config};
    struct xds_arena *arena = &routes->arena;
    const size_t n = config->n_virtual_hosts;
    struct xds_virtual_host *hosts = XDS_NEW_ARRAY(arena, struct xds_virtual_host, n);

    routes->hosts = XDS_NEW_ARRAY(arena, struct xds_ads_host, n);
    for (size_t i = 0; i < n; i++) {
        const struct xds_virtual_host *host = &config->virtual_hosts[i];
        struct xds_slice *domains =
            XDS_NEW_ARRAY(arena, struct xds_slice, host->n_domains);

        for (size_t k = 0; k < host->n_domains; k++)
            domains[k] = xds_arena_dup(arena, host->domains[k]);
        hosts[i].domains = domains;
        hosts[i].n_domains = host->n_domains;
        g.host = &routes->hosts[i];
        xds_strmap_init(&g.seen, &ads->scratch);
        for (size_t k = 0; k < host->n_routes; k++)
            xds_route_leads(&ads->options, ads->settings.as.client, &host->routes[k],
                            lead, &g);
    }
    routes->config =
        (struct xds_route_config){.virtual_hosts = hosts, .n_virtual_hosts = n};
}

static void add_rds(struct xds_ads_routes *routes, struct xds_slice name)
{
    for (size_t i = 0; i < routes->n_rds; i++)
        if (xds_slice_eq(routes->rds[i], name))
            return;
    routes->rds = xds_arena_room(&routes->arena, routes->rds, routes->n_rds,
                                 &routes->cap_rds, sizeof *routes->rds);
    routes->rds[routes->n_rds++] = xds_arena_dup(&routes->arena, name);
}

static void keep_routes(struct xds_ads *ads, struct xds_ads_entry *entry,
                        const void *model)
{
    struct xds_ads_routes *routes =
        xds_arena_realloc(&ads->scratch, NULL, 1, sizeof *routes);

    memset(routes, 0, sizeof *routes);
    routes->arena.guard = ads->scratch.guard;
    entry->routes = routes;
    if (entry->type == XDS_TYPE_ROUTE) {
        keep_config(ads, routes, model);
        return;
    }
    const struct xds_listener *listener = model;

    routes->is_api = listener->is_api_listener;
    if (listener->rds_name.len > 0)
        add_rds(routes, listener->rds_name);
    if (listener->is_api_listener && listener->route_config)
        keep_config(ads, routes, listener->route_config);
    for (size_t i = 0; !listener->is_api_listener && i < listener->n_chains; i++)
        if (listener->chains[i].rds_name.len > 0)
            add_rds(routes, listener->chains[i].rds_name);
}

static bool same_names(const struct xds_ads_next *next, bool is_aggregate,
                       const struct xds_slice *names, size_t n)
{
    if (!next)
        return n == 0;
    if (next->is_aggregate != is_aggregate || next->n != n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (!xds_slice_eq(next->names[i], names[i]))
            return false;
    return true;
}

static void note_growth(struct xds_ads *ads, struct xds_ads_entry *cluster)
{
    if (ads->walk.n_grown == ads->walk.cap_grown) {
        const size_t cap = ads->walk.cap_grown ? ads->walk.cap_grown * 2 : 16;

        ads->walk.grown = xds_arena_realloc(&ads->scratch, ads->walk.grown, cap,
                                            sizeof *ads->walk.grown);
        ads->walk.cap_grown = cap;
    }
    ads->walk.grown[ads->walk.n_grown++] = cluster;
}

static void keep_next(struct xds_ads *ads, struct xds_ads_entry *entry,
                      const struct xds_cluster *cluster)
{
    const bool is_aggregate = cluster && cluster->kind == XDS_CLUSTER_AGGREGATE;
    const struct xds_slice *names = is_aggregate ? cluster->children
                                    : cluster    ? &cluster->eds_name
                                                 : NULL;
    const size_t n = is_aggregate                                  ? cluster->n_children
                     : cluster && cluster->kind == XDS_CLUSTER_EDS ? 1
                                                                   : 0;

    if (same_names(entry->next, is_aggregate, names, n))
        return;
    size_t size = sizeof(struct xds_ads_next) + n * sizeof(struct xds_slice);

    if (entry->next || is_aggregate)
        ads->walk.stale = true;
    else
        note_growth(ads, entry);
    for (size_t i = 0; i < n; i++)
        size += names[i].len;
    xds_ads_forget_next(entry);
    if (n == 0)
        return;
    struct xds_ads_next *next = xds_arena_realloc(&ads->scratch, NULL, size, 1);
    char *text = (char *)(next->names + n);

    next->is_aggregate = is_aggregate;
    next->n = n;
    for (size_t i = 0; i < n; i++) {
        if (names[i].len > 0)
            memcpy(text, names[i].data, names[i].len);
        next->names[i] = xds_slice_make(text, names[i].len);
        text += names[i].len;
    }
    entry->next = next;
}

void xds_ads_lead(struct xds_ads *ads, struct xds_ads_entry *entry, const void *model)
{
    switch (entry->type) {
    case XDS_TYPE_LISTENER:
    case XDS_TYPE_ROUTE:
        ads->walk.stale = true;
        xds_ads_forget_next(entry);
        if (model)
            keep_routes(ads, entry, model);
        break;
    case XDS_TYPE_CLUSTER:
        keep_next(ads, entry, model);
        break;
    case XDS_TYPE_ENDPOINT:
    case XDS_TYPE_UNKNOWN:
        break;
    }
}

/* ---- the walk ---- */

static struct xds_ads_entry *want(struct xds_ads *ads, enum xds_resource_type type,
                                  struct xds_slice name)
{
    struct xds_ads_entry *entry = xds_ads_find(&ads->list[type], name);
    struct xds_slice authority;

    if (!entry) {
        entry = xds_ads_add(ads, type, name);
        entry->stream = xds_ads_stream_of(ads, name, &authority);
        if (entry->stream == XDS_ADS_NO_STREAM) {
            const struct xds_slice why = xds_arena_printf(
                &ads->scratch, "authority \"%.*s\" is not in the bootstrap",
                XDS_FMT(authority));

            entry->status = XDS_HELD_DOES_NOT_EXIST;
            entry->error = xds_arena_realloc(&ads->scratch, NULL, why.len + 1, 1);
            memcpy(entry->error, why.data, why.len + 1);
        } else {
            ads->streams[entry->stream].line[type].changed = true;
        }
    }
    return entry;
}

/* Clusters to look at, those of less depth first. */
struct queue {
    struct xds_ads_entry **items;
    size_t n, cap;
};

static void want_cluster(struct xds_ads *ads, struct queue *queue, struct xds_slice name,
                         uint32_t depth)
{
    struct xds_ads_entry *entry = want(ads, XDS_TYPE_CLUSTER, name);

    if (entry->wanted == ads->walk.number)
        return;
    entry->wanted = ads->walk.number;
    entry->depth = depth;
    queue->items = xds_arena_room(&ads->scratch, queue->items, queue->n, &queue->cap,
                                  sizeof *queue->items);
    queue->items[queue->n++] = entry;
}

static void walk_routes(struct xds_ads *ads, struct queue *queue,
                        const struct xds_ads_routes *routes, struct xds_slice authority)
{
    const struct xds_virtual_host_choice choice = xds_virtual_host_find(
        &routes->config, &ads->options, ads->settings.as.client, authority);

    if (!choice.host)
        return;
    const struct xds_ads_host *host = &routes->hosts[choice.index];

    for (size_t i = 0; i < host->n; i++)
        want_cluster(ads, queue, host->names[i], 0);
}

static void walk_root(struct xds_ads *ads, struct queue *queue,
                      const struct xds_ads_root *root)
{
    struct xds_ads_entry *listener = want(ads, XDS_TYPE_LISTENER, root->listener);
    const struct xds_ads_routes *routes = listener->routes;

    listener->wanted = ads->walk.number;
    /* A client has no use for a listener of a server, and the reverse. */
    if (!routes || routes->is_api == root->is_server)
        return;
    for (size_t i = 0; i < routes->n_rds; i++) {
        struct xds_ads_entry *route = want(ads, XDS_TYPE_ROUTE, routes->rds[i]);

        route->wanted = ads->walk.number;
        if (route->routes && !root->is_server)
            walk_routes(ads, queue, route->routes, root->authority);
    }
    if (!root->is_server)
        walk_routes(ads, queue, routes, root->authority);
}

static void walk_cluster(struct xds_ads *ads, struct queue *queue,
                         const struct xds_ads_entry *cluster)
{
    const struct xds_ads_next *next = cluster->next;

    for (size_t i = 0; next && i < next->n; i++) {
        if (!next->is_aggregate)
            want(ads, XDS_TYPE_ENDPOINT, next->names[i])->wanted = ads->walk.number;
        else if (cluster->depth + 1 < XDS_MAX_AGGREGATE_DEPTH)
            want_cluster(ads, queue, next->names[i], cluster->depth + 1);
    }
}

static bool is_unwanted(const struct xds_ads *ads, const struct xds_ads_entry *entry)
{
    return entry->wanted != ads->walk.number;
}

/* In delta, the request comes first. */
static bool is_gone(const struct xds_ads *ads, const struct xds_ads_entry *entry)
{
    return is_unwanted(ads, entry) && !(ads->settings.delta && entry->is_asked);
}

static void leave_out(struct xds_ads *ads, enum xds_resource_type type)
{
    const struct xds_ads_list *list = &ads->list[type];

    for (size_t i = 0; i < list->n; i++)
        if (is_unwanted(ads, list->items[i]) && list->items[i]->stream < ads->n_streams)
            ads->streams[list->items[i]->stream].line[type].changed = true;
    xds_ads_purge(ads, type, is_gone);
}

void xds_ads_walk(struct xds_ads *ads)
{
    struct queue queue = {.n = 0};

    for (size_t i = 0; !ads->walk.stale && i < ads->walk.n_grown; i++)
        walk_cluster(ads, &queue, ads->walk.grown[i]);
    ads->walk.n_grown = 0;
    if (!ads->walk.stale)
        return;
    ads->walk.number++;
    for (size_t i = 0; i < ads->n_roots; i++)
        walk_root(ads, &queue, &ads->roots[i]);
    for (size_t i = 0; i < queue.n; i++)
        walk_cluster(ads, &queue, queue.items[i]);
    for (unsigned type = XDS_TYPE_LISTENER; type <= XDS_TYPE_ENDPOINT; type++)
        leave_out(ads, (enum xds_resource_type)type);
    ads->walk.stale = false;
}
