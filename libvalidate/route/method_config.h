/* method_config.h - timeout and retries that a route gives an RPC. */
#ifndef XDS_ROUTE_METHOD_CONFIG_H
#define XDS_ROUTE_METHOD_CONFIG_H

#include "model/listener.h"
#include "route/rpc.h"

/* What a client does with a retry policy. */
struct xds_retries {
    uint32_t attempts; /* with the first one */
    bool capped;       /* the policy asks for more */
    int64_t initial_backoff_ns, max_backoff_ns;
};

struct xds_method_config {
    bool has_timeout; /* and it is not 0 */
    int64_t timeout_ns;
    const char *timeout_from;             /* the field that says it, also if 0; or NULL */
    bool timeout_of_route;                /* and not of the listener */
    const struct xds_retry_policy *retry; /* NULL: none; else it has codes */
    struct xds_retries retries;           /* what this client makes of it */
    unsigned codes;                       /* XDS_RETRY_* bits that this client reads */
    bool retry_of_route;                  /* the policy found is that of the route ... */
    bool retry_hides_host; /* ... and has no codes, but the virtual host's would */
};

/* XDS_RETRY_* bits that this client reads. */
unsigned xds_retry_codes(const struct xds_retry_policy *policy, enum xds_client client);
/* False when it is empty. */
bool xds_method_config_of(const struct xds_listener *listener,
                          const struct xds_virtual_host *host,
                          const struct xds_route *route, const struct xds_rpc *rpc,
                          struct xds_method_config *out);
/* What core says of the method config it made of an unusable policy. */
const char *xds_retries_core_error(const struct xds_retry_policy *policy);
/* What java says of such a policy when the RPC comes; NULL: it can be used. */
const char *xds_retries_java_error(const struct xds_retry_policy *policy);
struct xds_retries xds_retries_of(const struct xds_options *options,
                                  enum xds_client client,
                                  const struct xds_retry_policy *policy);

#endif
