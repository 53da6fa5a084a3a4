/*
 * observe.c - what can have sent an RPC to an address, keeps it away, or is elsewhere.
 *
 * Source: gRFC A55, A56, A60, A61, spec routing 2, 3.2, 5, 7, 8, 9 and 12.
 */
#include "base/limits.h"
#include "explain/explain.h"

/* Clusters, and routes of one cluster, that are spoken of. */
enum { MAX_CLUSTERS = 4, MAX_ROUTES = 4, MAX_AGGREGATES = 1000 };

struct sentences {
    struct xds_arena *arena;
    struct xds_slice *list;
    size_t n, cap; /* over the cap, and repeated ones, are dropped */
};

static void sentences_init(struct sentences *out, struct xds_arena *arena, size_t cap)
{
    *out = (struct sentences){
        .arena = arena, .list = XDS_NEW_ARRAY(arena, struct xds_slice, cap), .cap = cap};
}

static void add_sentence(struct sentences *out, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    const struct xds_slice text = xds_arena_vprintf(out->arena, format, args);
    va_end(args);
    for (size_t i = 0; i < out->n; i++)
        if (xds_slice_eq(out->list[i], text))
            return;
    if (out->n < out->cap)
        out->list[out->n++] = text;
}

/* ---- turn the causes of an address round: why did the RPC not go there? ---- */

enum { MAX_REASONS = 32, MAX_ADDRESSES = 8 };

/* Nothing has to change for this cause. */
static bool holds_already(const struct xds_observed_rpc *seen,
                          const struct xds_cause *cause)
{
    enum xds_connectivity state;

    if (cause->cookie.data && !cause->sent)
        return false;
    for (size_t i = 0; i < cause->n_needs; i++)
        if (!xds_lb_assumes(seen->lb, cause->needs[i].address, &state) ||
            state != cause->needs[i].state)
            return false;
    return true;
}

static void say_cookie(const struct xds_observed_rpc *seen, struct xds_slice address,
                       struct sentences *out)
{
    const struct xds_decision *d = seen->d;
    const struct xds_host *host = d->pick.host;

    if (!host || d->pick.host_why != XDS_HOST_OVERRIDE ||
        xds_slice_eq(xds_host_address_of(host), address))
        return;
    const struct xds_slice used = xds_host_address_of(host);
    add_sentence(out, "the session cookie of the request leads to %.*s", XDS_FMT(used));
}

static void say_hash(const struct xds_observed_rpc *seen, struct xds_slice address,
                     struct sentences *out)
{
    const struct xds_decision *d = seen->d;

    if (!d->pick.host || d->pick.host_why != XDS_HOST_POLICY ||
        !xds_lb_traits(d->pick.policy)->hashes)
        return;
    const struct xds_slice used = xds_host_address_of(d->pick.host);
    if (!xds_slice_eq(used, address))
        add_sentence(out, "the hash %s of this RPC leads to %.*s",
                     xds_u128_text(d->pick.hash).text, XDS_FMT(used));
}

/* 'A (TRANSIENT_FAILURE), B (IDLE) and 3 more' */
static struct xds_slice list_needs(struct xds_arena *arena, const struct xds_cause *cause)
{
    static const char *const states[] = {
        [XDS_STATE_TRANSIENT_FAILURE] = "down",
        [XDS_STATE_IDLE] = "not connected",
        [XDS_STATE_CONNECTING] = "connecting",
        [XDS_STATE_READY] = "connected",
    };
    const size_t said = cause->n_needs < MAX_ADDRESSES ? cause->n_needs : MAX_ADDRESSES;
    struct xds_slice text = {NULL, 0};

    for (size_t i = 0; i < said; i++)
        text = xds_arena_printf(arena, "%.*s%s%.*s %s", XDS_FMT(text), i ? ", " : "",
                                XDS_FMT(cause->needs[i].address),
                                states[cause->needs[i].state]);
    if (cause->n_needs + cause->n_more_needs > said)
        text = xds_arena_printf(arena, "%.*s and %zu more", XDS_FMT(text),
                                cause->n_needs + cause->n_more_needs - said);
    return text;
}

static void say_cause(const struct xds_observed_rpc *seen, const struct xds_cause *cause,
                      struct sentences *out)
{
    const bool holds = holds_already(seen, cause);
    const struct xds_slice needs = list_needs(out->arena, cause);

