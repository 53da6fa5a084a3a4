/*
 * filter_chain.c - judge one filter chain of a Listener of servers.
 *
 * Takes:  a decoded FilterChain and its path.
 * Gives:  nothing: the model is a client's.
 * Fires:  those of the HttpConnectionManager through its reader.
 * Source: gRFC A36, spec section 2.2.
 */
#include "rules/http_connection_manager.h"
#include "rules/server_listener.h"

#define HCM                                                                              \
    envoy__extensions__filters__network__http_connection_manager__v3__http_connection_manager__descriptor

static void read_filter(struct xds_ctx *ctx, const struct xds_path *at,
                        const pb_filter *pb)
{
    struct xds_listener unused = {0};
    struct xds_extension ext;

    if (xds_extension_read(ctx, XDS_AT(at, "typed_config"), pb->typed_config, false,
                           &ext) &&
        ext.message && ext.message->descriptor == &HCM)
        (void)xds_http_connection_manager_read(ctx, ext.at, (const void *)ext.message,
                                               &unused);
}

void xds_filter_chain_read(struct xds_ctx *ctx, const struct xds_path *at,
                           const pb_filter_chain *pb)
{
    for (size_t i = 0; i < pb->n_filters; i++)
        read_filter(ctx, XDS_AT_I(at, "filters", i), pb->filters[i]);
}
