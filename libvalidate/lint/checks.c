/*
 * checks.c - the lists of checks, and who is shown to them.
 *
 * Takes:  the model of one resource, or the graph of all.
 * Gives:  whatever the checks of the lists report, in their order.
 */
#include "lint/checks.h"

#include "lint/places.h"

static xds_listener_check *const of_listener[] = {
    xds_check_listener_form,
};

static xds_cluster_check *const of_cluster[] = {
    xds_check_lb_forms,          xds_check_ring_sizes, xds_check_max_requests,
    xds_check_outlier_detection, xds_check_dns_name,
};

static xds_endpoints_check *const of_endpoints[] = {
    xds_check_usable_endpoints,
    xds_check_locality_weights,
    xds_check_locality_names,
    xds_check_ports,
    xds_check_drops,
};

static xds_graph_check *const of_graph[] = {
    xds_check_dangling, xds_check_unused,      xds_check_aggregates,
    xds_check_hashing, /* needs what the one before leaves in the clusters */
    xds_check_affinity, xds_check_authorities, xds_check_name_styles,
    xds_check_moves,
};

void xds_checks_of_resource(const struct xds_inspection *in,
                            const struct xds_snapshot_entry *entry)
{
    switch (entry->type) {
    case XDS_TYPE_LISTENER:
        for (size_t i = 0; i < XDS_ARRAY_LEN(of_listener); i++)
            of_listener[i](in, entry->model);
        break;
    case XDS_TYPE_CLUSTER:
        for (size_t i = 0; i < XDS_ARRAY_LEN(of_cluster); i++)
            of_cluster[i](in, entry->model);
        break;
    case XDS_TYPE_ENDPOINT:
        for (size_t i = 0; i < XDS_ARRAY_LEN(of_endpoints); i++)
            of_endpoints[i](in, entry->model);
        break;
    case XDS_TYPE_ROUTE:
    case XDS_TYPE_UNKNOWN:
        break;
    }
}

void xds_checks_of_graph(struct xds_inspection *in, const struct xds_graph *graph)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(of_graph); i++)
        of_graph[i](in, graph);
}
