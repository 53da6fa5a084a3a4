/*
 * subject_override_host.c - xds_override_host_experimental alone, over a child whose
 * connections a scenario tells of.
 *
 * Fails:  an event that cannot be is a fault of the play.
 * Source: gRFC A55, A61, A75; spec routing 8.
 */
#include "scenario/keys.h"
#include "scenario/scenario.h"

/* ---- lists of addresses ---- */

static struct xds_tree addresses_where(const struct xds_override_host *host,
                                       struct xds_arena *arena,
                                       bool (*is)(const struct xds_override_entry *))
{
    struct xds_tree list = xds_tree_array();

    for (size_t i = 0; i < host->n_all; i++)
        if (is(host->all[i]))
            xds_tree_add(arena, &list, xds_tree_string(host->all[i]->address));
    return list;
}

static struct xds_tree actual_list(const struct xds_override_host *host,
                                   struct xds_arena *arena,
                                   const struct xds_override_entry *entry)
{
    struct xds_tree list = xds_tree_array();
    struct xds_slice *addresses = NULL;
    const size_t n =
        entry ? xds_override_host_addresses(host, entry, arena, &addresses) : 0;

    for (size_t i = 0; i < n; i++)
        xds_tree_add(arena, &list, xds_tree_string(addresses[i]));
    return list;
}

static bool is_candidate(const struct xds_override_entry *entry)
{
    return xds_override_is_childs(entry) && entry->state == XDS_STATE_READY;
}

static bool is_passed(const struct xds_override_entry *entry)
{
    return entry->passed;
}

static bool is_in_map(const struct xds_override_entry *entry)
{
    return entry->in_map;
}

static bool is_owned(const struct xds_override_entry *entry)
{
    return entry->in_map && entry->owner == XDS_SUBCHANNEL_OURS;
}

static bool has_none(const struct xds_override_entry *entry)
{
    return entry->in_map && entry->owner == XDS_SUBCHANNEL_NONE;
}

/* ---- a pick ---- */

static struct xds_tree text_or_null(struct xds_slice text)
{
    return text.data ? xds_tree_string(text) : (struct xds_tree){.kind = XDS_TREE_NULL};
}

static const char *const verdict_names[] = {
    [XDS_OVERRIDE_COMPLETE] = "complete",
    [XDS_OVERRIDE_QUEUE] = "queue",
    [XDS_OVERRIDE_DELEGATE] = "delegate",
};

static const char *const action_names[] = {
    [XDS_OVERRIDE_NO_ACTION] = "none",
    [XDS_OVERRIDE_CONNECT] = "connect",
    [XDS_OVERRIDE_CREATE_SUBCHANNEL] = "create_subchannel",
};

/* {result, host, candidates, reason, action, action_address, actual_address_list} */
static struct xds_tree pick_tree(const struct xds_override_host *host,
                                 struct xds_arena *arena,
                                 const struct xds_override_outcome *outcome)
{
    const struct xds_override_decision *d = &outcome->decision;
    const bool delegates = d->verdict == XDS_OVERRIDE_DELEGATE;
    const bool acts = d->action != XDS_OVERRIDE_NO_ACTION;
    const struct xds_slice none = {0};
    struct xds_tree out = xds_tree_object();

    xds_tree_put(arena, &out, "result", xds_tree_text(verdict_names[d->verdict]));
    xds_tree_put(arena, &out, "host", text_or_null(outcome->host));
    xds_tree_put(arena, &out, "candidates",
                 delegates ? addresses_where(host, arena, is_candidate)
                           : xds_tree_array());
    xds_tree_put(arena, &out, "reason", xds_tree_string(d->reason));
    xds_tree_put(arena, &out, "action", xds_tree_text(action_names[d->action]));
    xds_tree_put(arena, &out, "action_address",
                 text_or_null(acts ? d->host->address : none));
    xds_tree_put(arena, &out, "actual_address_list",
                 actual_list(host, arena, outcome->used));
    return out;
}

/* ---- the state ---- */

