/*
 * method_config.c - the method config of a route.
 *
 * Takes:  the listener, virtual host and route of an RPC.
 * Gives:  timeout and retry policy, whichever exist.
 * Source: gRFC A31, A44, spec routing 14.8, difference G-d.
 */
#include "route/method_config.h"

static const struct xds_retry_policy *retry_of(const struct xds_virtual_host *host,
                                               const struct xds_route *route,
                                               enum xds_client client)
{
    if (route->retry_policy || client == XDS_CLIENT_JAVA)
        return route->retry_policy;
    return host->retry_policy;
}

bool xds_method_config_of(const struct xds_listener *listener,
                          const struct xds_virtual_host *host,
                          const struct xds_route *route, enum xds_client client,
                          struct xds_method_config *out)
{
    /* A value of 0 means no timeout, and hides what stands behind it. */
    const bool is_set = route->has_timeout || listener->has_max_stream_duration;
    const int64_t ns =
        route->has_timeout ? route->timeout_ns : listener->max_stream_duration_ns;
    const struct xds_retry_policy *retry = retry_of(host, route, client);

    *out = (struct xds_method_config){
        .has_timeout = is_set && ns > 0,
        .timeout_ns = ns,
        .retry = retry && retry->codes ? retry : NULL,
    };
    return out->has_timeout || out->retry;
}
