/*
 * leaf_facts.c - what the policies of a leaf read from its resources, not from their
 * JSON.
 *
 * Source: gRFC A32, A55, A74, A75, spec routing 8.2, 8.5 and 11.
 */
#include "config/lb_config.h"

struct xds_tree xds_override_host_status(struct xds_arena *arena,
                                         const struct xds_cluster *cluster)
{
    static const struct {
        enum xds_health health;
        const char *name;
    } names[] = {
        {XDS_HEALTH_UNKNOWN, "UNKNOWN"},
        {XDS_HEALTH_HEALTHY, "HEALTHY"},
        {XDS_HEALTH_DRAINING, "DRAINING"},
    };
    struct xds_tree out = xds_tree_array();

    for (size_t i = 0; i < XDS_ARRAY_LEN(names); i++)
        if (cluster->override_host_status & XDS_HEALTH_BIT(names[i].health))
            xds_tree_add(arena, &out, xds_tree_text(names[i].name));
    return out;
}

struct xds_tree xds_drop_categories(const struct xds_maker *maker,
                                    const struct xds_endpoints *endpoints)
{
    struct xds_arena *arena = maker->arena;
    struct xds_tree out = xds_tree_array();

    for (size_t i = 0; endpoints && i < endpoints->n_drops; i++) {
        struct xds_tree drop = xds_tree_object();

        xds_tree_put(arena, &drop, "category",
                     xds_tree_string(endpoints->drops[i].category));
        xds_tree_put(arena, &drop, maker->dialect->drop_share,
                     xds_tree_number(endpoints->drops[i].per_million));
        xds_tree_add(arena, &out, drop);
    }
    return out;
}

/* gRFC A32; which of several thresholds counts is not the same for all. */
bool xds_request_limit(const struct xds_maker *maker, const struct xds_cluster *cluster,
                       uint32_t *limit)
{
    *limit = cluster->max_requests[maker->client];
    return xds_env_on(maker->options, XDS_ENV_CIRCUIT_BREAKING, maker->client);
}

struct xds_tree xds_leaf_facts(const struct xds_maker *maker,
                               const struct xds_config_leaf *leaf)
{
    const struct xds_cluster *cluster = leaf->leaf.cluster;
    struct xds_arena *arena = maker->arena;
    struct xds_tree out = xds_tree_object();
    uint32_t limit;

    xds_tree_put(arena, &out, "cluster", xds_tree_string(leaf->leaf.name));
    if (!cluster)
        return out;
    if (xds_request_limit(maker, cluster, &limit))
        xds_tree_put(arena, &out, "max_requests", xds_tree_number(limit));
    xds_tree_put(arena, &out, "drops", xds_drop_categories(maker, leaf->endpoints));
    if (!maker->dialect->override_host)
        return out;
    xds_tree_put(arena, &out, "override_host_status",
                 xds_override_host_status(arena, cluster));
    xds_tree_put(arena, &out, "idle_timeout",
                 xds_tree_duration(arena, cluster->idle_timeout_ms / 1000,
                                   (int32_t)(cluster->idle_timeout_ms % 1000) * 1000000));
    return out;
}
