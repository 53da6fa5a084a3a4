/* composite_test.c - the composite filter on servers, and what it hands to the filters
 * inside. */
#include <criterion/criterion.h>

#include "rules/filter/filter.h"
#include "rules/kit_test.h"

#define WRAPPER "envoy.extensions.common.matching.v3.ExtensionWithMatcher"

static struct kit *guarded_kit(bool server)
{
    struct kit *kit = kit_new();

    kit_set_env(kit, "GRPC_EXPERIMENTAL_XDS_COMPOSITE_FILTER=true");
    kit->ctx.server = server;
    return kit;
}

static pb_any *composite(struct kit *kit)
{
    struct {
        pb_extension_with_matcher pb;
        pb_typed_extension_config extension;
        pb_composite composite;
    } *all = xds_arena_zero(&kit->arena, 1, sizeof *all);

    envoy__extensions__common__matching__v3__extension_with_matcher__init(&all->pb);
    envoy__config__core__v3__typed_extension_config__init(&all->extension);
    envoy__extensions__filters__http__composite__v3__composite__init(&all->composite);
    all->pb.extension_config = &all->extension;
    all->extension.typed_config = kit_any(kit, &all->composite.base);
    return kit_any(kit, &all->pb.base);
}

static pb_http_filter *filter(struct kit *kit, const char *name, pb_any *config,
                              bool optional)
{
    pb_http_filter *pb = XDS_NEW(&kit->arena, pb_http_filter);

    envoy__extensions__filters__network__http_connection_manager__v3__http_filter__init(
        pb);
    pb->name = (char *)(uintptr_t)xds_arena_strdup(&kit->arena, name);
    pb->is_optional = optional;
    pb->config_type_case =
        ENVOY__EXTENSIONS__FILTERS__NETWORK__HTTP_CONNECTION_MANAGER__V3__HTTP_FILTER__CONFIG_TYPE_TYPED_CONFIG;
    pb->typed_config = config;
    return pb;
}

static pb_http_filter *router(struct kit *kit)
{
    Envoy__Extensions__Filters__Http__Router__V3__Router *pb =
        XDS_NEW(&kit->arena, Envoy__Extensions__Filters__Http__Router__V3__Router);

    envoy__extensions__filters__http__router__v3__router__init(pb);
    return filter(kit, "router", kit_any(kit, &pb->base), false);
}

static const char *read_list(struct kit *kit, pb_any *config, bool optional)
{
    pb_http_filter *list[] = {filter(kit, "composite", config, optional), router(kit)};
    struct xds_listener out = {0};

    kit->ctx.live = XDS_GRFC | XDS_CORE;
    xds_http_filters_read(&kit->ctx, NULL, XDS_ARRAY_LEN(list), list, &out);
    cr_expect_eq(kit->ctx.live, XDS_GRFC | XDS_CORE);
    cr_expect_eq(kit->ctx.in_composite, 0);
    return kit_findings(kit);
}

Test(composite, one_that_does_nothing_is_fine_on_servers)
{
    struct kit *kit = guarded_kit(true);

    cr_expect_str_eq(read_list(kit, composite(kit), false), "");
    kit_free(kit);
}

Test(composite, an_undecodable_one_is_rejected)
{
    struct kit *kit = guarded_kit(false);
    pb_any *any = kit_opaque(kit, "type.googleapis.com/" WRAPPER, XDS_ANY_UNDECODABLE);

    cr_expect_str_eq(read_list(kit, any, false),
                     "http_filters[0].typed_config.value[" WRAPPER "] "
                     "http-filter-unparsable NNAAA");
    kit_free(kit);
}

Test(composite, one_that_does_nothing_is_fine_on_clients)
{
    struct kit *kit = guarded_kit(false);

    cr_expect_str_eq(read_list(kit, composite(kit), false), "");
    kit_free(kit);
}
