/*
 * subject_weighted_target.c - weighted_target_experimental alone, its children scripted.
 *
 * Fails:  a config that is none, a child that does not exist: a fault of the play.
 * Source: gRFC A28, spec routing 6.
 */
#include "scenario/keys.h"
#include "scenario/scenario.h"

struct subject {
    struct xds_play *play;
    struct xds_scripted scripted;
    struct xds_weighted_target policy;
};

static void *open_subject(struct xds_play *play)
{
    struct subject *s = XDS_NEW(play->machine.arena, struct subject);
    const int64_t retention =
        xds_event_duration(play, play->config, "child_retention", -1);

    s->play = play;
    xds_scripted_init(&s->scripted, play);
    s->scripted.parent = &s->policy.policy;
    xds_weighted_target_init(&s->policy, &play->machine, NULL, XDS_S("weighted_target"),
                             &s->scripted.maker, retention);
    return s;
}

/* ---- events ---- */

/* Tell what the policy did since it had reported `reports_before` times. */
static void tell_effects(struct subject *s, uint64_t reports_before)
{
    struct xds_step *step = s->play->step;
    const struct xds_named_child_list *seen = &s->policy.children.seen;

    xds_step_set(step, "updates_sent",
                 xds_tree_number((double)(s->policy.policy.n_reports - reports_before)));
    for (size_t i = 0; i < seen->n; i++) {
        struct xds_scripted_child *child =
            (struct xds_scripted_child *)(void *)seen->list[i]->policy;

        if (!child || !child->told_to_exit_idle)
            continue;
        child->told_to_exit_idle = false;
        xds_step_add_name(step, "told_to_exit_idle", seen->list[i]->name);
    }
}

/* What a target's own policy would be does not matter here: its states are scripted. */
static const char *const target_keys[] = {"weight", "childPolicy", "child_policy", NULL};

static uint64_t read_weight(struct xds_play *play, const struct xds_tree *target)
{
    const struct xds_known_keys keys = {.what = "a target", .own = target_keys};

    if (target->kind != XDS_TREE_OBJECT) {
        xds_play_fault(
            play, target,
            "a target must be an object with its \"weight\", such as {\"weight\": 1}");
        return 0;
    }
    if (!xds_keys_check(play, target, &keys))
        return 0;
    if (!xds_tree_member(target, "weight"))
        xds_play_fault(play, target, "\"weight\" is missing");
    return xds_event_number(play, target, "weight", UINT32_MAX, 0);
}

static const char *const config_keys[] = {"targets", NULL};

/* NULL: the config has no targets, or there was a fault. */
static const struct xds_tree *targets_of(struct xds_play *play,
                                         const struct xds_tree *event)
{
    const struct xds_known_keys keys = {.what = "the config of weighted_target",
                                        .own = config_keys};
    const struct xds_tree *config = xds_event_object(play, event, "config");

    if (play->failed)
        return NULL;
    if (!xds_tree_member(event, "config")) {
        xds_play_fault(play, event, "\"config\" is missing");
        return NULL;
    }
    if (!config || !xds_keys_check(play, config, &keys))
        return NULL;
    return xds_event_object(play, config, "targets");
}

static struct xds_named_config *read_targets(struct xds_play *play,
                                             const struct xds_tree *targets, size_t n)
{
    struct xds_named_config *list =
        XDS_NEW_ARRAY(play->machine.step_arena, struct xds_named_config, n);

    for (size_t i = 0; i < n && !play->failed; i++)
        list[i] = (struct xds_named_config){targets->items[i].key,
                                            read_weight(play, &targets->items[i])};
    return list;
}

static void config_update(void *subject, const struct xds_tree *event)
{
    struct subject *s = subject;
    struct xds_play *play = s->play;
    const struct xds_tree *targets = targets_of(play, event);
    const size_t n = targets ? targets->n : 0;
    const struct xds_named_config *list = read_targets(play, targets, n);
    const uint64_t before = s->policy.policy.n_reports;

    if (!play->failed)
        xds_scripted_begin(&s->scripted, xds_event_object(play, event, "child_reports"));
    if (play->failed)
        return;
    xds_weighted_target_update(&s->policy, list, n);
    xds_scripted_end(&s->scripted);
    tell_effects(s, before);
}

static void child_state(void *subject, const struct xds_tree *event)
{
    struct subject *s = subject;
    const uint64_t before = s->policy.policy.n_reports;

    xds_scripted_report(&s->scripted, event);
    tell_effects(s, before);
}

/* Where the RPC goes; of one that no number decides, that it goes to some child. */
static const char *const pick_words[] = {
    [XDS_PICK_COMPLETE] = "delegate", [XDS_PICK_QUEUE] = "queue",
    [XDS_PICK_FAIL] = "fail",         [XDS_PICK_DROP] = "fail",
    [XDS_PICK_OPEN] = "delegate",
};

