/*
 * cluster_aggregate.c - an aggregate Cluster.
 *
 * Source: spec cluster 1.4; gRFC A37.
 */
#include "decode/wire.h"
#include "rules/cluster_readers.h"

#define CONFIG_TYPE "envoy.extensions.clusters.aggregate.v3.ClusterConfig"
#define TYPE_V2 "envoy.config.cluster.aggregate.v2alpha.ClusterConfig"
#define URL_PREFIX "type.googleapis.com/"

static const pb_cluster_config *config_of(const pb_any *any)
{
    return xds_any_message(
        any, &envoy__extensions__clusters__aggregate__v3__cluster_config__descriptor);
}

/* What the bytes are as a ClusterConfig, whatever the type_url; or NULL. */
static const pb_cluster_config *config_of_bytes(struct xds_arena *arena,
                                                const pb_any *any)
{
    const ProtobufCMessage *message = xds_any_of(any)->message;
    struct xds_slice bytes = {(const char *)any->value.data, any->value.len};
    struct xds_any read;

    if (xds_any_of(any)->wire.data) {
        bytes = xds_any_of(any)->wire;
    } else if (message) {
        uint8_t *packed =
            xds_arena_alloc(arena, protobuf_c_message_get_packed_size(message));

        bytes = xds_slice_make((const char *)packed,
                               protobuf_c_message_pack(message, packed));
    }
    xds_decode_any(arena, 0, XDS_S(URL_PREFIX CONFIG_TYPE), bytes, &read, NULL);
    return config_of(&read.pb);
}

static void check_clusters(struct xds_ctx *ctx, const struct xds_path *at,
                           xds_readers readers, const pb_cluster_config *config)
{
    if (config->n_clusters == 0)
        xds_fire_for(ctx, at, readers, XDS_R_CLUSTER_AGGREGATE_EMPTY, NULL);
}

/* The readers that do not accept the type_url, or the bytes of another type. */
static xds_readers refused_by(struct xds_ctx *ctx, const struct xds_path *at,
                              const pb_any *any)
{
    const xds_readers by_bytes = xds_who(ctx, XDS_DIFF_AGGREGATE_TYPE_IGNORED);
    const struct xds_slice url = xds_slice_of(any->type_url);
    const pb_cluster_config *config;

    if (xds_slice_is(url, URL_PREFIX CONFIG_TYPE))
        return 0;
    if (xds_slice_is(url, CONFIG_TYPE))
        return xds_who(ctx, XDS_DIFF_AGGREGATE_TYPE_BARE);
    if (xds_slice_is(xds_any_of(any)->type, CONFIG_TYPE))
        return ~(by_bytes | xds_who(ctx, XDS_DIFF_AGGREGATE_TYPE_PREFIX));
    config = config_of_bytes(ctx->arena, any);
    if (!config)
        return XDS_EVERYONE;
    check_clusters(ctx, at, by_bytes, config);
    return ~(by_bytes | (xds_slice_is(url, URL_PREFIX TYPE_V2)
                             ? xds_who(ctx, XDS_DIFF_AGGREGATE_TYPE_V2)
                             : 0));
}

static void read_config(struct xds_ctx *ctx, const struct xds_path *at, const pb_any *any,
                        struct xds_cluster *out)
{
    const struct xds_slice url = xds_slice_of(any->type_url), prefix = XDS_S(URL_PREFIX);
    const bool has_prefix = xds_slice_starts(url, prefix);

    xds_fire_for(ctx, at, refused_by(ctx, at, any), XDS_R_CLUSTER_CUSTOM_TYPE,
                 XDS_WITH(url, has_prefix ? xds_slice_from(url, prefix.len) : url));
    if (!xds_slice_is(xds_any_of(any)->type, CONFIG_TYPE))
        return;

    const struct xds_path *value = XDS_AT_VALUE(at, XDS_S(CONFIG_TYPE));
    const pb_cluster_config *config = config_of(any);

    if (!config) {
        xds_fire(ctx, value, XDS_R_CLUSTER_AGGREGATE_UNDECODABLE);
        return;
    }
    check_clusters(ctx, value, XDS_EVERYONE, config);

    struct xds_slice *children =
        XDS_NEW_ARRAY(ctx->arena, struct xds_slice, config->n_clusters);

    for (size_t i = 0; i < config->n_clusters; i++)
        children[i] = xds_arena_dup(ctx->arena, xds_slice_of(config->clusters[i]));
    out->children = children;
    out->n_children = config->n_clusters;
}

void xds_cluster_aggregate_read(struct xds_ctx *ctx, const pb_cluster *pb,
                                struct xds_cluster *out)
{
    const pb_cluster_custom_cluster_type *type = pb->cluster_type;
    const struct xds_path *at = XDS_AT(NULL, "cluster_type");

    out->kind = XDS_CLUSTER_AGGREGATE;
    if (strcmp(type->name, "envoy.clusters.aggregate") != 0)
        xds_fire_with(ctx, at, XDS_R_CLUSTER_CUSTOM_NAME,
                      XDS_WITH(xds_slice_of(type->name)));
    if (type->typed_config)
        read_config(ctx, XDS_AT(at, "typed_config"), type->typed_config, out);
    else
        xds_fire(ctx, at, XDS_R_CLUSTER_AGGREGATE_NO_CONFIG);
}
