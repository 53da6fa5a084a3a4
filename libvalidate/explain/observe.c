/*
 * observe.c - find every cause that can have sent an RPC to an observed address.
 *
 * Fails:  beyond the limits of base/limits.h the answer says that it is not complete.
 * Source: spec routing 3.2, 5, 7, 8, 9 and 12; gRFC A55, A56, A60, A61.
 */
#include "explain/observe.h"

#include "base/limits.h"
#include "explain/observe_elsewhere.h"
#include "explain/observe_reason.h"
#include "route/metadata.h"
#include "route/weighted.h"

enum { MAX_OBSTACLES = 16 };

/* Ways that the RPC, with its own headers or with a cookie added, may take. */
struct round {
    struct xds_observer observer;
    const struct xds_branches *branches;
    struct xds_slice cookie; /* "name=value" that was added; absent: none */
};

struct work {
    const struct xds_observed_rpc *seen;
    struct xds_slice address;
    struct xds_observation *out;
    struct xds_cause *causes;
    struct xds_sentences obstacles;
    struct xds_strmap followed; /* leaf clusters that the RPC may come to */
    struct xds_strmap offered;  /* cookies that were tried */
    size_t budget;
};

static struct xds_arena *arena_of(const struct work *w)
{
    return w->seen->lb->rpc->arena;
}

/* ---- causes ---- */

static struct xds_cause *add_cause(struct work *w)
{
    if (w->out->n_causes == XDS_MAX_OBSERVED_CAUSES) {
        w->out->incomplete = true;
        return NULL;
    }
    return &w->causes[w->out->n_causes++];
}

/* As the request carries it. */
static struct xds_slice sent_cookie(const struct work *w, const struct xds_trail *trail)
{
    const struct xds_session *session = &trail->branch->session;
    struct xds_slice value;
    bool tolerant;

    if (!session->config ||
        !xds_cookie_find(trail->lb->rpc, session->config->cookie_name, &value, &tolerant))
        return xds_slice_make(NULL, 0);
    return xds_arena_printf(arena_of(w), "%.*s=%.*s",
                            XDS_FMT(session->config->cookie_name), XDS_FMT(value));
}

static void fill_needs(struct xds_cause *cause, const struct xds_rpc_path *rpc_path)
{
    const size_t n = rpc_path->n_needs;

    cause->needs = rpc_path->needs;
    cause->n_needs = n < XDS_MAX_OBSERVED_NEEDS ? n : XDS_MAX_OBSERVED_NEEDS;
    cause->n_more_needs = n - cause->n_needs;
}

static void put_cause(struct work *w, const struct round *r,
                      const struct xds_trail *trail,
                      const struct xds_address_place *place,
                      const struct xds_rpc_path *rpc_path)
{
    const bool sent = r->cookie.data == NULL;
    struct xds_cause *cause = add_cause(w);

    if (!cause)
        return;
    *cause = (struct xds_cause){
        .kind = xds_cause_kind_of(trail, place, rpc_path),
        .cluster = trail->branch->cluster.name,
        .leaf = place->leaf->name,
        .has_priority = true,
        .priority = place->locality->priority,
        .reason = xds_cause_reason(trail, place, rpc_path, sent),
    };
    cause->probability = rpc_path->share == XDS_NOT_COMPUTABLE || place->by_dns
                             ? XDS_NOT_COMPUTABLE
                             : trail->probability * rpc_path->share;
    fill_needs(cause, rpc_path);
    if (cause->kind != XDS_CAUSE_COOKIE)
        return;
    cause->sent = sent;
    cause->cookie = sent ? sent_cookie(w, trail) : r->cookie;
}

static void put_plugin(struct work *w, const struct xds_branch *b)
{
    struct xds_cause *cause = add_cause(w);

    if (!cause)
        return;
    const struct xds_slice name = xds_excerpt(arena_of(w), b->cluster.name);
    *cause = (struct xds_cause){
        .kind = XDS_CAUSE_PLUGIN,
        .probability = XDS_NOT_COMPUTABLE,
        .reason = xds_arena_printf(arena_of(w),
                                   "plugin %.*s of route #%zu looks the cluster up for "
                                   "each RPC; it may name one with this address",
                                   XDS_FMT(name), b->try->index)};
}

/* ---- one place of the address ---- */

/* With a cookie that was added only what the cookie does is of interest; what must be
 * down besides is, where nothing else leads to the host. */
