/*
 * pick.c - drops, circuit breaker, override host, priority, locality, endpoint.
 *
 * Source: spec routing 0 (step 5), 8.6, 10, 11 and 12.
 */
#include "lb/lb.h"

#include "lb/policy.h"

struct stage {
    const struct xds_lb *lb;
    struct xds_slice cluster;
    const struct xds_session *session;
    const struct xds_failover *failover;
};

static void note(struct xds_pick *out, struct xds_slice text)
{
    if (out->n_notes < XDS_PICK_NOTES)
        out->notes[out->n_notes++] = text;
}

/* ---- the cookie's host ---- */

static void use_override(struct xds_pick *out, const struct xds_override_pick *pick,
                         struct xds_arena *arena)
{
    struct xds_host *host = XDS_NEW(arena, struct xds_host);

    *host = pick->host;
    out->host = out->hosts = host;
    out->n_hosts = 1;
    out->why = XDS_HOST_OVERRIDE;
    out->waits = pick->waits;
    out->has_priority = true;
    out->priority = host->locality->priority;
}

static bool overridden(const struct stage *s, struct xds_pick *out)
{
    const struct xds_failover *f = s->failover;

    if (!s->session || s->session->cookie.n_addresses == 0)
        return false;
    const struct xds_override_pick pick =
        xds_override_host_pick(s->lb, out->leaf->cluster, out->endpoints,
                               f->works ? &f->candidates : NULL, &s->session->cookie);

    out->affinity_tried = true;
    out->affinity = pick.code;
    out->affinity_reason = pick.reason;
    if (pick.found)
        use_override(out, &pick, s->lb->rpc->arena);
    return pick.found;
}

/* ---- balancing ---- */

/* A ring over endpoints of which some may still connect lets RPCs wait for them, even
 * when it reports that it fails and no other priority is left. */
static bool ring_waits(const struct xds_lb *lb, const struct xds_failover *f)
{
    const struct xds_host_group all = {f->candidates.hosts, f->candidates.n};

    return f->policy->kind == XDS_LB_RING_HASH && !f->policy->wrr_locality &&
           !xds_ring_is_refused(lb, f->policy, all) &&
           xds_count_in_state(all, XDS_STATE_TRANSIENT_FAILURE) < all.n;
}

/* Does the result depend on nothing but the cluster? */
static bool is_repeatable(const struct stage *s, struct xds_request_key key)
{
    const struct xds_random *random = s->lb->rpc->random;

    return s->lb->memory && s->lb->states.n == 0 && !s->lb->live && !key.has_hash &&
           !key.own_header && random->next >= random->n;
}

static struct xds_balance balance_of(const struct stage *s, struct xds_request_key key)
{
    const struct xds_failover *f = s->failover;
    struct xds_lb_kept lb;

    if (!is_repeatable(s, key))
        return xds_hosts_balance(s->lb, f->policy, key, &f->candidates);
    void **slot = xds_strmap_at(&s->lb->memory->balances, s->cluster);
    if (!*slot) {
        struct xds_balance *kept = XDS_NEW(&s->lb->memory->arena, struct xds_balance);
        *kept = xds_hosts_balance(xds_lb_for_memory(s->lb, &lb), f->policy, key,
                                  &f->candidates);
        *slot = kept;
    }
    return *(const struct xds_balance *)*slot;
}

static bool nobody_is_ready(const struct xds_balance *b)
{
    for (size_t i = 0; i < b->n_hosts; i++)
        if (b->hosts[i].state == XDS_STATE_READY)
            return false;
    return b->n_hosts > 0;
}

static void note_rings(struct xds_pick *out)
{
    bool older_fails = false;

    for (size_t i = 0; i < out->n_rings; i++)
        older_fails = older_fails || out->rings[i].older_fails;
    if (older_fails)
        note(out, XDS_S("implementation dependent: a client from before gRFC A61 fails "
                        "this RPC, as the first two endpoints that its hash leads to "
                        "fail"));
}