    if (holds && cause->probability >= 1)
        add_sentence(out, "it does go there: %.*s", XDS_FMT(cause->reason));
    else if (holds && cause->probability == XDS_NOT_COMPUTABLE)
        add_sentence(out, "it may go there: %.*s", XDS_FMT(cause->reason));
    else if (holds)
        add_sentence(out,
                     "%.10g%% of such RPCs do go there, the others go to other "
                     "hosts by chance: %.*s",
                     cause->probability * 100, XDS_FMT(cause->reason));
    else if (cause->cookie.data && !cause->sent)
        add_sentence(out,
                     "the request has no session cookie; %.*s would lead there%s%.*s",
                     XDS_FMT(cause->cookie), needs.len ? ", with " : "", XDS_FMT(needs));
    else if (cause->n_needs > 0)
        add_sentence(out, "it would go there with %.*s: %.*s", XDS_FMT(needs),
                     XDS_FMT(cause->reason));
}

const struct xds_why_not *xds_why_not(const struct xds_observed_rpc *seen,
                                      struct xds_slice address)
{
    struct xds_arena *arena = seen->lb->rpc->arena;
    const struct xds_observation *o = xds_observe(seen, address);
    struct xds_why_not *why_not = XDS_NEW(arena, struct xds_why_not);
    struct sentences out;

    sentences_init(&out, arena, MAX_REASONS);
    say_cookie(seen, address, &out);
    say_hash(seen, address, &out);
    for (size_t i = 0; i < o->n_causes; i++)
        say_cause(seen, &o->causes[i], &out);
    for (size_t i = 0; i < o->n_obstacles; i++)
        add_sentence(&out, "%.*s", XDS_FMT(o->obstacles[i]));
    if (o->incomplete)
        add_sentence(&out, "there are too many hosts or clusters to list every cause");
    *why_not = (struct xds_why_not){address, out.list, out.n};
    return why_not;
}

/* ---- find every cause that can have sent an RPC to an observed address ---- */

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
    struct sentences obstacles;
    struct xds_strmap followed; /* leaf clusters that the RPC may come to */
    struct xds_strmap offered;  /* cookies that were tried */
    size_t budget;              /* endpoints that may still be looked at */
    struct xds_rpc rpc; /* asks matchers; an undecided regex says no more than that */
    bool found;         /* in any cluster, followed or not */
    size_t n_clusters, n_routes;
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

static void put_cause(struct work *w, const struct round *r,
                      const struct xds_trail *trail,
                      const struct xds_address_place *place,
                      const struct xds_rpc_reach *rpc_path)
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

    const size_t n = rpc_path->n_needs;

    cause->needs = rpc_path->needs;
    cause->n_needs = n < XDS_MAX_OBSERVED_NEEDS ? n : XDS_MAX_OBSERVED_NEEDS;
    cause->n_more_needs = n - cause->n_needs;
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
                           const struct xds_rpc_reach *rpc_path)
{
    if (rpc_path->end != XDS_WAY_FOUND || !r->cookie.data)
        return rpc_path->end == XDS_WAY_FOUND;
    return rpc_path->why == XDS_HOST_OVERRIDE &&
           (rpc_path->n_needs == 0 || !xds_endpoint_usable(place->endpoint));
}

static void put_obstacle(struct work *w, const struct round *r, struct xds_slice text)
{
    if (!r->cookie.data)
        add_sentence(&w->obstacles, "%.*s", XDS_FMT(text));
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
    struct xds_rpc_reach rpc_path =
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
    if (trail->leaves.error.text.data)
        put_obstacle(w, r, trail->leaves.error.text);
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
        if (!b->forwards && !r->cookie.data)
            add_sentence(&w->obstacles,
                         "route #%zu matches the RPC and does not forward it",
                         b->try->index);
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
    const struct round r = {
        {&again, w->seen->scratch, numbers_drawn(&again, &d), &w->budget},
        &branches,
        cookie};
    follow_round(w, &r);
}

