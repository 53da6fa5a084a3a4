/*
 * observe_reason.c - put causes and obstacles of an observed address into words.
 *
 * Source: spec routing 5.10, 7.5, 9.6 and 10.
 */
#include "explain/observe_reason.h"

enum { MAX_LEAVES_SAID = 8 };

struct text {
    struct xds_arena *arena;
    struct xds_slice all;
};

static void say(struct text *t, const char *format, ...) XDS_PRINTF(2, 3);

/* One more thing that must hold. */
static void say(struct text *t, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    const struct xds_slice part = xds_arena_vprintf(t->arena, format, args);
    va_end(args);
    t->all = t->all.len ? xds_arena_printf(t->arena, "%.*s; %.*s", XDS_FMT(t->all),
                                           XDS_FMT(part))
                        : part;
}

static struct text text_of(const struct xds_trail *trail)
{
    return (struct text){trail->lb->rpc->arena, {NULL, 0}};
}

static struct xds_slice quoted(const struct text *t, struct xds_slice name)
{
    return xds_excerpt(t->arena, name);
}

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

/* ---- kind ---- */

static bool is_open(const struct xds_route_try *try)
{
    return try->matched == XDS_CHANCE_OPEN || try->probability < 1;
}

static bool has_rival_clusters(const struct xds_branch *b)
{
    return b->entry && !b->cluster.overridden && b->try->route->n_weighted > 1;
}

static bool stands_behind(const struct xds_address_place *place)
{
    return place->leaf_index > 0 || place->locality->priority > 0;
}

enum xds_cause_kind xds_cause_kind_of(const struct xds_trail *trail,
                                      const struct xds_address_place *place,
                                      const struct xds_rpc_path *rpc_path)
{
    if (rpc_path->why == XDS_HOST_OVERRIDE)
        return XDS_CAUSE_COOKIE;
    if (stands_behind(place))
        return XDS_CAUSE_FAILOVER;
    if (rpc_path->n_needs > 0) /* of hosts of the same priority */
        return XDS_CAUSE_DOWN;
    if (is_open(trail->branch->try))
        return XDS_CAUSE_FRACTION;
    if (trail->lb->rpc->random->next > 0)
        return XDS_CAUSE_DRAW;
    if (has_rival_clusters(trail->branch))
        return XDS_CAUSE_WEIGHT;
    return rpc_path->policy->kind == XDS_LB_RING_HASH ? XDS_CAUSE_HASH : XDS_CAUSE_WEIGHT;
}

/* ---- causes ---- */

static void say_route(struct text *t, const struct xds_trail *trail)
{
    const struct xds_route_try *try = trail->branch->try;

    if (is_open(try))
        say(t, "route #%zu matches the RPC, as it does for %.10g%%", try->index,
            try->probability * 100);
}

static void say_cluster(struct text *t, const struct xds_trail *trail,
                        const struct xds_rpc_path *rpc_path)
{
    const struct xds_branch *b = trail->branch;
    const struct xds_slice name = quoted(t, b->cluster.name);

    if (b->cluster.overridden && rpc_path->why == XDS_HOST_OVERRIDE)
        return; /* one sentence for both */
    if (b->cluster.overridden)
        say(t, "the session cookie names cluster %.*s", XDS_FMT(name));
    else if (has_rival_clusters(b) && trail->lb->rpc->random->next > 0)
        say(t, "the given random numbers choose cluster %.*s", XDS_FMT(name));
    else if (has_rival_clusters(b))
        say(t, "cluster %.*s is chosen, as it is for %.10g%% by its weight",
            XDS_FMT(name), trail->probability / b->try->probability * 100);
}

static void say_failed_leaf(struct text *t, const struct xds_trail *trail, size_t i)
{
    const struct xds_leaf *leaf = &trail->leaves.list[i];
    const struct xds_slice name = quoted(t, leaf->name);
    struct xds_slice why;
    const struct xds_endpoints *e = xds_leaf_endpoints(trail->lb, leaf, &why);
    const size_t n = e ? xds_usable_count(e, 0, UINT32_MAX) : 0;

    if (!e)
        say(t, "leaf %.*s has failed already: %.*s", XDS_FMT(name), XDS_FMT(why));
    else if (n == 0)
        say(t, "leaf %.*s has failed already: it has no usable endpoint", XDS_FMT(name));
    else
        say(t, "leaf %.*s, which comes first, must have failed: it has %zu endpoint%s",
            XDS_FMT(name), n, plural(n));
}

