/*
 * http_connection_manager.c - turn HttpConnectionManager into a listener's content.
 *
 * Source: gRFC A27, A31, A36, A41, spec listener 3.
 */
#include "rules/http_connection_manager.h"

#include "rules/filter/filter.h"

#define HCM                                                                              \
    envoy__extensions__filters__network__http_connection_manager__v3__http_connection_manager__descriptor
#define PB_ROUTES(arm)                                                                   \
    ENVOY__EXTENSIONS__FILTERS__NETWORK__HTTP_CONNECTION_MANAGER__V3__HTTP_CONNECTION_MANAGER__ROUTE_SPECIFIER_##arm
#define PB_SOURCE(arm)                                                                   \
    ENVOY__CONFIG__CORE__V3__CONFIG_SOURCE__CONFIG_SOURCE_SPECIFIER_##arm

static void read_settings(struct xds_ctx *ctx, const struct xds_path *at,
                          const pb_http_connection_manager *pb, struct xds_listener *out)
{
    const struct xds_path *options = XDS_AT(at, "common_http_protocol_options");

    if (pb->xff_num_trusted_hops != 0)
        xds_fire_with(ctx, at, XDS_R_HCM_XFF_HOPS,
                      XDS_WITH(xds_number(ctx, pb->xff_num_trusted_hops)));
    if (pb->n_original_ip_detection_extensions > 0)
        xds_fire(ctx, at, XDS_R_HCM_IP_DETECTION);
    if (!pb->common_http_protocol_options)
        return;
    out->has_max_stream_duration =
        xds_duration_read(ctx, XDS_AT(options, "max_stream_duration"),
                          pb->common_http_protocol_options->max_stream_duration,
                          XDS_EVERYONE, &out->max_stream_duration_ns);
    /* Only node reads the other one, and does not check it (H-4). */
    out->has_idle_timeout = xds_duration_read(
        ctx, XDS_AT(options, "idle_timeout"),
        pb->common_http_protocol_options->idle_timeout, 0, &out->idle_timeout_ns);
}

static void read_rds(struct xds_ctx *ctx, const struct xds_path *at, const pb_rds *pb,
                     struct xds_listener *out)
{
    const Envoy__Config__Core__V3__ConfigSource *source = pb->config_source;
    const int arm = source ? (int)source->config_source_specifier_case : 0;
    xds_readers refused_by = XDS_EVERYONE;

    if (arm == PB_SOURCE(ADS))
        refused_by = 0;
    else if (arm == PB_SOURCE(SELF))
        refused_by = ctx->server ? xds_who(ctx, XDS_DIFF_RDS_SELF_ON_SERVERS) : 0;
    if (!source)
        xds_fire(ctx, at, XDS_R_HCM_RDS_NO_SOURCE);
    else
        xds_fire_for(ctx, at, refused_by, XDS_R_HCM_RDS_SOURCE, NULL);
    out->rds_name = xds_arena_dup(ctx->arena, xds_slice_of(pb->route_config_name));
    if (out->rds_name.len == 0)
        xds_fire(ctx, at, XDS_R_HCM_RDS_NAME);
}

static bool read_routes(struct xds_ctx *ctx, const struct xds_path *at,
                        const pb_http_connection_manager *pb, struct xds_listener *out)
{
    if (pb->route_specifier_case == PB_ROUTES(ROUTE_CONFIG)) {
        struct xds_route_config *config = XDS_NEW(ctx->arena, struct xds_route_config);

        out->route_config = config;
        return xds_route_config_read(ctx, XDS_AT(at, "route_config"), pb->route_config,
                                     config);
    }
    if (pb->route_specifier_case != PB_ROUTES(RDS))
        return xds_fire(ctx, at, XDS_R_HCM_NO_ROUTES);
    read_rds(ctx, XDS_AT(at, "rds"), pb->rds, out);
    return true;
}

static bool read_message(struct xds_ctx *ctx, const struct xds_path *at,
                         const pb_http_connection_manager *pb, xds_readers filters_only,
                         struct xds_listener *out)
{
    const xds_readers live = ctx->live;

    ctx->live = live & ~filters_only;
    read_settings(ctx, at, pb, out);
    ctx->live = live;
    xds_http_filters_read(ctx, at, pb->n_http_filters, pb->http_filters, out);
    ctx->live = live & ~filters_only;
    return read_routes(ctx, at, pb, out);
}

bool xds_http_connection_manager_read(struct xds_ctx *ctx,
                                      const struct xds_extension *ext,
                                      enum xds_rule_id other_type,
                                      enum xds_rule_id unparsable,
                                      xds_readers filters_only, struct xds_listener *out)
{
    const xds_readers live = ctx->live;
    xds_readers others = XDS_EVERYONE;
    bool ok = false;

    if (xds_slice_is(ext->type, HCM.name))
        others =
            ext->url_is_canonical
                ? 0
                : xds_who(ctx, XDS_DIFF_TYPE_URL_WHOLE) &
                      ~(ctx->server ? 0 : xds_who(ctx, XDS_DIFF_API_LISTENER_LAST_PART));
    xds_fire_for(ctx, ext->at, others, other_type, XDS_WITH(ext->type));
    ctx->live &= ~others;
    if (!ext->message)
        xds_fire(ctx, ext->at, unparsable);
    else if (ext->message->descriptor == &HCM)
        ok = read_message(ctx, ext->at, (const void *)ext->message, filters_only, out);
    ctx->live = live;
    return ok;
}
