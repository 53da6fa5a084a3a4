/*
 * limits_test.c - limits of base/limits.h that take a snapshot too large for a case:
 *                 reached, and where that matters one below.
 *
 * cli/dev/test/check_limits.sh wants each limit to be named, on a line with "limit:", by
 * a test or a case that reaches it.
 */
#include <stdio.h>

#include "check/limits_test.h"

/* How many findings have this in their line. Frees the snapshot. */
static size_t findings(struct xds_memory snapshot, const char *needle)
{
    struct xds_memory said = {NULL, 0, 0};
    const struct xds_printer to = {.write = xds_memory_write, .user = &said};
    struct run run;

    run_begin(&run, &snapshot, false);
    cr_assert_eq(xds_print_findings_gcc(&to, run.report), XDS_OK);
    const size_t n = count(xds_memory_text(&said), needle);
    run_end(&run);
    free(said.data);
    free(snapshot.data);
    return n;
}

/* One RPC, as text and as JSON. Frees the snapshot. */
static struct xds_memory explained_as(enum xds_client client, struct xds_memory snapshot,
                                      const char *observed)
{
    struct xds_memory said = {NULL, 0, 0};
    const struct xds_printer to = {.write = xds_memory_write, .user = &said};
    const struct xds_request request = {.path = XDS_S("/s/M"),
                                        .observed_host = xds_slice_of(observed)};
    const struct xds_decision *decision;
    struct run run;

    run_begin(&run, &snapshot, true);
    struct xds_explainer *explainer = xds_explainer_new(run.check, client);
    cr_assert_not_null(explainer);
    cr_assert_eq(xds_explain(explainer, &request, &decision), XDS_OK);
    cr_assert_eq(xds_print_decision_text(&to, decision), XDS_OK);
    cr_assert_eq(xds_print_decision_json(&to, decision), XDS_OK);
    xds_explainer_free(explainer);
    run_end(&run);
    free(snapshot.data);
    return said;
}

static struct xds_memory explained(struct xds_memory snapshot, const char *observed)
{
    return explained_as(XDS_CLIENT_CORE, snapshot, observed);
}

static void expect_unsaid(struct xds_memory said, const char *text)
{
    cr_expect_eq(count(xds_memory_text(&said), text), 0);
    free(said.data);
}

/* ---- lint ---- */

static void add_header_route(struct xds_memory *to, const char *matcher)
{
    xds_memory_print(to,
                     "{\"match\":{\"prefix\":\"/a\",\"headers\":[{\"name\":\"x\",%s}]},"
                     "\"route\":{\"cluster\":\"c0\"}}",
                     matcher);
}

/* n routes that hide nothing, one that takes each RPC with a header x, and one after. */
static struct xds_memory hidden_route(unsigned n)
{
    struct xds_memory m = {NULL, 0, 0};

    begin(&m);
    for (unsigned i = 0; i < n; i++) {
        char matcher[64];

        snprintf(matcher, sizeof matcher, "\"string_match\":{\"prefix\":\"%03u\"}", i);
        add_header_route(&m, matcher);
        print(&m, ",");
    }
    add_header_route(&m, "\"present_match\":true");
    print(&m, ",");
    add_header_route(&m, "\"string_match\":{\"exact\":\"last\"}");
    end_routes(&m);
    end_clusters(&m);
    end(&m);
    return m;
}

/* limit: XDS_MAX_COVERING_ROUTES */
Test(limits, a_route_is_compared_with_so_many_earlier_ones)
{
    cr_expect_eq(findings(hidden_route(XDS_MAX_COVERING_ROUTES - 1), "[route-shadowed]"),
                 1);
    cr_expect_eq(findings(hidden_route(XDS_MAX_COVERING_ROUTES), "[route-shadowed]"), 0);
}

/* Eleven regexes, the last of which takes what n paths after it ask for. */
static struct xds_memory hidden_by_regex(unsigned n)
{
    struct xds_memory m = {NULL, 0, 0};

    begin(&m);
    for (unsigned i = 0; i <= 10; i++)
        xds_memory_print(&m,
                         "{\"match\":{\"safe_regex\":{\"regex\":\"/a/[0-9]+%.*s\"}},"
                         "\"route\":{\"cluster\":\"c0\"}},",
                         10 - (int)i, "xxxxxxxxxx");
    for (unsigned i = 0; i < n; i++)
        xds_memory_print(
            &m, "%s{\"match\":{\"path\":\"/a/%u\"},\"route\":{\"cluster\":\"c1\"}}",
            comma(i), i);
    end_routes(&m);
    end_clusters(&m);
    end(&m);
    return m;
}

/* limit: XDS_MAX_COVERING_REGEX_RUNS */
Test(limits, so_many_regexes_are_run_to_find_routes_that_are_hidden)
{
    const unsigned few = 10, many = 500;
    const size_t told = findings(hidden_by_regex(many), "[route-shadowed]");

    cr_expect_eq(findings(hidden_by_regex(few), "[route-shadowed]"), few);
    cr_expect_gt(told, few);
    cr_expect_lt(told, many);
}

