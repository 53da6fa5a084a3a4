/*
 * weighted_cluster.c - envoy.config.route.v3.WeightedCluster.
 *
 * Source: gRFC A28, spec listener 5, 7.3.1.
 */
#include "rules/route_readers.h"

static void read_entry(struct xds_ctx *ctx, const struct xds_path *at,
                       const pb_weighted_cluster_cluster_weight *pb,
                       struct xds_weighted_cluster *out)
{
    const xds_readers live = ctx->live;

    out->name = xds_text(ctx, pb->name);
    out->weight = pb->weight ? pb->weight->value : 0;
    if (out->name.len == 0)
        xds_fire(ctx, at, XDS_R_WEIGHTED_NAME_EMPTY);
    if (!pb->weight)
        xds_fire_with(ctx, at, XDS_R_WEIGHTED_WEIGHT_ABSENT, XDS_WITH(out->name));
    else if (out->weight == 0)
        xds_fire_with(ctx, at, XDS_R_WEIGHTED_WEIGHT_ZERO, XDS_WITH(out->name));
    if (out->weight == 0)
        ctx->live &= ~xds_who(ctx, XDS_DIFF_WEIGHT_ZERO_OVERRIDES);
    xds_typed_per_filter_config_read(ctx, at, pb->n_typed_per_filter_config,
                                     pb->typed_per_filter_config, &out->overrides);
    ctx->live = live;
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

/* Weights from 2^31 on are negative. */
static int64_t signed_sum_of(const struct xds_weighted_cluster *clusters, size_t n)
{
    int64_t sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += (int32_t)clusters[i].weight;
    return sum;
}

static void check_total(struct xds_ctx *ctx, const struct xds_path *at,
                        const pb_weighted_cluster *pb, uint64_t sum)
{
    const uint32_t total = pb->total_weight ? pb->total_weight->value : 100;

    if (total != sum)
        xds_fire_for(ctx, at,
                     pb->total_weight ? XDS_EVERYONE
                                      : xds_who(ctx, XDS_DIFF_TOTAL_WEIGHT_IS_100),
                     XDS_R_WEIGHTED_TOTAL_WEIGHT,
                     XDS_WITH(xds_number(ctx, (int64_t)sum), xds_number(ctx, total)));
}

/* core counts entries, not weights, and so one without a weight counts as valid. */
static xds_readers without_weight(const struct xds_ctx *ctx,
                                  const pb_weighted_cluster *pb)
{
    return lacks_a_weight(pb) ? xds_who(ctx, XDS_DIFF_WEIGHT_ABSENT_IS_ZERO)
                              : XDS_EVERYONE;
}

static void check_sum(struct xds_ctx *ctx, const struct xds_path *at,
                      const pb_weighted_cluster *pb, const struct xds_route *route)
{
    const uint64_t sum = sum_of(route->weighted, route->n_weighted);
    const int64_t signed_sum = signed_sum_of(route->weighted, route->n_weighted);
    const xds_readers with_sign = xds_who(ctx, XDS_DIFF_WEIGHT_SIGNED);

    if (pb->n_clusters == 0)
        xds_fire(ctx, at, XDS_R_WEIGHTED_CLUSTERS_EMPTY);
    else if (signed_sum <= 0)
        xds_fire_for(ctx, at, sum == 0 ? without_weight(ctx, pb) : with_sign,
                     XDS_R_WEIGHTED_SUM_ZERO, XDS_WITH(xds_number(ctx, signed_sum)));
    if (sum > UINT32_MAX)
        xds_fire_for(ctx, at, signed_sum > UINT32_MAX ? XDS_EVERYONE : ~with_sign,
                     XDS_R_WEIGHTED_SUM_TOO_LARGE,
                     XDS_WITH(xds_number(ctx, (int64_t)sum)));
    else if (sum > 0)
        check_total(ctx, at, pb, sum);
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
    check_sum(ctx, at, pb, route);
}
