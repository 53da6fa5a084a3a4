/*
 * ring_hash.c - build and search the ring.
 *
 * Source: gRFC A42, spec routing 9.2 and 9.4, R-d.
 */
#include "lb/ring_hash.h"

#include <stdlib.h>
#include <xxhash.h>

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

/* XXH64 of KEY_N. */
static uint64_t hash_point(char *text, struct xds_slice key, uint64_t n)
{
    char digits[20];
    size_t len = 0;

    do {
        digits[len++] = (char)('0' + n % 10);
        n /= 10;
    } while (n);
    text[key.len] = '_';
    for (size_t i = 0; i < len; i++)
        text[key.len + 1 + i] = digits[len - 1 - i];
    return XXH64(text, key.len + 1 + len, 0);
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

static bool is_whole(double x)
{
    return (double)(uint64_t)x == x;
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
        ring.rounds = ring.rounds || !is_whole(part);
        for (uint64_t k = 0; (double)ring.n < target; k++)
            entries[ring.n++] = (struct xds_ring_entry){
                order_of(is_signed, hash_point(text, members[i].key, k)), i};
    }
    qsort(entries, ring.n, sizeof(*entries), compare);
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
