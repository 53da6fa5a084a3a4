/*
 * registry_schemas.c - what each policy asks of its JSON, and the policies that each
 *                      client has by name.
 *
 * Source: spec cluster 1.7; gRFC A24, A42, A48, A50, A52, A55, A56, A58, A62, A68, A74,
 *         A76, A114.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "rules/lb_policy/lb_policy.h"
#include "base/order.h"

#define RING_SIZES "must be in the range [1, 8388608]"
#define NOT_NEGATIVE "must be non-negative"
#define NOT_EMPTY "must be non-empty"
#define MAX XDS_RING_SIZE_MAX
#define PERCENT "value must be <= 100"

static const struct xds_lb_schema success_rate = {
    XDS_LB_FIELDS(F("stdevFactor", UINT32, C_GO_JAVA, 0),
                  F("enforcementPercentage", UINT32, C_GO_JAVA, 0),
                  F("minimumHosts", UINT32, C_GO_JAVA, 0),
                  F("requestVolume", UINT32, C_GO_JAVA, 0)),
    XDS_LB_BOUNDS(
        {"minimumHosts", NULL, XDS_JAVA, 0, DBL_MAX, NOT_NEGATIVE},
        {"requestVolume", NULL, XDS_JAVA, 0, DBL_MAX, NOT_NEGATIVE},
        {"enforcementPercentage", "enforcement_percentage", C_GO_JAVA, 0, 100, PERCENT}),
    .bounds_throw = true};

static const struct xds_lb_schema failure_percentage = {
    XDS_LB_FIELDS(F("threshold", UINT32, C_GO_JAVA, 0),
                  F("enforcementPercentage", UINT32, C_GO_JAVA, 0),
                  F("minimumHosts", UINT32, C_GO_JAVA, 0),
                  F("requestVolume", UINT32, C_GO_JAVA, 0)),
    XDS_LB_BOUNDS(
        {"minimumHosts", NULL, XDS_JAVA, 0, DBL_MAX, NOT_NEGATIVE},
        {"requestVolume", NULL, XDS_JAVA, 0, DBL_MAX, NOT_NEGATIVE},
        {"enforcementPercentage", "enforcement_percentage", C_GO_JAVA, 0, 100, PERCENT},
        {"threshold", NULL, C_GO_JAVA, 0, 100, PERCENT}),
    .bounds_throw = true};

static const struct xds_lb_schema node_success = {
    XDS_LB_FIELDS(F("stdev_factor", UINT32, XDS_NODE, 0),
                  F("enforcement_percentage", UINT32, XDS_NODE, 0),
                  F("minimum_hosts", UINT32, XDS_NODE, 0),
                  F("request_volume", UINT32, XDS_NODE, 0)),
    XDS_LB_BOUNDS({"enforcement_percentage", NULL, XDS_NODE, 0, 100, PERCENT})};

static const struct xds_lb_schema node_failure = {
    XDS_LB_FIELDS(F("threshold", UINT32, XDS_NODE, 0),
                  F("enforcement_percentage", UINT32, XDS_NODE, 0),
                  F("minimum_hosts", UINT32, XDS_NODE, 0),
                  F("request_volume", UINT32, XDS_NODE, 0)),
    XDS_LB_BOUNDS({"threshold", NULL, XDS_NODE, 0, 100, PERCENT},
                  {"enforcement_percentage", NULL, XDS_NODE, 0, 100, PERCENT})};

static void check_node_outlier(struct xds_lb_scope *scope, const struct xds_path *at,
                               const struct xds_tree *config)
{
    const struct xds_tree *list = xds_lb_member(scope, config, "child_policy");
    struct xds_slice ignored;
    const struct xds_tree *chosen = list && !scope->judge->observer
                                        ? xds_lb_list_choose(scope->judge, list, &ignored)
                                        : NULL;

    if (chosen && xds_slice_is(chosen->key, "pick_first"))
        xds_lb_fault(scope, XDS_AT(at, "child_policy"), XDS_S("must not be pick_first"));
}

static const struct xds_lb_schema node_outlier_detection = {
    XDS_LB_FIELDS(F("interval", SECONDS_NANOS, XDS_NODE, 0),
                  F("base_ejection_time", SECONDS_NANOS, XDS_NODE, 0),
                  F("max_ejection_time", SECONDS_NANOS, XDS_NODE, 0),
                  F("max_ejection_percent", UINT32, XDS_NODE, 0),
                  OF("success_rate_ejection", OBJECT, XDS_NODE, 0, &node_success),
                  OF("failure_percentage_ejection", OBJECT, XDS_NODE, 0, &node_failure),
                  F("child_policy", POLICIES, XDS_NODE, XDS_NODE)),
    XDS_LB_BOUNDS({"max_ejection_percent", NULL, XDS_NODE, 0, 100, PERCENT}),
    .check = check_node_outlier};

const struct xds_lb_schema xds_lb_outlier_detection = {
    XDS_LB_FIELDS(
        F("interval", DURATION, C_GO_JAVA, 0),
        F("baseEjectionTime", DURATION, C_GO_JAVA, 0),
        F("maxEjectionTime", DURATION, C_GO_JAVA, 0),
        F("maxEjectionPercent", UINT32, C_GO, 0),
        F("maxEjectionPercentage", UINT32, XDS_JAVA, 0),
        OF("successRateEjection", OBJECT, C_GO_JAVA, 0, &success_rate),
        OF("failurePercentageEjection", OBJECT, C_GO_JAVA, 0, &failure_percentage),
        F("childPolicy", POLICIES, C_GO_JAVA, C_ONLY | XDS_JAVA)),
    XDS_LB_BOUNDS({"maxEjectionPercent", "max_ejection_percent", C_GO, 0, 100, PERCENT},
                  {"interval", NULL, XDS_GO, 0, DBL_MAX, NOT_NEGATIVE},
                  {"baseEjectionTime", NULL, XDS_GO, 0, DBL_MAX, NOT_NEGATIVE},
                  {"maxEjectionTime", NULL, XDS_GO, 0, DBL_MAX, NOT_NEGATIVE})};

/* ---- policies that pick endpoints ---- */

