/*
 * outlier_detection.c - turn envoy.config.cluster.v3.OutlierDetection into the model.
 *
 * Takes:  the message, NULL when it was not set.
 * Gives:  out->outlier_detection, as configured: defaults are those of each client.
 * Fires:  the rows of outlier_detection.def, and those of duration.def.
 * Source: spec cluster 1.9; gRFC A50.
 */
#include "base/duration.h"
#include "rules/cluster_readers.h"

#include <inttypes.h>

static void check_percent(struct xds_ctx *ctx, const struct xds_path *at,
                          const char *field, const pb_u_int32_value *pb)
{
    if (pb && pb->value > 100)
        xds_fire(ctx, XDS_AT(at, field), XDS_R_OUTLIER_PERCENT, "value must be <= 100");
}

/* core tests the enforcement percentage once more where the threshold was meant. */
static void check_threshold(struct xds_ctx *ctx, const struct xds_path *at,
                            const pb_outlier_detection *pb)
{
    const pb_u_int32_value *threshold = pb->failure_percentage_threshold;
    const pb_u_int32_value *enforcing = pb->enforcing_failure_percentage;
    unsigned clients = 0;

    if (!threshold)
        return;
    if (threshold->value > 100)
        clients |= XDS_ALL_CLIENTS & ~XDS_CORE;
    if (enforcing && enforcing->value > 100)
        clients |= XDS_CORE;
    if (clients)
        xds_fire_for(ctx, XDS_AT(at, "failure_percentage_threshold"), clients,
                     XDS_R_OUTLIER_THRESHOLD, "value must be <= 100");
}

static bool read_uint(const pb_u_int32_value *pb, uint32_t *out)
{
    if (pb)
        *out = pb->value;
    return pb != NULL;
}

/* True when the part of a duration lies in its range. */
static bool check_part(struct xds_ctx *ctx, const struct xds_path *at, const char *part,
                       int64_t value, int64_t most)
{
    return (value >= 0 && value <= most) ||
           xds_fire(ctx, XDS_AT(at, part), XDS_R_OUTLIER_TIME,
                    "value must be in the range [0, %" PRId64 "]", most);
}

/* Times that are good may still be too long for java, but of an aggregate it asks none.
 */
static bool read_time(struct xds_ctx *ctx, const struct xds_path *at,
                      const pb_duration *pb, int64_t *ns)
{
    bool good = true;

    if (pb) {
        good = check_part(ctx, at, "seconds", pb->seconds, XDS_DURATION_MAX_SECONDS);
        good &= check_part(ctx, at, "nanos", pb->nanos, XDS_DURATION_MAX_NANOS);
    }
    return xds_duration_read(ctx, at, pb, good ? XDS_JAVA : 0, ns);
}

static void read_times(struct xds_ctx *ctx, const struct xds_path *at,
                       const pb_outlier_detection *pb, struct xds_outlier_detection *out)
{
    out->has_interval =
        read_time(ctx, XDS_AT(at, "interval"), pb->interval, &out->interval_ns);
    out->has_base_ejection_time =
        read_time(ctx, XDS_AT(at, "base_ejection_time"), pb->base_ejection_time,
                  &out->base_ejection_time_ns);
    out->has_max_ejection_time =
        read_time(ctx, XDS_AT(at, "max_ejection_time"), pb->max_ejection_time,
                  &out->max_ejection_time_ns);
}

static void read_numbers(const pb_outlier_detection *pb,
                         struct xds_outlier_detection *out)
{
    out->has_max_ejection_percent =
        read_uint(pb->max_ejection_percent, &out->max_ejection_percent);
    out->has_success_rate =
        read_uint(pb->enforcing_success_rate, &out->enforcing_success_rate);
    out->has_failure_percentage =
        read_uint(pb->enforcing_failure_percentage, &out->enforcing_failure_percentage);
    out->has_stdev_factor = read_uint(pb->success_rate_stdev_factor, &out->stdev_factor);
    out->has_success_hosts =
        read_uint(pb->success_rate_minimum_hosts, &out->success_minimum_hosts);
    out->has_success_volume =
        read_uint(pb->success_rate_request_volume, &out->success_request_volume);
    out->has_threshold =
        read_uint(pb->failure_percentage_threshold, &out->failure_threshold);
    out->has_failure_hosts =
        read_uint(pb->failure_percentage_minimum_hosts, &out->failure_minimum_hosts);
    out->has_failure_volume =
        read_uint(pb->failure_percentage_request_volume, &out->failure_request_volume);
}

void xds_outlier_detection_read(struct xds_ctx *ctx, const pb_outlier_detection *pb,
                                struct xds_cluster *out)
{
    const struct xds_path *at = XDS_AT(NULL, "outlier_detection");
    const unsigned live = ctx->live;

    if (!pb)
        return;
    ctx->live &= xds_env_mask(ctx->options, XDS_ENV_OUTLIER_DETECTION);

    struct xds_outlier_detection *model =
        XDS_NEW(ctx->arena, struct xds_outlier_detection);

    read_times(ctx, at, pb, model);
    read_numbers(pb, model);
    check_percent(ctx, at, "max_ejection_percent", pb->max_ejection_percent);
    check_percent(ctx, at, "enforcing_success_rate", pb->enforcing_success_rate);
    check_percent(ctx, at, "enforcing_failure_percentage",
                  pb->enforcing_failure_percentage);
    check_threshold(ctx, at, pb);
    out->outlier_detection = model;
    ctx->live = live;
}
