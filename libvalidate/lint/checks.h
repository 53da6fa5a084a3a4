/*
 * checks.h - every check beyond NACK, by what it looks at.
 *
 * A check inside one resource sees its model while it passes; a check across resources
 * sees the graph once all have passed. The lists are in checks.c; a new check is a
 * function here and a row there.
 */
#ifndef XDS_LINT_CHECKS_H
#define XDS_LINT_CHECKS_H

#include "lint/graph.h"

typedef void xds_listener_check(const struct xds_inspection *in,
                                const struct xds_listener *listener);
/* at: NULL for a resource, the path of route_config when it is in a listener. */
typedef void xds_route_config_check(const struct xds_inspection *in,
                                    const struct xds_path *at,
                                    const struct xds_route_config *config);
/* at: the path of the route. Only for routes that some client asked about uses. */
typedef void xds_route_check(const struct xds_inspection *in, const struct xds_path *at,
                             const struct xds_virtual_host *host,
                             const struct xds_route *route);
/* at: the path of the virtual host. */
typedef void xds_virtual_host_check(const struct xds_inspection *in,
                                    const struct xds_path *at,
                                    const struct xds_virtual_host *host);
typedef void xds_cluster_check(const struct xds_inspection *in,
                               const struct xds_cluster *cluster);
typedef void xds_endpoints_check(const struct xds_inspection *in,
                                 const struct xds_endpoints *endpoints);
/* in->resource is for the check to set. */
typedef void xds_graph_check(struct xds_inspection *in, const struct xds_graph *graph);

xds_listener_check xds_check_listener_form, xds_check_session_filters;
xds_route_config_check xds_check_shadowed_routes, xds_check_domains,
    xds_check_session_cookies;
xds_virtual_host_check xds_check_default_route, xds_check_host_retries;
xds_route_check xds_check_route_path, xds_check_route_fraction, xds_check_route_headers,
    xds_check_route_weights, xds_check_route_retries, xds_check_route_timeout,
    xds_check_route_session;
xds_cluster_check xds_check_dns_name, xds_check_lb_forms, xds_check_max_requests,
    xds_check_outlier_detection, xds_check_ring_sizes;
xds_endpoints_check xds_check_drops, xds_check_locality_names, xds_check_locality_weights,
    xds_check_ports, xds_check_usable_endpoints;
xds_graph_check xds_check_affinity, xds_check_aggregates, xds_check_authorities,
    xds_check_dangling, xds_check_filter_names, xds_check_hashing, xds_check_moves,
    xds_check_name_styles, xds_check_unused;

/* All checks inside one resource. */
void xds_checks_of_resource(const struct xds_inspection *in,
                            const struct xds_snapshot_entry *entry);
/* All checks across resources. */
void xds_checks_of_graph(struct xds_inspection *in, const struct xds_graph *graph);

#endif
