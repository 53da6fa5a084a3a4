/*
 * route_test.c - which client still looks where in a route, and what the model keeps.
 *
 * The messages are built by hand: every part of one route has a fault, and each
 * row of a table changes one thing about it.
 */
#include <criterion/criterion.h>

#include <stdio.h>

#include "rules/kit_test.h"
#include "rules/inner.h"

#define PB_ACTION(name) ENVOY__CONFIG__ROUTE__V3__ROUTE__ACTION_##name
#define PB_PATH(name) ENVOY__CONFIG__ROUTE__V3__ROUTE_MATCH__PATH_SPECIFIER_##name
#define PB_SPECIFIER(name)                                                               \
    ENVOY__CONFIG__ROUTE__V3__ROUTE_ACTION__CLUSTER_SPECIFIER_##name
#define PB_POLICY(name)                                                                  \
    ENVOY__CONFIG__ROUTE__V3__ROUTE_ACTION__HASH_POLICY__POLICY_SPECIFIER_##name

struct sample {
    char root[2], name[2], empty[1];
    pb_route pb;
    pb_route_match match;
    pb_header_matcher header, *headers[1];
    Envoy__Config__Route__V3__QueryParameterMatcher query, *queries[1];
    pb_route_action action;
    pb_route_action_hash_policy hash, *hashes[1];
    pb_route_action_hash_policy_header hash_header;
    pb_retry_policy retry;
    pb_u_int32_value zero, one;
    Envoy__Config__Route__V3__Route__TypedPerFilterConfigEntry override, *overrides[1];
    struct xds_any unknown;
    pb_weighted_cluster weighted;
    pb_weighted_cluster_cluster_weight cluster_zero, cluster_one, *clusters[2];
    Envoy__Config__Route__V3__WeightedCluster__ClusterWeight__TypedPerFilterConfigEntry
        entry_override,
        *entry_overrides[1];
    Envoy__Config__Route__V3__RedirectAction redirect;
    Envoy__Config__Route__V3__NonForwardingAction non_forwarding;
    char type_url[40];
};

static void fill_match(struct sample *s)
{
    envoy__config__route__v3__route_match__init(&s->match);
    envoy__config__route__v3__header_matcher__init(&s->header);
    envoy__config__route__v3__query_parameter_matcher__init(&s->query);
    s->match.path_specifier_case = PB_PATH(PREFIX);
    s->match.prefix = s->root;
    s->headers[0] = &s->header;
    s->match.headers = s->headers;
    s->match.n_headers = 1;
    s->queries[0] = &s->query;
    s->match.query_parameters = s->queries;
    s->pb.match = &s->match;
}

static void fill_action(struct sample *s)
{
    envoy__config__route__v3__route_action__init(&s->action);
    envoy__config__route__v3__route_action__hash_policy__init(&s->hash);
    envoy__config__route__v3__route_action__hash_policy__header__init(&s->hash_header);
    envoy__config__route__v3__retry_policy__init(&s->retry);
    s->hash.policy_specifier_case = PB_POLICY(HEADER);
    s->hash.header = &s->hash_header;
    s->hashes[0] = &s->hash;
    s->action.hash_policy = s->hashes;
    s->action.n_hash_policy = 1;
    s->retry.num_retries = &s->zero;
    s->action.retry_policy = &s->retry;
    s->action.cluster_specifier_case = PB_SPECIFIER(CLUSTER);
    s->action.cluster = s->name;
    s->pb.action_case = PB_ACTION(ROUTE);
    s->pb.route = &s->action;
}

static void fill_overrides(struct sample *s)
{
    google__protobuf__any__init(&s->unknown.pb);
    snprintf(s->type_url, sizeof s->type_url, "type.googleapis.com/no.such.Type");
    s->unknown.pb.type_url = s->type_url;
    s->unknown.state = XDS_ANY_UNKNOWN;
    s->unknown.type = XDS_S("no.such.Type");
    envoy__config__route__v3__route__typed_per_filter_config_entry__init(&s->override);
    s->override.key = s->name;
    s->override.value = &s->unknown.pb;
    s->overrides[0] = &s->override;
    s->pb.typed_per_filter_config = s->overrides;
    s->pb.n_typed_per_filter_config = 1;
}

static void sample_init(struct sample *s)
{
    *s = (struct sample){.root = "/", .name = "c"};
    envoy__config__route__v3__route__init(&s->pb);
    google__protobuf__uint32_value__init(&s->zero);
    google__protobuf__uint32_value__init(&s->one);
    s->one.value = 1;
    fill_match(s);
    fill_action(s);
    fill_overrides(s);
}

static void nothing(struct sample *s)
{
    (void)s;
}

static void ask_for_a_query_parameter(struct sample *s)
{
    s->match.n_query_parameters = 1;
}

static void match_a_path_that_is_none(struct sample *s)
{
    s->match.prefix = s->name;
}

