/*
 * lb_policy.c - the JSON of the LB policy that a cluster asks for.
 *
 * Source: gRFC A42, A48, A52, A58, A62, A114, spec cluster 1.5, 1.6.1.
 */
#include "generate/config.h"

#define SECOND INT64_C(1000000000)

/* ---- policies ---- */

struct writer {
    const struct xds_maker *maker;
    struct xds_tree out;
    bool of_algorithm;
};

static bool writes_defaults(const struct writer *w)
{
    return !XDS_DIFFERS(w->maker, XDS_DIFF_OUTLIER_DEFAULTS_UNWRITTEN) &&
           !(w->of_algorithm && XDS_DIFFERS(w->maker, XDS_DIFF_OUTLIER_DEFAULTS_LOST));
}

static struct xds_slice name_of(const struct xds_maker *maker, const char *camel)
{
    const struct xds_slice name = xds_slice_of(camel);

    return maker->dialect.snake_case ? xds_tree_snake_case(maker->arena, name) : name;
}

/* Is a field set to a value, as far as the client can tell? */
static bool counts(const struct writer *w, bool is_set, int64_t value)
{
    return is_set && (value != 0 || !XDS_DIFFERS(w->maker, XDS_DIFF_OUTLIER_ZERO_UNSET));
}

/* As the client reads it. */
static double number_of(const struct writer *w, uint32_t value)
{
    return XDS_DIFFERS(w->maker, XDS_DIFF_UINT32_SIGNED) ? (double)(int32_t)value
                                                         : (double)value;
}

static void put_number(struct writer *w, const char *camel, bool is_set, uint32_t value,
                       uint32_t otherwise)
{
    is_set = counts(w, is_set, value);
    if (is_set || writes_defaults(w))
        xds_tree_put_key(w->maker->arena, &w->out, name_of(w->maker, camel),
                         xds_tree_number(number_of(w, is_set ? value : otherwise)));
}

/* As the client keeps it. */
static int64_t kept_ns(const struct writer *w, int64_t ns)
{
    const int64_t ms = 1000000;

    if (!XDS_DIFFERS(w->maker, XDS_DIFF_OUTLIER_TIMES_INT32))
        return ns;
    return (int32_t)(uint32_t)(ns / ms) * ms;
}

static void put_time(struct writer *w, const char *camel, bool is_set, int64_t ns,
                     int64_t otherwise)
{
    is_set = counts(w, is_set, ns);
    if (is_set || writes_defaults(w))
        xds_tree_put_key(w->maker->arena, &w->out, name_of(w->maker, camel),
                         xds_time_tree(w->maker, is_set ? kept_ns(w, ns) : otherwise));
}

static struct xds_tree success_rate(const struct xds_maker *maker,
                                    const struct xds_outlier_detection *o)
{
    struct writer w = {maker, xds_tree_object(), true};

    put_number(&w, "stdevFactor", o->has_stdev_factor, o->stdev_factor, 1900);
    put_number(&w, "enforcementPercentage", o->has_success_rate,
               o->enforcing_success_rate, 100);
    put_number(&w, "minimumHosts", o->has_success_hosts, o->success_minimum_hosts, 5);
    put_number(&w, "requestVolume", o->has_success_volume, o->success_request_volume,
               100);
    return w.out;
}

static struct xds_tree failure_percentage(const struct xds_maker *maker,
                                          const struct xds_outlier_detection *o)
{
    struct writer w = {maker, xds_tree_object(), true};

    put_number(&w, "threshold", o->has_threshold, o->failure_threshold, 85);
    put_number(&w, "enforcementPercentage", o->has_failure_percentage,
               o->enforcing_failure_percentage, 100);
    put_number(&w, "minimumHosts", o->has_failure_hosts, o->failure_minimum_hosts, 5);
    put_number(&w, "requestVolume", o->has_failure_volume, o->failure_request_volume, 50);
    return w.out;
}

static bool runs(bool is_set, uint32_t enforcing, bool otherwise)
{
    return is_set ? enforcing > 0 : otherwise;
}

static int64_t max_ejection_ns(const struct xds_maker *maker,
                               const struct xds_outlier_detection *o)
{
    const int64_t unset = 300 * SECOND;

    if (XDS_DIFFERS(maker, XDS_DIFF_OUTLIER_MAXIMUM_30_S))
        return 30 * SECOND;
    return o->has_base_ejection_time && o->base_ejection_time_ns > unset &&
                   !XDS_DIFFERS(maker, XDS_DIFF_OUTLIER_MAXIMUM_300_S)
               ? o->base_ejection_time_ns
               : unset;
}

