/*
 * tree_priority.c - what is below one priority of a leaf cluster.
 *
 * Source: gRFC A28, A37, A55, spec routing 6, 8.1, 9, 10 and 14.9.
 */
#include "lb/tree.h"

/* ---- a policy that stands for whatever is below it ---- */

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

    if (inner)
        xds_policy_exit_idle(inner);
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
    return xds_pick_why(policy->report.has_picker ? XDS_PICK_FAIL : XDS_PICK_QUEUE,
                        policy->report.status);
}

static void shares(struct xds_policy *policy, const struct xds_pick_call *call,
                   struct xds_share part, struct xds_pick_shares *out)
{
    struct xds_policy *inner = of_policy(policy)->inner;

    if (inner)
        inner->ops->shares(inner, call, part, out);
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
                                          .shares = shares,
                                          .destroy = destroy};

void xds_stand_in_init(struct xds_stand_in *self, struct xds_policy *parent,
                       struct xds_slice name)
{
    *self = (struct xds_stand_in){
        .policy = xds_policy_new(&ops, parent->machine, parent, name), .path = name};
}

/* Below this path; without it the name is the path. */
static void stand_in_place(struct xds_stand_in *self, struct xds_slice above)
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

/* The same, but the old one is given back, to be destroyed when the new one holds its
 * connections: they continue. */
static struct xds_policy *stand_in_swap(struct xds_stand_in *self,
                                        struct xds_policy *inner)
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

static void report_alone(struct xds_stand_in *self, struct xds_lb_report report)
{
    xds_stand_in_for(self, NULL);
    self->held_ready = false;
    xds_policy_report(&self->policy, report);
}

void xds_stand_in_fail(struct xds_stand_in *self, struct xds_slice status)
{
    report_alone(self, (struct xds_lb_report){.state = XDS_STATE_TRANSIENT_FAILURE,
                                              .has_picker = true,
                                              .picker = XDS_S("fail"),
                                              .status = status});
}

void xds_stand_in_fault(struct xds_stand_in *self, const struct xds_ring_fault *fault)
{
    const enum xds_connectivity held = fault->waits ? XDS_STATE_IDLE : XDS_STATE_READY;

    report_alone(self, (struct xds_lb_report){
                           .state = fault->holds ? held : XDS_STATE_TRANSIENT_FAILURE,
                           .has_picker = !fault->waits,
                           .picker = XDS_S("fault"),
                           .status = fault->text});
}

/* ---- over the endpoints of one priority or locality ---- */

static const struct xds_leaf_machine *const machines[] = {
#define XDS_LB_KIND(kind, machine, ...) [XDS_LB_##kind] = &xds_leaf_##machine,
#include "model/lb_policies.def"
};

/* There is none of that kind now. */
static struct xds_policy *begin(struct xds_tree_leaf *self, enum xds_lb_kind kind,
                                const struct xds_subchannel_maker *maker)
{
    struct xds_policy *parent = &self->stand_in.policy;
    struct xds_machine *machine = parent->machine;
    const struct xds_slice name = xds_arena_printf(
        machine->arena, "%.*s/%s", XDS_FMT(self->stand_in.path), self->machine->name);

    if (!self->policy[kind])
        self->policy[kind] = xds_arena_zero(machine->arena, 1, self->machine->size);
    self->machine->init(self->policy[kind], machine, parent, name, maker);
    return self->policy[kind];
}

static void update_leaf(struct xds_tree_leaf *self, struct xds_tree_view *view,
                        const struct xds_lb_policy *policy,
                        const struct xds_subchannel_maker *maker,
                        const struct xds_candidates *candidates,
                        struct xds_host_group group)
{
    const struct xds_leaf_machine *machine = machines[policy->kind];
    const struct xds_endpoint **endpoints =
        XDS_NEW_ARRAY(view->rpc.arena, const struct xds_endpoint *, group.n + 1);
    const struct xds_leaf_update update = {&view->lb, policy, candidates, group,
                                           endpoints};
    struct xds_policy *old = NULL;

    for (size_t i = 0; i < group.n; i++)
        endpoints[i] = group.hosts[i].endpoint;
    if (!self->stand_in.inner || machine != self->machine) {
        self->machine = machine;
        old = stand_in_swap(&self->stand_in, begin(self, policy->kind, maker));
    }
    machine->update(self->stand_in.inner, &update);
    if (old)
        old->ops->destroy(old);
}

/* ---- localities ---- */

static struct xds_tree_locality *locality_of(struct xds_tree_priority *self,
                                             struct xds_slice name)
{
    void **slot = xds_strmap_at(&self->localities, name);

    if (!*slot)
        *slot = XDS_NEW(self->stand_in.policy.machine->arena, struct xds_tree_locality);
    return *slot;
}

static void update_locality(struct xds_tree_priority *self,
                            struct xds_tree_locality *locality)
{
    struct xds_tree_view view;

    xds_tree_view_init(&view, self->cluster->shared);
    update_leaf(&locality->leaf, &view, xds_leaf_policy(&view.lb, &self->cluster->leaf),
                &self->cluster->maker, &self->candidates, locality->group);
}

