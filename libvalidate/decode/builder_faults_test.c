/* builder_faults_test.c - every way to get JSON and YAML tokens wrong, and hostile ones.
 */
#include <criterion/criterion.h>

#include "decode/builder_test.h"

/* ---- what is wrong ---- */

static const struct fault {
    const char *type, *json, *findings;
} faults[] = {
    /* names */
    {ROUTES, "{\"virtual_host\":[]}",
     "1:2-1:16 unknown-field: unknown field \"virtual_host\" in " ROUTES
     "; did you mean \"virtual_hosts\"?"},
    {ROUTES, "{\"virtualHost\":[]}",
     "1:2-1:15 unknown-field: unknown field \"virtualHost\" in " ROUTES
     "; did you mean \"virtualHosts\"?"},
    {ROUTES, "{\"virtual_Hosts\":{\"a\":[1]},\"\":1}",
     "1:2-1:17 unknown-field: unknown field \"virtual_Hosts\" in " ROUTES
     "; did you mean \"virtual_hosts\"?\n"
     "1:28-1:30 unknown-field: unknown field \"\" in " ROUTES},
    {ROUTES, "{\"name\":\"a\",\n \"name\":\"b\"}",
     "2:2-2:8 duplicate-key: duplicate key \"name\""},
    {ROUTES, "{\"virtual_hosts\":[],\"virtualHosts\":[]}",
     "1:21-1:35 duplicate-key: duplicate key \"virtualHosts\""},
    {ROUTES, "{\"name\":null,\"na\\u006de\":\"b\"}",
     "1:14-1:25 duplicate-key: duplicate key \"name\""},
    {ROUTES, "{\"n\\u0000\":1}",
     "1:2-1:11 unknown-field: unknown field \"n\xC0\x80\" in "
     "envoy.config.route.v3.RouteConfiguration; if it is the name of a resource, this is "
     "a "
     "map: judge its resources one by one: jq -c '.[]' FILE | xdscope lint --type route "
     "-"},
    {ROUTES, "{\"@type\":\"t\",\"@type\":\"t\"}",
     "1:14-1:21 duplicate-key: duplicate key \"@type\""},
    {ROUTES, "{\"virtualHosts\":[{\"@type\":1}]}",
     "1:19-1:26 misplaced-type: \"@type\" is not allowed in "
     "envoy.config.route.v3.VirtualHost: only an Any has one"},
    /* kinds */
    {ROUTES, "[]", "1:1-1:2 wrong-type: \"resource\" needs an object, not a list"},
    {ROUTES, "{\"name\":5}",
     "1:9-1:10 wrong-type: \"name\" needs a string, not a number"},
    {ROUTES, "{\"virtualHosts\":{}}",
     "1:17-1:18 wrong-type: \"virtual_hosts\" needs a list, not an object"},
    {ROUTES, "{\"virtualHosts\":[null,7]}",
     "1:18-1:22 wrong-type: \"virtual_hosts\" needs an object of "
     "envoy.config.route.v3.VirtualHost, not null\n"
     "1:23-1:24 wrong-type: \"virtual_hosts\" needs an object of "
     "envoy.config.route.v3.VirtualHost, not a number"},
    {ROUTES, "{\"validateClusters\":\"true\"}",
     "1:21-1:27 wrong-type: \"validate_clusters\" needs true or false, not a string"},
    {ROUTES, "{\"virtualHosts\":[{\"typedPerFilterConfig\":[]}]}",
     "1:42-1:43 wrong-type: \"typed_per_filter_config\" needs an object that maps keys "
     "to "
     "values, not a list"},
    {CLUSTER, "{\"connectTimeout\":5}",
     "1:19-1:20 wrong-type: \"connect_timeout\" needs a duration such as \"1.5s\", not a "
     "number"},
    {ROUTES, "{\"virtualHosts\":[{\"domains\":[\"a\",null]}]}",
     "1:34-1:38 wrong-type: \"domains\" needs a string, not null"},
    /* strings */
    {ROUTES, "{\"name\":\"\xC3\xA9\\ud800\"}",
     "1:11-1:17 json-surrogate: invalid JSON: surrogate without the other half of its "
     "pair"},
    {ROUTES, "{\"name\":\"a\"} x",
     "1:14-1:15 json-syntax: invalid JSON: expected nothing after the value"},
    {"no.such.Type", "{\"a\":[1,}",
     "1:9-1:10 json-syntax: invalid JSON: expected a value; a string needs double "
     "quotes"},
    {"no.such.Type", "{\"a\":[1, ]}",
     "1:10-1:11 json-syntax: invalid JSON: trailing comma"},
    {ROUTES, "{\"name\":\"a\",}", "1:13-1:14 json-syntax: invalid JSON: trailing comma"},
    /* numbers */
    {CLUSTER, "{\"lbPolicy\":\"RONUD_ROBIN\"}",
     "1:13-1:26 unknown-enum-value: \"lb_policy\": \"RONUD_ROBIN\" is not a value "
     "of " CLUSTER ".LbPolicy; did you mean \"ROUND_ROBIN\"?"},
    {CLUSTER, "{\"lbPolicy\":4294967296}",
     "1:13-1:23 number-out-of-range: \"lb_policy\" needs a whole number from -2147483648 "
     "to 2147483647, not 4294967296"},
    {CLUSTER, "{\"lbPolicy\":true}",
     "1:13-1:17 wrong-type: \"lb_policy\" needs a value of " CLUSTER
     ".LbPolicy, not true"},
    {LOADS, "{\"endpoints\":[{\"priority\":-1}]}",
     "1:27-1:29 number-out-of-range: \"priority\" needs a whole number from 0 to "
     "4294967295, not "
     "-1"},
    {LOADS, "{\"endpoints\":[{\"priority\":1.5},{\"priority\":\" 1\"}]}",
     "1:27-1:30 not-a-whole-number: \"priority\" needs a whole number from 0 to "
     "4294967295, not 1.5\n"
     "1:44-1:48 not-a-number: \"priority\" needs a whole number from 0 to 4294967295, "
     "not \" 1\""},
    {LOADS, "{\"endpoints\":[{\"loadBalancingWeight\":4294967296}]}",
     "1:38-1:48 number-out-of-range: \"load_balancing_weight\" needs a whole number from "
     "0 to "
     "4294967295, not 4294967296"},
    {ORCA, "{\"cpuUtilization\":1e400}",
     "1:19-1:24 number-out-of-range: \"cpu_utilization\" needs a number from -1.8e308 to "
     "1.8e308, not 1e400"},
    {ORCA, "{\"cpuUtilization\":\"nan\"}",
     "1:19-1:24 not-a-number: \"cpu_utilization\" needs a number from -1.8e308 to "
     "1.8e308, not "
     "\"nan\""},
    /* oneofs and maps */
    {ROUTES,
     "{\"virtualHosts\":[{\"routes\":[{\"match\":{\"prefix\":\"/\",\n\"path\":\"/"
     "\"}}]}]}",
     "2:8-2:11 oneof-set-twice: only one of \"prefix\" and \"path\" may be set"},
    {ORCA, "{\"utilization\":{\"a\":1,\"\\u0061\":2}}",
     "1:23-1:31 duplicate-key: duplicate key \"a\""},
    {ORCA, "{\"utilization\":{\"a\":null}}",
     "1:21-1:25 wrong-type: \"utilization\" needs a number from -1.8e308 to 1.8e308, not "
     "null"},
    /* well-known types */
    {CLUSTER, "{\"connectTimeout\":\"5\"}",
     "1:19-1:22 invalid-duration: \"connect_timeout\": \"5\" is not a duration: write "
     "seconds with the suffix s, such as \"1.5s\""},
    {CLUSTER, "{\"connectTimeout\":{\"second\":1}}",
     "1:20-1:28 unknown-field: unknown field \"second\" in google.protobuf.Duration; did "
     "you "
     "mean \"seconds\"?"},
    {STRUCT, "{\"value\":[]}",
     "1:10-1:11 wrong-type: \"value\" needs an object, not a list"},
    {STRUCT, "{\"value\":{\"a\":1,\"a\":1}}",
     "1:17-1:20 duplicate-key: duplicate key \"a\""},
    {LISTENER, "{\"apiListener\":{\"apiListener\":{\"a\":1}}}",
     "1:31-1:32 any-without-type: \"api_listener\" needs a key \"@type\" with the type "
     "of its message"},
    {LISTENER, "{\"apiListener\":{\"apiListener\":{\"a\":1,\"@type\":2}}}",
     "1:46-1:47 wrong-type: \"@type\" needs a string, not a number"},
    {LISTENER, "{\"apiListener\":{\"apiListener\":\"x\"}}",
     "1:31-1:34 wrong-type: \"api_listener\" needs an object with \"@type\", not a "
     "string"},
    {LISTENER,
     "{\"apiListener\":{\"apiListener\":{\"@type\":\"t/google.protobuf.BoolValue\","
     "\"valu\":true,\"value\":1,\"value\":2}}}",
     "1:70-1:76 unknown-field: unknown field \"valu\" in google.protobuf.BoolValue; did "
     "you "
     "mean \"value\"?\n"
     "1:90-1:91 wrong-type: \"value\" needs true or false, not a number\n"
     "1:92-1:99 duplicate-key: duplicate key \"value\""},
};

