/*
 * rest.c - the policies of a cluster at rest, for one RPC and what it assumes.
 *
 * Source: gRFC A56, A61, spec routing 7, 10 and 12.
 */
#include "lb/cluster_map.h"
#include "lb/tree.h"

struct rest {
    struct xds_machine machine;
    struct xds_tree_shared shared;
    struct xds_lb lb;      /* with the assumptions */
    struct xds_policy top; /* above the root */
    struct xds_tree_root *root;
};

static bool assumed(void *pool, struct xds_slice address, enum xds_connectivity *state)
{
    const struct rest *rest = ((struct xds_subchannel_pool *)pool)->user;

    return xds_lb_assumes(rest->shared.at_rest, address, state);
}

/* One that is assumed IDLE was connected until now. */
static bool lose(struct rest *rest, struct xds_slice address)
{
    bool any = false;

    for (struct xds_connection *c =
             xds_strmap_get(&rest->shared.pool.connections, address);
         c; c = c->next) {
        if (c->rested || c->n_held == 0 || c->state != XDS_STATE_READY)
            continue;
        any = c->rested = true;
        xds_tree_root_state(rest->root, address, XDS_STATE_IDLE);
        xds_connection_set(c, XDS_STATE_IDLE);
    }
    return any;
}

/* What follows may make more policies with connections of that kind. */
static void lose_idle(struct rest *rest)
{
    const struct xds_strmap *all = &rest->shared.at_rest->states;
    bool again = true;

    while (again) {
        xds_clock_advance(&rest->machine.clock, 0); /* what was put off until now */
        again = false;
        for (size_t i = 0; i < all->cap; i++) {
            const enum xds_connectivity *state = all->slots[i].value;

            if (all->slots[i].key.data && *state == XDS_STATE_IDLE)
                again |= lose(rest, all->slots[i].key);
        }
    }
}

static void rest_overrides(struct rest *rest, struct xds_tree_cluster *leaf)
{
    const struct xds_subchannel_maker *maker = &rest->shared.pool.maker;

    if (leaf->override)
        xds_override_host_rest(leaf->override, maker);
    for (size_t i = 0; leaf->names && i < leaf->numbers.n; i++) {
        const struct xds_tree_priority *child =
            xds_strmap_get(&leaf->children, leaf->names[i]);

        if (child && child->override)
            xds_override_host_rest(child->override, maker);
    }
}

struct xds_tree_root *xds_tree_rest(const struct xds_lb *lb, struct xds_slice cluster,
                                    bool sessions)
{
    static const struct xds_policy_ops nothing = {.name = "rest"};
    struct xds_arena *arena = lb->rpc->arena;
    struct rest *rest = XDS_NEW(arena, struct rest);

    xds_machine_init(&rest->machine, arena, arena, lb->rpc->options, lb->rpc->client);
    rest->machine.at_rest = true;
    rest->machine.sessions = sessions;
    rest->shared.machine = &rest->machine;
    rest->shared.snapshot = lb->snapshot;
    rest->lb = *lb;
    rest->shared.at_rest = &rest->lb;
    xds_subchannel_pool_init(&rest->shared.pool, &rest->machine);
    rest->shared.pool.user = rest;
    rest->shared.pool.maker.assumed = assumed;
    rest->top = (struct xds_policy){.ops = &nothing, .machine = &rest->machine};
    rest->root =
        xds_tree_root_new(&rest->shared, xds_cluster_key(&rest->machine, cluster));
    xds_tree_root_begin(rest->root, &rest->top);
    lose_idle(rest);
    for (size_t i = 0; i < rest->root->n_leaves; i++)
        rest_overrides(rest, rest->root->leaves[i]);
    return rest->root;
}
