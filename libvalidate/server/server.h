/*
 * server.h - the inside of the room: what a server makes of a connection and its RPCs.
 *
 * Source: gRFC A36, A41, A29.
 */
#ifndef XDS_SERVER_SERVER_H
#define XDS_SERVER_SERVER_H

#include "model/address.h"
#include "route/route.h"

/* One side of a connection. */
struct xds_socket {
    struct xds_ip ip; /* IPv4 inside IPv6 is IPv6 here: who unmaps it is a difference */
    uint16_t port;    /* 0: not known */
    struct xds_slice text; /* as it was given, for reasons; absent: not known */
};

/* A connection that a server has accepted. */
struct xds_server_connection {
    struct xds_socket local, peer;
    bool is_tls;
    struct xds_slice server_name; /* that the client asked for (SNI); absent: none */
    struct xds_slice alpn;        /* the protocol agreed on: "h2"; absent: none */
    const struct xds_certificate *certificate; /* of the client; NULL: none was sent */
};

/* An RPC that arrived on it. */
struct xds_server_rpc {
    const struct xds_server_connection *connection;
    struct xds_rpc rpc; /* rpc.request: path, authority, headers in order of arrival */
    bool *kills; /* set where the server dies of an address; NULL: of no interest */
    struct xds_server_brief *brief; /* what is decided, and not why; NULL: why, too */
};

/* What answers without reasons share. */
struct xds_server_brief {
    struct xds_arena *arena;    /* lasts */
    struct xds_strmap policies; /* struct xds_rbac_index, by xds_rbac */
};

/* ---- addresses ---- */

/* "10.0.0.1", "10.0.0.1:80", "::1", "[::1]:80"; text is borrowed. False for anything
 * else. */
bool xds_socket_read(struct xds_slice text, struct xds_socket *out);
/* 0.0.0.0 or ::. */
bool xds_ip_is_wildcard(const struct xds_ip *ip);
bool xds_ip_equal(const struct xds_ip *a, const struct xds_ip *b);
#define XDS_KILLED_BY_ADDRESS                                                            \
    "an IPv6 range is compared with an IPv4 address that is written as IPv6: "           \
    "SyntaxError: Cannot convert it to a BigInt"

/* Does the server die of comparing the two? It writes IPv4 inside IPv6 as text, and
 * cannot read that text again. */
bool xds_ip_kills(const struct xds_rpc *rpc, unsigned family, const struct xds_ip *ip);
bool xds_cidr_contains(const struct xds_cidr *cidr, const struct xds_ip *ip);
/* IPv4 inside IPv6 as IPv4, and IPv4 as IPv4 inside IPv6. */
struct xds_ip xds_ip_unmapped(struct xds_ip ip);
struct xds_ip xds_ip_mapped(struct xds_ip ip);

/* ---- which filter chain a connection gets ---- */

enum xds_chain_fate {
    XDS_CHAIN_CHOSEN,
    XDS_CHAIN_DROPPED,     /* it can never match */
    XDS_CHAIN_DESTINATION, /* the first criterion that fails, or that others match better
                            */
    XDS_CHAIN_SOURCE_TYPE,
    XDS_CHAIN_SOURCE,
    XDS_CHAIN_SOURCE_PORT,
};

struct xds_chain_try {
    size_t index;
    const struct xds_filter_chain *chain;
    enum xds_chain_fate fate;
    struct xds_slice reason; /* a clause: "prefix_ranges ... " */
};

struct xds_chain_choice {
    const struct xds_chain_try *tries; /* each of filter_chains, in order */
    size_t n_tries;
    const struct xds_filter_chain *chain; /* NULL: none, the connection is closed */
    size_t index;                         /* of it; XDS_DEFAULT_CHAIN */
    struct xds_slice several; /* present: no chain, as several match; a clause */
    struct xds_slice crash;   /* present: the server dies of the connection; a clause */
};

struct xds_chain_choice xds_chain_choose(const struct xds_server_rpc *rpc,
                                         const struct xds_listener *listener,
                                         const struct xds_socket *bound);

/* Why this client drops a filter chain whatever the connection: a clause; absent: it does
 * not. */
struct xds_slice xds_chain_dropped(const struct xds_rpc *who,
                                   const struct xds_listener *listener,
                                   const struct xds_filter_chain *chain);
/* "ANY", "SAME_IP_OR_LOOPBACK", "EXTERNAL". */
const char *xds_source_type_name(uint32_t type);

/* ---- the decision ---- */

