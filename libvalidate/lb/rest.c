/*
 * rest.c - the policies of a cluster at rest, for one RPC and what it assumes.
 *
 * Source: gRFC A56, A61, spec routing 7, 10 and 12.
 */
#include "lb/cluster_map.h"
#include "lb/tree.h"

/* ---- connections ---- */

static bool assumed(void *pool, struct xds_slice address, enum xds_connectivity *state)
{
    const struct xds_rest *rest = ((struct xds_subchannel_pool *)pool)->user;

    return xds_lb_assumes(rest->lb, address, state);
}

/* One that is assumed IDLE was connected until now. */
static bool lose(struct xds_rest *rest, struct xds_slice address)
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
static void lose_idle(struct xds_rest *rest)
{
    const struct xds_strmap *all = &rest->lb->states;
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

/* ---- the tree ---- */

static void rest_overrides(struct xds_rest *rest, struct xds_tree_cluster *leaf)
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

struct xds_rest *xds_rest_new(const struct xds_lb *lb, struct xds_slice cluster,
                              bool sessions)
{
    static const struct xds_policy_ops nothing = {.name = "rest"};
    struct xds_arena *arena = lb->rpc->arena;
    struct xds_rest *rest = XDS_NEW(arena, struct xds_rest);

    rest->lb = lb;
    xds_machine_init(&rest->machine, arena, arena, lb->rpc->options, lb->rpc->client);
    rest->machine.at_rest = true;
    rest->machine.sessions = sessions;
    rest->shared.machine = &rest->machine;
    rest->shared.snapshot = lb->snapshot;
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
    return rest;
}

static bool used_in(const struct xds_policy *priority, struct xds_priority_child *out)
{
    for (size_t i = 0; priority && i < xds_priority_size(priority); i++)
        if (xds_priority_at(priority, i, out) && out->in_use)
            return true;
    return false;
}

struct xds_rest_used xds_rest_used(const struct xds_rest *rest)
{
    const struct xds_tree_root *root = rest->root;
    const bool nested = root->is_aggregate && !root->is_flat;
    struct xds_rest_used out = {.leaf = root->n_leaves ? root->leaves[0] : NULL};
    const struct xds_policy *policy = root->priority;
    struct xds_priority_child used;

    if (nested)
        out.leaf = out.leaf && used_in(policy, &used)
                       ? xds_strmap_get(&root->clusters, used.name)
                       : NULL;
    if (out.leaf && (nested || !root->is_aggregate))
        policy = out.leaf->begun ? out.leaf->priority : NULL;
    if (!out.leaf || !used_in(policy, &used))
        return out;
    out.priority = (const void *)used.policy;
    out.leaf = out.priority->cluster;
    out.state = used.report.state;
    return out;
}

struct xds_pick_shares xds_rest_shares(struct xds_rest *rest,
                                       const struct xds_pick_call *call)
{
    struct xds_policy *root = &rest->root->stand_in.policy;
    struct xds_pick_shares out = {.arena = rest->machine.arena};

    root->ops->shares(root, call, XDS_SHARE_ALL, &out);
    return out;
}