static bool is_of_interest(const struct round *r, const struct xds_address_place *place,
                           const struct xds_rpc_path *rpc_path)
{
    if (rpc_path->end != XDS_WAY_FOUND || !r->cookie.data)
        return rpc_path->end == XDS_WAY_FOUND;
    return rpc_path->why == XDS_HOST_OVERRIDE &&
           (rpc_path->n_needs == 0 || !xds_endpoint_usable(place->endpoint));
}

static void put_obstacle(struct work *w, const struct round *r, struct xds_slice text)
{
    if (!r->cookie.data)
        xds_sentences_add(&w->obstacles, "%.*s", XDS_FMT(text));
}

static void try_place(struct work *w, const struct round *r,
                      const struct xds_trail *trail,
                      const struct xds_address_place *place)
{
    const struct xds_slice obstacle = xds_address_place_obstacle(trail, place);
    const bool by_cookie = xds_branch_session(trail->branch) &&
                           trail->branch->session.cookie.n_addresses > 0;

    if (obstacle.data && !by_cookie) {
        put_obstacle(w, r, obstacle);
        return;
    }
    struct xds_rpc_path rpc_path =
        xds_rpc_path_find(&r->observer, trail->branch, &trail->leaves, place, false);
    if (is_of_interest(r, place, &rpc_path))
        put_cause(w, r, trail, place, &rpc_path);
    else
        put_obstacle(w, r,
                     obstacle.data ? obstacle
                                   : xds_rpc_path_obstacle(trail, place, &rpc_path));
    w->out->incomplete |= rpc_path.end == XDS_WAY_TOO_LONG;
    if (!rpc_path.may_be_lazy)
        return;
    rpc_path =
        xds_rpc_path_find(&r->observer, trail->branch, &trail->leaves, place, true);
    if (is_of_interest(r, place, &rpc_path) && rpc_path.lazy)
        put_cause(w, r, trail, place, &rpc_path);
}

/* All places of the address in the leaves of a cluster. */
static struct xds_address_places places_in(struct work *w, const struct xds_lb *lb,
                                           const struct xds_leaves *leaves, bool follow)
{
    struct xds_address_places places = {.arena = arena_of(w)};

    for (size_t i = 0; i < leaves->n && w->budget > 0; i++) {
        struct xds_slice why;
        const struct xds_endpoints *e = xds_leaf_endpoints(lb, &leaves->list[i], &why);
        if (!e)
            continue;
        if (follow)
            *xds_strmap_at(&w->followed, leaves->list[i].name) = w;
        const size_t cost = xds_endpoints_count(e) + 1;
        w->budget -= cost < w->budget ? cost : w->budget;
        xds_address_places_add(&places, &leaves->list[i], i, e, w->address);
    }
    return places;
}

static void follow_trail(struct work *w, const struct round *r, struct xds_trail *trail)
{
    const struct xds_branch *b = trail->branch;

    if (b->plugin && !r->cookie.data)
        put_plugin(w, b);
    if (b->plugin || (r->cookie.data && !b->cluster.overridden))
        return;
    trail->leaves = xds_aggregate_leaves(trail->lb, b->cluster.name);
    if (trail->leaves.error.data)
        put_obstacle(w, r, trail->leaves.error);
    const struct xds_address_places places =
        places_in(w, trail->lb, &trail->leaves, !r->cookie.data);
    for (size_t i = 0; i < places.n; i++)
        try_place(w, r, trail, &places.list[i]);
}

/* ---- trails ---- */

/* Branches of one route that share a pick are one trail. */
static struct xds_trail *trail_of(struct work *w, const struct round *r,
                                  struct xds_strmap *by_pick, const struct xds_branch *b)
{
    const void *const pair[] = {b->try, b->pick};
    void **slot =
        xds_strmap_at(by_pick, xds_slice_make((const char *)pair, sizeof(pair)));

    struct xds_trail *trail = *slot;

    if (!trail) {
        *slot = trail = XDS_NEW(arena_of(w), struct xds_trail);
        *trail = (struct xds_trail){.lb = r->observer.lb, .branch = b};
    }
    return trail;
}

static void say_not_forwarding(struct work *w, const struct round *r,
                               const struct xds_branch *b)
{
    if (!r->cookie.data)
        xds_sentences_add(&w->obstacles,
                          "route #%zu matches the RPC and does not forward it",
                          b->try->index);
}

