/*
 * policy.c - what all LB policies have in common: reporting upwards; subchannels.
 *
 * States: a connection is IDLE when the first subchannel takes hold and again when the
 *         last one has let go; otherwise as given, any may follow any.
 * Source: gRPC's LoadBalancingPolicy and global subchannel pool; gRFC A56, A61.
 */
#include "lb/policy.h"

void xds_machine_init(struct xds_machine *machine, struct xds_arena *arena,
                      struct xds_arena *step_arena, const struct xds_options *options,
                      enum xds_client client)
{
    *machine = (struct xds_machine){
        .arena = arena, .step_arena = step_arena, .options = options, .client = client};
    xds_clock_init(&machine->clock, arena);
    machine->clock.as_set = XDS_DIFFERS(machine, XDS_DIFF_TIMERS_AS_SET);
}

void xds_machine_say(const struct xds_machine *machine, struct xds_slice who,
                     const char *format, ...)
{
    va_list args;

    if (!machine->log.line)
        return;
    va_start(args, format);
    const struct xds_slice what = xds_arena_vprintf(machine->step_arena, format, args);

    va_end(args);
    machine->log.line(machine->log.user, who, what);
}

void xds_policy_report(struct xds_policy *self, struct xds_lb_report report)
{
    self->report = report;
    self->n_reports++;
    if (self->parent && self->parent->ops->child_report)
        self->parent->ops->child_report(self->parent, self);
}

void xds_policy_publish(struct xds_policy *self, struct xds_lb_report report)
{
    if (report.state != self->report.state || self->n_reports == 0)
        xds_machine_say(self->machine, self->name, "is %s",
                        xds_connectivity_name(report.state));
    xds_policy_report(self, report);
}

void xds_policy_reresolve(struct xds_policy *self)
{
    struct xds_policy *parent = self->parent;

    if (!parent)
        return;
    if (parent->ops->reresolution)
        parent->ops->reresolution(parent, self);
    else
        xds_policy_reresolve(parent);
}

void xds_pick_shares_room(struct xds_pick_shares *shares, size_t n)
{
    shares->list = XDS_NEW_ARRAY(shares->arena, struct xds_pick_share, n);
    shares->cap = n;
}

void xds_pick_shares_add(struct xds_pick_shares *shares, struct xds_slice address,
                         enum xds_connectivity state, struct xds_share share)
{
    shares->list = xds_arena_room(shares->arena, shares->list, shares->n, &shares->cap,
                                  sizeof *shares->list);
    shares->list[shares->n++] =
        (struct xds_pick_share){.address = address, .state = state, .share = share};
}

struct xds_ring_use *xds_pick_shares_ring(struct xds_pick_shares *shares,
                                          const struct xds_ring_use *use)
{
    shares->rings = xds_arena_room(shares->arena, shares->rings, shares->n_rings,
                                   &shares->cap_rings, sizeof *shares->rings);
    shares->rings[shares->n_rings] = *use;
    return &shares->rings[shares->n_rings++];
}

struct xds_pick_result xds_policy_pick(struct xds_policy *self,
                                       const struct xds_pick_call *call)
{
    if (!self->report.has_picker)
        return xds_pick_why(XDS_PICK_QUEUE, XDS_S("there is no picker yet"));
    return self->ops->pick(self, call);
}

void xds_policy_exit_idle(struct xds_policy *self)
{
    if (self->ops->exit_idle)
        self->ops->exit_idle(self);
}

void xds_policy_resolver_error(struct xds_policy *self, struct xds_slice status)
{
    if (self->ops->resolver_error)
        self->ops->resolver_error(self, status);
}

void xds_policy_fail(struct xds_policy *self, struct xds_slice status)
{
    xds_policy_report(self, (struct xds_lb_report){.state = XDS_STATE_TRANSIENT_FAILURE,
                                                   .has_picker = true,
                                                   .picker = self->name,
                                                   .status = status});
}

void xds_policy_fail_unless_ready(struct xds_policy *self, struct xds_slice status)
{
    if (self->report.state != XDS_STATE_READY)
        xds_policy_fail(self, status);
}

void xds_policy_destroy(void *user, struct xds_policy *policy)
{
    (void)user;
    policy->ops->destroy(policy);
}

static struct xds_connection *new_connection(struct xds_subchannel_pool *pool,
                                             struct xds_slice address)
{
    struct xds_arena *arena = pool->machine->arena;
    struct xds_connection *connection = XDS_NEW(arena, struct xds_connection);

