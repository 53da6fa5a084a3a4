/*
 * observe_search.c - find out what must be down for an RPC to reach an address.
 *
 * Fails:  when the request's own assumptions, drops or the policy exclude it.
 * Source: spec routing 7.4, 8.4, 9.5, 9.6, 10 and 12.
 */
#include "explain/observe_search.h"

#include "base/limits.h"

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
    struct xds_rpc_path rpc_path;
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

static bool same_leaf(const struct search *s, const struct xds_pick *pick)
{
    return pick->leaf && xds_slice_eq(pick->leaf->name, s->place->leaf->name);
}

static const struct xds_host *reached(const struct search *s, const struct xds_pick *pick)
{
    if (pick->error.data || !same_leaf(s, pick))
        return NULL;
    for (size_t i = 0; i < pick->n_hosts; i++) {
        const struct xds_host *h = &pick->hosts[i];
        if (h->probability != 0 &&
            h->locality->priority == s->place->locality->priority &&
            xds_slice_eq(h->endpoint->addresses[h->address], s->target))
            return h;
    }
    return NULL;
}

/* ---- a priority that is in the way ---- */

typedef bool (*visit_fn)(struct search *s, const struct xds_endpoint *endpoint,
                         void *arg);

static bool for_each_usable(struct search *s, const struct xds_endpoints *endpoints,
                            uint32_t priority, visit_fn visit, void *arg)
{
    for (size_t i = 0; i < endpoints->n_localities; i++) {
        const struct xds_locality *l = &endpoints->localities[i];
        for (size_t k = 0; l->priority == priority && k < l->n_endpoints; k++)
            if (xds_endpoint_usable(&l->endpoints[k]) && !visit(s, &l->endpoints[k], arg))
                return false;
    }
    return true;
}

static bool take_down(struct search *s, const struct xds_endpoint *endpoint, void *arg)
{
    (void)arg;
    return need_down(s, endpoint);
}

static bool is_down(const struct search *s, const struct xds_endpoint *endpoint)
{
    enum xds_connectivity state;

    (void)xds_lb_connection(s->o->lb, endpoint, &state);
    return state == XDS_STATE_TRANSIENT_FAILURE;
}

static bool count_down(struct search *s, const struct xds_endpoint *endpoint, void *arg)
{
    size_t *n = arg;

    *n += is_down(s, endpoint);
    return true;
}

/* The request may have said that the endpoint is not connected; if nothing is said, it
 * is down while `arg` still asks for one, else idle. */
static bool take_down_or_idle(struct search *s, const struct xds_endpoint *endpoint,
                              void *arg)
{
    size_t *to_fail = arg;
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

/* ring_hash fails with its second failed endpoint unless one is connected. */
static bool fail_ring(struct search *s, const struct xds_pick *pick)
{
    size_t down = 0;

    (void)for_each_usable(s, pick->endpoints, pick->priority, count_down, &down);
    size_t to_fail = down < 2 ? 2 - down : 0;
    s->rpc_path.lazy = true;
    return for_each_usable(s, pick->endpoints, pick->priority, take_down_or_idle,
                           &to_fail) &&
           (to_fail == 0 || stop(s, XDS_WAY_PASSED, s->target));
}

static bool fail_priority(struct search *s, const struct xds_pick *pick)
{
    const bool ring =
        pick->policy->kind == XDS_LB_RING_HASH &&
        xds_usable_count(pick->endpoints, pick->priority, pick->priority) > 2;

    s->rpc_path.may_be_lazy |= ring;
    if (ring && s->lazy)
        return fail_ring(s, pick);
    return for_each_usable(s, pick->endpoints, pick->priority, take_down, NULL);
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
        return need(s, own->endpoint->addresses[own->address],
                    XDS_STATE_TRANSIENT_FAILURE);
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

static bool take_rival_down(struct search *s, const struct xds_endpoint *endpoint,
                            void *arg)
{
    const size_t before = s->n;

    (void)arg;
    if (endpoint == s->place->endpoint)
        return true;
    const bool ok = need_down(s, endpoint);
    s->rpc_path.n_rivals += s->n > before;
    return ok;
}

static bool fail_all_rivals(struct search *s)
{
    s->rpc_path.bulk = true;
    return for_each_usable(s, s->place->endpoints, s->place->locality->priority,
                           take_rival_down, NULL);
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

static bool refuses(const struct xds_pick *pick)
{
    return !pick->leaf || !pick->endpoints || pick->refused;
}

/* Take down what the RPC goes to. False: the search has ended. */
static bool step(struct search *s, const struct xds_pick *pick, bool bulk)
{
    const size_t before = s->n;
    bool ok;

    if (refuses(pick))
        return stop(s, XDS_WAY_REFUSED, xds_arena_dup(arena_of(s), pick->error));
    if (pick->error.data || pick->n_hosts == 0)
        return stop(s, XDS_WAY_PASSED, s->target);
    if (pick->why == XDS_HOST_OVERRIDE) {
        s->rpc_path.beats_cookie = true;
        ok = need(s, pick->host->endpoint->addresses[pick->host->address],
                  XDS_STATE_TRANSIENT_FAILURE);
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

static void assume_as_requested(struct search *s)
{
    const struct xds_request *request = s->o->lb->rpc->request;

    for (size_t i = 0; i < request->n_assumptions; i++)
        set_state(&s->states, arena_of(s), &request->assumptions[i]);
}

struct xds_rpc_path xds_rpc_path_find(const struct xds_observer *o,
                                      const struct xds_branch *branch,
                                      const struct xds_leaves *leaves,
                                      const struct xds_address_place *place, bool lazy)
{
    struct search s = {.o = o,
                       .branch = branch,
                       .leaves = leaves,
                       .place = place,
                       .target = xds_address_place_address(place),
                       .lazy = lazy};
    enum xds_connectivity state;

    xds_strmap_init(&s.states, arena_of(&s));
    xds_strmap_init(&s.needed, arena_of(&s));
    assume_as_requested(&s);
    if (xds_lb_assumes(o->lb, s.target, &state) && state == XDS_STATE_TRANSIENT_FAILURE)
        (void)stop(&s, XDS_WAY_TARGET_DOWN, s.target);
    else if (follow(&s))
        add_assumptions(&s);
    s.rpc_path.needs = s.needs;
    s.rpc_path.n_needs = s.n;
    return s.rpc_path;
}
