/* filter_names.h - which HTTP filters a listener has, and which ones routes speak to. */
#ifndef XDS_LINT_FILTER_NAMES_H
#define XDS_LINT_FILTER_NAMES_H

#include "lint/site.h"
#include "model/snapshot.h"

/* The name of a filter in a typed_per_filter_config; reported once per resource. */
struct xds_override_name {
    struct xds_slice name;
    struct xds_site site; /* where it is first */
    bool found;           /* a listener that uses the routes has such a filter */
    struct xds_override_name *next;
};

struct xds_graph;
struct xds_listener_facts;
struct xds_routes_facts;

/* Keep the names of the filters. */
void xds_filters_keep(struct xds_graph *graph, const struct xds_listener *listener,
                      struct xds_listener_facts *facts);
/* Keep the names of the overrides, and where the first route is that only servers can
 * use. scratch: for the time of the call. */
void xds_overrides_keep(struct xds_graph *graph, struct xds_arena *scratch,
                        const struct xds_route_config *config, bool is_inline,
                        struct xds_routes_facts *routes);

#endif
