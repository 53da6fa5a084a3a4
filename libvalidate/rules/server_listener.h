/*
 * server_listener.h - the readers of what only a Listener of servers holds.
 *
 * Nothing of it enters the model: xdscope explains RPCs from the client's side.
 */
#ifndef XDS_RULES_SERVER_LISTENER_H
#define XDS_RULES_SERVER_LISTENER_H

#include "rules/readers.h"

/* The parts of a Listener that servers read. gRFC A36, spec listener 2.1. */
void xds_server_listener_read(struct xds_ctx *ctx, const pb_listener *pb);

/* The filters and the transport socket of one entry of filter_chains, or of the default
 * one, at its own path. spec listener 2.2. */
void xds_filter_chain_read(struct xds_ctx *ctx, const struct xds_path *at,
                           const pb_filter_chain *pb);

#endif
