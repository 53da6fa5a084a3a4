/*
 * host_ring.c - from endpoints to the members of a ring: keys, weights, order.
 *
 * Takes:  the usable endpoints of a priority, or of one locality in it.
 * Gives:  the ring with what each member has of it.
 * Source: gRFC A42, A76, A113, spec routing 9.1 and 9.2 (R-a to R-c), spec cluster 7.1.
 */
#include "lb/host_ring.h"

#include <stdlib.h>

#include "base/options.h"
#include "lb/policy_state.h"

enum { DEFAULT_CAP = 4096 };

/* What becomes of endpoints with the same addresses. */
enum same_addresses { ADD_WEIGHTS, LAST_WEIGHT };

/* Where the clients differ. java refuses the same addresses, see policy_state.c. */
static const struct reading {
    const char *before_address; /* in a key */
    enum same_addresses same;
    bool weights_are_int32;
    bool sorts_by_key;
    bool unknown_order;
} readings[XDS_CLIENTS] = {
    [XDS_CLIENT_GRFC] = {"", ADD_WEIGHTS, false, false, false},
    [XDS_CLIENT_CORE] = {"", ADD_WEIGHTS, true, false, false},
    [XDS_CLIENT_GO] = {"", LAST_WEIGHT, false, true, false},
    [XDS_CLIENT_JAVA] = {"/", ADD_WEIGHTS, false, false, true},
    [XDS_CLIENT_NODE] = {"", ADD_WEIGHTS, false, false, false},
};

struct build {
    const struct xds_lb *lb;
    const struct reading *as;
    const struct xds_candidates *candidates; /* A113 weighs the whole priority */
    struct xds_host_group group;
    struct xds_ring_member *members;
    size_t n;
};

/* ---- keys ------------------------------------------------------------------------- */

static struct xds_slice key_of(const struct build *b, const struct xds_endpoint *e)
{
    const struct xds_rpc *rpc = b->lb->rpc;

    if (e->hash_key.len &&
        !xds_env_on(rpc->options, XDS_ENV_ENDPOINT_HASH_KEY_BACKWARD_COMPAT, rpc->client))
        return e->hash_key;
    if (!*b->as->before_address)
        return e->addresses[0];
    return xds_arena_concat(rpc->arena, xds_slice_of(b->as->before_address),
                            e->addresses[0]);
}

/* ---- weights ---------------------------------------------------------------------- */

/* What a signed 32-bit number makes of it: what is not positive counts as 1. */
static uint64_t endpoint_weight(const struct build *b, const struct xds_endpoint *e)
{
    if (e->weight == 0 || (b->as->weights_are_int32 && e->weight > INT32_MAX))
        return 1;
    return e->weight;
}

static uint64_t plain_weight(const struct build *b, const struct xds_host *host)
{
    const uint64_t locality = host->locality->weight ? host->locality->weight : 1;
    const uint64_t product = locality * endpoint_weight(b, host->endpoint);
    const uint32_t low = (uint32_t)product;

    if (!b->as->weights_are_int32)
        return product;
    return low > INT32_MAX || low == 0 ? 1 : low;
}

static uint64_t sum_of_localities(const struct xds_candidates *c)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < c->n; i += xds_locality_at(c, i).n)
        sum += c->hosts[i].locality->weight;
    return sum ? sum : 1;
}

/* A113: both parts as fractions of 2^31, so that the product never overflows. */
static void weigh_locality(const struct build *b, struct xds_host_group g,
                           uint64_t localities, uint64_t *weights)
{
    const uint64_t one = (uint64_t)1 << 31;
    const uint64_t lw = g.hosts->locality->weight * one / localities;
    uint64_t sum = 0;

    for (size_t i = 0; i < g.n; i++)
        sum += endpoint_weight(b, g.hosts[i].endpoint);
    for (size_t i = 0; i < g.n; i++) {
        const uint64_t ew = endpoint_weight(b, g.hosts[i].endpoint) * one / sum;
        const uint64_t w = (lw * ew) >> 31;
        weights[i] = w ? w : 1;
    }
}

