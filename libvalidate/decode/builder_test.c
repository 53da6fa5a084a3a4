/* builder_test.c - JSON and YAML tokens to messages. */
#include <criterion/criterion.h>

#include "decode/builder_test.h"

/* ---- what is right ---- */

Test(builder, both_spellings_and_defaults)
{
    struct decoded d;
    const pb_route_configuration *pb = decode_good(
        &d, ROUTES,
        "{\"virtualHosts\":[{\"name\":\"a\\u00e9\",\"domains\":[\"x\",\"y\"],\"routes\":["
        "{\"match\":{\"case_sensitive\":false,\"safeRegex\":{\"regex\":\".\"}}}]},{}],"
        "\"validate_clusters\":true}");

    cr_assert_eq(pb->n_virtual_hosts, 2);
    cr_expect_str_eq(pb->name, "");
    cr_expect_str_eq(pb->virtual_hosts[0]->name, "a\xC3\xA9");
    cr_expect_eq(pb->virtual_hosts[0]->n_domains, 2);
    cr_expect_str_eq(pb->virtual_hosts[0]->domains[1], "y");
    const pb_route_match *match = pb->virtual_hosts[0]->routes[0]->match;
    cr_assert_not_null(match->case_sensitive);
    cr_expect_not(match->case_sensitive->value);
    cr_expect_eq(match->path_specifier_case,
                 ENVOY__CONFIG__ROUTE__V3__ROUTE_MATCH__PATH_SPECIFIER_SAFE_REGEX);
    cr_expect_eq(pb->virtual_hosts[1]->base.descriptor,
                 &envoy__config__route__v3__virtual_host__descriptor);
    cr_expect(pb->validate_clusters->value);
    release(&d);
}

Test(builder, long_lists_keep_their_order)
{
    static char json[40000];
    size_t n = (size_t)snprintf(json, sizeof json, "{\"virtualHosts\":[{\"domains\":[");
    struct decoded d;

    for (int i = 0; i < 3000; i++)
        n += (size_t)snprintf(json + n, sizeof json - n, "%s\"%d\"", i ? "," : "", i);
    snprintf(json + n, sizeof json - n, "]}]}");
    const pb_route_configuration *pb = decode_good(&d, ROUTES, json);
    cr_assert_eq(pb->virtual_hosts[0]->n_domains, 3000);
    for (int i = 0; i < 3000; i++) {
        char due[8];

        snprintf(due, sizeof due, "%d", i);
        cr_expect_str_eq(pb->virtual_hosts[0]->domains[i], due);
    }
    release(&d);
}

Test(builder, enums_come_by_name_or_number_and_unknown_numbers_stay)
{
    struct decoded d;
    const pb_cluster *pb =
        decode_good(&d, CLUSTER, "{\"lbPolicy\":\"RING_HASH\",\"type\":99}");

    cr_expect_eq((int)pb->lb_policy,
                 ENVOY__CONFIG__CLUSTER__V3__CLUSTER__LB_POLICY__RING_HASH);
    cr_expect_eq((int)pb->type, 99);
    release(&d);
}

Test(builder, null_is_absent)
{
    struct decoded d;
    const pb_route_configuration *pb = decode_good(
        &d, ROUTES,
        "{\"name\":null,\"virtualHosts\":[{\"routes\":[{\"match\":{\"prefix\":null,"
        "\"path\":\"/a\",\"headers\":null,\"caseSensitive\":null}}]}]}");
    const pb_route_match *match = pb->virtual_hosts[0]->routes[0]->match;

    cr_expect_str_eq(pb->name, "");
    cr_expect_str_eq(match->path, "/a");
    cr_expect_null(match->case_sensitive);
    cr_expect_eq(match->n_headers, 0);
    release(&d);
}

static const void *decode_any(struct decoded *d, const char *any)
{
    char json[1024];

    snprintf(json, sizeof json, "{\"apiListener\":{\"apiListener\":%s}}", any);
    decode_json(d, LISTENER, xds_slice_of(json));
    cr_assert(d->ok, "%s: %s", json, d->findings);
    const pb_listener *pb = (const pb_listener *)d->root.message;
    return xds_any_of(pb->api_listener->api_listener);
}

/* ---- Any ---- */

