/*
 * route_readers.h - the readers of the parts of a RouteConfiguration.
 *
 * Who still looks at a route changes while it is read: where a client skips the route, or
 * stops after a fault, its bit leaves ctx->live and nothing that the client would read
 * later counts for it. The order of reading differs per client (spec listener 0.4), so
 * the functions that take bits out say whose and when. xds_route_read() restores
 * ctx->live after each route.
 */
#ifndef XDS_RULES_ROUTE_READERS_H
#define XDS_RULES_ROUTE_READERS_H

#include "base/strmap.h"
#include "rules/readers.h"

/* A name in RouteConfiguration.cluster_specifier_plugins: the value of the map `plugins`
 * below. */
struct xds_specifier_plugin {
    xds_readers known_to; /* those that find the name */
    xds_readers usable;   /* those for which routes that name it are kept */
    bool is_named;        /* by a route */
};

/* Checks the config of an RLS plugin for those that know the plugin. at: the path of its
 * typed_config; plugin: the path of the message inside that Any. */
void xds_route_lookup_config_check(struct xds_ctx *ctx, const struct xds_path *at,
                                   const struct xds_path *plugin, xds_readers who,
                                   const pb_route_lookup_config *pb);

/* The list of LB policies that a client makes of the config of an RLS plugin. */
const struct xds_tree *xds_route_lookup_policy(struct xds_arena *arena,
                                               const pb_route_lookup_config *pb);

void xds_virtual_host_read(struct xds_ctx *ctx, const struct xds_path *at,
                           const pb_virtual_host *pb, const struct xds_strmap *plugins,
                           struct xds_virtual_host *out);
void xds_route_read(struct xds_ctx *ctx, const struct xds_path *at, const pb_route *pb,
                    const struct xds_strmap *plugins, struct xds_route *out);
/* Note that these drop the route; the first reason stays. Returns who. */
xds_readers xds_route_skip(struct xds_route *route, xds_readers who, const char *reason);

/* xds_overrides_read() of a map as protobuf-c holds it: a list in any order. */
void xds_override_map_read(struct xds_ctx *ctx, const struct xds_path *at, size_t n,
                           struct xds_filter_config_entry *entries,
                           struct xds_overrides *out);
/* The same for the field itself: map is protobuf-c's array of n pointers to entries. */
void xds_typed_per_filter_config_read(struct xds_ctx *ctx, const struct xds_path *at,
                                      size_t n, const void *map,
                                      struct xds_overrides *out);

/* Fills route->match. Takes out of ctx->live who reads no more of the route. */
void xds_route_match_read(struct xds_ctx *ctx, const struct xds_path *at,
                          const pb_route_match *pb, struct xds_route *route);
/* Fills the action of the route. Takes out of ctx->live who does not read the route's
 * typed_per_filter_config then. */
void xds_route_action_read(struct xds_ctx *ctx, const struct xds_path *at,
                           const pb_route_action *pb, const struct xds_strmap *plugins,
                           struct xds_route *route);
/* at: the path of the route action. */
void xds_hash_policies_read(struct xds_ctx *ctx, const struct xds_path *at,
                            const pb_route_action *pb, struct xds_route *route);
void xds_weighted_clusters_read(struct xds_ctx *ctx, const struct xds_path *at,
                                const pb_weighted_cluster *pb, struct xds_route *route);
/* NULL when pb is. */
const struct xds_retry_policy *xds_retry_policy_read(struct xds_ctx *ctx,
                                                     const struct xds_path *at,
                                                     const pb_retry_policy *pb);

/* A string field of a message, copied into the model's arena. */
static inline struct xds_slice xds_text(struct xds_ctx *ctx, const char *text)
{
    return xds_arena_dup(ctx->arena, xds_slice_of(text));
}

#endif
