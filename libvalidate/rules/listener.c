/*
 * listener.c - turn envoy.config.listener.v3.Listener into the model of a client.
 *
 * Takes:  a decoded message, borrowed.
 * Gives:  *out; is_api_listener is false when the listener is of no use to a client.
 * Fires:  the rows of listener.def, and http_connection_manager.def through its reader.
 * Source: gRFC A27, A36, spec section 2, L1 to L9.
 */
#include "rules/http_connection_manager.h"
#include "rules/server_listener.h"

#define HCM                                                                              \
    envoy__extensions__filters__network__http_connection_manager__v3__http_connection_manager__descriptor

/* Who finds something else than an HttpConnectionManager: go, java and node know only
 * its canonical URL. */
static unsigned misled(const struct xds_extension *ext)
{
    if (!xds_slice_is(ext->type, HCM.name))
        return XDS_ALL_CLIENTS;
    return ext->url_is_canonical ? 0 : XDS_GO | XDS_JAVA | XDS_NODE;
}

static bool read_hcm(struct xds_ctx *ctx, const struct xds_extension *ext,
                     struct xds_listener *out)
{
    const unsigned live = ctx->live, others = misled(ext);
    bool ok = false;

    xds_fire_for(ctx, ext->at, others, XDS_R_LIS_API_TYPE, "unsupported filter type");
    ctx->live &= ~others;
    if (!ext->message)
        xds_fire(ctx, ext->at, XDS_R_LIS_HCM_UNPARSABLE,
                 "could not parse HttpConnectionManager config");
    else if (ext->message->descriptor == &HCM)
        ok = xds_http_connection_manager_read(ctx, ext->at, (const void *)ext->message,
                                              out);
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

/* node goes on to the filter chains, if there are any. */
static void check_form(struct xds_ctx *ctx, const pb_listener *pb)
{
    const bool has_chain = pb->n_filter_chains > 0 || pb->default_filter_chain;

    if (!pb->address)
        xds_fire_for(ctx, NULL, has_chain ? ~XDS_NODE : XDS_ALL_CLIENTS,
                     XDS_R_LIS_NO_FORM, "Listener has neither address nor ApiListener");
}

bool xds_listener_read(struct xds_ctx *ctx, const pb_listener *pb,
                       struct xds_listener *out)
{
    *out = (struct xds_listener){
        .name = xds_arena_dup(ctx->arena, xds_slice_of(pb->name)),
        .is_api_listener = pb->api_listener != NULL,
    };
    if (pb->api_listener) /* with an address, too, it is a client's */
        return read_api_listener(ctx, pb->api_listener->api_listener, out);
    check_form(ctx, pb);
    xds_server_listener_read(ctx, pb);
    return true;
}