/* "priority 0", "priorities 0 and 1", "priorities 0 to 2" */
static struct xds_slice priorities_before(const struct text *t, uint32_t priority)
{
    if (priority == 1)
        return XDS_S("priority 0");
    return xds_arena_printf(t->arena, "priorities 0 %s %u", priority == 2 ? "and" : "to",
                            priority - 1);
}

static void say_failed_priorities(struct text *t, const struct xds_address_place *place)
{
    const uint32_t priority = place->locality->priority;

    if (priority == 0)
        return;
    const size_t n = xds_usable_count(place->endpoints, 0, priority - 1);
    const struct xds_slice before = priorities_before(t, priority);
    if (n == 0)
        say(t, "it is in priority %u, and %.*s failed already: no usable endpoint",
            priority, XDS_FMT(before));
    else
        say(t, "it is in priority %u, so %.*s must have failed: %zu endpoint%s", priority,
            XDS_FMT(before), n, plural(n));
}

static void say_failed(struct text *t, const struct xds_trail *trail,
                       const struct xds_address_place *place,
                       const struct xds_rpc_path *rpc_path)
{
    if (rpc_path->why == XDS_HOST_OVERRIDE && rpc_path->n_needs == 0)
        return; /* a cookie reaches into every priority */
    const size_t n = place->leaf_index;
    for (size_t i = 0; i < n && i < MAX_LEAVES_SAID; i++)
        say_failed_leaf(t, trail, i);
    if (n > MAX_LEAVES_SAID)
        say(t, "%zu more leaves before its own must have failed", n - MAX_LEAVES_SAID);
    if (rpc_path->why != XDS_HOST_OVERRIDE)
        say_failed_priorities(t, place);
    if (rpc_path->lazy)
        say(t, "for a choice by hash two endpoints that are down are enough, while none "
               "of the others is connected (these are one example)");
}

static void say_rivals(struct text *t, const struct xds_rpc_path *rpc_path)
{
    if (rpc_path->beats_cookie)
        say(t, "the host that the session cookie names must be down");
    if (rpc_path->n_rivals == 0)
        return;
    if (rpc_path->bulk)
        say(t,
            "some of the %zu other endpoints of its priority must be down (too many "
            "to say which)",
            rpc_path->n_rivals);
    else
        say(t, "%zu other endpoint%s of its priority must be down", rpc_path->n_rivals,
            plural(rpc_path->n_rivals));
}

static void say_address(struct text *t, const struct xds_address_place *place)
{
    const struct xds_slice name = xds_address_place_address(place);

    if (place->by_dns)
        say(t, "%.*s must resolve to it", XDS_FMT(name));
    else if (place->address > 0)
        say(t,
            "it is an additional address of the endpoint %.*s, used when the "
            "addresses before it are down",
            XDS_FMT(place->endpoint->addresses[0]));
}

static void say_ring(struct text *t, const struct xds_rpc_path *rpc_path)
{
    if (rpc_path->key.has_hash)
        say(t, "%sthe hash %s of this RPC leads there", rpc_path->n_rivals ? "then " : "",
            xds_u128_text(rpc_path->key.hash).text);
    else
        say(t, "%.5g%% of all hashes lead there", rpc_path->share * 100);
}

static void say_share(struct text *t, const struct xds_rpc_path *rpc_path)
{
    const enum xds_lb_kind policy = rpc_path->policy->kind;

    if (rpc_path->share == XDS_NOT_COMPUTABLE)
        say(t, "the custom policy of the cluster may choose it");
    else if (policy == XDS_LB_RING_HASH)
        say_ring(t, rpc_path);
    else if (rpc_path->share < 1)
        say(t, "it gets %.5g%% of the RPCs of its cluster", rpc_path->share * 100);
    else if (rpc_path->why == XDS_HOST_RANDOM)
        say(t, "the given random numbers choose it");
    else
        say(t, policy == XDS_LB_PICK_FIRST
                   ? "it is the first endpoint that can be reached"
                   : "it is the only endpoint that can be chosen");
}

static void say_cookie(struct text *t, const struct xds_trail *trail,
                       const struct xds_rpc_path *rpc_path, bool sent)
{
    const struct xds_slice name = quoted(t, trail->branch->cluster.name);
    const char *start = sent ? "the session cookie of the request names"
                             : "the request has no session cookie; the RPC would go "
                               "there with one that names";

    if (trail->branch->cluster.overridden)
        say(t, "%s the host and cluster %.*s", start, XDS_FMT(name));
    else
        say(t, "%s the host", start);
    if (rpc_path->waits)
        say(t, "the RPC waits until it is connected");
}

