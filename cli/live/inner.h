/* inner.h - what the files of this room share. */
#ifndef XDS_CLI_LIVE_INNER_H
#define XDS_CLI_LIVE_INNER_H

#include "cli/live/frames.h"

#include <nghttp2/nghttp2.h>
#include <openssl/ssl.h>
#include <signal.h>

/* A text in an error, cut where it is full. False. */
__attribute__((format(printf, 2, 3))) bool live_fault(struct live_error *error,
                                                      const char *format, ...);

/* ---- openssl.c ---- */

/* Before anything of OpenSSL is called. False: *error says why there is none. */
bool openssl_load(struct live_error *error);

/* ---- tls.c ---- */

/* After what a server says that may have wanted one. */
#define TLS_ASKED "; it asks for the client's certificate, and --cert is missing"

/* What a handshake needs, and what it has learned. */
struct tls {
    SSL_CTX *context;
    SSL *ssl;
    const char *name;   /* that the certificate has to have */
    char own_name[340]; /* where it is made */
    char subject[300];  /* the names that it has */
    int refused;        /* an X509_V_ERR_..., or 0 */
    bool is_asked;      /* for a certificate that there is none of */
    bool no_common_name, only_common_name;
};

/* False: *error says what is wrong with a file, or what there is no memory for. */
bool tls_open(struct tls *tls, const struct live_peer *peer, struct live_error *error);
/* Over a socket that is connected. */
bool tls_begin(struct tls *tls, int fd, struct live_error *error);
/* The server has agreed to speak HTTP/2. */
bool tls_has_h2(const struct tls *tls);
/* What a handshake, or a read, that failed came to. */
void tls_explain(const struct tls *tls, struct live_error *error);
void tls_release(struct tls *tls);

/* ---- connection.c ---- */

struct addrinfo;

struct live_connection {
    const char *name;
    const char *scheme; /* "https" */
    char authority[300];
    const char *const *headers;
    size_t n_headers, message_bytes;
    bool tls_wanted, has_answered, holds_signals;
    int fd;
    struct tls tls;
    nghttp2_session *http;
    bool has_settings; /* the server has begun with HTTP/2 */
    bool reads_write;  /* TLS waits for the socket to become writable to read, */
    bool writes_read;  /* or the other way round */
    bool failed;
    struct live_error error; /* once it failed */
    char goaway[160];        /* what the server said when it took leave */
    char complaint[40];      /* what we said when we did */
    /* Of the answer's first bytes, while it is not known what they are. */
    char first[200];
    size_t n_first;
    const uint8_t *out; /* what nghttp2 wants to be sent, as far as it is not */
    size_t n_out;
};

/* Sends what there is, and waits once for the socket. LIVE_OK: something has happened. */
enum live_status connection_turn(struct live_connection *connection, int64_t deadline);
/* The same of at most LIVE_MOST_CONNECTIONS; one that fails is something that happens. */
enum live_status connection_turn_any(struct live_connection *const *list, size_t n,
                                     int64_t deadline);

/* ---- socket.c ---- */

/* All addresses of a name, for freeaddrinfo(); NULL of a path or a list. Nothing stops
 * it. False: *status and *error say why. */
bool socket_resolve(const struct live_address *address, struct addrinfo **all,
                    enum live_status *status, struct live_error *error);
/* Connects to one of them; -1: *status and *error say why not. */
int socket_connect(const struct live_address *address, const struct addrinfo *all,
                   int64_t deadline, enum live_status *status, struct live_error *error);
/* Waits for events of poll() till the deadline: LIVE_OK, LIVE_TIMED_OUT or LIVE_STOPPED.
 */
enum live_status socket_wait(int fd, short events, int64_t deadline);
struct pollfd;
enum live_status socket_wait_any(struct pollfd *polled, size_t n, int64_t deadline);
/* As poll(), with these signals blocked while it waits; it may be back with 0 before the
 * time is over. poll_linux.c, or poll_portable.c (SYSTEM of the Makefile). */
int socket_poll(struct pollfd *polled, size_t n, int64_t ms, const sigset_t *mask);

/* ---- call.c ---- */

/* The callbacks that are about a call. */
void call_set_callbacks(nghttp2_session_callbacks *callbacks);
/* A frame has come whole. */
void call_on_frame(nghttp2_session *http, const nghttp2_frame *frame);

#endif