/* A cookie for a cluster of the route, if the cluster has the address. */
static void offer_cookie(struct work *w, const struct xds_branch *b,
                         struct xds_slice cluster)
{
    const struct xds_lb *lb = w->seen->lb;
    const struct xds_slice value = xds_cookie_value(lb->rpc, w->address, cluster);
    const struct xds_slice cookie =
        xds_arena_printf(arena_of(w), "%.*s=%.*s",
                         XDS_FMT(b->session.config->cookie_name), XDS_FMT(value));
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

/* ---- where else the address is ---- */

static const char *quoted(const struct work *w, struct xds_slice name)
{
    return xds_excerpt(arena_of(w), name).data;
}

/* ---- routes ---- */

/* Is `leaf` the cluster, or one of those that the aggregate is made of? */
static bool leads_to(struct xds_slice cluster, const struct xds_strmap *above,
                     struct xds_slice leaf)
{
    return xds_slice_eq(cluster, leaf) || xds_strmap_get(above, cluster);
}

/* The weighted entry, or the route itself, that leads to the leaf. */
struct lead {
    bool found;
    bool weightless; /* every entry that does has weight 0 */
    struct xds_slice cluster;
};

static struct lead lead_of(const struct xds_route *route, const struct xds_strmap *above,
                           struct xds_slice leaf)
{
    struct lead lead = {.found = false};

    if (route->action == XDS_ACTION_CLUSTER) {
        lead.found = leads_to(route->cluster, above, leaf);
        lead.cluster = route->cluster;
    }
    for (size_t i = 0; i < route->n_weighted; i++) {
        const struct xds_weighted_cluster *entry = &route->weighted[i];
        if (!leads_to(entry->name, above, leaf) || (lead.found && !lead.weightless))
            continue;
        lead = (struct lead){true, entry->weight == 0, entry->name};
    }
    return lead;
}

/* Criteria of the match that fail; *reason is that of the first. */
static size_t count_failures(const struct work *w, const struct xds_route_match *match,
                             struct xds_slice *reason)
{
    struct xds_slice here;
    size_t n = 0;

    if (!xds_path_matches(&w->rpc, &match->path, &here) && n++ == 0)
        *reason = here;
    for (size_t i = 0; i < match->n_headers; i++)
        if (!xds_header_matches(&w->rpc, &match->headers[i], &here) && n++ == 0)
            *reason = here;
    return n;
}

static const struct xds_route_try *try_of(const struct xds_decision *d, size_t index)
{
    for (size_t i = 0; i < d->walk.n_tries; i++)
        if (d->walk.tries[i].index == index)
            return &d->walk.tries[i];
    return NULL;
}

static bool comes_to(const struct xds_decision *d, struct xds_slice cluster)
{
    for (size_t i = 0; i < d->n_clusters; i++)
        if (xds_slice_eq(d->clusters[i].name, cluster))
            return true;
    return false;
}

/* The route matches as far as the request can tell. */
static void say_matching_route(struct work *w, size_t index, const struct lead *lead)
{
    const struct xds_decision *d = w->seen->d;
    const struct xds_route_try *try = try_of(d, index);
    const char *name = quoted(w, lead->cluster);

    if (!try)
        add_sentence(&w->obstacles,
                     "route #%zu leads to cluster %s and matches, but route #%zu "
                     "comes first and matches too",
                     index, name,
                     d->walk.n_tries ? d->walk.tries[d->walk.n_tries - 1].index : 0);
    else if (try->matched == XDS_CHANCE_NO)
        add_sentence(&w->obstacles, "route #%zu leads to cluster %s, but: %.*s", index,
                     name, XDS_FMT(try->reason));
    else if (lead->weightless)
        add_sentence(&w->obstacles,
                     "route #%zu matches the RPC, but gives cluster %s the weight 0",
                     index, name);
    else if (comes_to(d, lead->cluster))
        add_sentence(&w->obstacles,
                     "route #%zu leads to cluster %s, but a filter ends the RPC "
                     "before a host is picked",
                     index, name);
    else
        add_sentence(&w->obstacles,
                     "route #%zu matches the RPC, but %s another cluster than %s", index,
                     d->cluster && d->cluster->why == XDS_CLUSTER_COOKIE
                         ? "the session cookie names"
                         : "the given random numbers choose",
                     name);
}

static void say_route(struct work *w, size_t index, const struct xds_route *route,
                      const struct lead *lead)
{
    const char *name = quoted(w, lead->cluster);
    struct xds_slice reason = {NULL, 0};

    if (route->skipped_by & XDS_CLIENT_BIT(w->rpc.client)) {
        add_sentence(&w->obstacles,
                     "route #%zu leads to cluster %s, but this client ignores it: %s",
                     index, name,
                     route->skip_reason ? route->skip_reason : "not usable for gRPC");
        return;
    }
    const size_t n = count_failures(w, &route->match, &reason);
    if (n == 0)
        say_matching_route(w, index, lead);
    else if (n == 1)
        add_sentence(&w->obstacles,
                     "route #%zu leads to cluster %s, but does not match the RPC: %.*s",
                     index, name, XDS_FMT(reason));
    else
        add_sentence(&w->obstacles,
                     "route #%zu leads to cluster %s, but does not match the RPC "
                     "for %zu reasons, the first: %.*s",
                     index, name, n, XDS_FMT(reason));
}

static void look_at_host(struct work *w, const struct xds_virtual_host *host,
                         const struct xds_strmap *above, struct xds_slice leaf)
{
    const bool chosen = host == w->seen->d->virtual_host.host;

    for (size_t i = 0; i < host->n_routes && w->n_routes < MAX_ROUTES; i++) {
        const struct lead lead = lead_of(&host->routes[i], above, leaf);
        if (!lead.found)
            continue;
        w->n_routes++;
        if (chosen) {
            say_route(w, i, &host->routes[i], &lead);
            continue;
        }
        add_sentence(&w->obstacles,
                     "virtual host %s has a route to it, but the authority of "
                     "this RPC does not choose that virtual host",
                     quoted(w, host->name));
        return;
    }
}

/* ---- clusters ---- */

/* Names of the aggregates that the leaf belongs to. */
static void find_aggregates(struct work *w, struct xds_slice leaf,
                            struct xds_strmap *above)
{
    const struct xds_snapshot_entry *e = w->seen->lb->snapshot->first[XDS_TYPE_CLUSTER];
    size_t n = 0;

