/*
 * override_host.c - the static answer of xds_override_host.
 *
 * States: READY, IDLE, CONNECTING, TRANSIENT_FAILURE of a subchannel, or no subchannel:
 *         assumed for the priority in use (lb/assumptions.c), none elsewhere.
 * Source: gRFC A55, A61, A75, spec routing 8.3, 8.4 and 8.6.
 */
#include "lb/lb.h"

#include "clients/readers.h"
#include "lb/policy.h"

/* One entry of the address map. */
struct entry {
    const struct xds_endpoint *endpoint;
    const struct xds_locality *locality;
    size_t address;
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

/* ---- states ---- */

struct view {
    const struct xds_lb *lb;
    const struct xds_cluster *cluster;
    const struct xds_endpoints *endpoints;
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
    return xds_differs(v->lb->rpc->options, v->lb->rpc->client,
                       XDS_DIFF_OVERRIDE_HOST_A55) &&
           e->endpoint->health == XDS_HEALTH_DRAINING;
}

static struct xds_override_candidate look_at(const struct view *v, const struct entry *e)
{
    const enum xds_health health = e->endpoint->health;
    struct xds_override_candidate s = {
        .usable = xds_override_admits(v->cluster->override_host_status, health),
        .state = v->lb->live ? XDS_STATE_IDLE : XDS_STATE_READY,
    };
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

/* ---- choice ---- */

static void consider(const struct view *v, struct xds_override_choice *choice,
                     struct entry *e)
{
    const struct xds_override_candidate candidate = look_at(v, e);

    xds_override_consider(choice, e, &candidate);
}

/* A61, A75: all addresses of the cookie. */
static void choose_from_list(const struct view *v, const struct xds_cookie *cookie,
                             struct xds_override_choice *choice)
{
    for (size_t i = 0; i < cookie->n_addresses; i++) {
        struct entry *e = xds_strmap_get(v->map, cookie->addresses[i]);
        if (e)
            consider(v, choice, e);
    }
}

/* A55: one address and the others of its endpoint, in the priority in use. */
static void choose_equivalent(const struct view *v, const struct xds_cookie *cookie,
                              struct xds_override_choice *choice)
{
    const struct entry *e =
        cookie->n_addresses ? xds_strmap_get(v->map, cookie->addresses[0]) : NULL;

    if (!e || !in_use(v, e))
        return;
    for (size_t k = 0; k < e->endpoint->n_addresses; k++) {
        const size_t i = k == 0 ? e->address : k <= e->address ? k - 1 : k;
        struct entry *other = XDS_NEW(v->lb->rpc->arena, struct entry);

        *other = (struct entry){e->endpoint, e->locality, i};
        consider(v, choice, other);
    }
}

static struct xds_override_choice choose(const struct view *v,
                                         const struct xds_cookie *cookie)
{
    const enum xds_override_generation generation =
        xds_override_generation_of(v->lb->rpc->client);
    struct xds_override_choice choice = xds_override_choice_start(generation);

    if (generation == XDS_OVERRIDE_A55)
        choose_equivalent(v, cookie, &choice);
    else
        choose_from_list(v, cookie, &choice);
    return choice;
}

/* ---- reasons ---- */

static const char *health_clause(enum xds_health health)
{
    static const char *const clauses[] = {
        [XDS_HEALTH_UNKNOWN] = "has the status UNKNOWN",
        [XDS_HEALTH_HEALTHY] = "has the status HEALTHY",
        [XDS_HEALTH_UNHEALTHY] = "is UNHEALTHY",
        [XDS_HEALTH_DRAINING] = "is DRAINING",
        [XDS_HEALTH_TIMEOUT] = "has the status TIMEOUT",
        [XDS_HEALTH_DEGRADED] = "has the status DEGRADED",
        [XDS_HEALTHS] = "has an unknown status",
    };
    return clauses[health];
}

/* Only these three can be listed in override_host_status. */
static bool may_be_allowed(enum xds_health health)
{
    return health == XDS_HEALTH_UNKNOWN || health == XDS_HEALTH_HEALTHY ||
           health == XDS_HEALTH_DRAINING;
}

static struct xds_slice status_reason(const struct view *v, const struct entry *e,
                                      struct xds_slice address)
{
    const enum xds_health health = e->endpoint->health;