static const struct xds_lb_schema pick_first = {XDS_LB_FIELDS(
    DATED("shuffleAddressList", BOOL, XDS_ALL_CLIENTS, XDS_DIFF_LB_PICK_FIRST_UNREAD))};

/* A size as the client uses it: the default for one that it could not read. */
static double ring_size(const struct xds_lb_scope *scope, const struct xds_tree *config,
                        const char *key, double unset)
{
    const struct xds_tree *value = xds_lb_member(scope, config, key);
    double size;

    if (!value || xds_lb_number(scope->judge, XDS_LB_FIELD_UINT64, value, &size))
        return unset;
    if (size <= 0 && xds_lb_differs(scope, XDS_DIFF_RING_SIZE_ZERO))
        return unset;
    return size > XDS_RING_SIZE_CAP && xds_lb_differs(scope, XDS_DIFF_RING_SIZE_CUT)
               ? XDS_RING_SIZE_CAP
               : size;
}

static bool is_header_name(struct xds_slice name, const struct xds_lb_scope *scope)
{
    static const char others[] = "0123456789-_.";
    const struct xds_slice binary = XDS_S("-bin");
    const bool is_pseudo = xds_slice_starts(name, XDS_S(":")) &&
                           xds_lb_differs(scope, XDS_DIFF_LB_HASH_HEADER_PSEUDO);

    for (size_t i = is_pseudo ? name.len : 0; i < name.len; i++) {
        const unsigned char c = (unsigned char)name.data[i];
        const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');

        if (!is_letter && (c == '\0' || !strchr(others, c)))
            return false;
    }
    return name.len < binary.len ||
           !xds_slice_eq_fold(xds_slice_from(name, name.len - binary.len), binary);
}

