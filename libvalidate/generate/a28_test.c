/*
 * a28_test.c - a generated A28 config says what explain says: random route tables, random
 * RPCs, and a walker over the JSON that knows nothing of models.
 */
#include <math.h>
#include <stdio.h>

#include "regex/regex.h"
#include "generate/config.h"
#include "generate/config_test.h"
#include "explain/decision.h"

/* ---- the walker ---- */

struct walk {
    struct xds_arena arena;
    struct xds_regex_cache *regexes;
    const struct xds_request *request;
};

/* All values of a header with commas between; data NULL when there is none. */
static struct xds_slice value_of(struct walk *w, struct xds_slice name)
{
    struct xds_slice all = {NULL, 0};

    for (size_t i = 0; i < w->request->n_headers; i++) {
        const struct xds_header *h = &w->request->headers[i];

        if (xds_slice_eq(h->name, name))
            all = all.data ? xds_arena_printf(&w->arena, "%.*s,%.*s", XDS_FMT(all),
                                              XDS_FMT(h->value))
                           : xds_arena_dup(&w->arena, h->value);
    }
    return all;
}

static bool regex_matches(struct walk *w, struct xds_slice pattern, struct xds_slice text)
{
    struct xds_slice error;
    const struct xds_regex *regex = xds_regex_get(w->regexes, pattern, &error);

    cr_assert_not_null(regex, "%.*s", XDS_FMT(pattern));
    return xds_regex_full_match(regex, text) == XDS_MATCH;
}

static bool range_matches(const struct xds_tree *range, struct xds_slice value)
{
    int64_t number;

    return xds_slice_to_i64(value, &number) &&
           (double)number >= xds_tree_member(range, "start")->number &&
           (double)number < xds_tree_member(range, "end")->number;
}

static bool header_matches(struct walk *w, const struct xds_tree *header)
{
    const struct xds_slice value = value_of(w, xds_tree_member(header, "name")->text);
    const struct xds_tree *present = xds_tree_member(header, "present_match");
    const struct xds_tree *exact = xds_tree_member(header, "exact_match");
    const struct xds_tree *prefix = xds_tree_member(header, "prefix_match");
    const struct xds_tree *suffix = xds_tree_member(header, "suffix_match");
    const struct xds_tree *regex = xds_tree_member(header, "regex_match");
    const struct xds_tree *range = xds_tree_member(header, "range_match");
    const bool invert = xds_tree_member(header, "invert_match") != NULL;
    bool matches = false;

    if (present)
        return (present->truth == (value.data != NULL)) != invert;
    if (!value.data)
        return false;
    if (exact)
        matches = xds_slice_eq(value, exact->text);
    else if (prefix)
        matches = xds_slice_starts(value, prefix->text);
    else if (suffix)
        matches = xds_slice_ends(value, suffix->text);
    else if (regex)
        matches = regex_matches(w, regex->text, value);
    else if (range)
        matches = range_matches(range, value);
    return matches != invert;
}

static bool route_matches(struct walk *w, const struct xds_tree *route)
{
    const struct xds_tree *path = xds_tree_member(route, "path");
    const struct xds_tree *prefix = xds_tree_member(route, "prefix");
    const struct xds_tree *regex = xds_tree_member(route, "regex");
    const struct xds_tree *headers = xds_tree_member(route, "headers");

    if ((path && !xds_slice_eq(w->request->path, path->text)) ||
        (prefix && !xds_slice_starts(w->request->path, prefix->text)) ||
        (regex && !regex_matches(w, regex->text, w->request->path)))
        return false;
    for (size_t i = 0; headers && i < headers->n; i++)
        if (!header_matches(w, &headers->items[i]))
            return false;
    return true;
}

struct shares {
    struct {
        struct xds_slice cluster;
        double probability;
    } list[64];
    size_t n;
};

static void add_share(struct shares *shares, struct xds_slice cluster, double probability)
{
    size_t i = 0;

    while (i < shares->n && !xds_slice_eq(shares->list[i].cluster, cluster))
        i++;
    if (i == shares->n) {
        cr_assert_lt(shares->n, XDS_ARRAY_LEN(shares->list));
        shares->list[shares->n].cluster = cluster;
        shares->list[shares->n++].probability = 0;
    }
    shares->list[i].probability += probability;
}

