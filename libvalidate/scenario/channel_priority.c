/*
 * channel_priority.c - what is below one priority of a leaf cluster.
 *
 * Source: gRFC A28, A37, A55, spec routing 6, 8.1 and 14.9.
 */
#include "scenario/channel_policies.h"

#include "lb/lb.h"

/* ---- endpoints ---- */

static struct xds_candidates candidates_of(const struct xds_channel_priority *self,
                                           const struct xds_channel_view *view)
{
    const struct xds_channel_cluster *c = self->cluster;
    const struct xds_config_priority *priority = &c->numbers.priorities[self->index];
    struct xds_candidates out = {.n = 0};

    if (!c->endpoints)
        return out;
    const struct xds_locality_list localities =
        xds_localities_in_order(&view->lb, c->endpoints);
    const uint32_t wanted = priority->n ? priority->localities[0]->priority : 0;

    for (size_t at = 0; at < localities.n;) {
        out = xds_candidates_at(&view->lb, &localities, &at);
        if (out.priority == wanted)
            return out;
    }
    return (struct xds_candidates){.n = 0};
}

/* ---- localities ---- */

static struct xds_channel_locality *locality_of(struct xds_channel_priority *self,
                                                struct xds_slice name)
{
    void **slot = xds_strmap_at(&self->localities, name);

    if (!*slot)
        *slot =
            XDS_NEW(self->stand_in.policy.machine->arena, struct xds_channel_locality);
    return *slot;
}

static void update_locality(struct xds_channel_priority *self,
                            struct xds_channel_locality *locality)
{
    struct xds_channel_view view;

    xds_channel_view_init(&view, self->cluster->shared);
    xds_channel_leaf_update(&locality->leaf, &view,
                            xds_leaf_policy(&view.lb, &self->cluster->leaf),
                            &self->cluster->maker, &self->candidates, locality->group);
}

static struct xds_policy *create_target(void *user, struct xds_policy *parent,
                                        struct xds_slice name)
{
    struct xds_channel_priority *self = user;
    struct xds_channel_locality *locality = locality_of(self, name);
    struct xds_stand_in *stand_in = &locality->leaf.stand_in;

    xds_stand_in_init(stand_in, parent->machine, parent,
                      xds_arena_dup(parent->machine->arena, name));
    xds_stand_in_place(stand_in, self->stand_in.path);
    update_locality(self, locality);
    return &stand_in->policy;
}

static void update_target(void *user, struct xds_policy *target)
{
    update_locality(user, (struct xds_channel_locality *)(void *)target);
}

static void destroy_policy(void *user, struct xds_policy *policy)
{
    (void)user;
    policy->ops->destroy(policy);
}

static void update_targets(struct xds_channel_priority *self)
{
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
}

static void use_targets(struct xds_channel_priority *self)
{
    const struct xds_child_maker maker = {self, create_target, update_target,
                                          destroy_policy};

    struct xds_policy *old = NULL;

    if (!self->below.inner || !self->by_locality) {
        xds_weighted_target_init(&self->targets, self->below.policy.machine,
                                 &self->below.policy, self->stand_in.path, &maker, -1);
        old = xds_stand_in_swap(&self->below, &self->targets.policy);
    }
    self->by_locality = true;
    update_targets(self);
    if (old)
        old->ops->destroy(old);
}

/* ---- one policy ---- */

static void use_leaf(struct xds_channel_priority *self, struct xds_channel_view *view,
                     const struct xds_lb_policy *policy)
{
    const struct xds_host_group all = {self->candidates.hosts, self->candidates.n};
    struct xds_stand_in *leaf = &self->leaf.stand_in;
    struct xds_policy *old = NULL;

    if (!self->below.inner || self->by_locality) {
        xds_stand_in_init(leaf, self->below.policy.machine, &self->below.policy,
                          self->name);
        leaf->path = self->stand_in.path;
        old = xds_stand_in_swap(&self->below, &leaf->policy);
    }
    self->by_locality = false;
    xds_channel_leaf_update(&self->leaf, view, policy, &self->cluster->maker,
                            &self->candidates, all);
    if (old)
        old->ops->destroy(old);
}

static void update_below(struct xds_channel_priority *self)
{
    struct xds_channel_view view;

    xds_channel_view_init(&view, self->cluster->shared);
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
    struct xds_channel_priority *self = user;

    xds_stand_in_init(&self->below, parent->machine, parent, name);
    update_below(self);
    return &self->below.policy;
}

static void update_child(void *user, struct xds_policy *child)
{
    (void)child;
    update_below(user);
}

/* The DRAINING ones too. */
static void update_override(struct xds_channel_priority *self)
{
    const struct xds_cluster *cluster = self->cluster->leaf.cluster;
    const struct xds_endpoint_list all =
        xds_channel_endpoints(self->cluster, &self->candidates.priority);
    const struct xds_override_update update = {
        all.list, all.n, cluster->override_host_status, cluster->idle_timeout_ms};

    xds_override_host_update(self->override, &update);
}

/* ---- the whole ---- */

static void begin_override(struct xds_channel_priority *self)
{
    const struct xds_override_host_setup setup = {
        .generation = XDS_OVERRIDE_A55,
        .name = self->stand_in.path,
        .child_name = self->name,
        .maker = {self, create_below, update_child, destroy_policy},
        .hooks = xds_channel_cluster_hooks(self->cluster),
    };

    self->override = xds_override_host_new(self->stand_in.policy.machine,
                                           &self->stand_in.policy, &setup);
    xds_stand_in_for(&self->stand_in, &self->override->policy);
}

struct xds_channel_priority *xds_channel_priority_new(struct xds_arena *arena,
                                                      struct xds_slice name)
{
    struct xds_channel_priority *self = XDS_NEW(arena, struct xds_channel_priority);

    self->name = xds_arena_dup(arena, name);
    xds_strmap_init(&self->localities, arena);
    return self;
}

void xds_channel_priority_begin(struct xds_channel_priority *self,
                                struct xds_policy *parent)
{
    struct xds_machine *machine = parent->machine;

    xds_stand_in_init(&self->stand_in, machine, parent, self->name);
    xds_stand_in_place(&self->stand_in, self->cluster->stand_in.path);
    self->override = NULL;
    if (xds_channel_affinity(machine) == XDS_AFFINITY_IN_PRIORITY) {
        begin_override(self);
        return;
    }
    xds_stand_in_init(&self->below, machine, &self->stand_in.policy, self->name);
    xds_stand_in_for(&self->stand_in, &self->below.policy);
}

void xds_channel_priority_update(struct xds_channel_priority *self)
{
    struct xds_channel_view view;

    xds_channel_view_init(&view, self->cluster->shared);
    self->candidates = candidates_of(self, &view);
    if (self->override)
        update_override(self);
    else
        update_below(self);
}
