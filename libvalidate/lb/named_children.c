/*
 * named_children.c - from configs that name children to children that live and die.
 *
 * States: not there -> in the config -> kept (timer) -> in the config or not there.
 * Source: gRFC A28, A31, spec routing 6, WT1, WT2, WT4, WT10.
 */
#include "lb/policy.h"

#include <stdlib.h>

void xds_named_children_init(struct xds_named_children *all, struct xds_policy *owner,
                             const struct xds_child_maker *maker, int64_t retention_ms)
{
    *all = (struct xds_named_children){
        .owner = owner, .maker = *maker, .retention_ms = retention_ms};
    xds_strmap_init(&all->by_name, owner->machine->arena);
}

static void append(struct xds_arena *arena, struct xds_named_child_list *to,
                   struct xds_named_child *child)
{
    to->list = xds_arena_room(arena, to->list, to->n, &to->cap, sizeof *to->list);
    to->list[to->n++] = child;
}

static void destroy(struct xds_named_child *child)
{
    struct xds_named_children *all = child->all;
    struct xds_policy *policy = child->policy;

    xds_clock_cancel(&all->owner->machine->clock, &child->retention);
    child->exists = false;
    child->policy = NULL;
    all->maker.destroy(all->maker.user, policy);
}

static void retention_is_over(struct xds_timer *timer)
{
    struct xds_named_child *child = timer->owner;

    xds_machine_say(child->all->owner->machine, child->name,
                    "is destroyed: it was not in the config for too long");
    destroy(child);
}

static struct xds_named_child *entry_of(struct xds_named_children *all,
                                        struct xds_slice name)
{
    struct xds_arena *arena = all->owner->machine->arena;
    void **slot = xds_strmap_at(&all->by_name, name);
    struct xds_named_child *child = *slot;

    if (child)
        return child;
    child = XDS_NEW(arena, struct xds_named_child);
    *slot = child;
    child->name = xds_arena_dup(arena, name);
    child->all = all;
    child->retention = (struct xds_timer){.rank = XDS_TIMER_DEACTIVATION,
                                          .name = child->name,
                                          .fire = retention_is_over,
                                          .owner = child};
    append(arena, &all->seen, child);
    return child;
}

static void leave_config(struct xds_named_child *child)
{
    struct xds_named_children *all = child->all;
    struct xds_machine *machine = all->owner->machine;

    child->in_config = false;
    all->changed = true;
    if (all->retention_ms <= 0) {
        xds_machine_say(machine, child->name,
                        "is destroyed: it is no longer in the config");
        destroy(child);
        return;
    }
    xds_machine_say(machine, child->name,
                    "is no longer in the config; it is kept for %g s",
                    (double)all->retention_ms / 1000);
    xds_clock_set(&machine->clock, &child->retention,
                  machine->clock.now_ms + all->retention_ms);
}

static void create_or_update(struct xds_named_child *child)
{
    struct xds_named_children *all = child->all;
    struct xds_machine *machine = all->owner->machine;

    if (!child->exists) {
        child->exists = true;
        child->last = child->counted = XDS_STATE_CONNECTING;
        xds_machine_say(machine, child->name, "is created");
        child->policy = all->maker.create(all->maker.user, all->owner, child->name);
        return;
    }
    if (child->retention.slot) {
        xds_clock_cancel(&machine->clock, &child->retention);
        xds_machine_say(machine, child->name,
                        "is back in the config in time: the same child, %s",
                        xds_connectivity_name(child->last));
    }
    all->maker.update(all->maker.user, child->policy);
}

static int by_name(const void *left, const void *right)
{
    const struct xds_named_child *const *a = left, *const *b = right;

    return xds_slice_cmp((*a)->name, (*b)->name);
}

void xds_named_children_update(struct xds_named_children *all,
                               const struct xds_named_config *config, size_t n)
{
    struct xds_named_child_list wanted = {.n = 0};

    all->round++;
    for (size_t i = 0; i < n; i++) {
        struct xds_named_child *child = entry_of(all, config[i].name);

        /* At once: a report in the course of the update must not see old ones. */
        child->weight = config[i].weight;
        if (child->round != all->round)
            append(all->owner->machine->step_arena, &wanted, child);
        child->round = all->round;
    }
    if (wanted.n)
        qsort(wanted.list, wanted.n, sizeof(*wanted.list), by_name);

    all->updating = true;
    all->changed = false;
    for (size_t i = 0; i < all->in_config.n; i++)
        if (all->in_config.list[i]->round != all->round)
            leave_config(all->in_config.list[i]);
    all->in_config.n = 0;
    for (size_t i = 0; i < wanted.n; i++) {
        all->changed = all->changed || !wanted.list[i]->in_config;
        wanted.list[i]->in_config = true;
        append(all->owner->machine->arena, &all->in_config, wanted.list[i]);
        create_or_update(wanted.list[i]);
    }
    all->updating = false;
}

void xds_named_children_update_again(struct xds_named_children *all)
{
    all->updating = true;
    for (size_t i = 0; i < all->in_config.n; i++)
        all->maker.update(all->maker.user, all->in_config.list[i]->policy);
    all->updating = false;
}

struct xds_named_child *xds_named_children_find(const struct xds_named_children *all,
                                                struct xds_slice name)
{
    struct xds_named_child *child = xds_strmap_get(&all->by_name, name);

    return child && child->exists ? child : NULL;
}

void xds_named_children_exit_idle(const struct xds_named_children *all)
{
    for (size_t i = 0; i < all->seen.n; i++)
        if (all->seen.list[i]->policy)
            xds_policy_exit_idle(all->seen.list[i]->policy);
}

void xds_named_children_destroy(struct xds_named_children *all)
{
    for (size_t i = 0; i < all->seen.n; i++) {
        all->seen.list[i]->in_config = false;
        if (all->seen.list[i]->exists)
            destroy(all->seen.list[i]);
    }
    all->in_config.n = 0;
}

/* Does a child in TRANSIENT_FAILURE continue to count as that? */
static bool goes_on_failing(const struct xds_named_child *child,
                            enum xds_connectivity state)
{
    const struct xds_machine *machine = child->all->owner->machine;

    if (child->counted != XDS_STATE_TRANSIENT_FAILURE)
        return false;
    if (XDS_DIFFERS(machine, XDS_DIFF_CHILD_STAYS_FAILED))
        return state != XDS_STATE_READY;
    /* By a direct step from the one to the other. */
    return XDS_DIFFERS(machine, XDS_DIFF_CHILD_STAYS_FAILED_CONNECTING) &&
           state == XDS_STATE_CONNECTING && child->last == XDS_STATE_TRANSIENT_FAILURE;
}

void xds_named_child_store(struct xds_named_child *child, enum xds_connectivity state)
{
    if (goes_on_failing(child, state)) {
        if (state != XDS_STATE_TRANSIENT_FAILURE)
            xds_machine_say(child->all->owner->machine, child->name,
                            "is %s but still counts as TRANSIENT_FAILURE",
                            xds_connectivity_name(state));
    } else {
        child->counted = state;
    }
    child->last = state;
    child->all->changed = true;
}

/* The order of the states in their enum is the order in which they count. */
enum xds_connectivity xds_named_children_state(const struct xds_named_children *all)
{
    enum xds_connectivity best = XDS_STATE_TRANSIENT_FAILURE;

    for (size_t i = 0; i < all->in_config.n; i++)
        if (all->in_config.list[i]->counted > best)
            best = all->in_config.list[i]->counted;
    return best;
}
