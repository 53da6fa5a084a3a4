/*
 * subject_config_selector.c - plays config_selector: which clusters a channel has
 *                             children for while its routes change under running RPCs.
 *
 * Fails:  at routes that no client accepts; at an RPC before the first update, an id in
 * use, an unknown one, and an RPC that is not where the event wants it; at a choice
 * without a random number. Source: gRFC A31, A60; spec routing 2.1, 3.1, 3.2, 5.6 and 13.
 */
#include "scenario/scenario.h"
#include "clients/readers.h"
#include "generate/config.h"

/* ---- the routes of an event as a virtual host of the model ---- */

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
    if (xds_differs(play->machine.options, client, XDS_DIFF_PLUGIN_ROUTE_REJECTED))
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

/* "routes": [{prefix, cluster | weighted_clusters: [{name, weight}] | plugin}]; null is
 * no virtual host: NULL. All of it is of the play, so that RPCs may hold the routes. */
static const struct xds_virtual_host *read_routes(struct xds_play *play,
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

/* ---- the client ---- */

enum stage {
    STAGE_OVER, /* ended, or not started */
    STAGE_FAILED,
    STAGE_HELD,
    STAGE_SETTLED,
    STAGE_COMMITTED,
};

struct running {
    enum stage stage;
    struct xds_slice id;
    struct xds_slice cookie; /* of rpc_start with hold */
    struct xds_cluster_rpc rpc;
};

struct selector_play {
    struct xds_play *play;
    struct xds_cluster_map map;
    struct xds_cluster_manager manager;
    struct xds_scripted scripted; /* its children, which say nothing */
    struct xds_strmap rpcs;       /* struct running by id */
};

static void on_config(void *user, const struct xds_cluster_config *config)
{
    struct selector_play *self = user;
    struct xds_step *step = self->play->step;
    struct xds_tree list = xds_tree_array();
    struct xds_named_config *children =
        XDS_NEW_ARRAY(self->play->machine.step_arena, struct xds_named_config, config->n);

    for (size_t i = 0; i < config->n; i++) {
        children[i].name = config->keys[i];
        xds_tree_add(step->arena, &list, xds_tree_string(config->keys[i]));
    }
    xds_step_add(step, "service_configs_sent", list);

    const struct xds_slice resolver = XDS_S("resolver");

    if (config->empty)
        xds_machine_say(&self->play->machine, resolver, "sends an empty service config");
    else
        xds_machine_say(&self->play->machine, resolver,
                        "sends a service config with %zu child%s", config->n,
                        config->n == 1 ? "" : "ren");
    if (config->empty) {
        /* Another LB policy takes its place. */
        const struct xds_named_child_list *seen = &self->manager.children.seen;

        for (size_t i = 0; i < seen->n; i++)
            if (seen->list[i]->exists)
                xds_machine_say(&self->play->machine, seen->list[i]->name,
                                "is destroyed");
        self->manager.policy.ops->destroy(&self->manager.policy);
        return;
    }
    if (xds_cluster_config_is_refused(&self->map, config))
        xds_machine_say(&self->play->machine, XDS_S("channel"),
                        "refuses a cluster manager without children and keeps what it "
                        "has");
    else
        xds_cluster_manager_update(&self->manager, children, config->n);
}

static void *open_subject(struct xds_play *play)
{
    struct selector_play *self = XDS_NEW(play->machine.arena, struct selector_play);

    self->play = play;
    xds_cluster_map_init(&self->map, &play->machine,
                         (struct xds_config_sink){self, on_config});
    xds_scripted_init(&self->scripted, play);
    xds_cluster_manager_init(
        &self->manager, &play->machine, NULL,
        xds_slice_of(xds_name_in(play->machine.client, XDS_NAMED_CLUSTER_MANAGER)),
        &self->scripted.maker, -1);
    xds_strmap_init(&self->rpcs, play->machine.arena);
    return self;
}

/* ---- RPCs ---- */

/* The RPC of the event; NULL after a fault. */
static struct running *find_rpc(struct selector_play *self, const struct xds_tree *event)
{
    const struct xds_slice id = xds_event_name(self->play, event, "id");
    struct running *running = self->play->failed ? NULL : xds_strmap_get(&self->rpcs, id);

    if (running && running->stage != STAGE_OVER)
        return running;
    if (!self->play->failed)
        xds_play_fault(self->play, xds_tree_member(event, "id"),
                       "RPC \"%.*s\" does not exist", XDS_FMT(id));
    return NULL;
}

static void fail(struct selector_play *self, struct running *running,
                 struct xds_slice why)
{
    const char *const status = self->map.has_manager ? "UNAVAILABLE" : "INTERNAL";

    running->stage = STAGE_FAILED;
    xds_step_set(self->play->step, "status", xds_tree_text(status));
    if (!self->map.has_manager)
        why = XDS_S("No child policy provided for cluster_manager LB policy: "
                    "{childPolicy={}}");
    xds_machine_say(&self->play->machine, running->id, "fails, %s: %.*s", status,
                    XDS_FMT(why));
}

static void tell_key(struct selector_play *self, const struct running *running)
{
    if (!running->rpc.key.data)
        return;
    xds_step_set(self->play->step, "cluster_key", xds_tree_string(running->rpc.key));
    xds_machine_say(&self->play->machine, running->id, "has the cluster key %.*s",
                    XDS_FMT(running->rpc.key));
}

/* The session filter and the cluster selection filter, then the LB policy. */
static void settle(struct selector_play *self, struct running *running,
                   const struct xds_tree *event, struct xds_slice cookie)
{
    if (!xds_cluster_map_select(&self->map, &running->rpc, cookie)) {
        xds_play_fault(self->play, event,
                       "several clusters can take RPC \"%.*s\"; set \"random\" of "
                       "rpc_start to choose one",
                       XDS_FMT(running->id));
        return;
    }
    running->stage = STAGE_SETTLED;
    tell_key(self, running);
    if (xds_cluster_map_serves(&self->map))
        return;
    xds_cluster_map_release(&self->map, &running->rpc);
    fail(self, running, XDS_S("the channel has no addresses"));
}

/* ---- events ---- */

static void play_update(void *subject, const struct xds_tree *event)
{
    struct selector_play *self = subject;
    const struct xds_virtual_host *host = read_routes(self->play, event);

    if (!self->play->failed)
        xds_cluster_map_update(&self->map, host);
}

/* The RPC that an rpc_start makes; NULL after a fault. */
static struct running *new_rpc(struct selector_play *self, const struct xds_tree *event)
{
    struct xds_play *play = self->play;
    const struct xds_slice id = xds_event_name(play, event, "id");

    if (play->failed)
        return NULL;
    struct xds_strmap_entry *entry = xds_strmap_entry_at(&self->rpcs, id);
    struct running *running = entry->value;

    if (!running) {
        entry->value = running = XDS_NEW(play->machine.arena, struct running);
        running->id = entry->key;
    }
    if (!self->map.current)
        xds_play_fault(
            play, event,
            "\"rpc_start\" comes before the first update; start the RPC after it");
    else if (running->stage != STAGE_OVER && running->stage != STAGE_FAILED)
        xds_play_fault(play, xds_tree_member(event, "id"),
                       "RPC \"%.*s\" is still running", XDS_FMT(id));
    return play->failed ? NULL : running;
}

static void play_start(void *subject, const struct xds_tree *event)
{
    struct selector_play *self = subject;
    struct xds_play *play = self->play;
    struct running *running = new_rpc(self, event);
    const struct xds_slice path = xds_event_name(play, event, "path");
    const struct xds_slice cookie = xds_event_text(play, event, "cookie_cluster");
    const bool hold = xds_event_flag(play, event, "hold", false);

    if (!running || play->failed)
        return;
    const struct xds_request request = {.path = path};
    const struct xds_rpc call = {.client = play->machine.client,
                                 .options = play->machine.options,
                                 .request = &request,
                                 .random = &play->step->random,
                                 .arena = play->machine.step_arena};

    if (xds_cluster_map_start(&self->map, &call, &running->rpc) ==
        XDS_CLUSTER_START_FAILED) {
        fail(self, running, running->rpc.failure);
        return;
    }
    running->stage = STAGE_HELD;
    running->cookie = xds_arena_dup(play->machine.arena, cookie);
    if (hold)
        tell_key(self, running);
    else
        settle(self, running, event, cookie);
}

/* The RPC of the event if it is where the event wants it; NULL after a fault. */
static struct running *find_rpc_at(struct selector_play *self,
                                   const struct xds_tree *event, enum stage wanted)
{
    static const char *const stages[] = {
        [STAGE_OVER] = "has ended",
        [STAGE_FAILED] = "has failed",
        [STAGE_HELD] = "is held before the cluster selection filter",
        [STAGE_SETTLED] = "has passed the cluster selection filter",
        [STAGE_COMMITTED] = "is already committed",
    };
    struct running *running = find_rpc(self, event);

    if (!running || running->stage == wanted)
        return running;
    xds_play_fault(self->play, xds_tree_member(event, "id"), "RPC \"%.*s\" %s",
                   XDS_FMT(running->id), stages[running->stage]);
    return NULL;
}

static void play_select(void *subject, const struct xds_tree *event)
{
    struct selector_play *self = subject;
    struct running *running = find_rpc_at(self, event, STAGE_HELD);
    const struct xds_slice cookie = xds_event_text(self->play, event, "cookie_cluster");

    if (running && !self->play->failed)
        settle(self, running, event, cookie.data ? cookie : running->cookie);
}

static void play_commit(void *subject, const struct xds_tree *event)
{
    struct selector_play *self = subject;
    struct running *running = find_rpc_at(self, event, STAGE_SETTLED);

    if (!running)
        return;
    running->stage = STAGE_COMMITTED;
    xds_cluster_map_release(&self->map, &running->rpc);
}

static void play_end(void *subject, const struct xds_tree *event)
{
    struct selector_play *self = subject;
    struct running *running = find_rpc(self, event);

    if (!running)
        return;
    running->stage = STAGE_OVER;
    xds_cluster_map_release(&self->map, &running->rpc);
}

/* ---- results ---- */

static void state_of(void *subject, const struct xds_scene *scene,
                     struct xds_tree *result)
{
    const struct selector_play *self = subject;
    const struct xds_named_child_list *seen = &self->manager.children.seen;
    struct xds_arena *arena = self->play->machine.step_arena;
    struct xds_tree in_config = xds_tree_array(), kept = xds_tree_array();

    (void)scene;
    for (size_t i = 0; i < seen->n; i++)
        if (seen->list[i]->exists)
            xds_tree_add(arena, seen->list[i]->in_config ? &in_config : &kept,
                         xds_tree_string(seen->list[i]->name));
    xds_tree_put(arena, result, "lb_children", in_config);
    xds_tree_put(arena, result, "lb_children_kept", kept);
}

static struct xds_scene scene_of(void *subject, struct xds_arena *arena)
{
    const struct selector_play *self = subject;
    const struct xds_named_child_list *seen = &self->manager.children.seen;
    struct xds_scene scene = {0};

    xds_scene_add(&scene, arena, XDS_SCENE_TOP,
                  (struct xds_scene_node){.label = self->manager.policy.name,
                                          .state = XDS_STATE_CONNECTING});
    for (size_t i = 0; i < seen->n; i++) {
        const struct xds_named_child *c = seen->list[i];

        if (c->exists)
            xds_scene_add(&scene, arena, 0,
                          (struct xds_scene_node){
                              .label = c->name,
                              .state = XDS_STATE_CONNECTING,
                              .serves = xds_cluster_map_is_routed(&self->map, c->name),
                              .parked = !c->in_config});
    }
    return scene;
}

const struct xds_subject xds_subject_config_selector = {
    .name = "config_selector",
    .config_keys = XDS_KEYS(NULL),
    .happened = (const struct xds_result_key[]){{"cluster_key", XDS_KEY_VALUE},
                                                {"status", XDS_KEY_VALUE},
                                                {"service_configs_sent", XDS_KEY_LIST},
                                                {"created", XDS_KEY_LIST},
                                                {"deleted", XDS_KEY_LIST},
                                                {.name = NULL}},
    .events =
        (const struct xds_event_kind[]){
            {"update", XDS_KEYS("routes"), play_update},
            {"rpc_start", XDS_KEYS("id", "path", "cookie_cluster", "hold"), play_start},
            {"rpc_select", XDS_KEYS("id", "cookie_cluster"), play_select},
            {"rpc_commit", XDS_KEYS("id"), play_commit},
            {"rpc_end", XDS_KEYS("id"), play_end},
            {.type = NULL},
        },
    .open = open_subject,
    .state = state_of,
    .scene = scene_of,
};
