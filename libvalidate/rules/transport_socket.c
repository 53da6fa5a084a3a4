/*
 * transport_socket.c - judge how a Cluster wants its connections to be secured.
 *
 * Takes:  the whole Cluster; transport_socket and transport_socket_matches are looked at.
 * Gives:  nothing: routing never depends on it.
 * Fires:  the rows of transport_socket.def, those of any.def and of tls/.
 * Source: spec cluster 1.13; gRFC A29, A86.
 */
#include "rules/cluster_readers.h"

#define TLS_NAME "envoy.transport_sockets.tls"
#define TLS_TYPE                                                                         \
    envoy__extensions__transport_sockets__tls__v3__upstream_tls_context__descriptor
/* The name that the message had in version 2 of the API; java still takes it. */
#define TLS_TYPE_V2 "envoy.api.v2.auth.UpstreamTlsContext"
#define PROXY_TYPE                                                                       \
    envoy__extensions__transport_sockets__http_11_proxy__v3__http11_proxy_upstream_transport__descriptor

/* A socket: that of the cluster, or the one inside a proxy transport. */
struct socket {
    struct xds_ctx *ctx;
    const struct xds_path *at; /* of its typed_config */
    const pb_transport_socket *pb;
    bool is_inner;
};

static void read_socket(const struct socket *socket);

/* The message, or NULL after firing. */
static const ProtobufCMessage *
decoded(struct xds_ctx *ctx, const struct xds_extension *extension, const char *label)
{
    if (!extension->message || extension->typed_struct) {
        xds_fire(ctx, extension->at, XDS_R_TRANSPORT_UNDECODABLE, "can't decode %s",
                 label);
        return NULL;
    }
    return extension->message;
}

static void read_tls(struct xds_ctx *ctx, const struct xds_extension *extension)
{
    const ProtobufCMessage *message = decoded(ctx, extension, "UpstreamTlsContext");

    if (message)
        xds_upstream_tls_context_read(ctx, extension->at,
                                      (const pb_upstream_tls_context *)message);
}

static void read_proxy(struct xds_ctx *ctx, const struct xds_extension *extension)
{
    const ProtobufCMessage *message =
        decoded(ctx, extension, "Http11ProxyUpstreamTransport");
    const pb_http11_proxy_upstream_transport *pb =
        (const pb_http11_proxy_upstream_transport *)message;
    const unsigned live = ctx->live;

    if (!pb || !pb->transport_socket)
        return; /* CONNECT without TLS inside */
    /* java drops an inner socket of another name and uses no TLS. */
    if (strcmp(pb->transport_socket->name, TLS_NAME) != 0)
        ctx->live &= ~XDS_JAVA;
    read_socket(&(struct socket){ctx,
                                 XDS_AT(extension->at, "transport_socket.typed_config"),
                                 pb->transport_socket, true});
    ctx->live = live;
}

static unsigned proxy_readers(const struct socket *socket)
{
    return socket->is_inner ? 0
                            : xds_env_mask(socket->ctx->options, XDS_ENV_HTTP_CONNECT);
}

/* Clients that know no socket of this type. */
static unsigned foreign_to(const struct socket *socket,
                           const struct xds_extension *extension)
{
    unsigned known = 0;

    if (xds_slice_is(extension->type, TLS_TYPE.name))
        known = XDS_ALL_CLIENTS;
    else if (xds_slice_is(extension->type, PROXY_TYPE.name))
        known = proxy_readers(socket);
    else if (xds_slice_is(extension->type, TLS_TYPE_V2))
        known = XDS_JAVA;
    if (!extension->url_is_canonical)
        known &= ~(XDS_GO | XDS_NODE);
    if (extension->url_is_malformed) /* java goes by what stands behind the '/' */
        known &= ~XDS_JAVA;
    return XDS_ALL_CLIENTS & ~known;
}

static void check_name(const struct socket *socket, const struct xds_extension *extension)
{
    const bool is_proxy = xds_slice_is(extension->type, PROXY_TYPE.name);
    const unsigned blind = is_proxy ? proxy_readers(socket) : 0;

    if (!socket->is_inner && strcmp(socket->pb->name, TLS_NAME) != 0)
        xds_fire_for(socket->ctx, XDS_AT(NULL, "transport_socket.name"),
                     XDS_ALL_CLIENTS & ~blind, XDS_R_TRANSPORT_NAME,
                     "transport socket has unexpected name: %s", socket->pb->name);
}

static void read_socket(const struct socket *socket)
{
    struct xds_ctx *ctx = socket->ctx;
    const unsigned live = ctx->live;
    const pb_any *any =
        socket->pb->config_type_case ==
                ENVOY__CONFIG__CORE__V3__TRANSPORT_SOCKET__CONFIG_TYPE_TYPED_CONFIG
            ? socket->pb->typed_config
            : NULL;
    struct xds_extension extension = {.type = {NULL, 0}};
    const bool usable = xds_extension_read(ctx, socket->at, any, false, &extension);

    check_name(socket, &extension);
    if (!usable)
        return;

    const unsigned refuse = foreign_to(socket, &extension);

    if (refuse & live)
        xds_fire_for(ctx, XDS_AT(extension.at, "type_url"), refuse, XDS_R_TRANSPORT_TYPE,
                     "unsupported transport socket type");
    ctx->live &= ~refuse;
    if (ctx->live && xds_slice_is(extension.type, TLS_TYPE.name))
        read_tls(ctx, &extension);
    else if (ctx->live && xds_slice_is(extension.type, PROXY_TYPE.name))
        read_proxy(ctx, &extension);
    ctx->live = live;
}

void xds_transport_socket_read(struct xds_ctx *ctx, const pb_cluster *pb)
{
    if (pb->n_transport_socket_matches > 0)
        xds_fire(ctx, XDS_AT(NULL, "transport_socket_matches"), XDS_R_TRANSPORT_MATCHES,
                 "transport_socket_matches is not supported");
    if (pb->transport_socket)
        read_socket(&(struct socket){ctx, XDS_AT(NULL, "transport_socket.typed_config"),
                                     pb->transport_socket, false});
}