/* Its cluster is the right one, but no RPC reaches it. */
static void say_aborted(struct work *w, const struct round *r, const struct xds_branch *b)
{
    const struct xds_leaves leaves =
        xds_aggregate_leaves(r->observer.lb, b->cluster.name);

    if (places_in(w, r->observer.lb, &leaves, !r->cookie.data).n > 0)
        put_obstacle(w, r, XDS_S("fault injection ends the RPC before a host is chosen"));
}

static void follow_round(struct work *w, const struct round *r)
{
    const struct xds_branches *all = r->branches;
    struct xds_trail **trails = XDS_NEW_ARRAY(arena_of(w), struct xds_trail *, all->n);
    struct xds_strmap by_pick;
    size_t n = 0;

    xds_strmap_init(&by_pick, arena_of(w));
    for (size_t i = 0; i < all->n; i++) {
        const struct xds_branch *b = &all->list[i];
        if (!b->forwards)
            say_not_forwarding(w, r, b);
        if (b->forwards && b->faults.aborts)
            say_aborted(w, r, b);
        if (!b->forwards || (!b->pick && !b->plugin))
            continue;
        struct xds_trail *trail = trail_of(w, r, &by_pick, b);
        if (trail->branch == b)
            trails[n++] = trail;
        trail->probability += b->probability;
    }
    for (size_t i = 0; i < n; i++)
        follow_trail(w, r, trails[i]);
    w->out->incomplete |= all->too_many;
}

/* Numbers that routes and clusters take before the first pick. Where several branches
 * are open, the list had ended before. */
static size_t numbers_drawn(const struct xds_lb *lb, const struct xds_decision *d)
{
    const struct xds_request *request = lb->rpc->request;
    struct xds_random random = {request->random, request->n_random, 0};
    struct xds_rpc rpc = *lb->rpc;

    if (request->n_random == 0 || !d->virtual_host.host)
        return 0;
    rpc.random = &random;
    const struct xds_route_walk walk = xds_route_select(&rpc, d->virtual_host.host, NULL);
    for (size_t i = 0; i < walk.n_tries; i++)
        if (walk.tries[i].matched != XDS_CHANCE_NO &&
            walk.tries[i].route->action == XDS_ACTION_WEIGHTED)
            (void)xds_weighted_pick(&rpc, walk.tries[i].route);
    return random.next;
}

/* ---- cookies that would lead there ---- */

/* The request's headers with one more cookie, all of them in one header. */
static struct xds_request with_cookie(const struct work *w, struct xds_slice cookie)
{
    struct xds_request request = *w->seen->lb->rpc->request;
    struct xds_header *headers =
        XDS_NEW_ARRAY(arena_of(w), struct xds_header, request.n_headers + 1);
    struct xds_slice all = {NULL, 0};
    size_t n = 0;

    for (size_t i = 0; i < request.n_headers; i++) {
        const struct xds_header *h = &request.headers[i];
        if (!xds_slice_eq_fold(h->name, XDS_S("cookie")))
            headers[n++] = *h;
        else
            all = xds_arena_printf(arena_of(w), "%.*s%.*s; ", XDS_FMT(all),
                                   XDS_FMT(h->value));
    }
    headers[n++] = (struct xds_header){
        XDS_S("cookie"),
        xds_arena_printf(arena_of(w), "%.*s%.*s", XDS_FMT(all), XDS_FMT(cookie))};
    request.headers = headers;
    request.n_headers = n;
    return request;
}

/* Explain the RPC once more, as it would go with the cookie. */
static void send_with_cookie(struct work *w, struct xds_slice cookie)
{
    const struct xds_lb *lb = w->seen->lb;
    const struct xds_request request = with_cookie(w, cookie);
    struct xds_random random = {request.random, request.n_random, 0};
    struct xds_slice undecided = {NULL, 0};
    struct xds_rpc rpc = *lb->rpc;
    struct xds_decision d = *w->seen->d;
    struct xds_lb again;

    rpc.request = &request;
    rpc.random = &random;
    rpc.undecided = &undecided;
    xds_lb_init(&again, &rpc, lb->snapshot);
    again.memory = lb->memory;
    d.walk = xds_route_select(&rpc, d.virtual_host.host, NULL);
    const struct xds_branches branches = xds_branches_follow(&again, &d);
    if (xds_rpc_is_undecided(&rpc))
        return;
    struct round r = {{&again, w->seen->scratch, 0, &w->budget}, &branches, cookie};
    r.observer.drawn = numbers_drawn(&again, &d);
    follow_round(w, &r);
}