static void check_ring_hash(struct xds_lb_scope *scope, const struct xds_path *at,
                            const struct xds_tree *config)
{
    if (ring_size(scope, config, "minRingSize", XDS_RING_SIZE_MIN_DEFAULT) >
        ring_size(scope, config, "maxRingSize", XDS_RING_SIZE_CAP))
        xds_lb_fault(scope, at, XDS_S("maxRingSize cannot be smaller than minRingSize"));

    /* The name is turned into lower case first. */
    const struct xds_tree *header = xds_lb_member(scope, config, "requestHashHeader");
    const struct xds_lb_judge *judge = scope->judge;

    if (header && header->kind == XDS_TREE_STRING &&
        xds_lb_differs(scope, XDS_DIFF_LB_HASH_HEADER_CHECKED) &&
        xds_env_on(judge->options, XDS_ENV_RING_HASH_SET_REQUEST_HASH_KEY,
                   judge->client) &&
        !is_header_name(header->text, scope))
        xds_lb_fault(scope, XDS_AT(at, "requestHashHeader"),
                     xds_lb_quoted(scope, "invalid header name", header->text));
}

const struct xds_lb_schema xds_lb_ring_hash_config = {
    XDS_LB_FIELDS(
        F("minRingSize", UINT64, C_GO_JAVA, 0), F("maxRingSize", UINT64, C_GO_JAVA, 0),
        GUARDED("requestHashHeader", STRING, C_ONLY | XDS_JAVA,
                XDS_ENV_RING_HASH_SET_REQUEST_HASH_KEY),
        DATED("requestHashHeader", STRING, XDS_GO, XDS_DIFF_LB_HASH_HEADER_UNKNOWN)),
    XDS_LB_BOUNDS({"minRingSize", NULL, C_ONLY, 1, MAX, RING_SIZES},
                  {"maxRingSize", NULL, C_ONLY, 1, MAX, RING_SIZES},
                  {"minRingSize", NULL, XDS_GO, 0, MAX, RING_SIZES},
                  {"maxRingSize", NULL, XDS_GO, 0, MAX, RING_SIZES},
                  {"minRingSize", NULL, XDS_JAVA, 1, DBL_MAX, RING_SIZES},
                  {"maxRingSize", NULL, XDS_JAVA, 1, DBL_MAX, RING_SIZES}),
    .check = check_ring_hash};

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

static void check_wrr(struct xds_lb_scope *scope, const struct xds_path *at,
                      const struct xds_tree *config)
{
    static const char key[] = "metricNamesForComputingUtilization";
    const struct xds_tree *names = xds_lb_member(scope, config, key);
    const struct xds_lb_judge *judge = scope->judge;

    if (!names || names->kind != XDS_TREE_ARRAY ||
        xds_lb_differs(scope, XDS_DIFF_LB_METRICS_UNCHECKED) ||
        !xds_env_on(judge->options, XDS_ENV_WRR_CUSTOM_METRICS, judge->client))
        return;
    /* A list with another fault has no names. */
    for (size_t i = 0; i < names->n; i++)
        if (names->items[i].kind != XDS_TREE_STRING)
            return;
    for (size_t i = 0; i < names->n; i++)
        if (!is_known_metric(names->items[i].text))
            xds_lb_fault(
                scope, XDS_AT_I(at, key, i),
                xds_lb_quoted(scope, "unsupported metric name", names->items[i].text));
}

static const struct xds_lb_schema weighted_round_robin = {
    XDS_LB_FIELDS(F("enableOobLoadReport", BOOL, C_GO_JAVA, 0),
                  F("oobReportingPeriod", DURATION, C_GO_JAVA, 0),
                  F("blackoutPeriod", DURATION, C_GO_JAVA, 0),
                  F("weightUpdatePeriod", DURATION, C_GO_JAVA, 0),
                  F("weightExpirationPeriod", DURATION, C_GO_JAVA, 0),
                  F("errorUtilizationPenalty", FLOAT, C_GO_JAVA, 0),
                  GUARDED("metricNamesForComputingUtilization", STRINGS, C_ONLY,
                          XDS_ENV_WRR_CUSTOM_METRICS),
                  DATED("metricNamesForComputingUtilization", STRINGS, XDS_JAVA,
                        XDS_DIFF_LB_METRICS_UNREAD),
                  F("enable_oob_load_report", BOOL, XDS_NODE, 0),
                  F("oob_load_reporting_period", DURATION, XDS_NODE, 0),
                  F("blackout_period", DURATION, XDS_NODE, 0),
                  F("weight_update_period", DURATION, XDS_NODE, 0),
                  F("weight_expiration_period", DURATION, XDS_NODE, 0),
                  F("error_utilization_penalty", FLOAT, XDS_NODE, 0)),
    XDS_LB_BOUNDS(
        {"errorUtilizationPenalty", NULL, C_GO, 0, (double)INFINITY, NOT_NEGATIVE},
        {"error_utilization_penalty", NULL, XDS_NODE, 0, DBL_MAX, NOT_NEGATIVE}),
    .check = check_wrr};

