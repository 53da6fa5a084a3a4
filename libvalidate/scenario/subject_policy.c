/*
 * subject_policy.c - plays policy: a tree of LB policies over children whose states are
 * said; and its aliases priority, weighted_target and xds_override_host: one alone.
 *
 * Fails:  an event that cannot be is a fault of the play; a config of priority that its
 *         client rejects is none, it is what the policy is asked about.
 * Source: gRFC A28, A31, A55, A56, A61, A75, A115; spec routing 6, 7, 8.
 */
#include "scenario/scenario.h"

/* ---- results ---- */

static bool is_child(const struct xds_scene_node *node)
{
    return node->of != NULL;
}

static bool is_deactivated(const struct xds_scene_node *node)
{
    return node->parked &&
           ((const struct xds_sim_node *)node->of)->kind->bit == XDS_SIM_PRIORITY;
}

static bool is_pending(const struct xds_scene_node *node)
{
    return node->pending;
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

static bool has_none(const struct xds_override_entry *entry)
{
    return entry->in_map && entry->owner == XDS_SUBCHANNEL_NONE;
}

static struct xds_tree text_or_null(struct xds_slice text)
{
    return text.data ? xds_tree_string(text) : (struct xds_tree){.kind = XDS_TREE_NULL};
}

/* The next policy of these kinds after one; NULL: from the first on. */
static const struct xds_sim_node *next_node(const struct xds_sim *s,
                                            const struct xds_sim_node *after,
                                            unsigned kinds_wanted)
{
    const struct xds_sim_node *node = after ? after->next : s->first;

    while (node && !(node->exists && (node->kind->bit & kinds_wanted)))
        node = node->next;
    return node;
}

/* {state, child, picker} of the policy at the top, and the status that RPCs fail with.
 * The child is null when none is in use, or when RPCs fail by a picker that is not the
 * child's.
 */
static struct xds_tree reported(const struct xds_sim *s, struct xds_arena *arena,
                                const struct xds_scene *scene)
{
    const struct xds_lb_report *report = &s->root->policy->report;
    struct xds_tree out = xds_tree_object(), in_use = {.kind = XDS_TREE_NULL};
    struct xds_priority_child child;

    (void)scene;
    if (s->root->kind->bit == XDS_SIM_PRIORITY &&
        xds_priority_in_use(s->root->policy, &child) && !child.fails_for_it)
        in_use = xds_tree_string(child.name);
    xds_tree_put(arena, &out, "state",
                 xds_tree_text(xds_connectivity_name(report->state)));
    xds_tree_put(arena, &out, "child", in_use);
    xds_tree_put(arena, &out, "picker",
                 !report->has_picker   ? xds_tree_text("queue")
                 : report->picker.data ? xds_tree_string(report->picker)
                                       : xds_tree_string(s->root->policy->name));
    if (report->state == XDS_STATE_TRANSIENT_FAILURE && report->status.data)
        xds_tree_put(arena, &out, "status", xds_tree_string(report->status));
    return out;
}

static struct xds_tree reported_state(const struct xds_sim *s, struct xds_arena *arena,
                                      const struct xds_scene *scene)
{
    (void)arena;
    (void)scene;
    return xds_tree_text(xds_connectivity_name(s->root->policy->report.state));
}

static struct xds_tree child_addresses(const struct xds_sim *s, struct xds_arena *arena,
                                       const struct xds_scene *scene)
{
    struct xds_tree table = xds_tree_object();

    (void)s;
    for (size_t n = 0; n < scene->n; n++) {
        const struct xds_scene_node *child = &scene->list[n];
        const struct xds_sim_node *above = child->of;
        struct xds_tree list = xds_tree_array();

        if (!above || !above->kind->names)
            continue;
        for (size_t i = 0; i < child->n_addresses; i++) {
            const struct xds_path_address *a = &child->addresses[i];
            struct xds_tree item = xds_tree_object(), path = xds_tree_array();

            for (size_t k = 0; k < a->n_path; k++)
                xds_tree_add(arena, &path, xds_tree_string(a->path[k]));
            xds_tree_put(arena, &item, "address", xds_tree_string(a->address));
            xds_tree_put(arena, &item, "path", path);
            xds_tree_add(arena, &list, item);
        }
        xds_tree_put_key(arena, &table, xds_scene_path(scene, n, 1, arena), list);
    }
    return table;
}

static struct xds_tree probabilities(const struct xds_sim *s, struct xds_arena *arena,
                                     const struct xds_scene *scene)
{
    struct xds_tree table = xds_tree_object();
    const struct xds_sim_node *node = NULL;

    (void)scene;
    while ((node = next_node(s, node, XDS_SIM_TARGETS))) {
        const struct xds_target_shares shares =
            xds_weighted_target_shares(xds_sim_targets(node), arena);

        for (size_t i = 0; i < shares.n; i++)
            xds_tree_put_key(arena, &table,
                             xds_sim_path(arena, node->path, shares.list[i].name),
                             xds_tree_number(shares.list[i].share.value));
    }
    return table;
}

static struct xds_tree addresses_where(const struct xds_sim *s, struct xds_arena *arena,
                                       bool (*is)(const struct xds_override_entry *))
{
    struct xds_tree list = xds_tree_array();
    const struct xds_sim_node *node = NULL;

    while ((node = next_node(s, node, XDS_SIM_OVERRIDE)))
        for (size_t i = 0; i < xds_sim_host(node)->n_all; i++)
            if (is(xds_sim_host(node)->all[i]))
                xds_tree_add(arena, &list,
                             xds_tree_string(xds_sim_host(node)->all[i]->address));
    return list;
}

/* What happened, then the states: of which policies, and by which of three ways. */
static const struct row {
    const char *key;
    unsigned of;
    enum xds_key_kind kind;
    bool (*is)(const struct xds_scene_node *);
    bool (*has)(const struct xds_override_entry *);
    struct xds_tree (*tell)(const struct xds_sim *, struct xds_arena *,
                            const struct xds_scene *);
} rows[] = {
    {"created", XDS_SIM_CHILDREN, .kind = XDS_KEY_LIST},
    {"deleted", XDS_SIM_CHILDREN, .kind = XDS_KEY_LIST},
    {"told_to_exit_idle", XDS_SIM_NAMED, .kind = XDS_KEY_LIST},
    {"updates_sent", XDS_SIM_NAMED, .kind = XDS_KEY_NUMBER},
    {"reresolution_forwarded", XDS_SIM_TREE | XDS_SIM_PRIORITY, .kind = XDS_KEY_VALUE},
    {"config_error", XDS_SIM_PRIORITY, .kind = XDS_KEY_VALUE},
    {"timer_set", XDS_SIM_OVERRIDE, .kind = XDS_KEY_VALUE},
    {"pick", XDS_SIM_TREE | XDS_SIM_TARGETS | XDS_SIM_OVERRIDE, .kind = XDS_KEY_VALUE},
    {"exists", XDS_SIM_CHILDREN, .is = is_child},
    {"deactivated", XDS_SIM_PRIORITY, .is = is_deactivated},
    {"failover_pending", XDS_SIM_PRIORITY, .is = is_pending},
    {"reported", XDS_SIM_PRIORITY, .tell = reported},
    {"reported_state", XDS_SIM_NAMED, .tell = reported_state},
    {"child_addresses", XDS_SIM_PRIORITY | XDS_SIM_PATHS, .tell = child_addresses},
    {"pick_probabilities", XDS_SIM_TARGETS, .tell = probabilities},
    {"passed_to_child", XDS_SIM_OVERRIDE, .has = is_passed},
    {"map", XDS_SIM_OVERRIDE, .has = is_in_map},
    {"owned", XDS_SIM_OVERRIDE, .has = xds_sim_is_owned},
    {"child_owned", XDS_SIM_OVERRIDE, .has = xds_override_is_childs},
    {"no_subchannel", XDS_SIM_OVERRIDE, .has = has_none},
};

/* The keys that tell what happened to the policies that are known by now. */
static void update_keys(struct xds_sim *s)
{
    struct xds_play *play = s->play;
    struct xds_result_key *keys = XDS_NEW_ARRAY(
        play->machine.arena, struct xds_result_key, XDS_ARRAY_LEN(rows) + 1);
    size_t n = 0;

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++)
        if ((rows[i].of & s->kinds) && !rows[i].is && !rows[i].has && !rows[i].tell)
            keys[n++] = (struct xds_result_key){rows[i].key, rows[i].kind};
    play->happened = keys;
    if (play->step)
        xds_step_begin_more(play->step, keys);
}

