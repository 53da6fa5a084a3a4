/*
 * endpoint_children.c - from lists of endpoints to pick_first policies, one for each.
 *
 * Source: gRFC A61, spec routing 9.1 and 10.
 */
#include "lb/policy.h"

void xds_endpoint_children_init(struct xds_endpoint_children *all,
                                struct xds_policy *owner,
                                const struct xds_subchannel_maker *maker, bool lazy)
{
    *all = (struct xds_endpoint_children){
        .owner = owner, .maker = maker, .lazy = lazy, .round = 1};
    xds_strmap_init(&all->by_name, owner->machine->arena);
}

static struct xds_endpoint_child *entry_of(struct xds_endpoint_children *all,
                                           const struct xds_endpoint *endpoint)
{
    struct xds_machine *machine = all->owner->machine;
    struct xds_strmap_entry *entry = xds_strmap_entry_at(
        &all->by_name, xds_address_set_text(machine->step_arena, endpoint));
    struct xds_endpoint_child *child = entry->value;

    if (child)
        return child;
    entry->value = child = XDS_NEW(machine->arena, struct xds_endpoint_child);
    child->all = all;
    child->name = entry->key;
    return child;
}

struct xds_endpoint_child *
xds_endpoint_children_find(const struct xds_endpoint_children *all,
                           const struct xds_endpoint *endpoint)
{
    struct xds_endpoint_child *child = xds_strmap_get(
        &all->by_name, xds_address_set_text(all->owner->machine->step_arena, endpoint));

    return child && child->round == all->round ? child : NULL;
}

static void create(struct xds_endpoint_child *child)
{
    struct xds_endpoint_children *all = child->all;

    child->exists = true;
    if (!child->policy)
        child->policy = XDS_NEW(all->owner->machine->arena, struct xds_endpoint_policy);
    child->policy->child = child;
    xds_leaf_pick_first.init(&child->policy->policy.policy, all->owner->machine,
                             all->owner, child->name, all->maker);
}

static void update(struct xds_endpoint_child *child)
{
    const struct xds_pick_first_config as_they_stand = {.shuffle = false};

    xds_pick_first_update(&child->policy->policy, &child->endpoint, 1, &as_they_stand);
}

static void destroy(struct xds_endpoint_child *child)
{
    if (child->exists)
        child->policy->policy.policy.ops->destroy(&child->policy->policy.policy);
    child->exists = false;
}

void xds_endpoint_child_connect(struct xds_endpoint_child *child)
{
    if (child->exists) {
        xds_policy_exit_idle(&child->policy->policy.policy);
        return;
    }
    create(child);
    update(child);
}

struct xds_pick_result xds_endpoint_child_pick(struct xds_endpoint_child *child,
                                               const struct xds_pick_call *call)
{
    return xds_policy_pick(&child->policy->policy.policy, call);
}

void xds_endpoint_child_shares(struct xds_endpoint_child *child,
                               const struct xds_pick_call *call, struct xds_share part,
                               struct xds_pick_shares *out)
{
    if (child->exists)
        child->policy->policy.policy.ops->shares(&child->policy->policy.policy, call,
                                                 part, out);
    else
        xds_pick_shares_add(out, child->endpoint->addresses[0], child->state, part);
}

struct xds_endpoint_child *xds_endpoint_child_store(struct xds_policy *policy)
{
    struct xds_endpoint_child *child =
        ((struct xds_endpoint_policy *)(void *)policy)->child;
    struct xds_endpoint_children *all = child->all;

    all->count[child->state]--;
    child->state = policy->report.state;
    all->count[child->state]++;
    return child;
}

/* At rest, of which nothing is assumed: connected to its first address, and none but a
 * session asks for more. */
static bool is_plain(const struct xds_endpoint_children *all,
                     const struct xds_endpoint *endpoint)
{
    const struct xds_machine *machine = all->owner->machine;
    enum xds_connectivity state;
    size_t i = 0;

    if (!machine->at_rest || machine->sessions)
        return false;
    while (i < endpoint->n_addresses &&
           !all->maker->assumed(all->maker->user, endpoint->addresses[i], &state))
        i++;
    return i == endpoint->n_addresses && i > 0;
}

/* A child that joins counts as CONNECTING, or IDLE if it waits, until it reports. */
static void take_in(struct xds_endpoint_children *all,
                    const struct xds_endpoint *endpoint)
{
    struct xds_endpoint_child *child = entry_of(all, endpoint);

    if (child->round == all->round)
        return;
    if (child->round != all->round - 1)
        child->state = is_plain(all, endpoint) ? XDS_STATE_READY
                       : all->lazy             ? XDS_STATE_IDLE
                                               : XDS_STATE_CONNECTING;
    child->round = all->round;
    child->endpoint = endpoint;
    all->count[child->state]++;

    struct xds_endpoint_child_list *to = &all->in_use;

    to->list = xds_arena_room(all->owner->machine->arena, to->list, to->n, &to->cap,
                              sizeof *to->list);
    to->list[to->n++] = child;
}

void xds_endpoint_children_update(struct xds_endpoint_children *all,
                                  const struct xds_endpoint *const *endpoints, size_t n)
{
    const struct xds_endpoint_child_list old = all->in_use;

    all->in_use = all->spare;
    all->in_use.n = 0;
    all->spare = old;
    all->round++;
    memset(all->count, 0, sizeof(all->count));
    for (size_t i = 0; i < n; i++)
        take_in(all, endpoints[i]);
    for (size_t i = 0; i < all->in_use.n; i++) {
        struct xds_endpoint_child *child = all->in_use.list[i];

        if (!child->exists && !all->lazy && child->state != XDS_STATE_READY)
            create(child);
        if (child->exists)
            update(child);
    }
    /* Last, so that a connection that is in both lists stays. */
    for (size_t i = 0; i < old.n; i++)
        if (old.list[i]->round != all->round)
            destroy(old.list[i]);
}

void xds_endpoint_children_destroy(struct xds_endpoint_children *all)
{
    for (size_t i = 0; i < all->in_use.n; i++)
        destroy(all->in_use.list[i]);
    all->in_use.n = 0;
}
