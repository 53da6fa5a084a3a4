/*
 * checks.c - the lists of checks, and who is shown to them.
 *
 * Takes:  the model of one resource, or the graph of all.
 * Gives:  whatever the checks of the lists report, in their order.
 */
#include "lint/checks.h"

#include "lint/places.h"

static xds_route_config_check *const of_route_config[] = {
    xds_check_shadowed_routes,
};

static xds_graph_check *const of_graph[] = {
    xds_check_dangling,
    xds_check_unused,
};

static void check_route_config(const struct xds_inspection *in, const struct xds_path *at,
                               const struct xds_route_config *config)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(of_route_config); i++)
        of_route_config[i](in, at, config);
}

static void check_listener(const struct xds_inspection *in,
                           const struct xds_listener *listener)
{
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
    case XDS_TYPE_ENDPOINT:
    case XDS_TYPE_UNKNOWN:
        break;
    }
}

void xds_checks_of_graph(struct xds_inspection *in, const struct xds_graph *graph)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(of_graph); i++)
        of_graph[i](in, graph);
}