static struct xds_scene show(void *subject, struct xds_arena *arena)
{
    const struct xds_sim *s = subject;
    struct xds_scene scene = {0};

    if (!s->root)
        return scene;
    xds_scene_add(
        &scene, arena, XDS_SCENE_TOP,
        (struct xds_scene_node){
            .label = xds_slice_of(xds_lb_names[s->root->kind->named].of[XDS_CLIENT_CORE]),
            .state = s->root->policy->report.state,
            .serves = true});
    s->root->kind->look(s->root, arena, &scene, 0);
    return scene;
}

static void put_state(void *subject, const struct xds_scene *scene,
                      struct xds_tree *result)
{
    struct xds_sim *s = subject;
    struct xds_arena *arena = s->play->step->arena;

    if (!s->root)
        return;
    if (s->kinds & XDS_SIM_NAMED)
        xds_step_set(
            s->play->step, "updates_sent",
            xds_tree_number((double)(s->root->policy->n_reports - s->n_reports)));
    s->n_reports = s->root->policy->n_reports;
    for (size_t r = 0; r < XDS_ARRAY_LEN(rows); r++) {
        const struct row *row = &rows[r];

        if (!(row->of & s->kinds) || !(row->is || row->has || row->tell))
            continue;
        struct xds_tree value = xds_tree_array();

        if (row->tell)
            value = row->tell(s, arena, scene);
        else if (row->has)
            value = addresses_where(s, arena, row->has);
        for (size_t i = 0; row->is && i < scene->n; i++)
            if (row->is(&scene->list[i]))
                xds_tree_add(arena, &value,
                             xds_tree_string(xds_scene_path(scene, i, 1, arena)));
        xds_tree_put(arena, result, row->key, value);
    }
}