static const struct xds_lb_schema least_request = {
    XDS_LB_FIELDS(F("choiceCount", UINT32, GO_JAVA, 0)),
    XDS_LB_BOUNDS({"choiceCount", NULL, GO_JAVA, 2, DBL_MAX, "must be at least 2"})};

static const struct xds_lb_schema node_ring_hash = {
    XDS_LB_FIELDS(F("min_ring_size", UINT64, XDS_NODE, 0),
                  F("max_ring_size", UINT64, XDS_NODE, 0)),
    XDS_LB_BOUNDS(
        {"min_ring_size", NULL, XDS_NODE, -DBL_MAX, MAX, "must be at most 8388608"},
        {"max_ring_size", NULL, XDS_NODE, -DBL_MAX, MAX, "must be at most 8388608"})};

/* ---- policies around one child ---- */

static const struct xds_lb_schema locality = {
    XDS_LB_FIELDS(F("childPolicy", POLICIES, C_GO_JAVA, C_GO_JAVA),
                  F("child_policy", LIST, XDS_NODE, XDS_NODE))};

static const struct xds_lb_schema drop_category = {XDS_LB_FIELDS(
    F("Category", STRING, XDS_GO, 0), F("RequestsPerMillion", UINT32, XDS_GO, 0))};

static const struct xds_lb_field cluster_impl_fields[] = {
    DATED("edsServiceName", STRING, XDS_GO, XDS_DIFF_LB_CLUSTER_IMPL_BARE),
    DATED("maxConcurrentRequests", UINT32, XDS_GO, XDS_DIFF_LB_CLUSTER_IMPL_BARE),
    DATED_OBJECTS("dropCategories", XDS_GO, XDS_DIFF_LB_CLUSTER_IMPL_BARE,
                  &drop_category),
    F("clusterName", STRING, C_ONLY, C_ONLY),
    F("cluster", STRING, XDS_GO | XDS_NODE, XDS_NODE),
    F("childPolicy", POLICIES, C_GO, C_ONLY),
    F("child_policy", POLICIES, XDS_NODE, XDS_NODE),
};

/* A name or the number of it in the message of gRFC A55. */
static bool is_override_status(const struct xds_tree *value)
{
    static const struct {
        const char *name;
        double number;
    } statuses[] = {{"UNKNOWN", 0}, {"HEALTHY", 1}, {"DRAINING", 3}};

    for (size_t i = 0; i < XDS_ARRAY_LEN(statuses); i++)
        if (value->kind == XDS_TREE_STRING
                ? xds_slice_is(value->text, statuses[i].name)
                : value->kind == XDS_TREE_NUMBER && value->number == statuses[i].number)
            return true;
    return false;
}

/* No client reads the set from JSON, core has it from the cluster. */
static void check_override_statuses(struct xds_lb_scope *scope, const struct xds_path *at,
                                    const struct xds_tree *config)
{
    const struct xds_tree *list = xds_lb_member(scope, config, "overrideHostStatus");

    if (!list || !(XDS_GRFC >> scope->judge->client & 1u))
        return;
    if (list->kind != XDS_TREE_ARRAY)
        xds_lb_fault(scope, XDS_AT(at, "overrideHostStatus"), XDS_S("is not an array"));
    for (size_t i = 0; list->kind == XDS_TREE_ARRAY && i < list->n; i++)
        if (!is_override_status(&list->items[i]))
            xds_lb_fault(scope, XDS_AT_I(at, "overrideHostStatus", i),
                         XDS_S("must be UNKNOWN, HEALTHY or DRAINING"));
}

static const struct xds_lb_schema override_host = {
    XDS_LB_FIELDS(F("clusterName", STRING, C_ONLY, XDS_CORE),
                  F("childPolicy", POLICIES, C_ONLY, C_ONLY)),
    .check = check_override_statuses};