/* n headers, the last two of which contradict each other. */
static struct xds_memory contradiction(unsigned n)
{
    struct xds_memory m = {NULL, 0, 0};

    begin(&m);
    print(&m, "{\"match\":{\"prefix\":\"\",\"headers\":[");
    for (unsigned i = 0; i + 2 < n; i++)
        xds_memory_print(&m, "{\"name\":\"x-%u\",\"present_match\":true},", i);
    print(&m, "{\"name\":\"y\",\"string_match\":{\"exact\":\"1\"}},"
              "{\"name\":\"y\",\"string_match\":{\"exact\":\"2\"}}"
              "]},\"route\":{\"cluster\":\"c0\"}}");
    end_routes(&m);
    end_clusters(&m);
    end(&m);
    return m;
}

/* limit: XDS_MAX_COMPARED_HEADERS */
Test(limits, so_many_headers_of_a_route_are_compared)
{
    cr_expect_eq(
        findings(contradiction(XDS_MAX_COMPARED_HEADERS), "[header-matchers-contradict]"),
        1);
    cr_expect_eq(findings(contradiction(XDS_MAX_COMPARED_HEADERS + 1),
                          "[header-matchers-contradict]"),
                 0);
}

/* n weighted clusters, the last of which has the name of the first. */
static struct xds_memory repeated_weight(unsigned n)
{
    struct xds_memory m = {NULL, 0, 0};

    begin(&m);
    print(
        &m,
        "{\"match\":{\"prefix\":\"\"},\"route\":{\"weighted_clusters\":{\"clusters\":[");
    for (unsigned i = 0; i < n; i++)
        xds_memory_print(&m, "%s{\"name\":\"c%u\",\"weight\":1}", comma(i),
                         i + 1 < n ? i : 0);
    print(&m, "]}}}");
    end_routes(&m);
    end_clusters(&m);
    end(&m);
    return m;
}

/* limit: XDS_MAX_COMPARED_CLUSTERS */
Test(limits, so_many_weighted_clusters_of_a_route_are_compared)
{
    cr_expect_eq(
        findings(repeated_weight(XDS_MAX_COMPARED_CLUSTERS), "it gets both shares"), 1);
    cr_expect_eq(
        findings(repeated_weight(XDS_MAX_COMPARED_CLUSTERS + 1), "it gets both shares"),
        0);
}

static void add_aggregate(struct xds_memory *to, const char *name, unsigned i)
{
    xds_memory_print(
        to,
        "{\"name\":\"%s%u\",\"cluster_type\":{\"name\":\"envoy.clusters.aggregate\","
        "\"typed_config\":"
        "{\"@type\":\"type.googleapis.com/envoy.extensions.clusters.aggregate."
        "v3.ClusterConfig\",\"clusters\":[",
        name, i);
}

/* So many aggregates that share one over so many clusters. */
static struct xds_memory aggregates(unsigned tops, unsigned leaves)
{
    struct xds_memory m = {NULL, 0, 0};

    print(&m, "{\"clusters\":[");
    for (unsigned i = 0; i < tops; i++) {
        add_aggregate(&m, "top", i);
        print(&m, "\"shared0\",\"c0\"]}}},");
    }
    add_aggregate(&m, "shared", 0);
    for (unsigned i = 1; i < leaves; i++)
        xds_memory_print(&m, "%s\"c%u\"", comma(i - 1), i);
    print(&m, "]}}}");
    end(&m);
    return m;
}

/* limit: XDS_MAX_AGGREGATE_STEPS */
Test(limits, the_search_for_repeated_leaves_ends_after_so_many_steps)
{
    cr_expect_eq(findings(aggregates(1100, 1000), "the search ends after"), 1);
    cr_expect_eq(findings(aggregates(100, 1000), "the search ends after"), 0);
}

/* ---- explain ---- */

/* A route to an aggregate over so many others, each of which leads to one over so many
 * clusters, and back to itself. */
static struct xds_memory cycles(unsigned tops, unsigned leaves)
{
    struct xds_memory m = {NULL, 0, 0};

    begin(&m);
    print(&m, "{\"match\":{\"prefix\":\"\"},\"route\":{\"cluster\":\"root0\"}}");
    end_routes(&m);
    add_aggregate(&m, "root", 0);
    for (unsigned i = 0; i < tops; i++)
        xds_memory_print(&m, "%s\"top%u\"", comma(i), i);
    print(&m, "]}}},");
    for (unsigned i = 0; i < tops; i++) {
        add_aggregate(&m, "top", i);
        xds_memory_print(&m, "\"shared0\",\"top%u\"]}}},", i);
    }
    add_aggregate(&m, "shared", 0);
    for (unsigned i = 0; i < leaves; i++)
        xds_memory_print(&m, "%s\"c%u\"", comma(i), i);
    print(&m, "]}}},");
    for (unsigned i = 0; i < leaves; i++)
        add_cluster(&m, i);
    end_clusters(&m);
    add_endpoints(&m, 1, 1);
    end(&m);
    return m;
}

