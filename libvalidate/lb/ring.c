/*
 * ring.c - the ring of ring_hash: from endpoints to members, entries, and a hash's entry.
 *
 * Source: gRFC A42, A76, A113, spec routing 9.1, 9.2 and 9.4, R-a, R-b, R-c, R-d, spec
 *         cluster 7.1.
 */
#include "lb/lb.h"

#include <stdlib.h>
#include <xxhash.h>

#include "base/digits.h"

enum { MAX_RING_SIZE = 8388608 };

static uint64_t clamp(uint64_t value, uint64_t cap)
{
    const uint64_t size = value < cap ? value : cap;

    return size ? size : 1;
}

/* Signed order is unsigned order with the top bit flipped. */
static uint64_t order_of(bool is_signed, uint64_t hash)
{
    return is_signed ? hash ^ ((uint64_t)1 << 63) : hash;
}

/* Entries hold the order while the ring is built, so one comparison serves both. */
static int compare(const void *left, const void *right)
{
    const struct xds_ring_entry *a = left, *b = right;

    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    return (a->member > b->member) - (a->member < b->member);
}

/* Hashes are spread evenly, so that a bucket of those with the same first bits has few
 * entries. */
enum { BUCKET_BITS = 11, BUCKETS = 1 << BUCKET_BITS, FEW = 24 };

static size_t bucket_of(const struct xds_ring_entry *entry)
{
    return (size_t)(entry->hash >> (64 - BUCKET_BITS));
}

/* Each entry into its bucket, in place; end[b]: where that of b ends. */
static void fill_buckets(struct xds_ring_entry *entries, size_t n, size_t end[BUCKETS])
{
    size_t next[BUCKETS] = {0}, at = 0;

    for (size_t i = 0; i < n; i++)
        next[bucket_of(&entries[i])]++;
    for (size_t b = 0; b < BUCKETS; b++) {
        at += next[b];
        end[b] = at;
        next[b] = at - next[b];
    }
    for (size_t b = 0; b < BUCKETS; b++)
        while (next[b] < end[b]) {
            struct xds_ring_entry *here = &entries[next[b]];
            const size_t to = bucket_of(here);

            if (to != b) {
                const struct xds_ring_entry moved = entries[next[to]];

                entries[next[to]] = *here;
                *here = moved;
            }
            next[to]++;
        }
}

static void insertion_sort(struct xds_ring_entry *entries, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const struct xds_ring_entry entry = entries[i];
        size_t to = i;

        for (; to > 0 && compare(&entry, &entries[to - 1]) < 0; to--)
            entries[to] = entries[to - 1];
        entries[to] = entry;
    }
}

static void sort(struct xds_ring_entry *entries, size_t n)
{
    size_t end[BUCKETS], start = 0;

    fill_buckets(entries, n, end);
    for (size_t b = 0; b < BUCKETS; start = end[b++]) {
        if (end[b] - start <= FEW)
            insertion_sort(&entries[start], end[b] - start);
        else
            qsort(&entries[start], end[b] - start, sizeof *entries, compare);
    }
}

/* XXH64 of KEY_N. */
static uint64_t hash_point(char *text, struct xds_slice key, uint64_t n)
{
    text[key.len] = '_';
    const char *end = xds_put_digits(text + key.len + 1, n);

    return XXH64(text, (size_t)(end - text), 0);
}

static double lesser(double a, double b)
{
    return a < b ? a : b;
}

/* ceil() of a small positive number, without libm. */
static double round_up(double x)
{
    const uint64_t whole = (uint64_t)x;

    return (double)whole < x ? (double)(whole + 1) : (double)whole;
}

static double scale_of(const struct xds_ring_member *members, size_t n, double sum,
                       uint64_t lo, uint64_t hi)
{
    double least = 1;

    for (size_t i = 0; i < n; i++)
        least = lesser(least, (double)members[i].weight / sum);
    return lesser(round_up(least * (double)lo) / least, (double)hi);
}

static char *key_buffer(struct xds_arena *arena, struct xds_slice key)
{
    char *text = xds_arena_alloc(arena, key.len + 22); /* '_' and 20 digits */

    if (key.len)
        memcpy(text, key.data, key.len);
    return text;
}

struct xds_ring xds_ring_build(struct xds_arena *arena,
                               const struct xds_ring_member *members, size_t n,
                               uint64_t min, uint64_t max, uint64_t cap, bool is_signed)
{
    struct xds_ring ring = {.is_signed = is_signed};
    double sum = 0, target = 0;

    cap = cap < MAX_RING_SIZE ? cap : MAX_RING_SIZE;
    ring.min = clamp(min, cap);
    ring.max = clamp(max, cap);
    for (size_t i = 0; i < n; i++)
        sum += (double)members[i].weight;
    const double scale = scale_of(members, n, sum, ring.min, ring.max);
    struct xds_ring_entry *entries =
        XDS_NEW_ARRAY(arena, struct xds_ring_entry, (size_t)round_up(scale) + 1);

    for (size_t i = 0; i < n; i++) {
        char *text = key_buffer(arena, members[i].key);
        const double part = scale * ((double)members[i].weight / sum);

        target += part;
        ring.rounds = ring.rounds || (double)(uint64_t)part != part;
        for (uint64_t k = 0; (double)ring.n < target; k++)
            entries[ring.n++] = (struct xds_ring_entry){
                order_of(is_signed, hash_point(text, members[i].key, k)), i};
    }
    sort(entries, ring.n);
    ring.entries = entries;
    return ring;
}

