/*
 * hosts.c - turn candidates into shares, or into the host that was drawn.
 *
 * Source: gRFC A42, A48, A52, A58, A61, A62, A113, spec routing 6, 9 and 10.
 */
#include "lb/lb.h"

#include <stdlib.h>

#include "clients/environment.h"

struct work {
    const struct xds_lb *lb;
    const struct xds_lb_policy *policy;
    struct xds_request_key key;
    const struct xds_candidates *candidates; /* as they are */
    struct xds_candidates out;               /* with shares */
    struct xds_ring_use *rings;
    size_t n_rings;
    bool drawn;
};

/* While one is READY no RPC waits for the others. */
static enum xds_connectivity least_state(struct xds_host_group g)
{
    return xds_count_in_state(g, XDS_STATE_READY) ? XDS_STATE_READY : XDS_STATE_IDLE;
}

static size_t count_from(struct xds_host_group g, enum xds_connectivity least)
{
    size_t n = 0;

    for (size_t i = 0; i < g.n; i++)
        n += g.hosts[i].state >= least;
    return n;
}

/* ---- round_robin, weighted_round_robin, least_request ---- */

static struct xds_host *nth_from(struct xds_host_group g, enum xds_connectivity least,
                                 uint64_t n)
{
    for (size_t i = 0; i < g.n; i++)
        if (g.hosts[i].state >= least && n-- == 0)
            return g.hosts + i;
    return NULL;
}

/* Uniform over a group that holds `share` of the RPCs; draws if the group is certain. */
static void spread(struct work *w, struct xds_host_group g, enum xds_connectivity least,
                   struct xds_share share)
{
    const size_t n = count_from(g, least);
    uint64_t number = 0;

    if (n == 0)
        return;
    if (xds_share_is_all(share) && n > 1 &&
        xds_random_draw(w->lb->rpc->random, n, &number)) {
        struct xds_host *host = nth_from(g, least, number);
        if (host)
            xds_host_give(host, share);
        w->drawn = true;
        return;
    }
    const struct xds_share each = xds_share_times(share, xds_share_of(1, n));

    for (size_t i = 0; i < g.n; i++)
        if (g.hosts[i].state >= least)
            xds_host_give(&g.hosts[i], each);
}

/* ---- pick_first ---- */

/* An address of one of the endpoints. */
struct place {
    struct xds_host *host;
    size_t address;
};

static size_t count_addresses(struct xds_host_group g)
{
    size_t n = 0;

    for (size_t i = 0; i < g.n; i++)
        n += g.hosts[i].endpoint->n_addresses;
    return n;
}

/* All addresses in the order in which pick_first tries them: those of one endpoint after
 * those of the other, then by turns of the families. */
static struct place *places_in_order(const struct work *w, struct xds_host_group g,
                                     size_t n)
{
    struct xds_arena *arena = w->lb->rpc->arena;
    struct place *list = XDS_NEW_ARRAY(arena, struct place, n);
    struct xds_slice *addresses = XDS_NEW_ARRAY(arena, struct xds_slice, n);
    size_t *order = XDS_NEW_ARRAY(arena, size_t, n), at = 0;

    for (size_t i = 0; i < g.n; i++)
        for (size_t k = 0; k < g.hosts[i].endpoint->n_addresses; k++, at++) {
            list[at] = (struct place){&g.hosts[i], k};
            addresses[at] = g.hosts[i].endpoint->addresses[k];
        }
    if (!xds_lb_interleaves(w->lb) || !xds_interleave(addresses, n, order))
        return list;
    struct place *turns = XDS_NEW_ARRAY(arena, struct place, n);

    for (size_t i = 0; i < n; i++)
        turns[i] = list[order[i]];
    return turns;
}

/* The endpoint that the policy is said to be connected to: it stays there. */
static struct xds_host *connected(const struct work *w, struct xds_host_group g)
{
    for (size_t i = 0; i < g.n; i++)
        if (xds_lb_assumes_ready(w->lb, xds_host_address_of(&g.hosts[i])))
            return g.hosts + i;
    return NULL;
}

static struct xds_host *first_to_connect(const struct work *w, struct xds_host_group g)
{
    if (w->lb->states.n == 0)
        return g.hosts;
    const size_t n = count_addresses(g);
    const struct place *list = places_in_order(w, g, n);

    for (size_t i = 0; i < n; i++) {
        struct xds_host *host = list[i].host;
        const enum xds_connectivity state =
            xds_lb_state_of(w->lb, host->endpoint->addresses[list[i].address]);

        if (state == XDS_STATE_TRANSIENT_FAILURE)
            continue;
        host->address = list[i].address;
        host->state = state;
        return host;
    }
    return NULL;
}

static uint64_t sum_of(struct xds_host_group g, const uint64_t *weights)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < g.n; i++)
        if (g.hosts[i].state >= XDS_STATE_IDLE)
            sum += weights[i];
    return sum;
}

