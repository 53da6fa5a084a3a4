/* aggregate_test.c - flattening, and what missing children and cycles do. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "lb/lb_test.h"

static void expect_leaves(struct test_lb *w, const char *root, const char *wanted)
{
    char text[128] = "";
    size_t at = 0;
    const struct xds_leaves leaves = xds_aggregate_leaves(&w->lb, xds_slice_of(root));

    for (size_t i = 0; i < leaves.n; i++)
        at += (size_t)snprintf(text + at, sizeof(text) - at, "%.*s%s",
                               XDS_FMT(leaves.list[i].name),
                               leaves.list[i].cluster ? " " : "! ");
    if (leaves.error.text.data)
        snprintf(text + at, sizeof(text) - at, "error");
    cr_expect_str_eq(text, wanted, "%s for %s", root, xds_client_name(w->lb.rpc->client));
}

static void prepare(struct test_lb *w, enum xds_client client)
{
    test_lb_init(w, client);
    test_lb_cluster(w, "B", XDS_LB_ROUND_ROBIN);
    test_lb_cluster(w, "D", XDS_LB_ROUND_ROBIN);
    test_lb_cluster(w, "E", XDS_LB_PICK_FIRST);
    test_lb_aggregate(w, "A", "B C");
    test_lb_aggregate(w, "C", "D B E");
    test_lb_aggregate(w, "cycle", "B back");
    test_lb_aggregate(w, "back", "cycle D");
    test_lb_aggregate(w, "self", "self");
    test_lb_aggregate(w, "below", "B loop far");
    test_lb_aggregate(w, "loop", "far D");
    test_lb_aggregate(w, "far", "loop E");
    test_lb_aggregate(w, "gap", "B none E");
    test_lb_aggregate(w, "void", "none");
    test_lb_start(w);
}

static const struct row {
    enum xds_client client;
    const char *root, *leaves;
} rows[] = {
    {XDS_CLIENT_CORE, "B", "B "},           {XDS_CLIENT_CORE, "A", "B D E "},
    {XDS_CLIENT_CORE, "cycle", "B D "},     {XDS_CLIENT_CORE, "self", "error"},
    {XDS_CLIENT_JAVA, "cycle", "error"},    {XDS_CLIENT_JAVA, "below", "B loop! E "},
    {XDS_CLIENT_CORE, "below", "B E D "},   {XDS_CLIENT_CORE, "gap", "B E "},
    {XDS_CLIENT_GRFC, "gap", "B E "},       {XDS_CLIENT_GO, "gap", "B error"},
    {XDS_CLIENT_JAVA, "gap", "B none! E "}, {XDS_CLIENT_NODE, "void", "none! "},
    {XDS_CLIENT_CORE, "void", "error"},     {XDS_CLIENT_CORE, "nowhere", "error"},
};

Test(aggregate, leaves_come_depth_first_and_once)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        struct test_lb w;

        prepare(&w, rows[i].client);
        expect_leaves(&w, rows[i].root, rows[i].leaves);
        test_lb_release(&w);
    }
}

/* a0 -> a1 -> ... -> leaf, `aggregates` of them. */
static struct xds_slice error_of_chain(struct test_lb *w, unsigned aggregates)
{
    static char names[32][16];

    for (unsigned i = 0; i < aggregates; i++)
        snprintf(names[i], sizeof(names[i]), "a%u", i);
    for (unsigned i = 0; i < aggregates; i++)
        test_lb_aggregate(w, names[i], i + 1 < aggregates ? names[i + 1] : "B");
    return xds_aggregate_leaves(&w->lb, XDS_S("a0")).error.text;
}

Test(aggregate, sixteen_levels_are_the_most)
{
    for (unsigned depth = 15; depth <= 17; depth++) {
        struct test_lb w;

        prepare(&w, XDS_CLIENT_CORE);
        const struct xds_slice error = error_of_chain(&w, depth);
        if (depth == 15)
            cr_expect_null(error.data);
        else
            cr_expect(xds_slice_is(error, "aggregate cluster graph exceeds max depth"));
        test_lb_release(&w);
    }
}

static enum xds_lb_kind policy_of_first_leaf(enum xds_client client, const char *env)
{
    struct test_lb w;
    const char *hint;

    prepare(&w, client);
    if (env)
        cr_assert_eq(xds_options_set_env(&w.t.options, xds_slice_of(env), &hint), XDS_OK);
    const enum xds_lb_kind kind =
        xds_aggregate_leaves(&w.lb, XDS_S("A")).list[0].policy->kind;
    test_lb_release(&w);
    return kind;
}

Test(aggregate, the_leaf_brings_the_policy_except_for_go_and_by_the_switch)
{
    const char *compat = "GRPC_XDS_AGGREGATE_CLUSTER_BACKWARD_COMPAT=true";

    cr_expect_eq(policy_of_first_leaf(XDS_CLIENT_CORE, NULL), XDS_LB_ROUND_ROBIN);
    cr_expect_eq(policy_of_first_leaf(XDS_CLIENT_JAVA, NULL), XDS_LB_ROUND_ROBIN);
    cr_expect_eq(policy_of_first_leaf(XDS_CLIENT_GO, NULL), XDS_LB_RING_HASH);
    cr_expect_eq(policy_of_first_leaf(XDS_CLIENT_CORE, compat), XDS_LB_RING_HASH);
    cr_expect_eq(policy_of_first_leaf(XDS_CLIENT_JAVA, compat), XDS_LB_ROUND_ROBIN);
}

Test(aggregate, the_first_leaf_with_a_usable_endpoint_is_used)
{
    const struct test_endpoint down[] = {{"z", 0, 1, {"d:1"}, XDS_HEALTH_UNHEALTHY, 0},
                                         {.zone = NULL}};
    const struct test_endpoint up[] = {{"z", 0, 1, {"e:1"}, XDS_HEALTH_UNKNOWN, 0},
                                       {.zone = NULL}};
    struct test_lb w;

    prepare(&w, XDS_CLIENT_CORE);
    test_lb_endpoints(&w, "D", down);
    test_lb_endpoints(&w, "E", up);
    const struct xds_pick pick = test_pick(&w, "A");
    cr_assert_not_null(pick.leaf);
    cr_expect(xds_slice_is(pick.leaf->name, "E"));
    cr_expect(test_host_is(&pick, "e:1"));
    test_lb_release(&w);
}
