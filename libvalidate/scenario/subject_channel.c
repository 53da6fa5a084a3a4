/*
 * subject_channel.c - a whole client on a virtual clock: config selector, filters,
 * cluster manager and the LB policies of all clusters, over a snapshot and its updates.
 *
 * Fails:  an event that cannot be is a fault of the play.
 * Source: gRFC A27, A28, A31, A55, A56, A60, A75, spec routing 0 to 13.
 */
#include "check/check.h"
#include "clients/readers.h"
#include "config/config.h"
#include "explain/explain.h"
#include "scenario/scenario.h"

#include <stdlib.h>

/* The root of a cluster; NULL unless it exists. */
static struct xds_tree_root *root_of(void *user, struct xds_slice cluster)
{
    const struct xds_channel *self = user;
    const struct xds_slice key = xds_cluster_key(self->shared.machine, cluster);

    return xds_named_children_find(&self->manager.children, key)
               ? xds_strmap_get(&self->roots, key)
               : NULL;
}

/* ---- resources ---- */

static const struct xds_virtual_host *find_host(struct xds_channel *self)
{
    struct xds_decision decision = {.client = self->shared.machine->client};
    struct xds_tree_view view;

    xds_tree_view_init(&view, &self->shared);
    view.request.target = self->play->target;
    view.rpc.arena = self->shared.machine->step_arena;
    const bool found = xds_explain_virtual_host(&view.lb, &decision);

    /* Without a target it is the one listener that comes first, whichever others follow.
     */
    if (!self->play->target.data && decision.listener)
        self->play->target =
            xds_arena_dup(self->shared.machine->arena, decision.listener_name);
    return found ? decision.virtual_host.host : NULL;
}

static void update_roots(struct xds_channel *self)
{
    const struct xds_named_child_list *seen = &self->manager.children.seen;

    for (size_t i = 0; i < seen->n; i++) {
        struct xds_tree_root *root =
            seen->list[i]->exists ? xds_strmap_get(&self->roots, seen->list[i]->name)
                                  : NULL;

        if (root && !root->is_lost)
            xds_tree_root_update(root);
    }
}

/* L-f: the cluster manager keeps its children, whose clusters are gone. */
static void lose_roots(struct xds_channel *self)
{
    const struct xds_named_child_list *children = &self->manager.children.in_config;

    xds_machine_say(self->shared.machine, self->manager.policy.name,
                    "without children is refused: the channel keeps its last LB config");
    for (size_t i = 0; i < children->n; i++)
        xds_tree_root_lose(xds_strmap_get(&self->roots, children->list[i]->name));
}

/* The resources have changed: take over what comes of that. False without memory. */
static bool refresh_channel(struct xds_channel *self)
{
    const struct xds_virtual_host *host = find_host(self);

    xds_explainer_free(self->explainer);
    self->explainer = xds_explainer_new(self->play->check, self->shared.machine->client);
    const size_t n_configs = self->n_configs;

    if (host != self->host || !self->map.current)
        xds_cluster_map_update(&self->map, host);
    self->host = host;
    if (!xds_differs(self->shared.machine->options, self->shared.machine->client,
                     XDS_DIFF_UPDATES_REACH_ALL))
        update_roots(self);
    else if (self->n_configs == n_configs)
        xds_cluster_manager_update_again(&self->manager);
    xds_channel_settle(self);
    return self->explainer != NULL;
}

/* ---- connections ---- */

/* Each override host policy knows before the others do, as it stands between them. */
static void tell_overrides(struct xds_channel *self, struct xds_slice address,
                           enum xds_connectivity state)
{
    const struct xds_named_child_list *seen = &self->manager.children.seen;

    for (size_t i = 0; i < seen->n; i++) {
        struct xds_tree_root *root =
            seen->list[i]->exists ? xds_strmap_get(&self->roots, seen->list[i]->name)
                                  : NULL;

        if (root)
            xds_tree_root_state(root, address, state);
    }
}

void xds_channel_settle(struct xds_channel *self)
{
    struct xds_clock *clock = &self->shared.machine->clock;

    xds_clock_cancel(clock, &self->connect);
    xds_clock_advance(clock, clock->now_ms); /* what was put off until now */
    for (size_t i = 0; i < self->asked.n; i++) {
        struct xds_connection *c = self->asked.list[i];

        if (!c->asked || c->state != XDS_STATE_IDLE)
            continue;
        tell_overrides(self, c->address, XDS_STATE_CONNECTING);
        xds_connection_set(c, XDS_STATE_CONNECTING);
    }
    self->asked.n = 0;
    xds_clock_cancel(&self->shared.machine->clock, &self->connect);
}