static struct xds_policy *create_target(void *user, struct xds_policy *parent,
                                        struct xds_slice name)
{
    struct xds_tree_priority *self = user;
    struct xds_tree_locality *locality = locality_of(self, name);
    struct xds_stand_in *stand_in = &locality->leaf.stand_in;

    xds_stand_in_init(stand_in, parent, xds_arena_dup(parent->machine->arena, name));
    stand_in_place(stand_in, self->stand_in.path);
    update_locality(self, locality);
    return &stand_in->policy;
}

static void update_target(void *user, struct xds_policy *target)
{
    update_locality(user, (struct xds_tree_locality *)(void *)target);
}

static void use_targets(struct xds_tree_priority *self)
{
    const struct xds_child_maker maker = {self, create_target, update_target,
                                          xds_policy_destroy};
    struct xds_policy *old = NULL;

    if (!self->below.inner || !self->by_locality) {
        xds_weighted_target_init(&self->targets, self->below.policy.machine,
                                 &self->below.policy, self->stand_in.path, &maker, -1);
        old = stand_in_swap(&self->below, &self->targets.policy);
    }
    self->by_locality = true;

    const struct xds_candidates *c = &self->candidates;
    struct xds_arena *arena = self->stand_in.policy.machine->arena;
    struct xds_named_config *config = XDS_NEW_ARRAY(arena, struct xds_named_config, c->n);
    size_t n = 0;

    for (size_t at = 0; at < c->n; n++) {
        const struct xds_host_group group = xds_locality_at(c, at);
        const struct xds_locality *locality = group.hosts[0].locality;

        config[n] = (struct xds_named_config){xds_locality_name(arena, locality),
                                              locality->weight};
        locality_of(self, config[n].name)->group = group;
        at += group.n;
    }
    xds_weighted_target_update(&self->targets, config, n);
    if (old)
        old->ops->destroy(old);
}

/* ---- one policy ---- */

static void use_leaf(struct xds_tree_priority *self, struct xds_tree_view *view,
                     const struct xds_lb_policy *policy)
{
    const struct xds_host_group all = {self->candidates.hosts, self->candidates.n};
    struct xds_stand_in *leaf = &self->leaf.stand_in;
    struct xds_policy *old = NULL;

    if (!self->below.inner || self->by_locality) {
        xds_stand_in_init(leaf, &self->below.policy, self->name);
        leaf->path = self->stand_in.path;
        old = stand_in_swap(&self->below, &leaf->policy);
    }
    self->by_locality = false;
    update_leaf(&self->leaf, view, policy, &self->cluster->maker, &self->candidates, all);
    if (old)
        old->ops->destroy(old);
}

static void update_below(struct xds_tree_priority *self)
{
    struct xds_tree_view view;

    xds_tree_view_init(&view, self->cluster->shared);
    const struct xds_lb_policy *policy = xds_leaf_policy(&view.lb, &self->cluster->leaf);

    if (policy->wrr_locality)
        use_targets(self);
    else
        use_leaf(self, &view, policy);
}

/* ---- affinity inside of a priority ---- */

static struct xds_policy *create_below(void *user, struct xds_policy *parent,
                                       struct xds_slice name)
{
    struct xds_tree_priority *self = user;

    xds_stand_in_init(&self->below, parent, name);
    update_below(self);
    return &self->below.policy;
}

static void update_child(void *user, struct xds_policy *child)
{
    (void)child;
    update_below(user);
}

/* ---- the whole ---- */

struct xds_tree_priority *xds_tree_priority_new(struct xds_arena *arena,
                                                struct xds_slice name)
{
    struct xds_tree_priority *self = XDS_NEW(arena, struct xds_tree_priority);

    self->name = xds_arena_dup(arena, name);
    xds_strmap_init(&self->localities, arena);
    return self;
}

void xds_tree_priority_begin(struct xds_tree_priority *self, struct xds_policy *parent)
{
    struct xds_machine *machine = parent->machine;

    xds_stand_in_init(&self->stand_in, parent, self->name);
    stand_in_place(&self->stand_in, self->cluster->stand_in.path);
    self->override = NULL;
    if (xds_tree_affinity(machine) == XDS_AFFINITY_IN_PRIORITY) {
        const struct xds_child_maker maker = {self, create_below, update_child,
                                              xds_policy_destroy};
        struct xds_override_host *host =
            xds_tree_override_new(self->cluster, &self->stand_in, self->name, &maker);

        xds_stand_in_for(&self->stand_in, &host->policy);
        self->override = host;
        return;
    }
    xds_stand_in_init(&self->below, &self->stand_in.policy, self->name);
    xds_stand_in_for(&self->stand_in, &self->below.policy);
}

void xds_tree_priority_update(struct xds_tree_priority *self)
{
    struct xds_tree_view view;

    xds_tree_view_init(&view, self->cluster->shared);

    const struct xds_tree_cluster *c = self->cluster;
    const struct xds_config_priority *priority = &c->numbers.priorities[self->index];
    self->candidates = xds_candidates_of(
        &view.lb, &c->localities, priority->n ? priority->localities[0]->priority : 0);
    if (self->override)
        /* The DRAINING ones too. */
        xds_tree_override_update(self->cluster, self->override,
                                 &self->candidates.priority);
    else
        update_below(self);
}
