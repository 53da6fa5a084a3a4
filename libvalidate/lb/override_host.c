/*
 * override_host.c - the static answer of xds_override_host.
 *
 * Takes:  the addresses of a cookie in their order, the endpoints of one leaf cluster and
 *         the priority in use.
 * Gives:  the host that the cookie leads to, or the code that says why none.
 * States: READY, IDLE, CONNECTING, TRANSIENT_FAILURE of a subchannel, or no subchannel:
 *         assumed for the priority in use (lb/world.c), none elsewhere.
 * Source: gRFC A55, A61, A75, spec routing 8.3, 8.4 and 8.6.
 */
#include "lb/override_host.h"

#include "lb/override_choice.h"

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

static struct xds_override_sight look_at(const struct view *v, const struct entry *e)
{
    const enum xds_health health = e->endpoint->health;
    struct xds_override_sight s = {
        .usable = xds_override_admits(v->cluster->override_host_status, health),
        .state = XDS_STATE_READY,
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

/* ---- choice ----------------------------------------------------------------------- */

static void consider(const struct view *v, struct xds_override_choice *choice,
                     struct entry *e)
{
    const struct xds_override_sight sight = look_at(v, e);

    xds_override_consider(choice, e, &sight);
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

struct xds_override_pick xds_override_host_pick(const struct xds_lb *lb,
                                                const struct xds_cluster *cluster,
                                                const struct xds_endpoints *endpoints,
                                                const struct xds_candidates *active,
                                                const struct xds_cookie *cookie)
{
    const struct view v = {lb, cluster, active, map_of(lb, endpoints)};
    const struct xds_override_choice c = choose(&v, cookie);
    const struct entry *e = c.best;

    if (!e)
        return (struct xds_override_pick){.code = c.code,
                                          .reason = xds_override_reason(&c)};
    return (struct xds_override_pick){
        .found = true,
        .host = {e->endpoint, e->locality, e->address, c.sight.state, 1, XDS_SHARE_ALL},
        .waits = c.rank != XDS_RANK_READY,
        .code = XDS_SESSION_OVERRIDE,
        .reason = xds_override_reason(&c),
    };
}
