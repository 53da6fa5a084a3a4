/*
 * policy_tree.c - LB policies over children whose states are said: their configs, their
 * machines, and what can be seen of them.
 *
 * Source: gRFC A28, A31, A55, A56, A61, A75, A115; spec routing 6, 7, 8.
 */
#include "base/limits.h"
#include "base/text.h"
#include "scenario/scenario.h"

/* ---- the config ---- */

/* Children of a tree may be made long after the event that names them. */
static struct xds_arena *arena_of(const struct xds_sim *s)
{
    return s->alias ? s->play->machine.step_arena : s->play->machine.arena;
}

/* The texts of an array, copied. */
static struct xds_slice_list read_names(struct xds_play *play, struct xds_arena *arena,
                                        const struct xds_tree *object, const char *key)
{
    const struct xds_slice_list names = xds_event_names(play, object, key);
    struct xds_slice_list out = {XDS_NEW_ARRAY(arena, struct xds_slice, names.n),
                                 names.n};

    for (size_t i = 0; i < names.n; i++)
        out.list[i] = xds_arena_dup(arena, names.list[i]);
    return out;
}

struct xds_slice xds_sim_path(struct xds_arena *arena, struct xds_slice above,
                              struct xds_slice name)
{
    return above.len == 0
               ? name
               : xds_arena_join(arena,
                                (const struct xds_slice[]){above, XDS_S("/"), name}, 3);
}

/* An object with these keys and no others. */
static bool is_object(struct xds_play *play, const struct xds_tree *value,
                      const char *what, const char *has, const char *const *keys)
{
    const struct xds_known_keys known = {.what = what, .own = keys};

    if (value->kind != XDS_TREE_OBJECT)
        return xds_play_fault(play, value, "%s must be an object%s", what, has);
    return xds_keys_check(play, value, &known);
}

static bool find_named(struct xds_slice name, enum xds_lb_named *out,
                       struct xds_nearest *nearest)
{
    for (size_t i = 0; i < XDS_LB_NAMES; i++) {
        *out = (enum xds_lb_named)i;
        if (xds_lb_goes_by(&xds_lb_names[i], name))
            return true;
        for (size_t c = 0; c < XDS_CLIENTS; c++)
            if (xds_lb_names[i].of[c])
                xds_nearest_offer(nearest, xds_lb_names[i].of[c]);
    }
    return false;
}

/* To report a fault where a member's key is. */
static struct xds_tree key_of(const struct xds_tree *member)
{
    return (struct xds_tree){.line = member->key_line, .column = member->key_column};
}

/* The policy that a client takes of a list: the first one that is known. */
static const struct xds_tree *choose(struct xds_play *play, const struct xds_tree *list,
                                     enum xds_lb_named *named)
{
    const struct xds_tree *first = NULL;
    struct xds_slice hint = XDS_S("");

    for (size_t i = 0; list->kind == XDS_TREE_ARRAY && i < list->n; i++) {
        const struct xds_tree *item = &list->items[i];

        if (item->kind != XDS_TREE_OBJECT || item->n != 1) {
            xds_play_fault(play, item,
                           "an LB policy must be an object with one key, its "
                           "name, such as {\"round_robin\": {}}");
            return NULL;
        }
        struct xds_nearest nearest = xds_nearest_to(item->items[0].key);

        if (find_named(item->items[0].key, named, &nearest))
            return &item->items[0];
        if (!first)
            hint = xds_nearest_words(play->machine.step_arena, nearest.best);
        first = first ? first : &item->items[0];
    }
    if (first) {
        const struct xds_tree at = key_of(first);

        xds_play_fault(play, &at, "there is no LB policy \"%.*s\"%.*s",
                       XDS_FMT(first->key), XDS_FMT(hint));
    } else {
        xds_play_fault(play, list,
                       "LB policies must be a list such as [{\"round_robin\": {}}]");
    }
    return NULL;
}

static const struct xds_tree *policies_in(const struct xds_tree *object)
{
    static const char *const keys[] = {"config", "childPolicy", "child_policy"};
    const struct xds_tree *list = NULL;

    for (size_t i = 0; !list && i < XDS_ARRAY_LEN(keys); i++)
        list = xds_event_given(object, keys[i]);
    return list;
}

