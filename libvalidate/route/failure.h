/* failure.h - what each client says when an RPC cannot be routed. */
#ifndef XDS_ROUTE_FAILURE_H
#define XDS_ROUTE_FAILURE_H

#include "route/rpc.h"

enum xds_failure {
    XDS_FAILURE_NO_VIRTUAL_HOST, /* name: the authority */
    XDS_FAILURE_NO_ROUTE,        /* name: the path */
    XDS_FAILURE_ACTION,          /* name: the path */
    XDS_FAILURE_DROP,            /* name: the category */
};

/* The message of the status, in the words of this client. */
struct xds_slice xds_failure_text(const struct xds_rpc *rpc, enum xds_failure failure,
                                  struct xds_slice name);

#endif
