/*
 * route_action.c - turn envoy.config.route.v3.RouteAction into the model.
 *
 * Takes:  a decoded message and the cluster specifier plugins of its configuration.
 * Gives:  the action of a route, in ctx->arena, and who skips the route because of its
 *         cluster specifier.
 * Fires:  the rows of route_action.def, and those of hash policies, weighted clusters,
 *         retry policy and durations.
 * Source: spec 0.4, 7.3 and 7.3.2, gRFC A28, A31, A81.
 */
#include "rules/route_readers.h"

#define PB_SPECIFIER(name)                                                               \
    ENVOY__CONFIG__ROUTE__V3__ROUTE_ACTION__CLUSTER_SPECIFIER_##name
#define PB_REWRITE(name)                                                                 \
    ENVOY__CONFIG__ROUTE__V3__ROUTE_ACTION__HOST_REWRITE_SPECIFIER_##name

/* grpc_timeout_header_max hides max_stream_duration, which is then not even checked. */
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
    xds_duration_read(ctx, XDS_AT(at, field), duration, XDS_GRFC | XDS_CORE | XDS_JAVA,
                      &route->timeout_ns);
}

static bool wants_auto_host_rewrite(const pb_route_action *pb)
{
    return pb->host_rewrite_specifier_case == PB_REWRITE(AUTO_HOST_REWRITE) &&
           pb->auto_host_rewrite->value;
}

static void read_cluster(struct xds_ctx *ctx, const struct xds_path *at, const char *name,
                         struct xds_route *route)
{
    route->action = XDS_ACTION_CLUSTER;
    route->cluster = xds_text(ctx, name);
    if (*name == '\0')
        xds_fire(ctx, at, XDS_R_ACTION_CLUSTER_EMPTY, "must be non-empty");
}

/* The clients that find no plugin of this name. core refuses the empty name first. */
static unsigned plugin_unknown_to(struct xds_ctx *ctx, const struct xds_path *at,
                                  const char *name,
                                  const struct xds_specifier_plugin *plugin,
                                  unsigned readers)
{
    unsigned unknown_to = readers & ~plugin->known_to;

    if (*name == '\0') {
        xds_fire_for(ctx, at, readers, XDS_R_ACTION_PLUGIN_EMPTY, "must be non-empty");
        unknown_to &= ~(XDS_GRFC | XDS_CORE);
    }
    if (unknown_to)
        xds_fire_for(ctx, at, unknown_to, XDS_R_ACTION_PLUGIN_UNKNOWN,
                     "unknown cluster specifier plugin name \"%s\"", name);
    return *name == '\0' ? unknown_to | XDS_GRFC | XDS_CORE : unknown_to;
}

/* Returns who looks no further at the route: those that skip or reject it here. */
static unsigned read_plugin(struct xds_ctx *ctx, const struct xds_path *at,
                            const char *name, const struct xds_strmap *plugins,
                            struct xds_route *route)
{
    struct xds_specifier_plugin none = {0};
    struct xds_specifier_plugin *plugin = xds_strmap_get(plugins, xds_slice_of(name));
    const unsigned readers = xds_specifier_plugin_readers(ctx);
    const unsigned blind = XDS_ALL_CLIENTS & ~readers;

    route->action = XDS_ACTION_PLUGIN;
    route->cluster = xds_text(ctx, name);
    if (!plugin)
        plugin = &none;
    plugin->is_named = true;
    xds_fire_for(ctx, at, blind, XDS_R_ACTION_PLUGIN_NOT_READ,
                 "cluster specifier plugins are not supported");
    const unsigned unknown_to = plugin_unknown_to(ctx, at, name, plugin, readers);
    const unsigned unusable = readers & ~unknown_to & ~plugin->usable;
    if (unusable)
        xds_fire_for(ctx, at, unusable, XDS_R_ACTION_PLUGIN_UNSUPPORTED,
                     "cluster specifier plugin \"%s\" is not supported", name);

    const unsigned skipping = ctx->live & (unusable | (blind & ~XDS_NODE));
    return unknown_to |
           xds_route_skip(route, skipping, "unsupported cluster specifier plugin");
}

/* Cluster specifiers that gRPC has no use for; the first row is that of none at all. */
static const struct useless {
    unsigned arm;
    const char *field;
    enum xds_rule_id rule;
    const char *reason;
} useless[] = {
    {0, NULL, XDS_R_ACTION_NO_SPECIFIER, "no cluster specifier"},
    {PB_SPECIFIER(CLUSTER_HEADER), "cluster_header", XDS_R_ACTION_CLUSTER_HEADER,
     "cluster_header is not supported"},
    {PB_SPECIFIER(INLINE_CLUSTER_SPECIFIER_PLUGIN), "inline_cluster_specifier_plugin",
     XDS_R_ACTION_INLINE_PLUGIN, "inline_cluster_specifier_plugin is not supported"},
};

static unsigned read_useless(struct xds_ctx *ctx, const struct xds_path *at,
                             const pb_route_action *pb, struct xds_route *route)
{
    const struct useless *row = useless;

    for (size_t i = 0; i < XDS_ARRAY_LEN(useless); i++)
        if (useless[i].arm == (unsigned)pb->cluster_specifier_case)
            row = &useless[i];
    const struct xds_path *specifier = XDS_AT(at, row->field);
    route->action = XDS_ACTION_NO_SPECIFIER;
    route->action_field = row->field ? row->field : "cluster_specifier";
    const unsigned skipped =
        xds_fire_skip(ctx, row->field ? specifier : at, row->rule, "%s", row->reason);
    return xds_route_skip(route, skipped, row->reason);
}

/* Returns who looks no further at the route. */
static unsigned read_specifier(struct xds_ctx *ctx, const struct xds_path *at,
                               const pb_route_action *pb,
                               const struct xds_strmap *plugins, struct xds_route *route)
{
    if (pb->cluster_specifier_case == PB_SPECIFIER(CLUSTER)) {
        route->action_field = "cluster";
        read_cluster(ctx, XDS_AT(at, "cluster"), pb->cluster, route);
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
                           pb->cluster_specifier_plugin, plugins, route);
    }
    return read_useless(ctx, at, pb, route);
}

void xds_route_action_read(struct xds_ctx *ctx, const struct xds_path *at,
                           const pb_route_action *pb, const struct xds_strmap *plugins,
                           struct xds_route *route)
{
    const unsigned live = ctx->live;

    read_timeout(ctx, XDS_AT(at, "max_stream_duration"), pb->max_stream_duration, route);
    xds_hash_policies_read(ctx, at, pb, route);
    route->auto_host_rewrite = wants_auto_host_rewrite(pb);
    const unsigned stopped = read_specifier(ctx, at, pb, plugins, route);

    /* go reads the retry policy behind the cluster specifier, the others before it. */
    ctx->live = live & ~(stopped & XDS_GO);
    route->retry_policy =
        xds_retry_policy_read(ctx, XDS_AT(at, "retry_policy"), pb->retry_policy);

    /* java has read the overrides by now, and node reads all that there is. */
    ctx->live = live & ~(stopped & ~(XDS_JAVA | XDS_NODE));
}
