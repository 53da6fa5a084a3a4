/*
 * live.h - gRPC calls to a live system: the only place that opens a connection.
 *
 * Takes:  where the system is, and messages as bytes.
 * Gives:  messages as bytes, and in plain words why there are none.
 * Source: gRPC over HTTP/2, and gRPC Name Resolution, of the documents of gRPC.
 *
 * Synchronous: each function that waits has a poll loop inside. From live_connect(), once
 * a name is looked up, to live_close() SIGINT and SIGTERM end the waiting with
 * LIVE_STOPPED; from live_hold_signals() to live_drop_signals() as well. Who does not
 * come to wait within a second is ended by the signal, and by a second one at once.
 */
#ifndef XDS_CLI_LIVE_LIVE_H
#define XDS_CLI_LIVE_LIVE_H

#include "include/xdscope.h"

/* Of a message, unless the peer says otherwise. */
#define LIVE_MESSAGE_BYTES ((size_t)256 << 20)

enum { LIVE_MOST_CONNECTIONS = 64 }; /* that are waited for at a time */
enum { LIVE_MOST_ADDRESSES = 64 };   /* of a list of IP addresses */

enum live_status {
    LIVE_OK,
    LIVE_TIMED_OUT,
    LIVE_ENDED,  /* the call, with the status that its error has */
    LIVE_FAILED, /* the connection, for good */
    LIVE_STOPPED,
    LIVE_NO_MEMORY,
};

/* The status codes of gRPC that somebody acts upon. */
enum { LIVE_GRPC_OK = 0, LIVE_GRPC_UNKNOWN = 2, LIVE_GRPC_UNIMPLEMENTED = 12 };

struct live_error {
    int code;       /* LIVE_ENDED: the grpc-status */
    char text[600]; /* one line; what the other side wrote is in it as it came */
};

struct live_address {
    char host[256]; /* a name or an IP address, without brackets */
    char port[6];
    bool has_port;      /* or it is 443 */
    const char *others; /* of ipv4: and ipv6:, after the first: ",IP:PORT,..." of the
                           text; or NULL */
    char path[108];     /* of a unix socket; host is empty then */
    bool is_abstract;   /* not a file: the path is a name */
    char dns[64];       /* the DNS server that dns://SERVER/ names, which is not asked */
};

/* HOST[:PORT], [IPv6]:PORT, dns:HOST:PORT, dns:///HOST:PORT, dns://SERVER/HOST:PORT,
 * ipv4:IP:PORT,..., ipv6:[IP]:PORT,..., unix:PATH, unix:///PATH, unix-abstract:NAME; the
 * text outlives what is made of it. False: *error says what is wrong with it. */
bool live_address(const char *text, struct live_address *out, struct live_error *error);

/* The next of `others`, which *rest is at first; false: there is none. */
bool live_next_address(const char **rest, struct live_address *out);

/* Nothing of it leaves this machine. */
bool live_is_local(const struct live_address *address);

/* All of it is borrowed for the call of live_connect(), except texts that say so. */
struct live_peer {
    const char *name; /* for messages; as long as the connection */
    struct live_address address;
    bool tls, skip_verify;
    const char *ca, *cert, *key; /* files in PEM; or NULL */
    bool of_bootstrap;           /* they are fields of one, and not options */
    const char *server_name;     /* that the certificate has to have; NULL: the host */
    bool no_common_name;         /* the name is not looked for in the common name */
    bool unix_name_is_path;      /* the host of a unix socket is its percent-encoded path,
                                    and not localhost */
    bool has_answered;           /* without TLS, or with it, before */
    /* "name: value", as long as the connection. */
    const char *const *headers;
    size_t n_headers;
    unsigned connect_ms;  /* for connecting, TLS and the first frame of HTTP/2 */
    size_t message_bytes; /* the limit of one message */
};

struct live_connection;
struct live_call;

/* The signal that has come, or 0: the caller ends what it does within a second, or the
 * signal ends the program. */
int live_stopped(void);
void live_hold_signals(void);
void live_drop_signals(void);
/* Waits for nothing else; LIVE_TIMED_OUT, or LIVE_STOPPED. */
enum live_status live_sleep(int64_t deadline);

/* Milliseconds of a clock that only goes forward. */
int64_t live_now(void);

/* Every address of a name is tried in turn. NULL: *status and *error say why. */
struct live_connection *live_connect(const struct live_peer *peer,
                                     enum live_status *status, struct live_error *error);
/* Takes leave of the server; its calls were freed before. NULL is fine. */
void live_close(struct live_connection *connection);

/* Begins a call: "/envoy.service.status.v3.ClientStatusDiscoveryService/...". NULL when
 * there is no memory. */
struct live_call *live_call(struct live_connection *connection, const char *path);
/* Also resets the stream if the call has not ended. */
void live_call_free(struct live_call *call);
/* The message is copied, and on its way while somebody waits. LIVE_OK or LIVE_NO_MEMORY.
 */
enum live_status live_send(struct live_call *call, struct xds_slice message);
/* How many bytes of messages are on their way, as the server does not take them yet. */
size_t live_unsent(const struct live_call *call);
/* No more messages will be sent. */
void live_close_send(struct live_call *call);

struct live_message {
    char *data; /* malloc'ed, the caller's */
    size_t len;
};

/* Waits until a message has come whole, the call ends, or the clock of live_now() reaches
 * the deadline. */
enum live_status live_receive(struct live_call *call, int64_t deadline,
                              struct live_message *out);
/* Waits until something has come for one of the calls, which are of different connections
 * and have not ended: LIVE_OK; live_receive() with a deadline of 0 says what. At most
 * LIVE_MOST_CONNECTIONS. */
enum live_status live_wait(struct live_call *const *calls, size_t n, int64_t deadline);
/* How many bytes of messages have come for the call so far. */
size_t live_arrived(const struct live_call *call);
/* After LIVE_ENDED and LIVE_FAILED. */
const struct live_error *live_error(const struct live_call *call);

#endif
