/*
 * channel.c - a whole client on a virtual clock.
 *
 * Source: gRFC A27, A28, A31, A60, spec routing 0 and 13.
 */
#include "scenario/channel.h"

#include "clients/readers.h"
#include "explain/listener.h"

struct xds_tree_root *xds_channel_root_of(const struct xds_channel *self,
                                          struct xds_slice cluster)
{
    const struct xds_slice key = xds_cluster_key(self->shared.machine, cluster);

    return xds_named_children_find(&self->manager.children, key)
               ? xds_strmap_get(&self->roots, key)
               : NULL;
}

/* ---- resources ---- */

/* Without a target it is the one listener that comes first, whichever others follow. */
static void settle_target(struct xds_channel *self, const struct xds_decision *decision)
{
    if (!self->play->target.data && decision->listener)
        self->play->target =
            xds_arena_dup(self->shared.machine->arena, decision->listener_name);
}

static const struct xds_virtual_host *find_host(struct xds_channel *self)
{
    struct xds_decision decision = {.client = self->shared.machine->client};
    struct xds_tree_view view;

    xds_tree_view_init(&view, &self->shared);
    view.request.target = self->play->target;
    view.rpc.arena = self->shared.machine->step_arena;
    const bool found = xds_explain_virtual_host(&view.lb, &decision);

    settle_target(self, &decision);
    return found ? decision.virtual_host.host : NULL;
}

static void update_roots(struct xds_channel *self)
{
    const struct xds_named_child_list *seen = &self->manager.children.seen;

    for (size_t i = 0; i < seen->n; i++) {
        struct xds_tree_root *root =
            seen->list[i]->exists ? xds_strmap_get(&self->roots, seen->list[i]->name)
                                  : NULL;

        if (root && !root->is_lost)
            xds_tree_root_update(root);
    }
}

void xds_channel_lose_roots(struct xds_channel *self)
{
    const struct xds_named_child_list *children = &self->manager.children.in_config;

    xds_machine_say(self->shared.machine, self->manager.policy.name,
                    "without children is refused: the channel keeps its last LB config");
    for (size_t i = 0; i < children->n; i++)
        xds_tree_root_lose(xds_strmap_get(&self->roots, children->list[i]->name));
}

bool xds_channel_refresh(struct xds_channel *self)
{
    const struct xds_virtual_host *host = find_host(self);

    xds_explainer_free(self->explainer);
    self->explainer = xds_explainer_new(self->play->check, self->shared.machine->client);
    const size_t n_configs = self->n_configs;

    if (host != self->host || !self->map.current)
        xds_cluster_map_update(&self->map, host);
    self->host = host;
    if (!xds_differs(self->shared.machine->options, self->shared.machine->client,
                     XDS_DIFF_UPDATES_REACH_ALL))
        update_roots(self);
    else if (self->n_configs == n_configs)
        xds_cluster_manager_update_again(&self->manager);
    xds_channel_settle(self);
    return self->explainer != NULL;
}

/* ---- connections ---- */

/* Each override host policy knows before the others do, as it stands between them. */
static void tell_overrides(struct xds_channel *self, struct xds_slice address,
                           enum xds_connectivity state)
{
    const struct xds_named_child_list *seen = &self->manager.children.seen;

    for (size_t i = 0; i < seen->n; i++) {
        struct xds_tree_root *root =
            seen->list[i]->exists ? xds_strmap_get(&self->roots, seen->list[i]->name)
                                  : NULL;

        if (root)
            xds_tree_root_state(root, address, state);
    }
}

void xds_channel_settle(struct xds_channel *self)
{
    struct xds_clock *clock = &self->shared.machine->clock;

    xds_clock_cancel(clock, &self->connect);
    xds_clock_advance(clock, clock->now_ms); /* what was put off until now */
    for (size_t i = 0; i < self->asked.n; i++) {
        struct xds_connection *c = self->asked.list[i];

        if (!c->asked || c->state != XDS_STATE_IDLE)
            continue;
        tell_overrides(self, c->address, XDS_STATE_CONNECTING);
        xds_connection_set(c, XDS_STATE_CONNECTING);
    }
    self->asked.n = 0;
    xds_clock_cancel(&self->shared.machine->clock, &self->connect);
}

bool xds_channel_connection(struct xds_channel *self, struct xds_slice address,
                            enum xds_connectivity state)
{
    if (!xds_subchannel_pool_find(&self->shared.pool, address))
        return false;
    tell_overrides(self, address, state);
    xds_subchannel_pool_set(&self->shared.pool, address, state);
    xds_channel_settle(self);
    return true;
}
