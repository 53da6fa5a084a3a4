/*
 * tls_model.c - what the model keeps of a TLS context, for explain.
 *
 * Source: gRFC A29, A82, A101.
 */
#include "rules/tls/facts.h"

/* instance_name may be NULL. */
static struct xds_slice instance(struct xds_ctx *ctx, const char *instance_name)
{
    return xds_tls_is_named(instance_name) ? xds_text(ctx, instance_name)
                                           : xds_slice_make(NULL, 0);
}

static const char *first_named(const char *first, const char *second, const char *third)
{
    if (xds_tls_is_named(first))
        return first;
    return xds_tls_is_named(second) ? second : third;
}

/* What is wrong with a matcher was reported where the rules read it. */
static void add_sans(struct xds_ctx *ctx, const struct xds_tls_facts *facts,
                     struct xds_tls_context *out)
{
    const size_t n = facts->context ? facts->context->n_match_subject_alt_names : 0;
    struct xds_san_matcher *sans = XDS_NEW_ARRAY(ctx->arena, struct xds_san_matcher, n);
    struct xds_ctx *silent = XDS_AMONG(ctx, 0);

    for (size_t i = 0; i < n; i++) {
        sans[i] = (struct xds_san_matcher){.has_pattern = false};
        sans[i].has_pattern = xds_string_matcher_read(
            silent, NULL, facts->context->match_subject_alt_names[i], &sans[i].string);
    }
    out->sans = sans;
    out->n_sans = n;
}

/* What narrows down which peers are good, in vain. */
static const char *ignored_by_all(const struct xds_tls_facts *facts)
{
    const pb_certificate_validation_context *pb = facts->context;

    if (!pb)
        return NULL;
    if (pb->n_match_typed_subject_alt_names > 0)
        return "match_typed_subject_alt_names";
    if (pb->trusted_ca)
        return "trusted_ca";
    return pb->max_verify_depth ? "max_verify_depth" : NULL;
}

static struct xds_tls_context *new_context(struct xds_ctx *ctx,
                                           const struct xds_tls_facts *facts)
{
    struct xds_tls_context *tls = XDS_NEW(ctx->arena, struct xds_tls_context);
    const char *ca = first_named(facts->ca, facts->combined_ca, facts->other_ca);

    *tls = (struct xds_tls_context){
        .identity =
            instance(ctx, first_named(facts->identity, facts->deprecated_identity, NULL)),
        .with_identity =
            facts->identity ? ~facts->fallen_back : facts->by_field | facts->fallen_back,
        .ca = instance(ctx, ca),
        .with_ca = xds_tls_is_named(ca) ? facts->with_ca : 0,
        .fallen_back = facts->fallen_back,
        .fallen = {instance(ctx, facts->deprecated_identity),
                   instance(ctx, first_named(facts->combined_ca, facts->other_ca, NULL))},
        .ignored = ignored_by_all(facts),
    };
    add_sans(ctx, facts, tls);
    return tls;
}

struct xds_tls_context *xds_client_tls_model(struct xds_ctx *ctx,
                                             const struct xds_tls_facts *facts,
                                             const pb_upstream_tls_context *pb)
{
    struct xds_tls_context *tls = new_context(ctx, facts);

    tls->system_roots = facts->context && facts->context->system_root_certs;
    tls->sni = instance(ctx, pb->sni);
    tls->auto_host_sni = pb->auto_host_sni;
    tls->auto_sni_san_validation = pb->auto_sni_san_validation;
    return tls;
}

const struct xds_tls_context *xds_server_tls_model(struct xds_ctx *ctx,
                                                   const struct xds_tls_facts *facts,
                                                   bool require_client_certificate)
{
    struct xds_tls_context *tls = new_context(ctx, facts);

    tls->require_client_certificate = require_client_certificate;
    if (!xds_tls_is_named(facts->ca))
        tls->with_ca &= ~xds_who(ctx, XDS_DIFF_SERVER_CA_DEPRECATED_UNUSED);
    if (facts->context && facts->context->system_root_certs)
        tls->with_roots = (xds_guarded_by(ctx, XDS_ENV_SYSTEM_ROOT_CERTS) |
                           xds_who(ctx, XDS_DIFF_SERVER_ROOTS_ALWAYS)) &
                          ~tls->with_ca;
    return tls;
}
