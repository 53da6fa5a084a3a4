/*
 * ext_authz.c - the external authorization filter: another service allows each RPC.
 *
 * Source: gRFC draft A92, spec listener 9.4.
 */
#include "rules/filter/filter.h"
#include "rules/inner.h"

#define PACKAGE "envoy.extensions.filters.http.ext_authz.v3."
#define LAST_DENOMINATOR ENVOY__TYPE__V3__FRACTIONAL_PERCENT__DENOMINATOR_TYPE__MILLION
#define PB_SERVICE(arm)                                                                  \
    ENVOY__EXTENSIONS__FILTERS__HTTP__EXT_AUTHZ__V3__EXT_AUTHZ__SERVICES_##arm

/* Whatever is wrong inside, the filter keeps its place in the chain. */
static bool read_config(struct xds_ctx *ctx, const struct xds_extension *ext,
                        struct xds_filter *out)
{
    const pb_ext_authz *pb = (const void *)ext->message;
    const bool has_service = pb->services_case == PB_SERVICE(GRPC_SERVICE);

    (void)out;
    xds_grpc_service_read(ctx, XDS_AT(ext->at, "grpc_service"),
                          has_service ? pb->grpc_service : NULL);
    if (pb->filter_enabled && !pb->filter_enabled->default_value)
        xds_fire(ctx, ext->at, XDS_R_EXTAUTHZ_ENABLED);
    else if (pb->filter_enabled &&
             (uint32_t)pb->filter_enabled->default_value->denominator > LAST_DENOMINATOR)
        xds_fire_with(ctx, ext->at, XDS_R_EXTAUTHZ_DENOMINATOR,
                      XDS_WITH(xds_number(
                          ctx, (int)pb->filter_enabled->default_value->denominator)));
    if (pb->deny_at_disable && !pb->deny_at_disable->default_value)
        xds_fire(ctx, ext->at, XDS_R_EXTAUTHZ_DENY);
    xds_list_string_matcher_read(ctx, XDS_AT(ext->at, "allowed_headers"),
                                 pb->allowed_headers);
    xds_list_string_matcher_read(ctx, XDS_AT(ext->at, "disallowed_headers"),
                                 pb->disallowed_headers);
    xds_header_mutation_rules_read(ctx, XDS_AT(ext->at, "decoder_header_mutation_rules"),
                                   pb->decoder_header_mutation_rules);
    return true;
}

const struct xds_filter_type xds_filter_ext_authz = {
    .kind = XDS_FILTER_EXT_AUTHZ,
    .type = PACKAGE "ExtAuthz",
    .override_type = PACKAGE "ExtAuthzPerRoute",
    .guarded = XDS_GRFC | XDS_JAVA,
    .guard = XDS_ENV_EXT_AUTHZ_ON_CLIENT,
    .server_guard = XDS_ENV_EXT_AUTHZ_ON_SERVER,
    .override_for = XDS_ALL_CLIENTS,
    .on_clients = true,
    .on_servers = true,
    .never_on_servers = XDS_JAVA,
    .config_words = "ext_authz filter config",
    .override_words = "ext_authz filter override config",
    .read = read_config,
};
