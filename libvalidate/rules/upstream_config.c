/*
 * upstream_config.c - the idle time-out of connections kept for session affinity.
 *
 * Takes:  Cluster.upstream_config, NULL when it was not set.
 * Gives:  idle_timeout_ms of the model, whole milliseconds.
 * Fires:  the CLUSTER_UPSTREAM_ rows of cluster.def, those of any.def and duration.def.
 * Source: spec cluster 1.11; gRFC A75.
 */
#include "rules/cluster_readers.h"

#define OPTIONS_TYPE                                                                     \
    envoy__extensions__upstreams__http__v3__http_protocol_options__descriptor

static void read_options(struct xds_ctx *ctx, const struct xds_path *at,
                         const pb_upstream_http_protocol_options *pb,
                         struct xds_cluster *out)
{
    const pb_http_protocol_options *common = pb->common_http_protocol_options;
    int64_t ns;

    if (common &&
        xds_duration_read(ctx, XDS_AT(at, "common_http_protocol_options.idle_timeout"),
                          common->idle_timeout, XDS_GRFC | XDS_CORE, &ns))
        out->idle_timeout_ms = ns / 1000000;
}

static void read_extension(struct xds_ctx *ctx, const struct xds_extension *extension,
                           struct xds_cluster *out)
{
    if (!xds_slice_is(extension->type, OPTIONS_TYPE.name)) {
        xds_fire(ctx, XDS_AT(extension->at, "type_url"), XDS_R_CLUSTER_UPSTREAM_TYPE,
                 "unsupported upstream config type");
        return;
    }
    if (!extension->message || extension->typed_struct) {
        xds_fire(ctx, extension->at, XDS_R_CLUSTER_UPSTREAM_UNDECODABLE,
                 "can't decode HttpProtocolOptions");
        return;
    }
    read_options(ctx, extension->at,
                 (const pb_upstream_http_protocol_options *)extension->message, out);
}

void xds_upstream_config_read(struct xds_ctx *ctx, const pb_typed_extension_config *pb,
                              struct xds_cluster *out)
{
    const struct xds_path *at = XDS_AT(NULL, "upstream_config.typed_config");
    const unsigned live = ctx->live;
    struct xds_extension extension;

    if (!pb)
        return;
    ctx->live &= XDS_GRFC | XDS_CORE;
    if (xds_extension_read(ctx, at, pb->typed_config, false, &extension))
        read_extension(ctx, &extension, out);
    ctx->live = live;
}
