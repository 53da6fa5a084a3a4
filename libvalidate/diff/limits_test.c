/*
 * limits_test.c - limits of a comparison that take snapshots too large for a case:
 *                 reached, and reported.
 */
#include "check/limits_test.h"

struct side {
    struct xds_memory snapshot;
    struct run run;
};

static struct xds_source *open_again(void *user, struct xds_report *report)
{
    struct side *side = user;
    struct xds_source *source = xds_source_new(report, XDS_TYPE_UNKNOWN);

    cr_assert_not_null(source);
    cr_assert_eq(xds_source_add_bytes(source, "s.json", xds_memory_text(&side->snapshot)),
                 XDS_OK);
    return source;
}

static struct xds_diff_side open_side(struct side *side, struct xds_memory snapshot)
{
    side->snapshot = snapshot;
    run_begin(&side->run, &side->snapshot, true);
    return (struct xds_diff_side){.check = side->run.check,
                                  .report = side->run.report,
                                  .open = open_again,
                                  .user = side,
                                  .client = XDS_CLIENT_CORE};
}

static void close_side(struct side *side)
{
    run_end(&side->run);
    free(side->snapshot.data);
}

/* As JSON, and as text. Frees the snapshots. */
static struct xds_memory compared(struct xds_memory old, struct xds_memory new)
{
    struct xds_memory said = {NULL, 0, 0};
    const struct xds_printer to = {.write = xds_memory_write, .user = &said};
    struct side sides[2];
    const struct xds_diff_side a = open_side(&sides[0], old);
    const struct xds_diff_side b = open_side(&sides[1], new);
    struct xds_diff *diff = xds_diff_new(&a, &b);

    cr_assert_not_null(diff);
    cr_assert_eq(xds_diff_resources(diff), XDS_OK);
    cr_assert_eq(xds_diff_derive(diff, (struct xds_slice){NULL, 0}), XDS_OK);
    cr_assert_eq(xds_print_diff_json(&to, diff), XDS_OK);
    cr_assert_eq(xds_print_diff_text(&to, diff), XDS_OK);
    xds_diff_free(diff);
    close_side(&sides[0]);
    close_side(&sides[1]);
    return said;
}

/* n paths, each to a cluster of its own, and its name begins with this. */
static struct xds_memory paths(unsigned n, const char *name)
{
    struct xds_memory m = {NULL, 0, 0};

    begin(&m);
    for (unsigned i = 0; i < n; i++)
        xds_memory_print(
            &m, "%s{\"match\":{\"path\":\"/s/%u\"},\"route\":{\"cluster\":\"%s%u\"}}",
            comma(i), i, name, i);
    end_routes(&m);
    end_clusters(&m);
    end(&m);
    return m;
}

/* limit: XDS_MAX_DIFF_CHANGES, XDS_MAX_DIFF_KINDS */
Test(diff_limits, so_many_changes_of_a_resource_and_kinds_of_requests_are_listed)
{
    const unsigned n = XDS_MAX_DIFF_CHANGES + 7;
    struct xds_memory said = compared(paths(n, "a"), paths(n, "b"));

    cr_expect_eq(XDS_MAX_DIFF_KINDS, XDS_MAX_DIFF_CHANGES);
    cr_expect_eq(count(xds_memory_text(&said), "\"more_fields\":7"), 1);
    expect_said(said, "\"request_kinds_not_shown\":7");
}

/* limit: XDS_MAX_DIFF_SHARES */
Test(diff_limits, so_many_hosts_whose_shares_differ_are_listed)
{
    struct xds_memory said =
        compared(spread(1, 1, 1), spread(1, 1, XDS_MAX_DIFF_SHARES + 5));

    expect_said(said, "\"more_hosts\":5");
}

/* Clusters that no resource names, with so many hosts each from a first one on. */
static struct xds_memory hosts(unsigned clusters, unsigned n, unsigned first)
{
    struct xds_memory m = {NULL, 0, 0};

    begin(&m);
    end_routes(&m);
    end_clusters(&m);
    for (unsigned i = 0; i < clusters; i++) {
        xds_memory_print(&m, "%s{\"cluster_name\":\"c%u\",\"endpoints\":[", comma(i), i);
        add_locality(&m, 0, first, n);
        print(&m, "]}");
    }
    end(&m);
    return m;
}

/* limit: XDS_MAX_DIFF_DECODED */
Test(diff_limits, what_does_not_fit_at_a_time_is_compared_in_rounds)
{
    const unsigned clusters = 5, n = 40000;

    cr_assert_gt((size_t)clusters * n * sizeof(void *) * 50, XDS_MAX_DIFF_DECODED);
    expect_said(compared(hosts(clusters, n, 0), hosts(clusters, n, 1)),
                "5 resources changed");
}

/* One virtual host with so many domains and routes. */
static struct xds_memory domains(unsigned n, unsigned routes)
{
    struct xds_memory m = {NULL, 0, 0};

    begin_listener(&m, "");
    print(&m, "{\"domains\":[");
    for (unsigned i = 0; i < n; i++)
        xds_memory_print(&m, "%s\"d%u\"", comma(i), i);
    print(&m, "],\"routes\":[");
    for (unsigned i = 0; i < routes; i++)
        xds_memory_print(
            &m, "%s{\"match\":{\"path\":\"/s/%u\"},\"route\":{\"cluster\":\"c0\"}}",
            comma(i), i);
    end_routes(&m);
    end_clusters(&m);
    end(&m);
    return m;
}

/* limit: XDS_MAX_DERIVED_REQUESTS */
Test(diff_limits, so_many_requests_are_made_of_the_routes)
{
    expect_said(compared(domains(1001, 100), domains(1001, 101)),
                "the first 100000 requests");
}

/* n routes to the hosts of one cluster, with a session cookie. */
static struct xds_memory sessions(unsigned n, unsigned hosts)
{
    struct xds_memory m = {NULL, 0, 0};

    begin_listener(&m, SESSION_FILTER);
    print(&m, "{\"domains\":[\"*\"],\"routes\":[");
    for (unsigned i = 0; i < n; i++)
        xds_memory_print(
            &m, "%s{\"match\":{\"path\":\"/s/%u\"},\"route\":{\"cluster\":\"c0\"}}",
            comma(i), i);
    end_routes(&m);
    add_cluster(&m, 0);
    end_clusters(&m);
    add_endpoints(&m, 1, hosts);
    end(&m);
    return m;
}

/* limit: XDS_MAX_DIFF_COOKIES */
Test(diff_limits, so_many_cookies_are_tried)
{
    expect_said(compared(sessions(1001, 50), sessions(1001, 51)),
                "the first 50000 cookies");
}