/* The connection to the address changes its state, and what follows from that. False:
 * there is no subchannel to it. */
static bool set_connection(struct xds_channel *self, struct xds_slice address,
                           enum xds_connectivity state)
{
    if (!xds_subchannel_pool_find(&self->shared.pool, address))
        return false;
    tell_overrides(self, address, state);
    xds_subchannel_pool_set(&self->shared.pool, address, state);
    xds_channel_settle(self);
    return true;
}

/* ---- the policies of a client that exist, with their states ---- */

struct builder {
    struct xds_arena *arena;
    struct xds_scene scene;
    size_t cap;
};

static const struct xds_scene_node *
add(struct builder *b, const struct xds_scene_node *parent, struct xds_scene_node node)
{
    b->scene.list = xds_arena_room(b->arena, b->scene.list, b->scene.n, &b->cap,
                                   sizeof *b->scene.list);
    node.path = parent ? xds_arena_printf(b->arena, "%.*s/%.*s", XDS_FMT(parent->path),
                                          XDS_FMT(node.label))
                       : node.label;
    node.depth = parent ? parent->depth + 1 : 0;
    node.serves = node.serves && (!parent || parent->serves);
    b->scene.list[b->scene.n] = node;
    return &b->scene.list[b->scene.n++];
}

static struct xds_scene_node node_of(const struct xds_priority_child *child)
{
    return (struct xds_scene_node){.label = child->name,
                                   .state = child->report.state,
                                   .serves = child->in_use,
                                   .parked = child->deactivated};
}

static void add_priorities(struct builder *b, const struct xds_scene_node *parent,
                           const struct xds_policy *policy)
{
    const struct xds_scene_node above = *parent; /* the list may move */
    struct xds_priority_child child;

    for (size_t i = 0; policy && i < xds_priority_size(policy); i++)
        if (xds_priority_at(policy, i, &child))
            add(b, &above, node_of(&child));
}

static void add_leaves(struct builder *b, const struct xds_scene_node *parent,
                       const struct xds_tree_root *root)
{
    const struct xds_scene_node above = *parent;
    struct xds_priority_child child;

    for (size_t i = 0; root->priority && i < xds_priority_size(root->priority); i++) {
        if (!xds_priority_at(root->priority, i, &child))
            continue;
        const struct xds_tree_cluster *leaf = xds_strmap_get(&root->clusters, child.name);

        add_priorities(b, add(b, &above, node_of(&child)),
                       leaf && leaf->begun ? leaf->priority : NULL);
    }
}

static void add_root(struct builder *b, const struct xds_scene_node *parent,
                     const struct xds_named_child *child,
                     const struct xds_tree_root *root)
{
    const struct xds_scene_node *node =
        add(b, parent,
            (struct xds_scene_node){.label = child->name,
                                    .state = root->stand_in.policy.report.state,
                                    .serves = child->in_config,
                                    .parked = !child->in_config});

    if (root->is_aggregate && !root->is_flat)
        add_leaves(b, node, root);
    else if (root->is_aggregate)
        add_priorities(b, node, root->priority);
    else if (root->n_leaves > 0 && root->leaves[0]->begun)
        add_priorities(b, node, root->leaves[0]->priority);
}

static struct xds_scene channel_scene(void *subject, struct xds_arena *arena)
{
    const struct xds_channel *self = subject;
    const struct xds_named_child_list *seen = &self->manager.children.seen;
    struct builder b = {.arena = arena};
    const struct xds_scene_node top =
        *add(&b, NULL,
             (struct xds_scene_node){.label = self->manager.policy.name,
                                     .state = self->manager.policy.report.state,
                                     .serves = true});

    for (size_t i = 0; i < seen->n; i++)
        if (seen->list[i]->exists)
            add_root(&b, &top, seen->list[i],
                     xds_strmap_get(&self->roots, seen->list[i]->name));
    return b.scene;
}

/* ---- service configs ---- */

static void tell_config(struct xds_channel *self, const struct xds_cluster_config *config)
{
    struct xds_step *step = self->play->step;
    struct xds_tree list = xds_tree_array();

    if (!step)
        return;
    for (size_t i = 0; i < config->n; i++)
        xds_tree_add(step->arena, &list,
                     xds_tree_string(xds_arena_dup(step->arena, config->keys[i])));
    xds_step_add(step, "service_configs_sent", list);
}