/* ---- events ---- */

/* Each address was one of an endpoint. */
static bool check_known(struct xds_sim *s, const struct xds_tree *addresses)
{
    for (size_t i = 0; addresses && i < addresses->n; i++) {
        const struct xds_tree *address = &addresses->items[i];
        const struct xds_sim_node *node = NULL;
        bool known = false;

        while (!known && (node = next_node(s, node, XDS_SIM_OVERRIDE)))
            known = xds_strmap_get(&xds_sim_host(node)->entries, address->text) != NULL;
        if (!known)
            return xds_play_fault(s->play, address,
                                  "no endpoint has had the address \"%.*s\"",
                                  XDS_FMT(address->text));
    }
    return true;
}

static void apply(struct xds_sim *s, const struct xds_sim_config *config)
{
    if (!s->root)
        s->root = xds_sim_begin(s, config->kind, NULL, XDS_S(""), XDS_S(""), config);
    s->root->kind->update(s->root, config);
    check_known(s, s->creates);
    s->creates = NULL;
}

/* The config of a tree. */
static const struct xds_sim_config *read_tree(struct xds_sim *s,
                                              const struct xds_tree *list)
{
    const unsigned before = s->kinds;
    const struct xds_sim_config *config = xds_sim_read(s, list, XDS_S(""));

    if (!config && !s->play->failed)
        xds_play_fault(s->play, list,
                       "the policy at the top must be priority, weighted_target, "
                       "xds_cluster_manager, xds_routing or xds_override_host");
    if (s->kinds != before)
        update_keys(s);
    return config;
}

