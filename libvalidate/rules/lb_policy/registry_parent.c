/*
 * registry_parent.c - what the policies that have other policies below them ask of their
 *                     JSON.
 *
 * Takes:  nothing; these are tables, and the checks that no row of them can say.
 * Gives:  schemas for core, go and java.
 * Source: spec cluster 1.7; gRFC A50, A52, A55, A56, A68, A74.
 */
#include <float.h>

#include "rules/lb_policy/registry_schema.h"

#define PERCENT "value must be <= 100"

/* ---- policies around one child ------------------------------------------------------
 */

static const struct xds_lb_field child_fields[] = {
    {.name = "childPolicy",
     .kind = XDS_LB_FIELD_POLICIES,
     .readers = C_GO_JAVA,
     .required_by = C_GO_JAVA},
};
const struct xds_lb_schema xds_lb_schema_child = {XDS_LB_FIELDS(child_fields)};

static const struct xds_lb_field cluster_and_child_fields[] = {
    {.name = "clusterName",
     .kind = XDS_LB_FIELD_STRING,
     .readers = C_ONLY,
     .required_by = C_ONLY},
    {.name = "cluster", .kind = XDS_LB_FIELD_STRING, .readers = XDS_GO},
    {.name = "childPolicy",
     .kind = XDS_LB_FIELD_POLICIES,
     .readers = C_GO,
     .required_by = C_GO},
};
/* xds_cluster_impl_experimental and xds_override_host_experimental. */
const struct xds_lb_schema xds_lb_schema_cluster_and_child = {
    XDS_LB_FIELDS(cluster_and_child_fields)};

static const struct xds_lb_field random_subsetting_fields[] = {
    {.name = "subsetSize",
     .kind = XDS_LB_FIELD_UINT32,
     .readers = GO_JAVA,
     .required_by = GO_JAVA},
    {.name = "childPolicy",
     .kind = XDS_LB_FIELD_POLICIES,
     .readers = GO_JAVA,
     .required_by = GO_JAVA},
};
static const struct xds_lb_bound random_subsetting_bounds[] = {
    {"subsetSize", NULL, GO_JAVA, 1, DBL_MAX, "must be greater than 0"},
};
const struct xds_lb_schema xds_lb_schema_random_subsetting = {
    XDS_LB_FIELDS(random_subsetting_fields), XDS_LB_BOUNDS(random_subsetting_bounds)};

static const struct xds_lb_field grpclb_fields[] = {
    {.name = "serviceName", .kind = XDS_LB_FIELD_STRING, .readers = C_GO_JAVA},
    {.name = "childPolicy", .kind = XDS_LB_FIELD_POLICIES, .readers = C_GO_JAVA},
};
const struct xds_lb_schema xds_lb_schema_grpclb = {XDS_LB_FIELDS(grpclb_fields)};

static const struct xds_lb_field cds_fields[] = {
    {.name = "cluster",
     .kind = XDS_LB_FIELD_STRING,
     .readers = C_GO_JAVA,
     .required_by = C_GO_JAVA},
    {.name = "isDynamic", .kind = XDS_LB_FIELD_BOOL, .readers = C_GO_JAVA},
};
const struct xds_lb_schema xds_lb_schema_cds = {XDS_LB_FIELDS(cds_fields)};

/* ---- outlier_detection_experimental --------------------------------------------------
 */

static const struct xds_lb_field success_rate_fields[] = {
    {.name = "stdevFactor", .kind = XDS_LB_FIELD_UINT32, .readers = C_GO_JAVA},
    {.name = "enforcementPercentage", .kind = XDS_LB_FIELD_UINT32, .readers = C_GO_JAVA},
    {.name = "minimumHosts", .kind = XDS_LB_FIELD_UINT32, .readers = C_GO_JAVA},
    {.name = "requestVolume", .kind = XDS_LB_FIELD_UINT32, .readers = C_GO_JAVA},
};
static const struct xds_lb_bound success_rate_bounds[] = {
    {"enforcementPercentage", "enforcement_percentage", C_GO_JAVA, 0, 100, PERCENT},
};
static const struct xds_lb_schema success_rate = {XDS_LB_FIELDS(success_rate_fields),
                                                  XDS_LB_BOUNDS(success_rate_bounds)};

