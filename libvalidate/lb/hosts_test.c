/* hosts_test.c - shares sum to exactly 1, what is drawn is one of them; rings are made as
 * each client makes them. */
#include <criterion/criterion.h>

#include "clients/readers.h"
#include "lb/lb_test.h"

/* ---- a property ---- */

/* A small generator: the same worlds in every run. */
static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static const char *const addresses[] = {"a:1", "b:1", "c:1", "d:1", "[e]:1", "f:1"};
enum { ENDPOINTS = XDS_ARRAY_LEN(addresses) };

static void random_fixture(struct test_lb *w, uint32_t *seed, enum xds_client client)
{
    static const char *const zones[] = {"x", "y", "z"};
    static const enum xds_lb_kind kinds[] = {XDS_LB_ROUND_ROBIN, XDS_LB_RING_HASH,
                                             XDS_LB_PICK_FIRST, XDS_LB_LEAST_REQUEST};
    struct test_endpoint rows[ENDPOINTS + 1] = {{.zone = NULL}};
    const uint32_t weight = 1 + next(seed) % 1000;

    test_lb_init(w, client);
    struct xds_cluster *c = test_lb_cluster(w, "c", kinds[next(seed) % 4]);

    c->lb.wrr_locality = next(seed) % 2;
    if (c->lb.kind == XDS_LB_RING_HASH &&
        xds_differing(XDS_DIFF_RING_BELOW_LOCALITY_IDLE) >> client & 1u)
        c->lb.wrr_locality = false; /* or no RPC is picked for */
    c->lb.shuffle_address_list = next(seed) % 2;
    c->lb.min_ring_size = 1 + next(seed) % 64;
    for (size_t i = 0; i < ENDPOINTS; i++)
        rows[i] = (struct test_endpoint){zones[i / 2],
                                         0,
                                         weight + (uint32_t)(i / 2) * 7,
                                         {addresses[i]},
                                         XDS_HEALTH_HEALTHY,
                                         1 + next(seed) % 100};
    test_lb_endpoints(w, "c", rows);
    for (size_t i = next(seed) % 3; i > 0; i--)
        test_lb_assume(w, addresses[next(seed) % ENDPOINTS],
                       (enum xds_connectivity)(next(seed) % 4));
    test_lb_start(w);
}

Test(hosts, shares_sum_to_exactly_one_in_any_setup)
{
    uint32_t seed = 7;

    for (int round = 0; round < 500; round++) {
        struct test_lb w;
        struct xds_share sum = XDS_SHARE_NONE;

        random_fixture(&w, &seed, (enum xds_client)(round % XDS_CLIENTS));
        const struct xds_pick pick = test_pick(&w, "c");
        for (size_t i = 0; i < pick.n_hosts; i++)
            sum = xds_share_plus(sum, pick.hosts[i].share);
        cr_expect(pick.n_hosts > 0, "round %d", round);
        cr_expect(sum.num == 1 && sum.den == 1, "round %d: %.17g", round, sum.value);
        test_lb_release(&w);
    }
}

Test(hosts, what_is_drawn_has_a_share)
{
    uint32_t seed = 11;

    for (int round = 0; round < 500; round++) {
        const double numbers[] = {next(&seed) % 100 / 100.0, next(&seed) % 100 / 100.0};
        struct xds_random random = {numbers, XDS_ARRAY_LEN(numbers), 0};
        struct test_lb w;

        random_fixture(&w, &seed, (enum xds_client)(round % XDS_CLIENTS));
        const struct xds_pick pick = test_pick(&w, "c");
        w.t.rpc.random = &random;
        const struct xds_pick drawn = test_pick(&w, "c");

        cr_expect(drawn.n_hosts > 0 && drawn.n_hosts <= pick.n_hosts, "round %d", round);
        for (size_t i = 0; i < drawn.n_hosts; i++) {
            const struct xds_slice address = xds_host_address_of(&drawn.hosts[i]);
            double share = 0;

            for (size_t k = 0; k < pick.n_hosts; k++)
                if (xds_slice_eq(xds_host_address_of(&pick.hosts[k]), address))
                    share += pick.hosts[k].probability;
            cr_expect(share > 0, "round %d: %.*s", round, XDS_FMT(address));
        }
        test_lb_release(&w);
    }
}

/* ---- rings ---- */