static void play_config_update(void *subject, const struct xds_tree *event)
{
    struct xds_sim *s = subject;
    struct xds_play *play = s->play;
    const struct xds_tree *object = s->alias ? xds_event_object(play, event, "config")
                                             : xds_tree_member(event, "config");
    const struct xds_sim_config *config = NULL;

    if (!xds_tree_member(event, "config"))
        xds_play_fault(play, event, "\"config\" is missing");
    else if (!play->failed)
        config = s->alias ? xds_sim_read_config(s, s->alias, object, XDS_S(""))
                          : read_tree(s, object);
    xds_sim_read_addresses(s, event);
    if (!s->alias)
        xds_sim_read_endpoints(s, event);
    if (!play->failed)
        xds_scripted_begin(&s->scripted, xds_event_object(play, event, "child_reports"));
    if (play->failed || !config)
        return;
    apply(s, config);
    xds_scripted_end(&s->scripted);
}

/* Of xds_override_host alone. */
static void play_update(void *subject, const struct xds_tree *event)
{
    struct xds_sim *s = subject;

    if (!xds_event_given(event, "endpoints"))
        xds_play_fault(s->play, event, "\"endpoints\" is missing");
    xds_sim_read_endpoints(s, event);
    s->own.status = xds_sim_read_status(s->play, event, "override_host_status");
    if (!s->play->failed)
        apply(s, &s->own);
}

static void play_child_state(void *subject, const struct xds_tree *event)
{
    struct xds_sim *s = subject;
    const struct xds_slice path = xds_event_text(s->play, event, "child");
    const bool is_nested = path.len > 0 && s->nodes.n > 1;
    const struct xds_sim_node *node = is_nested ? xds_strmap_get(&s->nodes, path) : NULL;

    if (node && node->exists)
        xds_play_fault(s->play, xds_tree_member(event, "child"),
                       "\"%.*s\" has children of its own; set the state of one of them",
                       XDS_FMT(path));
    xds_scripted_report(&s->scripted, event);
}

static void play_child_reresolution(void *subject, const struct xds_tree *event)
{
    struct xds_sim *s = subject;
    struct xds_scripted_child *child = xds_scripted_find(&s->scripted, event, "child");

    if (!child)
        return;
    xds_step_set(s->play->step, "reresolution_forwarded", xds_tree_bool(false));
    xds_policy_reresolve(&child->policy);
}

static void play_subchannel_state(void *subject, const struct xds_tree *event)
{
    struct xds_sim *s = subject;
    struct xds_play *play = s->play;
    const struct xds_slice address = xds_event_name(play, event, "address");
    const struct xds_tree *value = xds_event_given(event, "state");
    const struct xds_sim_node *node = NULL;
    bool known = false;

    if (!value)
        xds_play_fault(play, event, "\"state\" is missing");
    if (play->failed || !value)
        return;
    const enum xds_connectivity state = xds_event_state(play, value);

    while (!play->failed && (node = next_node(s, node, XDS_SIM_OVERRIDE))) {
        struct xds_override_host *host = xds_sim_host(node);
        const struct xds_override_entry *entry = xds_override_host_find(host, address);

        if (!xds_override_host_state(host, address, state))
            continue;
        known = true;
        if (xds_override_is_childs(entry) && xds_scripted_of(host->child))
            xds_sim_report_sum(host, xds_scripted_of(host->child));
    }
    if (!known)
        xds_play_fault(play, xds_event_given(event, "address"),
                       "the policy has no subchannel to \"%.*s\"", XDS_FMT(address));
}

/* What the child has let go already it may let go again. */
static void change_subchannels(struct xds_sim *s, const struct xds_tree *event,
                               bool (*change)(struct xds_override_host *,
                                              struct xds_slice address))
{
    const struct xds_tree *addresses = xds_event_given(event, "addresses");
    const struct xds_sim_node *node = NULL;

    xds_event_names(s->play, event, "addresses");
    if (!addresses)
        xds_play_fault(s->play, event, "\"addresses\" is missing");
    if (s->play->failed || !addresses || !check_known(s, addresses))
        return;
    while ((node = next_node(s, node, XDS_SIM_OVERRIDE))) {
        struct xds_override_host *host = xds_sim_host(node);

        for (size_t i = 0; i < addresses->n; i++)
            if (xds_strmap_get(&host->entries, addresses->items[i].text))
                change(host, addresses->items[i].text);
        if (host->child && xds_scripted_of(host->child))
            xds_sim_report_sum(host, xds_scripted_of(host->child));
    }
}

