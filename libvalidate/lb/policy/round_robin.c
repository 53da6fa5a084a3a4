/*
 * round_robin.c - round_robin as a machine.
 *
 * States: READY if one endpoint is; TRANSIENT_FAILURE if all are, or there is none; else
 *         CONNECTING. An endpoint that falls IDLE connects again at once.
 * Source: gRFC A61, spec routing 10.
 */
#include "lb/policy.h"

static enum xds_connectivity state_of(const struct xds_endpoint_children *children)
{
    if (children->count[XDS_STATE_READY])
        return XDS_STATE_READY;
    return children->count[XDS_STATE_TRANSIENT_FAILURE] == children->in_use.n
               ? XDS_STATE_TRANSIENT_FAILURE
               : XDS_STATE_CONNECTING;
}

static bool has_idle_state(const struct xds_round_robin *self)
{
    return XDS_DIFFERS(self->policy.machine, XDS_DIFF_ROUND_ROBIN_IDLE_FIRST);
}

/* Is the best that there is an endpoint that is IDLE, until it is asked to connect? */
static bool is_idle(const struct xds_round_robin *self)
{
    const size_t *count = self->children.count;

    return has_idle_state(self) && count[XDS_STATE_IDLE] && !count[XDS_STATE_READY] &&
           !count[XDS_STATE_CONNECTING];
}

static void publish(struct xds_round_robin *self)
{
    struct xds_lb_report report = {.state = is_idle(self) ? XDS_STATE_IDLE
                                                          : state_of(&self->children),
                                   .picker = self->policy.name};

    report.has_picker =
        report.state == XDS_STATE_READY || report.state == XDS_STATE_TRANSIENT_FAILURE;
    if (report.state == XDS_STATE_TRANSIENT_FAILURE)
        report.status = self->children.in_use.n
                            ? XDS_S("connections to all backends failing")
                            : XDS_S("empty address list");
    xds_policy_publish(&self->policy, report);
}

static void child_report(struct xds_policy *policy, struct xds_policy *child)
{
    struct xds_round_robin *self = (struct xds_round_robin *)policy;
    const uint64_t before = child->n_reports;

    xds_endpoint_child_store(child);
    if (child->report.state == XDS_STATE_IDLE && !self->updating && has_idle_state(self))
        publish(self);
    if (child->report.state == XDS_STATE_IDLE)
        xds_policy_exit_idle(child);
    /* If it has reported again by that, all is said. */
    if (!self->updating && child->n_reports == before)
        publish(self);
}

static struct xds_endpoint_child *ready_child(const struct xds_endpoint_children *all,
                                              uint64_t number)
{
    for (size_t i = 0; i < all->in_use.n; i++)
        if (all->in_use.list[i]->state == XDS_STATE_READY && number-- == 0)
            return all->in_use.list[i];
    return NULL;
}

static struct xds_pick_result pick(struct xds_policy *policy,
                                   const struct xds_pick_call *call)
{
    const struct xds_endpoint_children *all =
        &((struct xds_round_robin *)policy)->children;
    const size_t n_ready = all->count[XDS_STATE_READY];
    uint64_t number = 0;

    if (policy->report.state == XDS_STATE_TRANSIENT_FAILURE)
        return xds_pick_why(XDS_PICK_FAIL, policy->report.status);
    if (n_ready > 1 && !xds_random_draw(call->random, n_ready, &number))
        return xds_pick_why(XDS_PICK_OPEN, XDS_S("any READY endpoint may have its turn"));
    return xds_endpoint_child_pick(ready_child(all, number), call);
}

/* Uniform over the connected endpoints, or over those that may connect. */
static void shares(struct xds_policy *policy, const struct xds_pick_call *call,
                   struct xds_share part, struct xds_pick_shares *out)
{
    const struct xds_endpoint_children *all =
        &((struct xds_round_robin *)policy)->children;
    const enum xds_connectivity least =
        all->count[XDS_STATE_READY] ? XDS_STATE_READY : XDS_STATE_IDLE;
    uint64_t n = 0, number = 0;

    if (policy->report.state == XDS_STATE_TRANSIENT_FAILURE)
        return;
    for (size_t i = 0; i < all->in_use.n; i++)
        n += all->in_use.list[i]->state >= least;
    const bool draw =
        n > 1 && xds_share_is_all(part) && xds_random_draw(call->random, n, &number);

    if (n > 0 && !draw)
        part = xds_share_times(part, xds_share_of(1, n));
    for (size_t i = 0; i < all->in_use.n; i++) {
        struct xds_endpoint_child *child = all->in_use.list[i];

        if (child->state >= least && (!draw || number-- == 0))
            xds_endpoint_child_shares(child, call, part, out);
    }
}

static void destroy(struct xds_policy *policy)
{
    xds_endpoint_children_destroy(&((struct xds_round_robin *)policy)->children);
}

static const struct xds_policy_ops ops = {
    .name = "round_robin",
    .child_report = child_report,
    .exit_idle = NULL, /* each child connects by itself */
    .resolver_error = xds_policy_fail_unless_ready,
    .pick = pick,
    .shares = shares,
    .destroy = destroy,
};

static void init(struct xds_policy *policy, struct xds_machine *machine,
                 struct xds_policy *parent, struct xds_slice name,
                 const struct xds_subchannel_maker *maker)
{
    struct xds_round_robin *self = (struct xds_round_robin *)(void *)policy;

    *self =
        (struct xds_round_robin){.policy = xds_policy_new(&ops, machine, parent, name)};
    xds_endpoint_children_init(&self->children, &self->policy, maker, false);
}

static void update(struct xds_policy *policy, const struct xds_leaf_update *update)
{
    struct xds_round_robin *self = (struct xds_round_robin *)(void *)policy;

    self->updating = true;
    xds_endpoint_children_update(&self->children, update->endpoints, update->group.n);
    self->updating = false;
    publish(self);
}

const struct xds_leaf_machine xds_leaf_round_robin = {
    "round_robin", sizeof(struct xds_round_robin), init, update};
