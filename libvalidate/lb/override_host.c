/*
 * override_host.c - the static answer of xds_override_host.
 *
 * Takes:  the addresses of a cookie in their order, the endpoints of one leaf cluster and
 *         the priority in use.
 * Gives:  the host that the cookie leads to, or the code that says why none.
 * States: READY, IDLE, CONNECTING, TRANSIENT_FAILURE of a subchannel, or no subchannel:
 *         assumed for the priority in use (lb/world.c), none elsewhere.
 * Source: gRFC A55, A61, A75, spec routing 8.2 to 8.4 and 8.6.
 */
#include "lb/override_host.h"

/* One entry of the address map. */
struct entry {
    const struct xds_endpoint *endpoint;
    const struct xds_locality *locality;
    size_t address;
};

/* What is known of one cookie address. */
struct sight {
    const struct entry *entry; /* NULL: no endpoint has the address */
    bool usable;               /* its health is in the set */
    bool has_subchannel;
    enum xds_connectivity state;
};

static void map_endpoint(struct xds_strmap *map, struct xds_arena *arena,
                         const struct xds_locality *locality,
                         const struct xds_endpoint *endpoint)
{
    struct entry *entries = XDS_NEW_ARRAY(arena, struct entry, endpoint->n_addresses);

    for (size_t i = 0; i < endpoint->n_addresses; i++) {
        void **slot = xds_strmap_at(map, endpoint->addresses[i]);

        entries[i] = (struct entry){endpoint, locality, i};
        if (!*slot) /* an address listed twice: the first counts */
            *slot = &entries[i];
    }
}

static struct xds_strmap *map_addresses(struct xds_arena *arena,
                                        const struct xds_endpoints *endpoints)
{
    struct xds_strmap *map = XDS_NEW(arena, struct xds_strmap);

    xds_strmap_init(map, arena);
    for (size_t i = 0; i < endpoints->n_localities; i++) {
        const struct xds_locality *locality = &endpoints->localities[i];
        for (size_t k = 0; k < locality->n_endpoints; k++)
            map_endpoint(map, arena, locality, &locality->endpoints[k]);
    }
    return map;
}

/* The map of A75 has all priorities of the leaf; it is made once per resource. */
static const struct xds_strmap *map_of(const struct xds_lb *lb,
                                       const struct xds_endpoints *endpoints)
{
    const struct xds_slice key = {(const char *)&endpoints, sizeof(endpoints)};

    if (!lb->memory)
        return map_addresses(lb->rpc->arena, endpoints);
    void **slot = xds_strmap_at(&lb->memory->maps, key);
    if (!*slot)
        *slot = map_addresses(&lb->memory->arena, endpoints);
    return *slot;
}

/* ---- states ----------------------------------------------------------------------- */

struct view {
    const struct xds_lb *lb;
    const struct xds_cluster *cluster;
    const struct xds_candidates *active;
    const struct xds_strmap *map;
};

static bool in_use(const struct view *v, const struct entry *e)
{
    return v->active && e->locality->priority == v->active->priority;
}

/* A55 keeps the connections of DRAINING endpoints and never makes new ones. */
static bool keeps_draining(const struct view *v, const struct entry *e)
{
    return v->lb->rpc->client == XDS_CLIENT_GRFC &&
           e->endpoint->health == XDS_HEALTH_DRAINING;
}

static struct sight look_at(const struct view *v, const struct entry *e)
{
    struct sight s = {.entry = e, .state = XDS_STATE_READY};
    const enum xds_health health = e->endpoint->health;

    s.usable = (health == XDS_HEALTH_DRAINING || xds_endpoint_usable(e->endpoint)) &&
               (v->cluster->override_host_status & XDS_HEALTH_BIT(health));
    const struct xds_slice address = e->endpoint->addresses[e->address];
    const struct xds_live *live = v->lb->live;

    if (live) {
        s.has_subchannel =
            live->subchannel(live->user, v->cluster->name, address, &s.state);
    } else if (xds_lb_assumes(v->lb, address, &s.state)) {
        s.has_subchannel = true;
    } else if (in_use(v, e) &&
               (xds_endpoint_usable(e->endpoint) || keeps_draining(v, e))) {
        s.has_subchannel = xds_lb_connection(v->lb, e->endpoint, &s.state) == e->address;
    }
    return s;
}

/* ---- choice ----------------------------------------------------------------------- */

/* Better first: gRFC A75's picker goes through the whole list once per kind. */
enum rank { RANK_READY, RANK_IDLE, RANK_CONNECTING, RANK_NONE, RANK_UNUSABLE };

