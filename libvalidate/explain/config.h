/* config.h - the per-RPC configuration of the route that took the RPC. */
#ifndef XDS_EXPLAIN_CONFIG_H
#define XDS_EXPLAIN_CONFIG_H

#include "explain/branches.h"

/* Fills d->config when a route certainly forwards the RPC. The hosts are known by now. */
void xds_explain_config(const struct xds_rpc *rpc, const struct xds_branches *branches,
                        struct xds_decision *d);

#endif