/* The group is made of whole localities. */
static uint64_t *weights_of(const struct build *b)
{
    const struct xds_rpc *rpc = b->lb->rpc;
    uint64_t *weights = XDS_NEW_ARRAY(rpc->arena, uint64_t, b->group.n);
    const bool by_share =
        xds_env_on(rpc->options, XDS_ENV_PF_WEIGHTED_SHUFFLING, rpc->client);
    const uint64_t localities = by_share ? sum_of_localities(b->candidates) : 1;
    const struct xds_candidates part = {.hosts = b->group.hosts, .n = b->group.n};

    for (size_t i = 0; by_share && i < part.n;) {
        const struct xds_host_group g = xds_locality_at(&part, i);
        weigh_locality(b, g, localities, &weights[i]);
        i += g.n;
    }
    for (size_t i = 0; !by_share && i < part.n; i++)
        weights[i] = plain_weight(b, &part.hosts[i]);
    return weights;
}

/* ---- members ---------------------------------------------------------------------- */

/* One member per set of addresses, at its first place. */
static void add_members(struct build *b)
{
    struct xds_arena *arena = b->lb->rpc->arena;
    const uint64_t *weights = weights_of(b);
    struct xds_strmap by_set;

    xds_strmap_init(&by_set, arena);
    b->members = XDS_NEW_ARRAY(arena, struct xds_ring_member, b->group.n);
    for (size_t i = 0; i < b->group.n; i++) {
        const struct xds_endpoint *e = b->group.hosts[i].endpoint;
        void **slot = xds_strmap_at(&by_set, xds_address_set_text(arena, e));
        struct xds_ring_member *member = *slot;

        if (!member) {
            *slot = member = &b->members[b->n++];
            *member = (struct xds_ring_member){key_of(b, e), 0, i};
        }
        member->weight =
            b->as->same == ADD_WEIGHTS ? member->weight + weights[i] : weights[i];
    }
}

static int compare_keys(const void *left, const void *right)
{
    const struct xds_ring_member *a = left, *b = right;
    const int by_key = xds_slice_cmp(a->key, b->key);

    return by_key ? by_key : (a->host > b->host) - (a->host < b->host);
}

static const struct xds_ring_seat *seats_of(struct xds_arena *arena,
                                            const struct xds_ring *ring, size_t n)
{
    struct xds_ring_seat *seats = XDS_NEW_ARRAY(arena, struct xds_ring_seat, n);
    xds_u128 *hashes = XDS_NEW_ARRAY(arena, xds_u128, n);

    for (size_t i = 0; i < ring->n; i++) {
        seats[ring->entries[i].member].entries++;
        hashes[ring->entries[i].member] += xds_ring_arc(ring, i);
    }
    for (size_t i = 0; i < n; i++)
        seats[i].share = xds_ring_share(hashes[i]);
    return seats;
}

static struct xds_host_ring *build(const struct xds_lb *lb,
                                   const struct xds_lb_policy *policy,
                                   const struct xds_candidates *candidates,
                                   struct xds_host_group group)
{
    const struct xds_rpc *rpc = lb->rpc;
    struct build b = {
        .lb = lb, .as = &readings[rpc->client], .candidates = candidates, .group = group};
    struct xds_host_ring *out = XDS_NEW(rpc->arena, struct xds_host_ring);

    add_members(&b);
    if (b.as->sorts_by_key)
        qsort(b.members, b.n, sizeof(*b.members), compare_keys);
    out->ring = xds_ring_build(
        rpc->arena, b.members, b.n, policy->min_ring_size, policy->max_ring_size,
        xds_env_number(rpc->options, XDS_ENV_RING_HASH_CAP, DEFAULT_CAP),
        rpc->client == XDS_CLIENT_JAVA);
    out->members = b.members;
    out->n_members = b.n;
    out->seats = seats_of(rpc->arena, &out->ring, b.n);
    out->guessed = b.as->unknown_order && out->ring.rounds && b.n > 1;
    return out;
}

const struct xds_host_ring *xds_host_ring_of(const struct xds_lb *lb,
                                             const struct xds_lb_policy *policy,
                                             const struct xds_candidates *candidates,
                                             struct xds_host_group group)
{
    /* The models in whose memory they stand tell the rings apart. */
    const struct {
        const void *policy, *first;
        size_t n;
    } made_of = {policy, group.hosts->endpoint, group.n};
    const struct xds_slice key = {(const char *)&made_of, sizeof(made_of)};
    struct xds_lb_lasting lasting;

    if (!lb->memory)
        return build(lb, policy, candidates, group);
    void **slot = xds_strmap_at(&lb->memory->rings, key);
    if (!*slot)
        *slot = build(xds_lb_outlive(lb, &lasting), policy, candidates, group);
    return *slot;
}
