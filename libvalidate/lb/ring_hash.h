/* ring_hash.h - the ring of ring_hash: who sits where, and who a hash leads to. */
#ifndef XDS_LB_RING_HASH_H
#define XDS_LB_RING_HASH_H

#include "base/arena.h"
#include "lb/share.h"

struct xds_ring_member {
    struct xds_slice key;
    uint64_t weight; /* > 0 */
    size_t host;     /* what it stands for: the user's own number */
};

struct xds_ring_entry {
    uint64_t hash;
    size_t member;
};

struct xds_ring {
    const struct xds_ring_entry *entries; /* in order of the hash */
    size_t n;
    uint64_t min, max; /* size, as the cap leaves them */
    bool rounds;    /* a member's part is no whole number: the order of members matters */
    bool is_signed; /* java compares signed, and does not wrap to the first entry */
};

/* cap: of the client; min and max are those of the config. */
struct xds_ring xds_ring_build(struct xds_arena *arena,
                               const struct xds_ring_member *members, size_t n,
                               uint64_t min, uint64_t max, uint64_t cap, bool is_signed);
/* Index of the first entry at or after the hash, which may have more bits than an entry.
 * The ring is not empty. */
size_t xds_ring_find(const struct xds_ring *ring, xds_u128 hash);
/* How many of the 2^64 hashes lead to entry i. */
xds_u128 xds_ring_arc(const struct xds_ring *ring, size_t i);
/* A number of hashes as a share of all. */
struct xds_share xds_ring_share(xds_u128 hashes);

#endif
