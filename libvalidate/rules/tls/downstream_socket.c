/*
 * downstream_socket.c - judge how a filter chain wants its connections to be secured.
 *
 * Takes:  a decoded TransportSocket and its path.
 * Gives:  nothing: routing never depends on it.
 * Fires:  the DOWNSTREAM_SOCKET_ rows of downstream_tls_context.def, those of any.def and
 *         of the context through its reader.
 * Source: gRFC A29, A36, spec C8 to C12.
 */
#include "rules/tls/tls_context.h"

#define TLS_NAME "envoy.transport_sockets.tls"
#define TLS_TYPE                                                                         \
    envoy__extensions__transport_sockets__tls__v3__downstream_tls_context__descriptor
#define PB_CONFIG(arm) ENVOY__CONFIG__CORE__V3__TRANSPORT_SOCKET__CONFIG_TYPE_##arm

/* Clients that know no socket of this type; java goes by what stands behind the '/'. */
static unsigned foreign_to(const struct xds_extension *ext)
{
    if (!xds_slice_is(ext->type, TLS_TYPE.name))
        return XDS_ALL_CLIENTS;
    if (ext->url_is_malformed)
        return XDS_GO | XDS_JAVA | XDS_NODE;
    return ext->url_is_canonical ? 0 : XDS_GO | XDS_NODE;
}

static void read_context(struct xds_ctx *ctx, const struct xds_extension *ext)
{
    const unsigned live = ctx->live, others = foreign_to(ext);

    xds_fire_for(ctx, XDS_AT(ext->at, "type_url"), others, XDS_R_DOWNSTREAM_SOCKET_TYPE,
                 "unsupported transport socket type");
    ctx->live &= ~others;
    if (!ext->message)
        xds_fire(ctx, ext->at, XDS_R_DOWNSTREAM_SOCKET_UNDECODABLE,
                 "can't decode DownstreamTlsContext");
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

    if (strcmp(pb->name, TLS_NAME) != 0)
        xds_fire(ctx, XDS_AT(at, "name"), XDS_R_DOWNSTREAM_SOCKET_NAME,
                 "transport socket has unexpected name: %s", pb->name);
    if (xds_extension_read(ctx, field, has_config ? pb->typed_config : NULL, false, &ext))
        read_context(ctx, &ext);
}