static void match_nothing(struct sample *s)
{
    s->match.path_specifier_case = PB_PATH(_NOT_SET);
}

static void drop_the_match(struct sample *s)
{
    s->pb.match = NULL;
}

static void take_the_cluster_from_a_header(struct sample *s)
{
    s->action.cluster_specifier_case = PB_SPECIFIER(CLUSTER_HEADER);
    s->action.cluster_header = s->name;
}

static void name_an_unknown_plugin(struct sample *s)
{
    s->action.cluster_specifier_case = PB_SPECIFIER(CLUSTER_SPECIFIER_PLUGIN);
    s->action.cluster_specifier_plugin = s->name;
}

static void redirect(struct sample *s)
{
    envoy__config__route__v3__redirect_action__init(&s->redirect);
    s->pb.action_case = PB_ACTION(REDIRECT);
    s->pb.redirect = &s->redirect;
}

static void do_not_forward(struct sample *s)
{
    envoy__config__route__v3__non_forwarding_action__init(&s->non_forwarding);
    s->pb.action_case = PB_ACTION(NON_FORWARDING_ACTION);
    s->pb.non_forwarding_action = &s->non_forwarding;
}

/* One cluster of weight 0 with a bad override, one of weight 1. */
static void split_by_weight(struct sample *s)
{
    envoy__config__route__v3__weighted_cluster__init(&s->weighted);
    envoy__config__route__v3__weighted_cluster__cluster_weight__init(&s->cluster_zero);
    envoy__config__route__v3__weighted_cluster__cluster_weight__init(&s->cluster_one);
    envoy__config__route__v3__weighted_cluster__cluster_weight__typed_per_filter_config_entry__init(
        &s->entry_override);
    s->entry_override.key = s->name;
    s->entry_override.value = &s->unknown.pb;
    s->entry_overrides[0] = &s->entry_override;
    s->cluster_zero.typed_per_filter_config = s->entry_overrides;
    s->cluster_zero.n_typed_per_filter_config = 1;
    s->cluster_zero.name = s->cluster_one.name = s->name;
    s->cluster_zero.weight = &s->zero;
    s->cluster_one.weight = &s->one;
    s->clusters[0] = &s->cluster_zero;
    s->clusters[1] = &s->cluster_one;
    s->weighted.clusters = s->clusters;
    s->weighted.n_clusters = 2;
    s->action.cluster_specifier_case = PB_SPECIFIER(WEIGHTED_CLUSTERS);
    s->action.weighted_clusters = &s->weighted;
}

#define HEADER "match.headers[0] header-matcher-no-specifier "
#define HASH "route.hash_policy[0].header.header_name hash-policy-header-name-empty "
#define RETRY "route.retry_policy.num_retries retry-num-retries-zero "
#define OVERRIDE "typed_per_filter_config[c].value[no.such.Type] filter-override-unknown "

/* Verdicts are those of grfc, core, go, java, node. */
static const struct order {
    void (*change)(struct sample *);
    unsigned skipped_by;
    const char *findings;
} orders[] = {
    {nothing, 0, HEADER "NNNNA\n" HASH "NNAAA\n" RETRY "NNNAN\n" OVERRIDE "NNNNN"},
    {ask_for_a_query_parameter, XDS_ALL_CLIENTS & ~XDS_NODE,
     "match.query_parameters route-query-parameters SSSSI\n" RETRY "AAAAN\n" OVERRIDE
     "AAAAN"},
    {match_a_path_that_is_none, XDS_GRFC | XDS_CORE,
     "match.prefix route-prefix-shape SSAAA\n" HEADER "AANNA\n" RETRY "AANAN\n" OVERRIDE
     "AANNN"},
    {match_nothing, 0,
     "match route-path-specifier NNNNN\n" HEADER "NANNA\n" HASH "NAAAA\n" RETRY
     "NANAN\n" OVERRIDE "NANNN"},
    {drop_the_match, 0,
     "match route-match-absent NNNNN\n" HASH "NAAAA\n" RETRY "NANAN\n" OVERRIDE "NANNN"},
    {take_the_cluster_from_a_header, XDS_ALL_CLIENTS,
     HEADER "NNNNA\n" HASH
            "NNAAA\nroute.cluster_header route-cluster-header SSSSS\n" RETRY
            "NNAAN\n" OVERRIDE "AAANN"},
    {name_an_unknown_plugin, 0,
     HEADER "NNNNA\n" HASH "NNAAA\n"
            "route.cluster_specifier_plugin "
            "route-cluster-specifier-plugin-not-read AAAAN\n"
            "route.cluster_specifier_plugin "
            "route-cluster-specifier-plugin-unknown NNNNA\n" RETRY "NNAAN\n" OVERRIDE
            "ANANN"},
    {redirect, 0,
     HEADER "NNNNA\nredirect route-action-unsupported AAANN\n" OVERRIDE "NNNNN"},
    {do_not_forward, 0, HEADER "NNNNA\n" OVERRIDE "NNNNA"},
    {split_by_weight, 0,
     HEADER "NNNNA\n" HASH "NNAAA\nroute.weighted_clusters.clusters[0].weight "
            "weighted-cluster-weight-zero ASSAA\n"
            "route.weighted_clusters.clusters[0]." OVERRIDE "NNANN\n" RETRY
            "NNNAN\n" OVERRIDE "NNNNN"},
};

