/*
 * hosts.c - turn candidates into probabilities, or into the host that was drawn.
 *
 * Takes:  the candidates of the priority in use, the leaf's LB policy, the request hash,
 *         at most one number for the locality and one for the endpoint.
 * Gives:  probabilities that sum to 1. A choice among one needs no number.
 * Source: gRFC A42, A48, A52, A58, A61, A62, A113, spec routing 9 and 10.
 */
#include "lb/hosts.h"

#include "base/options.h"
#include "lb/ring_hash.h"

/* A run of candidates. */
struct group {
    struct xds_host *hosts;
    size_t n;
};

static bool can_pick(const struct xds_host *host, bool only_ready)
{
    return only_ready ? host->state == XDS_ASSUME_READY
                      : host->state != XDS_ASSUME_TRANSIENT_FAILURE;
}

/* While one is READY nobody waits for the others. */
static bool any_ready(const struct xds_candidates *c)
{
    for (size_t i = 0; i < c->n; i++)
        if (c->hosts[i].state == XDS_ASSUME_READY)
            return true;
    return false;
}

static size_t count_pickable(struct group g, bool only_ready)
{
    size_t n = 0;

    for (size_t i = 0; i < g.n; i++)
        n += can_pick(&g.hosts[i], only_ready);
    return n;
}

/* The candidates of one locality, beginning at `from`. */
static struct group locality_at(const struct xds_candidates *c, size_t from)
{
    size_t end = from;

    while (end < c->n && c->hosts[end].locality == c->hosts[from].locality)
        end++;
    return (struct group){c->hosts + from, end - from};
}

/* ---- round_robin, weighted_round_robin, least_request ----------------------------- */

static struct xds_host *nth_pickable(struct group g, bool only_ready, uint64_t n)
{
    for (size_t i = 0; i < g.n; i++)
        if (can_pick(&g.hosts[i], only_ready) && n-- == 0)
            return g.hosts + i;
    return NULL;
}

/* Uniform over a group that holds `share` of the RPCs; draws if the group is certain. */
static void spread(const struct xds_rpc *rpc, struct group g, bool only_ready,
                   double share, bool *drawn)
{
    const size_t n = count_pickable(g, only_ready);
    uint64_t number = 0;

    if (share >= 1 && n > 1 && xds_random_draw(rpc->random, n, &number)) {
        struct xds_host *host = nth_pickable(g, only_ready, number);
        if (host)
            host->probability = 1;
        *drawn = true;
        return;
    }
    for (size_t i = 0; i < g.n; i++)
        if (can_pick(&g.hosts[i], only_ready))
            g.hosts[i].probability = share / (double)n;
}

/* ---- pick_first ------------------------------------------------------------------- */

static uint64_t group_weight(struct group g)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < g.n; i++)
        if (can_pick(&g.hosts[i], false))
            sum += g.hosts[i].endpoint->weight;
    return sum;
}

/* A113: the first place falls to an endpoint in proportion to its weight. */
static void shuffle_by_weight(const struct xds_rpc *rpc, struct group g, double share,
                              bool *drawn)
{
    const uint64_t sum = group_weight(g);
    uint64_t number = 0, end = 0;

    if (sum == 0) {
        spread(rpc, g, false, share, drawn);
        return;
    }
    const bool draw = share >= 1 && count_pickable(g, false) > 1 &&
                      xds_random_draw(rpc->random, sum, &number);
    for (size_t i = 0; i < g.n; i++) {
        struct xds_host *host = &g.hosts[i];
        if (!can_pick(host, false))
            continue;
        const uint64_t begin = end;
        end += host->endpoint->weight;
        host->probability = draw ? (number >= begin && number < end)
                                 : share * (double)host->endpoint->weight / (double)sum;
    }
    *drawn = *drawn || draw;
}

static void first_of(const struct xds_rpc *rpc, struct group g, double share,
                     const struct xds_lb_policy *policy, bool *drawn)
{
    if (!policy->shuffle_address_list) {
        struct xds_host *host = nth_pickable(g, false, 0);
        if (host)
            host->probability = share;
        return;
    }
    if (xds_env_on(rpc->options, XDS_ENV_PF_WEIGHTED_SHUFFLING, rpc->client))
        shuffle_by_weight(rpc, g, share, drawn);
    else
        spread(rpc, g, false, share, drawn);
}

/* ---- ring_hash -------------------------------------------------------------------- */