/* [{"cds_experimental": ...}] or [{"weighted_target_experimental": ...}] */
static void walk_policy(struct shares *shares, const struct xds_tree *list, double share)
{
    const struct xds_tree *policy = &list->items[0].items[0];
    const struct xds_tree *targets = xds_tree_member(policy, "targets");
    double sum = 0;

    if (!targets) {
        add_share(shares, xds_tree_member(policy, "cluster")->text, share);
        return;
    }
    for (size_t i = 0; i < targets->n; i++)
        sum += xds_tree_member(&targets->items[i], "weight")->number;
    for (size_t i = 0; i < targets->n; i++) {
        const struct xds_tree *target = &targets->items[i];

        walk_policy(shares, xds_tree_member(target, "childPolicy"),
                    share * xds_tree_member(target, "weight")->number / sum);
    }
}

static void walk_config(struct walk *w, const struct xds_tree *config,
                        struct shares *shares)
{
    const struct xds_tree *actions = xds_tree_member(config, "action");
    const struct xds_tree *routes = xds_tree_member(config, "route");
    double left = 1;

    for (size_t i = 0; i < routes->n && left > 0; i++) {
        const struct xds_tree *fraction =
            xds_tree_member(&routes->items[i], "match_fraction");
        const double share = fraction ? fraction->number / 1e6 : 1;
        const struct xds_tree *name = xds_tree_member(&routes->items[i], "action");
        const struct xds_tree *action = NULL;

        if (!route_matches(w, &routes->items[i]))
            continue;
        for (size_t k = 0; k < actions->n; k++)
            if (xds_slice_eq(actions->items[k].key, name->text))
                action = &actions->items[k];
        cr_assert_not_null(action);
        if (share > 0)
            walk_policy(shares, xds_tree_member(action, "childPolicy"), left * share);
        left *= 1 - share;
    }
}

/* ---- random worlds ---- */

static uint64_t state;

static unsigned draw(unsigned bound)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((state >> 33) % bound);
}

static const char *const paths[] = {
    "prefix: \"\"",   "prefix: /a.A/",
    "prefix: /a.A/M", "path: /a.A/M1",
    "path: /b.B/M2",  "safe_regex: {regex: /.*/M1}",
    "prefix: /b.B/",  "safe_regex: {regex: \"/[ab].*2\"}"};
static const char *const headers[] = {
    "{name: x, exact_match: v}",
    "{name: x, prefix_match: v, invert_match: true}",
    "{name: y, suffix_match: w}",
    "{name: y, present_match: true}",
    "{name: y, present_match: false}",
    "{name: n, range_match: {start: -5, end: 10}}",
    "{name: x, safe_regex_match: {regex: \"v|w+\"}}",
    "{name: y, string_match: {contains: \".w\"}}",
    "{name: y, string_match: {exact: VW, ignore_case: true}}",
    "{name: x-bin, exact_match: v}",
};
static const char *const actions[] = {
    "route: {cluster: A}",
    "route: {cluster: B}",
    "route: {weighted_clusters: {clusters: [{name: A, weight: 3}, {name: C, weight: "
    "1}]}}",
    "route: {weighted_clusters: {clusters: [{name: C, weight: 1}, {name: A, weight: 3}, "
    "{name: Z, weight: 0}]}}",
    "route: {weighted_clusters: {clusters: [{name: B, weight: 1}, {name: B, weight: 2}, "
    "{name: D, weight: 5}]}}",
    "route: {cluster_header: h}",
};

static struct xds_slice random_route(struct xds_arena *arena)
{
    struct xds_slice match = xds_slice_of(paths[draw(XDS_ARRAY_LEN(paths))]);