/* A113: the first place falls to an endpoint in proportion to its weight. */
static void shuffle_by_weight(struct work *w, struct xds_host_group g,
                              struct xds_share share)
{
    const uint64_t *weights = xds_endpoint_weights(w->lb, w->candidates, g);
    const uint64_t sum = sum_of(g, weights);
    uint64_t number = 0, end = 0;
    const bool draw = xds_share_is_all(share) && count_from(g, XDS_STATE_IDLE) > 1 &&
                      xds_random_draw(w->lb->rpc->random, sum, &number);

    for (size_t i = 0; i < g.n; i++) {
        const uint64_t begin = end;

        if (g.hosts[i].state < XDS_STATE_IDLE)
            continue;
        end += weights[i];
        if (draw && (number < begin || number >= end))
            continue;
        xds_host_give(&g.hosts[i],
                      draw ? share
                           : xds_share_times(share, xds_share_of(weights[i], sum)));
    }
    w->drawn = w->drawn || draw;
}

static void pick_first(struct work *w, struct xds_host_group g, struct xds_share share)
{
    const struct xds_rpc *rpc = w->lb->rpc;
    struct xds_host *host = connected(w, g);

    if (!host && !w->policy->shuffle_address_list)
        host = first_to_connect(w, g);
    if (host)
        xds_host_give(host, share);
    else if (xds_env_on(rpc->options, XDS_ENV_PF_WEIGHTED_SHUFFLING, rpc->client))
        shuffle_by_weight(w, g, share);
    else
        spread(w, g, XDS_STATE_IDLE, share);
}

/* ---- ring_hash ---- */

/* The candidates as they are: what a ring is described with must not change. */
static struct xds_host_group untouched(const struct work *w, struct xds_host_group g)
{
    return (struct xds_host_group){w->candidates->hosts + (g.hosts - w->out.hosts), g.n};
}

static void ring_hash(struct work *w, struct xds_host_group g, struct xds_share share)
{
    if (!w->rings) /* at most one per candidate */
        w->rings = XDS_NEW_ARRAY(w->lb->rpc->arena, struct xds_ring_use, w->out.n);
    struct xds_ring_use *use = &w->rings[w->n_rings++];

    *use = (struct xds_ring_use){.group = untouched(w, g), .key = w->key};
    use->ring = xds_host_ring_of(w->lb, w->policy, w->candidates, use->group);
    if (w->policy->wrr_locality)
        use->locality = g.hosts->locality;
    if (!w->key.has_hash) {
        xds_ring_spread(w->lb, use, share, g.hosts);
        return;
    }
    const struct xds_host *host = xds_ring_walk(w->lb, use);

    if (host)
        xds_host_give(&g.hosts[host - use->group.hosts], share);
}

/* ---- localities ---- */

static void decide_in(struct work *w, struct xds_host_group g, struct xds_share share)
{
    switch (w->policy->kind) {
    case XDS_LB_PICK_FIRST:
        pick_first(w, g, share);
        return;
    case XDS_LB_RING_HASH:
        ring_hash(w, g, share);
        return;
    case XDS_LB_ROUND_ROBIN:
    case XDS_LB_LEAST_REQUEST:
    case XDS_LB_WEIGHTED_ROUND_ROBIN:
    case XDS_LB_OTHER:
        spread(w, g, least_state(g), share);
        return;
    }
}

/* A locality that may be picked. */
struct part {
    struct xds_host_group group;
    struct xds_slice name; /* by which numbers are laid out; absent without numbers */
    uint64_t weight;
};

static int compare_parts(const void *left, const void *right)
{
    const struct part *a = left, *b = right;
    const int name = xds_slice_cmp(a->name, b->name);

    return name ? name
                : (a->group.hosts > b->group.hosts) - (a->group.hosts < b->group.hosts);
}

/* weighted_target picks among its READY children only. */
static size_t list_parts(const struct work *w, struct part *parts, uint64_t *sum)
{
    const bool drawing = w->lb->rpc->random->next < w->lb->rpc->random->n;
    const enum xds_connectivity whole =
        xds_priority_state(w->lb, w->policy, w->candidates);
    size_t n = 0;

    for (size_t i = 0; i < w->out.n;) {
        const struct xds_host_group g = xds_locality_at(&w->out, i);
        const enum xds_connectivity state = xds_policy_state(w->lb, w->policy, g);
        const struct xds_locality *locality = g.hosts->locality;

        i += g.n;
        if (state == XDS_STATE_TRANSIENT_FAILURE ||
            (whole == XDS_STATE_READY && state != whole))
            continue;
        parts[n++] = (struct part){.group = g, .weight = locality->weight};
        if (drawing)
            parts[n - 1].name = xds_locality_name(w->lb->rpc->arena, locality);
        *sum += locality->weight;
    }
    if (drawing && n > 1)
        qsort(parts, n, sizeof(*parts), compare_parts);
    return n;
}