struct xds_tree xds_outlier_tree(const struct xds_maker *maker,
                                 const struct xds_outlier_detection *o)
{
    struct writer w = {maker, xds_tree_object(), false};

    if (!o)
        return w.out;
    put_time(&w, "interval", o->has_interval, o->interval_ns, 10 * SECOND);
    put_time(&w, "baseEjectionTime", o->has_base_ejection_time, o->base_ejection_time_ns,
             30 * SECOND);
    put_time(&w, "maxEjectionTime", o->has_max_ejection_time, o->max_ejection_time_ns,
             max_ejection_ns(maker, o));
    put_number(&w,
               XDS_DIFFERS(maker, XDS_DIFF_OUTLIER_PERCENTAGE_NAME)
                   ? "maxEjectionPercentage"
                   : "maxEjectionPercent",
               o->has_max_ejection_percent, o->max_ejection_percent, 10);
    if (runs(o->has_success_rate, o->enforcing_success_rate,
             !XDS_DIFFERS(maker, XDS_DIFF_SUCCESS_RATE_IF_SET)))
        xds_tree_put_key(maker->arena, &w.out, name_of(maker, "successRateEjection"),
                         success_rate(maker, o));
    if (runs(o->has_failure_percentage, o->enforcing_failure_percentage,
             XDS_DIFFERS(maker, XDS_DIFF_FAILURE_PERCENTAGE_BY_DEFAULT)))
        xds_tree_put_key(maker->arena, &w.out,
                         name_of(maker, "failurePercentageEjection"),
                         failure_percentage(maker, o));
    return w.out;
}

