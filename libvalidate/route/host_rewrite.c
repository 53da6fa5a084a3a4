/*
 * host_rewrite.c - decide whether auto_host_rewrite of a route is followed.
 *
 * Source: gRFC A81, spec listener RA8 and SC17.
 */
#include "route/route.h"

static bool guard_is_on(const struct xds_rpc *rpc)
{
    const enum xds_env guard = XDS_ENV_AUTHORITY_REWRITE;

    return XDS_DIFFERS(rpc, XDS_DIFF_AUTHORITY_REWRITE_IF_SET)
               ? xds_env_is_true(rpc->options, guard, rpc->client)
               : XDS_ENV_ON(rpc, guard);
}

bool xds_host_rewrite_holds(const struct xds_rpc *rpc, const struct xds_route *route,
                            struct xds_slice *reason)
{
    if (!route->auto_host_rewrite) {
        *reason = XDS_S("the route does not ask for it");
        return false;
    }
    if (XDS_DIFFERS(rpc, XDS_DIFF_AUTHORITY_NOT_REWRITTEN)) {
        *reason = XDS_S("this client does not follow auto_host_rewrite");
        return false;
    }
    if (!guard_is_on(rpc)) {
        *reason = XDS_S("GRPC_EXPERIMENTAL_XDS_AUTHORITY_REWRITE is off");
        return false;
    }
    if (!rpc->options->bootstrap.is_set) {
        *reason = XDS_S("whether the xDS server is a trusted one is unknown without "
                        "--bootstrap; here it is not");
        return false;
    }
    if (!rpc->options->bootstrap.trusted_xds_server) {
        *reason = XDS_S("the bootstrap does not give the xDS server the feature "
                        "trusted_xds_server");
        return false;
    }
    *reason = XDS_S("the route asks for it, and the xDS server is a trusted one");
    return true;
}
