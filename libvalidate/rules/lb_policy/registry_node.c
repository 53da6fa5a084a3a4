/*
 * registry_node.c - what grpc-node's policies ask of their JSON, whose fields have names
 *                   of their own.
 *
 * Takes:  nothing; these are tables.
 * Gives:  schemas for node alone.
 * Source: spec cluster 1.7/14, 1.7/24, 1.7/40.
 */
#include "rules/lb_policy/registry_schema.h"

#define PERCENT "value must be <= 100"

static const struct xds_lb_field child_fields[] = {
    {.name = "child_policy",
     .kind = XDS_LB_FIELD_POLICIES,
     .readers = XDS_NODE,
     .required_by = XDS_NODE},
};
const struct xds_lb_schema xds_lb_schema_node_child = {XDS_LB_FIELDS(child_fields)};

static const struct xds_lb_field cds_fields[] = {
    {.name = "cluster",
     .kind = XDS_LB_FIELD_STRING,
     .readers = XDS_NODE,
     .required_by = XDS_NODE},
};
const struct xds_lb_schema xds_lb_schema_node_cds = {XDS_LB_FIELDS(cds_fields)};

static const struct xds_lb_field cluster_impl_fields[] = {
    {.name = "cluster",
     .kind = XDS_LB_FIELD_STRING,
     .readers = XDS_NODE,
     .required_by = XDS_NODE},
    {.name = "child_policy",
     .kind = XDS_LB_FIELD_POLICIES,
     .readers = XDS_NODE,
     .required_by = XDS_NODE},
};
const struct xds_lb_schema xds_lb_schema_node_cluster_impl = {
    XDS_LB_FIELDS(cluster_impl_fields)};

static const struct xds_lb_field cluster_manager_fields[] = {
    {.name = "children",
     .kind = XDS_LB_FIELD_MAP,
     .readers = XDS_NODE,
     .required_by = XDS_NODE,
     .schema = &xds_lb_schema_node_child},
};
const struct xds_lb_schema xds_lb_schema_node_cluster_manager = {
    XDS_LB_FIELDS(cluster_manager_fields)};

static const struct xds_lb_field ring_hash_fields[] = {
    {.name = "min_ring_size", .kind = XDS_LB_FIELD_UINT64, .readers = XDS_NODE},
    {.name = "max_ring_size", .kind = XDS_LB_FIELD_UINT64, .readers = XDS_NODE},
};
const struct xds_lb_schema xds_lb_schema_node_ring_hash = {
    XDS_LB_FIELDS(ring_hash_fields)};

/* ---- outlier_detection ---------------------------------------------------------------
 */

static const struct xds_lb_field ejection_fields[] = {
    {.name = "enforcement_percentage", .kind = XDS_LB_FIELD_UINT32, .readers = XDS_NODE},
    {.name = "threshold", .kind = XDS_LB_FIELD_UINT32, .readers = XDS_NODE},
};
static const struct xds_lb_bound ejection_bounds[] = {
    {"enforcement_percentage", NULL, XDS_NODE, 0, 100, PERCENT},
    {"threshold", NULL, XDS_NODE, 0, 100, PERCENT},
};
static const struct xds_lb_schema ejection = {XDS_LB_FIELDS(ejection_fields),
                                              XDS_LB_BOUNDS(ejection_bounds)};

static const struct xds_lb_field outlier_detection_fields[] = {
    {.name = "max_ejection_percent", .kind = XDS_LB_FIELD_UINT32, .readers = XDS_NODE},
    {.name = "success_rate_ejection",
     .kind = XDS_LB_FIELD_OBJECT,
     .readers = XDS_NODE,
     .schema = &ejection},
    {.name = "failure_percentage_ejection",
     .kind = XDS_LB_FIELD_OBJECT,
     .readers = XDS_NODE,
     .schema = &ejection},
    {.name = "child_policy",
     .kind = XDS_LB_FIELD_POLICIES,
     .readers = XDS_NODE,
     .required_by = XDS_NODE},
};
static const struct xds_lb_bound outlier_detection_bounds[] = {
    {"max_ejection_percent", NULL, XDS_NODE, 0, 100, PERCENT},
};
const struct xds_lb_schema xds_lb_schema_node_outlier_detection = {
    XDS_LB_FIELDS(outlier_detection_fields), XDS_LB_BOUNDS(outlier_detection_bounds)};

/* ---- priority, weighted_target
 * --------------------------------------------------------- */

static const struct xds_lb_field priority_child_fields[] = {
    {.name = "config",
     .kind = XDS_LB_FIELD_POLICIES,
     .readers = XDS_NODE,
     .required_by = XDS_NODE},
    {.name = "ignore_reresolution_requests",
     .kind = XDS_LB_FIELD_BOOL,
     .readers = XDS_NODE,
     .required_by = XDS_NODE},
};
static const struct xds_lb_schema priority_child = {XDS_LB_FIELDS(priority_child_fields)};

static const struct xds_lb_field priority_fields[] = {
    {.name = "children",
     .kind = XDS_LB_FIELD_MAP,
     .readers = XDS_NODE,
     .required_by = XDS_NODE,
     .schema = &priority_child},
    {.name = "priorities",
     .kind = XDS_LB_FIELD_STRINGS,
     .readers = XDS_NODE,
     .required_by = XDS_NODE},
};
const struct xds_lb_schema xds_lb_schema_node_priority = {XDS_LB_FIELDS(priority_fields)};

static const struct xds_lb_field target_fields[] = {
    {.name = "weight",
     .kind = XDS_LB_FIELD_UINT32,
     .readers = XDS_NODE,
     .required_by = XDS_NODE},
    {.name = "child_policy",
     .kind = XDS_LB_FIELD_POLICIES,
     .readers = XDS_NODE,
     .required_by = XDS_NODE},
};
static const struct xds_lb_schema target = {XDS_LB_FIELDS(target_fields)};

static const struct xds_lb_field weighted_target_fields[] = {
    {.name = "targets",
     .kind = XDS_LB_FIELD_MAP,
     .readers = XDS_NODE,
     .required_by = XDS_NODE,
     .schema = &target},
};
const struct xds_lb_schema xds_lb_schema_node_weighted_target = {
    XDS_LB_FIELDS(weighted_target_fields)};
