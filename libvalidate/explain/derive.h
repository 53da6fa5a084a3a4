/* derive.h - for every route of a snapshot an RPC that is made to take it. */
#ifndef XDS_EXPLAIN_DERIVE_H
#define XDS_EXPLAIN_DERIVE_H

#include "model/snapshot.h"
#include "route/route.h"

/* One such RPC; all text lives for the time of the call. A fraction of the route is left
 * open, and an earlier route may take the RPC all the same. */
struct xds_derived {
    struct xds_request request;
    const struct xds_listener *listener;
    const struct xds_virtual_host *host;
    const struct xds_route *route;
};

struct xds_derive_counts {
    size_t made;
    size_t impossible;        /* routes for which no path or headers were found */
    struct xds_slice example; /* the first of them: 'route #2 "x" of virtual host "y"' */
    bool cut;                 /* XDS_MAX_DERIVED_REQUESTS was reached */
};

typedef void xds_derived_fn(void *user, const struct xds_derived *derived);

/* Every route that the client has, once for each domain of its virtual host, below every
 * listener that is of use to a client; once more below the path of a session cookie that
 * the route's prefix includes. route_config: only those that start at it, as if an API
 * listener named it; or absent. arena: for the texts of *counts and as scratch, under a
 * guard. */
void xds_derive_requests(const struct xds_snapshot *snapshot, enum xds_client client,
                         const struct xds_options *options, struct xds_slice route_config,
                         struct xds_arena *arena, xds_derived_fn *use, void *user,
                         struct xds_derive_counts *counts);

/* The routes of its virtual host that may take the RPC, until the explainer is asked
 * again; false: a regex could not tell, or there is no memory. */
bool xds_explain_walk(struct xds_explainer *explainer, const struct xds_derived *derived,
                      struct xds_route_walk *walk);

/* From now on say where an RPC goes, and not why the routes before do not take it, unless
 * the request asks for every route or about a host. */
void xds_explainer_be_brief(struct xds_explainer *explainer);

/* An HttpConnectionManager of a filter chain, as a server has it. */
struct xds_chain_routes {
    const struct xds_snapshot *snapshot;
    enum xds_client client;
    const struct xds_options *options;
    const struct xds_listener *manager;
};

/* The same for its routes, as they are asked by their name. */
void xds_derive_chain(const struct xds_chain_routes *of, struct xds_arena *arena,
                      xds_derived_fn *use, void *user, struct xds_derive_counts *counts);

#endif
