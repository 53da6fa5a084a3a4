/*
 * index.h - which routes of a virtual host may take an RPC, without trying them all.
 *
 * A route that the index skips cannot match for this client; those it names are
 * still tried, in list order, so that answer and reasons are those of the plain walk.
 */
#ifndef XDS_ROUTE_INDEX_H
#define XDS_ROUTE_INDEX_H

#include "model/route_config.h"
#include "route/rpc.h"

struct xds_route_index;

/* For one client and one virtual host, which must outlive it; lives in the arena. */
struct xds_route_index *xds_route_index_build(struct xds_arena *arena,
                                              const struct xds_options *options,
                                              enum xds_client client,
                                              const struct xds_virtual_host *host);

/* Positions of routes, ascending. */
struct xds_route_list {
    const uint32_t *at;
    uint32_t n;
    bool path_matches; /* of each of them, for certain */
};

/* A merge of the lists that fit a request. */
struct xds_route_cursor {
    struct xds_route_list *lists;
    size_t n, cap;
};

/* The cursor lives in the RPC's arena. */
void xds_route_cursor_init(struct xds_route_cursor *cursor,
                           const struct xds_route_index *index,
                           const struct xds_rpc *rpc);
/* False at the end. path_matches: it need not be looked at again. */
bool xds_route_cursor_next(struct xds_route_cursor *cursor, size_t *position,
                           bool *path_matches);

#endif
