/*
 * fetch_server.c - the server of a link: its address and credentials, as the client that
 * asks takes them from its bootstrap, and what xdscope does otherwise.
 *
 * Fails:  with one line; a token is never in it.
 * Source: gRFC A27, A65 (channel_creds "tls"), A97 (call_creds).
 */
#include "cli/fetch/fetch_ads.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

enum { MOST_TOKEN = 64 << 10 };

static bool is_first(const struct link *link)
{
    return link->stream == 0 && link->server == 0;
}

static const char *label_of(const struct link *link, struct xds_client_label *label)
{
    *label = xds_client_label(link->session->as);
    return label->text;
}

/* Once for each server. */
__attribute__((format(printf, 2, 3))) static void note(const struct link *link,
                                                       const char *format, ...)
{
    char text[800];
    va_list args;

    if (link->server < link->noted || link->session->f->settings->common.quiet)
        return;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    warning(link->session->f->command, "%s", text);
}

/* ---- channel_creds ---- */

static void use_files(const struct link *link, const struct xds_server_access *access,
                      const char *uri, struct peer_settings *peer)
{
    struct xds_client_label label;

    peer->tls = true;
    peer->ca = access->ca;
    peer->cert = access->cert;
    peer->key = access->key;
    peer->of_bootstrap = true;
    if (access->ignores_config)
        note(link,
             "bootstrap: %s does not read the config of channel_creds tls of %s: the "
             "system's authorities count, and no certificate is sent",
             label_of(link, &label), uri);
    if (access->spiffe && access->trust_map != XDS_TRUST_MAP_READ)
        note(link, "bootstrap: %s does not read spiffe_trust_bundle_map_file of %s%s",
             label_of(link, &label), uri,
             access->trust_map == XDS_TRUST_MAP_OFF
                 ? " unless GRPC_EXPERIMENTAL_XDS_MTLS_SPIFFE is true"
                 : "");
}

/* The exit code. */
static int use_creds(const struct link *link, const struct xds_server_access *access,
                     const char *uri, struct peer_settings *peer)
{
    const struct command *command = link->session->f->command;
    struct xds_client_label label;

    if (!access->type)
        return usage_error(command, "bootstrap: %s has no channel_creds that %s knows",
                           uri, label_of(link, &label));
    if (access->have == XDS_CREDS_NONE)
        return usage_error(command,
                           "bootstrap: %s takes channel_creds %s of %s, which xdscope "
                           "does not have; give HOST:PORT, and --tls",
                           label_of(link, &label), access->type, uri);
    const bool is_tls = access->have == XDS_CREDS_TLS;

    if (strcmp(access->type, is_tls ? "tls" : "insecure") != 0)
        note(link,
             "bootstrap: %s takes channel_creds %s of %s, which xdscope does not have; "
             "xdscope goes on with the next of the list, %s",
             label_of(link, &label), access->type, uri,
             is_tls ? "tls" : "insecure, in plaintext");
    if (is_tls && access->spiffe && access->trust_map == XDS_TRUST_MAP_READ)
        return usage_error(command,
                           "bootstrap: spiffe_trust_bundle_map_file of %s: xdscope does "
                           "not verify by SPIFFE bundles; give HOST:PORT, and --ca",
                           uri);
    if (is_tls)
        use_files(link, access, uri, peer);
    return EXIT_CLEAN;
}

/* ---- call_creds ---- */

static void note_unread(const struct link *link, const struct xds_server_access *access,
                        const char *uri)
{
    struct xds_client_label label;

    if (access->call_creds == XDS_CALL_CREDS_NEVER)
        note(link, "bootstrap: %s does not read call_creds of %s: no token is sent",
             label_of(link, &label), uri);
    if (access->call_creds == XDS_CALL_CREDS_OFF)
        note(link,
             "bootstrap: %s reads call_creds of %s only with --env "
             "GRPC_EXPERIMENTAL_XDS_BOOTSTRAP_CALL_CREDS=true: no token is sent",
             label_of(link, &label), uri);
}

/* What is in a file; -1 with errno set. */
static ssize_t read_token(const char *path, char *out, size_t size)
{
    FILE *file = fopen(path, "rb");

    if (!file)
        return -1;
    errno = 0;
    const size_t n = fread(out, 1, size, file);
    const int error = ferror(file) ? errno : n == size ? EFBIG : 0;

    (void)fclose(file);
    errno = error;
    return error == 0 ? (ssize_t)n : -1;
}

