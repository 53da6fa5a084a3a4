/*
 * registry_outlier.c - what outlier_detection asks of its JSON.
 *
 * Source: spec cluster 1.7; gRFC A50.
 */
#include <float.h>

#include "rules/lb_policy/registry_schema.h"

#define NOT_NEGATIVE "must be non-negative"
#define PERCENT "value must be <= 100"

static const struct xds_lb_field success_rate_fields[] = {
    F("stdevFactor", UINT32, C_GO_JAVA, 0),
    F("enforcementPercentage", UINT32, C_GO_JAVA, 0),
    F("minimumHosts", UINT32, C_GO_JAVA, 0),
    F("requestVolume", UINT32, C_GO_JAVA, 0),
};
static const struct xds_lb_bound success_rate_bounds[] = {
    {"minimumHosts", NULL, XDS_JAVA, 0, DBL_MAX, NOT_NEGATIVE},
    {"requestVolume", NULL, XDS_JAVA, 0, DBL_MAX, NOT_NEGATIVE},
    {"enforcementPercentage", "enforcement_percentage", C_GO_JAVA, 0, 100, PERCENT},
};
static const struct xds_lb_schema success_rate = {XDS_LB_FIELDS(success_rate_fields),
                                                  XDS_LB_BOUNDS(success_rate_bounds),
                                                  .bounds_throw = true};

static const struct xds_lb_field failure_percentage_fields[] = {
    F("threshold", UINT32, C_GO_JAVA, 0),
    F("enforcementPercentage", UINT32, C_GO_JAVA, 0),
    F("minimumHosts", UINT32, C_GO_JAVA, 0),
    F("requestVolume", UINT32, C_GO_JAVA, 0),
};
static const struct xds_lb_bound failure_percentage_bounds[] = {
    {"minimumHosts", NULL, XDS_JAVA, 0, DBL_MAX, NOT_NEGATIVE},
    {"requestVolume", NULL, XDS_JAVA, 0, DBL_MAX, NOT_NEGATIVE},
    {"enforcementPercentage", "enforcement_percentage", C_GO_JAVA, 0, 100, PERCENT},
    {"threshold", NULL, C_GO_JAVA, 0, 100, PERCENT},
};
static const struct xds_lb_schema failure_percentage = {
    XDS_LB_FIELDS(failure_percentage_fields), XDS_LB_BOUNDS(failure_percentage_bounds),
    .bounds_throw = true};

/* node */
static const struct xds_lb_field node_success_fields[] = {
    F("stdev_factor", UINT32, XDS_NODE, 0),
    F("enforcement_percentage", UINT32, XDS_NODE, 0),
    F("minimum_hosts", UINT32, XDS_NODE, 0),
    F("request_volume", UINT32, XDS_NODE, 0),
};
static const struct xds_lb_bound node_success_bounds[] = {
    {"enforcement_percentage", NULL, XDS_NODE, 0, 100, PERCENT},
};
static const struct xds_lb_schema node_success = {XDS_LB_FIELDS(node_success_fields),
                                                  XDS_LB_BOUNDS(node_success_bounds)};

static const struct xds_lb_field node_failure_fields[] = {
    F("threshold", UINT32, XDS_NODE, 0),
    F("enforcement_percentage", UINT32, XDS_NODE, 0),
    F("minimum_hosts", UINT32, XDS_NODE, 0),
    F("request_volume", UINT32, XDS_NODE, 0),
};
static const struct xds_lb_bound node_failure_bounds[] = {
    {"threshold", NULL, XDS_NODE, 0, 100, PERCENT},
    {"enforcement_percentage", NULL, XDS_NODE, 0, 100, PERCENT},
};
static const struct xds_lb_schema node_failure = {XDS_LB_FIELDS(node_failure_fields),
                                                  XDS_LB_BOUNDS(node_failure_bounds)};

static const struct xds_lb_field node_outlier_fields[] = {
    F("interval", SECONDS_NANOS, XDS_NODE, 0),
    F("base_ejection_time", SECONDS_NANOS, XDS_NODE, 0),
    F("max_ejection_time", SECONDS_NANOS, XDS_NODE, 0),
    F("max_ejection_percent", UINT32, XDS_NODE, 0),
    OF("success_rate_ejection", OBJECT, XDS_NODE, 0, &node_success),
    OF("failure_percentage_ejection", OBJECT, XDS_NODE, 0, &node_failure),
    F("child_policy", POLICIES, XDS_NODE, XDS_NODE),
};
static const struct xds_lb_bound node_outlier_bounds[] = {
    {"max_ejection_percent", NULL, XDS_NODE, 0, 100, PERCENT},
};

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

const struct xds_lb_schema xds_lb_node_outlier_detection = {
    XDS_LB_FIELDS(node_outlier_fields), XDS_LB_BOUNDS(node_outlier_bounds),
    .check = check_node_outlier};

static const struct xds_lb_field outlier_detection_fields[] = {
    F("interval", DURATION, C_GO_JAVA, 0),
    F("baseEjectionTime", DURATION, C_GO_JAVA, 0),
    F("maxEjectionTime", DURATION, C_GO_JAVA, 0),
    F("maxEjectionPercent", UINT32, C_GO, 0),
    F("maxEjectionPercentage", UINT32, XDS_JAVA, 0),
    OF("successRateEjection", OBJECT, C_GO_JAVA, 0, &success_rate),
    OF("failurePercentageEjection", OBJECT, C_GO_JAVA, 0, &failure_percentage),
    F("childPolicy", POLICIES, C_GO_JAVA, C_ONLY | XDS_JAVA),
};
static const struct xds_lb_bound outlier_detection_bounds[] = {
    {"maxEjectionPercent", "max_ejection_percent", C_GO, 0, 100, PERCENT},
    {"interval", NULL, XDS_GO, 0, DBL_MAX, NOT_NEGATIVE},
    {"baseEjectionTime", NULL, XDS_GO, 0, DBL_MAX, NOT_NEGATIVE},
    {"maxEjectionTime", NULL, XDS_GO, 0, DBL_MAX, NOT_NEGATIVE},
};
const struct xds_lb_schema xds_lb_outlier_detection = {
    XDS_LB_FIELDS(outlier_detection_fields), XDS_LB_BOUNDS(outlier_detection_bounds)};
