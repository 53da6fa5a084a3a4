/*
 * channel_connections.c - whose the connections of a leaf cluster are.
 *
 * Source: gRFC A55, A75, spec routing 8.5.
 */
#include "scenario/channel_policies.h"

static struct xds_channel_held *held_of(struct xds_channel_cluster *self,
                                        struct xds_slice address)
{
    void **slot = xds_strmap_at(&self->held, address);

    if (!*slot)
        *slot = XDS_NEW(self->shared->machine->arena, struct xds_channel_held);
    return *slot;
}

/* ---- what the override host policy holds ---- */

/* It was reported before. */
static void unheard(struct xds_subchannel *subchannel)
{
    (void)subchannel;
}

static void keep(struct xds_channel_cluster *self, struct xds_slice address)
{
    const struct xds_subchannel_maker *pool = &self->shared->pool.maker;
    struct xds_channel_held *held = held_of(self, address);

    if (held->own)
        return;
    held->own = pool->create(pool->user, address, self);
    held->own->changed = unheard;
}

static void let_go(struct xds_channel_cluster *self, struct xds_channel_held *held)
{
    const struct xds_subchannel_maker *pool = &self->shared->pool.maker;

    if (held->own)
        pool->release(pool->user, held->own);
    held->own = NULL;
}

/* A child that is out of use may still be connected there. */
static void hook_create(void *user, struct xds_slice address)
{
    keep(user, address);
    xds_channel_cluster_state(user, address, held_of(user, address)->own->state);
}

static void hook_connect(void *user, struct xds_slice address)
{
    struct xds_channel_cluster *self = user;
    const struct xds_subchannel_maker *pool = &self->shared->pool.maker;

    keep(self, address);
    pool->connect(pool->user, held_of(self, address)->own);
    if (held_of(self, address)->by_children > 0)
        let_go(self, held_of(self, address));
}

static void hook_drop(void *user, struct xds_slice address)
{
    let_go(user, held_of(user, address));
}

struct xds_override_hooks xds_channel_cluster_hooks(struct xds_channel_cluster *self)
{
    return (struct xds_override_hooks){
        .user = self, .create = hook_create, .connect = hook_connect, .drop = hook_drop};
}

/* ---- what leaf policies hold ---- */

struct xds_override_host *xds_channel_cluster_override(struct xds_channel_cluster *self,
                                                       struct xds_slice address)
{
    if (self->override)
        return xds_override_host_find(self->override, address) ? self->override : NULL;
    for (size_t i = 0; self->names && i < self->numbers.n; i++) {
        struct xds_channel_priority *child =
            xds_strmap_get(&self->children, self->names[i]);

        if (child && child->override && xds_override_host_find(child->override, address))
            return child->override;
    }
    return NULL;
}

static struct xds_subchannel *create(void *user, struct xds_slice address, void *owner)
{
    struct xds_channel_cluster *self = user;
    const struct xds_subchannel_maker *pool = &self->shared->pool.maker;
    struct xds_subchannel *out = pool->create(pool->user, address, owner);
    struct xds_override_host *host = xds_channel_cluster_override(self, address);
    struct xds_channel_held *held = held_of(self, address);

    held->by_children++;
    /* The map may have forgotten the address while a child continued holding it. */
    if (host && xds_override_host_child_creates(host, address))
        xds_override_host_state(host, address, out->state);
    let_go(self, held); /* it was handed over */
    return out;
}

static void connect(void *user, struct xds_subchannel *subchannel)
{
    const struct xds_channel_cluster *self = user;

    self->shared->pool.maker.connect(self->shared->pool.maker.user, subchannel);
}

static void release(void *user, struct xds_subchannel *subchannel)
{
    struct xds_channel_cluster *self = user;
    const struct xds_subchannel_maker *pool = &self->shared->pool.maker;
    const struct xds_slice address = subchannel->address;
    struct xds_override_host *host = xds_channel_cluster_override(self, address);

    if (--held_of(self, address)->by_children == 0 && host &&
        xds_override_host_child_releases(host, address))
        keep(self, address);
    pool->release(pool->user, subchannel);
}

void xds_channel_cluster_connections(struct xds_channel_cluster *self)
{
    xds_strmap_init(&self->held, self->shared->machine->arena);
    self->maker = (struct xds_subchannel_maker){self, create, connect, release};
}

void xds_channel_cluster_state(struct xds_channel_cluster *self, struct xds_slice address,
                               enum xds_connectivity state)
{
    struct xds_override_host *host = xds_channel_cluster_override(self, address);

    if (host)
        xds_override_host_state(host, address, state);
}
