/*
 * cluster_manager.c - xds_cluster_manager_experimental as a machine.
 *
 * States: of the children that the config names the best one counts.
 * Events: update, a child's report, exit idle (passed on to all that exist).
 * Timers: one per child that left the config, see named_children.c.
 * Fails:  an RPC of a cluster that is not a child.
 * Source: gRFC A28 (xds_routing_experimental, which chooses by action in the same way),
 *         A31, spec routing 6 and 13, L-d and L-e.
 */
#include "lb/policy.h"

enum { FIFTEEN_MINUTES_MS = 15 * 60 * 1000 };

/* The cluster decides even while all children fail, so there always is a picker. */
static void publish(struct xds_cluster_manager *self)
{
    struct xds_lb_report report = {.state = xds_named_children_state(&self->children),
                                   .has_picker = true,
                                   .picker = self->policy.name};

    if (report.state == XDS_STATE_TRANSIENT_FAILURE)
        report.status = XDS_S("TRANSIENT_FAILURE from XdsClusterManagerLb");
    xds_policy_publish(&self->policy, report);
}

void xds_cluster_manager_update(struct xds_cluster_manager *self,
                                const struct xds_named_config *clusters, size_t n)
{
    xds_named_children_update(&self->children, clusters, n);
    publish(self);
}

void xds_cluster_manager_update_again(struct xds_cluster_manager *self)
{
    xds_named_children_update_again(&self->children);
    publish(self);
}

static void child_report(struct xds_policy *policy, struct xds_policy *child)
{
    struct xds_cluster_manager *self = (struct xds_cluster_manager *)policy;
    struct xds_named_child *entry = xds_named_children_find(&self->children, child->name);

    if (!entry)
        return;
    xds_named_child_store(entry, child->report.state);
    if (entry->in_config && !self->children.updating)
        publish(self);
}

static void exit_idle(struct xds_policy *policy)
{
    xds_named_children_exit_idle(&((struct xds_cluster_manager *)policy)->children);
}

static struct xds_pick_result pick(struct xds_policy *policy,
                                   const struct xds_pick_call *call)
{
    const struct xds_cluster_manager *self = (struct xds_cluster_manager *)policy;
    struct xds_machine *machine = policy->machine;
    const struct xds_named_child *child =
        xds_named_children_find(&self->children, call->cluster_key);

    if (child && child->in_config)
        return xds_policy_pick(child->policy, call);
    return (struct xds_pick_result){
        .kind = XDS_PICK_FAIL,
        .internal = !XDS_DIFFERS(machine, XDS_DIFF_MANAGER_UNKNOWN_UNAVAILABLE),
        .reason = xds_failure_words(machine->step_arena, machine->options,
                                    machine->client, XDS_FAILURE_CLUSTER_UNKNOWN,
                                    call->cluster_key, (struct xds_slice){NULL, 0})
                      .text};
}

static void destroy(struct xds_policy *policy)
{
    xds_named_children_destroy(&((struct xds_cluster_manager *)policy)->children);
}

static const struct xds_policy_ops ops = {
    .name = "xds_cluster_manager_experimental",
    .child_report = child_report,
    .exit_idle = exit_idle,
    .pick = pick,
    .destroy = destroy,
};

void xds_cluster_manager_init(struct xds_cluster_manager *self,
                              struct xds_machine *machine, struct xds_policy *parent,
                              struct xds_slice name, const struct xds_child_maker *maker,
                              int64_t retention_ms)
{
    *self = (struct xds_cluster_manager){.policy =
                                             xds_policy_new(&ops, machine, parent, name)};
    if (retention_ms < 0)
        retention_ms = XDS_DIFFERS(machine, XDS_DIFF_MANAGER_CHILD_DESTROYED)
                           ? 0
                           : FIFTEEN_MINUTES_MS;
    xds_named_children_init(&self->children, &self->policy, maker, retention_ms);
}
