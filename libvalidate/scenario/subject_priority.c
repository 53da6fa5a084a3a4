/*
 * subject_priority.c - priority_experimental alone, over children whose states are said.
 *
 * Fails:  an event that cannot be is a fault of the play; an invalid config is none, it
 *         is what the policy is asked about.
 * Source: gRFC A56, A115; spec routing 7.
 */
#include "scenario/keys.h"
#include "scenario/scenario.h"

struct stage {
    struct xds_policy parent; /* first; receives requests to the channel */
    struct xds_play *play;
    struct xds_scripted children;
    struct xds_policy *priority;
};

/* ---- opening ---- */

static void hear_reresolution(struct xds_policy *self, struct xds_policy *child)
{
    struct stage *stage = (struct stage *)(void *)self;

    (void)child;
    xds_step_set(stage->play->step, "reresolution_forwarded", xds_tree_bool(true));
}

static const struct xds_policy_ops parent_ops = {.name = "channel",
                                                 .reresolution = hear_reresolution};

static void *open_stage(struct xds_play *play)
{
    struct stage *stage = XDS_NEW(play->machine.arena, struct stage);
    const struct xds_priority_timing timing = {
        .failover_ms = xds_event_duration(play, play->config, "failover_timeout",
                                          XDS_PRIORITY_FAILOVER_MS),
        .retention_ms = xds_event_duration(play, play->config, "child_retention",
                                           XDS_PRIORITY_RETENTION_MS),
    };

    stage->play = play;
    stage->parent = (struct xds_policy){.ops = &parent_ops, .machine = &play->machine};
    xds_scripted_init(&stage->children, play);
    stage->priority =
        xds_priority_new(&play->machine, &stage->parent, XDS_S("priority_experimental"),
                         timing, stage->children.maker);
    return stage;
}

/* ---- config_update ---- */

static const char *const policy_keys[] = {"children", "priorities", NULL};
static const char *const child_keys[] = {"config", "ignore_reresolution_requests", NULL};
static const char *const address_keys[] = {"address", "path", NULL};

/* An object with these keys and no others. */
static bool is_object(struct xds_play *play, const struct xds_tree *value,
                      const char *what, const char *const *keys)
{
    const struct xds_known_keys known = {.what = what, .own = keys};

    if (value->kind != XDS_TREE_OBJECT)
        return xds_play_fault(play, value, "%s must be an object", what);
    return xds_keys_check(play, value, &known);
}

/* What a child's own config is does not matter here. */
static void read_children(struct xds_play *play, const struct xds_tree *config,
                          struct xds_priority_config *out)
{
    const struct xds_tree *children = xds_event_object(play, config, "children");
    struct xds_priority_entry *list =
        XDS_NEW_ARRAY(play->machine.step_arena, struct xds_priority_entry, children->n);

    out->children = list;
    for (size_t i = 0; i < children->n; i++) {
        const struct xds_tree *entry = &children->items[i];

        list[out->n_children++].name = entry->key;
        if (is_object(play, entry, "an entry of \"children\"", child_keys))
            list[i].ignores_reresolution =
                xds_event_flag(play, entry, "ignore_reresolution_requests", false);
    }
}

/* In the arena of the play: an address is handed on when a child is created. */
static struct xds_path_address read_address(struct xds_play *play,
                                            const struct xds_tree *item)
{
    struct xds_arena *arena = play->machine.arena;
    const struct xds_slice_list path = xds_event_names(play, item, "path");
    struct xds_slice *kept = XDS_NEW_ARRAY(arena, struct xds_slice, path.n);

    for (size_t i = 0; i < path.n; i++)
        kept[i] = xds_arena_dup(arena, path.list[i]);
    return (struct xds_path_address){
        .address = xds_arena_dup(arena, xds_event_name(play, item, "address")),
        .path = kept,
        .n_path = path.n,
    };
}

static void read_addresses(struct xds_play *play, const struct xds_tree *event,
                           struct xds_priority_config *out)
{
    const struct xds_tree *items = xds_event_array(play, event, "addresses");
    struct xds_path_address *list =
        XDS_NEW_ARRAY(play->machine.step_arena, struct xds_path_address, items->n);

