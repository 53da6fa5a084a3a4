/*
 * observe_path.c - the connection states under which an RPC reaches an address, and the
 *                  same in sentences.
 *
 * Source: gRFC A61, spec routing 5.10, 7.4, 7.5, 8.4, 9.5, 9.6, 10 and 12.
 */
#include "base/limits.h"
#include "explain/explain.h"

/* After the last colon. */
static struct xds_slice port_of(struct xds_slice address)
{
    size_t at = address.len;

    while (at > 0 && address.data[at - 1] != ':')
        at--;
    return xds_slice_from(address, at);
}

static void look_at(struct xds_address_places *places, struct xds_address_place place,
                    struct xds_slice address)
{
    const bool dns = place.leaf->cluster->kind == XDS_CLUSTER_LOGICAL_DNS;

    for (size_t i = 0; i < place.endpoint->n_addresses; i++) {
        const struct xds_slice here = place.endpoint->addresses[i];
        const bool same = xds_slice_eq(here, address);

        place.address = i;
        place.by_dns = !same && dns && xds_is_ip_port(address) &&
                       xds_slice_eq(port_of(here), port_of(address));
        if (same || place.by_dns) {
            places->list = xds_arena_room(places->arena, places->list, places->n,
                                          &places->cap, sizeof *places->list);
            places->list[places->n++] = place;
        }
    }
}

static void look_through(struct xds_address_places *places,
                         struct xds_address_place place, const struct xds_locality *list,
                         size_t n, struct xds_slice address)
{
    for (size_t i = 0; i < n; i++) {
        place.locality = &list[i];
        for (size_t k = 0; k < list[i].n_endpoints; k++) {
            place.endpoint = &list[i].endpoints[k];
            look_at(places, place, address);
        }
    }
}

void xds_address_places_add(struct xds_address_places *places,
                            const struct xds_leaf *leaf, size_t leaf_index,
                            const struct xds_endpoints *endpoints,
                            struct xds_slice address)
{
    const struct xds_address_place place = {
        .leaf = leaf, .leaf_index = leaf_index, .endpoints = endpoints};

    look_through(places, place, endpoints->localities, endpoints->n_localities, address);
    look_through(places, place, endpoints->weightless, endpoints->n_weightless, address);
}

/* The address as the snapshot writes it. */
static struct xds_slice place_address(const struct xds_address_place *place)
{
    return place->endpoint->addresses[place->address];
}

struct xds_slice xds_address_place_text(struct xds_arena *arena,
                                        const struct xds_address_place *place)
{
    const struct xds_locality *l = place->locality;
    const struct xds_slice parts[] = {l->region, l->zone, l->sub_zone};
    size_t n = XDS_ARRAY_LEN(parts);
    struct xds_slice text = xds_arena_printf(arena, "priority %u", l->priority);

    while (n > 0 && parts[n - 1].len == 0)
        n--;
    for (size_t i = 0; i < n; i++)
        text = xds_arena_printf(arena, "%.*s%s%.*s", XDS_FMT(text),
                                i > 0 ? "/" : ", locality ", XDS_FMT(parts[i]));
    return text;
}

size_t xds_endpoints_count(const struct xds_endpoints *endpoints)
{
    size_t n = 0;

    for (size_t i = 0; i < endpoints->n_localities; i++)
        n += endpoints->localities[i].n_endpoints;
    return n;
}

/* Usable endpoints of the priorities from `first` to `last`. */
static size_t usable_count(const struct xds_endpoints *endpoints, uint32_t first,
                           uint32_t last)
{
    size_t n = 0;

    for (size_t i = 0; i < endpoints->n_localities; i++) {
        const struct xds_locality *l = &endpoints->localities[i];
        if (l->priority < first || l->priority > last)
            continue;
        for (size_t k = 0; k < l->n_endpoints; k++)
            n += xds_endpoint_usable(&l->endpoints[k]);
    }
    return n;
}

/* ---- find out what must be down for an RPC to reach an address ---- */

/* How many of the request's assumptions are tried one by one for being necessary. */
enum { MAX_TRIED_ASSUMPTIONS = 64 };

