/*
 * weighted_cluster.c - turn envoy.config.route.v3.WeightedCluster into the model.
 *
 * Takes:  a decoded message.
 * Gives:  the weighted clusters of a route, in ctx->arena; entries of weight 0 stay.
 * Fires:  the rows of weighted_cluster.def, and those of overrides.
 * Source: spec 5 and 7.3.1, gRFC A28.
 */
#include "rules/route_readers.h"

static void read_overrides(struct xds_ctx *ctx, const struct xds_path *at,
                           const pb_weighted_cluster_cluster_weight *pb,
                           struct xds_weighted_cluster *out)
{
    const unsigned live = ctx->live;

    if (out->weight == 0)
        ctx->live &= ~XDS_GO; /* drops the entry before it looks (spec P19) */
    xds_typed_per_filter_config_read(ctx, at, pb->n_typed_per_filter_config,
                                     pb->typed_per_filter_config, &out->overrides);
    ctx->live = live;
}

static void read_entry(struct xds_ctx *ctx, const struct xds_path *at,
                       const pb_weighted_cluster_cluster_weight *pb,
                       struct xds_weighted_cluster *out)
{
    const struct xds_path *weight = XDS_AT(at, "weight");

    out->name = xds_text(ctx, pb->name);
    out->weight = pb->weight ? pb->weight->value : 0;
    if (out->name.len == 0)
        xds_fire(ctx, XDS_AT(at, "name"), XDS_R_WEIGHTED_NAME_EMPTY, "must be non-empty");
    if (!pb->weight)
        xds_fire(ctx, weight, XDS_R_WEIGHTED_WEIGHT_ABSENT, "field not present");
    else if (out->weight == 0)
        xds_fire(ctx, weight, XDS_R_WEIGHTED_WEIGHT_ZERO, "weight is 0");
    read_overrides(ctx, at, pb, out);
}

static bool lacks_a_weight(const pb_weighted_cluster *pb)
{
    for (size_t i = 0; i < pb->n_clusters; i++)
        if (!pb->clusters[i]->weight)
            return true;
    return false;
}

static uint64_t sum_of(const struct xds_weighted_cluster *clusters, size_t n)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += clusters[i].weight;
    return sum;
}

/* core counts entries, not weights, and so lets one without a weight pass as valid. */
static void check_sum(struct xds_ctx *ctx, const struct xds_path *at,
                      const pb_weighted_cluster *pb, uint64_t sum)
{
    if (pb->n_clusters == 0) {
        xds_fire(ctx, at, XDS_R_WEIGHTED_CLUSTERS_EMPTY, "no valid clusters specified");
    } else if (sum == 0) {
        const unsigned counting = lacks_a_weight(pb) ? XDS_GRFC | XDS_CORE : 0;
        xds_fire_for(ctx, at, XDS_ALL_CLIENTS & ~counting, XDS_R_WEIGHTED_SUM_ZERO,
                     "no valid clusters specified");
    } else if (sum > UINT32_MAX) {
        xds_fire(ctx, at, XDS_R_WEIGHTED_SUM_TOO_LARGE,
                 "sum of cluster weights exceeds uint32 max");
    } else if (pb->total_weight && pb->total_weight->value != sum) {
        xds_fire(ctx, XDS_AT(at, "total_weight"), XDS_R_WEIGHTED_TOTAL_WEIGHT,
                 "weights sum to %u, not to total_weight %u", (unsigned)sum,
                 (unsigned)pb->total_weight->value);
    }
}

void xds_weighted_clusters_read(struct xds_ctx *ctx, const struct xds_path *at,
                                const pb_weighted_cluster *pb, struct xds_route *route)
{
    struct xds_weighted_cluster *clusters =
        XDS_NEW_ARRAY(ctx->arena, struct xds_weighted_cluster, pb->n_clusters);

    route->action = XDS_ACTION_WEIGHTED;
    for (size_t i = 0; i < pb->n_clusters; i++)
        read_entry(ctx, XDS_AT_I(at, "clusters", i), pb->clusters[i], &clusters[i]);
    route->weighted = clusters;
    route->n_weighted = pb->n_clusters;
    check_sum(ctx, at, pb, sum_of(clusters, pb->n_clusters));
}
