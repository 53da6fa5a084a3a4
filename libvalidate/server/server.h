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
struct xds_connection {
    struct xds_socket local, peer;
    bool is_tls;
    struct xds_slice server_name; /* that the client asked for (SNI); absent: none */
    struct xds_slice alpn;        /* the protocol agreed on: "h2"; absent: none */
    const struct xds_certificate *certificate; /* of the client; NULL: none was sent */
};

/* An RPC that arrived on it. */
struct xds_server_rpc {
    const struct xds_connection *connection;
    struct xds_rpc rpc; /* rpc.request: path, authority, headers in order of arrival */
};

#endif
