/* nearest.h - what an RPC without a route has just missed. */
#ifndef XDS_EXPLAIN_NEAREST_H
#define XDS_EXPLAIN_NEAREST_H

#include "explain/decision.h"

/* Fills d->nearest when no route matches, d->nearest_domain when no domain does. */
void xds_explain_nearest(const struct xds_rpc *rpc, struct xds_decision *d);

#endif
