/*
 * upstream_tls_context.c - check the TLS context of a client.
 *
 * Source: gRFC A29, A82, A101, spec cluster 1.14, 1.15.
 */
#include "rules/cluster_readers.h"
#include "rules/tls/tls_context.h"

#define MAX_SNI_BYTES 255

static bool has_ca(const struct xds_ctx *ctx, const struct xds_tls_facts *facts)
{
    if (facts->ca) /* where everything is empty go takes the fields as not set */
        return xds_tls_is_named(facts->ca) || xds_tls_is_named(facts->identity) ||
               facts->has_name || facts->context->n_match_subject_alt_names > 0;
    return facts->context->system_root_certs &&
           (xds_guarded_by(ctx, XDS_ENV_SYSTEM_ROOT_CERTS) & facts->at_once);
}

/* Who falls back at once finds no fault in the current fields, and CA certificates. */
static bool current_fields_do(const struct xds_ctx *ctx,
                              const struct xds_tls_facts *facts)
{
    return facts->context && !xds_tls_has_only_unsupported_certificates(facts) &&
           has_ca(ctx, facts) &&
           !(xds_validation_context_refused_by(ctx, facts->context) & facts->at_once);
}

static void find_facts(const struct xds_ctx *ctx, const pb_common_tls_context *pb,
                       struct xds_tls_facts *facts)
{
    xds_tls_facts_find(ctx, pb, facts);
    if (!current_fields_do(ctx, facts) &&
        (xds_tls_is_named(facts->combined_ca) || xds_tls_is_named(facts->other_ca)))
        facts->fallen_back = facts->at_once;
    facts->with_ca = facts->fallen_back;
    if (facts->ca)
        facts->with_ca = xds_tls_is_named(facts->ca)
                             ? XDS_EVERYONE
                             : ~(facts->at_once & ~facts->fallen_back);
    else if (facts->combined_ca)
        facts->with_ca |= facts->by_field;
}

/* Returns who ends up with CA certificates. */
static xds_readers read_common(struct xds_ctx *ctx, const struct xds_path *at,
                               const pb_common_tls_context *pb)
{
    struct xds_tls_facts facts;

    if (!pb)
        return 0;
    find_facts(ctx, pb, &facts);
    xds_common_tls_context_check(ctx, at, pb);
    if (facts.context)
        xds_validation_context_read(ctx, XDS_AT(at, facts.context_field), &facts);
    xds_tls_identity_read(ctx, at, &facts);
    xds_tls_deprecated_read(ctx, at, &facts);
    if (facts.context && facts.context->system_root_certs)
        return facts.with_ca | xds_guarded_by(ctx, XDS_ENV_SYSTEM_ROOT_CERTS);
    return facts.with_ca;
}

void xds_upstream_tls_context_read(struct xds_ctx *ctx, const struct xds_path *at,
                                   const pb_upstream_tls_context *pb)
{
    const struct xds_path *common_at = XDS_AT(at, "common_tls_context");
    const xds_readers with_ca = read_common(ctx, common_at, pb->common_tls_context);
    const size_t sni_bytes = strlen(pb->sni);

    xds_fire_for(ctx, common_at, ~with_ca, XDS_R_UPSTREAM_TLS_NO_CA, NULL);
    if (sni_bytes > MAX_SNI_BYTES)
        xds_fire_for(ctx, at, xds_guarded_by(ctx, XDS_ENV_SNI), XDS_R_UPSTREAM_TLS_SNI,
                     XDS_WITH(xds_number(ctx, (int64_t)sni_bytes)));
}
