/* pick_test.c - priorities, localities, endpoints, drops, and the cookie's host. */
#include <criterion/criterion.h>

#include "lb/lb_test.h"

/* Two priorities; in the first two localities, one endpoint has two addresses. */
static const struct test_endpoint fixture[] = {
    {"z1", 0, 3, {"a:1", "a:2"}, XDS_HEALTH_HEALTHY, 2},
    {"z1", 0, 3, {"b:1"}, XDS_HEALTH_HEALTHY, 1},
    {"z2", 0, 1, {"c:1"}, XDS_HEALTH_UNKNOWN, 1},
    {"z2", 0, 1, {"x:1"}, XDS_HEALTH_UNHEALTHY, 1},
    {"z2", 0, 1, {"d:1"}, XDS_HEALTH_DRAINING, 1},
    {"z3", 1, 1, {"p:1"}, XDS_HEALTH_HEALTHY, 1},
    {.zone = NULL},
};

static void prepare(struct test_lb *w, enum xds_client client, enum xds_lb_kind policy)
{
    test_lb_init(w, client);
    test_lb_cluster(w, "c", policy);
    test_lb_endpoints(w, "c", fixture);
}

static void expect(struct xds_pick pick, const char *address, double probability)
{
    cr_expect_float_eq(test_probability(&pick, address), probability, 1e-12,
                       "%s: %g instead of %g", address, test_probability(&pick, address),
                       probability);
}

Test(pick, localities_share_by_weight_and_endpoints_evenly)
{
    struct test_lb w;

    prepare(&w, XDS_CLIENT_CORE, XDS_LB_ROUND_ROBIN);
    test_lb_start(&w);
    const struct xds_pick pick = test_pick(&w, "c");
    expect(pick, "a:1", 0.375);
    expect(pick, "b:1", 0.375);
    expect(pick, "c:1", 0.25);
    cr_expect_eq(pick.n_hosts, 3,
                 "second addresses, UNHEALTHY and DRAINING have no share");
    cr_expect_null(pick.host);
    cr_expect_eq(pick.priority, 0);
    test_lb_release(&w);
}

Test(pick, numbers_are_drawn_for_the_locality_and_then_the_endpoint)
{
    static const struct {
        double numbers[2];
        size_t n;
        const char *host;
    } cases[] = {
        {{0.0, 0.0}, 2, "a:1"},
        {{0.7499, 0.5}, 2, "b:1"},
        {{0.75, 0.9}, 1, "c:1"}, /* only one there: nothing is left to chance */
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(cases); i++) {
        struct test_lb w;

        prepare(&w, XDS_CLIENT_CORE, XDS_LB_ROUND_ROBIN);
        test_rpc_random(&w.t, cases[i].numbers, cases[i].n);
        test_lb_start(&w);
        const struct xds_pick pick = test_pick(&w, "c");
        cr_expect(test_host_is(&pick, cases[i].host), "%s", cases[i].host);
        cr_expect_eq(pick.why, XDS_HOST_RANDOM);
        test_lb_release(&w);
    }
}

Test(pick, a_failed_address_falls_back_to_the_next_of_its_endpoint)
{
    struct test_lb w;

    prepare(&w, XDS_CLIENT_CORE, XDS_LB_ROUND_ROBIN);
    test_lb_assume(&w, "a:1", XDS_STATE_TRANSIENT_FAILURE);
    test_lb_assume(&w, "b:1", XDS_STATE_TRANSIENT_FAILURE);
    test_lb_start(&w);
    const struct xds_pick pick = test_pick(&w, "c");
    expect(pick, "a:2", 0.75);
    expect(pick, "c:1", 0.25);
    test_lb_release(&w);
}

