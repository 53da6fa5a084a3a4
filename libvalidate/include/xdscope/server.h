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

/* What a server knows of the certificate of a client. */
struct xds_certificate {
    const struct xds_san *sans; /* in the order of the certificate */
    size_t n_sans;
    struct xds_slice subject; /* as RFC 2253 writes it: "CN=shop,O=mesh"; may be empty */
};

#endif
