/*
 * route_lookup_config_test.c - what no JSON can say, and where the policies differ.
 */
#include <criterion/criterion.h>

#include "rules/kit_test.h"
#include "rules/inner.h"

#define N_NAMES 60

typedef Grpc__Lookup__V1__GrpcKeyBuilder__ConstantKeysEntry constant_entry;

/* A config with all that must be there: one key builder, with one header and two
 * constants that are not in use yet. */
struct sample {
    pb_route_lookup_config pb;
    pb_grpc_key_builder builder, *builders[1];
    pb_grpc_key_builder_name name[N_NAMES], *names[N_NAMES];
    pb_name_matcher header, *headers[1];
    constant_entry constant[2], *constants[2];
    pb_duration duration;
    char text[N_NAMES][4], key[2], target[2], *header_names[1];
};

static void init_names(struct sample *s)
{
    for (size_t i = 0; i < N_NAMES; i++) {
        grpc__lookup__v1__grpc_key_builder__name__init(&s->name[i]);
        s->name[i].service = s->text[i];
        s->names[i] = &s->name[i];
        s->text[i][0] = 's';
    }
    s->builder.names = s->names;
    s->builder.n_names = 1;
}

static void init_keys(struct sample *s)
{
    grpc__lookup__v1__name_matcher__init(&s->header);
    s->header.key = s->key;
    s->header_names[0] = s->key;
    s->header.names = s->header_names;
    s->header.n_names = 1;
    s->headers[0] = &s->header;
    s->builder.headers = s->headers;
    for (size_t i = 0; i < 2; i++) {
        grpc__lookup__v1__grpc_key_builder__constant_keys_entry__init(&s->constant[i]);
        s->constant[i].key = s->key;
        s->constants[i] = &s->constant[i];
    }
    s->builder.constant_keys = s->constants;
}

static void sample_init(struct sample *s)
{
    *s = (struct sample){.key = "k", .target = "t"};
    grpc__lookup__v1__route_lookup_config__init(&s->pb);
    grpc__lookup__v1__grpc_key_builder__init(&s->builder);
    google__protobuf__duration__init(&s->duration);
    init_names(s);
    init_keys(s);
    s->builders[0] = &s->builder;
    s->pb.grpc_keybuilders = s->builders;
    s->pb.n_grpc_keybuilders = 1;
    s->pb.lookup_service = s->target;
    s->pb.cache_size_bytes = 1;
}

/* "VERDICTS C-core's words", or "" without a finding. */
static const char *judged(struct kit *kit, const struct sample *s)
{
    xds_route_lookup_config_check(&kit->ctx, XDS_AT(NULL, "any"), XDS_AT(NULL, "plugin"),
                                  XDS_ALL_CLIENTS, &s->pb);
    cr_assert_leq(xds_report_findings(kit->ctx.report), 1);
    if (xds_report_findings(kit->ctx.report) == 0)
        return "";
    const struct xds_finding *finding = xds_report_finding(kit->ctx.report, 0);
    const char *fired = kit_findings(kit);

    return xds_arena_printf(&kit->arena, "%s %.*s", strrchr(fired, ' ') + 1,
                            XDS_FMT(finding->core))
        .data;
}

#define BY_POLICY                                                                        \
    "ClusterSpecifierPlugin returned invalid LB policy config: errors validating RLS "   \
    "LB "                                                                                \
    "policy config: ["
#define BUILDER "field:routeLookupConfig.grpcKeybuilders[0]"

static const struct duration {
    int64_t seconds;
    int32_t nanos;
    const char *judged;
} durations[] = {
    {0, -1, ""},
    {0, 999999999, ""},
    {-1, 0,
     "NNAAA " BY_POLICY "field:routeLookupConfig.maxAge error:seconds must be in the "
     "range [0, 315576000000]]"},
    {1, -1, "NNNNA failed to dump proto to JSON: bad duration"},
    {-1, 1, "NNNNA failed to dump proto to JSON: bad duration"},
    {INT64_MIN, 0, "NNNNA failed to dump proto to JSON: bad duration"},
    {INT64_MAX, INT32_MIN, "NNNNA failed to dump proto to JSON: bad duration"},
    {0, 1000000000,
     "NNNNA failed to dump proto to JSON: error formatting timestamp as JSON: invalid "
     "nanos"},
    {0, INT32_MIN,
     "NNNNA failed to dump proto to JSON: error formatting timestamp as JSON: invalid "
     "nanos"},
};

Test(route_lookup_config, a_duration_must_get_through_json)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(durations); i++) {
        struct kit *kit = kit_new();
        struct sample s;

        sample_init(&s);
        s.duration.seconds = durations[i].seconds;
        s.duration.nanos = durations[i].nanos;
        s.pb.max_age = &s.duration;
        cr_expect_str_eq(judged(kit, &s), durations[i].judged, "row %zu", i);
        kit_free(kit);
    }
}

Test(route_lookup_config, a_map_holds_a_key_once_however_often_its_bytes_repeat_it)
{
    struct kit *kit = kit_new();
    struct sample s;

    sample_init(&s);
    s.builder.n_constant_keys = 2;
    cr_expect_str_eq(judged(kit, &s), "");
    s.builder.n_headers = 1;
    cr_expect_str_eq(judged(kit, &s), "NNNAA " BY_POLICY BUILDER
                                      ".constantKeys[\"k\"] error:duplicate key \"k\"]");
    kit_free(kit);
}

Test(route_lookup_config, a_stale_age_of_zero_is_none_to_go)
{
    struct kit *kit = kit_new();
    struct sample s;

    sample_init(&s);
    s.pb.stale_age = &s.duration;
    cr_expect_str_eq(judged(kit, &s),
                     "NNAAA " BY_POLICY
                     "field:routeLookupConfig.maxAge error:must be set if "
                     "staleAge is set]");
    kit_free(kit);
}

Test(route_lookup_config, core_compares_names_only_when_nothing_else_is_wrong)
{
    struct kit *kit = kit_new();
    struct sample s;

    sample_init(&s);
    s.builder.n_names = 2;
    s.builder.n_headers = 1;
    s.header.n_names = 0;
    /* go rejects the second name, but not the header without names. */
    xds_route_lookup_config_check(&kit->ctx, XDS_AT(NULL, "any"), XDS_AT(NULL, "plugin"),
                                  XDS_ALL_CLIENTS, &s.pb);
    cr_expect_str_eq(kit_findings(kit), "any rls-config-invalid NNAAA\n"
                                        "any rls-config-invalid AANAA");
    kit_free(kit);
}

Test(route_lookup_config, twenty_repeated_names_of_a_builder_are_enough)
{
    struct kit *kit = kit_new();
    struct sample s;

    sample_init(&s);
    s.builder.n_names = N_NAMES;
    for (size_t i = 0; i < N_NAMES; i++) /* each twice, from "s^" down to "sA" */
        s.text[i][1] = (char)('A' + (N_NAMES - 1 - i) / 2);
    const char *text = judged(kit, &s);

    cr_expect(strstr(text, "errors:[duplicate entry for \"/sK/\"; "), "%s", text);
    cr_expect(strstr(text, "duplicate entry for \"/s^/\"]]"), "%s", text);
    cr_expect_not(strstr(text, "/sJ/"), "%s", text);
    kit_free(kit);
}
