/*
 * kept_children.c - the children of the cluster manager between configs.
 *
 * Source: gRFC A31, spec routing 6 and 13 (L-d).
 *
 * States of a child: gone; in the config; kept, with its timer running.
 */
#include "scenario/kept_children.h"

#include "clients/clients.h"

#define KEPT_MS INT64_C(900000)

/* go and node destroy a child as soon as no config names it. */
static const int64_t kept_ms[XDS_CLIENTS] = {
    [XDS_CLIENT_GRFC] = KEPT_MS,
    [XDS_CLIENT_CORE] = KEPT_MS,
    [XDS_CLIENT_JAVA] = KEPT_MS,
};

static void destroy(struct xds_kept_child *child)
{
    struct xds_play *play = child->owner->play;

    xds_clock_cancel(&play->machine.clock, &child->removal);
    child->exists = child->in_config = false;
    xds_step_add_name(play->step, "deleted", child->name);
    xds_machine_say(&play->machine, child->name, "is destroyed");
}

static void on_removal(struct xds_timer *timer)
{
    destroy(timer->owner);
}

void xds_kept_children_init(struct xds_kept_children *children, struct xds_play *play)
{
    children->play = play;
    children->first = NULL;
    children->end = &children->first;
    xds_strmap_init(&children->by_name, play->machine.arena);
}

static struct xds_kept_child *make_child(struct xds_kept_children *children,
                                         struct xds_slice name)
{
    void **slot = xds_strmap_at(&children->by_name, name);

    if (!*slot) {
        struct xds_arena *arena = children->play->machine.arena;
        struct xds_kept_child *child = XDS_NEW(arena, struct xds_kept_child);

        child->owner = children;
        child->name = xds_arena_dup(arena, name);
        child->removal = (struct xds_timer){.rank = XDS_TIMER_DEACTIVATION,
                                            .name = child->name,
                                            .fire = on_removal,
                                            .owner = child};
        *children->end = child;
        children->end = &child->next;
        *slot = child;
    }
    return *slot;
}

static void use(struct xds_kept_child *child)
{
    struct xds_play *play = child->owner->play;

    child->in_config = true;
    xds_clock_cancel(&play->machine.clock, &child->removal);
    if (child->exists)
        return;
    child->exists = true;
    xds_step_add_name(play->step, "created", child->name);
    xds_machine_say(&play->machine, child->name, "is created");
}

/* Nothing names the child. A timer that runs already continues. */
static void drop(struct xds_kept_child *child, int64_t keep_ms)
{
    struct xds_clock *clock = &child->owner->play->machine.clock;

    if (keep_ms == 0)
        destroy(child);
    else if (child->removal.slot == 0)
        xds_clock_set(clock, &child->removal, clock->now_ms + keep_ms);
}

void xds_kept_children_update(struct xds_kept_children *children,
                              const struct xds_slice *names, size_t n)
{
    const int64_t keep_ms = kept_ms[xds_client_as(children->play->machine.client)];

    for (struct xds_kept_child *c = children->first; c; c = c->next)
        c->in_config = false;
    for (size_t i = 0; i < n; i++)
        use(make_child(children, names[i]));
    for (struct xds_kept_child *c = children->first; c; c = c->next)
        if (c->exists && !c->in_config)
            drop(c, keep_ms);
}

void xds_kept_children_destroy(struct xds_kept_children *children)
{
    for (struct xds_kept_child *c = children->first; c; c = c->next)
        if (c->exists)
            destroy(c);
}