/* NULL: the child is scripted, or there was a fault. What only has a child policy and
 * decides nothing here stands for that. */
const struct xds_sim_config *xds_sim_read(struct xds_sim *s, const struct xds_tree *list,
                                          struct xds_slice path)
{
    struct xds_play *play = s->play;
    enum xds_lb_named named = XDS_NAMED_OTHER;
    const struct xds_tree *policy = list ? choose(play, list, &named) : NULL;

    while (policy &&
           (named == XDS_NAMED_OUTLIER_DETECTION || named == XDS_NAMED_CLUSTER_IMPL)) {
        list = policies_in(policy);
        policy = list ? choose(play, list, &named) : NULL;
    }
    const struct xds_sim_kind *kind = policy ? xds_sim_kind_of(named) : NULL;
    const struct xds_sim_node *node = xds_strmap_get(&s->nodes, path);
    const struct xds_scripted_child *child = xds_strmap_get(&s->scripted.children, path);

    if (play->failed)
        return NULL;
    if ((node && node->exists && node->kind != kind) || (kind && child && child->exists))
        xds_play_fault(play, list, "\"config\" gives %.*s another LB policy than it has",
                       XDS_FMT(path.len > 0 ? path : XDS_S("the top")));
    else if (kind && kind->bit == XDS_SIM_ROUTING && path.len > 0)
        xds_play_fault(play, list, "%s must be the policy at the top", kind->who);
    return kind ? xds_sim_read_config(s, kind, policy, path) : NULL;
}

/* '/' is between the names of a path. */
static void check_name(struct xds_sim *s, const struct xds_tree *item,
                       struct xds_slice path)
{
    const struct xds_tree at = key_of(item);

    if (memchr(item->key.data, '/', item->key.len) || item->key.len == 0)
        xds_play_fault(s->play, &at,
                       "child \"%.*s\": a name must not be empty or have a '/', which is "
                       "between the names of a path",
                       XDS_FMT(item->key));
    if (path.len > XDS_MAX_CHILD_PATH)
        xds_play_fault(s->play, &at,
                       "\"config\" has a child whose path is longer than %d bytes",
                       XDS_MAX_CHILD_PATH);
}

static void read_entry(struct xds_sim *s, const struct xds_sim_kind *kind,
                       const struct xds_tree *item, struct xds_slice above,
                       struct xds_sim_entry *out)
{
    struct xds_play *play = s->play;
    const struct xds_slice path =
        xds_sim_path(play->machine.step_arena, above, item->key);

    out->name = xds_arena_dup(arena_of(s), item->key);
    if (!s->alias)
        check_name(s, item, path);
    if (!is_object(play, item, kind->entry, kind->entry_has, kind->entry_keys))
        return;
    if (kind->bit == XDS_SIM_TARGETS && !xds_tree_member(item, "weight"))
        xds_play_fault(play, item, "\"weight\" is missing");
    out->weight = xds_event_number(play, item, "weight", UINT32_MAX, 0);
    out->ignores_reresolution =
        xds_event_flag(play, item, "ignore_reresolution_requests", false) ||
        xds_event_flag(play, item, "ignoreReresolutionRequests", false);
    /* What the children of an alias would be does not matter. */
    if (!s->alias && !play->failed)
        out->config = xds_sim_read(s, policies_in(item), path);
}

static bool read_health(struct xds_play *play, const struct xds_tree *value,
                        enum xds_health *out)
{
    for (*out = 0; *out < XDS_HEALTHS; ++*out)
        if (value->kind == XDS_TREE_STRING &&
            xds_slice_is(value->text, xds_health_name(*out)))
            return true;
    *out = XDS_HEALTH_UNKNOWN;
    return xds_play_fault(play, value,
                          "a health status must be UNKNOWN, HEALTHY, UNHEALTHY, "
                          "DRAINING, TIMEOUT or DEGRADED");
}