static void check_drops(struct xds_lb_scope *scope, const struct xds_path *at,
                        const struct xds_tree *config)
{
    static const struct {
        const char *field;
        unsigned clients;
    } required[] = {
        {"dropCategories", C_ONLY},
        {"drop_categories", XDS_NODE},
        {"eds_service_name", XDS_NODE},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(required); i++)
        if ((required[i].clients >> scope->judge->client & 1u) &&
            xds_lb_differs(scope, XDS_DIFF_LB_DROPS_REQUIRED) &&
            !xds_lb_member(scope, config, required[i].field))
            xds_lb_fault(scope, XDS_AT(at, required[i].field),
                         XDS_S("field not present"));
}

static const struct xds_lb_schema cluster_impl = {.fields = cluster_impl_fields,
                                                  .n_fields =
                                                      XDS_ARRAY_LEN(cluster_impl_fields),
                                                  .check = check_drops};

static const struct xds_lb_schema random_subsetting = {
    XDS_LB_FIELDS(F("subsetSize", UINT32, XDS_GO, XDS_GO),
                  F("subsetSize", INT64, XDS_JAVA, XDS_JAVA),
                  F("childPolicy", POLICIES, GO_JAVA, GO_JAVA)),
    XDS_LB_BOUNDS({"subsetSize", NULL, GO_JAVA, 1, DBL_MAX, "must be greater than 0"})};

static const struct xds_lb_schema grpclb = {XDS_LB_FIELDS(
    F("serviceName", STRING, C_GO_JAVA, 0), F("childPolicy", POLICIES, C_GO_JAVA, 0))};

static const struct xds_lb_schema cds = {
    XDS_LB_FIELDS(F("cluster", STRING, XDS_ALL_CLIENTS, XDS_ALL_CLIENTS & ~XDS_GO),
                  DATED("isDynamic", BOOL, C_GO, XDS_DIFF_LB_CDS_DYNAMIC_UNREAD)),
    XDS_LB_BOUNDS({"cluster", NULL, XDS_JAVA, 1, DBL_MAX, NOT_EMPTY})};

/* ---- weighted_target, cluster_manager ---- */

static const struct xds_lb_schema target = {
    XDS_LB_FIELDS(F("weight", UINT32, XDS_ALL_CLIENTS, XDS_ALL_CLIENTS & ~XDS_GO),
                  F("childPolicy", POLICIES, C_GO_JAVA, C_ONLY | XDS_JAVA),
                  F("child_policy", POLICIES, XDS_NODE, XDS_NODE)),
    XDS_LB_BOUNDS({"weight", NULL, XDS_JAVA, 1, DBL_MAX, "must be greater than 0"})};

static const struct xds_lb_schema weighted_target = {
    XDS_LB_FIELDS(
        OF("targets", MAP, XDS_ALL_CLIENTS, XDS_ALL_CLIENTS & ~XDS_GO, &target)),
    XDS_LB_BOUNDS({"targets", NULL, XDS_JAVA, 1, DBL_MAX, NOT_EMPTY})};

static const struct xds_lb_schema child = {
    XDS_LB_FIELDS(F("childPolicy", POLICIES, C_GO, C_ONLY),
                  F("child_policy", POLICIES, XDS_NODE, XDS_NODE))};

static const struct xds_lb_schema java_child = {
    XDS_LB_FIELDS(F("lbPolicy", POLICIES, XDS_JAVA, XDS_JAVA))};

static const struct xds_lb_schema cluster_manager = {
    XDS_LB_FIELDS(OF("children", MAP, C_GO | XDS_NODE, C_ONLY | XDS_NODE, &child),
                  OF("childPolicy", MAP, XDS_JAVA, XDS_JAVA, &java_child)),
    XDS_LB_BOUNDS({"childPolicy", NULL, XDS_JAVA, 1, DBL_MAX, NOT_EMPTY})};

/* ---- priority ---- */

static const struct xds_lb_schema priority_child = {
    XDS_LB_FIELDS(F("config", POLICIES, C_GO | XDS_NODE, C_ONLY | XDS_NODE),
                  F("ignore_reresolution_requests", BOOL, C_ONLY | XDS_NODE, XDS_NODE),
                  F("ignoreReresolutionRequests", BOOL, XDS_GO, 0))};

