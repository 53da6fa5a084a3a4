/* shadow_test.c - what is said never to match never matches, and nothing is missed. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "catalogue/rule.h"
#include "cli/dev/test/sample.h"
#include "lint/checks.h"
#include "route/route.h"
#include "route/rpc_test.h"

enum { ROUTES = 4, PADDING = 20, HEADERS = 2, ROUNDS = 3000, NAMES = 2 };

/* A small generator of its own, so that a failure can be repeated. */
static uint64_t seed;

static unsigned below(unsigned n)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(seed >> 33) % n;
}

static const char *const paths[] = {"", "/", "/a", "/A", "/a/", "/a/b", "/a/B", "/b"};
static const char *const regexes[] = {"/a/b", "/a/b.*", "/a/(b|z)", ".*", "/[ab]/b"};
static const char *const texts[] = {"", "a", "b", "ab", "A", "B1", "1"};

/* Every text of up to four letters, long enough for a counterexample to any two matchers
 * that are random here. */
struct texts {
    struct xds_slice at[2000];
    size_t n, used;
    char bytes[10000];
};

static struct texts values, asked;

static void add_text(struct texts *out, const char *first, const char *alphabet,
                     size_t len, size_t which)
{
    char *text = out->bytes + out->used;
    const size_t begin = strlen(first), n = strlen(alphabet);

    memcpy(text, first, begin);
    for (size_t i = 0; i < len; i++, which /= n)
        text[begin + i] = alphabet[which % n];
    out->at[out->n++] = xds_slice_make(text, begin + len);
    out->used += begin + len;
}

static void make_texts(struct texts *out, const char *first, const char *alphabet)
{
    size_t n = 1;

    out->n = out->used = 0;
    for (size_t len = 0; len <= 4; len++, n *= strlen(alphabet))
        for (size_t i = 0; i < n; i++)
            add_text(out, first, alphabet, len, i);
}

/* All one-digit numbers, and letters that are none. */
static void make_requests(void)
{
    make_texts(&values, "", "abABz1");
    for (size_t i = 0; i < 10; i++)
        add_text(&values, "", "0123456789", 1, i);
    make_texts(&asked, "/", "/aAbBz");
}

static struct xds_string_matcher random_string(void)
{
    const struct xds_string_matcher m = {
        .kind = (enum xds_match_kind)below(XDS_MATCH_REGEX),
        .text = xds_slice_of(texts[below(7)]),
        .fold_case = below(4) == 0,
    };
    return m;
}

/* The first name has texts, the second one numbers: a text is never held against a range,
 * as it may be left undecided. */
static struct xds_header_matcher random_header(unsigned name)
{
    static const char *const names[] = {"x-a", "x-n"};
    struct xds_header_matcher m = {.name = xds_slice_of(names[name]),
                                   .specifier = "exact_match",
                                   .kind = XDS_HEADER_PRESENT,
                                   .invert = below(3) == 0,
                                   .present = below(3) > 0,
                                   .start = (int64_t)below(5)};

    m.end = m.start + (int64_t)below(3);
    if (below(4) > 0)
        m.kind = name == 0 ? XDS_HEADER_STRING : XDS_HEADER_RANGE;
    m.string = random_string();
    return m;
}

static void random_path(struct xds_path_matcher *path, struct xds_regex_cache *cache,
                        bool with_regexes)
{
    struct xds_slice error;

    *path = (struct xds_path_matcher){.kind = XDS_MATCH_PREFIX,
                                      .text = xds_slice_of(paths[below(8)]),
                                      .case_set = below(2)};
    path->case_sensitive = !path->case_set || below(2);
    if (below(2) && path->text.len > 1)
        path->kind = XDS_MATCH_EXACT;
    if (with_regexes && below(3) == 0) {
        path->kind = XDS_MATCH_REGEX;
        path->text = xds_slice_of(regexes[below(5)]);
        path->regex = xds_regex_get(cache, path->text, &error);
    }
}

/* With the padding the routes are so many that they are found by an index. */
struct table {
    struct xds_route all[PADDING + ROUTES], *routes; /* routes: those after it */
    struct xds_header_matcher headers[ROUTES][HEADERS];
    struct xds_virtual_host host;
    struct xds_route_config config;
};

static void pad(struct table *t)
{
    static char paths_of_nobody[PADDING][8];

    for (size_t i = 0; i < PADDING; i++) {
        snprintf(paths_of_nobody[i], sizeof paths_of_nobody[i], "/q%zu/q", i);
        t->all[i].match.path = (struct xds_path_matcher){
            .kind = XDS_MATCH_EXACT,
            .text = xds_slice_of(paths_of_nobody[i]),
            .case_sensitive = true,
        };
    }
}

static void random_table(struct table *t, struct xds_regex_cache *cache,
                         bool with_regexes, bool padded)
{
    memset(t, 0, sizeof *t);
    t->routes = t->all + PADDING;
    pad(t);
    for (size_t i = 0; i < ROUTES; i++) {
        struct xds_route_match *match = &t->routes[i].match;

        random_path(&match->path, cache, with_regexes);
        match->headers = t->headers[i];
        for (unsigned name = 0; name < NAMES; name++)
            if (below(2))
                t->headers[i][match->n_headers++] = random_header(name);
        match->has_fraction = match->fraction_is_set = below(8) == 0;
        match->fraction = (struct xds_fraction){below(2) ? 50 : 100, 100};
        t->routes[i].skipped_by = below(8) ? 0 : below(1 << XDS_CLIENTS);
    }
    t->host = (struct xds_virtual_host){.routes = t->all, .n_routes = PADDING + ROUTES};
    if (!padded)
        t->host = (struct xds_virtual_host){.routes = t->routes, .n_routes = ROUTES};
    t->config =
        (struct xds_route_config){.virtual_hosts = &t->host, .n_virtual_hosts = 1};
}