static void read_changed(struct kit *kit, void (*change)(struct sample *),
                         struct xds_route *route)
{
    struct sample s;
    struct xds_strmap plugins;

    sample_init(&s);
    change(&s);
    xds_strmap_init(&plugins, &kit->arena);
    *route = (struct xds_route){.skipped_by = 0};
    xds_route_read(&kit->ctx, NULL, &s.pb, &plugins, route);
}

Test(route, each_client_counts_only_the_faults_that_it_reaches)
{
    for (const struct order *o = orders; o < orders + XDS_ARRAY_LEN(orders); o++) {
        struct kit *kit = kit_new();
        struct xds_route route;

        read_changed(kit, o->change, &route);
        cr_expect_str_eq(kit_findings(kit), o->findings, "row %td", o - orders);
        cr_expect_eq(route.skipped_by, o->skipped_by, "row %td", o - orders);
        cr_expect_eq(route.skip_reason != NULL, route.skipped_by != 0);
        kit_free(kit);
    }
}

Test(route, all_clients_look_again_at_what_follows_a_skipped_route)
{
    struct kit *kit = kit_new();
    struct xds_route route;

    read_changed(kit, ask_for_a_query_parameter, &route);
    cr_expect_eq(kit->ctx.live, XDS_ALL_CLIENTS);
    kit_free(kit);
}

Test(route, a_weight_of_zero_keeps_its_place)
{
    struct kit *kit = kit_new();
    struct xds_route route;

    read_changed(kit, split_by_weight, &route);
    cr_assert_eq(route.n_weighted, 2);
    cr_expect_eq(route.weighted[0].weight, 0);
    cr_expect_eq(route.weighted[1].weight, 1);
    kit_free(kit);
}

/* Who follows it is decided for each RPC. */
static bool rewrites_authority(struct kit *kit, bool asks)
{
    struct xds_route route = {.skipped_by = 0};
    pb_route_action action;
    pb_bool_value asked;
    struct xds_strmap plugins;

    envoy__config__route__v3__route_action__init(&action);
    google__protobuf__bool_value__init(&asked);
    asked.value = asks;
    action.host_rewrite_specifier_case =
        ENVOY__CONFIG__ROUTE__V3__ROUTE_ACTION__HOST_REWRITE_SPECIFIER_AUTO_HOST_REWRITE;
    action.auto_host_rewrite = &asked;
    xds_strmap_init(&plugins, &kit->arena);
    xds_route_action_read(&kit->ctx, NULL, &action, &plugins, &route);
    return route.auto_host_rewrite;
}

Test(route, auto_host_rewrite_is_kept_as_written)
{
    struct kit *kit = kit_new();

    cr_expect(rewrites_authority(kit, true));
    cr_expect_not(rewrites_authority(kit, false));
    kit_free(kit);
}

Test(route, the_first_reason_to_skip_is_the_one_kept)
{
    struct xds_route route = {.skipped_by = 0};

    xds_route_skip(&route, 0, "none");
    cr_expect_null(route.skip_reason);
    xds_route_skip(&route, XDS_CORE, "first");
    xds_route_skip(&route, XDS_GO, "second");
    cr_expect_str_eq(route.skip_reason, "first");
    cr_expect_eq(route.skipped_by, XDS_CORE | XDS_GO);
}

Test(route, overrides_are_sorted_and_of_a_repeated_name_the_last_is_kept)
{
    struct kit *kit = kit_new();
    const pb_any *first = kit_opaque(kit, "t/first.Type", XDS_ANY_UNKNOWN);
    const pb_any *other = kit_opaque(kit, "t/other.Type", XDS_ANY_UNKNOWN);
    const pb_any *last = kit_opaque(kit, "t/last.Type", XDS_ANY_UNKNOWN);
    struct xds_filter_config_entry entries[] = {
        {XDS_S("b"), first}, {XDS_S("a"), other}, {XDS_S("b"), last}};
    struct xds_overrides out;

    xds_override_map_read(&kit->ctx, NULL, 3, entries, &out);
    cr_assert_eq(out.n, 2);
    cr_expect(xds_slice_is(out.entries[0].name, "a"));
    cr_expect(xds_slice_is(out.entries[1].name, "b"));
    cr_expect_eq(entries[1].value, last);
    kit_free(kit);
}
