/* method_config.h - timeout and retries that a route gives an RPC. */
#ifndef XDS_ROUTE_METHOD_CONFIG_H
#define XDS_ROUTE_METHOD_CONFIG_H

#include "model/listener.h"

struct xds_method_config {
    bool has_timeout;
    int64_t timeout_ns;
    const struct xds_retry_policy *retry; /* NULL: none; else it has codes */
};

/* False when it is empty. */
bool xds_method_config_of(const struct xds_listener *listener,
                          const struct xds_virtual_host *host,
                          const struct xds_route *route, enum xds_client client,
                          struct xds_method_config *out);

#endif