/* limit: XDS_MAX_AGGREGATE_STEPS */
Test(limits, so_many_clusters_are_met_again_below_cycles)
{
    static const char text[] = "cycles of aggregate clusters take too many steps";

    expect_unsaid(explained_as(XDS_CLIENT_JAVA, cycles(900, 1000), NULL), text);
    expect_said(explained_as(XDS_CLIENT_JAVA, cycles(1100, 1000), NULL), text);
}

/* limit: XDS_MAX_OPEN_PICKS */
Test(limits, so_many_picks_of_one_rpc_are_followed)
{
    static const char text[] = "too many different picks are possible";

    expect_unsaid(explained(spread(XDS_MAX_OPEN_PICKS, 1, 1), NULL), text);
    expect_said(explained(spread(XDS_MAX_OPEN_PICKS + 1, 1, 1), NULL), text);
}

/* limit: XDS_MAX_OPEN_HOSTS */
Test(limits, so_many_hosts_of_all_picks_are_listed)
{
    const unsigned hosts = 5000, clusters = XDS_MAX_OPEN_HOSTS / hosts + 2;

    cr_assert_lt(clusters, XDS_MAX_OPEN_PICKS);
    expect_said(explained(spread(clusters, 1, hosts), NULL),
                "too many different picks are possible");
}

/* limit: XDS_MAX_OBSERVED_CAUSES */
Test(limits, so_many_causes_of_an_observed_host_are_listed)
{
    expect_said(explained(spread(XDS_MAX_OBSERVED_CAUSES + 1, 1, 1), "10.0.0.0:80"),
                "there may be more causes");
}

/* limit: XDS_MAX_OBSERVED_NEEDS */
Test(limits, so_many_addresses_of_a_cause_are_listed)
{
    expect_said(explained(spread(1, 2, XDS_MAX_OBSERVED_NEEDS + 1), "10.0.39.17:80"),
                "\"more_needs\":1");
}

/* limit: XDS_MAX_OBSERVED_STEPS */
Test(limits, a_way_to_an_observed_host_has_so_many_steps)
{
    expect_said(explained(spread(1, XDS_MAX_OBSERVED_STEPS + 100, 1), "10.0.4.75:80"),
                "there may be more causes");
}

/* limit: XDS_MAX_OBSERVED_HOSTS */
Test(limits, so_many_hosts_are_looked_at_for_an_observed_one)
{
    expect_said(explained(spread(1, 900, 40), "10.0.140.159:80"),
                "there may be more causes");
}

/* ---- service configs ---- */

/* So many filters of the listener, and so many routes. */
static struct xds_memory filters(unsigned n, unsigned routes)
{
    struct xds_memory m = {NULL, 0, 0}, chain = {NULL, 0, 0};

    for (unsigned i = 0; i < n; i++)
        xds_memory_print(
            &chain,
            "{\"name\":\"f%u\",\"typed_config\":{\"@type\":\"type.googleapis."
            "com/envoy.extensions.filters.http.fault.v3.HTTPFault\"}},",
            i);
    (void)xds_memory_write(&chain, "", 1);
    begin_listener(&m, chain.data);
    print(&m, "{\"domains\":[\"*\"],\"routes\":[");
    for (unsigned i = 0; i < routes; i++)
        xds_memory_print(
            &m, "%s{\"match\":{\"prefix\":\"/%u\"},\"route\":{\"cluster\":\"c0\"}}",
            comma(i), i);
    end_routes(&m);
    end_clusters(&m);
    end(&m);
    free(chain.data);
    return m;
}

/* As text, and the notes. Frees the snapshot. */
static struct xds_memory service_config(struct xds_memory snapshot)
{
    struct xds_memory said = {NULL, 0, 0};
    const struct xds_printer to = {.write = xds_memory_write, .user = &said};
    const struct xds_config_request request = {.form = XDS_CONFIG_CURRENT};
    const struct xds_config *config;
    struct run run;

    run_begin(&run, &snapshot, true);
    struct xds_generator *generator = xds_generator_new(run.check, XDS_CLIENT_CORE);
    cr_assert_not_null(generator);
    cr_assert_eq(xds_generate_service_config(generator, &request, &config), XDS_OK);
    cr_assert_eq(xds_print_config_text(&to, config), XDS_OK);
    for (size_t i = 0; xds_config_note(config, i).data; i++)
        (void)xds_memory_write(&said, xds_config_note(config, i).data,
                               xds_config_note(config, i).len);
    xds_generator_free(generator);
    run_end(&run);
    free(snapshot.data);
    return said;
}

/* limit: XDS_MAX_FILTER_USES */
Test(limits, so_many_filters_of_all_routes_are_told)
{
    static const char text[] = "routes times filters are more than 1000000";

    expect_unsaid(service_config(filters(999, 1000)), text);
    expect_said(service_config(filters(999, 1001)), text);
}