unsigned xds_sim_read_status(struct xds_play *play, const struct xds_tree *object,
                             const char *key)
{
    const struct xds_tree *array = xds_event_array(play, object, key);
    enum xds_health health;
    unsigned status = 0;

    if (!xds_event_given(object, key))
        return XDS_HEALTH_BIT(XDS_HEALTH_UNKNOWN) | XDS_HEALTH_BIT(XDS_HEALTH_HEALTHY);
    for (size_t i = 0; i < array->n && read_health(play, &array->items[i], &health); i++)
        status |= XDS_HEALTH_BIT(health);
    return status;
}

/* Its one child is called by its policy. */
static void read_override(struct xds_sim *s, const struct xds_tree *object,
                          struct xds_slice path, struct xds_sim_config *out)
{
    struct xds_play *play = s->play;
    const struct xds_tree *list = policies_in(object);
    enum xds_lb_named named;
    const struct xds_tree *policy = list ? choose(play, list, &named) : NULL;

    out->entries = XDS_NEW(arena_of(s), struct xds_sim_entry);
    out->n = 1;
    out->entries->name =
        policy ? xds_arena_dup(arena_of(s), policy->key) : XDS_S("round_robin");
    out->status = xds_sim_read_status(play, object, "overrideHostStatus");
    if (policy)
        out->entries->config = xds_sim_read(
            s, list, xds_sim_path(play->machine.step_arena, path, out->entries->name));
}

const struct xds_sim_config *xds_sim_read_config(struct xds_sim *s,
                                                 const struct xds_sim_kind *kind,
                                                 const struct xds_tree *object,
                                                 struct xds_slice path)
{
    struct xds_play *play = s->play;
    struct xds_sim_config *out = XDS_NEW(arena_of(s), struct xds_sim_config);

    out->kind = kind;
    s->kinds |= kind->bit | (s->alias || !kind->names ? 0 : XDS_SIM_PATHS);
    const char *const what =
        xds_arena_printf(play->machine.step_arena, "the config of %s", kind->who).data;

    if (!is_object(play, object, what, "", kind->keys))
        return out;
    const struct xds_tree *list =
        kind->list ? xds_event_object(play, object, kind->list) : NULL;

    out->priorities = read_names(play, arena_of(s), object, "priorities");
    out->n = list ? list->n : 0;
    out->entries = XDS_NEW_ARRAY(arena_of(s), struct xds_sim_entry, out->n);
    for (size_t i = 0; list && i < list->n && !play->failed; i++)
        read_entry(s, kind, &list->items[i], path, &out->entries[i]);
    if (!list)
        read_override(s, object, path, out);
    if (s->alias)
        return out;
    xds_strmap_init(&out->by_name, play->machine.arena);
    for (size_t i = 0; i < out->n && !play->failed; i++)
        *xds_strmap_at(&out->by_name, out->entries[i].name) = &out->entries[i];
    if (kind->bit == XDS_SIM_ROUTING && !play->failed)
        xds_sim_read_routes(s, object, out);
    return out;
}

/* ---- addresses and endpoints ---- */

void xds_sim_read_addresses(struct xds_sim *s, const struct xds_tree *event)
{
    static const char *const keys[] = {"address", "path", NULL};
    struct xds_play *play = s->play;
    const struct xds_tree *items = xds_event_array(play, event, "addresses");

    s->addresses = XDS_NEW_ARRAY(arena_of(s), struct xds_path_address, items->n);
    for (s->n_addresses = 0; s->n_addresses < items->n; s->n_addresses++) {
        const struct xds_tree *item = &items->items[s->n_addresses];

        if (!is_object(play, item, "an entry of \"addresses\"", "", keys))
            return;
        /* Both are handed on when a child is created. */
        const struct xds_slice address = xds_event_name(play, item, "address");
        const struct xds_slice_list path =
            read_names(play, play->machine.arena, item, "path");

        s->addresses[s->n_addresses] = (struct xds_path_address){
            xds_arena_dup(play->machine.arena, address), path.list, path.n};
    }
}

static void read_endpoint(struct xds_sim *s, const struct xds_tree *item,
                          struct xds_sim_endpoint *out)
{
    static const char *const keys[] = {"addresses", "health", NULL};
    static const char *const tree_keys[] = {"path", NULL};
    struct xds_play *play = s->play;

