/* derive_server.h - for every route and RBAC policy of a server an RPC that is made to
 * meet it. */
#ifndef XDS_EXPLAIN_DERIVE_SERVER_H
#define XDS_EXPLAIN_DERIVE_SERVER_H

#include "explain/derive.h"
#include "server/server.h"

/* One such RPC; all text lives for the time of the call. Another filter chain, route or
 * policy may take it all the same: who uses it asks the server. */
struct xds_derived_inbound {
    struct xds_inbound inbound;
    const struct xds_listener *listener;
    const struct xds_filter_chain *chain;
    size_t index; /* of the chain; XDS_DEFAULT_CHAIN */
    const struct xds_virtual_host *host;
    const struct xds_route *route;
    const struct xds_rbac_policy *policy; /* that is to decide; NULL: whichever does */
};

/* True: this is the RPC that was looked for. Others for the same are not made then. */
typedef bool xds_derived_inbound_fn(void *user,
                                    const struct xds_derived_inbound *derived);

/* Of every server's listener that this client accepts, each filter chain: first an RPC
 * for every route, then for every policy of an RBAC filter or of an override. arena:
 * scratch, under a guard. */
void xds_derive_inbounds(const struct xds_snapshot *snapshot, enum xds_client client,
                         const struct xds_options *options, struct xds_arena *arena,
                         xds_derived_inbound_fn *use, void *user);

#endif
