/*
 * tree_connections.c - whose the connections of a leaf cluster are: of its leaf policies,
 * or of xds_override_host, which keeps them for sessions.
 *
 * Source: gRFC A55, A75, spec routing 8.1 and 8.5.
 */
#include "lb/tree.h"

enum xds_tree_affinity xds_tree_affinity(const struct xds_machine *machine)
{
    if (!XDS_ENV_ON(machine, XDS_ENV_OVERRIDE_HOST) ||
        (machine->at_rest && !machine->sessions))
        return XDS_AFFINITY_NOWHERE;
    return xds_override_generation_of(machine->options, machine->client) ==
                   XDS_OVERRIDE_A55
               ? XDS_AFFINITY_IN_PRIORITY
               : XDS_AFFINITY_ABOVE_PRIORITY;
}

static struct xds_tree_held *held_of(struct xds_tree_cluster *self,
                                     struct xds_slice address)
{
    void **slot = xds_strmap_at(&self->held, address);

    if (!*slot)
        *slot = XDS_NEW(self->shared->machine->arena, struct xds_tree_held);
    return *slot;
}

/* It was reported before. */
static void unheard(struct xds_subchannel *subchannel)
{
    (void)subchannel;
}

static void keep(struct xds_tree_cluster *self, struct xds_slice address)
{
    const struct xds_subchannel_maker *pool = &self->shared->pool.maker;
    struct xds_tree_held *held = held_of(self, address);

    if (held->own)
        return;
    held->own = pool->create(pool->user, address, self);
    held->own->changed = unheard;
}

static void let_go(struct xds_tree_cluster *self, struct xds_tree_held *held)
{
    const struct xds_subchannel_maker *pool = &self->shared->pool.maker;

    if (held->own)
        pool->release(pool->user, held->own);
    held->own = NULL;
}

struct xds_override_host *xds_tree_cluster_override(struct xds_tree_cluster *self,
                                                    struct xds_slice address)
{
    if (self->override)
        return xds_override_host_find(self->override, address) ? self->override : NULL;
    if (xds_tree_affinity(self->shared->machine) != XDS_AFFINITY_IN_PRIORITY)
        return NULL;
    for (size_t i = 0; self->names && i < self->numbers.n; i++) {
        struct xds_tree_priority *child = xds_strmap_get(&self->children, self->names[i]);

        if (child && child->override && xds_override_host_find(child->override, address))
            return child->override;
    }
    return NULL;
}

static struct xds_subchannel *create(void *user, struct xds_slice address, void *owner)
{
    struct xds_tree_cluster *self = user;
    const struct xds_subchannel_maker *pool = &self->shared->pool.maker;
    struct xds_subchannel *out = pool->create(pool->user, address, owner);
    struct xds_override_host *host = xds_tree_cluster_override(self, address);
    struct xds_tree_held *held = held_of(self, address);

    held->by_children++;
    /* The map may have forgotten the address while a child continued holding it. */
    if (host && xds_override_host_child_creates(host, address))
        xds_override_host_state(host, address, out->state);
    let_go(self, held); /* it was handed over */
    return out;
}

static void connect(void *user, struct xds_subchannel *subchannel)
{
    const struct xds_tree_cluster *self = user;

    self->shared->pool.maker.connect(self->shared->pool.maker.user, subchannel);
}

static void release(void *user, struct xds_subchannel *subchannel)
{
    struct xds_tree_cluster *self = user;
    const struct xds_subchannel_maker *pool = &self->shared->pool.maker;
    const struct xds_slice address = subchannel->address;
    struct xds_override_host *host = xds_tree_cluster_override(self, address);

    if (--held_of(self, address)->by_children == 0 && host &&
        xds_override_host_child_releases(host, address))
        keep(self, address);
    pool->release(pool->user, subchannel);
}

static bool assumed(void *user, struct xds_slice address, enum xds_connectivity *state)
{
    const struct xds_subchannel_maker *pool =
        &((struct xds_tree_cluster *)user)->shared->pool.maker;

    return pool->assumed(pool->user, address, state);
}

struct xds_subchannel_maker xds_tree_connections(struct xds_tree_cluster *self)
{
    return (struct xds_subchannel_maker){self, create, connect, release,
                                         self->shared->pool.maker.assumed ? assumed
                                                                          : NULL};
}

/* A child that is out of use may still be connected there. */
static void hook_create(void *user, struct xds_slice address)
{
    keep(user, address);
    const enum xds_connectivity state = held_of(user, address)->own->state;
    struct xds_override_host *host = xds_tree_cluster_override(user, address);

    if (host)
        xds_override_host_state(host, address, state);
}

static void hook_connect(void *user, struct xds_slice address)
{
    struct xds_tree_cluster *self = user;
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

struct xds_endpoint_list {
    const struct xds_endpoint **list;
    size_t n;
};

static struct xds_endpoint_list endpoints_of(const struct xds_tree_cluster *self,
                                             const uint32_t *priority)
{
    static const struct xds_endpoints none;
    const struct xds_endpoints *all = self->endpoints ? self->endpoints : &none;
    struct xds_endpoint_list out = {.n = 0};
    size_t n = 0;

    for (size_t i = 0; i < all->n_localities; i++)
        n += all->localities[i].n_endpoints;
    out.list =
        XDS_NEW_ARRAY(self->shared->machine->arena, const struct xds_endpoint *, n);
    for (size_t i = 0; i < all->n_localities; i++) {
        const struct xds_locality *locality = &all->localities[i];

        for (size_t k = 0; k < locality->n_endpoints; k++)
            if (!priority || locality->priority == *priority)
                out.list[out.n++] = &locality->endpoints[k];
    }
    return out;
}

/* Cut to what a clock can hold: readers that check no range take any number. */
static int64_t idle_timeout_ms(const struct xds_cluster *cluster)
{
    const int64_t most = INT64_MAX / 1000 - 1, seconds = cluster->idle_timeout_seconds;

    return (seconds > most    ? most
            : seconds < -most ? -most
                              : seconds) *
               1000 +
           cluster->idle_timeout_nanos / 1000000;
}

void xds_tree_override_update(const struct xds_tree_cluster *self,
                              struct xds_override_host *host, const uint32_t *priority)
{
    const struct xds_cluster *cluster = self->leaf.cluster;
    const struct xds_endpoint_list all = endpoints_of(self, priority);
    const struct xds_override_update update = {
        all.list, all.n, cluster->override_host_status, idle_timeout_ms(cluster)};

    xds_override_host_update(host, &update);
}

struct xds_override_host *xds_tree_override_new(struct xds_tree_cluster *self,
                                                struct xds_stand_in *stand_in,
                                                struct xds_slice child_name,
                                                const struct xds_child_maker *maker)
{
    const struct xds_override_host_setup setup = {
        .generation = xds_override_generation_of(self->shared->machine->options,
                                                 self->shared->machine->client),
        .name = stand_in->path,
        .child_name = child_name,
        .maker = *maker,
        .hooks = {self, hook_create, hook_connect, hook_drop},
    };

    return xds_override_host_new(self->shared->machine, &stand_in->policy, &setup);
}
