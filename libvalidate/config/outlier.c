/*
 * outlier.c - outlier detection as each client writes it into the config of its policy.
 *
 * Takes:  the fields that the Cluster sets.
 * Gives:  the members of outlier_detection_experimental but the child policy.
 * Source: gRFC A50, spec cluster 1.9 and 5.2.
 */
#include "config/lb_config.h"

#define SECOND INT64_C(1000000000)

/* When an algorithm runs whose enforcement percentage is not set. */
static const struct reading {
    bool success_rate, failure_percentage;
    int64_t max_ejection_ns; /* when that is not set */
    bool defaults;           /* are written out */
} readings[XDS_CLIENTS] = {
    [XDS_CLIENT_GRFC] = {true, false, 300 * SECOND, true},
    [XDS_CLIENT_CORE] = {false, false, 30 * SECOND, true},
    [XDS_CLIENT_GO] = {true, false, 300 * SECOND, false},
    [XDS_CLIENT_JAVA] = {true, true, 300 * SECOND, false},
    [XDS_CLIENT_NODE] = {true, false, 300 * SECOND, true},
};

struct writer {
    const struct xds_maker *maker;
    struct xds_tree out;
};

static bool writes_defaults(const struct writer *w)
{
    return readings[w->maker->client].defaults;
}

static const char *name_of(const struct writer *w, const char *camel, const char *snake)
{
    return w->maker->dialect->snake_case ? snake : camel;
}

static void put_number(struct writer *w, const char *camel, const char *snake,
                       bool is_set, uint32_t value, uint32_t otherwise)
{
    if (is_set || writes_defaults(w))
        xds_tree_put(w->maker->arena, &w->out, name_of(w, camel, snake),
                     xds_tree_number(is_set ? value : otherwise));
}

static void put_time(struct writer *w, const char *camel, const char *snake, bool is_set,
                     int64_t ns, int64_t otherwise)
{
    if (is_set || writes_defaults(w))
        xds_tree_put(w->maker->arena, &w->out, name_of(w, camel, snake),
                     xds_time_tree(w->maker, is_set ? ns : otherwise));
}

static struct xds_tree success_rate(const struct xds_maker *maker,
                                    const struct xds_outlier_detection *o)
{
    struct writer w = {maker, xds_tree_object()};

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
    struct writer w = {maker, xds_tree_object()};

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

/* Where it is not set it is at least the base time, but for core. */
static int64_t max_ejection_ns(const struct xds_maker *maker,
                               const struct xds_outlier_detection *o)
{
    const int64_t unset = readings[maker->client].max_ejection_ns;

    if (maker->client == XDS_CLIENT_CORE || !o->has_base_ejection_time)
        return unset;
    return o->base_ejection_time_ns > unset ? o->base_ejection_time_ns : unset;
}

struct xds_tree xds_outlier_tree(const struct xds_maker *maker,
                                 const struct xds_outlier_detection *o)
{
    const struct reading *as = &readings[maker->client];
    struct writer w = {maker, xds_tree_object()};

    if (!o)
        return w.out;
    put_time(&w, "interval", "interval", o->has_interval, o->interval_ns, 10 * SECOND);
    put_time(&w, "baseEjectionTime", "base_ejection_time", o->has_base_ejection_time,
             o->base_ejection_time_ns, 30 * SECOND);
    put_time(&w, "maxEjectionTime", "max_ejection_time", o->has_max_ejection_time,
             o->max_ejection_time_ns, max_ejection_ns(maker, o));
    put_number(
        &w,
        maker->client == XDS_CLIENT_JAVA ? "maxEjectionPercentage" : "maxEjectionPercent",
        "max_ejection_percent", o->has_max_ejection_percent, o->max_ejection_percent, 10);
    if (runs(o->has_success_rate, o->enforcing_success_rate, as->success_rate))
        xds_tree_put(maker->arena, &w.out,
                     name_of(&w, "successRateEjection", "success_rate_ejection"),
                     success_rate(maker, o));
    if (runs(o->has_failure_percentage, o->enforcing_failure_percentage,
             as->failure_percentage))
        xds_tree_put(
            maker->arena, &w.out,
            name_of(&w, "failurePercentageEjection", "failure_percentage_ejection"),
            failure_percentage(maker, o));
    return w.out;
}