struct xds_tree xds_override_host_status(struct xds_arena *arena,
                                         const struct xds_cluster *cluster)
{
    static const enum xds_health order[] = {XDS_HEALTH_UNKNOWN, XDS_HEALTH_HEALTHY,
                                            XDS_HEALTH_DRAINING};
    struct xds_tree out = xds_tree_array();

    for (size_t i = 0; i < XDS_ARRAY_LEN(order); i++)
        if (cluster->override_host_status & XDS_HEALTH_BIT(order[i]))
            xds_tree_add(arena, &out, xds_tree_text(xds_health_name(order[i])));
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
        xds_tree_put(arena, &drop, maker->dialect.drop_share,
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
    return XDS_ENV_ON(maker, XDS_ENV_CIRCUIT_BREAKING);
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
    if (!xds_name_in(maker->client, XDS_NAMED_OVERRIDE_HOST))
        return out;
    xds_tree_put(arena, &out, "override_host_status",
                 xds_override_host_status(arena, cluster));
    if (XDS_DIFFERS(maker, XDS_DIFF_OVERRIDE_HOST_A55))
        return out; /* no connection is kept without a use */
    const int32_t nanos = cluster->idle_timeout_nanos, ms = 1000000;

    xds_tree_put(arena, &out, "idle_timeout",
                 xds_tree_duration(arena, cluster->idle_timeout_seconds,
                                   XDS_DIFFERS(maker, XDS_DIFF_DURATION_IN_MS)
                                       ? nanos / ms * ms
                                       : nanos));
    return out;
}

/* ---- sizes and counts ---- */

static bool is_written(const struct xds_maker *maker, bool is_set, uint64_t number)
{
    switch (maker->dialect.written) {
    case XDS_WRITES_ALL:
        return true;
    case XDS_WRITES_NONZERO:
        return number > 0;
    case XDS_WRITES_SET:
        return is_set;
    }
    return true;
}

static void write_member(const struct xds_maker *maker,
                         const struct xds_lb_policy *policy,
                         const struct xds_lb_member *member, struct xds_tree *out)
{
    const char *key = maker->dialect.snake_case ? member->of_node : member->name;
    const void *at = (const char *)policy + member->at;
    struct xds_tree value = {.kind = XDS_TREE_NULL};

    if (member->type == XDS_TREE_BOOL)
        value = xds_tree_bool(*(const bool *)at);
    else if (member->type == XDS_TREE_NUMBER &&
             is_written(maker, *((const char *)policy + member->is_set) != 0,
                        *(const uint64_t *)at))
        value = xds_tree_number((double)*(const uint64_t *)at);
    if (key && value.kind != XDS_TREE_NULL)
        xds_tree_put(maker->arena, out, key, value);
}

/* ---- what a message sets ---- */

/* Does the client write this member of what the message sets? */
static bool is_member(const struct xds_maker *maker, const struct xds_tree *member)
{
    const bool all = maker->dialect.written == XDS_WRITES_SET;

    if (member->kind == XDS_TREE_BOOL)
        return member->truth || all;
    if (member->kind == XDS_TREE_ARRAY) /* of the names of metrics */
        return all || XDS_ENV_ON(maker, XDS_ENV_WRR_CUSTOM_METRICS);
    if (maker->dialect.written != XDS_WRITES_NONZERO)
        return true;
    return member->kind == XDS_TREE_NUMBER ? member->number != 0
                                           : !xds_slice_is(member->text, "0.000000000s");
}

/* To milliseconds: "1.500900000s" becomes "1.500000000s". */
static struct xds_tree cut_duration(struct xds_arena *arena, struct xds_tree duration)
{
    const size_t behind = sizeof "000000s" - 1;
    const struct xds_slice kept =
        xds_slice_make(duration.text.data, duration.text.len - behind);

    duration.text = xds_arena_concat(arena, kept, XDS_S("000000s"));
    return duration;
}

/* The longest time that fits into 64 bits of nanoseconds. */
#define LONGEST "9223372036.854775807s"

/* A member as the client writes it. */
static struct xds_tree written_member(const struct xds_maker *maker,
                                      const struct xds_tree *member)
{
    if (member->kind != XDS_TREE_STRING)
        return *member;
    if (XDS_DIFFERS(maker, XDS_DIFF_DURATION_IN_MS))
        return cut_duration(maker->arena, *member);
    if (XDS_DIFFERS(maker, XDS_DIFF_WRR_DURATION_CUT)) {
        struct xds_tree duration = *member;
        const struct xds_slice longest = XDS_S(LONGEST);
        const struct xds_slice text = duration.text;

        /* Durations are written with nine digits and without leading zeros. */
        if (text.len > longest.len ||
            (text.len == longest.len && xds_slice_cmp(text, longest) > 0))
            duration.text = longest;
        return duration;
    }
    return *member;
}

/* node calls one field otherwise than the message does. */
static struct xds_slice key_of(const struct xds_maker *maker, struct xds_slice key)
{
    if (!maker->dialect.snake_case)
        return key;
    if (xds_slice_is(key, "oobReportingPeriod"))
        return XDS_S("oob_load_reporting_period");
    return xds_tree_snake_case(maker->arena, key);
}

static bool drops_period(const struct xds_maker *maker, const struct xds_tree *config)
{
    const struct xds_tree *enable = xds_tree_member(config, "enableOobLoadReport");

    return XDS_DIFFERS(maker, XDS_DIFF_WRR_PERIOD_IF_OOB) && !(enable && enable->truth);
}

/* ---- the list ---- */

static struct xds_tree made_of_fields(const struct xds_maker *maker,
                                      const struct xds_lb_policy *policy)
{
    struct xds_tree config = xds_tree_object();

    for (size_t i = 0; i < xds_lb_n_members; i++)
        if (xds_lb_members[i].kind == policy->kind)
            write_member(maker, policy, &xds_lb_members[i], &config);
    for (size_t i = 0; policy->config && i < policy->config->n; i++) {
        const struct xds_tree *member = &policy->config->items[i];

        if (xds_slice_is(member->key, "oobReportingPeriod") &&
            drops_period(maker, policy->config))
            continue;
        if (is_member(maker, member))
            xds_tree_put_key(maker->arena, &config, key_of(maker, member->key),
                             written_member(maker, member));
    }
    return xds_policy_list(maker, xds_lb_traits(policy)->named, config);
}

static unsigned layers_of(const struct xds_maker *maker,
                          const struct xds_lb_policy *policy)
{
    const bool bare = XDS_DIFFERS(maker, XDS_DIFF_LEAST_REQUEST_BELOW_PRIORITY) &&
                      !policy->from_typed_config && xds_lb_traits(policy)->below_priority;

    return bare ? 0 : policy->layers;
}

struct xds_tree xds_lb_policy_tree(const struct xds_maker *maker,
                                   const struct xds_lb_policy *policy)
{
    struct xds_arena *arena = maker->arena;
    struct xds_tree list;

    if (policy->name.data && policy->config) { /* of a TypedStruct */
        struct xds_tree entry = xds_tree_object();

        xds_tree_put_key(arena, &entry, policy->name, *policy->config);
        list = xds_tree_list(arena, entry);
    } else {
        list = made_of_fields(maker, policy);
    }
    for (unsigned i = layers_of(maker, policy); i > 0; i--)
        list = xds_policy_list(maker, XDS_NAMED_WRR_LOCALITY,
                               xds_tree_pair(arena, maker->dialect.child_policy, list));
    return list;
}