Test(pick, a_locality_that_only_connects_takes_no_share_while_another_is_ready)
{
    struct test_lb w;

    prepare(&w, XDS_CLIENT_CORE, XDS_LB_ROUND_ROBIN);
    test_lb_assume(&w, "c:1", XDS_STATE_CONNECTING);
    test_lb_start(&w);
    const struct xds_pick pick = test_pick(&w, "c");
    expect(pick, "a:1", 0.5);
    expect(pick, "c:1", 0);
    test_lb_release(&w);
}

Test(pick, the_next_priority_is_used_once_all_endpoints_of_the_first_fail)
{
    struct test_lb w;

    prepare(&w, XDS_CLIENT_CORE, XDS_LB_ROUND_ROBIN);
    test_lb_assume(&w, "a:1", XDS_STATE_TRANSIENT_FAILURE);
    test_lb_assume(&w, "a:2", XDS_STATE_TRANSIENT_FAILURE);
    test_lb_assume(&w, "b:1", XDS_STATE_TRANSIENT_FAILURE);
    test_lb_assume(&w, "c:1", XDS_STATE_TRANSIENT_FAILURE);
    test_lb_start(&w);
    const struct xds_pick pick = test_pick(&w, "c");
    cr_expect(test_host_is(&pick, "p:1"));
    cr_expect_eq(pick.why, XDS_HOST_ONLY);
    cr_expect_eq(pick.priority, 1);
    test_lb_release(&w);
}

Test(pick, an_idle_priority_is_waited_for_instead_of_the_next_one)
{
    struct test_lb w;

    prepare(&w, XDS_CLIENT_CORE, XDS_LB_ROUND_ROBIN);
    test_lb_assume(&w, "a:1", XDS_STATE_IDLE);
    test_lb_assume(&w, "b:1", XDS_STATE_TRANSIENT_FAILURE);
    test_lb_assume(&w, "c:1", XDS_STATE_TRANSIENT_FAILURE);
    test_lb_start(&w);
    const struct xds_pick pick = test_pick(&w, "c");
    cr_expect(test_host_is(&pick, "a:1"));
    cr_expect(pick.waits);
    test_lb_release(&w);
}

Test(pick, pick_first_takes_the_first_and_shuffles_evenly_or_by_weight)
{
    struct test_lb w;

    prepare(&w, XDS_CLIENT_CORE, XDS_LB_PICK_FIRST);
    test_lb_start(&w);
    const struct xds_pick first = test_pick(&w, "c");
    cr_expect(test_host_is(&first, "a:1"));
    cr_expect_eq(first.why, XDS_HOST_POLICY);
    test_lb_release(&w);

    for (int by_weight = 0; by_weight < 2; by_weight++) {
        test_lb_init(&w, by_weight ? XDS_CLIENT_GO : XDS_CLIENT_CORE);
        test_lb_cluster(&w, "c", XDS_LB_PICK_FIRST)->lb.shuffle_address_list = true;
        test_lb_endpoints(&w, "c", fixture);
        test_lb_start(&w);
        const struct xds_pick pick = test_pick(&w, "c");
        /* A113 counts in parts of 2^31: its vector for localities 3{2,1} and 1{1} */
        expect(pick, "a:1", by_weight ? 1073741823.0 / 2147483646 : 1.0 / 3);
        expect(pick, "b:1", by_weight ? 536870911.0 / 2147483646 : 1.0 / 3);
        test_lb_release(&w);
    }
}

Test(pick, a_random_hash_spreads_over_the_arcs_and_skips_failed_hosts)
{
    struct test_lb w;

    prepare(&w, XDS_CLIENT_CORE, XDS_LB_RING_HASH);
    test_lb_assume(&w, "b:1", XDS_STATE_TRANSIENT_FAILURE);
    test_lb_start(&w);
    const struct xds_pick pick = test_pick(&w, "c");
    cr_expect_eq(pick.n_hosts, 2);
    cr_expect_float_eq(test_probability(&pick, "a:1") + test_probability(&pick, "c:1"), 1,
                       1e-9);
    cr_expect_gt(test_probability(&pick, "a:1"), 0.7);
    test_lb_release(&w);
}