static struct xds_ring_use ring_of(struct test_lb *w, uint64_t hash)
{
    const struct xds_request_key key = {.has_hash = true, .hash = hash};
    const struct xds_pick pick = xds_pick_host(&w->lb, XDS_S("c"), key, NULL);

    cr_assert_eq(pick.n_rings, 1);
    return pick.rings[0];
}

static uint64_t weight_at(const struct xds_ring_use *use, const char *address)
{
    const struct xds_host_ring *r = use->ring;

    for (size_t i = 0; i < r->n_members; i++)
        if (xds_slice_is(xds_host_address_of(&use->group.hosts[r->members[i].host]),
                         address))
            return r->members[i].weight;
    return 0;
}

static const struct test_endpoint twins[] = {
    {"x", 0, 1, {"a:1", "a:2"}, XDS_HEALTH_HEALTHY, 3},
    {"x", 0, 1, {"b:1"}, XDS_HEALTH_HEALTHY, 1},
    {"y", 0, 2, {"a:2", "a:1"}, XDS_HEALTH_HEALTHY, 5},
    {.zone = NULL},
};

Test(host_ring, endpoints_with_the_same_addresses_are_one_member)
{
    static const struct {
        enum xds_client client;
        const char *env;
        uint64_t weight;
    } cases[] = {
        {XDS_CLIENT_CORE, NULL, 13},
        {XDS_CLIENT_NODE, NULL, 13},
        {XDS_CLIENT_GO, "GRPC_EXPERIMENTAL_PF_WEIGHTED_SHUFFLING=false", 10},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(cases); i++) {
        struct test_lb w;
        const char *hint;

        test_lb_init(&w, cases[i].client);
        if (cases[i].env)
            cr_assert_eq(
                xds_options_set_env(&w.t.options, xds_slice_of(cases[i].env), &hint),
                XDS_OK);
        test_lb_cluster(&w, "c", XDS_LB_RING_HASH);
        test_lb_endpoints(&w, "c", twins);
        test_lb_start(&w);
        const struct xds_ring_use use = ring_of(&w, 1);
        cr_expect_eq(use.ring->n_members, 2);
        cr_expect_eq(weight_at(&use, "a:1"), cases[i].weight);
        test_lb_release(&w);
    }
}

Test(host_ring, java_fails_the_priority_where_addresses_repeat)
{
    struct test_lb w;

    test_lb_init(&w, XDS_CLIENT_JAVA);
    test_lb_cluster(&w, "c", XDS_LB_RING_HASH);
    const struct test_endpoint same[] = {{"x", 0, 1, {"a:1"}, XDS_HEALTH_HEALTHY, 1},
                                         {"y", 0, 1, {"a:1"}, XDS_HEALTH_HEALTHY, 1},
                                         {.zone = NULL}};
    test_lb_endpoints(&w, "c", same);
    test_lb_start(&w);
    const struct xds_pick pick = test_pick(&w, "c");
    cr_assert_eq(pick.n_tries, 1);
    cr_expect(xds_slice_starts(pick.tries[0].reason, XDS_S("two of its endpoints")));
    test_lb_release(&w);
}

Test(host_ring, the_vector_of_a113)
{
    const struct test_endpoint rows[] = {{"x", 0, 10, {"a:1"}, XDS_HEALTH_HEALTHY, 1},
                                         {"x", 0, 10, {"b:1"}, XDS_HEALTH_HEALTHY, 2},
                                         {"y", 0, 10, {"c:1"}, XDS_HEALTH_HEALTHY, 3},
                                         {.zone = NULL}};
    struct test_lb w;

    test_lb_init(&w, XDS_CLIENT_GO);
    test_lb_cluster(&w, "c", XDS_LB_RING_HASH);
    test_lb_endpoints(&w, "c", rows);
    test_lb_start(&w);
    const struct xds_ring_use use = ring_of(&w, 1);
    cr_expect_eq(weight_at(&use, "a:1"), 357913941);
    cr_expect_eq(weight_at(&use, "b:1"), 715827882);
    cr_expect_eq(weight_at(&use, "c:1"), 1073741824);
    test_lb_release(&w);
}

