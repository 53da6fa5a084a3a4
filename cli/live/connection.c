/*
 * connection.c - one connection that speaks HTTP/2: a socket, TLS if wanted, nghttp2.
 *
 * States: connecting, TLS, waiting for the server's SETTINGS, in use, failed.
 * Source: RFC 9113.
 */
#include "cli/live/inner.h"

#include <errno.h>
#include <netdb.h>
#include <openssl/err.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    /* What the server may send before it is asked to go on. Nothing is held of it but
     * what frames.c keeps, as the socket is read only while somebody waits. */
    WINDOW = 16 << 20,
    READ_SIZE = 256 << 10,
    FRAME_HEADER = 9,
};

/* The connection is of no use any more. LIVE_FAILED. */
__attribute__((format(printf, 2, 3))) static enum live_status
fail(struct live_connection *connection, const char *format, ...)
{
    va_list args;

    if (connection->failed)
        return LIVE_FAILED;
    connection->failed = true;
    va_start(args, format);
    (void)vsnprintf(connection->error.text, sizeof connection->error.text, format, args);
    va_end(args);
    return LIVE_FAILED;
}

/* ---- bytes ---- */

/* A server that wanted something else hangs up before it has read all. */
static bool is_hanging_up(const struct live_connection *c)
{
    return !c->has_settings && (errno == ECONNRESET || errno == EPIPE);
}

enum io { IO_DONE, IO_AGAIN, IO_END, IO_FAILED };

static enum io io_of_ssl(struct live_connection *c, int result, bool *other_way,
                         bool wants_write)
{
    const int code = SSL_get_error(c->tls.ssl, result);
    struct live_error error;

    *other_way = false;
    switch (code) {
    case SSL_ERROR_WANT_READ:
        *other_way = wants_write;
        return IO_AGAIN;
    case SSL_ERROR_WANT_WRITE:
        *other_way = !wants_write;
        return IO_AGAIN;
    case SSL_ERROR_ZERO_RETURN:
        return IO_END;
    case SSL_ERROR_SYSCALL:
        if (errno == 0 || is_hanging_up(c))
            return IO_END;
        (void)fail(c, "%s", strerror(errno));
        return IO_FAILED;
    default:
        /* A server that goes without a word of TLS has gone all the same. */
        if (ERR_GET_REASON(ERR_peek_error()) == SSL_R_UNEXPECTED_EOF_WHILE_READING)
            return IO_END;
        tls_explain(&c->tls, &error);
        (void)fail(c, "%s", error.text);
        return IO_FAILED;
    }
}

