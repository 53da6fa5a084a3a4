/*
 * cluster_manager.c - xds_cluster_manager_experimental as a machine.
 *
 * States: of the children that the config names the best one counts.
 * Events: update, a child's report, exit idle (passed on to all that exist).
 * Timers: one per child that left the config, see named_children.c.
 * Fails:  an RPC of a cluster that no child stands for.
 * Source: gRFC A28 (xds_routing_experimental, which chooses by action in the same way),
 *         A31, spec routing 6 and 13, L-d and L-e.
 */
#include "lb/policy.h"

enum { FIFTEEN_MINUTES_MS = 15 * 60 * 1000 };

/* Where the clients differ. Each names the cluster between its two texts. */
static const struct reading {
    int64_t retention_ms; /* how long a child is kept that left the config */
    bool internal;        /* an unknown cluster is INTERNAL, not UNAVAILABLE */
    const char *before, *behind;
} readings[XDS_CLIENTS] = {
    [XDS_CLIENT_GRFC] = {FIFTEEN_MINUTES_MS, true, "unknown cluster \"", "\""},
    [XDS_CLIENT_CORE] = {FIFTEEN_MINUTES_MS, true,
                         "xds cluster manager picker: unknown cluster \"", "\""},
    [XDS_CLIENT_GO] = {0, false, "unknown cluster selected for RPC: \"", "\""},
    [XDS_CLIENT_JAVA] = {FIFTEEN_MINUTES_MS, false,
                         "CDS encountered error: unable to find available subchannel for "
                         "cluster ",
                         ""},
    [XDS_CLIENT_NODE] = {0, true, "xds cluster manager picker: unknown cluster \"", "\""},
};

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
    const struct reading *as = &readings[xds_client_as(policy->machine->client)];
    const struct xds_named_child *child =
        xds_named_children_find(&self->children, call->cluster_key);

    if (child && child->in_config)
        return xds_policy_pick(child->policy, call);
    return (struct xds_pick_result){
        .kind = XDS_PICK_FAIL,
        .internal = as->internal,
        .reason = xds_arena_printf(policy->machine->step_arena, "%s%.*s%s", as->before,
                                   XDS_FMT(call->cluster_key), as->behind)};
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
        retention_ms = readings[xds_client_as(machine->client)].retention_ms;
    xds_named_children_init(&self->children, &self->policy, maker, retention_ms);
}