Test(pick, ring_hash_gives_a_priority_up_at_two_failures_unless_one_is_ready)
{
    for (int ready = 0; ready < 2; ready++) {
        struct test_lb w;

        prepare(&w, XDS_CLIENT_CORE, XDS_LB_RING_HASH);
        test_lb_assume(&w, "a:1", ready ? XDS_STATE_READY : XDS_STATE_IDLE);
        test_lb_assume(&w, "b:1", XDS_STATE_TRANSIENT_FAILURE);
        test_lb_assume(&w, "c:1", XDS_STATE_TRANSIENT_FAILURE);
        test_lb_start(&w);
        const struct xds_pick pick = test_pick(&w, "c");
        cr_expect(test_host_is(&pick, ready ? "a:1" : "p:1"));
        test_lb_release(&w);
    }
}

Test(pick, nothing_is_said_about_a_custom_policy)
{
    struct test_lb w;

    prepare(&w, XDS_CLIENT_JAVA, XDS_LB_OTHER);
    test_lb_start(&w);
    const struct xds_pick pick = test_pick(&w, "c");
    cr_expect_eq(pick.n_hosts, 3);
    expect(pick, "a:1", XDS_NOT_COMPUTABLE);
    cr_expect_null(pick.host);
    test_lb_release(&w);
}

static void expect_error(struct test_lb *w, const char *cluster, const char *text)
{
    const struct xds_slice error = test_pick(w, cluster).error.text;

    cr_expect(xds_slice_is(error, text), "%.*s", XDS_FMT(error));
}

Test(pick, failures_say_what_is_missing_in_the_words_of_the_client)
{
    static const struct {
        enum xds_client client;
        const char *no_cluster, *no_endpoints, *no_locality;
    } rows[] = {
        {XDS_CLIENT_CORE, "CDS resource b: does not exist",
         "no children in weighted_target policy (EDS resource c: does not exist)",
         "no children in weighted_target policy (EDS resource c: contains no "
         "localities)"},
        {XDS_CLIENT_GO,
         "xds: resource \"b\" of type \"ClusterResource\" has been removed",
         "weighted-target: no targets to pick from",
         "weighted-target: no targets to pick from"},
    };
    const struct test_endpoint none[] = {{.zone = NULL}};
    struct test_lb w;

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        test_lb_init(&w, rows[i].client);
        test_lb_cluster(&w, "c", XDS_LB_ROUND_ROBIN);
        test_lb_start(&w);
        expect_error(&w, "b", rows[i].no_cluster);
        expect_error(&w, "c", rows[i].no_endpoints);
        test_lb_endpoints(&w, "c", none);
        expect_error(&w, "c", rows[i].no_locality);
        test_lb_release(&w);
    }
}

Test(pick, a_resource_that_the_client_rejects_counts_as_missing)
{
    struct test_lb w;

    prepare(&w, XDS_CLIENT_GO, XDS_LB_ROUND_ROBIN);
    w.snapshot.last_only = XDS_CLIENT_BIT(XDS_CLIENT_GO);
    xds_snapshot_add(
        &w.snapshot,
        &(struct xds_snapshot_entry){
            .name = XDS_S("c"),
            .type = XDS_TYPE_ENDPOINT,
            .nacked_by = XDS_CLIENT_BIT(XDS_CLIENT_GO),
            .model =
                xds_snapshot_find(&w.snapshot, XDS_TYPE_ENDPOINT, XDS_S("c"))->model});
    test_lb_start(&w);
    cr_expect(xds_slice_is(test_pick(&w, "c").error.text,
                           "EDS resource c is rejected by go (NACK)"));
    w.t.rpc.client = XDS_CLIENT_CORE;
    cr_expect_null(test_pick(&w, "c").error.text.data);
    test_lb_release(&w);
}

