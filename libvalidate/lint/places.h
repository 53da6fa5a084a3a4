/* places.h - where parts of a listener or cluster are, for the paths of findings. */
#ifndef XDS_LINT_PLACES_H
#define XDS_LINT_PLACES_H

#include "base/path.h"

/* Frames live until the end of the enclosing block. */
#define XDS_AT_CONNECTION_MANAGER                                                        \
    XDS_AT_VALUE(XDS_AT(NULL, "api_listener.api_listener"),                              \
                 XDS_S("envoy.extensions.filters.network.http_connection_manager.v3."    \
                       "HttpConnectionManager"))
#define XDS_AT_INLINE_ROUTES XDS_AT(XDS_AT_CONNECTION_MANAGER, "route_config")
#define XDS_AT_AGGREGATE                                                                 \
    XDS_AT_VALUE(XDS_AT(NULL, "cluster_type.typed_config"),                              \
                 XDS_S("envoy.extensions.clusters.aggregate.v3.ClusterConfig"))

#endif
