/*
 * subject_channel.c - a whole client on a virtual clock: config selector, filters,
 * cluster manager and the LB policies of all clusters, over a snapshot and its updates.
 *
 * Fails:  an event that cannot be is a fault of the play.
 * Source: gRFC A27, A28, A31, A55, A56, A60, A75, spec routing 0 to 13.
 */
#include <stdlib.h>

#include "scenario/channel.h"
#include "check/check.h"
#include "generate/config.h"
#include "explain/decision.h"
#include "explain/explain.h"
#include "base/order.h"

/* The root of a cluster; NULL unless it exists. */
static struct xds_tree_root *root_of(void *user, struct xds_slice cluster)
{
    const struct xds_channel *self = user;
    const struct xds_slice key = xds_cluster_key(self->shared.machine, cluster);

    return xds_named_children_find(&self->manager.children, key)
               ? xds_strmap_get(&self->roots, key)
               : NULL;
}

/* That of a child of the cluster manager; NULL unless it exists. */
static struct xds_tree_root *root_at(const struct xds_channel *self, size_t i)
{
    const struct xds_named_child *child = self->manager.children.seen.list[i];

    return child->exists ? xds_strmap_get(&self->roots, child->name) : NULL;
}

/* ---- connections ---- */

/* Each override host policy knows before the others, as it is between them. */
static void tell_overrides(struct xds_channel *self, struct xds_slice address,
                           enum xds_connectivity state)
{
    for (size_t i = 0; i < self->manager.children.seen.n; i++) {
        struct xds_tree_root *root = root_at(self, i);

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

/* ---- resources ---- */

static const struct xds_virtual_host *find_host(struct xds_channel *self)
{
    struct xds_decision decision = {.client = self->shared.machine->client};
    struct xds_tree_view view;

    xds_tree_view_init(&view, &self->shared);
    view.request.target = self->play->target;
    view.rpc.arena = self->shared.machine->step_arena;
    view.lb.live = &self->live; /* no start is assumed for it */
    const bool found = xds_explain_virtual_host(&view.lb, &decision);

    /* Without a target it is the one listener that comes first, whichever others follow.
     */
    if (!self->play->target.data && decision.start.listener)
        self->play->target =
            xds_arena_dup(self->shared.machine->arena, decision.start.listener_name);
    return found ? decision.virtual_host.host : NULL;
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
                     XDS_DIFF_UPDATES_REACH_ALL)) {
        for (size_t i = 0; i < self->manager.children.seen.n; i++) {
            struct xds_tree_root *root = root_at(self, i);

            if (root && !root->is_lost)
                xds_tree_root_update(root);
        }
    } else if (self->n_configs == n_configs)
        xds_cluster_manager_update_again(&self->manager);
    xds_channel_settle(self);
    return self->explainer != NULL;
}

/* ---- the policies of a client that exist, with their states ---- */

/* RPCs go there only if they go to the policy above. */
static struct xds_scene_node node_of(const struct xds_priority_child *child,
                                     const struct xds_scene_node *above)
{
    return (struct xds_scene_node){.label = child->name,
                                   .state = child->report.state,
                                   .serves = child->in_use && above->serves,
                                   .parked = child->deactivated};
}

static void add_priorities(struct xds_scene *scene, struct xds_arena *arena, size_t above,
                           const struct xds_policy *policy)
{
    struct xds_priority_child child;

    for (size_t i = 0; policy && i < xds_priority_size(policy); i++)
        if (xds_priority_at(policy, i, &child))
            xds_scene_add(scene, arena, above, node_of(&child, &scene->list[above]));
}

static void add_root(struct xds_scene *scene, struct xds_arena *arena,
                     const struct xds_named_child *named,
                     const struct xds_tree_root *root)
{
    const size_t above =
        xds_scene_add(scene, arena, 0,
                      (struct xds_scene_node){.label = named->name,
                                              .state = root->stand_in.policy.report.state,
                                              .serves = named->in_config,
                                              .parked = !named->in_config});
    struct xds_priority_child child;

    if (root->is_aggregate && root->is_flat)
        add_priorities(scene, arena, above, root->priority);
    else if (!root->is_aggregate && root->n_leaves > 0 && root->leaves[0]->begun)
        add_priorities(scene, arena, above, root->leaves[0]->priority);
    if (!root->is_aggregate || root->is_flat || !root->priority)
        return;
    for (size_t i = 0; i < xds_priority_size(root->priority); i++) {
        if (!xds_priority_at(root->priority, i, &child))
            continue;
        const struct xds_tree_cluster *leaf = xds_strmap_get(&root->clusters, child.name);
        const size_t at =
            xds_scene_add(scene, arena, above, node_of(&child, &scene->list[above]));

        add_priorities(scene, arena, at, leaf && leaf->begun ? leaf->priority : NULL);
    }
}