Test(builder, the_type_may_stand_anywhere_in_an_any)
{
    static const char *const rows[] = {
        "{\"@type\":\"x/" COOKIE "\",\"cookie\":{\"name\":\"n\",\"ttl\":\"1s\"}}",
        "{\"cookie\":{\"name\":\"n\",\"ttl\":\"1s\"},\"@type\":\"x/" COOKIE "\"}",
        "{\"cookie\":{\"name\":\"n\",\"ttl\":\"1s\"},\"\\u0040type\":\"x\\/" COOKIE "\"}",
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        struct decoded d;
        const struct xds_any *any = decode_any(&d, rows[i]);

        cr_assert_eq(any->state, XDS_ANY_TYPED);
        cr_expect_str_eq(any->pb.type_url, "x/" COOKIE);
        cr_expect(xds_slice_is(any->type, COOKIE));
        const pb_cookie_based_session_state *pb =
            (const pb_cookie_based_session_state *)any->message;
        cr_expect_str_eq(pb->cookie->name, "n");
        cr_expect_eq(pb->cookie->ttl->seconds, 1);
        release(&d);
    }
}

Test(builder, an_any_of_unknown_or_no_type_is_opaque)
{
    static const struct {
        const char *json, *type_url, *type;
    } rows[] = {
        {"{}", "", ""},
        {"{\"@type\":\"\"}", "", ""},
        {"{\"@type\":\"a/b/no.Such\",\"x\":[{\"y\":1}]}", "a/b/no.Such", "no.Such"},
        {"{\"x\":{\"@type\":\"t/inner\"},\"@type\":\"noslash\"}", "noslash", "noslash"},
        {"{\"@type\":\"t/\"}", "t/", ""},
        {"{\"@type\":\"t/google.protobuf.Any\",\"value\":{}}", "t/google.protobuf.Any",
         "google.protobuf.Any"},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        struct decoded d;
        const struct xds_any *any = decode_any(&d, rows[i].json);

        cr_expect_eq(any->state, XDS_ANY_UNKNOWN, "%s", rows[i].json);
        cr_expect_str_eq(any->pb.type_url, rows[i].type_url);
        cr_expect(xds_slice_is(any->type, rows[i].type), "%s", rows[i].json);
        cr_expect_null(any->message);
        release(&d);
    }
}

Test(builder, a_well_known_type_in_an_any_stands_under_value)
{
    static const char *const rows[] = {
        "{\"@type\":\"t/google.protobuf.StringValue\",\"value\":\"v\"}",
        "{\"value\":\"v\",\"@type\":\"t/google.protobuf.StringValue\"}",
        "{\"@type\":\"t/google.protobuf.StringValue\",\"value\":{\"value\":\"v\"}}",
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        struct decoded d;
        const struct xds_any *any = decode_any(&d, rows[i]);

        cr_assert_eq(any->state, XDS_ANY_TYPED);
        cr_expect_str_eq(((const pb_string_value *)any->message)->value, "v");
        release(&d);
    }
}

Test(builder, a_struct_holds_every_kind_of_value)
{
    struct decoded d;
    const pb_xds_typed_struct *pb = decode_good(
        &d, STRUCT,
        "{\"typeUrl\":\"t/x\",\"value\":{\"n\":null,\"d\":1.5,\"s\":\"\",\"b\":"
        "false,\"o\":{\"\":{}},\"l\":[null,[1]]}}");
    static const Google__Protobuf__Value__KindCase kinds[] = {
        GOOGLE__PROTOBUF__VALUE__KIND_NULL_VALUE,
        GOOGLE__PROTOBUF__VALUE__KIND_NUMBER_VALUE,
        GOOGLE__PROTOBUF__VALUE__KIND_STRING_VALUE,
        GOOGLE__PROTOBUF__VALUE__KIND_BOOL_VALUE,
        GOOGLE__PROTOBUF__VALUE__KIND_STRUCT_VALUE,
        GOOGLE__PROTOBUF__VALUE__KIND_LIST_VALUE,
    };

    cr_expect_str_eq(pb->type_url, "t/x");
    cr_assert_eq(pb->value->n_fields, XDS_ARRAY_LEN(kinds));
    for (size_t i = 0; i < XDS_ARRAY_LEN(kinds); i++)
        cr_expect_eq(pb->value->fields[i]->value->kind_case, kinds[i]);
    cr_expect_str_eq(pb->value->fields[2]->value->string_value, "");
    const pb_list_value *list = pb->value->fields[5]->value->list_value;
    cr_assert_eq(list->n_values, 2);
    cr_expect_eq(list->values[0]->kind_case, GOOGLE__PROTOBUF__VALUE__KIND_NULL_VALUE);
    cr_expect_eq(list->values[1]->list_value->values[0]->number_value, 1);
    release(&d);
}

