/* server.h - what becomes of an RPC that arrives at an xDS server. */
#ifndef XDSCOPE_SERVER_H
#define XDSCOPE_SERVER_H

#include "explain.h"

/* A subject alternative name of a certificate. */
enum xds_san_kind {
    XDS_SAN_URI,
    XDS_SAN_DNS,
    XDS_SAN_EMAIL,
    XDS_SAN_IP,
};

struct xds_san {
    enum xds_san_kind kind;
    struct xds_slice value; /* "spiffe://mesh/ns/shop", "a.example.com", "10.0.0.1" */
};

/* The certificate of a client, as a server sees it, or that of a server. */
struct xds_certificate {
    const struct xds_san *sans; /* in the order of the certificate */
    size_t n_sans;
    struct xds_slice subject; /* as RFC 2253 writes it: "CN=shop,O=mesh"; may be empty */
    struct xds_slice fault; /* why its peer refuses it before it looks at names, a clause;
                               absent: it does not */
    bool no_tls_usage; /* its key usage is not for TLS, at which not all peers look */
};

/* What the connection of an RPC is. */
enum xds_way {
    XDS_WAY_AS_ASKED, /* as the filter chain asks for it */
    XDS_WAY_PLAINTEXT,
    XDS_WAY_TLS,
};

/* An RPC that arrives at a server. All text is borrowed. */
struct xds_inbound {
    struct xds_slice server; /* "0.0.0.0:8080": on which it listens */
    struct xds_slice local;  /* "10.0.0.1:8080", the server's side of the connection;
                                absent: that of server, which is no wildcard then */
    struct xds_slice peer;   /* "10.0.0.2", "10.0.0.2:4711": the client's side */
    enum xds_way way;
    struct xds_slice server_name;              /* of SNI; absent: none */
    const struct xds_certificate *certificate; /* of the client; NULL: it sends none */
    struct xds_request rpc; /* path, headers and authority, which is the server's address
                               if it is absent; nothing else is read */
};

struct xds_served; /* server/server.h describes it; print it with xds_print_served_* */

/* Answers for many RPCs of one server; what one answer needed helps the next. */
struct xds_server;

/* check must have been made with keep, have seen all resources, and is borrowed. client:
 * the implementation of the server. NULL when there is no memory. */
XDS_API struct xds_server *xds_server_new(struct xds_check *check,
                                          enum xds_client client);
XDS_API void xds_server_free(struct xds_server *server);
/* What becomes of the RPC: its listener, filter chain, TLS, route, HTTP filters. The
 * answer belongs to server and lives until the next call. XDS_ERR_USAGE when an address
 * cannot be used: xds_inbound_fault() says why. gRFC A36, A41. */
XDS_API XDS_MUST_USE enum xds_status xds_serve(struct xds_server *server,
                                               const struct xds_inbound *inbound,
                                               const struct xds_served **out);
/* From now on say what becomes of an RPC, and not why: without the reasons of filter
 * chains and routes, and without what the rules of RBAC saw. Many times as fast. */
XDS_API void xds_server_be_brief(struct xds_server *server);
/* What is wrong with an address of it, such as "is not an IP address with a port", and
 * in *which its member; NULL: nothing. */
XDS_API const char *xds_inbound_fault(const struct xds_inbound *inbound,
                                      const char **which);
/* True when the server's method is called. */
XDS_API bool xds_served_well(const struct xds_served *served);
/* Mark the resources that the RPC meets, as xds_decision_mark_resources() does. */
XDS_API void xds_served_mark_resources(const struct xds_server *server,
                                       const struct xds_served *served, bool *met);

/* Both ends of one RPC: where its client sends it, the connection to the host, and what
 * the server there does. */
struct xds_joint; /* explain/joint.h describes it; print it with xds_print_joint_* */

/* Answers for many RPCs. client and server are the implementations of the two ends; check
 * is as that of xds_server_new(). NULL when there is no memory. */
struct xds_joiner;
XDS_API struct xds_joiner *xds_joiner_new(struct xds_check *check, enum xds_client client,
                                          enum xds_client server);
XDS_API void xds_joiner_free(struct xds_joiner *joiner);
/* decision: that of an explainer for the same check and client, which the answer refers
 * to. base: what is known of the connection; peer and certificate are those of the
 * client, way is its credentials where they are not XdsCredentials, and server is the
 * host that is meant, if there are several. All of it may be absent. The answer belongs
 * to joiner and lives until the next call. XDS_ERR_USAGE when base->peer is no address.
 */
XDS_API XDS_MUST_USE enum xds_status xds_join(struct xds_joiner *joiner,
                                              const struct xds_decision *decision,
                                              const struct xds_inbound *base,
                                              const struct xds_joint **out);
/* True when the server's method is called. */
XDS_API bool xds_joint_well(const struct xds_joint *joint);
/* Mark the resources that the RPC meets at the server, as xds_decision_mark_resources()
 * does for its client. */
XDS_API void xds_joint_mark_resources(const struct xds_joiner *joiner,
                                      const struct xds_joint *joint, bool *met);

/* As xds_json_requests_new(), for RPCs that arrive at a server: their objects have the
 * members "server", "local", "peer", "peer_san", "peer_subject", "tls" and "server_name",
 * too. base, which is borrowed, has what an object does not say. */
XDS_API struct xds_json_requests *xds_json_inbounds_new(const struct xds_inbound *base,
                                                        struct xds_slice cookies);
/* The RPC read last, which lives until the next one is read. */
XDS_API const struct xds_inbound *
xds_json_requests_inbound(const struct xds_json_requests *requests);

/* "uri:spiffe://mesh/shop", "dns:a.example.com", "email:...", "ip:10.0.0.1". False when
 * it is none of these. */
XDS_API bool xds_san_read(struct xds_slice text, struct xds_san *out);
/* "uri", "dns", "email", "ip". */
XDS_API const char *xds_san_kind_name(enum xds_san_kind kind);

#endif