static bool is_for_later(int error)
{
    return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

static enum io read_some(struct live_connection *c, uint8_t *buffer, size_t size,
                         size_t *n)
{
    *n = 0;
    errno = 0;
    if (c->tls.ssl) {
        ERR_clear_error();
        return SSL_read_ex(c->tls.ssl, buffer, size, n) == 1
                   ? IO_DONE
                   : io_of_ssl(c, 0, &c->reads_write, false);
    }
    const ssize_t got = recv(c->fd, buffer, size, 0);

    if (got < 0 && is_for_later(errno))
        return IO_AGAIN;
    if (got < 0 && is_hanging_up(c))
        return IO_END;
    if (got < 0) {
        (void)fail(c, "%s", strerror(errno));
        return IO_FAILED;
    }
    *n = (size_t)got;
    return got == 0 ? IO_END : IO_DONE;
}

static enum io write_some(struct live_connection *c, size_t *n)
{
    *n = 0;
    errno = 0;
    if (c->tls.ssl) {
        ERR_clear_error();
        return SSL_write_ex(c->tls.ssl, c->out, c->n_out, n) == 1
                   ? IO_DONE
                   : io_of_ssl(c, 0, &c->writes_read, true);
    }
    const ssize_t put = send(c->fd, c->out, c->n_out, 0);

    if (put < 0 && is_for_later(errno))
        return IO_AGAIN;
    /* What the server said before it stopped to listen is yet to be read: it may say why.
     */
    *n = put < 0 ? c->n_out : (size_t)put;
    return IO_DONE;
}

/* As much of what nghttp2 wants to be sent as the socket takes. */
static void flush(struct live_connection *c)
{
    for (;;) {
        size_t n;

        if (c->n_out == 0) {
            const ssize_t len = nghttp2_session_mem_send(c->http, &c->out);

            if (len <= 0)
                return;
            c->n_out = (size_t)len;
        }
        if (write_some(c, &n) != IO_DONE)
            return;
        c->out += n;
        c->n_out -= n;
    }
}

/* ---- what the server says ---- */

/* Is it known what the first bytes are? They stay in first[] until then. */
static bool is_known(struct live_connection *c, bool ended)
{
    static const char http[] = "HTTP/";
    enum { TLS_ALERT = 0x15, TLS_HANDSHAKE = 0x16, TLS_MAJOR = 3, SETTINGS_AT = 3 };
    const unsigned char *first = (const unsigned char *)c->first;
    const size_t n = c->n_first < strlen(http) ? c->n_first : strlen(http);
    const bool full = ended || c->n_first == sizeof c->first - 1;

    if (memcmp(first, http, n) == 0 && n > 0) {
        if (!full && !strchr(c->first, '\n'))
            return false;
        (void)fail(c, "not gRPC: the server answered '%.*s'",
                   (int)strcspn(c->first, "\r\n"), c->first);
        return true;
    }
    if (c->n_first >= 2 && (first[0] == TLS_ALERT || first[0] == TLS_HANDSHAKE) &&
        first[1] == TLS_MAJOR) {
        (void)fail(c, "the server answers with TLS: --tls is missing");
        return true;
    }
    if (c->n_first < FRAME_HEADER && !full)
        return false;
    if (c->n_first <= SETTINGS_AT || first[SETTINGS_AT] != NGHTTP2_SETTINGS)
        (void)fail(c, "not gRPC: the server answered with what is not HTTP/2");
    return true;
}

static void feed(struct live_connection *c, const uint8_t *data, size_t n)
{
    const ssize_t used = nghttp2_session_mem_recv(c->http, data, n);

    /* No callback fails for another reason. */
    if (used == NGHTTP2_ERR_NOMEM || used == NGHTTP2_ERR_CALLBACK_FAILURE)
        (void)fail(c, "out of memory");
    else if (used < 0)
        (void)fail(c, "broken HTTP/2: %s", nghttp2_strerror((int)used));
}

static void take_first(struct live_connection *c, const uint8_t *data, size_t n)
{
    const size_t room = sizeof c->first - 1 - c->n_first, part = n < room ? n : room;

    memcpy(c->first + c->n_first, data, part);
    c->n_first += part;
    if (!is_known(c, false) || c->failed)
        return;
    c->has_settings = true;
    feed(c, (const uint8_t *)c->first, c->n_first);
    if (!c->failed && part < n)
        feed(c, data + part, n - part);
}

static void end(struct live_connection *c)
{
    if (!c->has_settings && c->n_first > 0)
        (void)is_known(c, true);
    if (c->goaway[0] != '\0')
        (void)fail(c, "the server closed the connection: %s", c->goaway);
    else if (c->has_settings)
        (void)fail(c, "the server closed the connection");
    else
        (void)fail(c, "the server closed the connection without an answer%s",
                   c->tls.is_asked                    ? TLS_ASKED
                   : c->tls_wanted || c->has_answered ? ""
                                                      : "; if it wants TLS, --tls is "
                                                        "missing");
}

static void receive(struct live_connection *c)
{
    static uint8_t buffer[READ_SIZE]; /* one connection is read at a time */
    size_t n;

    switch (read_some(c, buffer, sizeof buffer, &n)) {
    case IO_DONE:
        if (c->has_settings)
            feed(c, buffer, n);
        else
            take_first(c, buffer, n);
        return;
    case IO_END:
        end(c);
        return;
    case IO_AGAIN:
    case IO_FAILED:
        return;
    }
}

static bool has_read_ahead(const struct live_connection *c)
{
    return c->tls.ssl && SSL_pending(c->tls.ssl) > 0;
}

/* Sends what there is. False: it has failed. */
static bool prepare(struct live_connection *c)
{
    flush(c);
    if (!c->failed && !nghttp2_session_want_read(c->http) &&
        !nghttp2_session_want_write(c->http))
        (void)(c->goaway[0] != '\0' ? fail(c, "%s", c->goaway)
                                    : fail(c, "broken HTTP/2%s", c->complaint));
    return !c->failed;
}

enum live_status connection_turn_any(struct live_connection *const *list, size_t n,
                                     int64_t deadline)
{
    struct pollfd polled[LIVE_MOST_CONNECTIONS];
    bool ready = false;

    for (size_t i = 0; i < n; i++) {
        struct live_connection *c = list[i];

        ready |= !prepare(c) || has_read_ahead(c);
        const bool write = c->reads_write || (c->n_out > 0 && !c->writes_read);

        polled[i] = (struct pollfd){c->fd, (short)(POLLIN | (write ? POLLOUT : 0)),
                                    has_read_ahead(c) ? POLLIN : 0};
    }
    /* A peer that always has something to say gets no more time either. */
    if (!ready && live_now() >= deadline)
        return LIVE_TIMED_OUT;
    const enum live_status status =
        ready ? LIVE_OK : socket_wait_any(polled, n, deadline);

    for (size_t i = 0; status == LIVE_OK && i < n; i++)
        if (!list[i]->failed && polled[i].revents != 0) {
            receive(list[i]);
            if (!list[i]->failed)
                flush(list[i]);
        }
    return status;
}

enum live_status connection_turn(struct live_connection *connection, int64_t deadline)
{
    /* What was read ahead gets no more time either. */
    if (!connection->failed && prepare(connection) && live_now() >= deadline)
        return LIVE_TIMED_OUT;
    const enum live_status status = connection_turn_any(&connection, 1, deadline);

    return connection->failed ? LIVE_FAILED : status;
}

/* ---- HTTP/2 ---- */

static int on_frame(nghttp2_session *http, const nghttp2_frame *frame, void *user)
{
    struct live_connection *c = user;

    call_on_frame(http, frame);
    if (frame->hd.type != NGHTTP2_GOAWAY)
        return 0;

    const int len =
        frame->goaway.opaque_data_len > 80 ? 80 : (int)frame->goaway.opaque_data_len;

    (void)snprintf(
        c->goaway, sizeof c->goaway, "GOAWAY with %s%s%.*s%s",
        nghttp2_http2_strerror(frame->goaway.error_code), len > 0 ? " and '" : "", len,
        len > 0 ? (const char *)frame->goaway.opaque_data : "", len > 0 ? "'" : "");
    return 0;
}

/* nghttp2 takes leave by itself of a server that breaks the rules. */
static int on_sent(nghttp2_session *http, const nghttp2_frame *frame, void *user)
{
    struct live_connection *c = user;

    (void)http;
    if (frame->hd.type == NGHTTP2_GOAWAY)
        (void)snprintf(c->complaint, sizeof c->complaint, ": %s",
                       nghttp2_http2_strerror(frame->goaway.error_code));
    return 0;
}

static bool submit_start(struct live_connection *c)
{
    static const nghttp2_settings_entry settings[] = {
        {NGHTTP2_SETTINGS_ENABLE_PUSH, 0},
        {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, WINDOW},
        {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, 64 << 10},
    };

    return nghttp2_submit_settings(c->http, NGHTTP2_FLAG_NONE, settings,
                                   sizeof settings / sizeof settings[0]) == 0 &&
           nghttp2_session_set_local_window_size(c->http, NGHTTP2_FLAG_NONE, 0, WINDOW) ==
               0;
}

static bool open_http(struct live_connection *c)
{
    nghttp2_session_callbacks *callbacks;

    if (nghttp2_session_callbacks_new(&callbacks) != 0)
        return false;
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
    nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, on_sent);
    call_set_callbacks(callbacks);

    const bool good = nghttp2_session_client_new(&c->http, callbacks, c) == 0;

    nghttp2_session_callbacks_del(callbacks);
    return good && submit_start(c);
}