static void balance(const struct stage *s, struct xds_request_key key,
                    struct xds_pick *out)
{
    const struct xds_failover *f = s->failover;
    const struct xds_balance b = balance_of(s, key);

    out->has_priority = true;
    out->priority = f->candidates.priority;
    out->hosts = b.hosts;
    out->n_hosts = b.n_hosts;
    out->host = b.host;
    out->why = b.why;
    out->waits = nobody_is_ready(&b);
    out->key = key;
    out->rings = b.rings;
    out->n_rings = b.n_rings;
    note_rings(out);
}

/* ---- a client that runs ---- */

static const struct xds_pick_result *picked(const struct stage *s)
{
    return s->lb->live ? s->lb->live->picked : NULL;
}

static bool has_address(const struct xds_endpoint *endpoint, struct xds_slice address,
                        size_t *index)
{
    for (*index = 0; *index < endpoint->n_addresses; ++*index)
        if (xds_slice_eq(endpoint->addresses[*index], address))
            return true;
    return false;
}

static bool find_candidate(const struct xds_candidates *c, struct xds_slice address,
                           struct xds_host *out)
{
    size_t index;

    for (size_t i = 0; i < c->n; i++) {
        if (!has_address(c->hosts[i].endpoint, address, &index))
            continue;
        *out = c->hosts[i];
        out->address = index;
        return true;
    }
    return false;
}

static bool find_endpoint(const struct xds_endpoints *all, struct xds_slice address,
                          struct xds_host *out)
{
    for (size_t i = 0; i < all->n_localities; i++)
        for (size_t k = 0; k < all->localities[i].n_endpoints; k++) {
            *out = (struct xds_host){.endpoint = &all->localities[i].endpoints[k],
                                     .locality = &all->localities[i]};
            if (has_address(out->endpoint, address, &out->address))
                return true;
        }
    return false;
}

/* Of an endpoint that is gone nothing but the address is known. */
static struct xds_host leftover(const struct stage *s, struct xds_slice address)
{
    struct xds_arena *arena = s->lb->rpc->arena;
    struct xds_endpoint *endpoint = XDS_NEW(arena, struct xds_endpoint);
    struct xds_locality *locality = XDS_NEW(arena, struct xds_locality);
    struct xds_slice *addresses = XDS_NEW(arena, struct xds_slice);

    *addresses = address;
    endpoint->addresses = addresses;
    endpoint->n_addresses = 1;
    locality->priority = s->failover->candidates.priority;
    return (struct xds_host){.endpoint = endpoint, .locality = locality};
}

static enum xds_host_why why_picked(const struct stage *s)
{
    switch (s->failover->policy->kind) {
    case XDS_LB_RING_HASH:
        return XDS_HOST_RING_HASH;
    case XDS_LB_PICK_FIRST:
        return XDS_HOST_PICK_FIRST;
    case XDS_LB_ROUND_ROBIN:
    case XDS_LB_LEAST_REQUEST:
    case XDS_LB_WEIGHTED_ROUND_ROBIN:
    case XDS_LB_OTHER:
        break;
    }
    return XDS_HOST_RANDOM;
}

/* pick_first keeps its connection until one to the candidates of an update is there. */
static struct xds_host host_of(const struct stage *s, struct xds_slice address)
{
    struct xds_host host;

    if (find_candidate(&s->failover->candidates, address, &host) ||
        find_endpoint(s->failover->endpoints, address, &host))
        return host;
    return leftover(s, address);
}

/* What the policies have picked is above what the connections suggest: an endpoint
 * that has failed stays so while it connects again. */
static void take_picked(const struct stage *s, struct xds_pick *out)
{
    const struct xds_pick_result *result = picked(s);
    struct xds_host *host = XDS_NEW(s->lb->rpc->arena, struct xds_host);

    out->waits = result->kind == XDS_PICK_QUEUE;
    if (!result->address.data)
        return;
    *host = host_of(s, result->address);
    host->state = out->waits ? XDS_STATE_CONNECTING : XDS_STATE_READY;
    xds_host_give(host, XDS_SHARE_ALL);
    out->host = out->hosts = host;
    out->n_hosts = 1;
    out->why = why_picked(s);
}

