/*
 * listener.c - turn envoy.config.listener.v3.Listener into the model of a client.
 *
 * Takes:  a decoded message, borrowed.
 * Gives:  *out; is_api_listener is false when the listener is of no use to a client.
 * Fires:  the rows of listener.def, those of http_connection_manager.def and of
 *         server_listener.def through their readers.
 * Source: gRFC A27, A36, spec section 2, L1 to L9.
 */
#include "rules/http_connection_manager.h"
#include "rules/server_listener.h"

static bool read_hcm(struct xds_ctx *ctx, const struct xds_extension *ext,
                     struct xds_listener *out)
{
    const pb_http_connection_manager *hcm = xds_http_connection_manager_of(ext);
    const unsigned live = ctx->live;
    const unsigned others = xds_http_connection_manager_foreign_to(ext);
    bool ok = false;

    xds_fire_for(ctx, ext->at, others, XDS_R_LIS_API_TYPE, "unsupported filter type");
    ctx->live &= ~others;
    if (!ext->message)
        xds_fire(ctx, ext->at, XDS_R_LIS_HCM_UNPARSABLE,
                 "could not parse HttpConnectionManager config");
    else if (hcm)
        ok = xds_http_connection_manager_read(ctx, ext->at, hcm, 0, out);
    ctx->live = live;
    return ok;
}

static bool read_api_listener(struct xds_ctx *ctx, const pb_any *any,
                              struct xds_listener *out)
{
    const struct xds_path *at = XDS_AT(NULL, "api_listener.api_listener");
    struct xds_extension ext;

    if (!any) /* not the general row: node accepts it here */
        return xds_fire(ctx, at, XDS_R_LIS_API_ABSENT, "field not present");
    return xds_extension_read(ctx, at, any, false, &ext) && read_hcm(ctx, &ext, out);
}

/* Who goes on to the parts of a server's listener: java needs no address until its server
 * starts, node none when there is a chain. */
static unsigned check_form(struct xds_ctx *ctx, const pb_listener *pb)
{
    const bool has_chain = pb->n_filter_chains > 0 || pb->default_filter_chain;
    const unsigned content = has_chain ? XDS_JAVA | XDS_NODE : XDS_JAVA;

    if (pb->address)
        return XDS_ALL_CLIENTS;
    xds_fire_for(ctx, NULL, ~content, XDS_R_LIS_NO_FORM,
                 "Listener has neither address nor ApiListener");
    return content;
}

bool xds_listener_read(struct xds_ctx *ctx, const pb_listener *pb,
                       struct xds_listener *out)
{
    const unsigned live = ctx->live;
    bool ok = true;

    *out = (struct xds_listener){
        .name = xds_arena_dup(ctx->arena, xds_slice_of(pb->name)),
        .is_api_listener = pb->api_listener != NULL,
        .has_filter_chains = pb->n_filter_chains > 0 || pb->default_filter_chain,
    };
    if (pb->api_listener) { /* a client's; node alone judges what servers need as well */
        ok = read_api_listener(ctx, pb->api_listener->api_listener, out);
        ctx->live &= XDS_NODE;
    } else {
        ctx->live &= check_form(ctx, pb);
    }
    xds_server_listener_read(ctx, pb);
    ctx->live = live;
    return ok;
}