/* passed_to_child, map, owned, child_owned, no_subchannel. */
static void put_override_state(const struct xds_override_host *host,
                               struct xds_arena *arena, struct xds_tree *result)
{
    static const struct {
        const char *key;
        bool (*is)(const struct xds_override_entry *);
    } keys[] = {
        {"passed_to_child", is_passed},
        {"map", is_in_map},
        {"owned", is_owned},
        {"child_owned", xds_override_is_childs},
        {"no_subchannel", has_none},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(keys); i++)
        xds_tree_put(arena, result, keys[i].key,
                     addresses_where(host, arena, keys[i].is));
}

/* ---- the picture ---- */

static void show_subchannels(const struct xds_override_host *host,
                             struct xds_arena *arena, const struct xds_scene_node *above,
                             struct xds_scene *scene)
{
    const bool own = above->depth == 0;

    for (size_t i = 0; i < host->n_all; i++) {
        const struct xds_override_entry *entry = host->all[i];

        if (!(own ? is_owned(entry) : xds_override_is_childs(entry)))
            continue;
        scene->list[scene->n++] = (struct xds_scene_node){
            .path = xds_arena_printf(arena, "%.*s/%.*s", XDS_FMT(above->path),
                                     XDS_FMT(entry->address)),
            .label = own ? xds_arena_printf(arena, "%.*s for sessions",
                                            XDS_FMT(entry->address))
                         : entry->address,
            .state = entry->state,
            .serves = entry->state == XDS_STATE_READY,
            .depth = above->depth + 1,
        };
    }
}

/* The policy, its child with the connections it has, then those kept for sessions. */
static struct xds_scene override_scene(const struct xds_override_host *host,
                                       struct xds_arena *arena)
{
    struct xds_scene scene = {
        XDS_NEW_ARRAY(arena, struct xds_scene_node, host->n_all + 2), 1};
    const struct xds_scene_node root = {.path = host->policy.name,
                                        .label = host->policy.name,
                                        .state = host->policy.report.state,
                                        .serves = true};
    struct xds_scene_node child = {.label = host->child_name, .serves = true, .depth = 1};

    scene.list[0] = root;
    if (host->child) {
        child.path = xds_arena_printf(arena, "%.*s/%.*s", XDS_FMT(root.path),
                                      XDS_FMT(child.label));
        child.state = host->child->report.state;
        scene.list[scene.n++] = child;
        show_subchannels(host, arena, &child, &scene);
    }
    show_subchannels(host, arena, &root, &scene);
    return scene;
}

/* ---- xds_override_host_experimental alone, over a child whose ---- */

#define ONE_HOUR_MS (INT64_C(60) * 60 * 1000)

struct stage {
    struct xds_policy child; /* first; picks what the scenario says */
    struct xds_play *play;
    struct xds_override_host *host;
    const struct xds_tree *creates; /* child_creates of the update in work; NULL: all */
};

/* ---- the child ---- */

/* As round_robin sums up its connections. */
static enum xds_connectivity summed_up(const struct xds_override_host *host)
{
    enum xds_connectivity best = XDS_STATE_TRANSIENT_FAILURE;

    for (size_t i = 0; i < host->n_all; i++)
        if (xds_override_is_childs(host->all[i]) && host->all[i]->state > best)
            best = host->all[i]->state;
    return best == XDS_STATE_IDLE ? XDS_STATE_CONNECTING : best;
}

static void child_reports(struct stage *stage)
{
    xds_policy_report(&stage->child,
                      (struct xds_lb_report){.state = summed_up(stage->host),
                                             .has_picker = true,
                                             .picker = stage->child.name});
}

/* An address that was known once may still be on the child's mind. */
static bool is_known(struct stage *stage, const struct xds_tree *address)
{
    return xds_strmap_get(&stage->host->entries, address->text) ||
           xds_play_fault(stage->play, address,
                          "no endpoint has had the address \"%.*s\"",
                          XDS_FMT(address->text));
}

static void create_some(struct stage *stage, const struct xds_tree *addresses)
{
    for (size_t i = 0; i < addresses->n && is_known(stage, &addresses->items[i]); i++)
        xds_override_host_child_creates(stage->host, addresses->items[i].text);
}

