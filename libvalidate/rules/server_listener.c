/*
 * server_listener.c - judge a Listener of servers.
 *
 * Takes:  a decoded Listener without api_listener.
 * Gives:  nothing: the model is a client's.
 * Fires:  those of its filter chains through their reader.
 * Source: gRFC A36, spec section 2.1.
 */
#include "rules/server_listener.h"

void xds_server_listener_read(struct xds_ctx *ctx, const pb_listener *pb)
{
    ctx->server = true;
    for (size_t i = 0; i < pb->n_filter_chains; i++)
        xds_filter_chain_read(ctx, XDS_AT_I(NULL, "filter_chains", i),
                              pb->filter_chains[i]);
    if (pb->default_filter_chain)
        xds_filter_chain_read(ctx, XDS_AT(NULL, "default_filter_chain"),
                              pb->default_filter_chain);
    ctx->server = false;
}
