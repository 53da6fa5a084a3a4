/* overrides.h - which typed_per_filter_config entry holds for a filter instance. */
#ifndef XDS_ROUTE_OVERRIDES_H
#define XDS_ROUTE_OVERRIDES_H

#include "model/route_config.h"

/* The three maps, the most specific one first; entry is NULL on a plain route. */
struct xds_override_scope {
    const struct xds_weighted_cluster *entry;
    const struct xds_route *route;
    const struct xds_virtual_host *host;
};

/* The override that replaces the filter's own config, or NULL. */
const struct xds_filter_override *
xds_override_find(const struct xds_override_scope *scope, enum xds_client client,
                  const struct xds_filter *filter);
/* Is the filter in this RPC's chain at all? */
bool xds_filter_in_chain(const struct xds_override_scope *scope, enum xds_client client,
                         const struct xds_filter *filter);

#endif
