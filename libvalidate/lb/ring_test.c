/* ring_test.c - the vectors of spec routing 9. */
#include <criterion/criterion.h>
#include <xxhash.h>

#include "lb/lb.h"

static uint64_t xxh64(const char *text)
{
    return XXH64(text, strlen(text), 0);
}

Test(ring_hash, the_hash_is_xxh64_with_seed_0)
{
    cr_expect_eq(xxh64(""), 0xef46db3751d8e999);
    cr_expect_eq(xxh64("a"), 0xd24ec4f1a98c6e5b);
    cr_expect_eq(xxh64("abc"), 0x44bc2cf5ad770999);
    cr_expect_eq(xxh64("application/grpc"), 0x6843e9a295358270);
    cr_expect_eq(xxh64("0123456789abcdef0123456789abcdef0123"), 0xc4255ba3d1af5461);
    cr_expect_eq(xxh64("192.0.2.1:443_0"), 0xe3a08e4215544351);
}

enum { MEMBERS = 5 };

static const struct size_row {
    uint64_t weight[MEMBERS];
    uint64_t min, max;
    size_t nodes[MEMBERS];
} size_rows[] = {
    {{1, 1, 1}, 1024, 8388608, {342, 342, 342}},
    {{1, 2}, 1024, 8388608, {342, 684}},
    {{1, 1, 2}, 1024, 8388608, {256, 256, 512}},
    {{1, 99}, 1024, 8388608, {11, 1089}},
    {{1, 1, 1}, 4, 8, {2, 2, 2}},
    {{1, 2, 3}, 3, 5, {1, 2, 2}},
    {{1, 1, 1, 1, 1}, 1024, 1024, {205, 205, 205, 205, 204}},
    {{6, 3, 6, 2}, 1024, 8388608, {363, 182, 363, 121}},
};

Test(ring_hash, a_member_has_nodes_in_proportion_to_its_weight)
{
    for (const struct size_row *r = size_rows; r < size_rows + XDS_ARRAY_LEN(size_rows);
         r++) {
        struct xds_ring_member members[MEMBERS];
        size_t n = 0, nodes[MEMBERS] = {0};
        struct xds_arena arena;

        for (; n < MEMBERS && r->weight[n]; n++)
            members[n] = (struct xds_ring_member){XDS_S("key"), r->weight[n], n};
        xds_arena_init(&arena, 0);
        const struct xds_ring ring =
            xds_ring_build(&arena, members, n, r->min, r->max, 4096, false);
        for (size_t i = 0; i < ring.n; i++)
            nodes[ring.entries[i].member]++;
        for (size_t i = 0; i < n; i++)
            cr_expect_eq(nodes[i], r->nodes[i], "row %td, member %zu: %zu", r - size_rows,
                         i, nodes[i]);
        xds_arena_release(&arena);
    }
}

/* Hosts 192.0.2.1 to 3 with weights 1, 1, 2 on a ring of 8. */
static struct xds_ring example(struct xds_arena *arena, bool is_signed)
{
    const struct xds_ring_member members[] = {
        {XDS_S("192.0.2.1:443"), 1, 0},
        {XDS_S("192.0.2.2:443"), 1, 1},
        {XDS_S("192.0.2.3:443"), 2, 2},
    };

    return xds_ring_build(arena, members, 3, 8, 16, 4096, is_signed);
}

Test(ring_hash, the_example_ring_leads_each_hash_to_the_next_node)
{
    static const struct {
        uint64_t hash;
        size_t member;
    } nodes[] = {{0x1bd91fe7449ea706, 1}, {0x251c32fa59f740b9, 1},
                 {0x8dbcbb1dfdc3b15c, 0}, {0xb005a3a41a3cba9b, 2},
                 {0xb750a699fac636de, 2}, {0xc6ac6ede74586e42, 2},
                 {0xe3a08e4215544351, 0}, {0xf31fcd0b8f20d928, 2}};
    struct xds_arena arena;

    xds_arena_init(&arena, 0);
    const struct xds_ring ring = example(&arena, false);
    cr_assert_eq(ring.n, XDS_ARRAY_LEN(nodes));
    for (size_t i = 0; i < ring.n; i++) {
        cr_expect_eq(ring.entries[i].hash, nodes[i].hash);
        cr_expect_eq(ring.entries[i].member, nodes[i].member);
        cr_expect_eq(xds_ring_find(&ring, nodes[i].hash), i, "a node's own hash is its");
        cr_expect_eq(xds_ring_find(&ring, nodes[i].hash + 1), (i + 1) % ring.n);
    }
    cr_expect_eq(xds_ring_find(&ring, xxh64("tenant-7")), 5);
    cr_expect_eq(xds_ring_find(&ring, xxh64("tenant-8")), 2);
    cr_expect_eq(xds_ring_find(&ring, 0x471a49467b2b4228), 2);
    cr_expect_eq(xds_ring_find(&ring, 0), 0);
    xds_arena_release(&arena);
}

Test(ring_hash, the_arcs_of_a_ring_are_everything)
{
    for (int is_signed = 0; is_signed < 2; is_signed++) {
        struct xds_arena arena;
        xds_u128 sum = 0;

        xds_arena_init(&arena, 0);
        const struct xds_ring ring = example(&arena, is_signed);
        for (size_t i = 0; i < ring.n; i++)
            sum += xds_ring_arc(&ring, i);
        cr_expect_eq(sum, (xds_u128)1 << 64, "not one hash is lost");
        xds_arena_release(&arena);
    }
}

Test(ring_hash, a_signed_ring_begins_at_the_smallest_negative_and_does_not_wrap)
{
    struct xds_arena arena;

    xds_arena_init(&arena, 0);
    const struct xds_ring ring = example(&arena, true);
    cr_expect_eq(ring.entries[0].member, 0, "8dbc... is the least as a signed number");
    cr_expect_eq(xds_ring_find(&ring, INT64_MAX), ring.n - 1);
    cr_expect_eq(xds_ring_find(&ring, (uint64_t)INT64_MIN), 0);
    xds_arena_release(&arena);
}

Test(ring_hash, one_member_takes_every_hash)
{
    const struct xds_ring_member member = {XDS_S("k"), 4000000000, 0};
    struct xds_arena arena;

    xds_arena_init(&arena, 0);
    const struct xds_ring ring = xds_ring_build(&arena, &member, 1, 1, 1, 4096, false);
    cr_assert_eq(ring.n, 1);
    cr_expect_eq(xds_ring_arc(&ring, 0), (xds_u128)1 << 64);
    cr_expect_eq(xds_ring_find(&ring, UINT64_MAX), 0);
    xds_arena_release(&arena);
}

Test(ring_hash, sizes_out_of_bounds_are_cut_to_the_cap)
{
    const struct xds_ring_member members[] = {{XDS_S("a"), 1, 0}, {XDS_S("b"), 1, 1}};
    struct xds_arena arena;

    xds_arena_init(&arena, 0);
    cr_expect_eq(xds_ring_build(&arena, members, 2, UINT64_MAX, UINT64_MAX, 64, false).n,
                 64);
    cr_expect_eq(xds_ring_build(&arena, members, 2, 0, 0, 0, false).n, 1);
    xds_arena_release(&arena);
}
