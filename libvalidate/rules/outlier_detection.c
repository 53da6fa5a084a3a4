/*
 * outlier_detection.c - envoy.config.cluster.v3.OutlierDetection as it is configured; the
 * defaults are those of each client.
 *
 * Source: gRFC A50, spec cluster 1.9.
 */
#include "base/number.h"
#include "rules/inner.h"

/* To those that read it with a sign a large one is negative. */
static xds_readers exceeds_100(const struct xds_ctx *ctx, const pb_u_int32_value *pb)
{
    if (!pb || pb->value <= 100)
        return 0;
    return pb->value > INT32_MAX ? ~xds_who(ctx, XDS_DIFF_UINT32_SIGNED) : XDS_EVERYONE;
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
           xds_fire_with(ctx, XDS_AT(at, part), XDS_R_OUTLIER_TIME,
                         XDS_WITH(xds_number(ctx, value), xds_number(ctx, most)));
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
    return xds_duration_read(ctx, at, pb,
                             good ? xds_who(ctx, XDS_DIFF_DURATION_OVERFLOW) : 0, ns);
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

struct number {
    const char *field;
    const pb_u_int32_value *value;
};

static bool is_off(const pb_u_int32_value *enforcing)
{
    return enforcing && enforcing->value == 0;
}

static void panic(struct xds_ctx *ctx, const struct xds_path *at, struct xds_slice value)
{
    xds_fire_killing(ctx, at, XDS_R_OUTLIER_PANIC, XDS_EVERYONE, XDS_WITH(value));
}

static void check_signed(struct xds_ctx *ctx, const struct xds_path *at,
                         const struct number *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (rows[i].value && rows[i].value->value > INT32_MAX)
            panic(ctx, XDS_AT(at, rows[i].field), xds_number(ctx, rows[i].value->value));
}

/* What java throws of when it starts the policy, which only EDS clusters have there. */
static void check_panic(struct xds_ctx *ctx, const struct xds_path *at,
                        const pb_outlier_detection *pb)
{
    const struct number success[] = {
        {"enforcing_success_rate", pb->enforcing_success_rate},
        {"success_rate_minimum_hosts", pb->success_rate_minimum_hosts},
        {"success_rate_request_volume", pb->success_rate_request_volume}};
    const struct number failure[] = {
        {"enforcing_failure_percentage", pb->enforcing_failure_percentage},
        {"failure_percentage_threshold", pb->failure_percentage_threshold},
        {"failure_percentage_minimum_hosts", pb->failure_percentage_minimum_hosts},
        {"failure_percentage_request_volume", pb->failure_percentage_request_volume}};

    if (pb->interval && pb->interval->seconds == 0 && pb->interval->nanos == 0)
        panic(ctx, XDS_AT(at, "interval"), XDS_S("0 s"));
    if (!is_off(pb->enforcing_success_rate))
        check_signed(ctx, at, success, XDS_ARRAY_LEN(success));
    if (!is_off(pb->enforcing_failure_percentage))
        check_signed(ctx, at, failure, XDS_ARRAY_LEN(failure));
}

/* To node a number that is not set is in no order with others: any count of hosts is
 * enough for a mean, also none, and none has the requests that it needs to count. */
static void check_hosts(struct xds_ctx *ctx, const struct xds_path *at,
                        const pb_outlier_detection *pb)
{
    const pb_u_int32_value *hosts = pb->success_rate_minimum_hosts;
    const pb_u_int32_value *volume = pb->success_rate_request_volume;

    if (!is_off(pb->enforcing_success_rate) && (!hosts || hosts->value == 0) &&
        (!volume || volume->value > 0))
        xds_fire_killing(ctx, at, XDS_R_OUTLIER_HOSTS, XDS_EVERYONE,
                         XDS_WITH(hosts ? XDS_S("0") : XDS_S("not set")));
}

void xds_outlier_detection_read(struct xds_ctx *ctx, const pb_outlier_detection *pb,
                                struct xds_cluster *out)
{
    const struct xds_path *at = XDS_AT(NULL, "outlier_detection");

    if (!pb)
        return;
    ctx = XDS_AMONG(ctx, xds_guarded_by(ctx, XDS_ENV_OUTLIER_DETECTION));

    struct xds_outlier_detection *model =
        XDS_NEW(ctx->arena, struct xds_outlier_detection);

    model->has_interval =
        read_time(ctx, XDS_AT(at, "interval"), pb->interval, &model->interval_ns);
    model->has_base_ejection_time =
        read_time(ctx, XDS_AT(at, "base_ejection_time"), pb->base_ejection_time,
                  &model->base_ejection_time_ns);
    model->has_max_ejection_time =
        read_time(ctx, XDS_AT(at, "max_ejection_time"), pb->max_ejection_time,
                  &model->max_ejection_time_ns);
    read_numbers(pb, model);
    const struct {
        const char *field;
        const pb_u_int32_value *value;
    } rows[] = {
        {"max_ejection_percent", pb->max_ejection_percent},
        {"enforcing_success_rate", pb->enforcing_success_rate},
        {"enforcing_failure_percentage", pb->enforcing_failure_percentage},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++)
        if (exceeds_100(ctx, rows[i].value))
            xds_fire_for(ctx, XDS_AT(at, rows[i].field), exceeds_100(ctx, rows[i].value),
                         XDS_R_OUTLIER_PERCENT,
                         XDS_WITH(xds_number(ctx, rows[i].value->value)));

    const pb_u_int32_value *threshold = pb->failure_percentage_threshold;
    const pb_u_int32_value *enforcing = pb->enforcing_failure_percentage;
    const xds_readers by_enforcing = xds_who(ctx, XDS_DIFF_THRESHOLD_BY_ENFORCING);

    if (threshold)
        xds_fire_for(ctx, at,
                     (exceeds_100(ctx, threshold) & ~by_enforcing) |
                         (exceeds_100(ctx, enforcing) & by_enforcing),
                     XDS_R_OUTLIER_THRESHOLD,
                     XDS_WITH(xds_number(ctx, threshold->value)));
    ctx->in_use = &out->killing;
    if (out->kind == XDS_CLUSTER_EDS)
        check_panic(ctx, at, pb);
    if (out->kind == XDS_CLUSTER_EDS || out->kind == XDS_CLUSTER_LOGICAL_DNS)
        check_hosts(ctx, at, pb);
    out->outlier_detection = model;
}