static struct xds_scene channel_scene(void *subject, struct xds_arena *arena)
{
    const struct xds_channel *self = subject;
    const struct xds_named_child_list *seen = &self->manager.children.seen;
    struct xds_scene scene = {0};

    xds_scene_add(&scene, arena, XDS_SCENE_TOP,
                  (struct xds_scene_node){.label = self->manager.policy.name,
                                          .state = self->manager.policy.report.state,
                                          .serves = true});
    for (size_t i = 0; i < seen->n; i++)
        if (seen->list[i]->exists)
            add_root(&scene, arena, seen->list[i],
                     xds_strmap_get(&self->roots, seen->list[i]->name));
    return scene;
}

/* ---- service configs ---- */

static void take_config(void *user, const struct xds_cluster_config *config)
{
    struct xds_channel *self = user;
    struct xds_named_config *children = XDS_NEW_ARRAY(self->shared.machine->step_arena,
                                                      struct xds_named_config, config->n);
    struct xds_step *step = self->play->step;
    struct xds_tree list = xds_tree_array();

    self->n_configs++;
    for (size_t i = 0; i < config->n; i++) {
        children[i].name = config->keys[i];
        if (step)
            xds_tree_add(step->arena, &list,
                         xds_tree_string(xds_arena_dup(step->arena, config->keys[i])));
    }
    if (step)
        xds_step_add(step, "service_configs_sent", list);
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

/* The caller is still at work: the connection begins after that. */
static void ask(void *user, struct xds_connection *connection)
{
    struct xds_channel *self = user;
    struct xds_channel_asked *asked = &self->asked;
    struct xds_clock *clock = &self->shared.machine->clock;

    asked->list = xds_arena_room(self->shared.machine->arena, asked->list, asked->n,
                                 &asked->cap, sizeof *asked->list);
    asked->list[asked->n++] = connection;
    if (!self->connect.slot)
        xds_clock_set(clock, &self->connect, clock->now_ms);
}

/* The cluster manager has a new picker: what waits asks it, once the policies are done.
 */
static void hear_picker(struct xds_policy *top, struct xds_policy *manager)
{
    struct xds_channel *self = (struct xds_channel *)top;
    struct xds_clock *clock = &self->shared.machine->clock;

    (void)manager;
    if (self->picking)
        self->pick_later = true;
    else if (self->n_waiting > 0 && !self->pick.slot)
        xds_clock_set(clock, &self->pick, clock->now_ms);
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
    static const struct xds_policy_ops ops = {.name = "channel",
                                              .child_report = hear_picker};
    struct xds_channel *self = XDS_NEW(play->machine.arena, struct xds_channel);
    const struct xds_child_maker maker = {self, create_root, update_root, destroy_root};

    self->top = xds_policy_new(&ops, &play->machine, NULL, XDS_S(""));
    self->play = play;
    self->shared =
        (struct xds_tree_shared){.machine = &play->machine, .snapshot = play->snapshot};

    struct xds_arena *arena = play->machine.arena;

    xds_strmap_init(&self->roots, arena);
    xds_strmap_init(&self->cookies, arena);
    xds_channel_rpcs_init(self);
    xds_subchannel_pool_init(&self->shared.pool, &play->machine);
    self->shared.pool.user = self;
    self->shared.pool.asked = ask;
    self->connect =
        (struct xds_timer){.rank = XDS_TIMER_CONNECT, .fire = connect, .owner = self};
    xds_cluster_manager_init(
        &self->manager, &play->machine, &self->top,
        xds_slice_of(xds_name_in(play->machine.client, XDS_NAMED_CLUSTER_MANAGER)),
        &maker, -1);
    xds_cluster_map_init(&self->map, &play->machine,
                         (struct xds_config_sink){self, take_config});
    self->live = (struct xds_live){.user = self, .root = root_of};
    play->release = release;
    play->releases = self;
    if (!refresh_channel(self))
        xds_arena_give_up(play->machine.arena);
    return self;
}

/* ---- events ---- */

/* Each subchannel that there is; to READY come those that are being connected, or were
 * not to be. */
static void set_all(struct xds_channel *self, enum xds_connectivity value)
{
    const struct xds_subchannel_pool *pool = &self->shared.pool;
    struct xds_slice *list = XDS_NEW_ARRAY(self->shared.machine->step_arena,
                                           struct xds_slice, pool->connections.n + 1);
    size_t n = 0;

    for (size_t i = 0; i < pool->connections.cap; i++)
        if (pool->connections.slots[i].key.data)
            list[n++] = pool->connections.slots[i].key;
    qsort(list, n, sizeof *list, xds_slice_order);
    for (size_t i = 0; i < n; i++) {
        const struct xds_connection *now = xds_subchannel_pool_find(pool, list[i]);

        if (!now || (value == XDS_STATE_READY && now->state == XDS_STATE_IDLE))
            continue;
        tell_overrides(self, list[i], value);
        xds_subchannel_pool_set(&self->shared.pool, list[i], value);
    }
    xds_channel_settle(self);
}

static void play_subchannel_state(void *subject, const struct xds_tree *event)
{
    struct xds_channel *self = subject;
    const struct xds_slice address = xds_event_name(self->play, event, "address");
    const enum xds_connectivity value = xds_event_own_state(self->play, event);

    if (self->play->failed)
        return;
    if (xds_slice_is(address, "*")) {
        set_all(self, value);
        return;
    }
    if (!xds_subchannel_pool_find(&self->shared.pool, address)) {
        xds_play_fault(self->play, xds_tree_member(event, "address"),
                       "no policy has a subchannel to \"%.*s\" now", XDS_FMT(address));
        return;
    }
    tell_overrides(self, address, value);
    xds_subchannel_pool_set(&self->shared.pool, address, value);
    xds_channel_settle(self);
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

    if (xds_resources_remove(self->play, event))
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

static void put_state(void *subject, const struct xds_scene *scene,
                      struct xds_tree *result)
{
    struct xds_channel *self = subject;
    struct xds_arena *arena = self->play->step->arena;
    struct xds_tree policies = xds_tree_object();

    for (size_t i = 0; i < scene->n; i++)
        xds_tree_put_key(arena, &policies, xds_scene_path(scene, i, 0, arena),
                         xds_tree_text(xds_connectivity_name(scene->list[i].state)));
    xds_tree_put(arena, result, "waiting", xds_channel_waiting(self, arena));
    xds_tree_put(arena, result, "policies", policies);
    xds_tree_put(arena, result, "connections", connections_of(self, arena));
}

/* ---- the subject ---- */

#define RPC_FIELDS "path", "authority", "headers", "cookie", "cookie_from"

/* All that explain reports would hide what a step has changed. */
static const struct xds_brief_key brief[] = {
    {.key = "pick"},
    {.key = "outcome", .usual = "routed"},
    {.key = "status"},
    {.key = "route", .member = "index"},
    {.key = "cluster", .member = "name"},
    {.key = "session", .member = "reason"},
    {.key = "priority"},
    {.key = "set_cookie"},
    {.key = "notes"},
    {.key = "later_picks"},
    {.key = "waiting"},
    {.key = "service_configs_sent"},
    {.key = "rejected"},
    {.key = "policies", .member = "*"},
    {.key = "connections", .member = "*"},
    {0},
};

const struct xds_subject xds_subject_channel = {
    .name = "channel",
    .brief = brief,
    .happened = (const struct xds_result_key[]){{"pick", XDS_KEY_VALUE},
                                                {"set_cookie", XDS_KEY_VALUE},
                                                {"later_picks", XDS_KEY_LIST},
                                                {"service_configs_sent", XDS_KEY_LIST},
                                                {"rejected", XDS_KEY_LIST},
                                                {.name = NULL}},
    .events =
        (const struct xds_event_kind[]){
            {"rpc", XDS_KEYS(RPC_FIELDS), xds_channel_rpc},
            {"rpc_start", XDS_KEYS(RPC_FIELDS, "id"), xds_channel_rpc_start},
            {"rpc_end", XDS_KEYS("id"), xds_channel_rpc_end},
            {"attempt_fails", XDS_KEYS("id", "status"), xds_channel_attempt_fails},
            {"subchannel_state", XDS_KEYS("address", "state"), play_subchannel_state},
            {"xds_update", XDS_KEYS("listeners", "routes", "clusters", "endpoints"),
             play_xds_update},
            {"xds_remove", XDS_KEYS("resource_type", "name"), play_xds_remove},
            {.type = NULL}},
    .open = open_channel,
    .state = put_state,
    .scene = channel_scene,
};