struct search {
    const struct xds_observer *o;
    const struct xds_branch *branch;
    const struct xds_leaves *leaves;
    const struct xds_address_place *place;
    struct xds_slice target;
    struct xds_strmap states; /* enum xds_connectivity: the request's and the needs' */
    struct xds_strmap needed; /* struct xds_assumption, by address */
    struct xds_assumption *needs;
    size_t n, cap;
    bool lazy;
    struct xds_rpc_reach rpc_path;
};

static struct xds_arena *arena_of(const struct search *s)
{
    return s->o->lb->rpc->arena;
}

static bool stop(struct search *s, enum xds_rpc_path_end end, struct xds_slice what)
{
    s->rpc_path.end = end;
    s->rpc_path.what = what;
    return false;
}

/* ---- needs ---- */

static void set_state(struct xds_strmap *states, struct xds_arena *arena,
                      const struct xds_assumption *a)
{
    enum xds_connectivity *state = XDS_NEW(arena, enum xds_connectivity);

    *state = a->state;
    *xds_strmap_at(states, a->address) = state;
}

static void push_need(struct search *s, const struct xds_assumption *a)
{
    s->needs = xds_arena_room(arena_of(s), s->needs, s->n, &s->cap, sizeof *s->needs);
    s->needs[s->n++] = *a;
    set_state(&s->states, arena_of(s), a);
}

/* What the request assumes of an address is not open to the search. */
static bool need(struct search *s, struct xds_slice address, enum xds_connectivity state)
{
    const struct xds_assumption a = {address, state};
    enum xds_connectivity given;

    if (state == XDS_STATE_TRANSIENT_FAILURE && xds_slice_eq(address, s->target))
        return stop(s, XDS_WAY_PASSED, address);
    if (xds_lb_assumes(s->o->lb, address, &given) && given != state)
        return stop(s, XDS_WAY_HELD, address);
    void **slot = xds_strmap_at(&s->needed, address);
    if (!*slot) {
        *slot = s;
        push_need(s, &a);
    }
    return true;
}

static bool need_down(struct search *s, const struct xds_endpoint *endpoint)
{
    for (size_t i = 0; i < endpoint->n_addresses; i++)
        if (!need(s, endpoint->addresses[i], XDS_STATE_TRANSIENT_FAILURE))
            return false;
    return true;
}

/* ---- one more RPC ---- */

/* Lives until the next one. */
static struct xds_pick send(const struct search *s, const struct xds_strmap *states)
{
    const struct xds_observer *o = s->o;
    const struct xds_request *request = o->lb->rpc->request;
    struct xds_random random = {request->random, request->n_random, o->drawn};
    struct xds_rpc rpc = *o->lb->rpc;
    struct xds_lb lb = *o->lb;

    xds_arena_reset(o->scratch);
    rpc.random = &random;
    rpc.arena = o->scratch;
    lb.rpc = &rpc;
    lb.states = *states;
    const struct xds_pick pick = xds_pick_host(
        &lb, s->branch->cluster.name, s->branch->hash, xds_branch_session(s->branch));
    const size_t cost = pick.endpoints ? xds_endpoints_count(pick.endpoints) + 1 : 1;
    *o->budget -= cost < *o->budget ? cost : *o->budget;
    return pick;
}

static const struct xds_host *reached(const struct search *s, const struct xds_pick *pick)
{
    if (pick->error.text.data || !pick->leaf ||
        !xds_slice_eq(pick->leaf->name, s->place->leaf->name))
        return NULL;
    for (size_t i = 0; i < pick->n_hosts; i++) {
        const struct xds_host *h = &pick->hosts[i];
        if (h->probability != 0 &&
            h->locality->priority == s->place->locality->priority &&
            xds_slice_eq(xds_host_address_of(h), s->target))
            return h;
    }
    return NULL;
}

/* ---- a priority that is in the way ---- */

/* A walk over the usable endpoints of one priority. */
struct walk {
    const struct xds_endpoints *endpoints;
    uint32_t priority;
    size_t locality, endpoint; /* that come next */
};