static int send_token(struct link *link, struct xds_slice text, const char *path,
                      char *why, size_t size)
{
    const struct fetch *f = link->session->f;
    struct xds_token_note said;
    struct xds_slice token;

    switch (xds_call_token(link->session->as, path, text, (int64_t)time(NULL), &token,
                           &said)) {
    case XDS_OK:
        break;
    case XDS_ERR_USAGE:
        (void)snprintf(why, size, "call_creds: %s", said.text);
        return EXIT_CLEAN;
    case XDS_END:
    case XDS_ERR_IO:
    case XDS_ERR_NO_MEMORY:
        return trouble(f->command, "out of memory");
    }
    if (said.text[0] != '\0')
        note(link, "call_creds: %s", said.text);
    return peer_add_token(&link->peer, f->command, token);
}

/* A header that the user gives takes the place of the token. */
static int use_call_creds(struct link *link, const struct xds_server_access *access,
                          char *why, size_t size)
{
    const char *path = access->token_file;
    char text[MOST_TOKEN];
    struct xds_token_note said;

    if (!path || peer_has_header(&link->peer, "authorization"))
        return EXIT_CLEAN;
    if (!link->peer.live.tls) {
        (void)snprintf(why, size, "call_creds without TLS: %s",
                       xds_call_token_insecure(link->session->as));
        return EXIT_CLEAN;
    }
    const ssize_t n = read_token(path, text, sizeof text);

    if (n < 0) {
        xds_call_token_unreadable(link->session->as, path, strerror(errno), &said);
        (void)snprintf(why, size, "call_creds: %s", said.text);
        return EXIT_CLEAN;
    }
    return send_token(link, (struct xds_slice){text, (size_t)n}, path, why, size);
}

/* ---- the server ---- */

/* Headers go to the first server alone: they may be secrets. */
static struct peer_settings settings_of(const struct link *link)
{
    const struct peer_settings *given = &link->session->f->settings->peer;

    if (is_first(link))
        return *given;
    return (struct peer_settings){.connect_timeout = given->connect_timeout,
                                  .answer_timeout = given->answer_timeout,
                                  .message_limit = given->message_limit};
}

static int read_given(struct link *link, const struct xds_ads_server *server)
{
    const struct session *s = link->session;
    struct xds_server_access access;

    xds_server_access(server->config, s->as, s->f->request->options, &access);
    if (access.call_creds == XDS_CALL_CREDS_READ)
        note(link, "bootstrap: its token is for %s, and is not sent to %s",
             server->uri.data, s->f->request->address);
    const int status = peer_read(&link->peer, s->f->command, &s->f->settings->peer,
                                 s->f->request->address);

    link->peer.live.no_common_name = !access.common_name;
    return status;
}

static int read_own(struct link *link, const struct xds_ads_server *server, char *why,
                    size_t size)
{
    const struct session *s = link->session;
    const char *uri = server->uri.data;
    struct peer_settings settings = settings_of(link);
    struct xds_server_access access;
    int status = EXIT_CLEAN;

    xds_server_access(server->config, s->as, s->f->request->options, &access);
    if (!peer_asks_for_tls(&settings))
        status = use_creds(link, &access, uri, &settings);
    if (status == EXIT_CLEAN)
        status = peer_read(&link->peer, s->f->command, &settings, uri);
    if (status != EXIT_CLEAN)
        return status;
    note_unread(link, &access, uri);
    link->peer.live.no_common_name = !access.common_name;
    link->peer.live.unix_name_is_path = access.unix_name_is_path;
    if (!link->peer.live.address.has_port && !link->peer.live.tls)
        (void)snprintf(link->peer.live.address.port, sizeof link->peer.live.address.port,
                       "%u", access.plain_port);
    if (access.uri_refused)
        (void)snprintf(why, size, "%s", access.uri_refused);
    return use_call_creds(link, &access, why, size);
}

int server_read(struct link *link, char *why, size_t size)
{
    const struct session *s = link->session;
    const struct xds_ads_server server = xds_ads_server(s->ads, link->stream);
    int status;

    *why = '\0';
    if (is_first(link) && s->f->request->address)
        status = read_given(link, &server);
    else if (server.uri.len == 0)
        return usage_error(s->f->command, "needs HOST:PORT or a bootstrap");
    else
        status = read_own(link, &server, why, size);
    if (link->noted <= link->server)
        link->noted = link->server + 1;
    return status;
}