Test(host_ring, a_ring_below_the_locality_layer_is_one_per_locality)
{
    const struct test_endpoint rows[] = {{"x", 0, 1, {"a:1"}, XDS_HEALTH_HEALTHY, 1},
                                         {"x", 0, 1, {"b:1"}, XDS_HEALTH_HEALTHY, 1},
                                         {"y", 0, 3, {"c:1"}, XDS_HEALTH_HEALTHY, 1},
                                         {.zone = NULL}};
    const struct xds_request_key key = {.has_hash = true, .hash = 1};
    struct test_lb w;

    test_lb_init(&w, XDS_CLIENT_CORE);
    test_lb_cluster(&w, "c", XDS_LB_RING_HASH)->lb.wrr_locality = true;
    test_lb_endpoints(&w, "c", rows);
    test_lb_start(&w);
    const struct xds_pick pick = xds_pick_host(&w.lb, XDS_S("c"), key, NULL);
    cr_expect_eq(pick.n_rings, 2);
    cr_expect_eq(pick.n_hosts, 2, "one per locality");
    cr_expect_float_eq(test_probability(&pick, "c:1"), 0.75, 0);
    test_lb_release(&w);
}

/* ---- gRFC A76 ---- */

static const struct test_endpoint trio[] = {{"x", 0, 1, {"a:1"}, XDS_HEALTH_HEALTHY, 1},
                                            {"x", 0, 1, {"b:1"}, XDS_HEALTH_HEALTHY, 1},
                                            {"x", 0, 1, {"c:1"}, XDS_HEALTH_HEALTHY, 1},
                                            {.zone = NULL}};

Test(ring_pick, without_its_header_the_best_state_is_taken_from_any_place)
{
    static const struct {
        enum xds_connectivity a, b, c;
        const char *only;
    } cases[] = {
        {XDS_STATE_IDLE, XDS_STATE_READY, XDS_STATE_IDLE, "b:1"},
        {XDS_STATE_IDLE, XDS_STATE_IDLE, XDS_STATE_CONNECTING, "c:1"},
        {XDS_STATE_TRANSIENT_FAILURE, XDS_STATE_READY, XDS_STATE_CONNECTING, "b:1"},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(cases); i++) {
        struct test_lb w;

        test_lb_init(&w, XDS_CLIENT_GO);
        test_lb_cluster(&w, "c", XDS_LB_RING_HASH)->lb.request_hash_header =
            XDS_S("X-User");
        test_lb_endpoints(&w, "c", trio);
        test_lb_assume(&w, "a:1", cases[i].a);
        test_lb_assume(&w, "b:1", cases[i].b);
        test_lb_assume(&w, "c:1", cases[i].c);
        test_lb_start(&w);
        const struct xds_pick pick = test_pick(&w, "c");
        cr_expect(test_host_is(&pick, cases[i].only), "case %zu", i);
        test_lb_release(&w);
    }
}

/* ---- families ---- */

Test(assumptions, addresses_take_turns_between_families)
{
    const struct xds_slice mixed[] = {XDS_S("[a]:1"), XDS_S("[b]:1"), XDS_S("[c]:1"),
                                      XDS_S("1:1"), XDS_S("2:1")};
    const size_t wanted[] = {0, 3, 1, 4, 2};
    size_t order[5];

    cr_assert(xds_interleave(mixed, 5, order));
    for (size_t i = 0; i < 5; i++)
        cr_expect_eq(order[i], wanted[i]);
    cr_expect_not(xds_interleave(mixed, 3, order), "one family");
    cr_expect_not(xds_interleave(mixed, 0, order));
}

/* ---- what is kept ---- */

Test(memory, a_second_request_finds_the_ring_and_the_failover_of_the_first)
{
    struct xds_lb_memory memory;
    struct test_lb w;

    test_lb_init(&w, XDS_CLIENT_JAVA);
    test_lb_cluster(&w, "c", XDS_LB_RING_HASH);
    test_lb_endpoints(&w, "c", trio);
    test_lb_start(&w);
    xds_lb_memory_init(&memory);
    w.lb.memory = &memory;
    const struct xds_ring_use first = ring_of(&w, 1), second = ring_of(&w, 2);
    cr_expect_eq(first.ring, second.ring);
    cr_expect_eq(first.group.hosts, second.group.hosts);
    cr_expect_eq(test_pick(&w, "c").hosts, test_pick(&w, "c").hosts);
    xds_lb_memory_release(&memory);
    test_lb_release(&w);
}