/* NULL at the end. */
static const struct xds_endpoint *next_usable(struct walk *w)
{
    for (; w->locality < w->endpoints->n_localities; w->locality++, w->endpoint = 0) {
        const struct xds_locality *l = &w->endpoints->localities[w->locality];

        while (l->priority == w->priority && w->endpoint < l->n_endpoints) {
            const struct xds_endpoint *endpoint = &l->endpoints[w->endpoint++];

            if (xds_endpoint_usable(endpoint))
                return endpoint;
        }
    }
    return NULL;
}

/* The request may have said that the endpoint is not connected; if nothing is said, it
 * is down while some are still to fail, else idle. */
static bool take_down_or_idle(struct search *s, const struct xds_endpoint *endpoint,
                              size_t *to_fail)
{
    enum xds_connectivity state, given;
    const size_t at = xds_lb_connection(s->o->lb, endpoint, &state);

    if (state == XDS_STATE_TRANSIENT_FAILURE)
        return need_down(s, endpoint);
    if (xds_lb_assumes(s->o->lb, endpoint->addresses[at], &given) &&
        given != XDS_STATE_READY)
        return need(s, endpoint->addresses[at], given);
    if (*to_fail == 0)
        return need(s, endpoint->addresses[at], XDS_STATE_IDLE);
    --*to_fail;
    return need_down(s, endpoint);
}

static bool fail_priority(struct search *s, const struct xds_pick *pick)
{
    const bool ring = xds_lb_traits(pick->policy)->hashes &&
                      usable_count(pick->endpoints, pick->priority, pick->priority) > 2;

    const struct walk all = {pick->endpoints, pick->priority, 0, 0};
    const struct xds_endpoint *e;
    struct walk w = all;
    enum xds_connectivity state;
    size_t to_fail = 2;

    s->rpc_path.may_be_lazy |= ring;
    if (!ring || !s->lazy) {
        while ((e = next_usable(&w)))
            if (!need_down(s, e))
                return false;
        return true;
    }
    /* ring_hash fails with its second failed endpoint unless one is connected. */
    s->rpc_path.lazy = true;
    while ((e = next_usable(&w)) && to_fail > 0) {
        (void)xds_lb_connection(s->o->lb, e, &state);
        to_fail -= state == XDS_STATE_TRANSIENT_FAILURE;
    }
    w = all;
    while ((e = next_usable(&w)))
        if (!take_down_or_idle(s, e, &to_fail))
            return false;
    return to_fail == 0 || stop(s, XDS_WAY_PASSED, s->target);
}

/* ---- rivals in the same priority ---- */

/* The endpoint itself is used, by an address that comes first. */
static const struct xds_host *own_host(const struct search *s,
                                       const struct xds_pick *pick)
{
    for (size_t i = 0; i < pick->n_hosts; i++)
        if (pick->hosts[i].endpoint == s->place->endpoint)
            return &pick->hosts[i];
    return NULL;
}

static bool shares_locality(const struct search *s, const struct xds_pick *pick)
{
    for (size_t i = 0; i < pick->n_hosts; i++)
        if (pick->hosts[i].locality == s->place->locality)
            return true;
    return false;
}

static bool fail_rivals(struct search *s, const struct xds_pick *pick)
{
    const struct xds_host *own = own_host(s, pick);

    if (own)
        return need(s, xds_host_address_of(own), XDS_STATE_TRANSIENT_FAILURE);
    const bool near = shares_locality(s, pick);
    for (size_t i = 0; i < pick->n_hosts; i++) {
        if (near && pick->hosts[i].locality != s->place->locality)
            continue;
        if (!need_down(s, pick->hosts[i].endpoint))
            return false;
        s->rpc_path.n_rivals++;
    }
    return true;
}

static bool fail_all_rivals(struct search *s)
{
    struct walk w = {s->place->endpoints, s->place->locality->priority, 0, 0};
    const struct xds_endpoint *e;

    s->rpc_path.bulk = true;
    while ((e = next_usable(&w))) {
        const size_t before = s->n;

        if (e != s->place->endpoint && !need_down(s, e))
            return false;
        s->rpc_path.n_rivals += s->n > before;
    }
    return true;
}