static void play_child_creates(void *subject, const struct xds_tree *event)
{
    change_subchannels(subject, event, xds_override_host_child_creates);
}

static void play_child_releases(void *subject, const struct xds_tree *event)
{
    change_subchannels(subject, event, xds_override_host_child_releases);
}

/* ---- picks ---- */

/* {result, host, candidates, reason, action, action_address, actual_address_list} */
static struct xds_tree pick_host(const struct xds_sim *s,
                                 const struct xds_pick_call *call,
                                 struct xds_slice child_picks)
{
    static const char *const words[][2] = {
        [XDS_RANK_READY] = {"complete", "none"},
        [XDS_RANK_IDLE] = {"queue", "connect"},
        [XDS_RANK_CONNECTING] = {"queue", "none"},
        [XDS_RANK_NONE] = {"queue", "create_subchannel"},
        [XDS_RANK_UNUSABLE] = {"delegate", "none"},
    };
    struct xds_override_host *host = xds_sim_host(s->root);
    const struct xds_override_choice d = xds_override_host_decide(host, call);
    const bool delegates = d.rank == XDS_RANK_UNUSABLE;
    const bool acts = d.rank == XDS_RANK_IDLE || d.rank == XDS_RANK_NONE;
    struct xds_arena *arena = s->play->step->arena;
    struct xds_tree out = xds_tree_object(), actual = xds_tree_array();
    const struct xds_override_entry *used = NULL;
    struct xds_slice picked = {0}, *addresses = NULL;

    if (delegates) {
        picked = child_picks;
        used = picked.data ? xds_override_host_picked(host, call, picked) : NULL;
    } else if (d.rank == XDS_RANK_READY) {
        used = d.best;
        picked = used->address;
    }
    const size_t n =
        used ? xds_override_host_addresses(host, used, arena, &addresses) : 0;

    for (size_t i = 0; i < n; i++)
        xds_tree_add(arena, &actual, xds_tree_string(addresses[i]));
    xds_tree_put(arena, &out, "result", xds_tree_text(words[d.rank][0]));
    xds_tree_put(arena, &out, "host", text_or_null(picked));
    xds_tree_put(arena, &out, "candidates",
                 delegates ? addresses_where(s, arena, is_candidate) : xds_tree_array());
    xds_tree_put(arena, &out, "reason", xds_tree_string(xds_override_words(&d)));
    xds_tree_put(arena, &out, "action", xds_tree_text(words[d.rank][1]));
    xds_tree_put(arena, &out, "action_address",
                 text_or_null(acts ? d.best->address : (struct xds_slice){0}));
    xds_tree_put(arena, &out, "actual_address_list", actual);
    return out;
}

/* {result, child}: where the RPC goes; of one that no number decides, that it goes to
 * some child. */
static struct xds_tree pick_child(struct xds_sim *s, const struct xds_pick_call *call)
{
    static const char *const words[] = {
        [XDS_PICK_COMPLETE] = "delegate", [XDS_PICK_QUEUE] = "queue",
        [XDS_PICK_FAIL] = "fail",         [XDS_PICK_DROP] = "fail",
        [XDS_PICK_OPEN] = "delegate",
    };
    struct xds_arena *arena = s->play->step->arena;
    struct xds_tree out = xds_tree_object();

    s->scripted.asked = (struct xds_slice){0};
    const struct xds_pick_result result = xds_policy_pick(s->root->policy, call);

    xds_tree_put(arena, &out, "result", xds_tree_text(words[result.kind]));
    xds_tree_put(arena, &out, "child", text_or_null(s->scripted.asked));
    if (s->kinds & XDS_SIM_OVERRIDE)
        xds_tree_put(arena, &out, "host",
                     text_or_null(result.kind == XDS_PICK_COMPLETE
                                      ? result.address
                                      : (struct xds_slice){0}));
    return out;
}

/* The same of xds_routing_experimental: the child is that of the first route that
 * matches, in whatever state it is (gRFC A28). */