enum xds_served_outcome {
    XDS_SERVED_YES,
    XDS_SERVED_DENIED,    /* RBAC */
    XDS_SERVED_FAILED,    /* with another status */
    XDS_SERVED_CLOSED,    /* no filter chain takes the connection */
    XDS_SERVED_HANDSHAKE, /* TLS and plaintext do not fit, or a certificate is missing */
    XDS_SERVED_NOT_SERVING, /* the server has no listener that it can use */
    XDS_SERVED_CRASH,
    XDS_SERVED_UNDECIDED,
};

/* How a listener was found. */
enum xds_listener_by {
    XDS_LISTENER_BY_TEMPLATE, /* of the bootstrap */
    XDS_LISTENER_BY_USUAL_NAME,
    XDS_LISTENER_BY_ADDRESS,
};

struct xds_rbac_answer; /* server/rbac.h */

/* One HTTP filter as the RPC passes it. */
struct xds_served_filter {
    struct xds_filter_use use;
    const struct xds_rbac_answer
        *rbac;    /* of a filter that is one; NULL: none was asked */
    bool reached; /* false: the RPC has ended before */
    bool denies;
    bool unknown;            /* what it does is not in the snapshot */
    struct xds_slice result; /* a clause: "denies it: ..." */
};

struct xds_served {
    struct xds_client_label as;
    const struct xds_inbound *inbound;
    struct xds_server_connection connection; /* as the server sees it */
    enum xds_served_outcome outcome;
    struct xds_slice code;  /* of the status that the client sees; absent: none */
    struct xds_slice error; /* its message, or a sentence why there is none */
    bool is_status;         /* error is the message of a status */
    const struct xds_rpc_failure *reason; /* of the status; NULL: none is known */
    struct xds_slice
        policy; /* of RBAC, that denies, or the last that allows; absent: none
                 */

    struct xds_slice listener_name; /* that was looked for, or found */
    enum xds_listener_by listener_by;
    const struct xds_listener *listener; /* NULL: none in use */
    struct xds_chain_choice chains;
    struct xds_slice security;          /* what the connection is, and why; a clause */
    const struct xds_listener *manager; /* the HttpConnectionManager; or NULL */
    struct xds_slice route_config_name; /* absent: inline without a name */
    const struct xds_route_config *route_config;
    struct xds_slice authority;
    struct xds_virtual_host_choice virtual_host;
    struct xds_route_walk walk;
    const struct xds_route_try *route;
    const struct xds_served_filter *filters;
    size_t n_filters;
    struct xds_slice *notes;
    size_t n_notes;
    const struct xds_slice *why_not; /* of the policy that was asked about: clauses */
    size_t n_why_not;
};

/* The list with one more text, in arena; *n counts it. */
struct xds_slice *xds_texts_with(struct xds_arena *arena, const struct xds_slice *list,
                                 size_t *n, const char *format, va_list args);
/* Notes are kept in order. */
void xds_served_note(struct xds_arena *arena, struct xds_served *d, const char *format,
                     ...) XDS_PRINTF(3, 4);

/* Have the routes of one of its filter chains two that are equal to this client? */
bool xds_server_equal_routes(const struct xds_rpc *who,
                             const struct xds_snapshot *snapshot,
                             const struct xds_listener *listener);

/* ---- a server that runs ---- */

/* What a server has now, in place of what the snapshot has. All of it is borrowed. */
struct xds_running {
    struct xds_slice listener_name;
    enum xds_listener_by listener_by;
    const struct xds_listener *listener; /* of the connection; NULL: it does not serve */
    struct xds_slice unserved;           /* then: why, a sentence */
    bool connects;                       /* only as far as the connection */
    /* The RouteConfiguration that a filter chain has by RDS, or NULL and why: a clause.
     */
    const struct xds_route_config *(*routes)(void *user,
                                             const struct xds_filter_chain *chain,
                                             const char **why);
    void *user;
};

/* From now on answer for this server. */
void xds_server_run(struct xds_server *server, const struct xds_running *running);

/* The listener that the snapshot has for a server. */
struct xds_server_sight {
    struct xds_slice name;
    enum xds_listener_by by;
    const struct xds_listener *listener; /* NULL: missing or rejected */
    struct xds_slice unfit; /* why it cannot be used, a clause; absent: it can */
    bool equal_routes;      /* then: of that */
    const struct xds_rule *killed_by;
};

/* name absent: it is looked for as xds_serve() does. Lives until the next call. */
enum xds_status xds_server_look(struct xds_server *server, struct xds_slice address,
                                struct xds_slice name, struct xds_server_sight *out);

/* Runs the RPC through the filters of d->manager; fills d->filters, and ends it where one
 * of them does. False: it has ended. */
bool xds_server_filters(const struct xds_server_rpc *rpc, struct xds_served *d);

/* Fills d->why_not where a policy was asked about. */
void xds_server_why_not(const struct xds_server_rpc *rpc, struct xds_served *d);

#endif
