/*
 * route_action.c - envoy.config.route.v3.RouteAction.
 *
 * Source: gRFC A28, A31, A81, spec listener 0.4, 7.3, 7.3.2.
 */
#include "rules/route_readers.h"

#define PB_SPECIFIER(name)                                                               \
    ENVOY__CONFIG__ROUTE__V3__ROUTE_ACTION__CLUSTER_SPECIFIER_##name
#define PB_REWRITE(name)                                                                 \
    ENVOY__CONFIG__ROUTE__V3__ROUTE_ACTION__HOST_REWRITE_SPECIFIER_##name

/* With grpc_timeout_header_max, max_stream_duration is not even checked. */
static void read_timeout(struct xds_ctx *ctx, const struct xds_path *at,
                         const pb_route_action_max_stream_duration *pb,
                         struct xds_route *route)
{
    const char *field = "grpc_timeout_header_max";
    const pb_duration *duration = pb ? pb->grpc_timeout_header_max : NULL;

    if (pb && !duration) {
        field = "max_stream_duration";
        duration = pb->max_stream_duration;
    }
    route->has_timeout = duration != NULL;
    route->timeout_field = duration ? field : NULL;
    xds_duration_read(ctx, XDS_AT(at, field), duration, XDS_EVERYONE, &route->timeout_ns);
}

static bool wants_auto_host_rewrite(const pb_route_action *pb)
{
    return pb->host_rewrite_specifier_case == PB_REWRITE(AUTO_HOST_REWRITE) &&
           pb->auto_host_rewrite->value;
}

/* The readers that find no plugin of this name, those that reject an empty one before
 * they look it up among them. */
static xds_readers plugin_unknown_to(struct xds_ctx *ctx, const struct xds_path *at,
                                     struct xds_slice name,
                                     const struct xds_specifier_plugin *plugin,
                                     xds_readers reading)
{
    const xds_readers strict =
        name.len == 0 ? ~xds_who(ctx, XDS_DIFF_PLUGIN_NAME_EMPTY) : 0;
    const xds_readers unknown_to = reading & ~plugin->known_to & ~strict;

    if (strict)
        xds_fire_for(ctx, at, reading, XDS_R_ACTION_PLUGIN_EMPTY, NULL);
    if (unknown_to)
        xds_fire_for(ctx, at, unknown_to, XDS_R_ACTION_PLUGIN_UNKNOWN, XDS_WITH(name));
    return unknown_to | strict;
}

/* Returns who reads no more of the route: those that skip or reject it here. */
static xds_readers read_plugin(struct xds_ctx *ctx, const struct xds_path *at,
                               struct xds_slice name, const struct xds_strmap *plugins,
                               struct xds_route *route)
{
    const xds_readers live = ctx->live, reading = xds_guarded_by(ctx, XDS_ENV_RLS_LB);
    struct xds_specifier_plugin none = {0};
    struct xds_specifier_plugin *plugin = xds_strmap_get(plugins, name);

    route->action = XDS_ACTION_PLUGIN;
    route->cluster = name;
    if (!plugin)
        plugin = &none;
    plugin->is_named = true;
    ctx->live = live & ~reading;
    xds_readers skipping =
        xds_fire_skip(ctx, at, XDS_R_ACTION_PLUGIN_NOT_READ, XDS_WITH(name));
    ctx->live = live;
    const xds_readers unknown_to = plugin_unknown_to(ctx, at, name, plugin, reading);
    ctx->live = live & reading & ~unknown_to & ~plugin->usable;
    if (ctx->live)
        skipping |=
            xds_fire_skip(ctx, at, XDS_R_ACTION_PLUGIN_UNSUPPORTED, XDS_WITH(name));
    ctx->live = live;
    return unknown_to |
           xds_route_skip(route, skipping, "unsupported cluster specifier plugin");
}

/* Cluster specifiers that gRPC cannot use; the first row is that of none at all. */
static const struct useless {
    unsigned arm;
    const char *field;
    enum xds_rule_id rule;
    const char *reason;
} useless[] = {
    {0, "cluster_specifier", XDS_R_ACTION_NO_SPECIFIER, "no cluster specifier"},
    {PB_SPECIFIER(CLUSTER_HEADER), "cluster_header", XDS_R_ACTION_CLUSTER_HEADER,
     "cluster_header is not supported"},
    {PB_SPECIFIER(INLINE_CLUSTER_SPECIFIER_PLUGIN), "inline_cluster_specifier_plugin",
     XDS_R_ACTION_INLINE_PLUGIN, "inline_cluster_specifier_plugin is not supported"},
};

static xds_readers read_useless(struct xds_ctx *ctx, const struct xds_path *at,
                                const pb_route_action *pb, struct xds_route *route)
{
    const struct useless *row = useless;

    for (size_t i = 0; i < XDS_ARRAY_LEN(useless); i++)
        if (useless[i].arm == (unsigned)pb->cluster_specifier_case)
            row = &useless[i];
    route->action = XDS_ACTION_NO_SPECIFIER;
    route->action_field = row->field;
    return xds_route_skip(route, xds_fire_skip(ctx, at, row->rule, NULL), row->reason);
}

/* Returns who reads no more of the route. */
static xds_readers read_specifier(struct xds_ctx *ctx, const struct xds_path *at,
                                  const pb_route_action *pb,
                                  const struct xds_strmap *plugins,
                                  struct xds_route *route)
{
    if (pb->cluster_specifier_case == PB_SPECIFIER(CLUSTER)) {
        route->action_field = "cluster";
        route->action = XDS_ACTION_CLUSTER;
        route->cluster = xds_text(ctx, pb->cluster);
        if (route->cluster.len == 0)
            xds_fire(ctx, at, XDS_R_ACTION_CLUSTER_EMPTY);
        return 0;
    }
    if (pb->cluster_specifier_case == PB_SPECIFIER(WEIGHTED_CLUSTERS)) {
        route->action_field = "weighted_clusters";
        xds_weighted_clusters_read(ctx, XDS_AT(at, "weighted_clusters"),
                                   pb->weighted_clusters, route);
        return 0;
    }
    if (pb->cluster_specifier_case == PB_SPECIFIER(CLUSTER_SPECIFIER_PLUGIN)) {
        route->action_field = "cluster_specifier_plugin";
        return read_plugin(ctx, XDS_AT(at, "cluster_specifier_plugin"),
                           xds_text(ctx, pb->cluster_specifier_plugin), plugins, route);
    }
    return read_useless(ctx, at, pb, route);
}

void xds_route_action_read(struct xds_ctx *ctx, const struct xds_path *at,
                           const pb_route_action *pb, const struct xds_strmap *plugins,
                           struct xds_route *route)
{
    const xds_readers live = ctx->live;

    read_timeout(ctx, XDS_AT(at, "max_stream_duration"), pb->max_stream_duration, route);
    xds_hash_policies_read(ctx, at, pb, route);
    route->auto_host_rewrite = wants_auto_host_rewrite(pb);
    const xds_readers stopped = read_specifier(ctx, at, pb, plugins, route);

    ctx->live = live & ~(stopped & xds_who(ctx, XDS_DIFF_RETRY_AFTER_SPECIFIER));
    route->retry_policy =
        xds_retry_policy_read(ctx, XDS_AT(at, "retry_policy"), pb->retry_policy);

    ctx->live = live & ~(stopped & ~xds_who(ctx, XDS_DIFF_OVERRIDES_OF_DROPPED_ROUTE));
}
