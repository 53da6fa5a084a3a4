/*
 * listener.c - turn envoy.config.listener.v3.Listener into the model of a client.
 *
 * Source: gRFC A27, A36, spec listener 2, L1 to L9.
 */
#include "rules/http_connection_manager.h"
#include "rules/server_listener.h"

static bool read_api_listener(struct xds_ctx *ctx, const pb_any *any,
                              struct xds_listener *out)
{
    const struct xds_path *at = XDS_AT(NULL, "api_listener.api_listener");
    struct xds_extension ext;

    if (!any) /* not the general row: node accepts it here */
        return xds_fire(ctx, at, XDS_R_LIS_API_ABSENT);
    return xds_extension_read(ctx, at, any, false, &ext) &&
           xds_http_connection_manager_read(ctx, &ext, XDS_R_LIS_API_TYPE,
                                            XDS_R_LIS_HCM_UNPARSABLE, 0, out);
}

/* To whom a Listener without api_listener has what one of a server needs. */
static xds_readers content_without_api(const struct xds_ctx *ctx, const pb_listener *pb)
{
    xds_readers content = XDS_EVERYONE;

    if (!pb->address) {
        content = xds_who(ctx, XDS_DIFF_LISTENER_ADDRESS_LATE);
        if (pb->n_filter_chains > 0 || pb->default_filter_chain)
            content |= xds_who(ctx, XDS_DIFF_LISTENER_BY_CHAIN);
    }
    return content & ~xds_who(ctx, XDS_DIFF_SERVER_LISTENER_UNKNOWN);
}

bool xds_listener_read(struct xds_ctx *ctx, const pb_listener *pb,
                       struct xds_listener *out)
{
    const xds_readers live = ctx->live;
    bool ok = true;

    *out = (struct xds_listener){
        .name = xds_arena_dup(ctx->arena, xds_slice_of(pb->name)),
        .is_api_listener = pb->api_listener != NULL,
        .has_filter_chains = pb->n_filter_chains > 0 || pb->default_filter_chain,
    };
    if (pb->api_listener) {
        ok = read_api_listener(ctx, pb->api_listener->api_listener, out);
        ctx->live &= xds_who(ctx, XDS_DIFF_API_LISTENER_AS_SERVER);
    } else {
        const xds_readers content = content_without_api(ctx, pb);

        xds_fire_for(ctx, NULL, ~content, XDS_R_LIS_NO_FORM, NULL);
        ctx->live &= content;
    }
    xds_server_listener_read(ctx, pb);
    ctx->live = live;
    return ok;
}