static struct xds_tree pick_by_route(struct xds_sim *s, const struct xds_tree *event,
                                     struct xds_pick_call call)
{
    const struct xds_sim_routed routed = xds_sim_route(s, event);
    struct xds_arena *arena = s->play->step->arena;
    struct xds_tree out = xds_tree_object();

    if (routed.matches && !routed.open) {
        call.cluster_key = routed.action;
        return pick_child(s, &call);
    }
    xds_tree_put(arena, &out, "result",
                 xds_tree_text(routed.matches ? "delegate" : "fail"));
    xds_tree_put(arena, &out, "child", (struct xds_tree){.kind = XDS_TREE_NULL});
    xds_tree_put(arena, &out, "reason",
                 xds_tree_text(routed.matches ? "a fraction of a route decides, and no "
                                                "number was given"
                                              : "UNAVAILABLE: no route matches"));
    return out;
}

static void play_pick(void *subject, const struct xds_tree *event)
{
    struct xds_sim *s = subject;
    struct xds_play *play = s->play;
    const struct xds_slice_list cookie = xds_event_names(play, event, "cookie_addresses");
    const struct xds_slice child_picks = xds_event_text(play, event, "child_picks");
    const struct xds_pick_call call = {
        .random = &play->step->random,
        .has_override = xds_event_given(event, "cookie_addresses") != NULL,
        .overridden = cookie.list,
        .n_overridden = cookie.n,
        .cluster_key = xds_event_text(play, event, "cluster"),
    };

    if (!s->root)
        xds_play_fault(play, event, "\"pick\" comes before the first config");
    if (play->failed || !s->root)
        return;
    s->scripted.picks = child_picks;
    xds_step_set(play->step, "pick",
                 s->root->kind->bit == XDS_SIM_OVERRIDE ? pick_host(s, &call, child_picks)
                 : s->root->kind->bit == XDS_SIM_ROUTING ? pick_by_route(s, event, call)
                                                         : pick_child(s, &call));
    s->scripted.picks = (struct xds_slice){0};
}

/* ---- opening ---- */

static void hear_reresolution(struct xds_policy *self, struct xds_policy *child)
{
    (void)child;
    xds_step_set(((struct xds_sim *)(void *)self)->play->step, "reresolution_forwarded",
                 xds_tree_bool(true));
}

static enum xds_override_generation read_generation(struct xds_play *play)
{
    const struct xds_slice text = xds_event_text(play, play->config, "generation");

    if (xds_slice_is(text, "A55"))
        return XDS_OVERRIDE_A55;
    if (text.data && !xds_slice_is(text, "A75"))
        xds_play_fault(play, xds_tree_member(play->config, "generation"),
                       "the generation of xds_override_host must be A55 or A75");
    return text.data
               ? XDS_OVERRIDE_A75
               : xds_override_generation_of(play->machine.options, play->machine.client);
}

/* A name, or the first policy of a list as in a service config. */
static struct xds_slice read_child_policy(struct xds_play *play)
{
    const struct xds_tree *value = xds_event_given(play->config, "child_policy");

