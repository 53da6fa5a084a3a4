/* hash_test.c - the hash of a request, and where the clients disagree. */
#include <criterion/criterion.h>

#include "route/route.h"
#include "route/rpc_test.h"

static xds_u128 hash_as(enum xds_client client, const char *a, const char *b)
{
    const struct xds_hash_policy policies[] = {
        {.kind = XDS_HASH_HEADER, .header_name = XDS_S("a")},
        {.kind = XDS_HASH_HEADER, .header_name = XDS_S("b")},
    };
    const struct xds_route route = {.hash_policies = policies, .n_hash_policies = 2};
    struct test_rpc t;

    test_rpc_init(&t, client);
    test_rpc_header(&t, "a", a);
    test_rpc_header(&t, "b", b);
    const struct xds_request_hash hash = xds_request_hash(&t.rpc, &route);
    cr_expect(hash.known);
    test_rpc_release(&t);
    return hash.hash;
}

Test(hash, two_policies_rotate_and_combine)
{
    cr_expect_eq(hash_as(XDS_CLIENT_CORE, "tenant-7", "eu"), 0x471a49467b2b4228);
    /* tenant-7 has the top bit set: java's signed shift gives all ones */
    cr_expect_eq(hash_as(XDS_CLIENT_JAVA, "tenant-7", "eu"), ~0x308ed208128a49d7u);
    /* and node keeps it above 64 bits */
    cr_expect_eq(hash_as(XDS_CLIENT_NODE, "tenant-7", "eu"),
                 ((xds_u128)1 << 64) | 0x471a49467b2b4228);
}

Test(hash, a_terminal_policy_ends_the_list_once_there_is_a_hash)
{
    const struct xds_hash_policy policies[] = {
        {.kind = XDS_HASH_HEADER, .header_name = XDS_S("missing"), .terminal = true},
        {.kind = XDS_HASH_CHANNEL_ID},
        {.kind = XDS_HASH_HEADER, .header_name = XDS_S("missing"), .terminal = true},
        {.kind = XDS_HASH_CHANNEL_ID},
    };
    const struct xds_route route = {.hash_policies = policies, .n_hash_policies = 4};

    for (unsigned c = XDS_CLIENT_CORE; c <= XDS_CLIENT_GO; c++) {
        struct test_rpc t;

        test_rpc_init(&t, (enum xds_client)c);
        t.request.has_channel_id = true;
        t.request.channel_id = 5;
        const struct xds_request_hash hash = xds_request_hash(&t.rpc, &route);
        cr_assert(hash.known);
        cr_expect_eq(hash.hash, c == XDS_CLIENT_GO ? (5u << 1 ^ 5u) : 5u);
        test_rpc_release(&t);
    }
}

Test(hash, with_a_channel_id_that_is_not_known_nothing_is)
{
    const struct xds_hash_policy policies[] = {
        {.kind = XDS_HASH_HEADER, .header_name = XDS_S("a"), .terminal = true},
        {.kind = XDS_HASH_CHANNEL_ID},
        {.kind = XDS_HASH_HEADER, .header_name = XDS_S("b")},
    };
    const struct xds_route route = {.hash_policies = policies, .n_hash_policies = 3};
    struct test_rpc t;

    test_rpc_init(&t, XDS_CLIENT_CORE);
    test_rpc_header(&t, "b", "1");
    cr_expect_not(xds_request_hash(&t.rpc, &route).known);
    cr_expect(xds_request_hash(&t.rpc, &route).of_channel);
    test_rpc_header(&t, "a", "1");
    cr_expect(xds_request_hash(&t.rpc, &route).known);
    test_rpc_release(&t);
}

static xds_u128 rewritten_hash(enum xds_client client, const char *substitution)
{
    struct xds_regex_cache *cache = xds_regex_cache_new();
    struct xds_slice error;
    const struct xds_hash_policy policy = {
        .kind = XDS_HASH_HEADER,
        .header_name = XDS_S("k"),
        .rewrite = xds_regex_get(cache, XDS_S("v([0-9]+)"), &error),
        .substitution = xds_slice_of(substitution)};
    const struct xds_hash_policy plain = {.kind = XDS_HASH_HEADER,
                                          .header_name = XDS_S("wanted")};
    struct xds_route route = {.hash_policies = &policy, .n_hash_policies = 1};
    struct test_rpc t;

    test_rpc_init(&t, client);
    test_rpc_header(&t, "k", "v1-v22");
    test_rpc_header(&t, "wanted", "<1>-<22>");
    const struct xds_request_hash hash = xds_request_hash(&t.rpc, &route);
    route.hash_policies = &plain;
    const struct xds_request_hash wanted = xds_request_hash(&t.rpc, &route);
    cr_assert(hash.known && wanted.known);
    test_rpc_release(&t);
    xds_regex_cache_free(cache);
    return hash.hash ^ wanted.hash;
}

Test(hash, each_client_writes_groups_in_its_own_style)
{
    cr_expect_eq(rewritten_hash(XDS_CLIENT_CORE, "<\\1>"), 0);
    cr_expect_eq(rewritten_hash(XDS_CLIENT_GO, "<$1>"), 0);
    cr_expect_eq(rewritten_hash(XDS_CLIENT_GO, "<${1}>"), 0);
    cr_expect_eq(rewritten_hash(XDS_CLIENT_JAVA, "\\<$1>"), 0);
    cr_expect_neq(rewritten_hash(XDS_CLIENT_CORE, "<$1>"), 0);
    cr_expect_neq(rewritten_hash(XDS_CLIENT_GO, "<\\1>"), 0);
}

Test(hash, without_policies_only_a_given_hash_counts)
{
    const struct xds_route route = {.n_hash_policies = 0};
    struct test_rpc t;

    test_rpc_init(&t, XDS_CLIENT_CORE);
    cr_expect_not(xds_request_hash(&t.rpc, &route).known);
    t.request.has_hash = true;
    t.request.hash = 7;
    cr_expect(xds_request_hash(&t.rpc, &route).known);
    cr_expect_eq(xds_request_hash(&t.rpc, &route).hash, 7);
    test_rpc_release(&t);
}
