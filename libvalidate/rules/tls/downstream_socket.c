/*
 * downstream_socket.c - check how a filter chain secures its connections.
 *
 * Source: gRFC A29, A36, spec C8 to C12.
 */
#include "rules/tls/tls_context.h"

#define TLS_NAME "envoy.transport_sockets.tls"
#define TLS_TYPE                                                                         \
    envoy__extensions__transport_sockets__tls__v3__downstream_tls_context__descriptor
#define PB_CONFIG(arm) ENVOY__CONFIG__CORE__V3__TRANSPORT_SOCKET__CONFIG_TYPE_##arm

xds_readers xds_socket_url_foreign_to(const struct xds_ctx *ctx,
                                      const struct xds_extension *ext)
{
    return (ext->url_is_canonical ? 0 : xds_who(ctx, XDS_DIFF_SOCKET_URL_WHOLE)) |
           (ext->url_is_malformed ? xds_who(ctx, XDS_DIFF_SOCKET_URL_AFTER_SLASH) : 0);
}

void xds_socket_config_check(struct xds_ctx *ctx, const struct xds_path *at,
                             const pb_transport_socket *pb)
{
    /* Another name is refused before. */
    if (pb->config_type_case != PB_CONFIG(TYPED_CONFIG) &&
        strcmp(pb->name, TLS_NAME) == 0)
        xds_fire(ctx, at, XDS_R_TRANSPORT_CONFIG);
}

static void read_context(struct xds_ctx *ctx, const struct xds_extension *ext)
{
    const xds_readers live = ctx->live;
    const xds_readers others = xds_slice_is(ext->type, TLS_TYPE.name)
                                   ? xds_socket_url_foreign_to(ctx, ext)
                                   : XDS_EVERYONE;

    xds_fire_for(ctx, ext->at, others, XDS_R_DOWNSTREAM_SOCKET_TYPE, XDS_WITH(ext->type));
    ctx->live &= ~others;
    if (!ext->message)
        xds_fire(ctx, ext->at, XDS_R_DOWNSTREAM_SOCKET_UNDECODABLE);
    else if (ext->message->descriptor == &TLS_TYPE)
        xds_downstream_tls_context_read(ctx, ext->at, (const void *)ext->message);
    ctx->live = live;
}

void xds_downstream_socket_read(struct xds_ctx *ctx, const struct xds_path *at,
                                const pb_transport_socket *pb)
{
    const struct xds_path *field = XDS_AT(at, "typed_config");
    const bool has_config = pb->config_type_case == PB_CONFIG(TYPED_CONFIG);
    struct xds_extension ext;

    xds_socket_config_check(ctx, field, pb);
    if (strcmp(pb->name, TLS_NAME) != 0)
        xds_fire_with(ctx, at, XDS_R_DOWNSTREAM_SOCKET_NAME,
                      XDS_WITH(xds_slice_of(pb->name)));
    if (xds_extension_read(ctx, field, has_config ? pb->typed_config : NULL, false, &ext))
        read_context(ctx, &ext);
}