/* ---- the search ---- */

static size_t leaf_index(const struct search *s, struct xds_slice name)
{
    size_t i = 0;

    while (i < s->leaves->n && !xds_slice_eq(s->leaves->list[i].name, name))
        i++;
    return i;
}

/* Where the pick is: -1 before the place of the address, 0 with it, 1 after. */
static int compare_place(const struct search *s, const struct xds_pick *pick)
{
    const size_t leaf = leaf_index(s, pick->leaf->name);
    const uint32_t priority = s->place->locality->priority;

    if (leaf != s->place->leaf_index)
        return leaf < s->place->leaf_index ? -1 : 1;
    return (pick->priority > priority) - (pick->priority < priority);
}

/* Take down what the RPC goes to. False: the search has ended. */
static bool step(struct search *s, const struct xds_pick *pick, bool bulk)
{
    const size_t before = s->n;
    bool ok;

    if (!pick->leaf || !pick->endpoints || pick->refused)
        return stop(s, XDS_WAY_REFUSED, xds_arena_dup(arena_of(s), pick->error.text));
    if (pick->error.text.data || pick->n_hosts == 0)
        return stop(s, XDS_WAY_PASSED, s->target);
    if (pick->why == XDS_HOST_OVERRIDE) {
        s->rpc_path.beats_cookie = true;
        ok = need(s, xds_host_address_of(pick->host), XDS_STATE_TRANSIENT_FAILURE);
    } else {
        const int order = compare_place(s, pick);
        if (order > 0)
            return stop(s, XDS_WAY_PASSED, s->target);
        if (order < 0)
            ok = fail_priority(s, pick);
        else
            ok = bulk ? fail_all_rivals(s) : fail_rivals(s, pick);
    }
    return ok && (s->n > before || stop(s, XDS_WAY_PASSED, s->target));
}

/* Step by step while that is affordable, then all rivals at once. */
static bool follow(struct search *s)
{
    const size_t half = *s->o->budget / 2;

    for (size_t i = 0; i<XDS_MAX_OBSERVED_STEPS && * s->o->budget> 0; i++) {
        const struct xds_pick pick = send(s, &s->states);
        const struct xds_host *host = reached(s, &pick);

        s->rpc_path.key = pick.key;
        if (host) {
            s->rpc_path.share = host->probability;
            s->rpc_path.why = pick.why;
            s->rpc_path.waits = pick.waits;
            s->rpc_path.policy = pick.policy;
            return true;
        }
        if (!step(s, &pick, i + 2 == XDS_MAX_OBSERVED_STEPS || *s->o->budget < half))
            return false;
    }
    return stop(s, XDS_WAY_TOO_LONG, s->target);
}

/* ---- the request's own assumptions ---- */

/* Is the address reached with these needs and nothing else? skip: one to leave out. */
static bool reaches_with(const struct search *s, const struct xds_assumption *needs,
                         size_t n, size_t skip)
{
    struct xds_strmap states;

    xds_strmap_init(&states, arena_of(s));
    for (size_t i = 0; i < n; i++)
        if (i != skip)
            set_state(&states, arena_of(s), &needs[i]);
    const struct xds_pick pick = send(s, &states);
    return reached(s, &pick) != NULL;
}

/* Needs say all that must hold: of what the request assumes, what the way depends on. */
static void add_assumptions(struct search *s)
{
    const struct xds_request *request = s->o->lb->rpc->request;
    const size_t own = s->n;

    if (request->n_assumptions == 0 || reaches_with(s, s->needs, s->n, s->n))
        return;
    for (size_t i = 0; i < request->n_assumptions; i++) {
        const struct xds_assumption *a = &request->assumptions[i];
        void **slot = xds_strmap_at(&s->needed, a->address);
        if (*slot)
            continue;
        *slot = s;
        push_need(s, a);
        /* of two about one address the last one counts */
        (void)xds_lb_assumes(s->o->lb, a->address, &s->needs[s->n - 1].state);
    }
    for (size_t i = s->n; s->n - own <= MAX_TRIED_ASSUMPTIONS && i > own; i--) {
        if (!reaches_with(s, s->needs, s->n, i - 1))
            continue;
        s->needs[i - 1] = s->needs[s->n - 1];
        s->n--;
    }
}