static void child_gets_endpoints(struct stage *stage)
{
    struct xds_override_host *host = stage->host;

    for (size_t i = 0; i < host->n_all; i++)
        if (xds_override_is_childs(host->all[i]) && !host->all[i]->passed)
            xds_override_host_child_releases(host, host->all[i]->address);
    if (stage->creates)
        create_some(stage, stage->creates);
    for (size_t i = 0; !stage->creates && i < host->n_all; i++)
        if (host->all[i]->passed)
            xds_override_host_child_creates(host, host->all[i]->address);
    child_reports(stage);
}

static struct xds_policy *create_child(void *user, struct xds_policy *parent,
                                       struct xds_slice name)
{
    struct stage *stage = user;

    stage->child.parent = parent;
    stage->child.name = name;
    child_gets_endpoints(stage);
    return &stage->child;
}

static void update_child(void *user, struct xds_policy *child)
{
    (void)child;
    child_gets_endpoints(user);
}

/* ---- opening ---- */

/* Connections are what the scenario says: nothing can be asked for one. */
static void leave_it(void *user, struct xds_slice address)
{
    (void)user;
    (void)address;
}

static void tell_timer(void *user, int64_t delay_ms)
{
    struct xds_step *step = ((struct stage *)user)->play->step;

    xds_step_set(step, "timer_set",
                 xds_tree_string(xds_span_text(step->arena, delay_ms)));
}

static enum xds_override_generation read_generation(struct xds_play *play)
{
    const struct xds_slice text = xds_event_text(play, play->config, "generation");

    if (xds_slice_is(text, "A55"))
        return XDS_OVERRIDE_A55;
    if (text.data && !xds_slice_is(text, "A75"))
        xds_play_fault(play, xds_tree_member(play->config, "generation"),
                       "the generation of xds_override_host must be A55 or A75");
    return text.data ? XDS_OVERRIDE_A75
                     : xds_override_generation_of(play->machine.client);
}

/* A name, or the first policy of a list as in a service config. */
static struct xds_slice read_child_policy(struct xds_play *play)
{
    const struct xds_tree *value = xds_tree_member(play->config, "child_policy");

    if (!value || value->kind == XDS_TREE_NULL)
        return XDS_S("round_robin");
    if (value->kind == XDS_TREE_STRING && value->text.len)
        return value->text;
    if (value->kind == XDS_TREE_ARRAY && value->n &&
        value->items[0].kind == XDS_TREE_OBJECT && value->items[0].n == 1)
        return value->items[0].items[0].key;
    xds_play_fault(play, value,
                   "\"child_policy\" must be a name or a list such as "
                   "[{\"round_robin\": {}}]");
    return XDS_S("");
}

static const struct xds_policy_ops child_ops = {.name = "child"};

static void *open_stage(struct xds_play *play)
{
    struct stage *stage = XDS_NEW(play->machine.arena, struct stage);
    const struct xds_override_host_setup setup = {
        .generation = read_generation(play),
        .name = XDS_S("xds_override_host_experimental"),
        .child_name = read_child_policy(play),
        .maker = {.user = stage, .create = create_child, .update = update_child},
        .hooks = {.user = stage,
                  .create = leave_it,
                  .connect = leave_it,
                  .drop = leave_it,
                  .sweep_set = tell_timer},
    };

    stage->play = play;
    stage->child = (struct xds_policy){
        .ops = &child_ops, .machine = &play->machine, .report = XDS_LB_REPORT_NEW};
    stage->host = xds_override_host_new(&play->machine, NULL, &setup);
    return stage;
}

/* ---- update ---- */

static bool read_health(struct xds_slice text, enum xds_health *out)
{
    static const char *const names[XDS_HEALTHS] = {
        [XDS_HEALTH_UNKNOWN] = "UNKNOWN",     [XDS_HEALTH_HEALTHY] = "HEALTHY",
        [XDS_HEALTH_UNHEALTHY] = "UNHEALTHY", [XDS_HEALTH_DRAINING] = "DRAINING",
        [XDS_HEALTH_TIMEOUT] = "TIMEOUT",     [XDS_HEALTH_DEGRADED] = "DEGRADED",
    };

    for (unsigned i = 0; i < XDS_HEALTHS; i++) {
        if (!xds_slice_is(text, names[i]))
            continue;
        *out = (enum xds_health)i;
        return true;
    }
    return false;
}

