/*
 * subject_config_selector.c - plays config_selector: which clusters a channel has
 *                             children for while its routes change under running RPCs.
 *
 * Fails:  at an RPC before the first update, an id in use, an unknown one, and an RPC
 *         that is not where the event wants it; at a choice without a random number.
 * Source: gRFC A31, A60; spec routing 3.1, 3.2, 5.6 and 13.
 */
#include "config/config.h"
#include "scenario/scenario.h"

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

/* Another LB policy takes its place. */
static void destroy_manager(struct selector_play *self)
{
    const struct xds_named_child_list *seen = &self->manager.children.seen;

    for (size_t i = 0; i < seen->n; i++)
        if (seen->list[i]->exists)
            xds_machine_say(&self->play->machine, seen->list[i]->name, "is destroyed");
    self->manager.policy.ops->destroy(&self->manager.policy);
}

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
        destroy_manager(self);
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

static struct running *make_rpc(struct selector_play *self, struct xds_slice id)
{
    void **slot = xds_strmap_at(&self->rpcs, id);

    if (!*slot) {
        struct running *running = XDS_NEW(self->play->machine.arena, struct running);

        running->id = xds_arena_dup(self->play->machine.arena, id);
        *slot = running;
    }
    return *slot;
}

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

static enum xds_cluster_start arrive(struct selector_play *self, struct running *running,
                                     struct xds_slice path)
{
    struct xds_play *play = self->play;
    const struct xds_request request = {.path = path};
    const struct xds_rpc call = {.client = play->machine.client,
                                 .options = play->machine.options,
                                 .request = &request,
                                 .random = &play->step->random,
                                 .arena = play->machine.step_arena};

    return xds_cluster_map_start(&self->map, &call, &running->rpc);
}

/* ---- events ---- */

static void play_update(void *subject, const struct xds_tree *event)
{
    struct selector_play *self = subject;
    const struct xds_virtual_host *host = xds_event_routes(self->play, event);

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
    struct running *running = make_rpc(self, id);

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
    if (arrive(self, running, path) == XDS_CLUSTER_START_FAILED) {
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

static void state_of(void *subject, struct xds_tree *result)
{
    const struct selector_play *self = subject;
    const struct xds_named_child_list *seen = &self->manager.children.seen;
    struct xds_arena *arena = self->play->machine.step_arena;
    struct xds_tree in_config = xds_tree_array(), kept = xds_tree_array();

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
    const struct xds_slice root = self->manager.policy.name;
    struct xds_scene scene = {XDS_NEW_ARRAY(arena, struct xds_scene_node, seen->n + 1),
                              0};

    scene.list[scene.n++] = (struct xds_scene_node){
        .path = root, .label = root, .state = XDS_STATE_CONNECTING};
    for (size_t i = 0; i < seen->n; i++) {
        const struct xds_named_child *c = seen->list[i];

        if (c->exists)
            scene.list[scene.n++] = (struct xds_scene_node){
                .path =
                    xds_arena_printf(arena, "%.*s/%.*s", XDS_FMT(root), XDS_FMT(c->name)),
                .label = c->name,
                .state = XDS_STATE_CONNECTING,
                .serves = xds_cluster_map_is_routed(&self->map, c->name),
                .parked = !c->in_config,
                .depth = 1};
    }
    return scene;
}

const struct xds_subject xds_subject_config_selector = {
    .name = "config_selector",
    .config_keys = (const char *const[]){NULL},
    .happened = (const struct xds_result_key[]){{"cluster_key", XDS_KEY_VALUE},
                                                {"status", XDS_KEY_VALUE},
                                                {"service_configs_sent", XDS_KEY_LIST},
                                                {"created", XDS_KEY_LIST},
                                                {"deleted", XDS_KEY_LIST},
                                                {.name = NULL}},
    .events =
        (const struct xds_event_kind[]){
            {"update", (const char *const[]){"routes", NULL}, play_update},
            {"rpc_start",
             (const char *const[]){"id", "path", "cookie_cluster", "hold", NULL},
             play_start},
            {"rpc_select", (const char *const[]){"id", "cookie_cluster", NULL},
             play_select},
            {"rpc_commit", (const char *const[]){"id", NULL}, play_commit},
            {"rpc_end", (const char *const[]){"id", NULL}, play_end},
            {.type = NULL},
        },
    .open = open_subject,
    .state = state_of,
    .scene = scene_of,
};
