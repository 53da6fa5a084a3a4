/*
 * weighted_target.c - weighted_target_experimental as a machine.
 *
 * States: of the children that the config names the best one counts; all failing: their
 *         errors are reported in proportion, too.
 * Events: update, a child's report, exit idle (nothing happens).
 * Timers: one per child that left the config, see named_children.c.
 * Source: gRFC A28, spec routing 6, WT1 to WT12.
 */
#include "lb/weighted_target.h"

#include "clients/clients.h"

enum { FIFTEEN_MINUTES_MS = 15 * 60 * 1000 };

/* What becomes of targets of weight 0, which never come from xDS. */
enum weightless { NEVER_PICKED, EQUAL_AMONG_THEMSELVES, ABORTS };

/* Where the clients differ. */
static const struct reading {
    int64_t retention_ms;
    enum weightless weightless;
    const char *no_targets;
} readings[XDS_CLIENTS] = {
    [XDS_CLIENT_GRFC] = {FIFTEEN_MINUTES_MS, NEVER_PICKED,
                         "no children in weighted_target policy"},
    [XDS_CLIENT_CORE] = {FIFTEEN_MINUTES_MS, ABORTS,
                         "no children in weighted_target policy"},
    [XDS_CLIENT_GO] = {0, EQUAL_AMONG_THEMSELVES,
                       "weighted-target: no targets to pick from"},
    [XDS_CLIENT_JAVA] = {0, EQUAL_AMONG_THEMSELVES,
                         "no children in weighted_target policy"},
    [XDS_CLIENT_NODE] = {FIFTEEN_MINUTES_MS, NEVER_PICKED,
                         "no children in weighted_target policy"},
};

static const struct reading *reading_of(const struct xds_weighted_target *self)
{
    return &readings[xds_client_as(self->policy.machine->client)];
}

int64_t xds_weighted_target_retention(enum xds_client client)
{
    return readings[xds_client_as(client)].retention_ms;
}

/* ---- publishing ---- */

static struct xds_slice status_of(const struct xds_weighted_target *self)
{
    if (self->children.in_config.n == 0)
        return xds_slice_of(reading_of(self)->no_targets);
    return XDS_S("all targets are in state TRANSIENT_FAILURE");
}

/* Does the picker choose among these? */
static bool takes_part(const struct xds_weighted_target *self,
                       const struct xds_named_child *child)
{
    const enum xds_connectivity state = self->policy.report.state;

    return child->counted == state &&
           (state == XDS_STATE_READY || state == XDS_STATE_TRANSIENT_FAILURE);
}

static void tell_of_abort(const struct xds_weighted_target *self)
{
    const struct xds_named_child_list *targets = &self->children.in_config;

    if (reading_of(self)->weightless != ABORTS)
        return;
    for (size_t i = 0; i < targets->n; i++)
        if (targets->list[i]->weight == 0 && takes_part(self, targets->list[i]))
            xds_machine_say(self->policy.machine, targets->list[i]->name,
                            "has weight 0 and is %s: C-core aborts the process here",
                            xds_connectivity_name(targets->list[i]->counted));
}

static void publish(struct xds_weighted_target *self)
{
    struct xds_lb_report report = {.state = xds_named_children_state(&self->children)};

    report.has_picker =
        report.state == XDS_STATE_READY || report.state == XDS_STATE_TRANSIENT_FAILURE;
    report.picker = self->policy.name;
    if (report.state == XDS_STATE_TRANSIENT_FAILURE)
        report.status = status_of(self);
    if (report.state != self->policy.report.state || self->policy.n_reports == 0)
        xds_machine_say(self->policy.machine, self->policy.name, "is %s",
                        xds_connectivity_name(report.state));
    xds_policy_report(&self->policy, report);
    tell_of_abort(self);
}

void xds_weighted_target_update(struct xds_weighted_target *self,
                                const struct xds_named_config *targets, size_t n)
{
    xds_named_children_update(&self->children, targets, n);
    publish(self);
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
    if (child->report.state == XDS_STATE_IDLE && wake(child))
        return;
    if (entry->in_config && !self->children.updating)
        publish(self);
}

/* WT12: a child in IDLE has already been asked to connect. */
static void exit_idle(struct xds_policy *policy)
{
    (void)policy;
}

/* ---- picks ---- */

/* What the picker weighs. */
struct draw {
    uint64_t sum;
    size_t n;
    struct xds_named_child *only; /* the last one of weight > 0 */
    size_t n_heavy;
    bool uniform; /* each counts as 1 */
};

