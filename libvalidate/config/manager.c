/*
 * manager.c - the children of the cluster manager: one for each cluster that routes name.
 *
 * Source: gRFC A31, spec routing 14.7, G-b, spec cluster 5.1.
 */
#include "config/manager.h"

#include "clients/readers.h"

bool xds_route_forwards(const struct xds_maker *maker, const struct xds_route *route)
{
    if (route->skipped_by & XDS_CLIENT_BIT(maker->client))
        return false;
    switch (route->action) {
    case XDS_ACTION_CLUSTER:
    case XDS_ACTION_WEIGHTED:
    case XDS_ACTION_PLUGIN:
        return true;
    case XDS_ACTION_NO_SPECIFIER:
    case XDS_ACTION_NON_FORWARDING:
    case XDS_ACTION_UNSUPPORTED:
        return false;
    }
    return false;
}

struct manager {
    struct xds_maker *maker;
    struct xds_strmap plugins; /* their lists of policies, by name */
    struct xds_strmap seen;
    struct xds_tree children;
};

static void add_child(struct manager *w, struct xds_slice key, struct xds_tree policy)
{
    const struct xds_maker *maker = w->maker;
    void **slot = xds_strmap_at(&w->seen, key);

    if (*slot)
        return;
    *slot = w;
    xds_tree_put_key(maker->arena, &w->children, key,
                     xds_tree_pair(maker->arena, maker->dialect->manager_child, policy));
}

static void add_cluster(struct manager *w, struct xds_slice cluster)
{
    const struct xds_maker *maker = w->maker;
    const struct xds_slice prefix =
        maker->dialect->bare_clusters ? XDS_S("") : XDS_S("cluster:");

    add_child(w, xds_arena_concat(maker->arena, prefix, cluster),
              xds_cds_policy(maker, cluster));
}

/* A plugin whose config cannot be said has no policy: the client would not have the
 * route, so this is seen with configurations that are not accepted. */
static void add_plugin(struct manager *w, struct xds_slice name)
{
    const struct xds_tree *policy = xds_strmap_get(&w->plugins, name);

    if (policy)
        add_child(
            w,
            xds_arena_concat(w->maker->arena, XDS_S("cluster_specifier_plugin:"), name),
            *policy);
    else
        xds_note(w->maker, "the config of cluster specifier plugin \"%.*s\" is unknown",
                 XDS_FMT(name));
}

/* An entry of weight 0 takes no RPC, but java and node watch its cluster all the same. */
static bool has_child(const struct xds_maker *maker,
                      const struct xds_weighted_cluster *entry)
{
    return entry->weight > 0 ||
           xds_differs(maker->options, maker->client, XDS_DIFF_CLUSTER_WEIGHT_0_KEPT);
}

static void add_route(struct manager *w, const struct xds_route *route)
{
    if (!xds_route_forwards(w->maker, route))
        return;
    if (route->action == XDS_ACTION_CLUSTER)
        add_cluster(w, route->cluster);
    else if (route->action == XDS_ACTION_PLUGIN)
        add_plugin(w, route->cluster);
    for (size_t i = 0; i < route->n_weighted; i++)
        if (has_child(w->maker, &route->weighted[i]))
            add_cluster(w, route->weighted[i].name);
}

/* A map holds what can be written to. */
static struct xds_tree *copy_of(struct xds_arena *arena, const struct xds_tree *tree)
{
    struct xds_tree *copy = XDS_NEW(arena, struct xds_tree);

    *copy = *tree;
    return copy;
}

struct xds_tree xds_manager_config(struct xds_maker *maker,
                                   const struct xds_virtual_host *host,
                                   const struct xds_route_config *config)
{
    struct manager w = {.maker = maker, .children = xds_tree_object()};

    xds_strmap_init(&w.seen, maker->arena);
    xds_strmap_init(&w.plugins, maker->arena);
    for (size_t i = 0; config && i < config->n_plugins; i++)
        *xds_strmap_at(&w.plugins, config->plugins[i].name) =
            copy_of(maker->arena, config->plugins[i].policy);
    for (size_t i = 0; i < host->n_routes; i++)
        add_route(&w, &host->routes[i]);
    return xds_tree_pair(
        maker->arena, "loadBalancingConfig",
        xds_policy_list(
            maker->arena, maker->dialect->cluster_manager,
            xds_tree_pair(maker->arena, maker->dialect->manager_children, w.children)));
}