static enum xds_health health_of(struct xds_play *play, const struct xds_tree *value)
{
    enum xds_health health = XDS_HEALTH_UNKNOWN;

    if (value->kind != XDS_TREE_STRING || !read_health(value->text, &health))
        xds_play_fault(play, value,
                       "a health status must be UNKNOWN, HEALTHY, UNHEALTHY, DRAINING, "
                       "TIMEOUT or DEGRADED");
    return health;
}

/* The member, or NULL when it is absent or null. */
static const struct xds_tree *given(const struct xds_tree *object, const char *key)
{
    const struct xds_tree *value = xds_tree_member(object, key);

    return value && value->kind != XDS_TREE_NULL ? value : NULL;
}

static struct xds_endpoint *read_endpoint(struct xds_play *play,
                                          const struct xds_tree *item)
{
    static const char *const keys[] = {"addresses", "health", NULL};
    struct xds_endpoint *out = XDS_NEW(play->machine.step_arena, struct xds_endpoint);

    if (item->kind != XDS_TREE_OBJECT) {
        xds_play_fault(
            play, item,
            "\"endpoints\": an endpoint must be an object with addresses and health");
        return out;
    }
    xds_keys_check(play, item, &(struct xds_known_keys){"an endpoint", keys, NULL});
    const struct xds_slice_list addresses = xds_event_names(play, item, "addresses");
    const struct xds_tree *health = given(item, "health");

    if (addresses.n == 0)
        xds_play_fault(play, item,
                       "\"addresses\" is empty; an endpoint has at least one");
    out->addresses = addresses.list;
    out->n_addresses = addresses.n;
    out->health = health ? health_of(play, health) : XDS_HEALTH_UNKNOWN;
    out->weight = 1;
    return out;
}

static void read_endpoints(struct xds_play *play, const struct xds_tree *event,
                           struct xds_override_update *out)
{
    if (!given(event, "endpoints")) {
        xds_play_fault(play, event, "\"endpoints\" is missing");
        return;
    }
    const struct xds_tree *array = xds_event_array(play, event, "endpoints");

    if (play->failed)
        return;
    const struct xds_endpoint **list =
        XDS_NEW_ARRAY(play->machine.step_arena, const struct xds_endpoint *, array->n);

    for (size_t i = 0; i < array->n && !play->failed; i++)
        list[out->n_endpoints++] = read_endpoint(play, &array->items[i]);
    out->endpoints = list;
}

static unsigned read_status(struct xds_play *play, const struct xds_tree *event)
{
    unsigned status = 0;

    if (!given(event, "override_host_status"))
        return XDS_HEALTH_BIT(XDS_HEALTH_UNKNOWN) | XDS_HEALTH_BIT(XDS_HEALTH_HEALTHY);
    const struct xds_tree *array = xds_event_array(play, event, "override_host_status");

    for (size_t i = 0; !play->failed && i < array->n; i++)
        status |= XDS_HEALTH_BIT(health_of(play, &array->items[i]));
    return status;
}

static void play_update(void *subject, const struct xds_tree *event)
{
    struct stage *stage = subject;
    struct xds_play *play = stage->play;
    struct xds_override_update update = {0};

    read_endpoints(play, event, &update);
    update.status = read_status(play, event);
    update.idle_timeout_ms = xds_event_duration(play, event, "idle_timeout", ONE_HOUR_MS);
    xds_event_names(play, event, "child_creates");
    stage->creates = given(event, "child_creates");
    if (!play->failed)
        xds_override_host_update(stage->host, &update);
}

/* ---- subchannels ---- */

static void play_subchannel_state(void *subject, const struct xds_tree *event)
{
    struct stage *stage = subject;
    struct xds_play *play = stage->play;
    const struct xds_slice address = xds_event_name(play, event, "address");
    const struct xds_tree *value = given(event, "state");

    if (!value)
        xds_play_fault(play, event, "\"state\" is missing");
    if (play->failed || !value)
        return;
    const enum xds_connectivity state = xds_event_state(play, value);
    const struct xds_override_entry *entry = xds_override_host_find(stage->host, address);

    if (play->failed)
        return;
    if (!xds_override_host_state(stage->host, address, state))
        xds_play_fault(play, given(event, "address"),
                       "the policy has no subchannel to \"%.*s\"", XDS_FMT(address));
    else if (xds_override_is_childs(entry))
        child_reports(stage);
}

