/*
 * weighted_target.c - weighted_target_experimental as a machine.
 *
 * States: of the children that the config names the best one counts; all failing: their
 *         errors are reported in proportion, too.
 * Events: update, a child's report, exit idle.
 * Timers: one per child that left the config, see named_children.c.
 * Source: gRFC A28, spec routing 6, WT1 to WT12.
 */
#include "lb/policy.h"

enum { FIFTEEN_MINUTES_MS = 15 * 60 * 1000 };

/* ---- publishing ---- */

static bool is_chosen_from(enum xds_connectivity state)
{
    return state == XDS_STATE_READY || state == XDS_STATE_TRANSIENT_FAILURE;
}

static void publish(struct xds_weighted_target *self)
{
    struct xds_machine *machine = self->policy.machine;
    struct xds_lb_report report = {.state = xds_named_children_state(&self->children)};

    report.has_picker = is_chosen_from(report.state);
    report.picker = self->policy.name;
    if (report.state == XDS_STATE_TRANSIENT_FAILURE)
        report.status =
            self->children.in_config.n == 0
                ? xds_failure_words(machine->arena, machine->options, machine->client,
                                    XDS_FAILURE_LOCALITIES_EMPTY, XDS_S(""),
                                    (struct xds_slice){NULL, 0})
                      .text
                : XDS_S("all targets are in state TRANSIENT_FAILURE");

    /* The picker of a state: the children in it with their weights. */
    const struct xds_named_child_list *children = &self->children.in_config;

    self->n_targets = 0;
    for (size_t i = 0; i < children->n && is_chosen_from(report.state); i++) {
        struct xds_named_child *child = children->list[i];

        if (child->counted != report.state)
            continue;
        self->targets = xds_arena_room(machine->arena, self->targets, self->n_targets,
                                       &self->cap_targets, sizeof *self->targets);
        self->targets[self->n_targets++] =
            (struct xds_picker_target){child, child->weight};
    }
    xds_policy_publish(&self->policy, report);
    if (!XDS_DIFFERS(machine, XDS_DIFF_TARGETS_WEIGHT_0_DEADLY))
        return;
    for (size_t i = 0; i < self->n_targets; i++)
        if (self->targets[i].weight == 0)
            xds_machine_say(machine, self->targets[i].child->name,
                            "has weight 0 and is %s: C-core aborts the process here",
                            xds_connectivity_name(self->targets[i].child->counted));
}

/* WT8, WT9: is there something to publish after an update? */
static bool has_news(const struct xds_weighted_target *self)
{
    const struct xds_named_children *all = &self->children;

    if (all->in_config.n == 0)
        return !XDS_DIFFERS(self->policy.machine, XDS_DIFF_TARGETS_NONE_SILENT);
    return all->changed ||
           !XDS_DIFFERS(self->policy.machine, XDS_DIFF_TARGETS_PUBLISHED_ON_NEWS);
}

void xds_weighted_target_update(struct xds_weighted_target *self,
                                const struct xds_named_config *targets, size_t n)
{
    xds_named_children_update(&self->children, targets, n);
    if (has_news(self))
        publish(self);
    else
        XDS_SAY(self, "publishes nothing: its picker stays as it is");
}

/* WT3: a child is never left in IDLE. True when it has reported again by that, so that
 * what it said before is no news any more. */
static bool wake(struct xds_policy *child)
{
    const uint64_t before = child->n_reports;

    xds_machine_say(child->machine, child->name, "is IDLE and asked to connect");
    xds_policy_exit_idle(child);
    return child->n_reports != before;
}

static void child_report(struct xds_policy *policy, struct xds_policy *child)
{
    struct xds_weighted_target *self = (struct xds_weighted_target *)policy;
    struct xds_named_child *entry = xds_named_children_find(&self->children, child->name);

    if (!entry)
        return;
    xds_named_child_store(entry, child->report.state);
    if (child->report.state == XDS_STATE_IDLE &&
        !XDS_DIFFERS(policy->machine, XDS_DIFF_TARGET_LEFT_IDLE) && wake(child))
        return;
    if (entry->in_config && !self->children.updating)
        publish(self);
}

/* WT12: nothing, as a child in IDLE has already been asked to connect; or all children.
 */
static void exit_idle(struct xds_policy *policy)
{
    if (XDS_DIFFERS(policy->machine, XDS_DIFF_TARGETS_EXIT_IDLE))
        xds_named_children_exit_idle(&((struct xds_weighted_target *)policy)->children);
}

/* ---- picks ---- */

/* What the picker weighs. */
struct draw {
    uint64_t sum;
    const struct xds_picker_target *only; /* the last one of weight > 0 */
    size_t n_heavy;
    bool uniform; /* each counts as 1 */
};

static struct draw draw_of(const struct xds_weighted_target *self)
{
    struct draw draw = {.sum = 0};

    for (size_t i = 0; i < self->n_targets; i++) {
        const struct xds_picker_target *target = &self->targets[i];

        draw.sum += target->weight;
        if (target->weight == 0)
            continue;
        draw.only = target;
        draw.n_heavy++;
    }
    draw.uniform = draw.sum == 0 &&
                   XDS_DIFFERS(self->policy.machine, XDS_DIFF_TARGETS_WEIGHT_0_EQUAL);
    if (draw.uniform)
        draw.sum = self->n_targets;
    return draw;
}

static uint64_t weight_in(const struct draw *draw, const struct xds_picker_target *target)
{
    return draw->uniform ? 1 : target->weight;
}