/* What a 32-bit signed number makes of a weight: C-core reads it so (spec 9.1). */
static uint64_t weight_of_core(uint32_t locality, uint32_t endpoint)
{
    const uint32_t own = endpoint > INT32_MAX || endpoint == 0 ? 1 : endpoint;
    const uint32_t product = (uint32_t)((uint64_t)locality * own);

    return product > INT32_MAX || product == 0 ? 1 : product;
}

static struct xds_slice ring_key(const struct xds_rpc *rpc, const struct xds_endpoint *e)
{
    const bool reads_hash_key =
        !xds_env_on(rpc->options, XDS_ENV_ENDPOINT_HASH_KEY_BACKWARD_COMPAT, rpc->client);

    if (reads_hash_key && e->hash_key.len)
        return e->hash_key;
    if (rpc->client == XDS_CLIENT_JAVA)
        return xds_arena_printf(rpc->arena, "/%.*s", XDS_FMT(e->addresses[0]));
    return e->addresses[0];
}

static uint64_t plain_weight(const struct xds_host *host)
{
    return host->endpoint->weight ? host->endpoint->weight : 1;
}

/* A113: both parts as fractions of 2^31, so that the product never overflows. */
static void weigh_by_share(const struct xds_candidates *c,
                           struct xds_ring_member *members)
{
    const uint64_t one = (uint64_t)1 << 31;
    uint64_t localities = 0;

    for (size_t i = 0; i < c->n; i += locality_at(c, i).n)
        localities += c->hosts[i].locality->weight;
    for (size_t i = 0; i < c->n;) {
        const struct group g = locality_at(c, i);
        const uint64_t lw =
            g.hosts->locality->weight * one / (localities ? localities : 1);
        uint64_t sum = 0;

        for (size_t k = 0; k < g.n; k++)
            sum += plain_weight(&g.hosts[k]);
        for (size_t k = 0; k < g.n; k++, i++) {
            const uint64_t w = (lw * (plain_weight(&g.hosts[k]) * one / sum)) >> 31;
            members[i].weight = w ? w : 1;
        }
    }
}

static void weigh_members(const struct xds_rpc *rpc, const struct xds_candidates *c,
                          struct xds_ring_member *members)
{
    if (xds_env_on(rpc->options, XDS_ENV_PF_WEIGHTED_SHUFFLING, rpc->client)) {
        weigh_by_share(c, members);
        return;
    }
    for (size_t i = 0; i < c->n; i++) {
        const struct xds_host *h = &c->hosts[i];
        members[i].weight =
            rpc->client == XDS_CLIENT_CORE
                ? weight_of_core(h->locality->weight, h->endpoint->weight)
                : (h->locality->weight ? h->locality->weight : 1) * plain_weight(h);
    }
}

/* A random hash: each arc leads to the first endpoint from there on that has not failed.
 * Two rounds backwards know it for every entry. */
static void spread_over_arcs(const struct xds_ring *ring, struct xds_host *hosts)
{
    struct xds_host *next = NULL;

    for (size_t k = 2 * ring->n; k-- > 0;) {
        struct xds_host *here = &hosts[ring->entries[k % ring->n].member];
        if (can_pick(here, false))
            next = here;
        if (k < ring->n && next)
            next->probability += xds_ring_arc(ring, k);
    }
}

static void decide_by_ring(const struct xds_rpc *rpc, const struct xds_lb_policy *policy,
                           struct xds_request_key key, struct xds_candidates *c)
{
    struct xds_ring_member *members =
        XDS_NEW_ARRAY(rpc->arena, struct xds_ring_member, c->n);

    for (size_t i = 0; i < c->n; i++)
        members[i].key = ring_key(rpc, c->hosts[i].endpoint);
    weigh_members(rpc, c, members);
    const struct xds_ring ring = xds_ring_build(
        rpc->arena, members, c->n, policy->min_ring_size, policy->max_ring_size,
        xds_env_number(rpc->options, XDS_ENV_RING_HASH_CAP, 4096),
        rpc->client == XDS_CLIENT_JAVA);

    if (!key.has_hash) {
        spread_over_arcs(&ring, c->hosts);
        return;
    }
    size_t at = xds_ring_find(&ring, key.hash);
    for (size_t i = 0; i < ring.n; i++, at = (at + 1) % ring.n)
        if (can_pick(&c->hosts[ring.entries[at].member], false)) {
            c->hosts[ring.entries[at].member].probability = 1;
            return;
        }
}