static void pick(void *subject, const struct xds_tree *event)
{
    struct subject *s = subject;
    struct xds_step *step = s->play->step;
    struct xds_random copy = step->random;
    const struct xds_named_child *child = xds_weighted_target_choose(&s->policy, &copy);
    const struct xds_pick_result result = xds_policy_pick(
        &s->policy.policy, &(struct xds_pick_call){.random = &step->random});
    struct xds_tree pick = xds_tree_object();

    (void)event;
    xds_tree_put(step->arena, &pick, "result", xds_tree_text(pick_words[result.kind]));
    xds_tree_put(step->arena, &pick, "child",
                 child ? xds_tree_string(child->name) : (struct xds_tree){0});
    xds_step_set(step, "pick", pick);
}

/* ---- state ---- */

static void put_probabilities(const struct subject *s, struct xds_tree *result)
{
    struct xds_arena *arena = s->play->step->arena;
    const struct xds_target_shares shares = xds_weighted_target_shares(&s->policy, arena);
    struct xds_tree table = xds_tree_object();

    for (size_t i = 0; i < shares.n; i++)
        xds_tree_put_key(arena, &table, shares.list[i].name,
                         xds_tree_number(shares.list[i].share.value));
    xds_tree_put(arena, result, "pick_probabilities", table);
}

/* Those in the config by name, then those that are only kept. */
static struct xds_named_child_list children_in_order(const struct subject *s,
                                                     struct xds_arena *arena)
{
    const struct xds_named_children *all = &s->policy.children;
    struct xds_named_child_list out = {
        .list = XDS_NEW_ARRAY(arena, struct xds_named_child *, all->seen.n)};

    for (size_t i = 0; i < all->in_config.n; i++)
        out.list[out.n++] = all->in_config.list[i];
    for (size_t i = 0; i < all->seen.n; i++)
        if (all->seen.list[i]->exists && !all->seen.list[i]->in_config)
            out.list[out.n++] = all->seen.list[i];
    return out;
}

static void state(void *subject, struct xds_tree *result)
{
    const struct subject *s = subject;
    struct xds_arena *arena = s->play->step->arena;
    const struct xds_named_child_list children = children_in_order(s, arena);
    struct xds_tree exists = xds_tree_array();

    for (size_t i = 0; i < children.n; i++)
        xds_tree_add(arena, &exists, xds_tree_string(children.list[i]->name));
    xds_tree_put(arena, result, "exists", exists);
    xds_tree_put(arena, result, "reported_state",
                 xds_tree_text(xds_connectivity_name(s->policy.policy.report.state)));
    put_probabilities(s, result);
}

/* ---- the scene ---- */

static struct xds_scene_node node_of(const struct xds_named_child *child,
                                     struct xds_arena *arena)
{
    const struct xds_slice above = XDS_S("weighted_target_experimental/");

    return (struct xds_scene_node){
        .path = xds_arena_concat(arena, above, child->name),
        .label = xds_arena_printf(arena, "%.*s (weight %llu)", XDS_FMT(child->name),
                                  (unsigned long long)child->weight),
        .state = child->counted,
        .parked = !child->in_config,
        .depth = 1,
    };
}

static struct xds_scene scene(void *subject, struct xds_arena *arena)
{
    const struct subject *s = subject;
    const struct xds_named_child_list children = children_in_order(s, arena);
    const struct xds_target_shares shares = xds_weighted_target_shares(&s->policy, arena);
    const struct xds_target_share *next = shares.list, *end = shares.list + shares.n;
    struct xds_scene scene = {
        .list = XDS_NEW_ARRAY(arena, struct xds_scene_node, children.n + 1)};

    scene.list[scene.n++] = (struct xds_scene_node){
        .path = XDS_S("weighted_target_experimental"),
        .label = XDS_S("weighted_target_experimental"),
        .state = s->policy.policy.report.state,
        .serves = true,
    };
    for (size_t i = 0; i < children.n; i++) {
        struct xds_scene_node *node = &scene.list[scene.n++];

        *node = node_of(children.list[i], arena);
        /* The shares are in the order of the names, too. */
        if (next < end && xds_slice_eq(next->name, children.list[i]->name))
            node->serves = next++->share.value > 0;
    }
    return scene;
}

/* ---- the subject ---- */

static const char *const own_config_keys[] = {"child_retention", NULL};

static const struct xds_result_key happened[] = {
    {"created", XDS_KEY_LIST},
    {"deleted", XDS_KEY_LIST},
    {"told_to_exit_idle", XDS_KEY_LIST},
    {"updates_sent", XDS_KEY_NUMBER},
    {"pick", XDS_KEY_VALUE},
    {NULL, XDS_KEY_LIST},
};

static const char *const update_fields[] = {"config", "child_reports", NULL};
static const char *const child_state_fields[] = {"child", "state", "picker", NULL};
static const char *const pick_fields[] = {NULL};

static const struct xds_event_kind events[] = {
    {"config_update", update_fields, config_update},
    {"child_state", child_state_fields, child_state},
    {"pick", pick_fields, pick},
    {NULL, NULL, NULL},
};

const struct xds_subject xds_subject_weighted_target = {
    .name = "weighted_target",
    .config_keys = own_config_keys,
    .happened = happened,
    .events = events,
    .open = open_subject,
    .state = state,
    .scene = scene,
};