    if (item->kind != XDS_TREE_OBJECT) {
        xds_play_fault(
            play, item,
            "\"endpoints\": an endpoint must be an object with addresses and health");
        return;
    }
    xds_keys_check(
        play, item,
        &(struct xds_known_keys){"an endpoint", keys, s->alias ? NULL : tree_keys});
    const struct xds_slice_list addresses =
        read_names(play, arena_of(s), item, "addresses");
    const struct xds_tree *health = xds_event_given(item, "health");

    if (addresses.n == 0)
        xds_play_fault(play, item,
                       "\"addresses\" is empty; an endpoint has at least one");
    out->endpoint = (struct xds_endpoint){
        .addresses = addresses.list, .n_addresses = addresses.n, .weight = 1};
    if (health)
        read_health(play, health, &out->endpoint.health);
    out->path = read_names(play, arena_of(s), item, "path");
}

void xds_sim_read_endpoints(struct xds_sim *s, const struct xds_tree *event)
{
    const struct xds_tree *array = xds_event_array(s->play, event, "endpoints");

    s->endpoints = XDS_NEW_ARRAY(arena_of(s), struct xds_sim_endpoint, array->n);
    s->n_endpoints = array->n;
    for (size_t i = 0; i < array->n && !s->play->failed; i++)
        read_endpoint(s, &array->items[i], &s->endpoints[i]);
    s->idle_timeout_ms =
        xds_event_duration(s->play, event, "idle_timeout", XDS_SIM_IDLE_TIMEOUT_MS);
    xds_event_names(s->play, event, "child_creates");
    s->creates = xds_event_given(event, "child_creates");
}

/* Does a path lead through the node? What is below a policy with one child only has no
 * name in it. */
static bool is_below(const struct xds_sim_node *node, const struct xds_slice *path,
                     size_t n)
{
    if (!node->above)
        return true;
    if (node->n_names == node->above->n_names)
        return is_below(node->above, path, n);
    return n >= node->n_names &&
           xds_slice_eq(path[node->n_names - 1], node->stand_in.policy.name) &&
           is_below(node->above, path, n);
}

struct addresses {
    struct xds_path_address *list;
    size_t n;
};

/* Those that the node gets, with the rest of their paths; of its child only if that is
 * given. */
static struct addresses addresses_of(const struct xds_sim_node *node,
                                     struct xds_arena *arena,
                                     const struct xds_slice *child)
{
    const struct xds_sim *s = node->sim;
    const size_t used = node->n_names + (child ? 1 : 0);
    struct addresses out = {NULL, 0};
    size_t cap = 0;

    for (size_t i = 0; i < s->n_addresses; i++) {
        const struct xds_path_address *a = &s->addresses[i];

        if (a->n_path < used || !is_below(node, a->path, a->n_path) ||
            (child && !xds_slice_eq(a->path[node->n_names], *child)))
            continue;
        out.list = xds_arena_room(arena, out.list, out.n, &cap, sizeof *out.list);
        out.list[out.n++] =
            (struct xds_path_address){a->address, a->path + used, a->n_path - used};
    }
    return out;
}

/* ---- nodes ---- */

/* Its machine is made, and has no config yet. */
struct xds_sim_node *xds_sim_begin(struct xds_sim *s, const struct xds_sim_kind *kind,
                                   struct xds_sim_node *above, struct xds_slice name,
                                   struct xds_slice path,
                                   const struct xds_sim_config *config)
{
    struct xds_machine *machine = &s->play->machine;
    void **slot = xds_strmap_at(&s->nodes, path);
    struct xds_sim_node *node = *slot, *next = node ? node->next : NULL;

    if (!node) {
        node = XDS_NEW(machine->arena, struct xds_sim_node);
        *slot = node;
        *(s->last ? &s->last->next : &s->first) = node;
        s->last = node;
    }
    *node =
        (struct xds_sim_node){.sim = s,
                              .above = above,
                              .next = next,
                              .path = xds_arena_dup(machine->arena, path),
                              .depth = above ? above->depth + 1 : 0,
                              .n_names = above ? above->n_names + above->kind->names : 0,
                              .kind = kind,
                              .config = config,
                              .exists = true};
    xds_strmap_init(&node->handed, machine->arena);
    xds_stand_in_init(&node->stand_in, above ? above->policy : &s->channel,
                      xds_arena_dup(machine->arena, name));
    kind->begin(node, above ? &node->stand_in.policy : &s->channel,
                above ? node->path : xds_slice_of(kind->who));
    if (above)
        xds_stand_in_for(&node->stand_in, node->policy);
    return node;
}

