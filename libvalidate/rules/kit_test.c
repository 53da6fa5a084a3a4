/* kit_test.c - a context for tests of readers, and what they fired as text. */
#include "rules/kit_test.h"

#include <criterion/criterion.h>
#include <stdlib.h>

struct kit *kit_new(void)
{
    struct kit *kit = calloc(1, sizeof *kit);

    cr_assert_not_null(kit);
    xds_options_init(&kit->options);
    xds_arena_init(&kit->arena, 0);
    kit->ctx = (struct xds_ctx){
        .report = xds_report_new(&kit->options),
        .options = &kit->options,
        .arena = &kit->arena,
        .scratch = &kit->arena,
        .regexes = xds_regex_cache_new(),
        .panel = &kit->judges.panel,
    };
    cr_assert(kit->ctx.report && kit->ctx.regexes);
    cr_assert(xds_judges_init(&kit->judges, kit->ctx.report));
    kit->ctx.live = kit->judges.panel.all;
    kit->ctx.resource = xds_report_add_resource(kit->ctx.report, XDS_S("t"), XDS_S("n"),
                                                (struct xds_place){0});
    return kit;
}

void kit_free(struct kit *kit)
{
    xds_regex_cache_free(kit->ctx.regexes);
    xds_report_free(kit->ctx.report);
    xds_arena_release(&kit->arena);
    free(kit);
}

void kit_set_env(struct kit *kit, const char *assignment)
{
    const char *hint;

    cr_assert_eq(xds_options_set_env(&kit->options, xds_slice_of(assignment), &hint),
                 XDS_OK);
    kit->ctx.report->options = kit->options;
    cr_assert(xds_judges_init(&kit->judges, kit->ctx.report));
}

static const char *verdicts(struct kit *kit, const struct xds_finding *finding)
{
    char *text = xds_arena_alloc(&kit->arena, XDS_CLIENTS + 1);

    for (size_t i = 0; i < XDS_CLIENTS; i++)
        text[i] = "AISNC"[finding->verdict[i]];
    text[XDS_CLIENTS] = '\0';
    return text;
}

const char *kit_findings(struct kit *kit)
{
    const struct xds_report *report = kit->ctx.report;
    struct xds_slice all = XDS_S("");

    for (size_t i = 0; i < xds_report_findings(report); i++) {
        const struct xds_finding *f = xds_report_finding(report, i);

        all = xds_arena_printf(&kit->arena, "%s%s%.*s %s %s", all.data, i ? "\n" : "",
                               XDS_FMT(f->path), f->rule->slug, verdicts(kit, f));
    }
    return all.data;
}

pb_any *kit_opaque(struct kit *kit, const char *type_url, enum xds_any_state state)
{
    struct xds_any *any = XDS_NEW(&kit->arena, struct xds_any);

    google__protobuf__any__init(&any->pb);
    /* protobuf-c's strings are not const, and nobody writes to them. */
    any->pb.type_url = (char *)(uintptr_t)xds_arena_strdup(&kit->arena, type_url);
    any->type = xds_slice_of(any->pb.type_url);
    any->state = state;
    return &any->pb;
}

pb_any *kit_any(struct kit *kit, const ProtobufCMessage *message)
{
    const struct xds_slice url = xds_arena_printf(&kit->arena, "type.googleapis.com/%s",
                                                  message->descriptor->name);
    pb_any *pb = kit_opaque(kit, url.data, XDS_ANY_TYPED);
    struct xds_any *any = (struct xds_any *)(void *)pb;

    any->type = xds_slice_of(message->descriptor->name);
    any->message = message;
    return pb;
}

static pb_rds *rds_over_ads(struct kit *kit)
{
    pb_rds *pb = XDS_NEW(&kit->arena, pb_rds);
    Envoy__Config__Core__V3__ConfigSource *source =
        XDS_NEW(&kit->arena, Envoy__Config__Core__V3__ConfigSource);
    Envoy__Config__Core__V3__AggregatedConfigSource *ads =
        XDS_NEW(&kit->arena, Envoy__Config__Core__V3__AggregatedConfigSource);

    envoy__extensions__filters__network__http_connection_manager__v3__rds__init(pb);
    envoy__config__core__v3__config_source__init(source);
    envoy__config__core__v3__aggregated_config_source__init(ads);
    source->config_source_specifier_case =
        ENVOY__CONFIG__CORE__V3__CONFIG_SOURCE__CONFIG_SOURCE_SPECIFIER_ADS;
    source->ads = ads;
    pb->config_source = source;
    pb->route_config_name = (char *)(uintptr_t)xds_arena_strdup(&kit->arena, "r");
    return pb;
}

static pb_http_filter *router(struct kit *kit)
{
    pb_http_filter *pb = XDS_NEW(&kit->arena, pb_http_filter);
    pb_router *config = XDS_NEW(&kit->arena, pb_router);

    envoy__extensions__filters__network__http_connection_manager__v3__http_filter__init(
        pb);
    envoy__extensions__filters__http__router__v3__router__init(config);
    pb->name = (char *)(uintptr_t)xds_arena_strdup(&kit->arena, "router");
    pb->config_type_case =
        ENVOY__EXTENSIONS__FILTERS__NETWORK__HTTP_CONNECTION_MANAGER__V3__HTTP_FILTER__CONFIG_TYPE_TYPED_CONFIG;
    pb->typed_config = kit_any(kit, &config->base);
    return pb;
}

pb_http_connection_manager *kit_hcm(struct kit *kit)
{
    pb_http_connection_manager *pb = XDS_NEW(&kit->arena, pb_http_connection_manager);

    envoy__extensions__filters__network__http_connection_manager__v3__http_connection_manager__init(
        pb);
    pb->n_http_filters = 1;
    pb->http_filters = XDS_NEW_ARRAY(&kit->arena, pb_http_filter *, 1);
    pb->http_filters[0] = router(kit);
    pb->route_specifier_case =
        ENVOY__EXTENSIONS__FILTERS__NETWORK__HTTP_CONNECTION_MANAGER__V3__HTTP_CONNECTION_MANAGER__ROUTE_SPECIFIER_RDS;
    pb->rds = rds_over_ads(kit);
    return pb;
}
