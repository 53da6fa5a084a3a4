/*
 * transport_socket.c - check how a Cluster secures its connections.
 *
 * Source: gRFC A29, A86, spec cluster 1.13.
 */
#include "rules/inner.h"

#define TLS_NAME "envoy.transport_sockets.tls"
#define TLS_TYPE                                                                         \
    envoy__extensions__transport_sockets__tls__v3__upstream_tls_context__descriptor
/* The name that the message had in version 2 of the API; java still accepts it. */
#define TLS_TYPE_V2 "envoy.api.v2.auth.UpstreamTlsContext"
#define PROXY_TYPE                                                                       \
    envoy__extensions__transport_sockets__http_11_proxy__v3__http11_proxy_upstream_transport__descriptor

/* A socket: that of the cluster, or the one inside a proxy transport. */
struct socket {
    struct xds_ctx *ctx;
    const struct xds_path *at; /* of its typed_config */
    const pb_transport_socket *pb;
    bool is_inner;
    struct xds_cluster *out;
};

static void read_socket(const struct socket *socket);

static void refuse_name(struct xds_ctx *ctx, xds_readers who, const char *name)
{
    xds_fire_for(ctx, NULL, who, XDS_R_TRANSPORT_NAME, XDS_WITH(xds_slice_of(name)));
}

/* Without an inner socket it is CONNECT without TLS inside. */
static void read_proxy(const struct socket *socket, const struct xds_extension *extension)
{
    struct xds_ctx *ctx = socket->ctx;
    const pb_http11_proxy_upstream_transport *pb = (const void *)extension->message;
    xds_readers readers = XDS_EVERYONE;

    if (!pb->transport_socket)
        return;
    if (strcmp(pb->transport_socket->name, TLS_NAME) != 0) {
        socket->out->tls_dropped |= xds_who(ctx, XDS_DIFF_INNER_SOCKET_BY_NAME);
        readers = ~xds_who(ctx, XDS_DIFF_INNER_SOCKET_BY_NAME);
        refuse_name(ctx, xds_who(ctx, XDS_DIFF_INNER_SOCKET_NAMED),
                    pb->transport_socket->name);
    }
    read_socket(&(struct socket){XDS_AMONG(ctx, readers),
                                 XDS_AT(extension->at, "transport_socket.typed_config"),
                                 pb->transport_socket, true, socket->out});
}

static xds_readers proxy_readers(const struct socket *socket)
{
    const struct xds_ctx *ctx = socket->ctx;

    return socket->is_inner ? 0
                            : xds_guarded_by(ctx, XDS_ENV_HTTP_CONNECT) &
                                  ~xds_who(ctx, XDS_DIFF_PROXY_SOCKET_UNKNOWN);
}

/* Who does not know a socket of this type. */
static xds_readers foreign_to(const struct socket *socket,
                              const struct xds_extension *extension)
{
    const struct xds_ctx *ctx = socket->ctx;
    xds_readers known = 0;

    if (xds_slice_is(extension->type, TLS_TYPE.name))
        known = XDS_EVERYONE;
    else if (xds_slice_is(extension->type, PROXY_TYPE.name))
        known = proxy_readers(socket);
    else if (xds_slice_is(extension->type, TLS_TYPE_V2) && extension->url_is_canonical)
        known = xds_who(ctx, XDS_DIFF_TLS_TYPE_V2);
    return ~known | xds_socket_url_foreign_to(ctx, extension);
}

static void read_config(const struct socket *socket,
                        const struct xds_extension *extension)
{
    const bool is_tls = xds_slice_is(extension->type, TLS_TYPE.name) ||
                        xds_slice_is(extension->type, TLS_TYPE_V2);
    struct xds_ctx *ctx = socket->ctx;

    if (!ctx->live || (!is_tls && !xds_slice_is(extension->type, PROXY_TYPE.name)))
        return;
    if (!extension->message || extension->typed_struct)
        xds_fire_with(ctx, extension->at, XDS_R_TRANSPORT_UNDECODABLE,
                      XDS_WITH(xds_slice_of(is_tls ? TLS_TYPE.short_name
                                                   : "Http11ProxyUpstreamTransport")));
    else if (is_tls) {
        struct xds_tls_context *tls = xds_upstream_tls_context_read(
            ctx, extension->at, (const void *)extension->message);

        tls->by_proxy = socket->is_inner;
        socket->out->tls = tls;
    } else
        read_proxy(socket, extension);
}

static void read_socket(const struct socket *socket)
{
    struct xds_ctx *ctx = socket->ctx;
    const bool has_config =
        socket->pb->config_type_case ==
        ENVOY__CONFIG__CORE__V3__TRANSPORT_SOCKET__CONFIG_TYPE_TYPED_CONFIG;
    struct xds_extension extension = {.type = {NULL, 0}};
    const bool usable = xds_extension_read(
        ctx, socket->at, has_config ? socket->pb->typed_config : NULL, false, &extension);

    if (!socket->is_inner)
        xds_socket_config_check(ctx, socket->at, socket->pb);

    const bool is_proxy = xds_slice_is(extension.type, PROXY_TYPE.name);

    if (!socket->is_inner && strcmp(socket->pb->name, TLS_NAME) != 0)
        refuse_name(socket->ctx, is_proxy ? ~proxy_readers(socket) : XDS_EVERYONE,
                    socket->pb->name);
    if (!usable)
        return;

    const xds_readers refuse = foreign_to(socket, &extension);

    if (refuse & ctx->live)
        xds_fire_for(ctx, extension.at, refuse, XDS_R_TRANSPORT_TYPE,
                     XDS_WITH(extension.type));
    read_config(&(struct socket){XDS_AMONG(ctx, ~refuse), socket->at, socket->pb,
                                 socket->is_inner, socket->out},
                &extension);
}

void xds_transport_socket_read(struct xds_ctx *ctx, const pb_cluster *pb,
                               struct xds_cluster *out)
{
    const xds_readers readers = ~xds_who(ctx, XDS_DIFF_TRANSPORT_SOCKET_UNREAD);

    out->has_socket = pb->transport_socket != NULL;
    out->tls_dropped = ~readers;

    if (pb->n_transport_socket_matches > 0)
        xds_fire(ctx, NULL, XDS_R_TRANSPORT_MATCHES);
    if (pb->transport_socket)
        read_socket(&(struct socket){XDS_AMONG(ctx, readers),
                                     XDS_AT(NULL, "transport_socket.typed_config"),
                                     pb->transport_socket, false, out});
}
