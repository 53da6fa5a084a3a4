/*
 * client_side_weighted_round_robin.c - the ClientSideWeightedRoundRobin LB policy.
 *
 * Source: spec cluster 1.6.1, 1.7; gRFC A58, A114.
 */
#include <float.h>

#include "base/number.h"
#include "rules/lb_policy/lb_policy.h"

static void check_period(struct xds_ctx *ctx, const struct xds_path *at,
                         const pb_duration *pb)
{
    int64_t ns;

    if (pb && !xds_duration_is_valid(pb)) /* a negative one is */
        xds_fire_with(ctx, at, XDS_R_LB_WRR_PERIOD,
                      XDS_WITH(xds_number(ctx, pb->seconds), xds_number(ctx, pb->nanos)));
    (void)xds_duration_read(ctx, at, pb, ~xds_who(ctx, XDS_DIFF_DURATION_OVERFLOW), &ns);
}

/* The names go into the JSON as they are, and its parser rejects unknown ones. */
static struct xds_tree config_of(struct xds_arena *arena, size_t n, char *const *names)
{
    struct xds_tree list = xds_tree_array();

    for (size_t i = 0; i < n; i++)
        xds_tree_add(arena, &list, xds_tree_text(names[i]));
    return xds_tree_pair(arena, "metricNamesForComputingUtilization", list);
}

/* The decimal number of at most nine digits after the point that is this float. */
static double decimal_of(float value)
{
    double scale = 1;

    for (int digits = 0; digits <= 9; digits++, scale *= 10) {
        const double rounded = xds_floor((double)value * scale + 0.5) / scale;

        if ((float)rounded == value)
            return rounded;
    }
    return (double)value;
}

static void put_period(struct xds_arena *arena, struct xds_tree *config, const char *key,
                       const pb_duration *pb)
{
    if (pb)
        xds_tree_put(arena, config, key,
                     xds_tree_duration(arena, pb->seconds, pb->nanos));
}

static const struct xds_tree *json_of(struct xds_arena *arena,
                                      const pb_client_side_weighted_round_robin *pb)
{
    struct xds_tree *config = XDS_NEW(arena, struct xds_tree);

    *config = xds_tree_object();
    if (pb->enable_oob_load_report)
        xds_tree_put(arena, config, "enableOobLoadReport",
                     xds_tree_bool(pb->enable_oob_load_report->value));
    put_period(arena, config, "oobReportingPeriod", pb->oob_reporting_period);
    put_period(arena, config, "blackoutPeriod", pb->blackout_period);
    put_period(arena, config, "weightUpdatePeriod", pb->weight_update_period);
    put_period(arena, config, "weightExpirationPeriod", pb->weight_expiration_period);
    if (pb->error_utilization_penalty)
        xds_tree_put(arena, config, "errorUtilizationPenalty",
                     xds_tree_number(decimal_of(pb->error_utilization_penalty->value)));

    const struct xds_tree metrics =
        config_of(arena, pb->n_metric_names_for_computing_utilization,
                  pb->metric_names_for_computing_utilization);

    if (pb->n_metric_names_for_computing_utilization > 0)
        xds_tree_put_key(arena, config, metrics.items[0].key,
                         xds_tree_copy(arena, &metrics.items[0]));
    return config;
}

static void read_wrr(const struct xds_lb_walk *walk, const struct xds_path *at,
                     const ProtobufCMessage *message, struct xds_lb_policy *out)
{
    const pb_client_side_weighted_round_robin *pb =
        (const pb_client_side_weighted_round_robin *)message;
    const pb_float_value *penalty = pb->error_utilization_penalty;
    struct xds_ctx *ctx = walk->ctx;

    out->kind = XDS_LB_WEIGHTED_ROUND_ROBIN;
    out->config = json_of(ctx->arena, pb);
    check_period(ctx, XDS_AT(at, "oob_reporting_period"), pb->oob_reporting_period);
    check_period(ctx, XDS_AT(at, "blackout_period"), pb->blackout_period);
    check_period(ctx, XDS_AT(at, "weight_update_period"), pb->weight_update_period);
    check_period(ctx, XDS_AT(at, "weight_expiration_period"),
                 pb->weight_expiration_period);
    if (penalty && !(penalty->value >= 0 && penalty->value <= FLT_MAX))
        xds_fire_for(
            ctx, at,
            penalty->value < 0 ? xds_lb_config_readers(walk)
                               : xds_who(ctx, XDS_DIFF_LB_PENALTY_FINITE),
            XDS_R_LB_WRR_PENALTY,
            XDS_WITH(xds_arena_printf(ctx->arena, "%g", (double)penalty->value)));

    const struct xds_tree metrics =
        config_of(ctx->arena, pb->n_metric_names_for_computing_utilization,
                  pb->metric_names_for_computing_utilization);

    if (metrics.items->n > 0)
        xds_lb_config_check(walk, xds_guarded_by(ctx, XDS_ENV_WRR_CUSTOM_METRICS),
                            XDS_R_LB_WRR_METRIC, XDS_S("weighted_round_robin"), &metrics);
}

const struct xds_lb_converter xds_lb_client_side_weighted_round_robin = {
    .type =
        &envoy__extensions__load_balancing_policies__client_side_weighted_round_robin__v3__client_side_weighted_round_robin__descriptor,
    .label = "ClientSideWeightedRoundRobin",
    .clients = XDS_ALL_CLIENTS,
    .guarded = true,
    .guard = XDS_ENV_WRR_LB,
    .read = read_wrr,
};