struct xds_named_child *xds_weighted_target_choose(const struct xds_weighted_target *self,
                                                   struct xds_random *random)
{
    const struct draw draw = draw_of(self);
    uint64_t number = 0;

    if (draw.sum == 0)
        return NULL;
    if (draw.n_heavy == 1)
        return draw.only->child;
    if (self->n_targets > 1 && !xds_random_draw(random, draw.sum, &number))
        return NULL;
    /* WT5: the first whose running sum exceeds the number. */
    for (size_t i = 0; i < self->n_targets; i++) {
        const uint64_t weight = weight_in(&draw, &self->targets[i]);

        if (number < weight)
            return self->targets[i].child;
        number -= weight;
    }
    return NULL;
}

struct xds_target_shares
xds_weighted_target_shares(const struct xds_weighted_target *self,
                           struct xds_arena *arena)
{
    const struct draw draw = draw_of(self);
    struct xds_target_shares shares = {.n = 0};

    shares.list = XDS_NEW_ARRAY(arena, struct xds_target_share, self->n_targets);
    for (size_t i = 0; i < self->n_targets && draw.sum > 0; i++)
        shares.list[shares.n++] = (struct xds_target_share){
            self->targets[i].child->name,
            xds_share_of(weight_in(&draw, &self->targets[i]), draw.sum)};
    return shares;
}

static struct xds_pick_result pick(struct xds_policy *policy,
                                   const struct xds_pick_call *call)
{
    const struct xds_weighted_target *self = (struct xds_weighted_target *)policy;
    const struct xds_named_child *child = xds_weighted_target_choose(self, call->random);

    if (!child) {
        /* No target was chosen: there is none, none can be chosen, or a number is
         * missing. */
        const struct draw draw = draw_of(self);

        if (draw.sum > 0)
            return xds_pick_why(
                XDS_PICK_OPEN, XDS_S("which target it goes to is up to a random number"));
        if (self->n_targets > 0)
            return xds_pick_why(XDS_PICK_FAIL,
                                XDS_S("all targets to choose from have weight 0"));
        return xds_pick_why(XDS_PICK_FAIL, self->policy.report.status);
    }
    if (!child->exists)
        return xds_pick_why(
            XDS_PICK_FAIL,
            XDS_S("the picker of a target that was shut down is still used"));
    return xds_policy_pick(child->policy, call);
}

/* Over the targets of the picker, or (it has none) over those that may yet connect. */
static void shares(struct xds_policy *policy, const struct xds_pick_call *call,
                   struct xds_share part, struct xds_pick_shares *out)
{
    struct xds_weighted_target *self = (struct xds_weighted_target *)policy;
    const struct xds_named_child_list *children = &self->children.in_config;
    struct xds_picker_target *list =
        XDS_NEW_ARRAY(policy->machine->step_arena, struct xds_picker_target, children->n);
    uint64_t sum = 0, number = 0;
    size_t n = 0;

    for (size_t i = 0; i < children->n; i++) {
        struct xds_named_child *child = children->list[i];
        const bool waits = !is_chosen_from(policy->report.state) &&
                           child->counted != XDS_STATE_TRANSIENT_FAILURE;

        if (child->policy && (waits || child->counted == policy->report.state))
            list[n++] = (struct xds_picker_target){child, child->weight};
    }
    for (size_t i = 0; i < n; i++)
        sum += list[i].weight;
    const bool draw = sum > 0 && n > 1 && xds_share_is_all(part) &&
                      xds_random_draw(call->random, sum, &number);

    for (size_t i = 0; i < n; i++) {
        struct xds_policy *child = list[i].child->policy;
        const bool drawn = number < list[i].weight;

        if (!draw)
            child->ops->shares(
                child, call,
                xds_share_times(part, xds_share_of(list[i].weight, sum ? sum : 1)), out);
        else if (drawn)
            child->ops->shares(child, call, part, out);
        if (draw && drawn)
            return;
        number -= list[i].weight;
    }
}

/* ---- the policy ---- */

static void resolver_error(struct xds_policy *policy, struct xds_slice status)
{
    const struct xds_named_child_list *seen =
        &((struct xds_weighted_target *)policy)->children.seen;
    bool any = false;

    for (size_t i = 0; i < seen->n; i++) {
        if (!seen->list[i]->policy)
            continue;
        any = true;
        xds_policy_resolver_error(seen->list[i]->policy, status);
    }
    if (!any)
        xds_policy_fail(policy, status);
}

static void destroy(struct xds_policy *policy)
{
    struct xds_weighted_target *self = (struct xds_weighted_target *)policy;

    self->n_targets = 0;
    xds_named_children_destroy(&self->children);
}

static const struct xds_policy_ops ops = {
    .name = "weighted_target_experimental",
    .child_report = child_report,
    .exit_idle = exit_idle,
    .resolver_error = resolver_error,
    .pick = pick,
    .shares = shares,
    .destroy = destroy,
};

void xds_weighted_target_init(struct xds_weighted_target *self,
                              struct xds_machine *machine, struct xds_policy *parent,
                              struct xds_slice name, const struct xds_child_maker *maker,
                              int64_t retention_ms)
{
    *self = (struct xds_weighted_target){.policy =
                                             xds_policy_new(&ops, machine, parent, name)};
    if (retention_ms < 0)
        retention_ms =
            XDS_DIFFERS(machine, XDS_DIFF_TARGETS_DESTROYED) ? 0 : FIFTEEN_MINUTES_MS;
    xds_named_children_init(&self->children, &self->policy, maker, retention_ms);
}