/* ---- the policy as a whole -------------------------------------------------------- */

static void decide_in(const struct xds_rpc *rpc, const struct xds_lb_policy *policy,
                      struct group g, double share, bool only_ready, bool *drawn)
{
    if (policy->kind == XDS_LB_PICK_FIRST)
        first_of(rpc, g, share, policy, drawn);
    else
        spread(rpc, g, only_ready, share, drawn);
}

static uint64_t locality_weights(const struct xds_candidates *c, bool only_ready)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < c->n;) {
        const struct group g = locality_at(c, i);
        if (count_pickable(g, only_ready))
            sum += g.hosts->locality->weight;
        i += g.n;
    }
    return sum;
}

static size_t pickable_localities(const struct xds_candidates *c, bool only_ready)
{
    size_t n = 0;

    for (size_t i = 0; i < c->n;) {
        const struct group g = locality_at(c, i);
        n += count_pickable(g, only_ready) > 0;
        i += g.n;
    }
    return n;
}

/* xds_wrr_locality: first the locality by weight, then the endpoint policy inside. */
static void decide_by_locality(const struct xds_rpc *rpc,
                               const struct xds_lb_policy *policy,
                               const struct xds_candidates *c, bool only_ready,
                               bool *drawn)
{
    const uint64_t sum = locality_weights(c, only_ready);
    uint64_t number = 0, end = 0;
    const bool draw = sum > 0 && pickable_localities(c, only_ready) > 1 &&
                      xds_random_draw(rpc->random, sum, &number);

    for (size_t i = 0; i < c->n;) {
        const struct group g = locality_at(c, i);
        const uint64_t begin = end, weight = g.hosts->locality->weight;

        i += g.n;
        if (!count_pickable(g, only_ready))
            continue;
        end += weight;
        if (draw && (number < begin || number >= end))
            continue;
        decide_in(rpc, policy, g, draw ? 1 : (double)weight / (double)sum, only_ready,
                  drawn);
    }
    *drawn = *drawn || draw;
}

static bool has_locality_layer(const struct xds_rpc *rpc,
                               const struct xds_lb_policy *policy)
{
    /* go puts least_request of the enum directly below the priority. */
    if (policy->kind == XDS_LB_LEAST_REQUEST && !policy->from_typed_config &&
        rpc->client == XDS_CLIENT_GO)
        return false;
    return policy->wrr_locality;
}

static const struct xds_host *certain_host(const struct xds_candidates *c)
{
    const struct xds_host *found = NULL;

    for (size_t i = 0; i < c->n; i++) {
        if (c->hosts[i].probability <= 0)
            continue;
        if (found)
            return NULL;
        found = &c->hosts[i];
    }
    return found;
}

static enum xds_host_why why_certain(const struct xds_lb_policy *policy,
                                     const struct xds_candidates *c, bool drawn)
{
    if (drawn)
        return XDS_HOST_RANDOM;
    if (c->n > 1 && policy->kind == XDS_LB_RING_HASH)
        return XDS_HOST_RING_HASH;
    if (c->n > 1 && policy->kind == XDS_LB_PICK_FIRST)
        return XDS_HOST_PICK_FIRST;
    return XDS_HOST_ONLY;
}

static void say_nothing(struct xds_candidates *c)
{
    for (size_t i = 0; i < c->n; i++)
        c->hosts[i].probability = c->n == 1 ? 1 : XDS_NOT_COMPUTABLE;
}

const struct xds_host *xds_hosts_decide(const struct xds_lb *lb,
                                        const struct xds_lb_policy *policy,
                                        struct xds_request_key key,
                                        struct xds_candidates *candidates,
                                        enum xds_host_why *why)
{
    const bool only_ready = policy->kind != XDS_LB_PICK_FIRST && any_ready(candidates);
    const struct group all = {candidates->hosts, candidates->n};
    bool drawn = false;

    if (policy->kind == XDS_LB_OTHER)
        say_nothing(candidates);
    else if (policy->kind == XDS_LB_RING_HASH)
        decide_by_ring(lb->rpc, policy, key, candidates);
    else if (has_locality_layer(lb->rpc, policy))
        decide_by_locality(lb->rpc, policy, candidates, only_ready, &drawn);
    else
        decide_in(lb->rpc, policy, all, 1, only_ready, &drawn);

    const struct xds_host *host = certain_host(candidates);
    *why = host ? why_certain(policy, candidates, drawn) : XDS_HOST_OPEN;
    return host;
}
