/*
 * cluster_aggregate.c - what makes an aggregate Cluster.
 *
 * Takes:  the whole Cluster; only cluster_type is looked at.
 * Gives:  kind and children of the model, in list order.
 * Fires:  the CLUSTER_AGGREGATE_ and CLUSTER_CUSTOM_ rows of cluster.def.
 * Source: spec cluster 1.4; gRFC A37.
 */
#include "decode/wire.h"
#include "rules/cluster_readers.h"

#define CONFIG_TYPE "envoy.extensions.clusters.aggregate.v3.ClusterConfig"
#define URL_PREFIX "type.googleapis.com/"

static const pb_cluster_config *config_of(const pb_any *any)
{
    return xds_any_message(
        any, &envoy__extensions__clusters__aggregate__v3__cluster_config__descriptor);
}

static struct xds_slice bytes_of(struct xds_arena *arena, const pb_any *any)
{
    const ProtobufCMessage *message = xds_any_of(any)->message;

    if (!message)
        return xds_slice_make((const char *)any->value.data, any->value.len);
    uint8_t *bytes = xds_arena_alloc(arena, protobuf_c_message_get_packed_size(message));
    return xds_slice_make((const char *)bytes, protobuf_c_message_pack(message, bytes));
}

/* go never looks at the type_url: whatever stands there, the bytes are a ClusterConfig.
 */
static bool bytes_name_clusters(struct xds_arena *arena, const pb_any *any)
{
    struct xds_any read;

    xds_decode_any(arena, XDS_S(URL_PREFIX CONFIG_TYPE), bytes_of(arena, any), &read,
                   NULL);
    const pb_cluster_config *config = config_of(&read.pb);
    return config && config->n_clusters > 0;
}

/* Clients that do not take the type_url. */
static unsigned foreign_to(struct xds_arena *arena, const pb_any *any)
{
    const struct xds_slice url = xds_slice_of(any->type_url);

    if (xds_slice_is(url, URL_PREFIX CONFIG_TYPE))
        return 0;
    if (xds_slice_is(url, CONFIG_TYPE)) /* core takes the prefix off where it is */
        return XDS_JAVA | XDS_NODE;
    if (xds_slice_is(xds_any_of(any)->type, CONFIG_TYPE))
        return XDS_GRFC | XDS_CORE | XDS_NODE;
    return bytes_name_clusters(arena, any) ? XDS_ALL_CLIENTS & ~XDS_GO : XDS_ALL_CLIENTS;
}

static struct xds_slice without_prefix(struct xds_slice url)
{
    const struct xds_slice prefix = XDS_S(URL_PREFIX);

    return xds_slice_starts(url, prefix) ? xds_slice_from(url, prefix.len) : url;
}

static void read_children(struct xds_ctx *ctx, const pb_cluster_config *pb,
                          struct xds_cluster *out)
{
    struct xds_slice *children =
        XDS_NEW_ARRAY(ctx->arena, struct xds_slice, pb->n_clusters);

    for (size_t i = 0; i < pb->n_clusters; i++)
        children[i] = xds_arena_dup(ctx->arena, xds_slice_of(pb->clusters[i]));
    out->children = children;
    out->n_children = pb->n_clusters;
}

static void read_config(struct xds_ctx *ctx, const pb_any *any, struct xds_cluster *out)
{
    const struct xds_path *at = XDS_AT(NULL, "cluster_type.typed_config");
    const unsigned refuse = foreign_to(ctx->arena, any);
    const struct xds_slice url = without_prefix(xds_slice_of(any->type_url));

    if (refuse)
        xds_fire_for(ctx, XDS_AT(at, "type_url"), refuse, XDS_R_CLUSTER_CUSTOM_TYPE,
                     "unknown cluster_type extension: %.*s", XDS_FMT(url));
    if (!xds_slice_is(xds_any_of(any)->type, CONFIG_TYPE))
        return;

    const struct xds_path *value = XDS_AT_VALUE(at, XDS_S(CONFIG_TYPE));
    const pb_cluster_config *config = config_of(any);

    if (!config) {
        xds_fire(ctx, value, XDS_R_CLUSTER_AGGREGATE_UNDECODABLE,
                 "can't parse aggregate cluster config");
        return;
    }
    if (config->n_clusters == 0)
        xds_fire(ctx, XDS_AT(value, "clusters"), XDS_R_CLUSTER_AGGREGATE_EMPTY,
                 "must be non-empty");
    read_children(ctx, config, out);
}

void xds_cluster_aggregate_read(struct xds_ctx *ctx, const pb_cluster *pb,
                                struct xds_cluster *out)
{
    const pb_cluster_custom_cluster_type *type = pb->cluster_type;

    out->kind = XDS_CLUSTER_AGGREGATE;
    if (strcmp(type->name, "envoy.clusters.aggregate") != 0)
        xds_fire(ctx, XDS_AT(NULL, "cluster_type.name"), XDS_R_CLUSTER_CUSTOM_NAME,
                 "unsupported custom cluster type: %s", type->name);
    if (!type->typed_config) {
        xds_fire(ctx, XDS_AT(NULL, "cluster_type.typed_config"),
                 XDS_R_CLUSTER_AGGREGATE_NO_CONFIG, "field not present");
        return;
    }
    read_config(ctx, type->typed_config, out);
}