/* ---- connecting ---- */

static enum live_status handshake(struct live_connection *c, int64_t deadline)
{
    if (!tls_begin(&c->tls, c->fd, &c->error))
        return LIVE_FAILED;
    for (;;) {
        bool writes = false;

        ERR_clear_error();
        errno = 0;

        const int result = SSL_connect(c->tls.ssl);

        if (result == 1)
            return tls_has_h2(&c->tls)
                       ? LIVE_OK
                       : fail(c, "TLS: the server does not choose h2 by ALPN, which gRPC "
                                 "clients require: is this its port for gRPC?");
        switch (io_of_ssl(c, result, &writes, false)) {
        case IO_END:
            return fail(c, "the server closed the connection during TLS; it "
                           "may want plaintext");
        case IO_FAILED:
            return LIVE_FAILED;
        case IO_DONE:
        case IO_AGAIN:
            break;
        }
        const enum live_status status =
            socket_wait(c->fd, writes ? POLLOUT : POLLIN, deadline);

        if (status != LIVE_OK)
            return status;
    }
}

static enum live_status await_settings(struct live_connection *c, int64_t deadline)
{
    enum live_status status = LIVE_OK;

    while (status == LIVE_OK && !c->has_settings)
        status = connection_turn(c, deadline);
    return status;
}