/* xds_wrr_locality: first the locality by weight, then the endpoint policy inside. */
static void decide_by_locality(struct work *w)
{
    struct part *parts = XDS_NEW_ARRAY(w->lb->rpc->arena, struct part, w->out.n);
    uint64_t sum = 0, number = 0, end = 0;
    const size_t n = list_parts(w, parts, &sum);
    const bool draw =
        sum > 0 && n > 1 && xds_random_draw(w->lb->rpc->random, sum, &number);

    for (size_t i = 0; i < n; i++) {
        const uint64_t begin = end;

        end += parts[i].weight;
        if (draw && (number < begin || number >= end))
            continue;
        decide_in(w, parts[i].group,
                  draw ? XDS_SHARE_ALL : xds_share_of(parts[i].weight, sum ? sum : 1));
    }
    w->drawn = w->drawn || draw;
}

/* ---- the policy as a whole ---- */

static void say_nothing(struct xds_candidates *c)
{
    if (c->n == 1) {
        xds_host_give(c->hosts, XDS_SHARE_ALL);
        return;
    }
    for (size_t i = 0; i < c->n; i++) {
        xds_host_give(&c->hosts[i], xds_share_about(0));
        c->hosts[i].probability = XDS_NOT_COMPUTABLE;
    }
}

/* Only those that can be picked stay in the list. */
static void keep_possible(struct xds_candidates *c)
{
    size_t n = 0;

    for (size_t i = 0; i < c->n; i++)
        if (c->hosts[i].probability > 0 || c->hosts[i].probability == XDS_NOT_COMPUTABLE)
            c->hosts[n++] = c->hosts[i];
    c->n = n;
}

static enum xds_host_why why_certain(const struct work *w)
{
    if (w->drawn)
        return XDS_HOST_RANDOM;
    if (w->candidates->n > 1 && w->policy->kind == XDS_LB_RING_HASH)
        return XDS_HOST_RING_HASH;
    if (w->candidates->n > 1 && w->policy->kind == XDS_LB_PICK_FIRST)
        return XDS_HOST_PICK_FIRST;
    return XDS_HOST_ONLY;
}

static struct xds_balance balance_of(const struct work *w)
{
    const struct xds_candidates *c = &w->out;
    const bool certain = c->n == 1 && c->hosts->probability > 0;

    return (struct xds_balance){.hosts = c->hosts,
                                .n_hosts = c->n,
                                .host = certain ? c->hosts : NULL,
                                .why = certain ? why_certain(w) : XDS_HOST_OPEN,
                                .rings = w->rings,
                                .n_rings = w->n_rings};
}

/* One search of the ring; the other candidates are not even looked at. */
static struct xds_balance balance_by_hash(struct work *w)
{
    struct xds_arena *arena = w->lb->rpc->arena;
    struct xds_ring_use *use = XDS_NEW(arena, struct xds_ring_use);

    *use = (struct xds_ring_use){.group = {w->candidates->hosts, w->candidates->n},
                                 .key = w->key};
    use->ring = xds_host_ring_of(w->lb, w->policy, w->candidates, use->group);
    w->rings = use;
    w->n_rings = 1;
    const struct xds_host *host = xds_ring_walk(w->lb, use);

    if (host) {
        w->out.hosts = XDS_NEW(arena, struct xds_host);
        *w->out.hosts = *host;
        xds_host_give(w->out.hosts, XDS_SHARE_ALL);
        w->out.n = 1;
    }
    return balance_of(w);
}

static void copy_candidates(struct work *w)
{
    struct xds_arena *arena = w->lb->rpc->arena;
    const size_t n = w->candidates->n;

    w->out = *w->candidates;
    w->out.hosts = XDS_NEW_ARRAY(arena, struct xds_host, n);
    if (n)
        memcpy(w->out.hosts, w->candidates->hosts, n * sizeof(*w->out.hosts));
}

struct xds_balance xds_hosts_balance(const struct xds_lb *lb,
                                     const struct xds_lb_policy *policy,
                                     struct xds_request_key key,
                                     const struct xds_candidates *candidates)
{
    struct work w = {lb, policy, key, candidates, {0, NULL, 0}, NULL, 0, false};
    const bool by_locality = policy->wrr_locality;

    if (candidates->n == 0)
        return balance_of(&w);
    if (policy->kind == XDS_LB_RING_HASH && key.has_hash && !by_locality)
        return balance_by_hash(&w);
    copy_candidates(&w);
    if (policy->kind == XDS_LB_OTHER)
        say_nothing(&w.out);
    else if (by_locality)
        decide_by_locality(&w);
    else
        decide_in(&w, (struct xds_host_group){w.out.hosts, w.out.n}, XDS_SHARE_ALL);
    keep_possible(&w.out);
    return balance_of(&w);
}
