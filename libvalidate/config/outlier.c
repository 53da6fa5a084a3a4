/*
 * outlier.c - outlier detection as each client writes it into the config of its policy.
 *
 * Source: gRFC A50, spec cluster 1.9 and 5.2.
 */
#include "config/lb_config.h"

#define SECOND INT64_C(1000000000)

/* Where the clients differ. */
static const struct reading {
    int64_t max_ejection_ns; /* when that is not set */
    bool at_least_base;      /* it is at least the base time then */
    bool defaults;           /* are written out */
    const char *max_percent;
} readings[XDS_CLIENTS] = {
    [XDS_CLIENT_GRFC] = {300 * SECOND, true, true, "maxEjectionPercent"},
    [XDS_CLIENT_CORE] = {30 * SECOND, false, true, "maxEjectionPercent"},
    [XDS_CLIENT_GO] = {300 * SECOND, true, false, "maxEjectionPercent"},
    [XDS_CLIENT_JAVA] = {300 * SECOND, true, false, "maxEjectionPercentage"},
    [XDS_CLIENT_NODE] = {300 * SECOND, false, true, "maxEjectionPercent"},
};

static const struct reading *reading_of(const struct xds_maker *maker)
{
    return &readings[xds_client_as(maker->client)];
}

struct writer {
    const struct xds_maker *maker;
    struct xds_tree out;
    bool of_algorithm;
};

static bool writes_defaults(const struct writer *w)
{
    return reading_of(w->maker)->defaults &&
           !(w->of_algorithm && xds_differs(w->maker->options, w->maker->client,
                                            XDS_DIFF_OUTLIER_DEFAULTS_LOST));
}

static const char *name_of(const struct writer *w, const char *camel, const char *snake)
{
    return w->maker->dialect->snake_case ? snake : camel;
}

/* Is a field set to a value, as far as the client can tell? */
static bool counts(const struct writer *w, bool is_set, int64_t value)
{
    return is_set && (value != 0 || !xds_differs(w->maker->options, w->maker->client,
                                                 XDS_DIFF_OUTLIER_ZERO_UNSET));
}

/* As the client reads it. */
static double number_of(const struct writer *w, uint32_t value)
{
    return xds_differs(w->maker->options, w->maker->client, XDS_DIFF_UINT32_SIGNED)
               ? (double)(int32_t)value
               : (double)value;
}

static void put_number(struct writer *w, const char *camel, const char *snake,
                       bool is_set, uint32_t value, uint32_t otherwise)
{
    is_set = counts(w, is_set, value);
    if (is_set || writes_defaults(w))
        xds_tree_put(w->maker->arena, &w->out, name_of(w, camel, snake),
                     xds_tree_number(number_of(w, is_set ? value : otherwise)));
}

/* As the client keeps it. */
static int64_t kept_ns(const struct writer *w, int64_t ns)
{
    const int64_t ms = 1000000;

    if (!xds_differs(w->maker->options, w->maker->client, XDS_DIFF_OUTLIER_TIMES_INT32))
        return ns;
    return (int32_t)(uint32_t)(ns / ms) * ms;
}

static void put_time(struct writer *w, const char *camel, const char *snake, bool is_set,
                     int64_t ns, int64_t otherwise)
{
    is_set = counts(w, is_set, ns);
    if (is_set || writes_defaults(w))
        xds_tree_put(w->maker->arena, &w->out, name_of(w, camel, snake),
                     xds_time_tree(w->maker, is_set ? kept_ns(w, ns) : otherwise));
}

static struct xds_tree success_rate(const struct xds_maker *maker,
                                    const struct xds_outlier_detection *o)
{
    struct writer w = {maker, xds_tree_object(), true};

    put_number(&w, "stdevFactor", "stdev_factor", o->has_stdev_factor, o->stdev_factor,
               1900);
    put_number(&w, "enforcementPercentage", "enforcement_percentage", o->has_success_rate,
               o->enforcing_success_rate, 100);
    put_number(&w, "minimumHosts", "minimum_hosts", o->has_success_hosts,
               o->success_minimum_hosts, 5);
    put_number(&w, "requestVolume", "request_volume", o->has_success_volume,
               o->success_request_volume, 100);
    return w.out;
}

static struct xds_tree failure_percentage(const struct xds_maker *maker,
                                          const struct xds_outlier_detection *o)
{
    struct writer w = {maker, xds_tree_object(), true};

    put_number(&w, "threshold", "threshold", o->has_threshold, o->failure_threshold, 85);
    put_number(&w, "enforcementPercentage", "enforcement_percentage",
               o->has_failure_percentage, o->enforcing_failure_percentage, 100);
    put_number(&w, "minimumHosts", "minimum_hosts", o->has_failure_hosts,
               o->failure_minimum_hosts, 5);
    put_number(&w, "requestVolume", "request_volume", o->has_failure_volume,
               o->failure_request_volume, 50);
    return w.out;
}

static bool runs(bool is_set, uint32_t enforcing, bool otherwise)
{
    return is_set ? enforcing > 0 : otherwise;
}

static int64_t max_ejection_ns(const struct xds_maker *maker,
                               const struct xds_outlier_detection *o)
{
    const struct reading *as = reading_of(maker);
    const int64_t unset = as->max_ejection_ns;

    if (!as->at_least_base || !o->has_base_ejection_time)
        return unset;
    return o->base_ejection_time_ns > unset ? o->base_ejection_time_ns : unset;
}

struct xds_tree xds_outlier_tree(const struct xds_maker *maker,
                                 const struct xds_outlier_detection *o)
{
    const struct reading *as = reading_of(maker);
    struct writer w = {maker, xds_tree_object(), false};

    if (!o)
        return w.out;
    put_time(&w, "interval", "interval", o->has_interval, o->interval_ns, 10 * SECOND);
    put_time(&w, "baseEjectionTime", "base_ejection_time", o->has_base_ejection_time,
             o->base_ejection_time_ns, 30 * SECOND);
    put_time(&w, "maxEjectionTime", "max_ejection_time", o->has_max_ejection_time,
             o->max_ejection_time_ns, max_ejection_ns(maker, o));
    put_number(&w, as->max_percent, "max_ejection_percent", o->has_max_ejection_percent,
               o->max_ejection_percent, 10);
    if (runs(o->has_success_rate, o->enforcing_success_rate,
             !xds_differs(maker->options, maker->client, XDS_DIFF_SUCCESS_RATE_IF_SET)))
        xds_tree_put(maker->arena, &w.out,
                     name_of(&w, "successRateEjection", "success_rate_ejection"),
                     success_rate(maker, o));
    if (runs(o->has_failure_percentage, o->enforcing_failure_percentage,
             xds_differs(maker->options, maker->client,
                         XDS_DIFF_FAILURE_PERCENTAGE_BY_DEFAULT)))
        xds_tree_put(
            maker->arena, &w.out,
            name_of(&w, "failurePercentageEjection", "failure_percentage_ejection"),
            failure_percentage(maker, o));
    return w.out;
}