    if (draw(2))
        match = xds_arena_printf(arena, "%.*s, headers: [%s, %s]", XDS_FMT(match),
                                 headers[draw(XDS_ARRAY_LEN(headers))],
                                 headers[draw(XDS_ARRAY_LEN(headers))]);
    if (draw(4) == 0)
        match =
            xds_arena_printf(arena,
                             "%.*s, runtime_fraction: {default_value: {numerator: %u, "
                             "denominator: TEN_THOUSAND}}",
                             XDS_FMT(match), draw(12000));
    if (draw(8) == 0)
        match = xds_arena_printf(arena, "%.*s, query_parameters: [{name: q}]",
                                 XDS_FMT(match));
    return xds_arena_printf(arena, "    - {match: {%.*s}, %s}\n", XDS_FMT(match),
                            actions[draw(XDS_ARRAY_LEN(actions))]);
}

static struct xds_slice random_snapshot(struct xds_arena *arena)
{
    struct xds_slice text = XDS_S(
        "listeners:\n- name: l\n  api_listener:\n    api_listener:\n"
        "      \"@type\": type.googleapis.com/envoy.extensions.filters.network."
        "http_connection_manager.v3.HttpConnectionManager\n"
        "      rds: {route_config_name: r, config_source: {ads: {}}}\n"
        "      http_filters:\n      - name: router\n        typed_config: {\"@type\": "
        "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router}\n"
        "routes:\n- name: r\n  virtual_hosts:\n  - name: v\n    domains: [\"*\"]\n"
        "    routes:\n");

    for (unsigned n = 1 + draw(8); n > 0; n--)
        text = xds_arena_concat(arena, text, random_route(arena));
    return text;
}

static struct xds_request random_request(struct xds_header *list)
{
    static const char *const methods[] = {"/a.A/M1", "/a.A/X", "/b.B/M2", "/c.C/M1"};
    static const char *const values[] = {"v", "w", "vw", "VW", "a.w",
                                         "",  "7", "-5", "10"};
    static const char *const names[] = {"x", "y", "n"};
    struct xds_request request = {
        .path = xds_slice_of(methods[draw(XDS_ARRAY_LEN(methods))]), .headers = list};

    for (unsigned n = draw(4); n > 0; n--)
        list[request.n_headers++] =
            (struct xds_header){xds_slice_of(names[draw(XDS_ARRAY_LEN(names))]),
                                xds_slice_of(values[draw(XDS_ARRAY_LEN(values))])};
    return request;
}

/* ---- the property ---- */

static double explained(const struct xds_decision *d, struct xds_slice cluster)
{
    for (size_t i = 0; i < d->n_clusters; i++)
        if (xds_slice_eq(d->clusters[i].name, cluster))
            return d->clusters[i].probability;
    return 0;
}

static void compare(struct walk *w, const struct xds_config *config,
                    const struct xds_decision *d, struct xds_slice snapshot)
{
    struct shares shares = {.n = 0};
    double walked = 0, total = 0;

    walk_config(w, &config->policies.items[0].items[0], &shares);
    for (size_t i = 0; i < shares.n; i++) {
        walked += shares.list[i].probability;
        cr_expect(fabs(shares.list[i].probability -
                       explained(d, shares.list[i].cluster)) < 1e-9,
                  "%.*s: %g, not %g, for %.*s in\n%.*s", XDS_FMT(shares.list[i].cluster),
                  explained(d, shares.list[i].cluster), shares.list[i].probability,
                  XDS_FMT(w->request->path), XDS_FMT(snapshot));
    }
    for (size_t i = 0; i < d->n_clusters; i++)
        total += d->clusters[i].probability;
    cr_expect(fabs(walked - total) < 1e-9, "%g, not %g, in\n%.*s", total, walked,
              XDS_FMT(snapshot));
}

static void try_requests(struct test_config *t, struct walk *w,
                         const struct xds_config *config, struct xds_slice snapshot)
{
    struct xds_explainer *explainer = xds_explainer_new(t->check, XDS_CLIENT_CORE);

    cr_assert_not_null(explainer);
    for (int i = 0; i < 20; i++) {
        struct xds_header list[4];
        const struct xds_request request = random_request(list);
        const struct xds_decision *decision;

        w->request = &request;
        cr_assert_eq(xds_explain(explainer, &request, &decision), XDS_OK);
        compare(w, config, decision, snapshot);
    }
    xds_explainer_free(explainer);
}