static const struct xds_lb_field failure_percentage_fields[] = {
    {.name = "threshold", .kind = XDS_LB_FIELD_UINT32, .readers = C_GO_JAVA},
    {.name = "enforcementPercentage", .kind = XDS_LB_FIELD_UINT32, .readers = C_GO_JAVA},
    {.name = "minimumHosts", .kind = XDS_LB_FIELD_UINT32, .readers = C_GO_JAVA},
    {.name = "requestVolume", .kind = XDS_LB_FIELD_UINT32, .readers = C_GO_JAVA},
};
static const struct xds_lb_bound failure_percentage_bounds[] = {
    {"enforcementPercentage", "enforcement_percentage", C_GO_JAVA, 0, 100, PERCENT},
    {"threshold", NULL, C_GO_JAVA, 0, 100, PERCENT},
};
static const struct xds_lb_schema failure_percentage = {
    XDS_LB_FIELDS(failure_percentage_fields), XDS_LB_BOUNDS(failure_percentage_bounds)};

static const struct xds_lb_field outlier_detection_fields[] = {
    {.name = "interval", .kind = XDS_LB_FIELD_DURATION, .readers = C_GO_JAVA},
    {.name = "baseEjectionTime", .kind = XDS_LB_FIELD_DURATION, .readers = C_GO_JAVA},
    {.name = "maxEjectionTime", .kind = XDS_LB_FIELD_DURATION, .readers = C_GO_JAVA},
    {.name = "maxEjectionPercent", .kind = XDS_LB_FIELD_UINT32, .readers = C_GO},
    {.name = "maxEjectionPercentage", .kind = XDS_LB_FIELD_UINT32, .readers = XDS_JAVA},
    {.name = "successRateEjection",
     .kind = XDS_LB_FIELD_OBJECT,
     .readers = C_GO_JAVA,
     .schema = &success_rate},
    {.name = "failurePercentageEjection",
     .kind = XDS_LB_FIELD_OBJECT,
     .readers = C_GO_JAVA,
     .schema = &failure_percentage},
    {.name = "childPolicy",
     .kind = XDS_LB_FIELD_POLICIES,
     .readers = C_GO_JAVA,
     .required_by = C_GO_JAVA},
};
static const struct xds_lb_bound outlier_detection_bounds[] = {
    {"maxEjectionPercent", "max_ejection_percent", C_GO, 0, 100, PERCENT},
    {"maxEjectionPercentage", NULL, XDS_JAVA, 0, 100, PERCENT},
    {"interval", NULL, GO_JAVA, 0, DBL_MAX, "must be non-negative"},
    {"baseEjectionTime", NULL, GO_JAVA, 0, DBL_MAX, "must be non-negative"},
    {"maxEjectionTime", NULL, GO_JAVA, 0, DBL_MAX, "must be non-negative"},
};
const struct xds_lb_schema xds_lb_schema_outlier_detection = {
    XDS_LB_FIELDS(outlier_detection_fields), XDS_LB_BOUNDS(outlier_detection_bounds)};

/* ---- policies around several children ------------------------------------------------
 */

static void check_not_empty(struct xds_lb_scope *scope, const struct xds_path *at,
                            const struct xds_tree *config, const char *key)
{
    const struct xds_tree *map = xds_tree_member(config, key);

    if (map && map->kind == XDS_TREE_OBJECT && map->n == 0 &&
        xds_lb_judged_by(scope, XDS_JAVA))
        xds_lb_fault(scope, XDS_AT(at, key), XDS_S("must be non-empty"));
}