/* As round_robin sums up its connections. */
void xds_sim_report_sum(const struct xds_override_host *host,
                        struct xds_scripted_child *child)
{
    enum xds_connectivity best = XDS_STATE_TRANSIENT_FAILURE;

    for (size_t i = 0; i < host->n_all; i++)
        if (xds_override_is_childs(host->all[i]) && host->all[i]->state > best)
            best = host->all[i]->state;
    xds_policy_report(&child->policy,
                      (struct xds_lb_report){
                          .state = best == XDS_STATE_IDLE ? XDS_STATE_CONNECTING : best,
                          .has_picker = true,
                          .picker = child->policy.name});
}

static bool names(const struct xds_tree *list, struct xds_slice address)
{
    for (size_t i = 0; list && i < list->n; i++)
        if (xds_slice_eq(list->items[i].text, address))
            return true;
    return false;
}

static void child_gets_endpoints(const struct xds_sim_node *node,
                                 struct xds_scripted_child *child)
{
    struct xds_override_host *host = xds_sim_host(node);
    const struct xds_tree *creates = node->sim->creates;

    for (size_t i = 0; i < host->n_all; i++)
        if (xds_override_is_childs(host->all[i]) && !host->all[i]->passed &&
            !names(creates, host->all[i]->address))
            xds_override_host_child_releases(host, host->all[i]->address);
    /* An address that was known once may still be held by the child. */
    for (size_t i = 0; creates && i < creates->n; i++)
        if (xds_strmap_get(&host->entries, creates->items[i].text))
            xds_override_host_child_creates(host, creates->items[i].text);
    for (size_t i = 0; !creates && i < host->n_all; i++)
        if (host->all[i]->passed)
            xds_override_host_child_creates(host, host->all[i]->address);
    if (child)
        xds_sim_report_sum(host, child);
}

static struct xds_policy *make_child(void *user, struct xds_policy *parent,
                                     struct xds_slice name)
{
    struct xds_sim_node *above = user;
    struct xds_sim *s = above->sim;
    const struct xds_slice path =
        xds_sim_path(s->play->machine.step_arena, above->path, name);
    const struct xds_sim_entry *entry =
        s->alias ? NULL : xds_strmap_get(&above->config->by_name, name);
    struct xds_scripted_child *child = NULL;
    struct xds_sim_node *node = NULL;

    if (entry && entry->config) {
        xds_step_add_name(s->play->step, "created", path);
        node = xds_sim_begin(s, entry->config->kind, above, name, path, entry->config);
        node->kind->update(node, entry->config);
    } else {
        child = xds_scripted_make(&s->scripted, parent, path, name.len);
    }
    if (above->kind->bit == XDS_SIM_OVERRIDE)
        child_gets_endpoints(above, child);
    return child ? &child->policy : &node->stand_in.policy;
}

static void update_child(void *user, struct xds_policy *policy)
{
    const struct xds_sim_node *above = user;
    struct xds_scripted_child *child = xds_scripted_of(policy);
    struct xds_sim_node *node = child ? NULL : (struct xds_sim_node *)(void *)policy;
    const struct xds_sim_entry *entry =
        node ? xds_strmap_get(&above->config->by_name, policy->name) : NULL;

    if (entry && entry->config)
        node->kind->update(node, entry->config);
    if (child)
        above->sim->scripted.maker.update(&above->sim->scripted, policy);
    if (above->kind->bit == XDS_SIM_OVERRIDE)
        child_gets_endpoints(above, child);
}

static void destroy_child(void *user, struct xds_policy *policy)
{
    struct xds_scripted *scripted = &((struct xds_sim_node *)user)->sim->scripted;

    if (xds_scripted_of(policy)) {
        scripted->maker.destroy(scripted, policy);
        return;
    }
    struct xds_sim_node *node = (struct xds_sim_node *)(void *)policy;

    xds_step_add_name(scripted->play->step, "deleted", node->path);
    policy->ops->destroy(policy);
    node->exists = false;
}

