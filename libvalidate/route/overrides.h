/* overrides.h - which typed_per_filter_config entry holds for a filter instance. */
#ifndef XDS_ROUTE_OVERRIDES_H
#define XDS_ROUTE_OVERRIDES_H

#include "model/route_config.h"
#include "route/rpc.h"

/* The three maps, the most specific one first; entry is NULL on a plain route. */
struct xds_override_scope {
    const struct xds_weighted_cluster *entry;
    const struct xds_route *route;
    const struct xds_virtual_host *host;
};

/* Whose config or flag it is. */
enum xds_config_level {
    XDS_CONFIG_WEIGHTED_CLUSTER,
    XDS_CONFIG_ROUTE,
    XDS_CONFIG_VIRTUAL_HOST,
    XDS_CONFIG_LISTENER,
};

/* A filter of the listener as one RPC meets it. */
struct xds_filter_use {
    const struct xds_filter *filter;
    enum xds_config_level from;
    const struct xds_filter_override *override; /* NULL: the config of the listener */
    bool dropped;                               /* this client has no such filter */
    bool disabled;           /* switched off, and the client honors that */
    struct xds_slice reason; /* a sentence, or absent */
};

/* "weighted_cluster", "route", "virtual_host", "listener". */
const char *xds_config_level_name(enum xds_config_level level);

/* The override that replaces the filter's own config, or NULL. */
const struct xds_filter_override *
xds_override_find(const struct xds_override_scope *scope, enum xds_client client,
                  const struct xds_filter *filter);
/* Is the filter in this RPC's chain at all? */
bool xds_filter_in_chain(const struct xds_override_scope *scope,
                         const struct xds_rpc *rpc, const struct xds_filter *filter);
/* Both, with reasons. */
struct xds_filter_use xds_filter_use_of(const struct xds_override_scope *scope,
                                        const struct xds_rpc *rpc,
                                        const struct xds_filter *filter);

#endif