struct xds_rpc_reach xds_rpc_path_find(const struct xds_observer *o,
                                       const struct xds_branch *branch,
                                       const struct xds_leaves *leaves,
                                       const struct xds_address_place *place, bool lazy)
{
    struct search s = {.o = o,
                       .branch = branch,
                       .leaves = leaves,
                       .place = place,
                       .target = place_address(place),
                       .lazy = lazy};
    enum xds_connectivity state;

    xds_strmap_init(&s.states, arena_of(&s));
    xds_strmap_init(&s.needed, arena_of(&s));

    const struct xds_request *request = o->lb->rpc->request;

    for (size_t i = 0; i < request->n_assumptions; i++)
        set_state(&s.states, arena_of(&s), &request->assumptions[i]);
    if (xds_lb_assumes(o->lb, s.target, &state) && state == XDS_STATE_TRANSIENT_FAILURE)
        (void)stop(&s, XDS_WAY_TARGET_DOWN, s.target);
    else if (follow(&s))
        add_assumptions(&s);
    s.rpc_path.needs = s.needs;
    s.rpc_path.n_needs = s.n;
    return s.rpc_path;
}

/* ---- put causes and obstacles of an observed address into words ---- */

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

static const char *quoted(const struct text *t, struct xds_slice name)
{
    return xds_excerpt(t->arena, name).data;
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

enum xds_cause_kind xds_cause_kind_of(const struct xds_trail *trail,
                                      const struct xds_address_place *place,
                                      const struct xds_rpc_reach *rpc_path)
{
    if (rpc_path->why == XDS_HOST_OVERRIDE)
        return XDS_CAUSE_COOKIE;
    if (place->leaf_index > 0 || place->locality->priority > 0)
        return XDS_CAUSE_FAILOVER;
    if (rpc_path->n_needs > 0) /* of hosts of the same priority */
        return XDS_CAUSE_DOWN;
    if (is_open(trail->branch->try))
        return XDS_CAUSE_FRACTION;
    if (trail->lb->rpc->random->next > 0)
        return XDS_CAUSE_DRAW;
    if (has_rival_clusters(trail->branch))
        return XDS_CAUSE_WEIGHT;
    return xds_lb_traits(rpc_path->policy)->hashes ? XDS_CAUSE_HASH : XDS_CAUSE_WEIGHT;
}

/* ---- causes ---- */

static void say_cluster(struct text *t, const struct xds_trail *trail,
                        const struct xds_rpc_reach *rpc_path)
{
    const struct xds_branch *b = trail->branch;
    const char *name = quoted(t, b->cluster.name);

    if (b->cluster.overridden && rpc_path->why == XDS_HOST_OVERRIDE)
        return; /* one sentence for both */
    if (b->cluster.overridden)
        say(t, "the session cookie names cluster %s", name);
    else if (has_rival_clusters(b) && trail->lb->rpc->random->next > 0)
        say(t, "the given random numbers choose cluster %s", name);
    else if (has_rival_clusters(b))
        say(t, "cluster %s is chosen, as it is for %.10g%% by its weight", name,
            trail->probability / b->try->probability * 100);
}

static void say_failed_leaf(struct text *t, const struct xds_trail *trail, size_t i)
{
    const struct xds_leaf *leaf = &trail->leaves.list[i];
    const char *name = quoted(t, leaf->name);
    struct xds_slice why;
    const struct xds_endpoints *e = xds_leaf_endpoints(trail->lb, leaf, &why);
    const size_t n = e ? usable_count(e, 0, UINT32_MAX) : 0;

    if (!e)
        say(t, "leaf %s has failed already: %.*s", name, XDS_FMT(why));
    else if (n == 0)
        say(t, "leaf %s has failed already: it has no usable endpoint", name);
    else
        say(t, "leaf %s, which comes first, must have failed: it has %zu endpoint%s",
            name, n, plural(n));
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
    const size_t n = usable_count(place->endpoints, 0, priority - 1);
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
                       const struct xds_rpc_reach *rpc_path)
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

static void say_rivals(struct text *t, const struct xds_rpc_reach *rpc_path)
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

static void say_share(struct text *t, const struct xds_rpc_reach *rpc_path)
{
    const struct xds_lb_traits *policy = xds_lb_traits(rpc_path->policy);

    if (rpc_path->share == XDS_NOT_COMPUTABLE)
        say(t, "the custom policy of the cluster may choose it");
    else if (policy->hashes) {
        if (rpc_path->key.has_hash)
            say(t, "%sthe hash %s of this RPC leads there",
                rpc_path->n_rivals ? "then " : "",
                xds_u128_text(rpc_path->key.hash).text);
        else
            say(t, "%.5g%% of all hashes lead there", rpc_path->share * 100);
    } else if (rpc_path->share < 1)
        say(t, "it gets %.5g%% of the RPCs of its cluster", rpc_path->share * 100);
    else if (rpc_path->why == XDS_HOST_RANDOM)
        say(t, "the given random numbers choose it");
    else
        say(t, "%s",
            policy->chosen ? policy->chosen
                           : "it is the only endpoint that can be chosen");
}

struct xds_slice xds_cause_reason(const struct xds_trail *trail,
                                  const struct xds_address_place *place,
                                  const struct xds_rpc_reach *rpc_path, bool sent)
{
    struct text t = text_of(trail);

    const struct xds_route_try *try = trail->branch->try;

    if (is_open(try))
        say(&t, "route #%zu matches the RPC, as it does for %.10g%%", try->index,
            try->probability * 100);
    say_cluster(&t, trail, rpc_path);
    say_failed(&t, trail, place, rpc_path);
    say_rivals(&t, rpc_path);

    const struct xds_slice name = place_address(place);

    if (place->by_dns)
        say(&t, "%.*s must resolve to it", XDS_FMT(name));
    else if (place->address > 0)
        say(&t,
            "it is an additional address of the endpoint %.*s, used when the "
            "addresses before it are down",
            XDS_FMT(place->endpoint->addresses[0]));
    if (rpc_path->why == XDS_HOST_OVERRIDE) {
        const char *start = sent ? "the session cookie of the request names"
                                 : "the request has no session cookie; the RPC would go "
                                   "there with one that names";

        if (trail->branch->cluster.overridden)
            say(&t, "%s the host and cluster %s", start,
                quoted(&t, trail->branch->cluster.name));
        else
            say(&t, "%s the host", start);
        if (rpc_path->waits)
            say(&t, "the RPC waits until it is connected");
    } else
        say_share(&t, rpc_path);
    return t.all;
}

/* ---- obstacles ---- */

/* '10.0.0.1:80 is in cluster "a" (priority 0, locality r/z)' */
static struct xds_slice whereabouts(const struct text *t,
                                    const struct xds_address_place *place)
{
    const struct xds_slice where = xds_address_place_text(t->arena, place);

    return xds_arena_printf(t->arena, "%.*s is in cluster %s (%.*s)",
                            XDS_FMT(place_address(place)), quoted(t, place->leaf->name),
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
                                   const struct xds_rpc_reach *rpc_path)
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
        return rpc_path->key.has_hash && xds_lb_traits(place->leaf->policy)->hashes
                   ? XDS_S("but the hash of this RPC never leads there")
                   : XDS_S("but the RPC never goes there, whatever else is down");
    case XDS_WAY_TOO_LONG:
        return XDS_S("but there are too many endpoints to say how the RPC gets there");
    }
    return XDS_S("");
}

struct xds_slice xds_rpc_path_obstacle(const struct xds_trail *trail,
                                       const struct xds_address_place *place,
                                       const struct xds_rpc_reach *rpc_path)
{
    const struct text t = text_of(trail);
    const struct xds_slice where = whereabouts(&t, place);
    const struct xds_slice clause = way_clause(&t, place, rpc_path);

    return xds_arena_printf(t.arena, "%.*s, %.*s", XDS_FMT(where), XDS_FMT(clause));
}
