/* checks.c - the lists of checks, and who is shown to them. */
#include "lint/checks.h"

#include "lint/places.h"

static xds_listener_check *const of_listener[] = {
    xds_check_listener_form,
    xds_check_session_filters,
};

static xds_route_config_check *const of_route_config[] = {
    xds_check_domains,
    xds_check_shadowed_routes,
    xds_check_session_cookies,
};

static xds_virtual_host_check *const of_virtual_host[] = {
    xds_check_default_route,
    xds_check_host_retries,
};

static xds_route_check *const of_route[] = {
    xds_check_route_path,    xds_check_route_headers, xds_check_route_fraction,
    xds_check_route_weights, xds_check_route_timeout, xds_check_route_retries,
    xds_check_route_session,
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
    xds_check_dangling, xds_check_unused,       xds_check_aggregates,
    xds_check_hashing, /* needs what the one before leaves in the clusters */
    xds_check_affinity, xds_check_authorities,  xds_check_name_styles,
    xds_check_moves,    xds_check_filter_names,
};

static void check_virtual_host(const struct xds_inspection *in, const struct xds_path *at,
                               const struct xds_virtual_host *host)
{
    const unsigned clients = in->report->options.clients;

    for (size_t i = 0; i < XDS_ARRAY_LEN(of_virtual_host); i++)
        of_virtual_host[i](in, at, host);
    for (size_t i = 0; i < host->n_routes; i++)
        for (size_t k = 0; k < XDS_ARRAY_LEN(of_route); k++)
            if (clients & ~host->routes[i].skipped_by)
                of_route[k](in, XDS_AT_I(at, "routes", i), host, &host->routes[i]);
}

static void check_route_config(const struct xds_inspection *in, const struct xds_path *at,
                               const struct xds_route_config *config)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(of_route_config); i++)
        of_route_config[i](in, at, config);
    for (size_t i = 0; i < config->n_virtual_hosts; i++)
        check_virtual_host(in, XDS_AT_I(at, "virtual_hosts", i),
                           &config->virtual_hosts[i]);
}

static void check_listener(const struct xds_inspection *in,
                           const struct xds_listener *listener)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(of_listener); i++)
        of_listener[i](in, listener);
    if (listener->route_config)
        check_route_config(in, XDS_AT_INLINE_ROUTES, listener->route_config);
}

void xds_checks_of_resource(const struct xds_inspection *in,
                            const struct xds_snapshot_entry *entry)
{
    switch (entry->type) {
    case XDS_TYPE_LISTENER:
        check_listener(in, entry->model);
        break;
    case XDS_TYPE_ROUTE:
        check_route_config(in, NULL, entry->model);
        break;
    case XDS_TYPE_CLUSTER:
        for (size_t i = 0; i < XDS_ARRAY_LEN(of_cluster); i++)
            of_cluster[i](in, entry->model);
        break;
    case XDS_TYPE_ENDPOINT:
        for (size_t i = 0; i < XDS_ARRAY_LEN(of_endpoints); i++)
            of_endpoints[i](in, entry->model);
        break;
    case XDS_TYPE_UNKNOWN:
        break;
    }
}

void xds_checks_of_graph(struct xds_inspection *in, const struct xds_graph *graph)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(of_graph); i++) {
        in->report->of_resource = 0; /* a flood of one check leaves room for the next */
        of_graph[i](in, graph);
    }
}