/* ---- the whole ---- */

/* A dropped RPC has no host; the list of hosts is that of the others. */
static void forget_host(struct xds_pick *out)
{
    out->host = NULL;
    out->why = XDS_HOST_OPEN;
    out->waits = false;
    out->affinity_tried = false;
}

static void fail_without_endpoint(const struct stage *s, struct xds_pick *out)
{
    out->error = xds_failing_text(s->lb, s->failover);
    note(out,
         XDS_S("an RPC with wait_for_ready does not fail but waits for an endpoint"));
}

/* False: no host can be reached. */
static bool may_balance(const struct stage *s)
{
    const struct xds_failover *f = s->failover;

    return picked(s) ? picked(s)->kind != XDS_PICK_FAIL
                     : f->works || ring_waits(s->lb, f);
}

static void note_held(const struct stage *s, struct xds_pick *out)
{
    note(out,
         xds_arena_printf(s->lb->rpc->arena,
                          "\"%.*s\" drops every RPC and so counts as ready, whatever its "
                          "endpoints do: the clusters after it are not tried",
                          XDS_FMT(out->leaf->name)));
}

/* The message names one category only. */
static void note_dropped_before(const struct stage *s, struct xds_pick *out)
{
    note(out,
         xds_arena_printf(s->lb->rpc->arena,
                          "%.10g%% of such RPCs are dropped by a category before "
                          "\"%.*s\"",
                          out->drops.before * 100, XDS_FMT(out->drops.cause->category)));
}

static void choose_host(const struct stage *s, struct xds_request_key key,
                        struct xds_pick *out)
{
    const struct xds_failover *f = s->failover;

    if (out->refused)
        s->lb->rpc->random->next = s->lb->rpc->random->n; /* no host is drawn any more */
    out->drawn = s->lb->rpc->random->next;
    if (!overridden(s, out)) {
        if (may_balance(s))
            balance(s, xds_ring_key(s->lb, f->policy, key), out);
        else if (!out->refused)
            fail_without_endpoint(s, out);
        if (picked(s))
            take_picked(s, out);
    }
    if (out->refused)
        forget_host(out);
}

static void pick_in_leaf(const struct stage *s, struct xds_request_key key,
                         struct xds_pick *out)
{
    const struct xds_refusal refusal =
        xds_refuse(s->lb->rpc, out->leaf->cluster, out->endpoints, s->failover->ready);
    const bool dropped = refusal.drops.dropped == XDS_CHANCE_YES;

    out->drops = refusal.drops;
    out->error = refusal.error;
    out->refused = refusal.error.data != NULL;
    if (s->failover->holds)
        note_held(s, out);
    if (dropped && refusal.drops.before > 0)
        note_dropped_before(s, out);
    if (dropped || !out->refused) /* the circuit breaker leaves no RPC that gets a host */
        choose_host(s, key, out);
}

struct xds_pick xds_pick_host(const struct xds_lb *lb, struct xds_slice cluster,
                              struct xds_request_key key,
                              const struct xds_session *session)
{
    const struct xds_failover *f = xds_failover_of(lb, cluster);
    const struct stage s = {lb, cluster, session, f};
    struct xds_pick out = {.error = f->error, .key = key};

    if (out.error.data)
        return out;
    out.leaf = f->leaf;
    out.policy = f->policy;
    out.endpoints = f->endpoints;
    out.tries = f->tries;
    out.n_tries = f->n_tries;
    out.drops.share = XDS_SHARE_NONE;
    if (f->endpoints)
        pick_in_leaf(&s, key, &out);
    else
        out.error = xds_failing_text(lb, f);
    out.code = f->code;
    return out;
}