static const struct xds_lb_field priority_fields[] = {
    OF("children", MAP, C_GO | XDS_NODE, C_ONLY | XDS_NODE, &priority_child),
    F("priorities", STRINGS, C_GO | XDS_NODE, C_ONLY | XDS_NODE),
};
/* node compares no names. */
static const struct xds_lb_schema node_priority = {
    .fields = priority_fields, .n_fields = XDS_ARRAY_LEN(priority_fields)};

/* "x, y" of sorted names, each once, and no more than a message may hold. */
static struct xds_slice join(struct xds_arena *arena, struct xds_slice *names, size_t n)
{
    struct xds_slice text = XDS_S("");
    size_t shown = 0;

    qsort(names, n, sizeof *names, xds_slice_order);
    for (size_t i = 0; i < n && shown < XDS_MAX_ERRORS_PER_MESSAGE; i++) {
        if (i > 0 && xds_slice_eq(names[i], names[i - 1]))
            continue;
        text = xds_arena_printf(arena, "%.*s%s%.*s", XDS_FMT(text), shown ? ", " : "",
                                XDS_FMT(names[i]));
        shown++;
    }
    return text;
}

/* The names of `wanted` that are not in `known`; *n of them. */
static struct xds_slice *missing(struct xds_arena *arena, const struct xds_strmap *known,
                                 const struct xds_slice *wanted, size_t n_wanted,
                                 size_t *n)
{
    struct xds_slice *names = XDS_NEW_ARRAY(arena, struct xds_slice, n_wanted);

    *n = 0;
    for (size_t i = 0; i < n_wanted; i++)
        if (!xds_strmap_get(known, wanted[i]))
            names[(*n)++] = wanted[i];
    return names;
}

/* The keys of an object, or the strings of an array: "" where something else is. */
struct names {
    struct xds_slice *list;
    size_t n;
    struct xds_strmap set;
};

static struct names names_of(struct xds_arena *arena, const struct xds_tree *value,
                             enum xds_tree_kind kind)
{
    struct names out = {.n = 0};

    xds_strmap_init(&out.set, arena);
    if (!value || value->kind != kind)
        return out;
    out.list = XDS_NEW_ARRAY(arena, struct xds_slice, value->n);
    for (size_t i = 0; i < value->n; i++) {
        const struct xds_tree *item = &value->items[i];

        if (kind == XDS_TREE_OBJECT)
            out.list[out.n] = item->key;
        else
            out.list[out.n] = item->kind == XDS_TREE_STRING ? item->text : XDS_S("");
        *xds_strmap_at(&out.set, out.list[out.n]) = out.list;
        out.n++;
    }
    return out;
}

static void check_priorities(struct xds_lb_scope *scope, const struct xds_path *at,
                             const struct xds_tree *config)
{
    struct xds_arena *arena = scope->judge->arena;
    const struct names children =
        names_of(arena, xds_lb_member(scope, config, "children"), XDS_TREE_OBJECT);
    const struct names priorities =
        names_of(arena, xds_lb_member(scope, config, "priorities"), XDS_TREE_ARRAY);
    size_t n;
    struct xds_slice *names =
        missing(arena, &children.set, priorities.list, priorities.n, &n);

    if (n > 0)
        xds_lb_fault(scope, at,
                     xds_arena_printf(arena, "unknown priorit(ies): [%.*s]",
                                      XDS_FMT(join(arena, names, n))));
    if (!xds_lb_differs(scope, XDS_DIFF_LB_PRIORITY_CHILD_USED))
        return;
    names = missing(arena, &priorities.set, children.list, children.n, &n);
    if (n > 0)
        xds_lb_fault(scope, XDS_AT(at, "children"),
                     xds_arena_printf(arena, "not in priorities: [%.*s]",
                                      XDS_FMT(join(arena, names, n))));
}

static const struct xds_lb_schema priority = {.fields = priority_fields,
                                              .n_fields = XDS_ARRAY_LEN(priority_fields),
                                              .check = check_priorities};

/* ---- policies that a config cannot name ---- */

static void refuse(struct xds_lb_scope *scope, const struct xds_path *at,
                   const struct xds_tree *config)
{
    (void)config;
    if (!scope->judge->observer) /* which is given what the client makes itself, too */
        xds_lb_fault(scope, at, XDS_S("cannot be used from service config"));
}

