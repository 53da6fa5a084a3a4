/*
 * a28.c - the service config that gRFC A28 makes of a virtual host.
 *
 * Source: gRFC A28, spec routing 14.1 to 14.3.
 */
#include "config/a28.h"

/* ---- which routes there are ---- */

/* Only routes to clusters can be said; a note for those that take RPCs all the same. */
static bool is_wanted(struct xds_maker *maker, size_t index,
                      const struct xds_route *route)
{
    if (route->skipped_by & XDS_CLIENT_BIT(maker->client))
        return false;
    switch (route->action) {
    case XDS_ACTION_CLUSTER:
    case XDS_ACTION_WEIGHTED:
        return true;
    case XDS_ACTION_PLUGIN:
        xds_note(maker,
                 "route %zu: the config has no action for a cluster specifier plugin; "
                 "the route is omitted",
                 index);
        return false;
    case XDS_ACTION_NO_SPECIFIER:
        return false;
    case XDS_ACTION_NON_FORWARDING:
    case XDS_ACTION_UNSUPPORTED:
        xds_note(maker,
                 "route %zu: the config has no action that fails RPCs, as \"%s\" does; "
                 "the route is omitted, so later routes take its RPCs",
                 index, route->action_field);
        return false;
    }
    return false;
}

/* What a route may hold besides matchers and clusters. */
static void note_features(struct xds_maker *maker, size_t index,
                          const struct xds_route *route)
{
    if (route->has_timeout)
        xds_note(maker, "route %zu: the config has no field for max_stream_duration",
                 index);
    if (route->retry_policy)
        xds_note(maker, "route %zu: the config has no field for retry_policy", index);
    if (route->n_hash_policies > 0)
        xds_note(maker, "route %zu: the config has no field for hash_policy", index);
    if (route->overrides.n > 0)
        xds_note(maker, "route %zu: the config has no field for typed_per_filter_config",
                 index);
}

/* ---- the policies of actions ---- */

/* The form has the names that C-core had, for every client. */
static struct xds_tree cds_of(struct xds_arena *arena, struct xds_slice cluster)
{
    return xds_policy_list(arena, "cds_experimental",
                           xds_tree_pair(arena, "cluster", xds_tree_string(cluster)));
}

static struct xds_tree policy_of(const struct xds_maker *maker,
                                 const struct xds_action *action)
{
    struct xds_arena *arena = maker->arena;
    struct xds_tree targets = xds_tree_object();

    if (!action->weighted)
        return cds_of(arena, action->targets[0].cluster);
    for (size_t i = 0; i < action->n_targets; i++) {
        const struct xds_action_target *t = &action->targets[i];
        struct xds_tree target = xds_tree_object();

        xds_tree_put(arena, &target, "weight", xds_tree_number((double)t->weight));
        xds_tree_put(arena, &target, "childPolicy", cds_of(arena, t->cluster));
        xds_tree_put_key(arena, &targets, t->cluster, target);
    }
    return xds_policy_list(arena, "weighted_target_experimental",
                           xds_tree_pair(arena, "targets", targets));
}

/* ---- the config ---- */

/* Earlier routes that a dead one is looked for among: the first ones that ask for nothing
 * but a path. */
enum { MAX_COVERS = 100 };

struct a28 {
    struct xds_maker *maker;
    const struct xds_route *cover[MAX_COVERS];
    size_t cover_index[MAX_COVERS], n_covers;
    struct xds_actions actions;
    struct xds_action **action; /* of each entry of `routes` */
    size_t *places;             /* of the same, in the virtual host */
    struct xds_tree routes;
};

static void note_dead(struct a28 *w, size_t index, const struct xds_route *route)
{
    for (size_t i = 0; i < w->n_covers; i++) {
        if (!xds_a28_covers(&w->cover[i]->match, &route->match))
            continue;
        xds_note(w->maker, "route %zu can never match: route %zu takes all of its RPCs",
                 index, w->cover_index[i]);
        return;
    }
    if (w->n_covers == MAX_COVERS || route->match.n_headers > 0 ||
        route->match.fraction_is_set)
        return;
    w->cover[w->n_covers] = route;
    w->cover_index[w->n_covers++] = index;
}

static void add_route(struct a28 *w, size_t index, const struct xds_route *route)
{
    struct xds_tree entry = xds_tree_object();

    if (!is_wanted(w->maker, index, route) ||
        !xds_a28_match(w->maker, index, &route->match, &entry))
        return;
    note_dead(w, index, route);
    note_features(w->maker, index, route);
    w->action[w->routes.n] = xds_actions_add(&w->actions, route);
    w->places[w->routes.n] = index;
    xds_tree_add(w->maker->arena, &w->routes, entry);
}

/* The action map of the config before; NULL when that had none. */
static const struct xds_tree *former_actions(const struct xds_tree *config)
{
    const struct xds_tree *list =
        config ? xds_tree_field(config, "loadBalancingConfig") : NULL;

    if (!list || list->n != 1 || list->items[0].n != 1 ||
        !xds_slice_is(list->items[0].items[0].key, "xds_routing_experimental"))
        return NULL;
    return xds_tree_member(&list->items[0].items[0], "action");
}

/* The only route, without a matcher that could refuse an RPC. */
static bool takes_everything(const struct a28 *w)
{
    const struct xds_tree *route = w->routes.items;
    const struct xds_tree *prefix =
        w->routes.n == 1 && route->n == 1 ? xds_tree_member(route, "prefix") : NULL;

    return prefix && (prefix->text.len == 0 || xds_slice_is(prefix->text, "/"));
}

static struct xds_tree routing_config(struct a28 *w)
{
    struct xds_arena *arena = w->maker->arena;
    struct xds_tree actions = xds_tree_object(), config = xds_tree_object();

    for (size_t i = 0; i < w->actions.n; i++)
        xds_tree_put_key(
            arena, &actions, w->actions.list[i]->name,
            xds_tree_pair(arena, "childPolicy", policy_of(w->maker, w->actions.list[i])));
    for (size_t i = 0; i < w->routes.n; i++)
        xds_tree_put(arena, &w->routes.items[i], "action",
                     xds_tree_string(w->action[i]->name));
    xds_tree_put(arena, &config, "action", actions);
    xds_tree_put(arena, &config, "route", w->routes);
    return xds_policy_list(arena, "xds_routing_experimental", config);
}

struct xds_tree xds_a28_config(struct xds_maker *maker,
                               const struct xds_virtual_host *host,
                               const struct xds_tree *previous, bool single_route,
                               const size_t **places)
{
    struct xds_arena *arena = maker->arena;
    struct a28 w = {.maker = maker, .routes = xds_tree_array()};

    xds_actions_init(&w.actions, arena, host->n_routes);
    w.action = XDS_NEW_ARRAY(arena, struct xds_action *, host->n_routes);
    *places = w.places = XDS_NEW_ARRAY(arena, size_t, host->n_routes);
    for (size_t i = 0; i < host->n_routes; i++)
        add_route(&w, i, &host->routes[i]);
    xds_actions_name(&w.actions, former_actions(previous));
    if (single_route && takes_everything(&w))
        return xds_tree_pair(arena, "loadBalancingConfig", policy_of(maker, w.action[0]));
    return xds_tree_pair(arena, "loadBalancingConfig", routing_config(&w));
}