/* ---- by trying everything ---- */

/* A request sets the one header or not, and the other not or so that both are tried in
 * all their values: matchers of different names do not meet. */
static bool header_fits(struct test_rpc *t, const struct xds_route_match *match,
                        const char *name, const struct xds_slice *value)
{
    for (size_t i = 0; i < match->n_headers; i++)
        if (xds_slice_is(match->headers[i].name, name) &&
            xds_header_takes(&t->rpc, &match->headers[i], value) != XDS_MATCH)
            return false;
    return true;
}

enum relation { APART = 1, NEVER = 2 };

/* Is there a value that the later one takes and the earlier one does not; is there none
 * at all that the later one takes? */
static unsigned compare_header(struct test_rpc *t, const struct xds_route_match *earlier,
                               const struct xds_route_match *later, const char *name)
{
    unsigned found = NEVER;

    for (size_t i = 0; i <= values.n; i++) {
        const struct xds_slice *value = i < values.n ? &values.at[i] : NULL;

        if (!header_fits(t, later, name, value))
            continue;
        found &= ~(unsigned)NEVER;
        if (!header_fits(t, earlier, name, value))
            return found | APART;
    }
    return found;
}

static unsigned compare_path(struct test_rpc *t, const struct xds_route_match *earlier,
                             const struct xds_route_match *later)
{
    unsigned found = NEVER;
    struct xds_slice reason;

    for (size_t i = 0; i < asked.n; i++) {
        t->request.path = asked.at[i];
        if (!xds_path_matches(&t->rpc, &later->path, &reason))
            continue;
        found &= ~(unsigned)NEVER;
        if (!xds_path_matches(&t->rpc, &earlier->path, &reason))
            return found | APART;
    }
    return found;
}

static bool is_partial(const struct xds_route_match *match)
{
    return match->has_fraction && match->fraction.numerator < 100;
}

static unsigned compare_routes(enum xds_client client, const struct xds_route *earlier,
                               const struct xds_route *later)
{
    struct test_rpc t;
    unsigned found;

    test_rpc_init(&t, client);
    found = compare_path(&t, &earlier->match, &later->match) |
            compare_header(&t, &earlier->match, &later->match, "x-a") |
            compare_header(&t, &earlier->match, &later->match, "x-n");
    test_rpc_release(&t);
    if (is_partial(&earlier->match) || (earlier->skipped_by & XDS_CLIENT_BIT(client)))
        found |= APART;
    return found;
}

/* ---- by the check ---- */

static void run_check(struct xds_report *report, const struct table *t)
{
    struct xds_arena scratch;
    const struct xds_inspection in = {.report = report, .scratch = &scratch};

    xds_arena_init(&scratch, 0);
    xds_check_shadowed_routes(&in, NULL, &t->config);
    xds_arena_release(&scratch);
}

/* The position after "routes" in the path of a finding. */
static size_t position_of(const struct xds_report *report, size_t finding)
{
    struct xds_steps steps = report->unplaced.list[0].steps;
    struct xds_path step;

    for (size_t i = 0; i < report->unplaced.n; i++)
        if (!report->unplaced.list[i].related &&
            report->unplaced.list[i].finding == finding)
            steps = report->unplaced.list[i].steps;
    while (xds_steps_next(&steps, &step))
        if (strcmp(step.field, "routes") == 0)
            return step.index;
    return SIZE_MAX;
}

struct shown {
    bool dead[ROUTES];
};

static struct shown check(const struct table *t, enum xds_client client)
{
    struct xds_options options;
    struct shown shown = {{false}};
    struct xds_report *report;

    xds_options_init(&options);
    options.clients = XDS_CLIENT_BIT(client);
    report = xds_report_new(&options);
    xds_report_add_resource(report, XDS_S("route"), XDS_S("r"), (struct xds_place){0});
    run_check(report, t);
    for (size_t i = 0; i < report->n_findings; i++)
        shown.dead[position_of(report, i) - (t->host.n_routes - ROUTES)] = true;
    xds_report_free(report);
    return shown;
}

static bool asks_for_nothing(enum xds_client client, const struct xds_route *route)
{
    return (compare_routes(client, route, route) & NEVER) != 0;
}

static void judge(const struct table *t, enum xds_client client, uint64_t round,
                  bool with_regexes)
{
    const struct shown shown = check(t, client);

    for (size_t later = 0; later < ROUTES; later++) {
        const struct xds_route *route = &t->routes[later];
        bool hidden = false;

        if ((route->skipped_by & XDS_CLIENT_BIT(client)) ||
            asks_for_nothing(client, route)) {
            continue;
        }
        for (size_t i = 0; i < later; i++)
            hidden = hidden || compare_routes(client, &t->routes[i], route) == 0;
        if (with_regexes ? shown.dead[later] && !hidden : shown.dead[later] != hidden)
            cr_assert_fail("round %llu, client %d: route %zu is %sdead",
                           (unsigned long long)round, (int)client, later,
                           hidden ? "" : "not ");
    }
}

static void try_tables(bool with_regexes)
{
    struct xds_regex_cache *cache = xds_regex_cache_new();
    static struct table t;

    make_requests();
    for (uint64_t round = 0; round < ROUNDS / SAMPLE_ONE_IN; round++) {
        seed = round;
        random_table(&t, cache, with_regexes, round % 2);
        judge(&t, (enum xds_client)(round % XDS_CLIENTS), round, with_regexes);
    }
    xds_regex_cache_free(cache);
}

Test(shadow, finds_each_route_that_another_one_hides_and_no_other)
{
    try_tables(false);
}

Test(shadow, is_never_wrong_about_regexes)
{
    try_tables(true);
}
