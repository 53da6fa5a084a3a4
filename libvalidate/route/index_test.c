/* index_test.c - the index answers as the plain walk does, reasons included. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "fuzz/routes_harness.h"
#include "route/rpc_test.h"
#include "route/route.h"

enum { ROUTES = 24, ROUNDS = 4000 };

/* A small generator of its own, so that a failure can be repeated. */
static uint64_t seed;

static unsigned below(unsigned n)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(seed >> 33) % n;
}

enum { PATHS = 12, PATH_REGEXES = 8 };

/* The last are a letter in both cases, and the Kelvin sign, which folds to k. */
static const char *const paths[PATHS] = {
    "",       "/",       "/a.S/",         "/a.S/M",        "/a.S/N", "/b.S/M",
    "/A.s/m", "/a.S/Mx", "/\xc3\xa4.S/M", "/\xc3\x84.s/m", "/k",     "/\xe2\x84\xaa"};
static const char *const names[] = {"x-a",          "X-A",   "x-b",
                                    "content-type", "x-bin", ":path"};
static const char *const values[] = {"", "1", "2", "1,2", "application/grpc"};

static const char *const path_regexes[PATH_REGEXES] = {
    "/a\\.S/.*", "/[ab].S/M",  "/a.S/M|/b.S/M", ".*x",
    "",          "/a\\.S/Mx?", "(?i)/a\\.s/m",  "/(a|b)+\\.S/(?:[A-M]|[K-k])"};
static const char *const value_regexes[] = {"1|2", "[0-9]+", ".*", "application/.*", ""};

static struct xds_string_matcher random_string(struct xds_regex_cache *regexes)
{
    static const enum xds_match_kind kinds[] = {XDS_MATCH_EXACT,    XDS_MATCH_EXACT,
                                                XDS_MATCH_PREFIX,   XDS_MATCH_SUFFIX,
                                                XDS_MATCH_CONTAINS, XDS_MATCH_REGEX};
    struct xds_string_matcher m = {.kind = kinds[below(6)]};
    struct xds_slice error;

    m.text = xds_slice_of(m.kind == XDS_MATCH_REGEX ? value_regexes[below(5)]
                                                    : values[below(5)]);
    m.fold_case = m.kind != XDS_MATCH_REGEX && below(5) == 0;
    if (m.kind == XDS_MATCH_REGEX)
        m.regex = xds_regex_get(regexes, m.text, &error);
    return m;
}

static struct xds_header_matcher random_header(struct xds_regex_cache *regexes)
{
    static const enum xds_header_match_kind kinds[] = {
        XDS_HEADER_STRING, XDS_HEADER_STRING,  XDS_HEADER_STRING,
        XDS_HEADER_RANGE,  XDS_HEADER_PRESENT, XDS_HEADER_NEVER};

    return (struct xds_header_matcher){.name = xds_slice_of(names[below(6)]),
                                       .kind = kinds[below(6)],
                                       .specifier = "exact_match",
                                       .invert = below(4) == 0,
                                       .present = below(2),
                                       .start = 1,
                                       .end = 1 + below(2),
                                       .string = random_string(regexes)};
}

static void random_route(struct xds_route *route, struct xds_header_matcher headers[2],
                         struct xds_regex_cache *regexes)
{
    static const enum xds_match_kind kinds[] = {XDS_MATCH_EXACT, XDS_MATCH_PREFIX,
                                                XDS_MATCH_PREFIX, XDS_MATCH_REGEX};
    struct xds_path_matcher *path = &route->match.path;
    struct xds_slice error;

    *route = (struct xds_route){.skipped_by = below(8) ? 0 : below(1 << XDS_CLIENTS)};
    path->kind = kinds[below(4)];
    path->text =
        xds_slice_of(path->kind == XDS_MATCH_REGEX ? path_regexes[below(PATH_REGEXES)]
                                                   : paths[below(PATHS)]);
    path->case_set = below(2);
    path->case_sensitive = !path->case_set || below(3) > 0;
    if (path->kind == XDS_MATCH_REGEX)
        path->regex = xds_regex_get(regexes, path->text, &error);
    route->match.headers = headers;
    route->match.n_headers = below(3);
    for (size_t i = 0; i < route->match.n_headers; i++)
        headers[i] = random_header(regexes);
    if (below(4) == 0) {
        route->match.has_fraction = route->match.fraction_is_set = true;
        route->match.fraction = (struct xds_fraction){below(101), 100};
    }
}

static void random_request(struct test_rpc *t)
{
    t->request.path = xds_slice_of(paths[3 + below(PATHS - 3)]);
    for (unsigned n = below(4); n > 0; n--)
        test_rpc_header(t, names[below(6)], values[below(5)]);
}

static struct xds_route_walk walk(struct test_rpc *t, const struct xds_virtual_host *host,
                                  bool indexed, const double *numbers, size_t n)
{
    test_rpc_random(t, numbers, n);
    const struct xds_route_walk walk = xds_route_select(
        &t->rpc, host,
        indexed ? xds_route_index_build(&t->arena, &t->options, t->rpc.client, host)
                : NULL);

    xds_route_reasons(&t->rpc, &walk);
    return walk;
}

Test(index, answers_as_the_plain_walk_does)
{
    static const double numbers[] = {0.2, 0.7, 0.5};
    struct xds_regex_cache *regexes = xds_regex_cache_new();
    struct xds_header_matcher headers[ROUTES][2];
    struct xds_route routes[ROUTES];

    for (uint64_t round = 0; round < ROUNDS; round++) {
        seed = round;
        const struct xds_virtual_host host = {.routes = routes,
                                              .n_routes = below(ROUTES)};
        struct test_rpc t;

        for (size_t i = 0; i < host.n_routes; i++)
            random_route(&routes[i], headers[i], regexes);
        test_rpc_init(&t, (enum xds_client)(round % XDS_CLIENTS));
        random_request(&t);
        const size_t n = below(4);
        const struct xds_route_walk plain = walk(&t, &host, false, numbers, n);
        const struct xds_route_walk fast = walk(&t, &host, true, numbers, n);
        const char *fault = xds_walks_differ(&plain, &fast);

        cr_assert_null(fault, "round %llu: %s", (unsigned long long)round, fault);
        test_rpc_release(&t);
    }
    xds_regex_cache_free(regexes);
}

Test(index, names_only_routes_that_can_match)
{
    enum { MANY = 1000 };
    static struct xds_route routes[MANY];
    static char text[MANY][24];
    const struct xds_virtual_host host = {.routes = routes, .n_routes = MANY};
    struct test_rpc t;

    for (size_t i = 0; i < MANY; i++) {
        snprintf(text[i], sizeof(text[i]), "/svc%zu/", i);
        routes[i].match.path = (struct xds_path_matcher){.kind = XDS_MATCH_PREFIX,
                                                         .text = xds_slice_of(text[i]),
                                                         .case_sensitive = true};
    }
    test_rpc_init(&t, XDS_CLIENT_CORE);
    t.request.path = XDS_S("/svc977/M");
    const struct xds_route_walk fast = walk(&t, &host, true, NULL, 0);
    cr_expect_eq(fast.n_tries, 1);
    cr_expect_eq(fast.tries[0].index, 977);
    test_rpc_release(&t);
}