static const struct xds_lb_field target_fields[] = {
    {.name = "weight",
     .kind = XDS_LB_FIELD_UINT32,
     .readers = C_GO_JAVA,
     .required_by = C_GO_JAVA},
    {.name = "childPolicy",
     .kind = XDS_LB_FIELD_POLICIES,
     .readers = C_GO_JAVA,
     .required_by = C_GO_JAVA},
};
static const struct xds_lb_bound target_bounds[] = {
    {"weight", NULL, XDS_JAVA, 1, DBL_MAX, "must be greater than 0"},
};
static const struct xds_lb_schema target = {XDS_LB_FIELDS(target_fields),
                                            XDS_LB_BOUNDS(target_bounds)};

static void check_targets(struct xds_lb_scope *scope, const struct xds_path *at,
                          const struct xds_tree *config)
{
    check_not_empty(scope, at, config, "targets");
}

static const struct xds_lb_field weighted_target_fields[] = {
    {.name = "targets",
     .kind = XDS_LB_FIELD_MAP,
     .readers = C_GO_JAVA,
     .required_by = C_GO_JAVA,
     .schema = &target},
};
const struct xds_lb_schema xds_lb_schema_weighted_target = {
    XDS_LB_FIELDS(weighted_target_fields), .check = check_targets};

static const struct xds_lb_field cluster_manager_fields[] = {
    {.name = "children",
     .kind = XDS_LB_FIELD_MAP,
     .readers = C_GO,
     .required_by = C_GO,
     .schema = &xds_lb_schema_child},
};
const struct xds_lb_schema xds_lb_schema_cluster_manager = {
    XDS_LB_FIELDS(cluster_manager_fields)};

static const struct xds_lb_field java_cluster_fields[] = {
    {.name = "lbPolicy",
     .kind = XDS_LB_FIELD_POLICIES,
     .readers = XDS_JAVA,
     .required_by = XDS_JAVA},
};
static const struct xds_lb_schema java_cluster = {XDS_LB_FIELDS(java_cluster_fields)};

static void check_clusters(struct xds_lb_scope *scope, const struct xds_path *at,
                           const struct xds_tree *config)
{
    check_not_empty(scope, at, config, "childPolicy");
}

static const struct xds_lb_field java_cluster_manager_fields[] = {
    {.name = "childPolicy",
     .kind = XDS_LB_FIELD_MAP,
     .readers = XDS_JAVA,
     .required_by = XDS_JAVA,
     .schema = &java_cluster},
};
const struct xds_lb_schema xds_lb_schema_java_cluster_manager = {
    XDS_LB_FIELDS(java_cluster_manager_fields), .check = check_clusters};

/* ---- priority_experimental -----------------------------------------------------------
 */

/* C-core alone spells the flag with underscores. */
static const struct xds_lb_field priority_child_fields[] = {
    {.name = "config",
     .kind = XDS_LB_FIELD_POLICIES,
     .readers = C_GO_JAVA,
     .required_by = C_GO_JAVA},
    {.name = "ignore_reresolution_requests",
     .kind = XDS_LB_FIELD_BOOL,
     .readers = C_ONLY},
    {.name = "ignoreReresolutionRequests",
     .kind = XDS_LB_FIELD_BOOL,
     .readers = XDS_GO | XDS_JAVA},
};
static const struct xds_lb_schema priority_child = {XDS_LB_FIELDS(priority_child_fields)};

static const struct xds_lb_field priority_fields[] = {
    {.name = "children",
     .kind = XDS_LB_FIELD_MAP,
     .readers = C_GO_JAVA,
     .required_by = C_GO_JAVA,
     .schema = &priority_child},
    {.name = "priorities",
     .kind = XDS_LB_FIELD_STRINGS,
     .readers = C_GO_JAVA,
     .required_by = C_GO_JAVA},
};
const struct xds_lb_schema xds_lb_schema_priority = {XDS_LB_FIELDS(priority_fields),
                                                     .check = xds_lb_priorities_check};