    xds_strmap_init(above, arena_of(w));
    for (; e && n < MAX_AGGREGATES; e = e->next) {
        const struct xds_cluster *cluster = e->model;
        if (!cluster || cluster->kind != XDS_CLUSTER_AGGREGATE)
            continue;
        n++;
        const struct xds_leaves leaves = xds_aggregate_leaves(w->seen->lb, e->name);
        for (size_t i = 0; i < leaves.n; i++)
            if (xds_slice_eq(leaves.list[i].name, leaf))
                *xds_strmap_at(above, e->name) = w;
    }
}

static void say_routes(struct work *w, struct xds_slice leaf)
{
    const struct xds_route_config *config = w->seen->d->start.route_config;
    struct xds_strmap above;

    w->n_routes = 0;
    if (!config)
        return;
    find_aggregates(w, leaf, &above);
    if (w->seen->d->virtual_host.host)
        look_at_host(w, w->seen->d->virtual_host.host, &above, leaf);
    for (size_t i = 0; i < config->n_virtual_hosts; i++)
        if (&config->virtual_hosts[i] != w->seen->d->virtual_host.host)
            look_at_host(w, &config->virtual_hosts[i], &above, leaf);
    if (w->n_routes == 0) {
        add_sentence(&w->obstacles, "no route of this listener leads to cluster %s",
                     quoted(w, leaf));
    }
}

static bool is_rejected(const struct work *w, const struct xds_snapshot_entry *e)
{
    return (e->nacked_by & XDS_CLIENT_BIT(w->rpc.client)) != 0;
}

/* Why the RPC does not come to a cluster, as far as the resources themselves say. */
static const char *fault_of(const struct work *w,
                            const struct xds_snapshot_entry *cluster,
                            const struct xds_snapshot_entry *endpoints)
{
    if (is_rejected(w, cluster))
        return ", but this client rejects that cluster (NACK)";
    if (is_rejected(w, endpoints))
        return ", but this client rejects the endpoints of that cluster (NACK)";
    return NULL;
}

static void say_place(struct work *w, const struct xds_snapshot_entry *cluster,
                      const char *fault, const struct xds_address_place *place)
{
    const struct xds_slice where = xds_address_place_text(arena_of(w), place);

    w->found = true;
    if (xds_strmap_get(&w->followed, cluster->name) || w->n_clusters == MAX_CLUSTERS)
        return;
    w->n_clusters++;
    add_sentence(&w->obstacles, "%.*s is in cluster %s (%.*s)%s%s", XDS_FMT(w->address),
                 quoted(w, cluster->name), XDS_FMT(where),
                 place->locality->weight > 0 ? "" : ", in a locality without weight",
                 fault ? fault : ", which the RPC does not reach");
    if (!fault)
        say_routes(w, cluster->name);
}

/* Of resources with one name the client uses one. */
static bool is_current(const struct work *w, enum xds_resource_type type,
                       const struct xds_snapshot_entry *e)
{
    return e->model && xds_snapshot_used(w->seen->lb->snapshot, w->seen->lb->rpc->client,
                                         type, e->name) == e;
}

/* Assignments that hold the address: struct xds_address_place by their name. */
static void find_places(struct work *w, struct xds_strmap *places)
{
    const struct xds_snapshot_entry *e = w->seen->lb->snapshot->first[XDS_TYPE_ENDPOINT];
    static const struct xds_cluster eds = {.kind = XDS_CLUSTER_EDS};
    const struct xds_leaf leaf = {.cluster = &eds};

    xds_strmap_init(places, arena_of(w));
    for (; e && w->budget > 0; e = e->next) {
        if (!is_current(w, XDS_TYPE_ENDPOINT, e))
            continue;
        struct xds_address_places here = {.arena = arena_of(w)};
        const size_t cost = xds_endpoints_count(e->model) + 1;

        xds_address_places_add(&here, &leaf, 0, e->model, w->address);
        if (here.n)
            *xds_strmap_at(places, e->name) = &here.list[0];
        w->budget -= cost < w->budget ? cost : w->budget;
    }
}

static void look_at_clusters(struct work *w, const struct xds_strmap *places)
{
    const struct xds_snapshot *snapshot = w->seen->lb->snapshot;
    const struct xds_snapshot_entry *e = snapshot->first[XDS_TYPE_CLUSTER];

    for (; e; e = e->next) {
        const struct xds_cluster *cluster = e->model;
        if (!is_current(w, XDS_TYPE_CLUSTER, e) || cluster->kind != XDS_CLUSTER_EDS)
            continue;
        const struct xds_address_place *place = xds_strmap_get(places, cluster->eds_name);
        if (!place)
            continue;
        const struct xds_snapshot_entry *eds = xds_snapshot_used(
            snapshot, w->seen->lb->rpc->client, XDS_TYPE_ENDPOINT, cluster->eds_name);
        say_place(w, e, eds ? fault_of(w, e, eds) : NULL, place);
    }
}

/* The places of the address in clusters that the RPC does not come to, and for each
 * cluster the routes that lead there and why they do not take the RPC. Says so when the
 * address is nowhere. */
static void find_elsewhere(struct work *w)
{
    struct xds_strmap places;

    w->rpc = *w->seen->lb->rpc;
    w->rpc.undecided = NULL;
    w->found = w->out->n_causes > 0;
    find_places(w, &places);
    look_at_clusters(w, &places);

    const struct xds_snapshot_entry *e = w->seen->lb->snapshot->first[XDS_TYPE_ENDPOINT];

    for (; e && !w->found; e = e->next) {
        const struct xds_address_place *place = xds_strmap_get(&places, e->name);
        if (!place)
            continue;
        w->found = true;
        add_sentence(&w->obstacles,
                     "%.*s is in the endpoints of %s%s, but no cluster uses them",
                     XDS_FMT(w->address), quoted(w, e->name),
                     is_rejected(w, e) ? ", which this client rejects (NACK)" : "");
    }
    if (!w->found && w->budget > 0)
        add_sentence(&w->obstacles, "no endpoint of the snapshot has the address %.*s",
                     XDS_FMT(w->address));
}

/* ---- the whole ---- */

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
    sentences_init(&w.obstacles, arena, MAX_OBSTACLES);

    const struct round own = {
        .observer = {seen->lb, seen->scratch, numbers_drawn(seen->lb, seen->d),
                     &w.budget},
        .branches = seen->branches,
    };

    follow_round(&w, &own);
    offer_cookies(&w);
    if (seen->branches->n == 0)
        add_sentence(&w.obstacles, "the RPC reaches no cluster: %.*s",
                     XDS_FMT(seen->d->status.error));
    find_elsewhere(&w);
    w.out->address = address;
    w.out->causes = w.causes;
    w.out->incomplete |= w.budget == 0;
    w.out->obstacles = w.obstacles.list;
    w.out->n_obstacles = w.obstacles.n;
    if (w.out->n_causes > 0)
        return w.out;
    w.out->reason = w.obstacles.n ? w.obstacles.list[0] : XDS_S("no path leads there");
    for (size_t i = 1; i < w.obstacles.n; i++)
        w.out->reason = xds_arena_printf(arena, "%.*s; %.*s", XDS_FMT(w.out->reason),
                                         XDS_FMT(w.obstacles.list[i]));
    return w.out;
}