    return xds_arena_printf(
        v->lb->rpc->arena, "%.*s %s%s", XDS_FMT(address), health_clause(health),
        may_be_allowed(health) ? ", and override_host_status of the cluster excludes "
                                 "such hosts from sessions"
                               : ", so no RPC goes there");
}

/* In a locality without weight, which no client keeps. */
static bool is_weightless(const struct xds_endpoints *endpoints, struct xds_slice address)
{
    for (size_t i = 0; i < endpoints->n_weightless; i++)
        for (size_t k = 0; k < endpoints->weightless[i].n_endpoints; k++) {
            const struct xds_endpoint *e = &endpoints->weightless[i].endpoints[k];
            for (size_t a = 0; a < e->n_addresses; a++)
                if (xds_slice_eq(e->addresses[a], address))
                    return true;
        }
    return false;
}

/* No endpoint has the first address, or none that the client looks for. */
static struct xds_slice unknown_reason(const struct view *v,
                                       const struct xds_cookie *cookie)
{
    struct xds_arena *arena = v->lb->rpc->arena;
    const struct entry *e = xds_strmap_get(v->map, cookie->addresses[0]);
    /* What is in a cookie can be anything. */
    const struct xds_slice address =
        e ? cookie->addresses[0] : xds_excerpt(arena, cookie->addresses[0]);

    if (e) /* A55 only */
        return xds_arena_printf(arena,
                                "%.*s is in priority %u, which is not in use; affinity "
                                "does not go beyond the priority in use",
                                XDS_FMT(address), e->locality->priority);
    if (cookie->n_addresses > 1)
        return XDS_S("no endpoint of the cluster has any of these addresses");
    if (is_weightless(v->endpoints, cookie->addresses[0]))
        return xds_arena_printf(
            arena,
            "%.*s is in a locality without load_balancing_weight, which is skipped",
            XDS_FMT(address));
    return xds_arena_printf(arena,
                            xds_is_ip_port(cookie->addresses[0])
                                ? "no endpoint of the cluster has the address %.*s"
                                : "%.*s is not of the form IP:port, and no endpoint of "
                                  "the cluster has such an address",
                            XDS_FMT(address));
}

static struct xds_slice failure_reason(const struct view *v,
                                       const struct xds_override_choice *c,
                                       const struct xds_cookie *cookie)
{
    const struct entry *e = c->worst;
    struct xds_arena *arena = v->lb->rpc->arena;

    if (e && c->code == XDS_SESSION_STATUS)
        return status_reason(v, e, e->endpoint->addresses[e->address]);
    if (e && c->code == XDS_SESSION_TRANSIENT_FAILURE)
        return xds_arena_printf(arena, "the connection to %.*s fails",
                                XDS_FMT(e->endpoint->addresses[e->address]));
    if (c->unconnected)
        return xds_arena_printf(
            arena, "%.*s has no connection, and gRFC A55 makes none for a session",
            XDS_FMT(cookie->addresses[0]));
    return unknown_reason(v, cookie);
}

static const char *connection_clause(const struct xds_override_choice *c)
{
    switch (c->rank) {
    case XDS_RANK_READY:
        return "is used";
    case XDS_RANK_IDLE:
        return "is used; it is idle and is asked to connect";
    case XDS_RANK_CONNECTING:
        return "is used; it is connecting";
    case XDS_RANK_NONE:
        return "is used; it has no connection yet";
    case XDS_RANK_UNUSABLE:
        break;
    }
    return "is not used";
}

static struct xds_slice success_reason(const struct view *v,
                                       const struct xds_override_choice *c,
                                       const struct xds_cookie *cookie)
{
    const struct entry *e = c->best;
    const struct xds_slice used = e->endpoint->addresses[e->address];
    const bool named = xds_slice_eq(used, cookie->addresses[0]);

    if (cookie->n_addresses == 1 && named)
        return xds_arena_printf(v->lb->rpc->arena, "the host %s", connection_clause(c));
    return xds_arena_printf(v->lb->rpc->arena,
                            cookie->n_addresses == 1
                                ? "%.*s, another address of the same endpoint, %s"
                                : "of these %.*s %s",
                            XDS_FMT(used), connection_clause(c));
}

struct xds_override_pick xds_override_host_pick(const struct xds_lb *lb,
                                                const struct xds_cluster *cluster,
                                                const struct xds_endpoints *endpoints,
                                                const struct xds_candidates *active,
                                                const struct xds_cookie *cookie)
{
    const struct view v = {lb, cluster, endpoints, active, map_of(lb, endpoints)};
    const struct xds_override_choice c = choose(&v, cookie);
    const struct entry *e = c.best;

    if (!e)
        return (struct xds_override_pick){.code = c.code,
                                          .reason = failure_reason(&v, &c, cookie)};
    return (struct xds_override_pick){
        .found = true,
        .host = {e->endpoint, e->locality, e->address, c.candidate.state, 1,
                 XDS_SHARE_ALL},
        .waits = c.rank != XDS_RANK_READY,
        .code = XDS_SESSION_OVERRIDE,
        .reason = success_reason(&v, &c, cookie),
    };
}
