/*
 * host_ring.c - from endpoints to the members of a ring: keys and their order.
 *
 * Source: gRFC A42, A76, A113, spec routing 9.1 and 9.2, R-a to R-c, spec cluster 7.1.
 */
#include "lb/host_ring.h"

#include <stdlib.h>

#include "clients/clients.h"
#include "clients/environment.h"
#include "clients/readers.h"
#include "lb/address_map.h"
#include "lb/endpoint_weight.h"
#include "lb/policy_state.h"

enum { DEFAULT_CAP = 4096 };

/* What becomes of endpoints with the same addresses. */
enum same_addresses { ADD_WEIGHTS, LAST_WEIGHT };

/* Where the clients differ. java refuses the same addresses, see policy_state.c. */
static const struct reading {
    enum same_addresses same;
    bool sorts_by_key;
    bool as_map;    /* keys and order are those of a HashMap of socket addresses */
    bool is_signed; /* of struct xds_ring */
} readings[XDS_CLIENTS] = {
    [XDS_CLIENT_GRFC] = {ADD_WEIGHTS, false, false, false},
    [XDS_CLIENT_CORE] = {ADD_WEIGHTS, false, false, false},
    [XDS_CLIENT_GO] = {LAST_WEIGHT, true, false, false},
    [XDS_CLIENT_JAVA] = {ADD_WEIGHTS, false, true, true},
    [XDS_CLIENT_NODE] = {ADD_WEIGHTS, false, false, false},
};

struct build {
    const struct xds_lb *lb;
    const struct reading *as;
    const struct xds_candidates *candidates; /* all of the priority */
    struct xds_host_group group;
    struct xds_ring_member *members;
    size_t n;
};

/* ---- keys ---- */

/* "[/10.0.0.1:80, /10.0.0.2:80]" */
static struct xds_slice key_of_all(struct xds_arena *arena, const struct xds_endpoint *e)
{
    struct xds_slice all = XDS_S("[");

    for (size_t i = 0; i < e->n_addresses; i++) {
        if (i > 0)
            all = xds_arena_concat(arena, all, XDS_S(", "));
        all = xds_arena_concat(arena, all, xds_socket_text(arena, e->addresses[i]));
    }
    return xds_arena_concat(arena, all, XDS_S("]"));
}

static struct xds_slice key_of(const struct build *b, const struct xds_endpoint *e)
{
    const struct xds_rpc *rpc = b->lb->rpc;

    if (e->hash_key.len &&
        !xds_env_on(rpc->options, XDS_ENV_ENDPOINT_HASH_KEY_BACKWARD_COMPAT, rpc->client))
        return e->hash_key;
    if (xds_differs(rpc->options, rpc->client, XDS_DIFF_RING_KEY_OF_ALL))
        return key_of_all(rpc->arena, e);
    return b->as->as_map ? xds_socket_text(rpc->arena, e->addresses[0]) : e->addresses[0];
}

/* ---- members ---- */

/* One member per set of addresses, at its first place. */
static void add_members(struct build *b)
{
    struct xds_arena *arena = b->lb->rpc->arena;
    const uint64_t *weights = xds_endpoint_weights(b->lb, b->candidates, b->group);
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

static void sort_as_map(struct build *b)
{
    struct xds_arena *arena = b->lb->rpc->arena;
    const struct xds_endpoint **endpoints =
        XDS_NEW_ARRAY(arena, const struct xds_endpoint *, b->n);
    struct xds_ring_member *sorted = XDS_NEW_ARRAY(arena, struct xds_ring_member, b->n);

    for (size_t i = 0; i < b->n; i++)
        endpoints[i] = b->group.hosts[b->members[i].host].endpoint;
    const size_t *order = xds_address_map_order(arena, endpoints, b->n);

    for (size_t i = 0; i < b->n; i++)
        sorted[i] = b->members[order[i]];
    b->members = sorted;
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
    struct build b = {.lb = lb,
                      .as = &readings[xds_client_as(rpc->client)],
                      .candidates = candidates,
                      .group = group};
    const struct xds_ring_sizes sizes = xds_ring_sizes_of(lb, policy);
    struct xds_host_ring *out = XDS_NEW(rpc->arena, struct xds_host_ring);

    add_members(&b);
    if (b.as->sorts_by_key)
        qsort(b.members, b.n, sizeof(*b.members), compare_keys);
    if (b.as->as_map)
        sort_as_map(&b);
    out->ring =
        xds_ring_build(rpc->arena, b.members, b.n, sizes.min, sizes.max,
                       xds_env_number(rpc->options, XDS_ENV_RING_HASH_CAP, DEFAULT_CAP),
                       b.as->is_signed);
    out->members = b.members;
    out->n_members = b.n;
    out->seats = seats_of(rpc->arena, &out->ring, b.n);
    return out;
}

const struct xds_host_ring *xds_host_ring_of(const struct xds_lb *lb,
                                             const struct xds_lb_policy *policy,
                                             const struct xds_candidates *candidates,
                                             struct xds_host_group group)
{
    /* The models in whose memory they are tell the rings apart. */
    const struct {
        const void *policy, *first;
        size_t n;
    } made_of = {policy, group.hosts->endpoint, group.n};
    const struct xds_slice key = {(const char *)&made_of, sizeof(made_of)};
    struct xds_lb_kept kept;

    if (!lb->memory)
        return build(lb, policy, candidates, group);
    void **slot = xds_strmap_at(&lb->memory->rings, key);
    if (!*slot)
        *slot = build(xds_lb_for_memory(lb, &kept), policy, candidates, group);
    return *slot;
}