struct xds_slice xds_cause_reason(const struct xds_trail *trail,
                                  const struct xds_address_place *place,
                                  const struct xds_rpc_path *rpc_path, bool sent)
{
    struct text t = text_of(trail);

    say_route(&t, trail);
    say_cluster(&t, trail, rpc_path);
    say_failed(&t, trail, place, rpc_path);
    say_rivals(&t, rpc_path);
    say_address(&t, place);
    if (rpc_path->why == XDS_HOST_OVERRIDE)
        say_cookie(&t, trail, rpc_path, sent);
    else
        say_share(&t, rpc_path);
    return t.all;
}

/* ---- obstacles ---- */

/* '10.0.0.1:80 is in cluster "a" (priority 0, locality r/z)' */
static struct xds_slice whereabouts(const struct text *t,
                                    const struct xds_address_place *place)
{
    const struct xds_slice name = quoted(t, place->leaf->name);
    const struct xds_slice where = xds_address_place_text(t->arena, place);

    return xds_arena_printf(t->arena, "%.*s is in cluster %.*s (%.*s)",
                            XDS_FMT(xds_address_place_address(place)), XDS_FMT(name),
                            XDS_FMT(where));
}

static const char *health_clause(const struct xds_trail *trail,
                                 const struct xds_address_place *place)
{
    const struct xds_session *session = &trail->branch->session;
    const unsigned allowed = place->leaf->cluster->override_host_status;

    switch (place->endpoint->health) {
    case XDS_HEALTH_UNKNOWN:
    case XDS_HEALTH_HEALTHY:
    case XDS_HEALTHS:
        return "but it has no address";
    case XDS_HEALTH_UNHEALTHY:
        return "but its health status is UNHEALTHY, so no RPC goes there";
    case XDS_HEALTH_TIMEOUT:
        return "but its health status is TIMEOUT, so no RPC goes there";
    case XDS_HEALTH_DEGRADED:
        return "but its health status is DEGRADED, so no RPC goes there";
    case XDS_HEALTH_DRAINING:
        break;
    }
    if (!session->acts)
        return "but it is DRAINING: only a session cookie leads there, and this RPC has "
               "no session affinity";
    if (!(allowed & XDS_HEALTH_BIT(XDS_HEALTH_DRAINING)))
        return "but it is DRAINING, and the cluster's override_host_status does not let "
               "session cookies lead there";
    if (session->cookie.n_addresses > 0)
        return "but it is DRAINING: only a session cookie that names it leads there, and "
               "that of this request does not";
    return "but it is DRAINING: only a session cookie that names it leads there, and "
           "this request has none";
}

struct xds_slice xds_address_place_obstacle(const struct xds_trail *trail,
                                            const struct xds_address_place *place)
{
    const struct text t = text_of(trail);

    if (place->locality->weight > 0 && xds_endpoint_usable(place->endpoint))
        return xds_slice_make(NULL, 0);
    const struct xds_slice where = whereabouts(&t, place);
    return xds_arena_printf(
        t.arena, "%.*s, %s", XDS_FMT(where),
        place->locality->weight == 0
            ? "but its locality has no load_balancing_weight, so no RPC goes there"
            : health_clause(trail, place));
}

static struct xds_slice way_clause(const struct text *t,
                                   const struct xds_address_place *place,
                                   const struct xds_rpc_path *rpc_path)
{
    switch (rpc_path->end) {
    case XDS_WAY_FOUND:
        break;
    case XDS_WAY_TARGET_DOWN:
        return XDS_S("but the request says that it is down");
    case XDS_WAY_HELD:
        return xds_arena_printf(
            t->arena, "but %.*s would have to be down, and the request says otherwise",
            XDS_FMT(rpc_path->what));
    case XDS_WAY_REFUSED:
        return xds_arena_printf(t->arena, "but the RPC ends before: %.*s",
                                XDS_FMT(rpc_path->what));
    case XDS_WAY_PASSED:
        return rpc_path->key.has_hash && place->leaf->policy->kind == XDS_LB_RING_HASH
                   ? XDS_S("but the hash of this RPC never leads there")
                   : XDS_S("but the RPC never goes there, whatever else is down");
    case XDS_WAY_TOO_LONG:
        return XDS_S("but there are too many endpoints to say how the RPC gets there");
    }
    return XDS_S("");
}

struct xds_slice xds_rpc_path_obstacle(const struct xds_trail *trail,
                                       const struct xds_address_place *place,
                                       const struct xds_rpc_path *rpc_path)
{
    const struct text t = text_of(trail);
    const struct xds_slice where = whereabouts(&t, place);
    const struct xds_slice clause = way_clause(&t, place, rpc_path);

    return xds_arena_printf(t.arena, "%.*s, %.*s", XDS_FMT(where), XDS_FMT(clause));
}