static const struct xds_lb_schema internal = {.check = refuse};

/* ---- names ---- */

/* Sorted by name. The title is that in the text of faults. */
static const struct xds_lb_row rows[] = {
    {"cds", XDS_NODE, XDS_LB_OTHER, "cds", &cds},
    {"cds_experimental", C_GO_JAVA, XDS_LB_OTHER, "cds", &cds},
    {"cluster_impl_experimental", XDS_JAVA, XDS_LB_OTHER, "cluster_impl", &internal},
    {"cluster_manager_experimental", XDS_JAVA, XDS_LB_OTHER, "cluster_manager",
     &cluster_manager},
    {"grpclb", C_GO_JAVA, XDS_LB_OTHER, "grpclb", &grpclb},
    {"least_request_experimental", GO_JAVA, XDS_LB_LEAST_REQUEST, "least_request",
     &least_request},
    {"outlier_detection", XDS_NODE, XDS_LB_OTHER, "outlier_detection",
     &node_outlier_detection},
    {"outlier_detection_experimental", C_GO_JAVA, XDS_LB_OTHER, "outlier_detection",
     &xds_lb_outlier_detection},
    {"pick_first", XDS_ALL_CLIENTS, XDS_LB_PICK_FIRST, "pick_first", &pick_first},
    {"priority", XDS_NODE, XDS_LB_OTHER, "priority", &node_priority},
    {"priority_experimental", C_GO, XDS_LB_OTHER, "priority", &priority},
    {"priority_experimental", XDS_JAVA, XDS_LB_OTHER, "priority", &internal},
    {"random_subsetting_experimental", GO_JAVA, XDS_LB_OTHER, "random_subsetting",
     &random_subsetting},
    {"ring_hash", XDS_NODE, XDS_LB_RING_HASH, "ring_hash", &node_ring_hash},
    {"ring_hash_experimental", C_GO_JAVA, XDS_LB_RING_HASH, "ring_hash",
     &xds_lb_ring_hash_config},
    {"rls_experimental", C_GO_JAVA, XDS_LB_OTHER, "RLS", &xds_lb_schema_rls},
    {"round_robin", XDS_ALL_CLIENTS, XDS_LB_ROUND_ROBIN, NULL, NULL},
    {"weighted_round_robin", XDS_ALL_CLIENTS, XDS_LB_WEIGHTED_ROUND_ROBIN,
     "weighted_round_robin", &weighted_round_robin},
    {"weighted_round_robin_experimental", C_GO_JAVA, XDS_LB_WEIGHTED_ROUND_ROBIN,
     "weighted_round_robin", &weighted_round_robin},
    {"weighted_target", XDS_NODE, XDS_LB_OTHER, "weighted_target", &weighted_target},
    {"weighted_target_experimental", C_GO_JAVA, XDS_LB_OTHER, "weighted_target",
     &weighted_target},
    {"wrr_locality_experimental", XDS_JAVA, XDS_LB_OTHER, "wrr_locality", &locality},
    {"xds_cluster_impl", XDS_NODE, XDS_LB_OTHER, "xds_cluster_impl", &cluster_impl},
    {"xds_cluster_impl_experimental", C_GO, XDS_LB_OTHER, "xds_cluster_impl",
     &cluster_impl},
    {"xds_cluster_manager", XDS_NODE, XDS_LB_OTHER, "xds_cluster_manager",
     &cluster_manager},
    {"xds_cluster_manager_experimental", C_GO, XDS_LB_OTHER, "xds_cluster_manager",
     &cluster_manager},
    {"xds_override_host_experimental", C_ONLY, XDS_LB_OTHER, "xds_override_host",
     &override_host},
    {"xds_wrr_locality", XDS_NODE, XDS_LB_OTHER, "xds_wrr_locality", &locality},
    {"xds_wrr_locality_experimental", C_GO, XDS_LB_OTHER, "xds_wrr_locality", &locality},
};

