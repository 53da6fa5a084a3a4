/*
 * connections.c - checks of TLS contexts and of the addresses of servers.
 *
 * Source: gRFC A29, A36, spec T27.
 */
#include "base/ascii.h"
#include "lint/checks.h"

#define XDS_DOWNSTREAM_TLS                                                               \
    "envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext"

/* ---- certificates that are never renewed ---- */

/* at: transport_socket. */
static void check_renewal(const struct xds_inspection *in, const struct xds_path *at,
                          const struct xds_tls_context *tls)
{
    const unsigned stale =
        xds_clients_differing(&in->report->options, XDS_DIFF_TLS_IDENTITY_STALE) &
        in->report->options.clients;

    if (!stale || !tls || !tls->identity.data || !tls->ca.data ||
        xds_slice_eq(tls->identity, tls->ca))
        return;
    xds_lint_fire(in, at, XDS_R_LINT_TLS_RENEWAL,
                  "the certificate of provider instance \"%.*s\" is never renewed in a "
                  "running process%.*s, unless the files of \"%.*s\", which has the CA, "
                  "change as well: use one instance for both",
                  XDS_FMT(tls->identity), XDS_FMT(xds_lint_for_some(in, stale)),
                  XDS_FMT(tls->ca));
}

/* ---- certificates of clients that are required, and never asked for ---- */

static void check_required(const struct xds_inspection *in, const struct xds_path *at,
                           const struct xds_tls_context *tls)
{
    if (!tls || !tls->require_client_certificate)
        return;
    const unsigned open =
        (unsigned)(~(tls->with_ca | tls->with_roots) &
                   xds_clients_differing(&in->report->options,
                                         XDS_DIFF_SERVER_CERTIFICATE_NEEDS_CA) &
                   in->report->options.clients);

    if (open)
        xds_lint_fire(
            in,
            XDS_AT(XDS_AT_VALUE(XDS_AT(at, "typed_config"), XDS_S(XDS_DOWNSTREAM_TLS)),
                   "require_client_certificate"),
            XDS_R_LINT_TLS_NOT_ASKED,
            "require_client_certificate is set, but a server of %.*s has no CA "
            "to check it with: it takes every client",
            XDS_FMT(xds_lint_who(in, open)));
}

/* at: transport_socket. */
static void check_server(const struct xds_inspection *in, const struct xds_path *at,
                         const struct xds_tls_context *tls)
{
    check_renewal(in, at, tls);
    check_required(in, at, tls);
}

void xds_check_cluster_tls(const struct xds_inspection *in,
                           const struct xds_cluster *cluster)
{
    check_renewal(in, XDS_AT(NULL, "transport_socket"), cluster->tls);
}

void xds_check_server_tls(const struct xds_inspection *in,
                          const struct xds_listener *listener)
{
    for (size_t i = 0; i < listener->n_filter_chains; i++)
        check_server(in, XDS_AT(XDS_AT_I(NULL, "filter_chains", i), "transport_socket"),
                     listener->filter_chains[i].tls);
    if (listener->default_chain)
        check_server(in, XDS_AT(XDS_AT(NULL, "default_filter_chain"), "transport_socket"),
                     listener->default_chain->tls);
}

/* ---- the address of a server ---- */

/* Is it the host of "0.0.0.0:80" or "[::]:80"? */
static bool is_ip(struct xds_slice host)
{
    const bool is_v6 = host.len > 2 && host.data[0] == '[';
    size_t dots = 0;

    for (size_t i = 0; i < host.len; i++) {
        const char c = host.data[i];

        dots += c == '.';
        if (!xds_ascii_digit(c) && c != '.' &&
            !(is_v6 && c != '\0' && strchr("[]:abcdefABCDEF", c)))
            return false;
    }
    return is_v6 ? host.data[host.len - 1] == ']' : dots == 3;
}

/* "IP:PORT" at the end of a name, after '=' or '/'; absent: something else. */
static struct xds_slice address_in(struct xds_slice name)
{
    size_t from = name.len;

    while (from > 0 && name.data[from - 1] != '=' && name.data[from - 1] != '/')
        from--;
    const struct xds_slice tail = xds_slice_from(name, from);
    size_t port = tail.len;

    while (port > 0 && xds_ascii_digit(tail.data[port - 1]))
        port--;
    if (from == 0 || port == tail.len || port < 2 || tail.data[port - 1] != ':' ||
        !is_ip(xds_slice_make(tail.data, port - 1)))
        return (struct xds_slice){NULL, 0};
    return tail;
}

/* A server asks for the listener by the address on which it listens, and does not serve
 * when that of the listener is another one. Port 0 is any port for some. */
void xds_check_server_address(const struct xds_inspection *in,
                              const struct xds_listener *listener)
{
    const struct xds_slice named = address_in(listener->name);

    if (listener->is_api_listener || !named.data || !listener->address.data ||
        xds_slice_eq(named, listener->address) ||
        xds_slice_ends(listener->address, XDS_S(":0")))
        return;
    xds_lint_fire(in, XDS_AT(NULL, "address"), XDS_R_LINT_SERVER_ADDRESS,
                  "address is %.*s, but a server that asks for this name listens on "
                  "%.*s: it does not serve",
                  XDS_FMT(listener->address), XDS_FMT(named));
}

/* ---- the memory of a server ---- */

/* Whatever is in the listener: what it says is only that there is a server. */
void xds_check_server_memory(const struct xds_inspection *in,
                             const struct xds_listener *listener)
{
    const struct xds_options *options = &in->report->options;
    unsigned clients = 0;

    if (listener->is_api_listener ||
        (options->role != XDS_ROLE_SERVER && !xds_is_server_name(listener->name)))
        return;
    for (enum xds_client c = 0; c < XDS_CLIENTS; c++)
        if (xds_differs(options, c, XDS_DIFF_SERVER_KEEPS_CONNECTIONS))
            clients |= XDS_CLIENT_BIT(c) & options->clients;
    if (clients)
        xds_lint_fire(in, NULL, XDS_R_LINT_SERVER_MEMORY,
                      "the server of listener \"%.*s\" keeps connections in memory after "
                      "they have ended%.*s: upgrade it",
                      XDS_FMT(listener->name), XDS_FMT(xds_lint_for_some(in, clients)));
}
