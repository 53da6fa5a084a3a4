/*
 * tls_context.h - the readers that the TLS contexts of clients and of servers share, and
 * the way to a server's.
 */
#ifndef XDS_RULES_TLS_TLS_CONTEXT_H
#define XDS_RULES_TLS_TLS_CONTEXT_H

#include "rules/readers.h"

/* TransportSocket of a filter chain, at its own path. */
void xds_downstream_socket_read(struct xds_ctx *ctx, const struct xds_path *at,
                                const pb_transport_socket *pb);
void xds_downstream_tls_context_read(struct xds_ctx *ctx, const struct xds_path *at,
                                     const pb_downstream_tls_context *pb);

/* ---- what a CommonTlsContext holds --------------------------------------------------
 */

/* Who reads a deprecated field where the current one is absent; go falls back for all of
 * them at once, node never. */
#define XDS_FALLS_BACK_BY_FIELD (XDS_GRFC | XDS_CORE | XDS_JAVA)

struct xds_tls_facts {
    const pb_common_tls_context *common;
    const char *context_field; /* of the context, or of what could have held one */
    const pb_certificate_validation_context *context;
    const char *identity, *deprecated_identity; /* instance names; NULL: not set */
    const char *ca, *combined_ca, *other_ca;
    bool go_falls_back; /* go reads the deprecated fields, and then no other */
    unsigned with_ca;   /* who finds a provider instance for CA certificates */
};

/* All but go_falls_back and with_ca, which differ between clients' and servers'. */
void xds_tls_facts_find(const pb_common_tls_context *pb, struct xds_tls_facts *facts);
bool xds_tls_is_named(const char *instance_name);
/* The provider instances of deprecated fields, for those who use them. */
void xds_tls_deprecated_read(struct xds_ctx *ctx, const struct xds_path *common_at,
                             const struct xds_tls_facts *facts);

/* ---- parts of CommonTlsContext ------------------------------------------------------
 */

/* What no client takes, wherever certificates come from. */
void xds_common_tls_context_check(struct xds_ctx *ctx, const struct xds_path *at,
                                  const pb_common_tls_context *pb);
/* Inline and SDS certificates, which `clients` do not take. */
void xds_tls_certificates_check(struct xds_ctx *ctx, const struct xds_path *at,
                                const pb_common_tls_context *pb, unsigned clients);
/* The names and the unsupported fields. blind: who does not look at the latter. */
void xds_validation_context_check(struct xds_ctx *ctx, const struct xds_path *at,
                                  const pb_certificate_validation_context *pb,
                                  unsigned blind);
/* The clients that refuse a field of it, when they look. */
unsigned xds_validation_context_refused_by(const pb_certificate_validation_context *pb);
/* A provider instance as `clients` look it up; at is its path. */
void xds_provider_instance_read_for(struct xds_ctx *ctx, unsigned clients,
                                    const struct xds_path *at, const char *instance_name);

#endif