static struct xds_child_maker maker_of(struct xds_sim_node *node)
{
    return (struct xds_child_maker){node, make_child, update_child, destroy_child};
}

/* ---- priority_experimental ---- */

static void begin_priority(struct xds_sim_node *node, struct xds_policy *parent,
                           struct xds_slice name)
{
    node->policy = xds_priority_new(&node->sim->play->machine, parent, name,
                                    node->sim->timing, maker_of(node));
}

static void update_priority(struct xds_sim_node *node,
                            const struct xds_sim_config *config)
{
    const struct xds_sim *s = node->sim;
    struct xds_arena *arena = s->play->machine.step_arena;
    const struct xds_sim_config *old = node->config;
    struct xds_priority_entry *children =
        XDS_NEW_ARRAY(arena, struct xds_priority_entry, config->n);
    const struct addresses addresses = addresses_of(node, arena, NULL);

    for (size_t i = 0; i < config->n; i++)
        children[i] = (struct xds_priority_entry){
            config->entries[i].name, config->entries[i].ignores_reresolution};
    node->config = config;
    const struct xds_slice error =
        xds_priority_update(node->policy, &(struct xds_priority_config){
                                              .children = children,
                                              .n_children = config->n,
                                              .priorities = config->priorities.list,
                                              .n_priorities = config->priorities.n,
                                              .addresses = addresses.list,
                                              .n_addresses = addresses.n,
                                          });

    if (!error.data)
        return;
    node->config = old;
    xds_step_set(
        s->play->step, "config_error",
        xds_tree_string(node->depth == 0
                            ? error
                            : xds_arena_printf(s->play->step->arena, "%.*s: %.*s",
                                               XDS_FMT(node->path), XDS_FMT(error))));
}

/* A child, and what is below it: RPCs go there only if they go to the policy above. */
static size_t look_at(const struct xds_sim_node *above, struct xds_arena *arena,
                      struct xds_scene *scene, size_t at, struct xds_policy *policy,
                      struct xds_scene_node child)
{
    child.of = above;
    child.serves = child.serves && scene->list[at].serves;
    const size_t place = xds_scene_add(scene, arena, at, child);

    if (xds_scripted_of(policy))
        return place;
    const struct xds_sim_node *node = (struct xds_sim_node *)(void *)policy;

    node->kind->look(node, arena, scene, place);
    return place;
}

static void look_at_priority(const struct xds_sim_node *node, struct xds_arena *arena,
                             struct xds_scene *scene, size_t at)
{
    struct xds_priority_child child;

    for (size_t i = 0; i < xds_priority_size(node->policy); i++)
        if (xds_priority_at(node->policy, i, &child))
            look_at(node, arena, scene, at, child.policy,
                    (struct xds_scene_node){.label = child.name,
                                            .state = child.report.state,
                                            .serves = child.in_use,
                                            .parked = child.deactivated,
                                            .pending = child.failover_pending,
                                            .addresses = child.addresses,
                                            .n_addresses = child.n_addresses});
}

/* ---- weighted_target, and xds_cluster_manager or xds_routing, which both have one child
 * for each name that an RPC may be given ---- */

static void begin_named(struct xds_sim_node *node, struct xds_policy *parent,
                        struct xds_slice name)
{
    struct xds_machine *machine = &node->sim->play->machine;
    const struct xds_child_maker maker = maker_of(node);

    if (node->kind->bit == XDS_SIM_TARGETS) {
        struct xds_weighted_target *targets =
            XDS_NEW(machine->arena, struct xds_weighted_target);

        xds_weighted_target_init(targets, machine, parent, name, &maker,
                                 node->sim->retention_ms);
        node->policy = &targets->policy;
        return;
    }
    struct xds_cluster_manager *manager =
        XDS_NEW(machine->arena, struct xds_cluster_manager);

    xds_cluster_manager_init(manager, machine, parent, name, &maker, -1);
    node->policy = &manager->policy;
}

