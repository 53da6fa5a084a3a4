/* manager.h - the service config of today: the children of the cluster manager, and what
 * each route gives its RPCs. */
#ifndef XDS_CONFIG_MANAGER_H
#define XDS_CONFIG_MANAGER_H

#include "config/maker.h"
#include "model/listener.h"
#include "route/overrides.h"

/* A route, or one entry of its weighted clusters. */
struct xds_config_route {
    size_t index;
    const struct xds_route *route;
    const struct xds_weighted_cluster *entry; /* NULL: no weighted route */
    struct xds_tree method_config;            /* NULL kind: nothing to say */
    const struct xds_filter_use *filters;
    size_t n_filters;
};

struct xds_config_routes {
    struct xds_config_route *list;
    size_t n;
};

/* Does a route of this kind send RPCs to clusters of this client? */
bool xds_route_forwards(const struct xds_maker *maker, const struct xds_route *route);
/* {"loadBalancingConfig": [{"xds_cluster_manager_experimental": ...}]}; config may be
 * NULL where no route names a plugin. */
struct xds_tree xds_manager_config(struct xds_maker *maker,
                                   const struct xds_virtual_host *host,
                                   const struct xds_route_config *config);
/* What each route that forwards gives its RPCs. listener may be NULL. */
struct xds_config_routes xds_config_routes_of(struct xds_maker *maker,
                                              const struct xds_listener *listener,
                                              const struct xds_virtual_host *host);
/* {"name": [{}], "timeout": ..., "retryPolicy": ...}, or a tree of kind NULL. */
struct xds_tree xds_method_config_tree(struct xds_maker *maker,
                                       const struct xds_listener *listener,
                                       const struct xds_virtual_host *host,
                                       const struct xds_route *route);
/* {"methodConfig": [...]} for clients without xDS; what it cannot say becomes notes. */
struct xds_tree xds_methods_config(struct xds_maker *maker,
                                   const struct xds_listener *listener,
                                   const struct xds_virtual_host *host);

#endif
