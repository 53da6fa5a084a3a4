/*
 * facts.h - what the rules of a TLS context and its model share.
 */
#ifndef XDS_RULES_TLS_FACTS_H
#define XDS_RULES_TLS_FACTS_H

#include "rules/inner.h"

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

static inline bool xds_tls_is_named(const char *instance_name)
{
    return instance_name && *instance_name;
}

/* In the memory of the model. */
struct xds_tls_context *xds_client_tls_model(struct xds_ctx *ctx,
                                             const struct xds_tls_facts *facts,
                                             const pb_upstream_tls_context *pb);
const struct xds_tls_context *xds_server_tls_model(struct xds_ctx *ctx,
                                                   const struct xds_tls_facts *facts,
                                                   bool require_client_certificate);

#endif