/* ---- drops ---- */

static struct xds_drop_result drop(const double *numbers, size_t n)
{
    const struct xds_drop drops[] = {{XDS_S("half"), 500000}, {XDS_S("too"), 500000}};
    const struct xds_endpoints e = {.drops = drops, .n_drops = 2};
    struct test_rpc t;

    test_rpc_init(&t, XDS_CLIENT_CORE);
    test_rpc_random(&t, numbers, n);
    const struct xds_drop_result r = xds_drops_test(&t.rpc, &e);
    cr_expect(!r.cause || r.cause->per_million == 500000);
    test_rpc_release(&t);
    return r;
}

Test(drops, two_halves_make_three_quarters_and_a_boundary_is_not_dropped)
{
    const double boundary[] = {0.5, 0.5}, second[] = {0.9, 0.4};

    cr_expect_float_eq(drop(NULL, 0).probability, 0.75, 1e-12);
    cr_expect_eq(drop(NULL, 0).dropped, XDS_CHANCE_OPEN);
    cr_expect_eq(drop(boundary, 2).dropped, XDS_CHANCE_NO);
    cr_expect_eq(drop(second, 2).dropped, XDS_CHANCE_YES);
    cr_expect_eq(drop(boundary, 1).dropped, XDS_CHANCE_OPEN);
}

Test(pick, a_breaker_of_0_refuses_all_and_leaves_no_host)
{
    struct test_lb w;

    test_lb_init(&w, XDS_CLIENT_CORE);
    test_lb_cluster(&w, "c", XDS_LB_ROUND_ROBIN)->max_requests[XDS_CLIENT_CORE] = 0;
    test_lb_endpoints(&w, "c", fixture);
    test_lb_start(&w);
    const struct xds_pick pick = test_pick(&w, "c");
    cr_expect(xds_slice_is(pick.error.text, "circuit breaker drop"));
    cr_expect_eq(pick.n_hosts, 0);
    cr_expect_null(pick.host);
    test_lb_release(&w);
}

/* ---- the cookie's host ---- */

static struct xds_pick pick_with_cookie(struct test_lb *w, const char *list)
{
    const struct xds_cookie cookie = xds_cookie_parse(&w->t.rpc, xds_slice_of(list));
    const struct xds_session session = {.acts = true, .cookie = cookie};
    const struct xds_request_key random = {.has_hash = false};

    return xds_pick_host(&w->lb, XDS_S("c"), random, &session);
}

static const struct cookie_row {
    const char *list;
    const char *assume; /* an address in the state `state` */
    enum xds_connectivity state;
    bool draining;              /* in the status set */
    const char *a75, *a55;      /* hosts by core and the documents; NULL: balanced */
    enum xds_session_code code; /* of core */
} cookie_rows[] = {
    {"a:1", NULL, 0, false, "a:1", "a:1", XDS_SESSION_OVERRIDE},
    {"nowhere:1", NULL, 0, false, NULL, NULL, XDS_SESSION_UNKNOWN_HOST},
    {"x:1", NULL, 0, true, NULL, NULL, XDS_SESSION_STATUS},
    {"d:1", NULL, 0, false, NULL, NULL, XDS_SESSION_STATUS},
    {"d:1", NULL, 0, true, "d:1", "d:1", XDS_SESSION_OVERRIDE},
    {"p:1", NULL, 0, false, "p:1", NULL, XDS_SESSION_OVERRIDE},
    {"a:2", NULL, 0, false, "a:2", "a:1", XDS_SESSION_OVERRIDE},
    {"p:1,b:1", NULL, 0, false, "b:1", NULL, XDS_SESSION_OVERRIDE},
    {"nowhere:1,b:1", NULL, 0, false, "b:1", NULL, XDS_SESSION_OVERRIDE},
    {"b:1", "b:1", XDS_STATE_TRANSIENT_FAILURE, false, NULL, NULL,
     XDS_SESSION_TRANSIENT_FAILURE},
    {"b:1,p:1", "b:1", XDS_STATE_TRANSIENT_FAILURE, false, "p:1", NULL,
     XDS_SESSION_OVERRIDE},
    {"b:1,p:1", "b:1", XDS_STATE_IDLE, false, "b:1", "b:1", XDS_SESSION_OVERRIDE},
    {"p:1,b:1", "b:1", XDS_STATE_CONNECTING, false, "b:1", NULL, XDS_SESSION_OVERRIDE},
    {"b:1", "b:1", XDS_STATE_CONNECTING, false, "b:1", "b:1", XDS_SESSION_OVERRIDE},
    {"", NULL, 0, false, NULL, NULL, XDS_SESSION_UNKNOWN_HOST},
};