/* A child that leaves the config has what it was handed last. */
static void hand_addresses(struct xds_sim_node *node, const struct xds_sim_config *config)
{
    struct xds_arena *arena = node->sim->play->machine.arena;

    for (size_t i = 0; i < config->n; i++) {
        void **slot = xds_strmap_at(&node->handed, config->entries[i].name);

        if (!*slot)
            *slot = XDS_NEW(arena, struct addresses);
        *(struct addresses *)*slot = addresses_of(node, arena, &config->entries[i].name);
    }
}

static void update_named(struct xds_sim_node *node, const struct xds_sim_config *config)
{
    struct xds_named_config *list = XDS_NEW_ARRAY(node->sim->play->machine.step_arena,
                                                  struct xds_named_config, config->n);

    for (size_t i = 0; i < config->n; i++)
        list[i] =
            (struct xds_named_config){config->entries[i].name, config->entries[i].weight};
    node->config = config;
    hand_addresses(node, config);
    if (node->kind->bit == XDS_SIM_TARGETS)
        xds_weighted_target_update(xds_sim_targets(node), list, config->n);
    else
        xds_cluster_manager_update((struct xds_cluster_manager *)(void *)node->policy,
                                   list, config->n);
}

/* Those in the config by name, then those that are only kept. */
static void look_at_named(const struct xds_sim_node *node, struct xds_arena *arena,
                          struct xds_scene *scene, size_t at)
{
    /* The children of weighted_target or of the cluster manager. */
    const struct xds_named_children *all =
        node->kind->bit == XDS_SIM_TARGETS
            ? &xds_sim_targets(node)->children
            : &((struct xds_cluster_manager *)(void *)node->policy)->children;
    const bool weighted = node->kind->bit == XDS_SIM_TARGETS;
    const struct xds_target_shares shares =
        weighted ? xds_weighted_target_shares(xds_sim_targets(node), arena)
                 : (struct xds_target_shares){0};
    const struct xds_target_share *next = shares.list;

    for (size_t i = 0; i < all->in_config.n + all->seen.n; i++) {
        const bool kept_only = i >= all->in_config.n;
        const struct xds_named_child *child =
            kept_only ? all->seen.list[i - all->in_config.n] : all->in_config.list[i];

        if (kept_only && (!child->exists || child->in_config))
            continue;
        const struct addresses *handed = xds_strmap_get(&node->handed, child->name);
        struct xds_scene_node view = {.name = child->name,
                                      .label = child->name,
                                      .state = child->counted,
                                      .serves = !weighted && child->in_config,
                                      .parked = !child->in_config,
                                      .addresses = handed ? handed->list : NULL,
                                      .n_addresses = handed ? handed->n : 0};

        if (weighted)
            view.label =
                xds_arena_printf(arena, "%.*s (weight %llu)", XDS_FMT(child->name),
                                 (unsigned long long)child->weight);
        /* The shares are in the order of the names, too. */
        if (next && next < shares.list + shares.n &&
            xds_slice_eq(next->name, child->name))
            view.serves = next++->share.value > 0;
        look_at(node, arena, scene, at, child->policy, view);
    }
}

/* ---- xds_override_host_experimental ---- */

/* Connections are what the scenario says: nothing can be asked for one. */
static void leave_it(void *user, struct xds_slice address)
{
    (void)user;
    (void)address;
}

static void tell_timer(void *user, int64_t delay_ms)
{
    struct xds_step *step = ((struct xds_sim *)user)->play->step;

    xds_step_set(step, "timer_set",
                 xds_tree_string(xds_span_text(step->arena, delay_ms)));
}

static void begin_override(struct xds_sim_node *node, struct xds_policy *parent,
                           struct xds_slice name)
{
    struct xds_sim *s = node->sim;
    const struct xds_override_host_setup setup = {
        .generation = s->generation,
        .name = name,
        .child_name = node->config->entries->name,
        .maker = maker_of(node),
        .hooks = {.user = s,
                  .create = leave_it,
                  .connect = leave_it,
                  .drop = leave_it,
                  .sweep_set = tell_timer},
    };

    node->policy = &xds_override_host_new(&s->play->machine, parent, &setup)->policy;
}