static enum live_status establish(struct live_connection *c, const struct live_peer *peer,
                                  const struct addrinfo *all)
{
    const int64_t deadline = live_now() + peer->connect_ms;
    enum live_status status = LIVE_OK;

    c->fd = socket_connect(&peer->address, all, deadline, &status, &c->error);
    if (c->fd < 0)
        return status;
    if (peer->tls)
        status = handshake(c, deadline);
    if (status == LIVE_OK && !open_http(c))
        status = LIVE_NO_MEMORY;
    return status == LIVE_OK ? await_settings(c, deadline) : status;
}

static void name_authority(struct live_connection *c, const struct live_peer *peer)
{
    const struct live_address *a = &peer->address;
    const bool brackets = strchr(a->host, ':') != NULL;

    c->scheme = peer->tls ? "https" : "http";
    if (a->host[0] == '\0')
        (void)snprintf(c->authority, sizeof c->authority, "localhost");
    else
        (void)snprintf(c->authority, sizeof c->authority, "%s%s%s:%s",
                       brackets ? "[" : "", a->host, brackets ? "]" : "", a->port);
}

static struct live_connection *new_connection(const struct live_peer *peer)
{
    struct live_connection *c = calloc(1, sizeof *c);

    if (!c)
        return NULL;
    c->name = peer->name;
    c->headers = peer->headers;
    c->n_headers = peer->n_headers;
    c->message_bytes = peer->message_bytes;
    c->tls_wanted = peer->tls;
    c->has_answered = peer->has_answered;
    c->fd = -1;
    name_authority(c, peer);
    return c;
}

/* Signals are held back only where somebody looks for them: a name may take its time. */
static enum live_status find_and_connect(struct live_connection *c,
                                         const struct live_peer *peer)
{
    enum live_status status = LIVE_FAILED;
    struct addrinfo *all = NULL;

    if (peer->tls && !tls_open(&c->tls, peer, &c->error))
        return status;
    if (!socket_resolve(&peer->address, &all, &status, &c->error))
        return status;
    live_hold_signals();
    c->holds_signals = true;
    status = establish(c, peer, all);
    if (all)
        freeaddrinfo(all);
    return status;
}

struct live_connection *live_connect(const struct live_peer *peer,
                                     enum live_status *status, struct live_error *error)
{
    struct live_connection *c = new_connection(peer);

    *error = (struct live_error){.code = LIVE_GRPC_UNKNOWN};
    *status = LIVE_NO_MEMORY;
    if (!c)
        return NULL;
    *status = find_and_connect(c, peer);
    if (*status == LIVE_OK)
        return c;
    if (*status == LIVE_TIMED_OUT)
        (void)live_fault(&c->error, "no connection within %u s", peer->connect_ms / 1000);
    *error = c->error;
    live_close(c);
    return NULL;
}

void live_close(struct live_connection *connection)
{
    struct live_connection *c = connection;

    if (!c)
        return;
    if (c->http && !c->failed && c->has_settings) {
        (void)nghttp2_session_terminate_session(c->http, NGHTTP2_NO_ERROR);
        flush(c);
        if (c->tls.ssl && !c->failed)
            (void)SSL_shutdown(c->tls.ssl);
    }
    nghttp2_session_del(c->http);
    tls_release(&c->tls);
    if (c->fd >= 0)
        (void)close(c->fd);
    if (c->holds_signals)
        live_drop_signals();
    free(c);
}