Test(builder, each_fault_is_told_with_its_place_and_all_of_them_at_once)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(faults); i++) {
        struct decoded d;

        decode_json(&d, faults[i].type, xds_slice_of(faults[i].json));
        cr_expect_not(d.ok, "%s", faults[i].json);
        cr_expect_str_eq(d.findings, faults[i].findings, "%s: %s", faults[i].json,
                         d.findings);
        release(&d);
    }
}

static struct xds_resource json_of(const struct fault *row)
{
    return (struct xds_resource){.format = XDS_FORMAT_JSON,
                                 .type_url = xds_slice_of(row->type),
                                 .bytes = xds_slice_of(row->json),
                                 .at = {0, 1, 1, 0, 0}};
}

Test(builder, what_earlier_texts_taught_changes_no_finding)
{
    struct xds_arena cached;
    struct xds_names names;

    xds_arena_init(&cached, 0);
    xds_names_init(&names, &cached);
    for (size_t i = 0; i < 3 * XDS_ARRAY_LEN(faults); i++) {
        const struct fault *row = &faults[i % XDS_ARRAY_LEN(faults)];
        struct decoded d;

        decode_knowing(&d, json_of(row), false, &names);
        cr_expect_str_eq(d.findings, row->findings, "%s", row->json);
        release(&d);
    }
    xds_arena_release(&cached);
}