static void take_config(void *user, const struct xds_cluster_config *config)
{
    struct xds_channel *self = user;
    struct xds_named_config *children = XDS_NEW_ARRAY(self->shared.machine->step_arena,
                                                      struct xds_named_config, config->n);

    self->n_configs++;
    tell_config(self, config);
    for (size_t i = 0; i < config->n; i++)
        children[i].name = config->keys[i];
    if (xds_cluster_config_is_refused(&self->map, config)) {
        lose_roots(self);
        return;
    }
    if (config->empty) /* another LB policy takes the place of the cluster manager */
        xds_named_children_destroy(&self->manager.children);
    xds_cluster_manager_update(&self->manager, children, config->n);
}

/* ---- children of the cluster manager ---- */

static struct xds_policy *create_root(void *user, struct xds_policy *parent,
                                      struct xds_slice key)
{
    struct xds_channel *self = user;
    void **slot = xds_strmap_at(&self->roots, key);

    if (!*slot)
        *slot = xds_tree_root_new(&self->shared, key);
    struct xds_tree_root *root = *slot;

    xds_tree_root_begin(root, parent);
    return &root->stand_in.policy;
}

static void update_root(void *user, struct xds_policy *root)
{
    (void)user;
    ((struct xds_tree_root *)(void *)root)->is_lost = false;
    xds_tree_root_update((struct xds_tree_root *)(void *)root);
}

static void destroy_root(void *user, struct xds_policy *root)
{
    (void)user;
    xds_tree_root_end((struct xds_tree_root *)(void *)root);
}

/* ---- opening and closing ---- */

static void connect(struct xds_timer *timer)
{
    xds_channel_settle(timer->owner);
}

/* Whoever asks is still at work: the connection begins after that. */
static void ask(void *user, struct xds_connection *connection)
{
    struct xds_channel *self = user;
    struct xds_connections *asked = &self->asked;
    struct xds_clock *clock = &self->shared.machine->clock;

    asked->list = xds_arena_room(self->shared.machine->arena, asked->list, asked->n,
                                 &asked->cap, sizeof *asked->list);
    asked->list[asked->n++] = connection;
    if (!self->connect.slot)
        xds_clock_set(clock, &self->connect, clock->now_ms);
}

/* The explainer is no memory of an arena. */
static void release(void *channel)
{
    struct xds_channel *self = channel;

    xds_explainer_free(self->explainer);
    self->explainer = NULL;
}

static void *open_channel(struct xds_play *play)
{
    struct xds_channel *self = XDS_NEW(play->machine.arena, struct xds_channel);
    const struct xds_child_maker maker = {self, create_root, update_root, destroy_root};

    self->play = play;
    self->shared =
        (struct xds_tree_shared){.machine = &play->machine, .snapshot = play->snapshot};

    struct xds_arena *arena = play->machine.arena;

    xds_strmap_init(&self->roots, arena);
    xds_strmap_init(&self->rpcs, arena);
    xds_strmap_init(&self->cookies, arena);
    xds_subchannel_pool_init(&self->shared.pool, &play->machine);
    self->shared.pool.user = self;
    self->shared.pool.asked = ask;
    self->connect =
        (struct xds_timer){.rank = XDS_TIMER_CONNECT, .fire = connect, .owner = self};
    xds_cluster_manager_init(
        &self->manager, &play->machine, NULL,
        xds_slice_of(xds_name_in(play->machine.client, XDS_NAMED_CLUSTER_MANAGER)),
        &maker, -1);
    xds_cluster_map_init(&self->map, &play->machine,
                         (struct xds_config_sink){self, take_config});
    self->live = (struct xds_live){self, root_of};
    play->release = release;
    play->releases = self;
    if (!refresh_channel(self))
        xds_arena_give_up(play->machine.arena);
    return self;
}

/* ---- events ---- */

static void play_subchannel_state(void *subject, const struct xds_tree *event)
{
    struct xds_channel *self = subject;
    const struct xds_slice address = xds_event_name(self->play, event, "address");
    const struct xds_tree *state = xds_tree_member(event, "state");

    if (!state)
        xds_play_fault(self->play, event, "\"state\" is missing");
    if (self->play->failed)
        return;
    const enum xds_connectivity value = xds_event_state(self->play, state);

    if (!self->play->failed && !set_connection(self, address, value))
        xds_play_fault(self->play, xds_tree_member(event, "address"),
                       "no policy has a subchannel to \"%.*s\" now", XDS_FMT(address));
}

static void refresh(struct xds_channel *self)
{
    if (!self->play->failed && !refresh_channel(self))
        xds_arena_give_up(self->play->machine.arena);
}

static void play_xds_update(void *subject, const struct xds_tree *event)
{
    struct xds_channel *self = subject;

    if (xds_resources_update(self->play, event))
        refresh(self);
}

