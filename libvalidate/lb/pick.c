/*
 * pick.c - one RPC through the LB policies of its cluster: drops, circuit breaker, and
 *          what their pickers make of it.
 *
 * Source: spec routing 0 (step 5), 8.6, 10, 11 and 12.
 */
#include "lb/tree.h"

#include <stdlib.h>

struct stage {
    const struct xds_lb *lb;
    struct xds_slice cluster;
    const struct xds_session *session;
    const struct xds_failover *failover;
};

XDS_PRINTF(3, 4)
static void note(const struct stage *s, struct xds_pick *out, const char *format, ...)
{
    va_list args;

    if (out->n_notes == XDS_PICK_NOTES)
        return;
    va_start(args, format);
    out->notes[out->n_notes++] = xds_arena_vprintf(s->lb->rpc->arena, format, args);
    va_end(args);
}

/* ---- whose an address is ---- */

static bool has_address(const struct xds_endpoint *endpoint, struct xds_slice address,
                        size_t *index)
{
    for (*index = 0; *index < endpoint->n_addresses; ++*index)
        if (xds_slice_eq(endpoint->addresses[*index], address))
            return true;
    return false;
}

/* The candidate of an address, looked for from the place `from` on; n: there is none. */
static size_t find_candidate(const struct xds_candidates *c,
                             const struct xds_pick_share *share, size_t from,
                             size_t *address)
{
    if (share->host && has_address(share->host->endpoint, share->address, address))
        return (size_t)(share->host - c->hosts);
    for (size_t k = 0; k < c->n; k++) {
        const size_t i = from + k < c->n ? from + k : from + k - c->n;

        if (has_address(c->hosts[i].endpoint, share->address, address))
            return i;
    }
    return c->n;
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

/* The host of a connection that pick_first keeps until one to the candidates of an update
 * is there. Of an endpoint that is gone nothing is known but its address. */
static struct xds_host kept_connection(const struct stage *s, struct xds_slice address)
{
    struct xds_arena *arena = s->lb->rpc->arena;
    struct xds_host host;

    if (find_endpoint(s->failover->endpoints, address, &host))
        return host;
    struct xds_endpoint *endpoint = XDS_NEW(arena, struct xds_endpoint);
    struct xds_locality *locality = XDS_NEW(arena, struct xds_locality);
    struct xds_slice *addresses = XDS_NEW(arena, struct xds_slice);

    *addresses = address;
    endpoint->addresses = addresses;
    endpoint->n_addresses = 1;
    locality->priority = s->failover->candidates.priority;
    return (struct xds_host){.endpoint = endpoint, .locality = locality};
}

/* ---- balancing ---- */

/* Of the rounding of doubles no RPC fails. */
#define LEAST_FAILING 1e-9

/* What the pickers make of an RPC. */
struct xds_balance {
    const struct xds_host *hosts; /* those that can be picked, or not computable */
    size_t n_hosts;
    bool drawn;
    struct xds_ring_use *rings;
    size_t n_rings;
};

/* A host, and its place in the order in which they are reported. */
struct place {
    struct xds_host host;
    size_t at;
};

static int compare_places(const void *left, const void *right)
{
    const struct place *a = left, *b = right;

    return (a->at > b->at) - (a->at < b->at);
}

/* In the order of the candidates. The shares of an address may be several: of children
 * that are connected to it. */
static void take_shares(const struct stage *s, const struct xds_pick_shares *shares,
                        struct xds_balance *out)
{
    const struct xds_candidates *c = &s->failover->candidates;
    struct xds_arena *arena = s->lb->rpc->arena;
    struct xds_host *hosts = XDS_NEW_ARRAY(arena, struct xds_host, shares->n);
    size_t *at = XDS_NEW_ARRAY(arena, size_t, shares->n);
    size_t n = 0, next = 0;
    bool sorted = true;

    for (size_t i = 0; i < shares->n; i++) {
        const struct xds_pick_share *share = &shares->list[i];
        size_t address = 0;

        if (share->share.value <= 0)
            continue;
        at[n] = find_candidate(c, share, next, &address);
        if (at[n] < c->n) {
            hosts[n] = c->hosts[at[n]];
            hosts[n].address = address;
        } else {
            hosts[n] = kept_connection(s, share->address);
        }
        hosts[n].state = share->state;
        xds_host_give(&hosts[n], share->share);
        sorted = sorted && (n == 0 || at[n - 1] <= at[n]);
        next = at[n] < c->n ? at[n] + 1 : 0;
        n++;
    }
    if (!sorted) {
        struct place *places = XDS_NEW_ARRAY(arena, struct place, n);

        for (size_t i = 0; i < n; i++)
            places[i] = (struct place){hosts[i], at[i]};
        qsort(places, n, sizeof *places, compare_places);
        for (size_t i = 0; i < n; i++)
            hosts[i] = places[i].host;
    }
    out->hosts = hosts;
    out->n_hosts = n;
}

static struct xds_balance all_unknown(const struct stage *s)
{
    const struct xds_candidates *c = &s->failover->candidates;
    struct xds_host *hosts = XDS_NEW_ARRAY(s->lb->rpc->arena, struct xds_host, c->n);

    for (size_t i = 0; i < c->n; i++) {
        hosts[i] = c->hosts[i];
        xds_host_give(&hosts[i], c->n == 1 ? XDS_SHARE_ALL : xds_share_about(0));
        if (c->n > 1)
            hosts[i].probability = XDS_NOT_COMPUTABLE;
    }
    return (struct xds_balance){.hosts = hosts, .n_hosts = c->n};
}

static struct xds_balance ask(const struct stage *s, struct xds_request_key key)
{
    const struct xds_failover *f = s->failover;
    const struct xds_rpc *rpc = s->lb->rpc;
    struct xds_policy *root = &f->root->stand_in.policy;
    const struct xds_pick_call call = {.random = rpc->random,
                                       .has_hash = key.has_hash,
                                       .hash = key.hash,
                                       .any_ready = key.any_ready};
    struct xds_pick_shares shares = {.arena = rpc->arena};
    struct xds_arena *step_arena = root->machine->step_arena;
    const size_t drawn = rpc->random->next;

    if (xds_lb_traits(f->policy)->open && f->works)
        return all_unknown(s);
    root->machine->step_arena = rpc->arena; /* rings and their steps are reported later */
    if (!key.has_hash)                      /* each may have its share */
        xds_pick_shares_room(&shares, f->candidates.n);
    root->ops->shares(root, &call, XDS_SHARE_ALL, &shares);
    root->machine->step_arena = step_arena;
    struct xds_balance out = {.drawn = rpc->random->next > drawn,
                              .rings = shares.rings,
                              .n_rings = shares.n_rings};

    for (size_t i = 0; i < shares.n_rings; i++)
        shares.rings[i].key = key;
    take_shares(s, &shares, &out);
    return out;
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
    struct xds_lb_kept kept;

    if (!is_repeatable(s, key))
        return ask(s, key);
    void **slot = xds_strmap_at(&s->lb->memory->balances, s->cluster);
    if (!*slot) {
        struct xds_balance *balance = XDS_NEW(&s->lb->memory->arena, struct xds_balance);
        struct stage lasting = *s;

        lasting.lb = xds_lb_for_memory(s->lb, &kept);
        *balance = ask(&lasting, key);
        *slot = balance;
    }
    return *(const struct xds_balance *)*slot;
}

static enum xds_host_why why_certain(const struct stage *s, const struct xds_balance *b)
{
    const struct xds_failover *f = s->failover;

    if (b->drawn)
        return XDS_HOST_RANDOM;
    const struct xds_lb_traits *row = xds_lb_traits(f->policy);

    return f->candidates.n > 1 && (row->hashes || row->chosen) ? XDS_HOST_POLICY
                                                               : XDS_HOST_ONLY;
}

static void balance(const struct stage *s, struct xds_request_key key,
                    struct xds_pick *out)
{
    const struct xds_failover *f = s->failover;
    const struct xds_balance b = balance_of(s, key);
    bool any_ready = false, older_fails = false;
    double sum = 0;

    for (size_t i = 0; i < b.n_hosts; i++) {
        any_ready = any_ready || b.hosts[i].state == XDS_STATE_READY;
        sum += b.hosts[i].probability;
    }
    for (size_t i = 0; i < b.n_rings; i++)
        older_fails = older_fails || b.rings[i].older_fails;
    out->has_priority = true;
    out->priority = f->candidates.priority;
    out->hosts = b.hosts;
    out->n_hosts = b.n_hosts;
    out->waits = b.n_hosts > 0 && !any_ready;
    out->key = key;
    out->rings = b.rings;
    out->n_rings = b.n_rings;
    if (b.n_hosts == 1 && b.hosts->probability > 1 - LEAST_FAILING) {
        out->host = b.hosts;
        out->why = why_certain(s, &b);
    }
    if (sum > 0 && sum < 1 - LEAST_FAILING)
        note(s, out,
             "%.10g%% of such RPCs fail: the locality that they go "
             "to has no endpoint that can be reached",
             (1 - sum) * 100);
    if (older_fails)
        note(s, out,
             "implementation dependent: a client from before gRFC A61 fails this RPC, as "
             "the first two endpoints that its hash leads to fail");
}

/* ---- the whole ---- */

static void fail(const struct stage *s, struct xds_pick *out)
{
    const struct xds_rpc_failure *fault = xds_failure_row(XDS_FAILURE_CLIENT_FAULT);

    out->error = xds_failing_text(s->lb, s->failover);
    if (out->error.reason == fault) {
        out->code = XDS_S("INTERNAL");
        note(s, out, "the channel has died: all its RPCs fail from now on");
    } else {
        note(s, out,
             "an RPC with wait_for_ready does not fail but waits for an endpoint");
    }
}

static void choose_host(const struct stage *s, struct xds_request_key key,
                        struct xds_pick *out)
{
    const struct xds_failover *f = s->failover;
    const struct xds_lb_report *report = &f->root->stand_in.policy.report;
    const bool has_cookie = s->session && s->session->cookie.n_addresses > 0;

    if (out->refused)
        s->lb->rpc->random->next = s->lb->rpc->random->n; /* no host is drawn any more */
    out->drawn = s->lb->rpc->random->next;
    if (!has_cookie || !xds_override_host_pick(s->lb, f, &s->session->cookie, out)) {
        const struct xds_pick before = *out;

        balance(s, xds_ring_key(s->lb, f->policy, key), out);
        if (out->n_hosts == 0 && (!report->has_picker || report->only_sessions)) {
            out->waits = true;
        } else if (out->n_hosts == 0 && (s->lb->live || !f->works)) {
            *out = before;
            if (!out->refused)
                fail(s, out);
        }
    }
    if (out->refused) {
        /* A dropped RPC has no host; the list of hosts is that of the others. */
        out->host = NULL;
        out->why = XDS_HOST_OPEN;
        out->waits = false;
        out->affinity_tried = false;
    }
}

static void pick_in_leaf(const struct stage *s, struct xds_request_key key,
                         struct xds_pick *out)
{
    const struct xds_refusal refusal =
        xds_refuse(s->lb->rpc, out->leaf->cluster, out->endpoints, s->failover->ready);
    const bool dropped = refusal.drops.dropped == XDS_CHANCE_YES;

    out->drops = refusal.drops;
    out->error = refusal.error;
    out->refused = refusal.error.text.data != NULL;
    if (s->failover->holds)
        note(s, out,
             "\"%.*s\" drops every RPC and so counts as ready, whatever its "
             "endpoints do: the clusters after it are not tried",
             XDS_FMT(out->leaf->name));
    if (dropped && refusal.drops.before > 0) {
        /* The message names one category only. */
        note(s, out, "%.10g%% of such RPCs are dropped by a category before \"%.*s\"",
             out->drops.before * 100, XDS_FMT(out->drops.cause->category));
    }
    if (dropped || !out->refused) /* the circuit breaker leaves no RPC that gets a host */
        choose_host(s, key, out);
}

struct xds_pick xds_pick_host(const struct xds_lb *lb, struct xds_slice cluster,
                              struct xds_request_key key,
                              const struct xds_session *session)
{
    const struct xds_failover *f = xds_failover_of(lb, cluster, session != NULL);
    const struct stage s = {lb, cluster, session, f};
    struct xds_pick out = {.error = f->error, .code = f->code, .key = key};

    if (out.error.text.data)
        return out;
    out.leaf = &f->leaf->leaf;
    out.policy = f->policy;
    out.endpoints = f->endpoints;
    out.tries = f->tries;
    out.n_tries = f->n_tries;
    out.drops.share = XDS_SHARE_NONE;
    if (f->endpoints)
        pick_in_leaf(&s, key, &out);
    else
        out.error = xds_failing_text(lb, f);
    return out;
}