static enum rank rank_of(const struct sight *s)
{
    if (!s->entry || !s->usable)
        return RANK_UNUSABLE;
    if (!s->has_subchannel)
        return RANK_NONE;
    switch (s->state) {
    case XDS_STATE_READY:
        return RANK_READY;
    case XDS_STATE_IDLE:
        return RANK_IDLE;
    case XDS_STATE_CONNECTING:
        return RANK_CONNECTING;
    case XDS_STATE_TRANSIENT_FAILURE:
        return RANK_UNUSABLE;
    }
    return RANK_UNUSABLE;
}

/* Why an address is of no use, the most telling reason of the list: its order is that of
 * the checks. */
static enum xds_session_code code_of(const struct sight *s)
{
    if (!s->entry)
        return XDS_SESSION_UNKNOWN_HOST;
    return s->usable ? XDS_SESSION_TRANSIENT_FAILURE : XDS_SESSION_STATUS;
}

struct choice {
    struct sight best;
    enum rank rank;
    enum xds_session_code code; /* when nothing is found */
};

static void consider(struct choice *c, const struct sight *s, bool last_idle)
{
    const enum rank rank = rank_of(s);

    if (rank < c->rank || (last_idle && rank == RANK_IDLE && c->rank == RANK_IDLE)) {
        c->best = *s;
        c->rank = rank;
    }
    if (code_of(s) > c->code)
        c->code = code_of(s);
}

/* A61, A75: all addresses of the cookie. */
static struct choice choose_from_list(const struct view *v,
                                      const struct xds_cookie *cookie)
{
    struct choice c = {.rank = RANK_UNUSABLE, .code = XDS_SESSION_UNKNOWN_HOST};

    for (size_t i = 0; i < cookie->n_addresses; i++) {
        const struct entry *e = xds_strmap_get(v->map, cookie->addresses[i]);
        const struct sight s = e ? look_at(v, e) : (struct sight){.entry = NULL};
        consider(&c, &s, false);
    }
    return c;
}

/* A55: one address and the others of its endpoint, in the priority in use, with a
 * subchannel; of several IDLE ones the last. */
static struct choice choose_equivalent(const struct view *v,
                                       const struct xds_cookie *cookie)
{
    struct choice c = {.rank = RANK_UNUSABLE, .code = XDS_SESSION_UNKNOWN_HOST};
    const struct entry *e =
        cookie->n_addresses ? xds_strmap_get(v->map, cookie->addresses[0]) : NULL;

    if (!e || !in_use(v, e))
        return c;
    for (size_t k = 0; k < e->endpoint->n_addresses; k++) {
        const size_t i = k == 0 ? e->address : k <= e->address ? k - 1 : k;
        struct entry *other = XDS_NEW(v->lb->rpc->arena, struct entry);

        *other = (struct entry){e->endpoint, e->locality, i};
        const struct sight s = look_at(v, other);
        if (s.has_subchannel || !s.usable)
            consider(&c, &s, true);
    }
    return c;
}

/* ---- reasons ---------------------------------------------------------------------- */

static struct xds_slice failure_reason(enum xds_session_code code)
{
    if (code == XDS_SESSION_STATUS)
        return XDS_S("the health status of the cookie's host excludes it from overrides");
    if (code == XDS_SESSION_TRANSIENT_FAILURE)
        return XDS_S("the connection to the cookie's host fails");
    return XDS_S("no endpoint of the cluster has an address of the cookie");
}

static struct xds_slice success_reason(const struct sight *s)
{
    if (!s->has_subchannel)
        return XDS_S("the cookie names the host; the RPC waits for a connection to it");
    switch (s->state) {
    case XDS_STATE_READY:
        return XDS_S("the cookie names the host");
    case XDS_STATE_IDLE:
        return XDS_S("the cookie names the host; it is idle and is told to connect");
    case XDS_STATE_CONNECTING:
        return XDS_S("the cookie names the host; the RPC waits while it connects");
    case XDS_STATE_TRANSIENT_FAILURE:
        break;
    }
    return XDS_S("the cookie names the host");
}

struct xds_override_pick xds_override_host_pick(const struct xds_lb *lb,
                                                const struct xds_cluster *cluster,
                                                const struct xds_endpoints *endpoints,
                                                const struct xds_candidates *active,
                                                const struct xds_cookie *cookie)
{
    const struct view v = {lb, cluster, active, map_of(lb, endpoints)};
    const struct choice c = lb->rpc->client == XDS_CLIENT_GRFC
                                ? choose_equivalent(&v, cookie)
                                : choose_from_list(&v, cookie);
    if (c.rank == RANK_UNUSABLE)
        return (struct xds_override_pick){.code = c.code,
                                          .reason = failure_reason(c.code)};
    const struct entry *e = c.best.entry;
    return (struct xds_override_pick){
        .found = true,
        .host = {e->endpoint, e->locality, e->address, c.best.state, 1, XDS_SHARE_ALL},
        .waits = c.rank != RANK_READY,
        .code = XDS_SESSION_OVERRIDE,
        .reason = success_reason(&c.best),
    };
}
