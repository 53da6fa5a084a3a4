/*
 * event_routes.c - turn the routes of an event into the model that route/ works with.
 *
 * of its prefix. Gives:  a virtual host whose texts are copied, so that RPCs may hold its
 * routes. Fails:  what no client accepts: a route without or with several destinations, a
 * cluster without a name, weights that add up to nothing or too much; and for node a
 *         cluster specifier plugin.
 * Source: spec routing 2.1, 3.1, 3.2.
 */
#include "scenario/scenario.h"

#include "clients/readers.h"

static bool check_keys(struct xds_play *play, const struct xds_tree *object,
                       const char *what, const char *const *keys)
{
    if (object->kind != XDS_TREE_OBJECT)
        return xds_play_fault(play, object, "%s in \"routes\" must be an object", what);
    for (size_t i = 0; i < object->n; i++) {
        const char *const *key = keys;

        while (*key && !xds_slice_is(object->items[i].key, *key))
            key++;
        if (!*key)
            return xds_play_fault(play, &object->items[i], "%s has no key \"%.*s\"", what,
                                  XDS_FMT(object->items[i].key));
    }
    return true;
}

static struct xds_slice read_name(struct xds_play *play, const struct xds_tree *object,
                                  const char *key)
{
    const struct xds_slice name = xds_event_text(play, object, key);

    if (!play->failed && name.len == 0)
        xds_play_fault(play, object, "\"%s\" must be a name", key);
    return xds_arena_dup(play->machine.arena, name);
}

/* ---- destinations ---- */

static void read_cluster(struct xds_play *play, const struct xds_tree *object,
                         struct xds_route *route)
{
    route->action = XDS_ACTION_CLUSTER;
    route->action_field = "cluster";
    route->cluster = read_name(play, object, "cluster");
}

static void read_plugin(struct xds_play *play, const struct xds_tree *object,
                        struct xds_route *route)
{
    const enum xds_client client = play->machine.client;
    const bool reads = xds_env_on(play->machine.options, XDS_ENV_RLS_LB, client);

    route->action = XDS_ACTION_PLUGIN;
    route->action_field = "cluster_specifier_plugin";
    route->cluster = read_name(play, object, "plugin");
    if (xds_newest_differs(client, XDS_DIFF_PLUGIN_ROUTE_REJECTED))
        xds_play_fault(play, xds_tree_member(object, "plugin"),
                       "\"plugin\" is not supported: %s rejects a route with a cluster "
                       "specifier plugin",
                       xds_client_name(client));
    if (!reads) {
        route->skipped_by = XDS_CLIENT_BIT(client);
        route->skip_reason = "unsupported cluster specifier plugin";
    }
}

static uint64_t read_entry(struct xds_play *play, const struct xds_tree *object,
                           struct xds_weighted_cluster *out)
{
    static const char *const keys[] = {"name", "weight", NULL};

    if (!check_keys(play, object, "an entry of weighted_clusters", keys))
        return 0;
    out->name = read_name(play, object, "name");
    out->weight = (uint32_t)xds_event_number(play, object, "weight", UINT32_MAX, 0);
    return out->weight;
}

static void read_weighted(struct xds_play *play, const struct xds_tree *object,
                          struct xds_route *route)
{
    const struct xds_tree *list = xds_event_array(play, object, "weighted_clusters");
    struct xds_weighted_cluster *entries;
    uint64_t sum = 0;

    if (play->failed)
        return;
    entries = XDS_NEW_ARRAY(play->machine.arena, struct xds_weighted_cluster, list->n);
    for (size_t i = 0; i < list->n && !play->failed; i++)
        sum += read_entry(play, &list->items[i], &entries[i]);
    if (!play->failed && (sum == 0 || sum > UINT32_MAX))
        xds_play_fault(
            play, list,
            "the weights of \"weighted_clusters\" must add up to 1 to %lu, not %llu",
            (unsigned long)UINT32_MAX, (unsigned long long)sum);
    route->action = XDS_ACTION_WEIGHTED;
    route->action_field = "weighted_clusters";
    route->weighted = entries;
    route->n_weighted = list->n;
}

static const struct destination {
    const char *key;
    void (*read)(struct xds_play *play, const struct xds_tree *object,
                 struct xds_route *route);
} destinations[] = {
    {"cluster", read_cluster},
    {"weighted_clusters", read_weighted},
    {"plugin", read_plugin},
};

static const struct destination *find_destination(struct xds_play *play,
                                                  const struct xds_tree *object)
{
    const struct destination *found = NULL;
    size_t n = 0;

    for (size_t i = 0; i < XDS_ARRAY_LEN(destinations); i++) {
        const struct xds_tree *value = xds_tree_member(object, destinations[i].key);

        if (!value || value->kind == XDS_TREE_NULL)
            continue;
        found = &destinations[i];
        n++;
    }
    if (n == 1)
        return found;
    xds_play_fault(play, object,
                   "a route must have one of \"cluster\", \"weighted_clusters\" and "
                   "\"plugin\", not %zu",
                   n);
    return NULL;
}

/* ---- routes ---- */

static void read_route(struct xds_play *play, const struct xds_tree *object,
                       struct xds_route *route)
{
    static const char *const keys[] = {"prefix", "cluster", "weighted_clusters", "plugin",
                                       NULL};

    if (!check_keys(play, object, "a route", keys))
        return;
    if (!xds_tree_member(object, "prefix")) {
        xds_play_fault(play, object, "\"prefix\" is missing");
        return;
    }
    route->match.path = (struct xds_path_matcher){
        .kind = XDS_MATCH_PREFIX,
        .text =
            xds_arena_dup(play->machine.arena, xds_event_text(play, object, "prefix")),
        .case_sensitive = true};

    const struct destination *destination = find_destination(play, object);

    if (destination)
        destination->read(play, object, route);
}

const struct xds_virtual_host *xds_event_routes(struct xds_play *play,
                                                const struct xds_tree *event)
{
    const struct xds_tree *member = xds_tree_member(event, "routes");
    const struct xds_tree *list = xds_event_array(play, event, "routes");

    if (!member) {
        xds_play_fault(play, event,
                       "\"routes\" is missing; null means that they are gone");
        return NULL;
    }
    if (play->failed || member->kind == XDS_TREE_NULL)
        return NULL;

    struct xds_virtual_host *host = XDS_NEW(play->machine.arena, struct xds_virtual_host);
    struct xds_route *routes =
        XDS_NEW_ARRAY(play->machine.arena, struct xds_route, list->n);

    for (size_t i = 0; i < list->n && !play->failed; i++)
        read_route(play, &list->items[i], &routes[i]);
    host->routes = routes;
    host->n_routes = list->n;
    return host;
}