    out->addresses = list;
    for (size_t i = 0; i < items->n; i++)
        if (is_object(play, &items->items[i], "an entry of \"addresses\"", address_keys))
            list[out->n_addresses++] = read_address(play, &items->items[i]);
}

static struct xds_priority_config read_update(struct xds_play *play,
                                              const struct xds_tree *event)
{
    const struct xds_tree *config = xds_event_object(play, event, "config");
    struct xds_priority_config out = {0};

    if (!xds_tree_member(event, "config"))
        xds_play_fault(play, event, "\"config\" is missing");
    is_object(play, config, "the config of priority_experimental", policy_keys);
    const struct xds_slice_list priorities = xds_event_names(play, config, "priorities");

    out.priorities = priorities.list;
    out.n_priorities = priorities.n;
    read_children(play, config, &out);
    read_addresses(play, event, &out);
    return out;
}

static void play_config_update(void *subject, const struct xds_tree *event)
{
    struct stage *stage = subject;
    struct xds_play *play = stage->play;
    const struct xds_priority_config config = read_update(play, event);

    xds_scripted_begin(&stage->children, xds_event_object(play, event, "child_reports"));
    if (play->failed)
        return;
    const struct xds_slice error = xds_priority_update(stage->priority, &config);

    if (error.data)
        xds_step_set(play->step, "config_error", xds_tree_string(error));
    xds_scripted_end(&stage->children);
}

/* ---- events of children ---- */

static void play_child_state(void *subject, const struct xds_tree *event)
{
    struct stage *stage = subject;

    xds_scripted_report(&stage->children, event);
}

static void play_child_reresolution(void *subject, const struct xds_tree *event)
{
    struct stage *stage = subject;
    struct xds_scripted_child *child =
        xds_scripted_find(&stage->children, event, "child");

    if (!child)
        return;
    xds_step_set(stage->play->step, "reresolution_forwarded", xds_tree_bool(false));
    xds_policy_reresolve(&child->policy);
}

/* ---- what it looks like ---- */

static struct xds_tree names_where(const struct stage *stage,
                                   bool (*is)(const struct xds_priority_child *))
{
    struct xds_arena *arena = stage->play->step->arena;
    struct xds_tree names = xds_tree_array();
    struct xds_priority_child child;

    for (size_t i = 0; i < xds_priority_size(stage->priority); i++)
        if (xds_priority_at(stage->priority, i, &child) && is(&child))
            xds_tree_add(arena, &names, xds_tree_string(child.name));
    return names;
}

static bool exists(const struct xds_priority_child *child)
{
    (void)child;
    return true;
}

static bool is_deactivated(const struct xds_priority_child *child)
{
    return child->deactivated;
}

static bool is_pending(const struct xds_priority_child *child)
{
    return child->failover_pending;
}

static struct xds_tree path_of(struct xds_arena *arena, const struct xds_path_address *a)
{
    struct xds_tree path = xds_tree_array();

    for (size_t i = 0; i < a->n_path; i++)
        xds_tree_add(arena, &path, xds_tree_string(a->path[i]));
    return path;
}

static struct xds_tree addresses_of(struct xds_arena *arena,
                                    const struct xds_priority_child *child)
{
    struct xds_tree list = xds_tree_array();

    for (size_t i = 0; i < child->n_addresses; i++) {
        struct xds_tree item = xds_tree_object();

        xds_tree_put(arena, &item, "address",
                     xds_tree_string(child->addresses[i].address));
        xds_tree_put(arena, &item, "path", path_of(arena, &child->addresses[i]));
        xds_tree_add(arena, &list, item);
    }
    return list;
}

static struct xds_tree child_addresses(const struct stage *stage)
{
    struct xds_arena *arena = stage->play->step->arena;
    struct xds_tree table = xds_tree_object();
    struct xds_priority_child child;

