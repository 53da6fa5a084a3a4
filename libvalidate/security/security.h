/*
 * security.h - the security of a connection as a client sees it: what it makes of the TLS
 * context of a cluster, and of the certificate of a server.
 *
 * Takes:  models, and the certificate as a list of names; it knows no cryptography.
 * Source: gRFC A29, A82, A101, spec cluster 1.13 to 1.17.
 */
#ifndef XDS_SECURITY_SECURITY_H
#define XDS_SECURITY_SECURITY_H

#include "model/cluster.h"
#include "model/endpoint.h"
#include "route/route.h"

/* Where the name comes from that a client sends by TLS. */
enum xds_sni_from {
    XDS_SNI_NONE,
    XDS_SNI_HOSTNAME,  /* auto_host_sni: of the endpoint, or of LOGICAL_DNS */
    XDS_SNI_FIELD,     /* sni */
    XDS_SNI_AUTHORITY, /* of the channel */
};

/* Connections to one host of a leaf cluster, for a channel with XdsCredentials. */
struct xds_security {
    struct xds_slice cluster;
    bool has_socket;
    const struct xds_tls_context *tls; /* NULL: the fallback of XdsCredentials counts */
    struct xds_tls_providers providers;
    bool identity_missing, ca_missing; /* in the bootstrap; false without one */
    bool system_roots;
    enum xds_sni_from sni_from;
    struct xds_slice sni; /* absent: none */
    bool by_sni;          /* the names of the certificate are compared with it alone */
    bool sni_unread;      /* fields about SNI are set, and this client ignores them */
    const struct xds_handshake *handshake; /* with the certificate that the request has;
                                              NULL: it has none */
};

void xds_security_read(const struct xds_rpc *rpc, const struct xds_cluster *leaf,
                       const struct xds_endpoint *endpoint, struct xds_security *out);

/* One matcher beside all names of a certificate. */
struct xds_san_try {
    size_t index;              /* in match_subject_alt_names */
    const struct xds_san *san; /* that it matches; NULL: none */
};

/* What becomes of a handshake. */
struct xds_handshake {
    bool accepted;
    struct xds_slice reason;         /* a clause */
    const struct xds_san_try *tries; /* up to the one that matches */
    size_t n_tries;
};

const struct xds_handshake *xds_handshake(const struct xds_rpc *rpc,
                                          const struct xds_security *security,
                                          const struct xds_certificate *certificate);

/* "exact", "prefix" ...; NULL without a pattern. */
const char *xds_san_matcher_field(const struct xds_san_matcher *matcher);
/* Does the name of a certificate fit, as this client compares them? */
bool xds_san_matches(const struct xds_rpc *rpc, const struct xds_san_matcher *matcher,
                     const struct xds_san *san);

#endif