Test(builder, a_message_that_nobody_reads_is_skipped_unseen)
{
    struct decoded d;
    const pb_cluster *pb =
        decode_good(&d, CLUSTER, "{\"filters\":[{\"anything\":[{\"a\":1,\"a\":2}]}]}");

    cr_expect_eq(pb->n_filters, 1);
    release(&d);
}

Test(builder, an_unknown_resource_type_is_no_fault)
{
    struct decoded d;

    decode_json(&d, "t/no.Such", XDS_S("{\"a\":[1,{}]}"));
    cr_expect(d.ok);
    cr_expect_eq(d.root.state, XDS_ANY_UNKNOWN);
    cr_expect(xds_slice_is(d.root.type, "no.Such"));
    release(&d);
}

/* ---- YAML ---- */

#define AT(l, c, e) .line = l, .column = c, .end_line = l, .end_column = e

static void decode_tokens(struct decoded *d, const struct xds_token *tokens)
{
    decode(d,
           (struct xds_resource){.format = XDS_FORMAT_YAML,
                                 .type = XDS_TYPE_ROUTE,
                                 .tokens = tokens,
                                 .at = {0, 1, 1, 0, 0}},
           false);
}

Test(builder, yaml_asks_for_quotes_where_a_string_reads_as_another_value)
{
    const struct {
        enum xds_token_kind kind;
        struct xds_slice text;
        const char *findings;
    } rows[] = {
        {XDS_TOKEN_STRING, XDS_S("10"), ""},
        {XDS_TOKEN_NULL, XDS_S("~"), ""},
        {XDS_TOKEN_NUMBER, XDS_S("1.10"),
         "3:7-3:11 unquoted-string: \"name\" needs a string: put 1.10 in quotes"},
        {XDS_TOKEN_TRUE, XDS_S("True"),
         "3:7-3:11 unquoted-string: \"name\" needs a string: put True in quotes"},
        {XDS_TOKEN_STRING, XDS_S("a\0b"), ""},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        const struct xds_token tokens[] = {
            {.kind = XDS_TOKEN_OBJECT, AT(1, 1, 1)},
            {.kind = XDS_TOKEN_KEY, .text = XDS_S("name"), AT(3, 1, 5)},
            {.kind = rows[i].kind, .text = rows[i].text, AT(3, 7, 11)},
            {.kind = XDS_TOKEN_OBJECT_END, AT(4, 1, 1)},
            {.kind = XDS_TOKEN_END},
        };
        struct decoded d;

        decode_tokens(&d, tokens);
        cr_expect_str_eq(d.findings, rows[i].findings);
        cr_expect_eq(d.ok, *rows[i].findings == '\0');
        release(&d);
    }
}

/* ---- tables ---- */

static void check_type(const ProtobufCMessageDescriptor *type, int depth)
{
    cr_expect_leq(type->n_fields, XDS_MAX_FIELDS, "%s", type->name);
    for (unsigned i = 0; i < type->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &type->fields[i];

        cr_expect_lt(strlen(field->name), XDS_MAX_NAME, "%s", field->name);
        if (field->type == PROTOBUF_C_TYPE_MESSAGE && depth < 8)
            check_type(field->descriptor, depth + 1);
    }
}

Test(builder, no_message_outgrows_the_tables)
{
    static const char *const roots[] = {LISTENER, ROUTES, CLUSTER, LOADS};

    for (size_t i = 0; i < XDS_ARRAY_LEN(roots); i++) {
        const ProtobufCMessageDescriptor *type = xds_any_registry(xds_slice_of(roots[i]));

        cr_assert_not_null(type, "%s", roots[i]);
        check_type(type, 0);
    }
}

Test(builder, camel_case_is_protobufs)
{
    static const struct {
        const char *name, *camel;
    } rows[] = {{"a", "a"},
                {"a_b", "aB"},
                {"max_2xx", "max2xx"},
                {"x_1_y", "x1Y"},
                {"aB_c", "aBC"}};

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        char camel[XDS_MAX_NAME];

        xds_names_camel(rows[i].name, camel);
        cr_expect_str_eq(camel, rows[i].camel);
    }
}