static struct xds_slice cookie_for(const struct work *w, struct xds_slice name,
                                   struct xds_slice cluster)
{
    const size_t len = xds_cookie_encode(w->address, cluster, NULL, 0);
    char *text = xds_arena_alloc(arena_of(w), len + 1);
    const struct xds_slice value =
        xds_slice_make(text, xds_cookie_encode(w->address, cluster, text, len));

    return xds_arena_printf(arena_of(w), "%.*s=%.*s", XDS_FMT(name), XDS_FMT(value));
}

/* A cookie for a cluster of the route, if the cluster has the address. */
static void offer_cookie(struct work *w, const struct xds_branch *b,
                         struct xds_slice cluster)
{
    const struct xds_lb *lb = w->seen->lb;
    const struct xds_slice cookie =
        cookie_for(w, b->session.config->cookie_name, cluster);
    void **slot = xds_strmap_at(&w->offered, cookie);

    if (*slot || w->budget == 0)
        return;
    *slot = w;
    const struct xds_leaves leaves = xds_aggregate_leaves(lb, cluster);
    if (places_in(w, lb, &leaves, false).n > 0)
        send_with_cookie(w, cookie);
}

/* A request that has a session cookie was sent with just that one. */
static bool has_session_cookie(const struct work *w, const struct xds_branch *b)
{
    struct xds_slice value;
    bool tolerant;
    const bool found = xds_cookie_find(w->seen->lb->rpc, b->session.config->cookie_name,
                                       &value, &tolerant);

    return found || tolerant;
}

static void offer_cookies(struct work *w)
{
    const struct xds_branches *all = w->seen->branches;
    const struct xds_route *last = NULL;

    for (size_t i = 0; i < all->n; i++) {
        const struct xds_branch *b = &all->list[i];
        const struct xds_route *route = b->try->route;

        if (!b->session.config || !b->session.acts || b->plugin || route == last ||
            has_session_cookie(w, b))
            continue;
        last = route;
        if (route->action == XDS_ACTION_CLUSTER)
            offer_cookie(w, b, route->cluster);
        for (size_t k = 0; k < route->n_weighted; k++)
            if (route->weighted[k].weight > 0)
                offer_cookie(w, b, route->weighted[k].name);
    }
}

/* ---- the whole ---- */

static void say_end(struct work *w)
{
    const struct xds_decision *d = w->seen->d;

    if (w->seen->branches->n == 0)
        xds_sentences_add(&w->obstacles, "the RPC reaches no cluster: %.*s",
                          XDS_FMT(d->error));
}

static struct xds_slice join(const struct xds_sentences *s)
{
    struct xds_slice all = s->n ? s->list[0] : XDS_S("no path leads there");

    for (size_t i = 1; i < s->n; i++)
        all = xds_arena_printf(s->arena, "%.*s; %.*s", XDS_FMT(all), XDS_FMT(s->list[i]));
    return all;
}

static struct round own_round(struct work *w)
{
    struct round r = {
        .observer = {w->seen->lb, w->seen->scratch, 0, &w->budget},
        .branches = w->seen->branches,
    };

    r.observer.drawn = numbers_drawn(w->seen->lb, w->seen->d);
    return r;
}

const struct xds_observation *xds_observe(const struct xds_observed_rpc *seen,
                                          struct xds_slice address)
{
    struct xds_arena *arena = seen->lb->rpc->arena;
    struct work w = {.seen = seen,
                     .address = address,
                     .out = XDS_NEW(arena, struct xds_observation),
                     .causes =
                         XDS_NEW_ARRAY(arena, struct xds_cause, XDS_MAX_OBSERVED_CAUSES),
                     .budget = XDS_MAX_OBSERVED_HOSTS};

    xds_strmap_init(&w.followed, arena);
    xds_strmap_init(&w.offered, arena);
    xds_sentences_init(&w.obstacles, arena, MAX_OBSTACLES);
    const struct round own = own_round(&w);
    follow_round(&w, &own);
    offer_cookies(&w);
    say_end(&w);
    xds_elsewhere(seen->lb, seen->d, &w.followed, address, w.out->n_causes > 0, &w.budget,
                  &w.obstacles);
    w.out->address = address;
    w.out->causes = w.causes;
    w.out->incomplete |= w.budget == 0;
    w.out->obstacles = w.obstacles.list;
    w.out->n_obstacles = w.obstacles.n;
    if (w.out->n_causes == 0)
        w.out->reason = join(&w.obstacles);
    return w.out;
}
