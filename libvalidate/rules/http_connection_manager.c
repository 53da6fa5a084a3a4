/*
 * http_connection_manager.c - turn HttpConnectionManager into a listener's content.
 *
 * Takes:  a decoded message, borrowed.
 * Gives:  limit, filters and routes of the listener, in the model's arena.
 * Fires:  the rows of http_connection_manager.def, in C-core's order; those of filters
 *         and of routes through their readers.
 * Source: gRFC A27, A31, A36, A41, spec section 3.
 */
#include "rules/http_connection_manager.h"

#include "rules/filter/filter.h"

#define HCM                                                                              \
    envoy__extensions__filters__network__http_connection_manager__v3__http_connection_manager__descriptor
#define PB_ROUTES(arm)                                                                   \
    ENVOY__EXTENSIONS__FILTERS__NETWORK__HTTP_CONNECTION_MANAGER__V3__HTTP_CONNECTION_MANAGER__ROUTE_SPECIFIER_##arm
#define PB_SOURCE(arm)                                                                   \
    ENVOY__CONFIG__CORE__V3__CONFIG_SOURCE__CONFIG_SOURCE_SPECIFIER_##arm

static void check_client_address(struct xds_ctx *ctx, const struct xds_path *at,
                                 const pb_http_connection_manager *pb)
{
    if (pb->xff_num_trusted_hops != 0)
        xds_fire(ctx, XDS_AT(at, "xff_num_trusted_hops"), XDS_R_HCM_XFF_HOPS,
                 "must be zero");
    if (pb->n_original_ip_detection_extensions > 0)
        xds_fire(ctx, XDS_AT(at, "original_ip_detection_extensions"),
                 XDS_R_HCM_IP_DETECTION, "must be empty");
}

static void read_max_stream_duration(struct xds_ctx *ctx, const struct xds_path *at,
                                     const pb_http_connection_manager *pb,
                                     struct xds_listener *out)
{
    const struct xds_path *here =
        XDS_AT(at, "common_http_protocol_options.max_stream_duration");

    if (!pb->common_http_protocol_options)
        return;
    out->has_max_stream_duration = xds_duration_read(
        ctx, here, pb->common_http_protocol_options->max_stream_duration,
        XDS_GRFC | XDS_CORE | XDS_JAVA, &out->max_stream_duration_ns);
}

/* go takes self on clients only. */
static unsigned refuse_source(const struct xds_ctx *ctx,
                              const Envoy__Config__Core__V3__ConfigSource *pb)
{
    if (pb->config_source_specifier_case == PB_SOURCE(ADS))
        return 0;
    if (pb->config_source_specifier_case == PB_SOURCE(SELF))
        return ctx->server ? XDS_GO : 0;
    return XDS_ALL_CLIENTS;
}

/* Only node reads it, and does not check it (H-4). */
static void read_idle_timeout(struct xds_ctx *ctx, const struct xds_path *at,
                              const pb_http_connection_manager *pb,
                              struct xds_listener *out)
{
    const struct xds_path *here = XDS_AT(at, "common_http_protocol_options.idle_timeout");

    if (pb->common_http_protocol_options)
        out->has_idle_timeout =
            xds_duration_read(ctx, here, pb->common_http_protocol_options->idle_timeout,
                              0, &out->idle_timeout_ns);
}

static void check_source(struct xds_ctx *ctx, const struct xds_path *at,
                         const Envoy__Config__Core__V3__ConfigSource *pb)
{
    if (!pb)
        xds_fire(ctx, at, XDS_R_HCM_RDS_NO_SOURCE, "field not present");
    else
        xds_fire_for(ctx, at, refuse_source(ctx, pb), XDS_R_HCM_RDS_SOURCE,
                     "ConfigSource does not specify ADS or SELF");
}

static void read_rds(struct xds_ctx *ctx, const struct xds_path *at, const pb_rds *pb,
                     struct xds_listener *out)
{
    check_source(ctx, XDS_AT(at, "config_source"), pb->config_source);
    out->rds_name = xds_arena_dup(ctx->arena, xds_slice_of(pb->route_config_name));
    if (out->rds_name.len == 0)
        xds_fire(ctx, XDS_AT(at, "route_config_name"), XDS_R_HCM_RDS_NAME,
                 "empty route_config_name");
}

static bool read_inline(struct xds_ctx *ctx, const struct xds_path *at,
                        const pb_route_configuration *pb, struct xds_listener *out)
{
    struct xds_route_config *config = XDS_NEW(ctx->arena, struct xds_route_config);

    out->route_config = config;
    return xds_route_config_read(ctx, at, pb, config);
}

static bool read_routes(struct xds_ctx *ctx, const struct xds_path *at,
                        const pb_http_connection_manager *pb, struct xds_listener *out)
{
    if (pb->route_specifier_case == PB_ROUTES(ROUTE_CONFIG))
        return read_inline(ctx, XDS_AT(at, "route_config"), pb->route_config, out);
    if (pb->route_specifier_case != PB_ROUTES(RDS))
        return xds_fire(ctx, at, XDS_R_HCM_NO_ROUTES,
                        "neither route_config nor rds fields are present");
    read_rds(ctx, XDS_AT(at, "rds"), pb->rds, out);
    return true;
}

bool xds_http_connection_manager_read(struct xds_ctx *ctx, const struct xds_path *at,
                                      const pb_http_connection_manager *pb,
                                      unsigned filters_only, struct xds_listener *out)
{
    const unsigned live = ctx->live;

    ctx->live = live & ~filters_only;
    check_client_address(ctx, at, pb);
    read_max_stream_duration(ctx, at, pb, out);
    read_idle_timeout(ctx, at, pb, out);
    ctx->live = live;
    xds_http_filters_read(ctx, at, pb->n_http_filters, pb->http_filters, out);
    ctx->live = live & ~filters_only;

    const bool ok = read_routes(ctx, at, pb, out);

    ctx->live = live;
    return ok;
}

const pb_http_connection_manager *
xds_http_connection_manager_of(const struct xds_extension *ext)
{
    return ext->message && ext->message->descriptor == &HCM
               ? (const pb_http_connection_manager *)ext->message
               : NULL;
}

unsigned xds_http_connection_manager_foreign_to(const struct xds_extension *ext)
{
    if (!xds_slice_is(ext->type, HCM.name))
        return XDS_ALL_CLIENTS;
    return ext->url_is_canonical ? 0 : XDS_GO | XDS_JAVA | XDS_NODE;
}
