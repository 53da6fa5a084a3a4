/* reach_test.c - random route tables: each route that counts is taken by the RPC that is
 * kept for it, and no RPC takes one that is said to be unreached. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "explain/decision.h"
#include "include/xdscope.h"

enum { TABLES = 150, ROUTES = 7, RPCS = 60 };

static unsigned state;

static size_t draw(size_t n)
{
    state = state * 1103515245u + 12345u;
    return (state >> 16) % n;
}

static const char *const texts[] = {"", "/", "/a", "/a/", "/a.B/", "/a.B/C", "/b"};
static const char *const regexes[] = {"/a.*", ".*", "/a/[a-z]+", "/b"};
static const char *const values[] = {"1", "2", ""};

static void write_table(FILE *file)
{
    const size_t n = 1 + draw(ROUTES);

    (void)fputs("name: r\nvirtual_hosts:\n- name: v\n  domains: [\"*\"]\n  routes:\n",
                file);
    for (size_t i = 0; i < n; i++) {
        const size_t kind = draw(5);

        if (kind == 0)
            (void)fprintf(file, "  - match: {safe_regex: {regex: \"%s\"}",
                          regexes[draw(4)]);
        else
            (void)fprintf(file, "  - match: {%s: \"%s\"", kind == 1 ? "path" : "prefix",
                          texts[kind == 1 ? 1 + draw(6) : draw(7)]);
        if (draw(3) == 0)
            (void)fprintf(file,
                          ", headers: [{name: x-%zu, string_match: {exact: \"%s\"}, "
                          "invert_match: %s}]",
                          draw(2), values[draw(2)], draw(2) ? "true" : "false");
        (void)fprintf(file, "}\n    route: {cluster: c%zu}\n", i);
    }
}

/* The route that takes the RPC; SIZE_MAX: none. */
static size_t route_of(struct xds_explainer *explainer, struct xds_request request)
{
    const struct xds_decision *decision;

    request.every_route = true;
    cr_assert_eq(xds_explain(explainer, &request, &decision), XDS_OK);
    return decision->route ? decision->route->index : SIZE_MAX;
}

static size_t random_route(struct xds_explainer *explainer)
{
    const char *const ends[] = {"", "x", "C", "/z", "Method"};
    struct xds_header headers[2];
    struct xds_request request = {.headers = headers};
    char path[64];

    (void)snprintf(path, sizeof path, "/%s%s", texts[1 + draw(6)] + 1, ends[draw(5)]);
    request.path = xds_slice_of(path);
    for (size_t i = 0; i < draw(3); i++)
        headers[request.n_headers++] =
            (struct xds_header){request.n_headers ? XDS_S("x-1") : XDS_S("x-0"),
                                xds_slice_of(values[draw(3)])};
    return route_of(explainer, request);
}

static void check_routes(const char *snapshot, const struct xds_coverage *coverage)
{
    struct xds_options options = {.clients = XDS_ALL_CLIENTS};
    struct xds_report *report = xds_report_new(&options);
    struct xds_source *source = xds_source_new(report, XDS_TYPE_ROUTE);
    struct xds_check *check = xds_check_new(report, true);
    struct xds_resource resource;
    struct xds_explainer *explainer;
    bool unreached[ROUTES + 1] = {false};

    cr_assert_eq(xds_source_add(source, snapshot), XDS_OK);
    while (xds_source_next(source, &resource) == XDS_OK)
        cr_assert_eq(xds_check_resource(check, &resource), XDS_OK);
    explainer = xds_explainer_new(check, XDS_CLIENT_CORE);
    cr_assert_eq(coverage->n_configs, 1);
    for (size_t i = 0; i < coverage->configs[0]->n_routes; i++) {
        const struct xds_covered_route *route = &coverage->configs[0]->routes[i];

        unreached[i] = !route->reached_by;
        if (route->reached_by)
            cr_assert_eq(route_of(explainer, route->witness), i);
    }
    for (size_t i = 0; i < RPCS; i++) {
        const size_t taken = random_route(explainer);

        cr_assert(taken == SIZE_MAX || !unreached[taken], "table %s, route %zu", snapshot,
                  taken);
    }
    xds_explainer_free(explainer);
    xds_check_free(check);
    xds_source_free(source);
    xds_report_free(report);
}

static void write_file(const char *path, void (*write)(FILE *))
{
    FILE *file = fopen(path, "w");

    cr_assert_not_null(file);
    write(file);
    cr_assert_eq(fclose(file), 0);
}

static void write_tests(FILE *file)
{
    (void)fputs("{snapshot: r.routes.yaml, cases: [{name: a, request: {path: /a}, "
                "expect: {client: core}}]}\n",
                file);
}

static void run_table(const char *folder)
{
    const struct xds_suite_settings settings = {.options = {.clients = XDS_ALL_CLIENTS},
                                                .coverage = true};
    char routes[64], tests[64];
    struct xds_slice error;
    struct xds_suite *suite;

    (void)snprintf(routes, sizeof routes, "%s/r.routes.yaml", folder);
    (void)snprintf(tests, sizeof tests, "%s/t.yaml", folder);
    write_file(routes, write_table);
    write_file(tests, write_tests);
    cr_assert_eq(xds_suite_new(&settings, &suite, &error), XDS_OK);
    cr_assert_eq(xds_suite_add(suite, tests), XDS_OK);
    cr_assert_eq(xds_suite_run(suite), XDS_OK);
    cr_assert_eq(xds_suite_results(suite)->n_faults, 0);
    check_routes(routes, xds_suite_results(suite)->coverages[0]);
    xds_suite_free(suite);
    (void)unlink(routes);
    (void)unlink(tests);
}

Test(reach, routes_that_count_are_taken_by_their_rpc)
{
    char folder[] = "/tmp/xdscope-reach-XXXXXX";

    cr_assert_not_null(mkdtemp(folder));
    for (state = 1; state <= TABLES; state++) {
        const unsigned seed = state;

        run_table(folder);
        state = seed;
    }
    (void)rmdir(folder);
}
