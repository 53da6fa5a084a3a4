/*
 * channel_leaf.c - the LB policy over the endpoints of one priority or locality.
 *
 * Source: spec routing 9 and 10.
 */
#include "scenario/channel_policies.h"

static enum xds_lb_kind machine_of(enum xds_lb_kind kind)
{
    switch (kind) {
    case XDS_LB_RING_HASH:
    case XDS_LB_PICK_FIRST:
        return kind;
    case XDS_LB_ROUND_ROBIN:
    case XDS_LB_LEAST_REQUEST:
    case XDS_LB_WEIGHTED_ROUND_ROBIN:
    case XDS_LB_OTHER:
        break;
    }
    return XDS_LB_ROUND_ROBIN;
}

/* There is none of that kind now. */
static struct xds_policy *begin(struct xds_channel_leaf *self,
                                const struct xds_subchannel_maker *maker)
{
    struct xds_policy *parent = &self->stand_in.policy;
    struct xds_machine *machine = parent->machine;
    const char *const policy = self->kind == XDS_LB_RING_HASH ? "ring_hash_experimental"
                               : self->kind == XDS_LB_PICK_FIRST ? "pick_first"
                                                                 : "round_robin";
    const struct xds_slice name =
        xds_arena_printf(machine->arena, "%.*s/%s", XDS_FMT(self->stand_in.path), policy);

    switch (self->kind) {
    case XDS_LB_RING_HASH:
        xds_ring_hash_init(&self->ring_hash, machine, parent, name, maker);
        return &self->ring_hash.policy;
    case XDS_LB_PICK_FIRST:
        xds_pick_first_init(&self->pick_first, machine, parent, name, maker);
        return &self->pick_first.policy;
    case XDS_LB_ROUND_ROBIN:
    case XDS_LB_LEAST_REQUEST:
    case XDS_LB_WEIGHTED_ROUND_ROBIN:
    case XDS_LB_OTHER:
        break;
    }
    xds_round_robin_init(&self->round_robin, machine, parent, name, maker);
    return &self->round_robin.policy;
}

static const struct xds_endpoint *const *endpoints_of(struct xds_arena *arena,
                                                      struct xds_host_group group)
{
    const struct xds_endpoint **list =
        XDS_NEW_ARRAY(arena, const struct xds_endpoint *, group.n + 1);

    for (size_t i = 0; i < group.n; i++)
        list[i] = group.hosts[i].endpoint;
    return list;
}

static void
update_ring(struct xds_channel_leaf *self, const struct xds_channel_view *view,
            const struct xds_lb_policy *policy, const struct xds_candidates *candidates,
            struct xds_host_group group, const struct xds_endpoint *const *endpoints)
{
    struct xds_ring_over over = {.ring = NULL};

    if (group.n > 0) {
        const struct xds_host_ring *ring =
            xds_host_ring_of(&view->lb, policy, candidates, group);

        over = (struct xds_ring_over){&ring->ring, ring->members, ring->n_members};
    }
    xds_ring_hash_update(&self->ring_hash, endpoints, group.n, &over);
}

static void update_pick_first(struct xds_channel_leaf *self,
                              struct xds_channel_view *view,
                              const struct xds_lb_policy *policy,
                              const struct xds_endpoint *const *endpoints, size_t n)
{
    const struct xds_pick_first_config config = {.shuffle = policy->shuffle_address_list,
                                                 .random = &view->none};

    xds_pick_first_update(&self->pick_first, endpoints, n, &config);
}

void xds_channel_leaf_update(struct xds_channel_leaf *self, struct xds_channel_view *view,
                             const struct xds_lb_policy *policy,
                             const struct xds_subchannel_maker *maker,
                             const struct xds_candidates *candidates,
                             struct xds_host_group group)
{
    const enum xds_lb_kind kind = machine_of(policy->kind);
    const struct xds_endpoint *const *endpoints = endpoints_of(view->rpc.arena, group);

    struct xds_policy *old = NULL;

    if (!self->stand_in.inner || kind != self->kind) {
        self->kind = kind;
        old = xds_stand_in_swap(&self->stand_in, begin(self, maker));
    }
    if (kind == XDS_LB_RING_HASH)
        update_ring(self, view, policy, candidates, group, endpoints);
    else if (kind == XDS_LB_PICK_FIRST)
        update_pick_first(self, view, policy, endpoints, group.n);
    else
        xds_round_robin_update(&self->round_robin, endpoints, group.n);
    if (old)
        old->ops->destroy(old);
}
