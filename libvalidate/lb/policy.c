/*
 * policy.c - what all LB policies have in common: reporting upwards.
 *
 * Source: gRPC's LoadBalancingPolicy; gRFC A56.
 */
#include "lb/policy.h"

#include "clients/readers.h"

void xds_machine_init(struct xds_machine *machine, struct xds_arena *arena,
                      struct xds_arena *step_arena, const struct xds_options *options,
                      enum xds_client client)
{
    *machine = (struct xds_machine){
        .arena = arena, .step_arena = step_arena, .options = options, .client = client};
    xds_clock_init(&machine->clock, arena);
    machine->clock.as_set = xds_newest_differs(client, XDS_DIFF_TIMERS_AS_SET);
}

void xds_machine_say(const struct xds_machine *machine, struct xds_slice who,
                     const char *format, ...)
{
    va_list args;

    if (!machine->log.line)
        return;
    va_start(args, format);
    const struct xds_slice what = xds_arena_vprintf(machine->step_arena, format, args);

    va_end(args);
    machine->log.line(machine->log.user, who, what);
}

void xds_policy_report(struct xds_policy *self, struct xds_lb_report report)
{
    self->report = report;
    self->n_reports++;
    if (self->parent && self->parent->ops->child_report)
        self->parent->ops->child_report(self->parent, self);
}

void xds_policy_reresolve(struct xds_policy *self)
{
    struct xds_policy *parent = self->parent;

    if (!parent)
        return;
    if (parent->ops->reresolution)
        parent->ops->reresolution(parent, self);
    else
        xds_policy_reresolve(parent);
}

struct xds_pick_result xds_policy_pick(struct xds_policy *self,
                                       const struct xds_pick_call *call)
{
    if (!self->report.has_picker)
        return (struct xds_pick_result){.kind = XDS_PICK_QUEUE,
                                        .reason = XDS_S("there is no picker yet")};
    return self->ops->pick(self, call);
}

void xds_policy_exit_idle(struct xds_policy *self)
{
    if (self->ops->exit_idle)
        self->ops->exit_idle(self);
}

void xds_policy_resolver_error(struct xds_policy *self, struct xds_slice status)
{
    if (self->ops->resolver_error)
        self->ops->resolver_error(self, status);
}

void xds_policy_fail(struct xds_policy *self, struct xds_slice status)
{
    xds_policy_report(self, (struct xds_lb_report){.state = XDS_STATE_TRANSIENT_FAILURE,
                                                   .has_picker = true,
                                                   .picker = self->name,
                                                   .status = status});
}