    connection->address = xds_arena_dup(arena, address);
    connection->state = XDS_STATE_IDLE;
    return connection;
}

/* The one to the address, or one that is not shared: it is free and goes to the end of
 * the list, or a new one. */
static struct xds_connection *connection_to(struct xds_subchannel_pool *pool,
                                            struct xds_slice address)
{
    void **slot = xds_strmap_at(&pool->connections, address);
    struct xds_connection *first = *slot, **at = &first;

    if (first && !XDS_DIFFERS(pool->machine, XDS_DIFF_SUBCHANNELS_NOT_SHARED))
        return first;
    while (*at && (*at)->n_held > 0)
        at = &(*at)->next;
    struct xds_connection *connection = *at;

    if (connection)
        *at = connection->next;
    else
        connection = new_connection(pool, address);
    connection->next = NULL;
    while (*at)
        at = &(*at)->next;
    *at = connection;
    *slot = first;
    return connection;
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
    struct xds_connection *connection = connection_to(pool, address);
    struct xds_subchannel *subchannel = place_in(pool, connection);

    if (pool->machine->at_rest && connection->n_held == 0) {
        /* Of which nothing is assumed can be reached. */
        enum xds_connectivity state = XDS_STATE_READY;

        pool->maker.assumed(pool, connection->address, &state);
        connection->state =
            state == XDS_STATE_IDLE && !connection->rested ? XDS_STATE_READY : state;
    }
    *subchannel = (struct xds_subchannel){.address = connection->address,
                                          .connection = connection,
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
    subchannel->connection->asked = true;
    if (pool->asked)
        pool->asked(pool->user, subchannel->connection);
}

static void release(void *user, struct xds_subchannel *subchannel)
{
    struct xds_connection *connection = subchannel->connection;

    (void)user;
    subchannel->held = false;
    if (--connection->n_held > 0)
        return;
    connection->state = XDS_STATE_IDLE;
    connection->asked = false;
}

void xds_subchannel_pool_init(struct xds_subchannel_pool *pool,
                              struct xds_machine *machine)
{
    *pool = (struct xds_subchannel_pool){.machine = machine,
                                         .maker = {pool, create, connect, release, NULL}};
    xds_strmap_init(&pool->connections, machine->arena);
}

const struct xds_connection *
xds_subchannel_pool_find(const struct xds_subchannel_pool *pool, struct xds_slice address)
{
    const struct xds_connection *best = NULL;

    for (const struct xds_connection *c = xds_strmap_get(&pool->connections, address); c;
         c = c->next)
        if (c->n_held > 0 && (!best || c->state > best->state))
            best = c;
    return best;
}

void xds_connection_set(struct xds_connection *connection, enum xds_connectivity state)
{
    connection->state = state;
    connection->asked = false;
    /* A holder that is notified may release subchannels, or create some: those are in
     * front or in a place that was free, and know the state. */
    for (struct xds_subchannel *s = connection->subchannels; s; s = s->next) {
        if (!s->held || s->state == state)
            continue;
        s->state = state;
        if (s->changed)
            s->changed(s);
    }
}

static bool may_follow(enum xds_connectivity from, enum xds_connectivity to)
{
    switch (from) {
    case XDS_STATE_IDLE:
        return to == XDS_STATE_CONNECTING;
    case XDS_STATE_CONNECTING:
        return to != XDS_STATE_CONNECTING;
    case XDS_STATE_READY:
        return to == XDS_STATE_IDLE;
    case XDS_STATE_TRANSIENT_FAILURE:
        return to == XDS_STATE_IDLE || to == XDS_STATE_CONNECTING;
    }
    return false;
}

/* Those that are to change are listed first: a holder that is notified may make others.
 */
bool xds_subchannel_pool_set(struct xds_subchannel_pool *pool, struct xds_slice address,
                             enum xds_connectivity state)
{
    struct xds_connection *first = xds_strmap_get(&pool->connections, address);
    struct xds_connection **list;
    size_t n_held = 0, n = 0;

    for (const struct xds_connection *c = first; c; c = c->next)
        n_held += c->n_held > 0;
    list = XDS_NEW_ARRAY(pool->machine->step_arena, struct xds_connection *, n_held);
    for (struct xds_connection *c = first; c; c = c->next)
        if (c->n_held > 0 && (n_held == 1 || may_follow(c->state, state)))
            list[n++] = c;
    for (size_t i = 0; i < n; i++)
        if (list[i]->n_held > 0)
            xds_connection_set(list[i], state);
    return n_held > 0;
}
