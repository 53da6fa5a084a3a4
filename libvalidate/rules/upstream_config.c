/*
 * upstream_config.c - the idle time-out of connections kept for session affinity.
 *
 * Source: spec cluster 1.11; gRFC A75.
 */
#include "rules/inner.h"

#define OPTIONS_TYPE                                                                     \
    envoy__extensions__upstreams__http__v3__http_protocol_options__descriptor

static void read_idle_timeout(struct xds_ctx *ctx, const struct xds_path *at,
                              const pb_duration *pb, struct xds_cluster *out)
{
    int64_t ns;

    if (!xds_duration_read(ctx, at, pb, XDS_EVERYONE, &ns))
        return;
    out->idle_timeout_seconds = pb->seconds;
    out->idle_timeout_nanos = pb->nanos;
}

void xds_upstream_config_read(struct xds_ctx *ctx, const pb_typed_extension_config *pb,
                              struct xds_cluster *out)
{
    const struct xds_path *at = XDS_AT(NULL, "upstream_config.typed_config");
    struct xds_extension extension;

    if (!pb)
        return;
    ctx = XDS_AMONG(ctx, ~xds_who(ctx, XDS_DIFF_UPSTREAM_CONFIG_UNREAD));
    if (!xds_extension_read(ctx, at, pb->typed_config, false, &extension))
        return;

    const pb_upstreams_http_protocol_options *options =
        (const pb_upstreams_http_protocol_options *)extension.message;

    if (!xds_slice_is(extension.type, OPTIONS_TYPE.name))
        xds_fire_with(ctx, extension.at, XDS_R_CLUSTER_UPSTREAM_TYPE,
                      XDS_WITH(extension.type));
    else if (!options || extension.typed_struct)
        xds_fire(ctx, extension.at, XDS_R_CLUSTER_UPSTREAM_UNDECODABLE);
    else if (options->common_http_protocol_options)
        read_idle_timeout(
            ctx, XDS_AT(extension.at, "common_http_protocol_options.idle_timeout"),
            options->common_http_protocol_options->idle_timeout, out);
}
