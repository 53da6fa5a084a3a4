/*
 * registry_rows.c - the policies that each client has by name.
 *
 * Takes:  a policy's name.
 * Gives:  its row, and through that the schema of its JSON.
 * Source: spec cluster 1.7/40; gRFC A24.
 */
#include "rules/lb_policy/registry_schema.h"

#define HEADLINE(policy) "errors validating " policy " LB policy config"

/* Sorted by name. */
static const struct xds_lb_row rows[] = {
    {"cds", XDS_NODE, XDS_LB_OTHER, HEADLINE("cds"), &xds_lb_schema_node_cds},
    {"cds_experimental", C_GO_JAVA, XDS_LB_OTHER, HEADLINE("cds"), &xds_lb_schema_cds},
    {"cluster_impl_experimental", XDS_JAVA, XDS_LB_OTHER, NULL, NULL},
    {"cluster_manager_experimental", XDS_JAVA, XDS_LB_OTHER, HEADLINE("cluster_manager"),
     &xds_lb_schema_java_cluster_manager},
    {"grpclb", C_GO_JAVA, XDS_LB_OTHER, HEADLINE("grpclb"), &xds_lb_schema_grpclb},
    {"least_request_experimental", GO_JAVA, XDS_LB_LEAST_REQUEST,
     HEADLINE("least_request"), &xds_lb_schema_least_request},
    {"outlier_detection", XDS_NODE, XDS_LB_OTHER, HEADLINE("outlier_detection"),
     &xds_lb_schema_node_outlier_detection},
    {"outlier_detection_experimental", C_GO_JAVA, XDS_LB_OTHER,
     HEADLINE("outlier_detection"), &xds_lb_schema_outlier_detection},
    {"pick_first", XDS_ALL_CLIENTS, XDS_LB_PICK_FIRST, HEADLINE("pick_first"),
     &xds_lb_schema_pick_first},
    {"priority", XDS_NODE, XDS_LB_OTHER, HEADLINE("priority"),
     &xds_lb_schema_node_priority},
    {"priority_experimental", C_GO_JAVA, XDS_LB_OTHER, HEADLINE("priority"),
     &xds_lb_schema_priority},
    {"random_subsetting_experimental", GO_JAVA, XDS_LB_OTHER,
     HEADLINE("random_subsetting"), &xds_lb_schema_random_subsetting},
    {"ring_hash", XDS_NODE, XDS_LB_RING_HASH, HEADLINE("ring_hash"),
     &xds_lb_schema_node_ring_hash},
    {"ring_hash_experimental", C_GO_JAVA, XDS_LB_RING_HASH, HEADLINE("ring_hash"),
     &xds_lb_schema_ring_hash},
    {"rls_experimental", C_GO_JAVA, XDS_LB_OTHER, HEADLINE("RLS"), &xds_lb_schema_rls},
    {"round_robin", XDS_ALL_CLIENTS, XDS_LB_ROUND_ROBIN, NULL, NULL},
    {"weighted_round_robin", XDS_ALL_CLIENTS, XDS_LB_WEIGHTED_ROUND_ROBIN,
     HEADLINE("weighted_round_robin"), &xds_lb_schema_weighted_round_robin},
    {"weighted_target", XDS_NODE, XDS_LB_OTHER, HEADLINE("weighted_target"),
     &xds_lb_schema_node_weighted_target},
    {"weighted_target_experimental", C_GO_JAVA, XDS_LB_OTHER, HEADLINE("weighted_target"),
     &xds_lb_schema_weighted_target},
    {"wrr_locality_experimental", XDS_JAVA, XDS_LB_OTHER, HEADLINE("wrr_locality"),
     &xds_lb_schema_child},
    {"xds_cluster_impl", XDS_NODE, XDS_LB_OTHER, HEADLINE("xds_cluster_impl"),
     &xds_lb_schema_node_cluster_impl},
    {"xds_cluster_impl_experimental", C_GO, XDS_LB_OTHER, HEADLINE("xds_cluster_impl"),
     &xds_lb_schema_cluster_and_child},
    {"xds_cluster_manager", XDS_NODE, XDS_LB_OTHER, HEADLINE("xds_cluster_manager"),
     &xds_lb_schema_node_cluster_manager},
    {"xds_cluster_manager_experimental", C_GO, XDS_LB_OTHER,
     HEADLINE("xds_cluster_manager"), &xds_lb_schema_cluster_manager},
    {"xds_cluster_resolver_experimental", XDS_GO, XDS_LB_OTHER, NULL, NULL},
    {"xds_override_host_experimental", C_ONLY, XDS_LB_OTHER,
     HEADLINE("xds_override_host"), &xds_lb_schema_cluster_and_child},
    {"xds_wrr_locality", XDS_NODE, XDS_LB_OTHER, HEADLINE("xds_wrr_locality"),
     &xds_lb_schema_node_child},
    {"xds_wrr_locality_experimental", C_GO, XDS_LB_OTHER, HEADLINE("xds_wrr_locality"),
     &xds_lb_schema_child},
};

static const struct xds_lb_row *find_row(struct xds_slice name)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++)
        if (xds_slice_is(name, rows[i].name))
            return &rows[i];
    return NULL;
}

const struct xds_lb_row *xds_lb_row_of(const struct xds_lb_judge *judge,
                                       struct xds_slice name)
{
    const struct xds_lb_row *row = find_row(name);

    return row && (row->clients & XDS_CLIENT_BIT(judge->client)) ? row : NULL;
}

unsigned xds_lb_registered(struct xds_slice name, enum xds_lb_kind *kind)
{
    const struct xds_lb_row *row = find_row(name);

    if (row)
        *kind = row->kind;
    return row ? row->clients : 0;
}