/* The addresses of the event, or NULL after a fault. */
static const struct xds_tree *read_addresses(struct xds_play *play,
                                             const struct xds_tree *event)
{
    xds_event_names(play, event, "addresses");
    if (!given(event, "addresses"))
        xds_play_fault(play, event, "\"addresses\" is missing");
    return play->failed ? NULL : given(event, "addresses");
}

static void play_child_creates(void *subject, const struct xds_tree *event)
{
    struct stage *stage = subject;
    const struct xds_tree *addresses = read_addresses(stage->play, event);

    if (!addresses)
        return;
    create_some(stage, addresses);
    if (stage->host->child)
        child_reports(stage);
}

/* What the child has let go already it may let go again. */
static void play_child_releases(void *subject, const struct xds_tree *event)
{
    struct stage *stage = subject;
    const struct xds_tree *addresses = read_addresses(stage->play, event);

    if (!addresses)
        return;
    for (size_t i = 0; i < addresses->n && is_known(stage, &addresses->items[i]); i++)
        xds_override_host_child_releases(stage->host, addresses->items[i].text);
    if (stage->host->child)
        child_reports(stage);
}

/* ---- pick ---- */

static struct xds_override_outcome pick_rpc(struct stage *stage,
                                            const struct xds_pick_call *call,
                                            struct xds_slice child_picks)
{
    struct xds_override_outcome o = {.decision =
                                         xds_override_host_decide(stage->host, call)};

    switch (o.decision.verdict) {
    case XDS_OVERRIDE_COMPLETE:
        o.used = o.decision.host;
        o.host = o.used->address;
        break;
    case XDS_OVERRIDE_QUEUE:
        break;
    case XDS_OVERRIDE_DELEGATE:
        o.host = child_picks;
        if (child_picks.data)
            o.used = xds_override_host_picked(stage->host, call, child_picks);
        break;
    }
    return o;
}

static void play_pick(void *subject, const struct xds_tree *event)
{
    struct stage *stage = subject;
    struct xds_play *play = stage->play;
    const struct xds_slice_list cookie = xds_event_names(play, event, "cookie_addresses");
    const struct xds_slice child_picks = xds_event_text(play, event, "child_picks");
    const struct xds_pick_call call = {
        .random = &play->step->random,
        .has_override = given(event, "cookie_addresses") != NULL,
        .overridden = cookie.list,
        .n_overridden = cookie.n,
    };

    if (play->failed)
        return;
    const struct xds_override_outcome o = pick_rpc(stage, &call, child_picks);

    xds_step_set(play->step, "pick", pick_tree(stage->host, play->step->arena, &o));
}

/* ---- what it looks like ---- */

static void put_state(void *subject, struct xds_tree *result)
{
    const struct stage *stage = subject;

    put_override_state(stage->host, stage->play->step->arena, result);
}

static struct xds_scene show(void *subject, struct xds_arena *arena)
{
    return override_scene(((const struct stage *)subject)->host, arena);
}

/* ---- the subject ---- */

static const char *const config_keys[] = {"generation", "child_policy", NULL};

static const char *const update_fields[] = {"endpoints", "override_host_status",
                                            "idle_timeout", "child_creates", NULL};
static const char *const state_fields[] = {"address", "state", NULL};
static const char *const child_fields[] = {"addresses", NULL};
static const char *const pick_fields[] = {"cookie_addresses", "child_picks", NULL};

static const struct xds_event_kind events[] = {
    {"update", update_fields, play_update},
    {"subchannel_state", state_fields, play_subchannel_state},
    {"child_creates", child_fields, play_child_creates},
    {"child_releases", child_fields, play_child_releases},
    {"pick", pick_fields, play_pick},
    {0},
};

static const struct xds_result_key happened[] = {
    {"timer_set", XDS_KEY_VALUE}, {"pick", XDS_KEY_VALUE}, {0}};

const struct xds_subject xds_subject_override_host = {
    .name = "xds_override_host",
    .config_keys = config_keys,
    .happened = happened,
    .events = events,
    .open = open_stage,
    .state = put_state,
    .scene = show,
};