    if (!value)
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

/* An alias has its policy from the beginning. */
static void begin_alias(struct xds_sim *s)
{
    struct xds_play *play = s->play;
    const int64_t retention =
        xds_event_duration(play, play->config, "child_retention", -1);

    s->timing.failover_ms = xds_event_duration(play, play->config, "failover_timeout",
                                               XDS_PRIORITY_FAILOVER_MS);
    s->timing.retention_ms = retention < 0 ? XDS_PRIORITY_RETENTION_MS : retention;
    s->retention_ms = retention;
    s->generation = read_generation(play);
    s->own.entries = XDS_NEW(play->machine.arena, struct xds_sim_entry);
    s->own.entries->name = read_child_policy(play);
    s->root = xds_sim_begin(s, s->alias, NULL, XDS_S(""), XDS_S(""), &s->own);
}

static void *open_tree(struct xds_play *play)
{
    static const struct xds_policy_ops ops = {.name = "channel",
                                              .reresolution = hear_reresolution};
    struct xds_sim *s = XDS_NEW(play->machine.arena, struct xds_sim);

    *s = (struct xds_sim){
        .channel = {.ops = &ops, .machine = &play->machine},
        .play = play,
        .alias = xds_sim_kind_of(play->subject->alias),
        .timing = XDS_PRIORITY_TIMING,
        .retention_ms = -1,
        .generation =
            xds_override_generation_of(play->machine.options, play->machine.client),
        .idle_timeout_ms = XDS_SIM_IDLE_TIMEOUT_MS,
    };
    xds_strmap_init(&s->nodes, play->machine.arena);
    xds_scripted_init(&s->scripted, play);
    s->scripted.silent = s->alias && s->alias->bit == XDS_SIM_OVERRIDE;
    s->kinds = s->alias ? s->alias->bit : XDS_SIM_TREE;
    update_keys(s);
    if (s->alias)
        begin_alias(s);
    else if (play->config->kind != XDS_TREE_OBJECT || play->config->n > 0)
        s->config = read_tree(s, play->config);
    return s;
}

static void start(void *subject)
{
    struct xds_sim *s = subject;

    if (s->config)
        apply(s, s->config);
}

/* ---- the subjects ---- */

const struct xds_subject xds_subject_policy = {
    .name = "policy",
    .alias = XDS_NAMED_OTHER,
    .any_config = true,
    .events =
        (const struct xds_event_kind[]){
            {"config_update",
             XDS_KEYS("config", "addresses", "endpoints", "idle_timeout", "child_creates",
                      "child_reports"),
             play_config_update},
            {"child_state", XDS_KEYS("child", "state", "picker", "status"),
             play_child_state},
            {"child_reresolution", XDS_KEYS("child"), play_child_reresolution},
            {"subchannel_state", XDS_KEYS("address", "state"), play_subchannel_state},
            {"child_creates", XDS_KEYS("addresses"), play_child_creates},
            {"child_releases", XDS_KEYS("addresses"), play_child_releases},
            {"pick",
             XDS_KEYS("cluster", "path", "headers", "cookie_addresses", "child_picks"),
             play_pick},
            {.type = NULL}},
    .open = open_tree,
    .start = start,
    .state = put_state,
    .scene = show,
};

const struct xds_subject xds_subject_priority = {
    .name = "priority",
    .alias = XDS_NAMED_PRIORITY,
    .config_keys = XDS_KEYS("failover_timeout", "child_retention"),
    .events =
        (const struct xds_event_kind[]){
            {"config_update", XDS_KEYS("config", "addresses", "child_reports"),
             play_config_update},
            {"child_state", XDS_KEYS("child", "state", "picker", "status"),
             play_child_state},
            {"child_reresolution", XDS_KEYS("child"), play_child_reresolution},
            {.type = NULL}},
    .open = open_tree,
    .state = put_state,
    .scene = show,
};

const struct xds_subject xds_subject_weighted_target = {
    .name = "weighted_target",
    .alias = XDS_NAMED_WEIGHTED_TARGET,
    .config_keys = XDS_KEYS("child_retention"),
    .events =
        (const struct xds_event_kind[]){
            {"config_update", XDS_KEYS("config", "child_reports"), play_config_update},
            {"child_state", XDS_KEYS("child", "state", "picker", "status"),
             play_child_state},
            {"pick", XDS_KEYS(NULL), play_pick},
            {.type = NULL}},
    .open = open_tree,
    .state = put_state,
    .scene = show,
};

const struct xds_subject xds_subject_override_host = {
    .name = "xds_override_host",
    .alias = XDS_NAMED_OVERRIDE_HOST,
    .config_keys = XDS_KEYS("generation", "child_policy"),
    .events =
        (const struct xds_event_kind[]){
            {"update",
             XDS_KEYS("endpoints", "override_host_status", "idle_timeout",
                      "child_creates"),
             play_update},
            {"subchannel_state", XDS_KEYS("address", "state"), play_subchannel_state},
            {"child_creates", XDS_KEYS("addresses"), play_child_creates},
            {"child_releases", XDS_KEYS("addresses"), play_child_releases},
            {"pick", XDS_KEYS("cookie_addresses", "child_picks"), play_pick},
            {.type = NULL}},
    .open = open_tree,
    .state = put_state,
    .scene = show,
};
