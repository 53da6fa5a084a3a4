/*
 * override_pick.c - what xds_override_host makes of the cookie of an RPC: the host, and
 *                   the reason in words. policy/override_host.c decides.
 *
 * Source: gRFC A55, A61, A75, spec routing 8.3, 8.4 and 8.6.
 */
#include "lb/tree.h"

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

struct view {
    const struct xds_lb *lb;
    const struct xds_endpoints *endpoints;
    const struct xds_strmap *map;
};

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

static struct xds_slice status_reason(const struct view *v, struct xds_slice address,
                                      enum xds_health health)
{
    /* Only these three can be listed in override_host_status. */
    return xds_arena_printf(v->lb->rpc->arena, "%.*s %s%s", XDS_FMT(address),
                            health_clause(health),
                            xds_health_serves(health) || health == XDS_HEALTH_DRAINING
                                ? ", and override_host_status of the cluster excludes "
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

/* Another leaf of the aggregate that has one of the addresses, or NULL. */
static const struct xds_leaf *leaf_with(const struct view *v,
                                        const struct xds_tree_root *root,
                                        const struct xds_cookie *cookie,
                                        struct xds_slice *address)
{
    struct xds_slice why;

    for (size_t i = 0; root && root->is_aggregate && i < root->n_leaves; i++) {
        const struct xds_leaf *leaf = &root->leaves[i]->leaf;
        const struct xds_endpoints *endpoints =
            leaf->cluster ? xds_leaf_endpoints(v->lb, leaf, &why) : NULL;
        const struct xds_strmap *map = endpoints ? map_of(v->lb, endpoints) : NULL;

        for (size_t k = 0; map && k < cookie->n_addresses; k++) {
            *address = cookie->addresses[k];
            if (xds_strmap_get(map, *address))
                return leaf;
        }
    }
    return NULL;
}

/* No endpoint has the first address, or none that the client looks for. */
static struct xds_slice unknown_reason(const struct view *v, const struct xds_failover *f,
                                       const struct xds_cookie *cookie)
{
    struct xds_arena *arena = v->lb->rpc->arena;
    struct xds_slice found;
    const struct xds_leaf *other = leaf_with(v, f->root, cookie, &found);
    const struct entry *e = xds_strmap_get(v->map, cookie->addresses[0]);
    /* What is in a cookie can be anything. */
    const struct xds_slice address =
        e ? cookie->addresses[0] : xds_excerpt(arena, cookie->addresses[0]);

    if (cookie->n_usable == 0)
        return XDS_S("the address in the cookie is no URI such as ipv4:10.0.0.1:80, the "
                     "form of this release");
    if (e) /* A55 only */
        return xds_arena_printf(arena,
                                "%.*s is in priority %u, which is not in use; affinity "
                                "does not go beyond the priority in use",
                                XDS_FMT(address), e->locality->priority);
    if (other)
        return xds_arena_printf(arena,
                                "%.*s is in cluster %.*s, which is not in use; "
                                "affinity does not go beyond the cluster in use",
                                XDS_FMT(found), XDS_FMT(xds_excerpt(arena, other->name)));
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

static struct xds_slice failure_reason(const struct view *v, const struct xds_failover *f,
                                       const struct xds_override_choice *c,
                                       const struct xds_cookie *cookie)
{
    struct xds_arena *arena = v->lb->rpc->arena;

    if (c->why == XDS_OVERRIDE_STATUS)
        return status_reason(v, c->worst->address, c->health);
    if (c->why == XDS_OVERRIDE_FAILING)
        return xds_arena_printf(arena, "the connection to %.*s fails",
                                XDS_FMT(c->worst->address));
    if (c->why == XDS_OVERRIDE_UNCONNECTED)
        return xds_arena_printf(
            arena, "%.*s has no connection, and gRFC A55 makes none for a session",
            XDS_FMT(cookie->addresses[0]));
    return unknown_reason(v, f, cookie);
}

/* What becomes of a session at its host: in a sentence on the cookie, and on the host. */
static const struct {
    const char *of_cookie, *of_host;
} used_words[] = {
    [XDS_RANK_READY] = {"the cookie names the host", "is used"},
    [XDS_RANK_IDLE] = {"the cookie names the host; it is idle and is asked to connect",
                       "is used; it is idle and is asked to connect"},
    [XDS_RANK_CONNECTING] = {"the cookie names the host; the RPC waits while it connects",
                             "is used; it is connecting"},
    [XDS_RANK_NONE] = {"the cookie names the host; the RPC waits for a connection to it",
                       "is used; it has no connection yet"},
    [XDS_RANK_UNUSABLE] = {"", "is not used"},
};

struct xds_slice xds_override_words(const struct xds_override_choice *choice)
{
    static const char *const words[] = {
        [XDS_OVERRIDE_UNKNOWN] =
            "no endpoint of the cluster has an address of the cookie",
        [XDS_OVERRIDE_UNCONNECTED] =
            "the cookie's host has no connection, and A55 makes none for it",
        [XDS_OVERRIDE_FAILING] = "the connection to the cookie's host fails",
        [XDS_OVERRIDE_STATUS] =
            "the health status of the cookie's host excludes it from overrides",
        [XDS_OVERRIDE_NO_COOKIE] = "the RPC has no cookie that names a host",
        [XDS_OVERRIDE_NO_SESSION] = "the RPC has no session",
    };

    return xds_slice_of(choice->why == XDS_OVERRIDE_USED
                            ? used_words[choice->rank].of_cookie
                            : words[choice->why]);
}

static struct xds_slice success_reason(const struct view *v,
                                       const struct xds_override_choice *c,
                                       const struct xds_cookie *cookie)
{
    const struct xds_slice used = c->best->address;
    const bool named = xds_slice_eq(used, cookie->addresses[0]);
    const char *clause = used_words[c->rank].of_host;

    if (cookie->n_addresses == 1 && named)
        return xds_arena_printf(v->lb->rpc->arena, "the host %s", clause);
    return xds_arena_printf(v->lb->rpc->arena,
                            cookie->n_addresses == 1
                                ? "%.*s, another address of the same endpoint, %s"
                                : "of these %.*s %s",
                            XDS_FMT(used), clause);
}

/* A75: above the priorities. A55: below the one in use, whose picker it is. */
static const struct xds_override_host *policy_of(const struct xds_failover *f)
{
    if (f->leaf->override)
        return f->leaf->override;
    return f->used ? f->used->override : NULL;
}

static enum xds_session_code code_of(enum xds_override_why why)
{
    if (why == XDS_OVERRIDE_USED)
        return XDS_SESSION_OVERRIDE;
    if (why == XDS_OVERRIDE_STATUS)
        return XDS_SESSION_STATUS;
    return why == XDS_OVERRIDE_FAILING ? XDS_SESSION_TRANSIENT_FAILURE
                                       : XDS_SESSION_UNKNOWN_HOST;
}

/* Does the client die of the session? Where a connection is assumed it may have none: for
 * a host that drains, and where ring_hash connects to what it has picked. */
static void note_danger(const struct view *v, const struct xds_failover *f,
                        const struct xds_override_choice *c, enum xds_health health,
                        struct xds_pick *out)
{
    for (size_t i = 0; i < XDS_SESSION_DANGERS; i++) {
        const struct xds_session_danger *danger = &xds_session_dangers[i];

        if (!(danger->states & XDS_HEALTH_BIT(health)) ||
            (danger->not_with_lrs && f->leaf->leaf.cluster->reports_load) ||
            !XDS_DIFFERS(v->lb->rpc, danger->difference))
            continue;
        out->kills = c->rank == XDS_RANK_NONE;
        out->may_kill = !out->kills && (health == XDS_HEALTH_DRAINING ||
                                        f->policy->kind == XDS_LB_RING_HASH);
    }
}

bool xds_override_host_pick(const struct xds_lb *lb, const struct xds_failover *f,
                            const struct xds_cookie *cookie, struct xds_pick *out)
{
    const struct view v = {lb, f->endpoints, map_of(lb, f->endpoints)};
    const struct xds_pick_call call = {.has_override = true,
                                       .overridden = cookie->addresses,
                                       .n_overridden = cookie->n_usable};
    const struct xds_override_host *policy = policy_of(f);
    struct xds_override_choice c =
        policy ? xds_override_host_choose(policy, &call) : XDS_OVERRIDE_NOTHING;
    const struct entry *e = c.best ? xds_strmap_get(v.map, c.best->address) : NULL;

    if (c.best && !e) /* A55 knows an address that no endpoint has any more */
        c.why = XDS_OVERRIDE_UNKNOWN;
    out->affinity_tried = true;
    out->affinity = code_of(c.why);
    out->affinity_reason =
        e ? success_reason(&v, &c, cookie) : failure_reason(&v, f, &c, cookie);
    out->affinity_out_of_reach = out->affinity == XDS_SESSION_UNKNOWN_HOST &&
                                 xds_strmap_get(v.map, cookie->addresses[0]) != NULL;
    if (!e)
        return false;
    note_danger(&v, f, &c, e->endpoint->health, out);
    const enum xds_connectivity unconnected = lb->live ? XDS_STATE_IDLE : XDS_STATE_READY;
    struct xds_host *host = XDS_NEW(lb->rpc->arena, struct xds_host);

    *host =
        (struct xds_host){.endpoint = e->endpoint,
                          .locality = e->locality,
                          .address = e->address,
                          .state = c.rank == XDS_RANK_NONE ? unconnected : c.best->state};
    xds_host_give(host, XDS_SHARE_ALL);
    out->host = out->hosts = host;
    out->n_hosts = 1;
    out->why = XDS_HOST_OVERRIDE;
    out->waits = c.rank != XDS_RANK_READY;
    out->has_priority = true;
    out->priority = host->locality->priority;
    return true;
}