    for (size_t i = 0; i < xds_priority_size(stage->priority); i++)
        if (xds_priority_at(stage->priority, i, &child))
            xds_tree_put_key(arena, &table, child.name, addresses_of(arena, &child));
    return table;
}

/* null when none is in use, or when RPCs fail by a picker that is not the child's. */
static struct xds_tree child_in_use(const struct stage *stage)
{
    struct xds_priority_child child;

    for (size_t i = 0; i < xds_priority_size(stage->priority); i++)
        if (xds_priority_at(stage->priority, i, &child) && child.in_use &&
            !child.fails_for_it)
            return xds_tree_string(child.name);
    return (struct xds_tree){.kind = XDS_TREE_NULL};
}

static struct xds_tree reported(const struct stage *stage)
{
    struct xds_arena *arena = stage->play->step->arena;
    const struct xds_lb_report *report = &stage->priority->report;
    struct xds_tree out = xds_tree_object();

    xds_tree_put(arena, &out, "state",
                 xds_tree_text(xds_connectivity_name(report->state)));
    xds_tree_put(arena, &out, "child", child_in_use(stage));
    xds_tree_put(arena, &out, "picker",
                 report->has_picker ? xds_tree_string(report->picker)
                                    : xds_tree_text("queue"));
    return out;
}

static void put_state(void *subject, struct xds_tree *result)
{
    const struct stage *stage = subject;
    struct xds_arena *arena = stage->play->step->arena;

    xds_tree_put(arena, result, "exists", names_where(stage, exists));
    xds_tree_put(arena, result, "deactivated", names_where(stage, is_deactivated));
    xds_tree_put(arena, result, "failover_pending", names_where(stage, is_pending));
    xds_tree_put(arena, result, "reported", reported(stage));
    xds_tree_put(arena, result, "child_addresses", child_addresses(stage));
}

static struct xds_scene_node node_of(const struct stage *stage, struct xds_arena *arena,
                                     const struct xds_priority_child *child)
{
    return (struct xds_scene_node){
        .path = xds_arena_printf(arena, "%.*s/%.*s", XDS_FMT(stage->priority->name),
                                 XDS_FMT(child->name)),
        .label = child->name,
        .state = child->report.state,
        .serves = child->in_use,
        .parked = child->deactivated,
        .depth = 1,
    };
}

static struct xds_scene show(void *subject, struct xds_arena *arena)
{
    const struct stage *stage = subject;
    const size_t n = xds_priority_size(stage->priority);
    struct xds_scene scene = {XDS_NEW_ARRAY(arena, struct xds_scene_node, n + 1), 1};
    struct xds_priority_child child;

    scene.list[0] = (struct xds_scene_node){
        .path = stage->priority->name,
        .label = stage->priority->name,
        .state = stage->priority->report.state,
        .serves = true,
    };
    for (size_t i = 0; i < n; i++)
        if (xds_priority_at(stage->priority, i, &child))
            scene.list[scene.n++] = node_of(stage, arena, &child);
    return scene;
}

/* ---- the subject ---- */

static const char *const config_keys[] = {"failover_timeout", "child_retention", NULL};

static const char *const update_fields[] = {"config", "addresses", "child_reports", NULL};
static const char *const state_fields[] = {"child", "state", "picker", NULL};
static const char *const reresolution_fields[] = {"child", NULL};

static const struct xds_event_kind events[] = {
    {"config_update", update_fields, play_config_update},
    {"child_state", state_fields, play_child_state},
    {"child_reresolution", reresolution_fields, play_child_reresolution},
    {0},
};

static const struct xds_result_key happened[] = {
    {"created", XDS_KEY_LIST},
    {"deleted", XDS_KEY_LIST},
    {"reresolution_forwarded", XDS_KEY_VALUE},
    {"config_error", XDS_KEY_VALUE},
    {0},
};

const struct xds_subject xds_subject_priority = {
    .name = "priority",
    .config_keys = config_keys,
    .happened = happened,
    .events = events,
    .open = open_stage,
    .state = put_state,
    .scene = show,
};
