/*
 * tls_context.h - what the TLS contexts of clients and of servers share, and the readers
 * of a server's.
 */
#ifndef XDS_RULES_TLS_TLS_CONTEXT_H
#define XDS_RULES_TLS_TLS_CONTEXT_H

#include "rules/readers.h"

/* TransportSocket of a filter chain, at its own path. */
void xds_downstream_socket_read(struct xds_ctx *ctx, const struct xds_path *at,
                                const pb_transport_socket *pb);
void xds_downstream_tls_context_read(struct xds_ctx *ctx, const struct xds_path *at,
                                     const pb_downstream_tls_context *pb);

/* A transport socket has its config at this path, or none. */
void xds_socket_config_check(struct xds_ctx *ctx, const struct xds_path *at,
                             const pb_transport_socket *pb);
/* Who cannot find the type of a transport socket in a type URL of this form. */
xds_readers xds_socket_url_foreign_to(const struct xds_ctx *ctx,
                                      const struct xds_extension *ext);

/* ---- what a CommonTlsContext holds ---- */

struct xds_tls_facts {
    const pb_common_tls_context *common;
    const char *context_field; /* of the context, or of what could have held one */
    const pb_certificate_validation_context *context;
    const char *identity, *deprecated_identity; /* instance names; NULL: not set */
    const char *ca, *combined_ca, *other_ca;
    bool has_name; /* a certificate_name beside identity or ca */
    xds_readers
        by_field; /* who reads a deprecated field where the current one is absent */
    xds_readers at_once;     /* who falls back to all deprecated fields, or to none */
    xds_readers fallen_back; /* those of at_once that read the deprecated fields only */
    xds_readers with_ca;     /* who finds a provider instance for CA certificates */
};

/* All but fallen_back and with_ca, which differ between clients' and servers'. */
void xds_tls_facts_find(const struct xds_ctx *ctx, const pb_common_tls_context *pb,
                        struct xds_tls_facts *facts);
bool xds_tls_is_named(const char *instance_name);
/* Are its own certificates only given inline or over SDS? */
bool xds_tls_has_only_unsupported_certificates(const struct xds_tls_facts *facts);

/* ---- parts of CommonTlsContext; at is its path ---- */

/* What no client accepts, wherever certificates come from. */
void xds_common_tls_context_check(struct xds_ctx *ctx, const struct xds_path *at,
                                  const pb_common_tls_context *pb);
/* Where its own certificate comes from, for those who read the current fields. */
void xds_tls_identity_read(struct xds_ctx *ctx, const struct xds_path *at,
                           const struct xds_tls_facts *facts);
/* The provider instances of deprecated fields, for those who use them. */
void xds_tls_deprecated_read(struct xds_ctx *ctx, const struct xds_path *at,
                             const struct xds_tls_facts *facts);
/* A provider instance as `readers` look it up; at is its path. */
void xds_provider_instance_read(struct xds_ctx *ctx, const struct xds_path *at,
                                const char *instance_name, xds_readers readers);
/* The validation context, which is set, at its own path. */
void xds_validation_context_read(struct xds_ctx *ctx, const struct xds_path *at,
                                 const struct xds_tls_facts *facts);
/* Who rejects a field of it, when they look. */
xds_readers
xds_validation_context_refused_by(const struct xds_ctx *ctx,
                                  const pb_certificate_validation_context *pb);

#endif