static struct draw draw_of(const struct xds_weighted_target *self)
{
    const struct xds_named_child_list *targets = &self->children.in_config;
    struct draw draw = {.n = 0};

    for (size_t i = 0; i < targets->n; i++) {
        struct xds_named_child *child = targets->list[i];

        if (!takes_part(self, child))
            continue;
        draw.n++;
        draw.sum += child->weight;
        if (child->weight == 0)
            continue;
        draw.only = child;
        draw.n_heavy++;
    }
    draw.uniform =
        draw.sum == 0 && reading_of(self)->weightless == EQUAL_AMONG_THEMSELVES;
    if (draw.uniform)
        draw.sum = draw.n;
    return draw;
}

static uint64_t weight_in(const struct draw *draw, const struct xds_named_child *child)
{
    return draw->uniform ? 1 : child->weight;
}

/* WT5: the first whose running sum exceeds the number. */
static struct xds_named_child *target_at(const struct xds_weighted_target *self,
                                         const struct draw *draw, uint64_t number)
{
    const struct xds_named_child_list *targets = &self->children.in_config;

    for (size_t i = 0; i < targets->n; i++) {
        if (!takes_part(self, targets->list[i]))
            continue;
        const uint64_t weight = weight_in(draw, targets->list[i]);

        if (number < weight)
            return targets->list[i];
        number -= weight;
    }
    return NULL;
}

struct xds_named_child *xds_weighted_target_choose(const struct xds_weighted_target *self,
                                                   struct xds_random *random)
{
    const struct draw draw = draw_of(self);
    uint64_t number = 0;

    if (draw.sum == 0)
        return NULL;
    if (draw.n_heavy == 1)
        return draw.only;
    if (draw.n > 1 && !xds_random_draw(random, draw.sum, &number))
        return NULL;
    return target_at(self, &draw, number);
}

struct xds_target_shares
xds_weighted_target_shares(const struct xds_weighted_target *self,
                           struct xds_arena *arena)
{
    const struct xds_named_child_list *targets = &self->children.in_config;
    const struct draw draw = draw_of(self);
    struct xds_target_shares shares = {.n = 0};

    shares.list = XDS_NEW_ARRAY(arena, struct xds_target_share, draw.n);
    for (size_t i = 0; i < targets->n && draw.sum > 0; i++)
        if (takes_part(self, targets->list[i]))
            shares.list[shares.n++] = (struct xds_target_share){
                targets->list[i]->name,
                xds_share_of(weight_in(&draw, targets->list[i]), draw.sum)};
    return shares;
}

/* No target was chosen: there is none, none can be chosen, or a number is missing. */
static struct xds_pick_result without_target(const struct xds_weighted_target *self)
{
    const struct draw draw = draw_of(self);

    if (draw.sum > 0)
        return (struct xds_pick_result){
            .kind = XDS_PICK_OPEN,
            .reason = XDS_S("which target it goes to is up to a random number")};
    if (draw.n > 0)
        return (struct xds_pick_result){
            .kind = XDS_PICK_FAIL,
            .reason = XDS_S("all targets to choose from have weight 0")};
    return (struct xds_pick_result){.kind = XDS_PICK_FAIL,
                                    .reason = self->policy.report.status};
}

static struct xds_pick_result pick(struct xds_policy *policy,
                                   const struct xds_pick_call *call)
{
    const struct xds_weighted_target *self = (struct xds_weighted_target *)policy;
    const struct xds_named_child *child = xds_weighted_target_choose(self, call->random);

    return child ? xds_policy_pick(child->policy, call) : without_target(self);
}

/* ---- the policy ---- */

static void destroy(struct xds_policy *policy)
{
    xds_named_children_destroy(&((struct xds_weighted_target *)policy)->children);
}

static const struct xds_policy_ops ops = {
    .name = "weighted_target_experimental",
    .child_report = child_report,
    .exit_idle = exit_idle,
    .pick = pick,
    .destroy = destroy,
};

void xds_weighted_target_init(struct xds_weighted_target *self,
                              struct xds_machine *machine, struct xds_policy *parent,
                              struct xds_slice name, const struct xds_child_maker *maker,
                              int64_t retention_ms)
{
    *self = (struct xds_weighted_target){.policy = {.ops = &ops,
                                                    .machine = machine,
                                                    .parent = parent,
                                                    .name = name,
                                                    .report = XDS_LB_REPORT_NEW}};
    if (retention_ms < 0)
        retention_ms = xds_weighted_target_retention(machine->client);
    xds_named_children_init(&self->children, &self->policy, maker, retention_ms);
}