size_t xds_ring_find(const struct xds_ring *ring, xds_u128 hash)
{
    const uint64_t wanted = order_of(ring->is_signed, (uint64_t)hash);
    size_t low = hash > UINT64_MAX ? ring->n : 0, high = ring->n;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (ring->entries[middle].hash < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < ring->n)
        return low;
    return ring->is_signed ? ring->n - 1 : 0;
}

xds_u128 xds_ring_arc(const struct xds_ring *ring, size_t i)
{
    const xds_u128 all = (xds_u128)1 << 64;
    const struct xds_ring_entry *e = ring->entries;
    const size_t last = ring->n - 1;

    if (e[0].hash == e[last].hash) /* all in one point: the first of them is found */
        return i == 0 ? all : 0;
    if (!ring->is_signed)
        return i == 0 ? (uint64_t)(e[0].hash - e[last].hash) : e[i].hash - e[i - 1].hash;
    /* Without wrapping, what lies after the last entry is its own. */
    if (i == 0)
        return (xds_u128)e[0].hash + 1;
    return i == last ? all - 1 - e[i - 1].hash : e[i].hash - e[i - 1].hash;
}

struct xds_share xds_ring_share(xds_u128 hashes)
{
    return xds_share_of(hashes, (xds_u128)1 << 64);
}

enum { DEFAULT_CAP = 4096 };

struct build {
    const struct xds_lb *lb;
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

    if (e->hash_key.len && !XDS_ENV_ON(rpc, XDS_ENV_ENDPOINT_HASH_KEY_BACKWARD_COMPAT))
        return e->hash_key;
    if (XDS_DIFFERS(rpc, XDS_DIFF_RING_KEY_OF_ALL))
        return key_of_all(rpc->arena, e);
    return XDS_DIFFERS(rpc, XDS_DIFF_RING_AS_MAP)
               ? xds_socket_text(rpc->arena, e->addresses[0])
               : e->addresses[0];
}

/* ---- members ---- */

/* One member per set of addresses, at its first place. java refuses the same addresses:
 * xds_ring_is_refused(). */
static void add_members(struct build *b)
{
    struct xds_arena *arena = b->lb->rpc->arena;
    const uint64_t *weights = xds_endpoint_weights(b->lb, b->candidates, b->group);
    const bool last = XDS_DIFFERS(b->lb->rpc, XDS_DIFF_RING_SAME_ADDRESSES_LAST);
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
        member->weight = last ? weights[i] : member->weight + weights[i];
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

enum { MIN_OF_ZERO = 1024, MAX_OF_ZERO = 4096 };

struct xds_ring_sizes xds_ring_sizes_of(const struct xds_lb *lb,
                                        const struct xds_lb_policy *policy)
{
    struct xds_ring_sizes out = {policy->min_ring_size, policy->max_ring_size};

    if (!XDS_DIFFERS(lb->rpc, XDS_DIFF_RING_SIZE_ZERO_UNSET))
        return out;
    out.min = out.min ? out.min : MIN_OF_ZERO;
    out.max = out.max ? out.max : MAX_OF_ZERO;
    return out;
}

static struct xds_host_ring *build(const struct xds_lb *lb,
                                   const struct xds_lb_policy *policy,
                                   const struct xds_candidates *candidates,
                                   struct xds_host_group group)
{
    const struct xds_rpc *rpc = lb->rpc;
    struct build b = {.lb = lb, .candidates = candidates, .group = group};
    const struct xds_ring_sizes sizes = xds_ring_sizes_of(lb, policy);
    struct xds_host_ring *out = XDS_NEW(rpc->arena, struct xds_host_ring);

    add_members(&b);
    if (XDS_DIFFERS(rpc, XDS_DIFF_RING_CHILDREN_BY_KEY))
        qsort(b.members, b.n, sizeof(*b.members), compare_keys);
    if (XDS_DIFFERS(rpc, XDS_DIFF_RING_AS_MAP))
        sort_as_map(&b);
    out->ring =
        xds_ring_build(rpc->arena, b.members, b.n, sizes.min, sizes.max,
                       xds_env_number(rpc->options, XDS_ENV_RING_HASH_CAP, DEFAULT_CAP),
                       XDS_DIFFERS(rpc, XDS_DIFF_RING_HASH_SIGNED));
    out->members = b.members;
    out->n_members = b.n;

    const struct xds_ring *ring = &out->ring;
    const size_t n = b.n;
    struct xds_ring_seat *seats = XDS_NEW_ARRAY(rpc->arena, struct xds_ring_seat, n);
    xds_u128 *hashes = XDS_NEW_ARRAY(rpc->arena, xds_u128, n);

    for (size_t i = 0; i < ring->n; i++) {
        seats[ring->entries[i].member].entries++;
        hashes[ring->entries[i].member] += xds_ring_arc(ring, i);
    }
    for (size_t i = 0; i < n; i++)
        seats[i].share = xds_ring_share(hashes[i]);
    out->seats = seats;
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
