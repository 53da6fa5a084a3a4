/*
 * subchannel.c - from addresses to connections that several holders share.
 *
 * States: IDLE when the first one takes hold and again when the last one has let go;
 *         otherwise as given, any may follow any.
 * Source: gRPC's global subchannel pool; gRFC A61.
 */
#include "lb/subchannel.h"

static struct xds_connection *connection_of(struct xds_subchannel_pool *pool,
                                            struct xds_slice address)
{
    struct xds_arena *arena = pool->machine->arena;
    void **slot = xds_strmap_at(&pool->connections, address);

    if (!*slot) {
        struct xds_connection *connection = XDS_NEW(arena, struct xds_connection);

        connection->address = xds_arena_dup(arena, address);
        connection->state = XDS_STATE_IDLE;
        *slot = connection;
    }
    return *slot;
}

/* One that was released, or a new one. */
static struct xds_subchannel *place_in(struct xds_subchannel_pool *pool,
                                       struct xds_connection *connection)
{
    struct xds_subchannel *place = connection->subchannels;

    while (place && place->held)
        place = place->next;
    if (place)
        return place;
    place = XDS_NEW(pool->machine->arena, struct xds_subchannel);
    place->next = connection->subchannels;
    connection->subchannels = place;
    return place;
}

static struct xds_subchannel *create(void *user, struct xds_slice address, void *owner)
{
    struct xds_subchannel_pool *pool = user;
    struct xds_connection *connection = connection_of(pool, address);
    struct xds_subchannel *subchannel = place_in(pool, connection);

    *subchannel = (struct xds_subchannel){.address = connection->address,
                                          .state = connection->state,
                                          .owner = owner,
                                          .held = true,
                                          .next = subchannel->next};
    connection->n_held++;
    return subchannel;
}

static void connect(void *user, struct xds_subchannel *subchannel)
{
    struct xds_subchannel_pool *pool = user;

    xds_machine_say(pool->machine, subchannel->address, "is asked to connect");
    if (pool->asked)
        pool->asked(pool->user, subchannel->address);
}

static void release(void *user, struct xds_subchannel *subchannel)
{
    struct xds_subchannel_pool *pool = user;
    struct xds_connection *connection = connection_of(pool, subchannel->address);

    subchannel->held = false;
    if (--connection->n_held == 0)
        connection->state = XDS_STATE_IDLE;
}

void xds_subchannel_pool_init(struct xds_subchannel_pool *pool,
                              struct xds_machine *machine)
{
    *pool = (struct xds_subchannel_pool){.machine = machine,
                                         .maker = {pool, create, connect, release}};
    xds_strmap_init(&pool->connections, machine->arena);
}

const struct xds_connection *
xds_subchannel_pool_find(const struct xds_subchannel_pool *pool, struct xds_slice address)
{
    const struct xds_connection *connection = xds_strmap_get(&pool->connections, address);

    return connection && connection->n_held ? connection : NULL;
}

bool xds_subchannel_pool_set(struct xds_subchannel_pool *pool, struct xds_slice address,
                             enum xds_connectivity state)
{
    if (!xds_subchannel_pool_find(pool, address))
        return false;
    struct xds_connection *connection = connection_of(pool, address);

    connection->state = state;
    /* A holder that is notified may release subchannels, or create some: those are in
     * front or in a place that was free, and know the state. */
    for (struct xds_subchannel *s = connection->subchannels; s; s = s->next) {
        if (!s->held || s->state == state)
            continue;
        s->state = state;
        if (s->changed)
            s->changed(s);
    }
    return true;
}
