/* channel_stand_in.c - a policy that stands for whatever is below it. */
#include "scenario/channel_policies.h"

static struct xds_stand_in *of_policy(struct xds_policy *policy)
{
    return (struct xds_stand_in *)(void *)policy;
}

static void child_report(struct xds_policy *policy, struct xds_policy *child)
{
    struct xds_stand_in *self = of_policy(policy);

    if (child != self->inner || self->held_ready)
        return;
    self->pending = self->paused;
    if (!self->paused)
        xds_policy_report(policy, child->report);
}

static void exit_idle(struct xds_policy *policy)
{
    struct xds_policy *inner = of_policy(policy)->inner;

    if (inner && inner->ops->exit_idle)
        inner->ops->exit_idle(inner);
}

static void resolver_error(struct xds_policy *policy, struct xds_slice status)
{
    struct xds_policy *inner = of_policy(policy)->inner;

    if (inner)
        xds_policy_resolver_error(inner, status);
}

static struct xds_pick_result pick(struct xds_policy *policy,
                                   const struct xds_pick_call *call)
{
    struct xds_policy *inner = of_policy(policy)->inner;

    if (inner)
        return inner->ops->pick(inner, call);
    return (struct xds_pick_result){.kind = policy->report.has_picker ? XDS_PICK_FAIL
                                                                      : XDS_PICK_QUEUE,
                                    .reason = policy->report.status};
}

static void destroy(struct xds_policy *policy)
{
    xds_stand_in_for(of_policy(policy), NULL);
}

static const struct xds_policy_ops ops = {.name = "stand-in",
                                          .child_report = child_report,
                                          .exit_idle = exit_idle,
                                          .resolver_error = resolver_error,
                                          .pick = pick,
                                          .destroy = destroy};

void xds_stand_in_init(struct xds_stand_in *self, struct xds_machine *machine,
                       struct xds_policy *parent, struct xds_slice name)
{
    *self = (struct xds_stand_in){.policy = {.ops = &ops,
                                             .machine = machine,
                                             .parent = parent,
                                             .name = name,
                                             .report = XDS_LB_REPORT_NEW},
                                  .path = name};
}

void xds_stand_in_place(struct xds_stand_in *self, struct xds_slice above)
{
    self->path = xds_arena_printf(self->policy.machine->arena, "%.*s/%.*s",
                                  XDS_FMT(above), XDS_FMT(self->policy.name));
}

void xds_stand_in_for(struct xds_stand_in *self, struct xds_policy *inner)
{
    struct xds_policy *old = self->inner;

    self->inner = NULL;
    if (old)
        old->ops->destroy(old);
    self->inner = inner;
}

struct xds_policy *xds_stand_in_swap(struct xds_stand_in *self, struct xds_policy *inner)
{
    struct xds_policy *old = self->inner;

    self->inner = inner;
    return old;
}

void xds_stand_in_pause(struct xds_stand_in *self)
{
    self->paused = true;
}

void xds_stand_in_continue(struct xds_stand_in *self)
{
    const bool pending = self->pending;

    self->paused = self->pending = false;
    if (pending && self->inner && !self->held_ready)
        xds_policy_report(&self->policy, self->inner->report);
}

/* Of what has not reported yet nothing is known, and READY continues. */
void xds_stand_in_hold_ready(struct xds_stand_in *self, bool hold)
{
    const struct xds_lb_report ready = {
        .state = XDS_STATE_READY, .has_picker = true, .picker = XDS_S("drop")};
    const bool changes = self->held_ready != hold;

    self->held_ready = hold;
    if (changes && hold)
        xds_policy_report(&self->policy, ready);
    else if (changes && self->inner && self->inner->n_reports > 0)
        xds_policy_report(&self->policy, self->inner->report);
}

void xds_stand_in_fail(struct xds_stand_in *self, struct xds_slice status)
{
    xds_stand_in_for(self, NULL);
    self->held_ready = false;
    xds_policy_report(&self->policy,
                      (struct xds_lb_report){.state = XDS_STATE_TRANSIENT_FAILURE,
                                             .has_picker = true,
                                             .picker = XDS_S("fail"),
                                             .status = status});
}
