/*
 * router.c - the router filter: the end of every chain, without settings that gRPC reads.
 *
 * Source: gRFC A39, spec listener 8.1, P7.
 */
#include "rules/filter/filter.h"

/* Only node accepts an override of the router. */
const struct xds_filter_type xds_filter_router = {
    .kind = XDS_FILTER_ROUTER,
    .type = "envoy.extensions.filters.http.router.v3.Router",
    .override_type = "envoy.extensions.filters.http.router.v3.Router",
    .known_to = XDS_ALL_CLIENTS,
    .override_for = XDS_NODE,
    .opaque_to = XDS_JAVA | XDS_NODE,
    .on_clients = true,
    .on_servers = true,
    .terminal = true,
    .config_words = "router filter config",
    .override_words = "router filter config",
};