Test(a28, walking_the_config_gives_the_clusters_that_explain_gives)
{
    static struct test_text text;
    struct walk w = {.regexes = xds_regex_cache_new()};

    xds_arena_init(&w.arena, 0);
    for (state = 1; state < 300; state += 7) {
        const uint64_t seed = state;
        const struct xds_slice snapshot = random_snapshot(&w.arena);
        const struct xds_config_request request = {.form = XDS_CONFIG_A28};
        const struct xds_config *config;
        struct test_config t;

        test_config_open(&t, XDS_CLIENT_CORE, "in.yaml", snapshot);
        cr_assert_eq(xds_generate_service_config(t.generator, &request, &config), XDS_OK);
        cr_assert_null(config->error.data, "%.*s", XDS_FMT(snapshot));
        cr_expect_eq(test_config_faults(config, XDS_CLIENT_CORE, &text), 0, "%.*s",
                     XDS_FMT(snapshot));
        try_requests(&t, &w, config, snapshot);
        test_config_close(&t);
        xds_arena_reset(&w.arena);
        state = seed;
    }
    xds_regex_cache_free(w.regexes);
    xds_arena_release(&w.arena);
}

/* ---- names over updates ---- */

static struct xds_route weighted(struct xds_weighted_cluster *list, const char *other,
                                 uint32_t a, uint32_t b)
{
    list[0] = (struct xds_weighted_cluster){.name = XDS_S("A"), .weight = a};
    list[1] = (struct xds_weighted_cluster){.name = xds_slice_of(other), .weight = b};
    return (struct xds_route){
        .match.path = {.kind = XDS_MATCH_PREFIX, .case_sensitive = true},
        .action = XDS_ACTION_WEIGHTED,
        .weighted = list,
        .n_weighted = 2};
}

static const struct update {
    const char *other;
    uint32_t a, b, a2, b2;
    const char *first, *second;
} updates[] = {
    {"B", 60, 40, 10, 90, "weighted:A_B_1", "weighted:A_B_2"},
    {"B", 50, 50, 10, 90, "weighted:A_B_1", "weighted:A_B_2"},
    {"B", 10, 90, 50, 50, "weighted:A_B_2", "weighted:A_B_1"},
    {"C", 50, 50, 10, 90, "weighted:A_C_1", "weighted:A_B_2"},
    {"B", 50, 50, 10, 90, "weighted:A_B_1", "weighted:A_B_2"},
};

static const char *name_of(struct xds_arena *arena, const struct xds_tree *config,
                           size_t route)
{
    const struct xds_tree *policy =
        &xds_tree_member(config, "loadBalancingConfig")->items[0].items[0];
    const struct xds_tree *routes = xds_tree_member(policy, "route");

    return xds_arena_dup(arena, xds_tree_member(&routes->items[route], "action")->text)
        .data;
}

Test(a28, names_are_kept_and_freed_as_the_table_of_updates_says)
{
    struct xds_arena arena;
    struct xds_tree before = {.kind = XDS_TREE_NULL};

    xds_arena_init(&arena, 0);
    for (const struct update *u = updates; u < updates + XDS_ARRAY_LEN(updates); u++) {
        struct xds_weighted_cluster lists[2][2];
        const struct xds_route routes[] = {weighted(lists[0], u->other, u->a, u->b),
                                           weighted(lists[1], "B", u->a2, u->b2)};
        const struct xds_virtual_host host = {.routes = routes, .n_routes = 2};
        const struct xds_options options = {.clients = 0};
        struct xds_maker maker = {.arena = &arena,
                                  .options = &options,
                                  .client = XDS_CLIENT_CORE,
                                  .dialect = xds_dialect_of(&options, XDS_CLIENT_CORE)};
        const size_t *places;
        const struct xds_tree config =
            xds_a28_config(&maker, &host, before.n ? &before : NULL, false, &places);

        cr_expect_str_eq(name_of(&arena, &config, 0), u->first);
        cr_expect_str_eq(name_of(&arena, &config, 1), u->second);
        before = config;
    }
    xds_arena_release(&arena);
}