Test(builder, places_count_from_where_the_resource_begins)
{
    struct decoded d;
    struct xds_resource in = {.format = XDS_FORMAT_JSON,
                              .type = XDS_TYPE_ROUTE,
                              .bytes = XDS_S("{\"nam\":1,\n\"x\":1}"),
                              .at = {0, 10, 5, 0, 0}};

    decode(&d, in, false);
    cr_expect_str_eq(d.findings,
                     "10:6-10:11 unknown-field: unknown field \"nam\" in " ROUTES
                     "; did you mean \"name\"?\n"
                     "11:1-11:4 unknown-field: unknown field \"x\" in " ROUTES);
    cr_expect_str_eq(d.root.pb.type_url, "type.googleapis.com/" ROUTES);
    release(&d);
}

Test(builder, unknown_fields_can_be_allowed)
{
    struct decoded d;
    struct xds_resource in = {.format = XDS_FORMAT_JSON,
                              .type = XDS_TYPE_ROUTE,
                              .bytes = XDS_S("{\"x\":{\"y\":[1]},\"name\":\"n\"}")};

    decode(&d, in, true);
    cr_assert(d.ok, "%s", d.findings);
    cr_expect_str_eq(((const pb_route_configuration *)d.root.message)->name, "n");
    release(&d);
}

/* ---- hostile input ---- */

static const char sample[] =
    "{\"name\":\"l\\u00e9\",\"apiListener\":{\"apiListener\":{\"httpFilters\":[{\"name\":"
    "\"f\","
    "\"isOptional\":true,\"typedConfig\":{\"value\":{\"a\":[null,1.5e3,{\"b\":"
    "\"\\ud83d\\ude00\"}]},"
    "\"@type\":\"t/xds.type.v3.TypedStruct\"}}],\"commonHttpProtocolOptions\":"
    "{\"maxStreamDuration\":\"1.5s\"},\"@type\":\"t/envoy.extensions.filters.network."
    "http_connection_manager.v3.HttpConnectionManager\"}}}";

Test(builder, the_sample_itself_is_good)
{
    struct decoded d;

    decode_good(&d, LISTENER, sample);
    release(&d);
}

Test(builder, every_prefix_ends_in_one_finding)
{
    for (size_t len = 0; len + 1 < sizeof sample; len++) {
        char *copy = malloc(len + 1);
        struct decoded d;

        memcpy(copy, sample, len);
        decode_json(&d, LISTENER, xds_slice_make(copy, len));
        cr_expect_not(d.ok, "%zu", len);
        cr_expect_geq(xds_report_findings(d.report), 1, "%zu", len);
        release(&d);
        free(copy);
    }
}

Test(builder, every_changed_byte_is_survived)
{
    static const char changes[] = {'"', '\\', '{', '}', '[',
                                   ',', '0',  'e', 0,   (char)0x80};

    for (size_t i = 0; i + 1 < sizeof sample; i++) {
        for (size_t c = 0; c < sizeof changes; c++) {
            char copy[sizeof sample];
            struct decoded d;

            memcpy(copy, sample, sizeof sample);
            copy[i] = changes[c];
            decode_json(&d, LISTENER, xds_slice_make(copy, sizeof sample - 1));
            cr_expect_eq(d.ok, xds_report_findings(d.report) == 0, "%zu %zu", i, c);
            release(&d);
        }
    }
}