/* gRFC A62 is the last one before what A75 changes that knows dual stack. */
static void expect_override(const struct cookie_row *row, enum xds_client client,
                            struct xds_release release, const char *host)
{
    struct test_lb w;

    test_lb_init(&w, client);
    w.t.options.release[client] = release;
    if (row->draining)
        test_lb_cluster(&w, "c", XDS_LB_ROUND_ROBIN)->override_host_status |=
            XDS_HEALTH_BIT(XDS_HEALTH_DRAINING);
    else
        test_lb_cluster(&w, "c", XDS_LB_ROUND_ROBIN);
    test_lb_endpoints(&w, "c", fixture);
    if (row->assume)
        test_lb_assume(&w, row->assume, row->state);
    test_lb_start(&w);
    const struct xds_pick pick = pick_with_cookie(&w, row->list);
    cr_expect_eq(pick.why == XDS_HOST_OVERRIDE, host != NULL, "%s for %s", row->list,
                 xds_client_name(client));
    if (host)
        cr_expect(test_host_is(&pick, host), "%s for %s", row->list,
                  xds_client_name(client));
    if (client == XDS_CLIENT_CORE && *row->list)
        cr_expect_eq(pick.affinity, row->code, "%s", row->list);
    test_lb_release(&w);
}

Test(override_host, ready_beats_idle_beats_connecting_beats_a_new_connection)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(cookie_rows); i++) {
        const struct cookie_row *row = &cookie_rows[i];
        const struct xds_release newest = {0, 0, 0}, a62 = {1, 62, 0};

        expect_override(row, XDS_CLIENT_CORE, newest, row->a75);
        expect_override(row, XDS_CLIENT_GRFC, newest, row->a75);
        expect_override(row, XDS_CLIENT_GRFC, a62, row->a55);
    }
}

Test(override_host, an_empty_status_set_switches_overrides_off)
{
    struct test_lb w;

    test_lb_init(&w, XDS_CLIENT_CORE);
    test_lb_cluster(&w, "c", XDS_LB_ROUND_ROBIN)->override_host_status = 0;
    test_lb_endpoints(&w, "c", fixture);
    test_lb_start(&w);
    const struct xds_pick pick = pick_with_cookie(&w, "a:1");
    cr_expect_eq(pick.affinity, XDS_SESSION_STATUS);
    cr_expect_null(pick.host);
    test_lb_release(&w);
}

Test(assumptions, the_address_in_use_leads_the_list)
{
    struct xds_slice addresses[] = {XDS_S("a"), XDS_S("b"), XDS_S("c")};
    const struct xds_endpoint e = {.addresses = addresses, .n_addresses = 3};
    struct xds_arena arena;

    xds_arena_init(&arena, 0);
    cr_expect(xds_slice_is(xds_address_list(&arena, &e, 0), "a,b,c"));
    cr_expect(xds_slice_is(xds_address_list(&arena, &e, 1), "b,a,c"));
    cr_expect(xds_slice_is(xds_address_list(&arena, &e, 2), "c,a,b"));
    xds_arena_release(&arena);
}