static void update_override(struct xds_sim_node *node,
                            const struct xds_sim_config *config)
{
    struct xds_sim *s = node->sim;
    struct xds_override_update update = {.status = config->status,
                                         .idle_timeout_ms = s->idle_timeout_ms};
    const struct xds_endpoint **list = NULL;
    size_t cap = 0;

    for (size_t i = 0; i < s->n_endpoints; i++) {
        const struct xds_sim_endpoint *e = &s->endpoints[i];

        if (!is_below(node, e->path.list, e->path.n))
            continue;
        list = xds_arena_room(s->play->machine.step_arena, list, update.n_endpoints, &cap,
                              sizeof *list);
        list[update.n_endpoints++] = &e->endpoint;
    }
    update.endpoints = list;
    node->config = config;
    xds_override_host_update(xds_sim_host(node), &update);
}

bool xds_sim_is_owned(const struct xds_override_entry *entry)
{
    return entry->in_map && entry->owner == XDS_SUBCHANNEL_OURS;
}

static void look_at_subchannels(const struct xds_override_host *host,
                                struct xds_arena *arena, struct xds_scene *scene,
                                size_t at, bool own)
{
    for (size_t i = 0; i < host->n_all; i++) {
        const struct xds_override_entry *entry = host->all[i];
        struct xds_scene_node node = {.name = entry->address,
                                      .label = entry->address,
                                      .state = entry->state,
                                      .serves = entry->state == XDS_STATE_READY &&
                                                scene->list[at].serves};

        if (!(own ? xds_sim_is_owned(entry) : xds_override_is_childs(entry)))
            continue;
        if (own)
            node.label = xds_arena_concat(arena, node.label, XDS_S(" for sessions"));
        xds_scene_add(scene, arena, at, node);
    }
}

/* The child with the connections it has, then those kept for sessions. */
static void look_at_override(const struct xds_sim_node *node, struct xds_arena *arena,
                             struct xds_scene *scene, size_t at)
{
    const struct xds_override_host *host = xds_sim_host(node);

    if (host->child)
        look_at_subchannels(
            host, arena, scene,
            look_at(node, arena, scene, at, host->child,
                    (struct xds_scene_node){.label = host->child_name,
                                            .state = host->child->report.state,
                                            .serves = true}),
            false);
    look_at_subchannels(host, arena, scene, at, true);
}

/* ---- the policies ---- */

static const struct xds_sim_kind kinds[] = {
    {XDS_SIM_PRIORITY, XDS_NAMED_PRIORITY, "priority_experimental",
     XDS_KEYS("children", "priorities"), "children", "an entry of \"children\"", "",
     XDS_KEYS("config", "ignore_reresolution_requests", "ignoreReresolutionRequests"), 1,
     begin_priority, update_priority, look_at_priority},
    {XDS_SIM_TARGETS, XDS_NAMED_WEIGHTED_TARGET, "weighted_target", XDS_KEYS("targets"),
     "targets", "a target", " with its \"weight\", such as {\"weight\": 1}",
     XDS_KEYS("weight", "childPolicy", "child_policy"), 1, begin_named, update_named,
     look_at_named},
    {XDS_SIM_MANAGER, XDS_NAMED_CLUSTER_MANAGER, "xds_cluster_manager_experimental",
     XDS_KEYS("children"), "children", "an entry of \"children\"", "",
     XDS_KEYS("childPolicy", "child_policy"), 1, begin_named, update_named,
     look_at_named},
    {XDS_SIM_ROUTING, XDS_NAMED_ROUTING, "xds_routing_experimental",
     XDS_KEYS("route", "action"), "action", "an entry of \"action\"", "",
     XDS_KEYS("childPolicy", "child_policy"), 1, begin_named, update_named,
     look_at_named},
    {XDS_SIM_OVERRIDE, XDS_NAMED_OVERRIDE_HOST, "xds_override_host_experimental",
     XDS_KEYS("clusterName", "overrideHostStatus", "childPolicy"),
     .begin = begin_override, .update = update_override, .look = look_at_override},
    {.bit = 0},
};

/* NULL: it has no machine here. */
const struct xds_sim_kind *xds_sim_kind_of(enum xds_lb_named named)
{
    const struct xds_sim_kind *kind = kinds;

    while (kind->bit && kind->named != named)
        kind++;
    return kind->bit ? kind : NULL;
}
