/*
 * client_side_weighted_round_robin.c - the ClientSideWeightedRoundRobin LB policy.
 *
 * Takes:  a ClientSideWeightedRoundRobin message.
 * Gives:  kind of the model.
 * Fires:  the rows of client_side_weighted_round_robin.def and of duration.def.
 * Source: spec cluster 1.6.1, 1.7; gRFC A58, A114.
 */
#include "rules/lb_policy/lb_policy.h"

static void check_period(struct xds_ctx *ctx, const struct xds_path *at,
                         const pb_duration *pb)
{
    int64_t ns;

    (void)xds_duration_read(ctx, at, pb, XDS_GRFC | XDS_CORE | XDS_JAVA, &ns);
}

static bool is_known_metric(struct xds_slice name)
{
    static const char *const whole[] = {"cpu_utilization", "mem_utilization",
                                        "application_utilization"};

    for (size_t i = 0; i < XDS_ARRAY_LEN(whole); i++)
        if (xds_slice_is(name, whole[i]))
            return true;
    return xds_slice_starts(name, XDS_S("named_metrics.")) ||
           xds_slice_starts(name, XDS_S("utilization."));
}

static void check_metrics(struct xds_ctx *ctx, size_t n, char *const *names)
{
    const unsigned clients = xds_env_mask(ctx->options, XDS_ENV_WRR_CUSTOM_METRICS);

    for (size_t i = 0; clients && i < n; i++)
        if (!is_known_metric(xds_slice_of(names[i])))
            xds_fire_for(ctx, XDS_AT(NULL, "load_balancing_policy"), clients,
                         XDS_R_LB_WRR_METRIC,
                         "errors validating weighted_round_robin LB policy config: "
                         "[field:metricNamesForComputingUtilization[%zu] "
                         "error:unsupported metric name \"%s\"]",
                         i, names[i]);
}

/* node reads only the config of the outermost policy. */
static void check_penalty(const struct xds_lb_walk *walk, const struct xds_path *at,
                          const pb_float_value *pb)
{
    const unsigned blind = walk->depth > 0 ? XDS_NODE : 0;

    if (pb && pb->value < 0)
        xds_fire_for(walk->ctx, XDS_AT(at, "error_utilization_penalty"),
                     XDS_ALL_CLIENTS & ~blind, XDS_R_LB_WRR_PENALTY,
                     "value must be non-negative");
}

static void read_wrr(const struct xds_lb_walk *walk, const struct xds_path *at,
                     const ProtobufCMessage *message, struct xds_lb_policy *out)
{
    const pb_client_side_weighted_round_robin *pb =
        (const pb_client_side_weighted_round_robin *)message;
    struct xds_ctx *ctx = walk->ctx;

    out->kind = XDS_LB_WEIGHTED_ROUND_ROBIN;
    check_period(ctx, XDS_AT(at, "oob_reporting_period"), pb->oob_reporting_period);
    check_period(ctx, XDS_AT(at, "blackout_period"), pb->blackout_period);
    check_period(ctx, XDS_AT(at, "weight_update_period"), pb->weight_update_period);
    check_period(ctx, XDS_AT(at, "weight_expiration_period"),
                 pb->weight_expiration_period);
    check_penalty(walk, at, pb->error_utilization_penalty);
    check_metrics(ctx, pb->n_metric_names_for_computing_utilization,
                  pb->metric_names_for_computing_utilization);
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
