/*
 * gcp_authn.c - check the GCP authentication filter.
 *
 * Source: gRFC A83, spec listener 9.2.
 */
#include "rules/filter/filter.h"

#include <inttypes.h>

/* Without a size the cache holds 10 tokens. */
static bool check_cache(struct xds_ctx *ctx, const struct xds_extension *ext)
{
    const pb_gcp_authn_filter_config *pb = (const void *)ext->message;
    const pb_u_int64_value *size = pb->cache_config ? pb->cache_config->cache_size : NULL;

    if (!size)
        return true;
    if (size->value >= INT64_MAX)
        xds_fire_with(ctx, ext->at, XDS_R_GCP_CACHE_SIZE_LARGE,
                      XDS_WITH(xds_arena_printf(ctx->arena, "%" PRIu64, size->value)));
    return size->value > 0 || xds_fire(ctx, ext->at, XDS_R_GCP_CACHE_SIZE);
}

static bool read_config(struct xds_ctx *ctx, const struct xds_extension *ext,
                        struct xds_filter *out)
{
    (void)out;
    return check_cache(ctx, ext);
}

static bool read_override(struct xds_ctx *ctx, const struct xds_extension *ext,
                          struct xds_filter_override *out)
{
    (void)out;
    return check_cache(ctx, ext);
}

/* Its override has no type of its own: gRFC A83 reads one like the config; core has
 * none. */
const struct xds_filter_type xds_filter_gcp_authn = {
    .kind = XDS_FILTER_GCP_AUTHN,
    .type = "envoy.extensions.filters.http.gcp_authn.v3.GcpAuthnFilterConfig",
    .override_type = "envoy.extensions.filters.http.gcp_authn.v3.GcpAuthnFilterConfig",
    .guarded = XDS_GRFC | XDS_CORE | XDS_JAVA,
    .guard = XDS_ENV_GCP_AUTHENTICATION_FILTER,
    .server_guard = XDS_ENV_GCP_AUTHENTICATION_FILTER,
    .override_for = XDS_GRFC | XDS_JAVA,
    .on_clients = true,
    .config_words = "GCP auth filter config",
    .override_words = "GCP auth filter config",
    .read = read_config,
    .read_override = read_override,
};
