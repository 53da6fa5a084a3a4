/* tls_context.h - UpstreamTlsContext and DownstreamTlsContext as the model keeps them.
 * Immutable once built. Source: gRFC A29, A82, A101. */
#ifndef XDS_MODEL_TLS_CONTEXT_H
#define XDS_MODEL_TLS_CONTEXT_H

#include "model/matcher.h"

/* Instances of certificate_providers of the bootstrap; absent: not set. */
struct xds_tls_providers {
    struct xds_slice identity; /* of its own certificate */
    struct xds_slice ca;       /* of what the peer's is checked with */
};

/* An entry of match_subject_alt_names. */
struct xds_san_matcher {
    struct xds_string_matcher string;
    bool has_pattern; /* false: to java and node, which do not check it, it never matches
                       */
};

struct xds_tls_context {
    struct xds_slice identity; /* instance_name; absent: not set */
    struct xds_slice ca;       /* the same for certificates of peers */
    xds_readers with_ca;       /* readers that find it */
    xds_readers with_roots; /* of a server: readers that check with the system's roots */
    xds_readers
        with_identity; /* the same for identity: not who skips deprecated fields */
    /* Readers that use the deprecated fields only, and what they find there. */
    xds_readers fallen_back;
    struct xds_tls_providers fallen;
    const struct xds_san_matcher *sans; /* of no use on a server */
    size_t n_sans;
    const char *ignored; /* a field that restricts peers, and that no client reads; or
                            NULL */

    /* Of a server alone. */
    bool require_client_certificate;

    /* Of a client alone. */
    bool system_roots; /* system_root_certs is set; counts without a ca */
    bool by_proxy;     /* inside an Http11ProxyUpstreamTransport */
    bool auto_host_sni, auto_sni_san_validation;
    struct xds_slice sni; /* absent: not set */
};

#endif