static void play_xds_remove(void *subject, const struct xds_tree *event)
{
    struct xds_channel *self = subject;
    struct xds_play *play = self->play;
    const struct xds_slice word = xds_event_name(play, event, "resource_type");
    const struct xds_slice name = xds_event_name(play, event, "name");
    const enum xds_resource_type type = xds_resource_type_from_name(word);

    if (play->failed)
        return;
    if (type == XDS_TYPE_UNKNOWN)
        xds_play_fault(play, xds_tree_member(event, "resource_type"),
                       "\"resource_type\" must be listener, route, cluster or endpoint");
    else if (!xds_snapshot_remove(&play->check->snapshot, type, name))
        xds_play_fault(play, xds_tree_member(event, "name"),
                       "the client has no %.*s \"%.*s\"", XDS_FMT(word), XDS_FMT(name));
    else
        refresh(self);
}

/* ---- the state ---- */

static int by_address(const void *a, const void *b)
{
    const struct xds_connection *const *x = a, *const *y = b;

    return xds_slice_cmp((*x)->address, (*y)->address);
}

static struct xds_tree connections_of(const struct xds_channel *self,
                                      struct xds_arena *arena)
{
    const struct xds_strmap *all = &self->shared.pool.connections;
    const struct xds_connection **list =
        XDS_NEW_ARRAY(arena, const struct xds_connection *, all->n);
    struct xds_tree out = xds_tree_object();
    size_t n = 0;

    for (size_t i = 0; i < all->cap; i++) {
        const struct xds_connection *c =
            all->slots[i].key.data
                ? xds_subchannel_pool_find(&self->shared.pool, all->slots[i].key)
                : NULL;

        if (c)
            list[n++] = c;
    }
    if (n > 0)
        qsort(list, n, sizeof(*list), by_address);
    for (size_t i = 0; i < n; i++)
        xds_tree_put_key(arena, &out, list[i]->address,
                         xds_tree_text(xds_connectivity_name(list[i]->state)));
    return out;
}

static void put_state(void *subject, struct xds_tree *result)
{
    struct xds_channel *self = subject;
    struct xds_arena *arena = self->play->step->arena;
    const struct xds_scene scene = channel_scene(subject, arena);
    struct xds_tree policies = xds_tree_object();

    for (size_t i = 0; i < scene.n; i++)
        xds_tree_put_key(arena, &policies, scene.list[i].path,
                         xds_tree_text(xds_connectivity_name(scene.list[i].state)));
    xds_tree_put(arena, result, "policies", policies);
    xds_tree_put(arena, result, "connections", connections_of(self, arena));
}

/* ---- the subject ---- */

#define RPC_FIELDS "path", "authority", "headers", "cookie", "cookie_from"

static const char *const rpc_fields[] = {RPC_FIELDS, NULL};
static const char *const start_fields[] = {RPC_FIELDS, "id", NULL};
static const char *const end_fields[] = {"id", NULL};
static const char *const state_fields[] = {"address", "state", NULL};
static const char *const update_fields[] = {"listeners", "routes", "clusters",
                                            "endpoints", NULL};
static const char *const remove_fields[] = {"resource_type", "name", NULL};

static const struct xds_event_kind events[] = {
    {"rpc", rpc_fields, xds_channel_play_rpc},
    {"rpc_start", start_fields, xds_channel_play_rpc_start},
    {"rpc_end", end_fields, xds_channel_play_rpc_end},
    {"subchannel_state", state_fields, play_subchannel_state},
    {"xds_update", update_fields, play_xds_update},
    {"xds_remove", remove_fields, play_xds_remove},
    {0},
};

static const struct xds_result_key happened[] = {
    {"pick", XDS_KEY_VALUE},
    {"set_cookie", XDS_KEY_VALUE},
    {"service_configs_sent", XDS_KEY_LIST},
    {"rejected", XDS_KEY_LIST},
    {0},
};

/* All that explain reports would hide what a step has changed. */
static const struct xds_brief_key brief[] = {
    {"pick", NULL, NULL},       {"outcome", NULL, "routed"},
    {"status", NULL, NULL},     {"route", "index", NULL},
    {"cluster", "name", NULL},  {"session", "reason", NULL},
    {"priority", NULL, NULL},   {"set_cookie", NULL, NULL},
    {"notes", NULL, NULL},      {"service_configs_sent", NULL, NULL},
    {"rejected", NULL, NULL},   {"policies", "*", NULL},
    {"connections", "*", NULL}, {0},
};

const struct xds_subject xds_subject_channel = {
    .name = "channel",
    .brief = brief,
    .happened = happened,
    .events = events,
    .open = open_channel,
    .state = put_state,
    .scene = channel_scene,
};