/* Names that come and go: those who differ lack one, or have a former one alone. */
static const struct {
    const char *name;
    enum xds_difference differs;
    bool former;
} dated_names[] = {
    {"least_request_experimental", XDS_DIFF_LB_LEAST_REQUEST_NAMELESS, false},
    {"random_subsetting_experimental", XDS_DIFF_LB_SUBSETTING_NAMELESS, false},
    {"weighted_round_robin", XDS_DIFF_LB_WRR_MISSING, false},
    {"weighted_round_robin", XDS_DIFF_LB_WRR_NAMELESS, false},
    {"weighted_round_robin_experimental", XDS_DIFF_LB_WRR_MISSING, false},
    {"weighted_round_robin_experimental", XDS_DIFF_LB_WRR_NAMELESS, true},
};

/* What some clients have only if their program links it, or a variable does not switch it
 * off. */
static const struct condition {
    const char *name;
    unsigned linked_by;
    enum xds_part part;
    bool guarded;
    enum xds_env guard;
    bool dated; /* those that differ in `always` have it without being asked */
    enum xds_difference always;
} conditions[] = {
    {"grpclb", GO_JAVA, XDS_PART_GRPCLB, false, 0, true, XDS_DIFF_LB_GRPCLB_ALWAYS},
    {"random_subsetting_experimental", XDS_GO, XDS_PART_RANDOM_SUBSETTING, false, 0,
     false, 0},
    {"ring_hash", 0, 0, true, XDS_ENV_ENABLE_RING_HASH, false, 0},
    {"ring_hash_experimental", 0, 0, true, XDS_ENV_ENABLE_RING_HASH, true,
     XDS_DIFF_LB_RING_HASH_ALWAYS},
    {"rls_experimental", GO_JAVA, XDS_PART_RLS, false, 0, false, 0},
};

static unsigned having_always(const struct xds_options *options,
                              const struct condition *c)
{
    unsigned clients = 0;

    for (enum xds_client client = 0; c->dated && client < XDS_CLIENTS; client++)
        if (xds_differs(options, client, c->always))
            clients |= XDS_CLIENT_BIT(client);
    return clients;
}

static unsigned clients_of(const struct xds_options *options,
                           const struct xds_lb_row *row)
{
    unsigned clients = row->clients;

    for (size_t i = 0; i < XDS_ARRAY_LEN(conditions); i++) {
        const struct condition *c = &conditions[i];

        if (strcmp(c->name, row->name) != 0)
            continue;
        if (c->linked_by && !xds_part_linked(options, c->part))
            clients &= ~c->linked_by | having_always(options, c);
        if (c->guarded)
            clients &= xds_env_mask(options, c->guard) | having_always(options, c);
    }
    return clients;
}

/* Does the client at its release have the name, if it has the policy? */
static bool has_name(const struct xds_options *options, enum xds_client client,
                     const struct xds_lb_row *row)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(dated_names); i++)
        if (strcmp(row->name, dated_names[i].name) == 0 &&
            xds_differs(options, client, dated_names[i].differs) != dated_names[i].former)
            return false;
    return true;
}

static bool is_named(const struct xds_options *options, enum xds_client client,
                     const struct xds_lb_row *row, struct xds_slice name)
{
    const bool folds = xds_differs(options, client, XDS_DIFF_LB_NAMES_BY_VARIABLE) &&
                       !xds_env_on(options, XDS_ENV_CASE_SENSITIVE_BALANCERS, client);

    return (folds ? xds_slice_eq_fold(name, xds_slice_of(row->name))
                  : xds_slice_is(name, row->name)) &&
           has_name(options, client, row);
}

const struct xds_lb_row *xds_lb_row_of(const struct xds_lb_judge *judge,
                                       struct xds_slice name)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++)
        if (is_named(judge->options, judge->client, &rows[i], name) &&
            (clients_of(judge->options, &rows[i]) >> judge->client & 1u))
            return &rows[i];
    return NULL;
}

unsigned xds_lb_registered(const struct xds_options *options, struct xds_slice name,
                           enum xds_lb_kind *kind)
{
    unsigned clients = 0;

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++)
        for (enum xds_client client = 0; client < XDS_CLIENTS; client++)
            if (is_named(options, client, &rows[i], name) &&
                (clients_of(options, &rows[i]) >> client & 1u)) {
                *kind = rows[i].kind;
                clients |= XDS_CLIENT_BIT(client);
            }
    return clients;
}
