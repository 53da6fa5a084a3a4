/*
 * downstream_tls_context.c - check the TLS context of a server.
 *
 * Source: gRFC A29, A82, spec listener 2.4.
 */
#include "rules/cluster_readers.h"
#include "rules/tls/tls_context.h"

#define CONTEXT(arm)                                                                     \
    ENVOY__EXTENSIONS__TRANSPORT_SOCKETS__TLS__V3__COMMON_TLS_CONTEXT__VALIDATION_CONTEXT_TYPE_##arm
#define STAPLING(arm)                                                                    \
    ENVOY__EXTENSIONS__TRANSPORT_SOCKETS__TLS__V3__DOWNSTREAM_TLS_CONTEXT__OCSP_STAPLE_POLICY__##arm

/* ---- the facts ---- */

/* Who falls back at once finds no fault in the current fields, and something in them. */
static bool current_fields_do(const struct xds_ctx *ctx,
                              const struct xds_tls_facts *facts)
{
    if (xds_tls_has_only_unsupported_certificates(facts))
        return false;
    if (facts->common->validation_context_type_case == CONTEXT(_NOT_SET))
        return xds_tls_is_named(facts->identity) || facts->has_name;
    return facts->ca &&
           (*facts->ca || facts->has_name || xds_tls_is_named(facts->identity)) &&
           facts->context->n_match_subject_alt_names == 0 &&
           !(xds_validation_context_refused_by(ctx, facts->context) & facts->at_once);
}

/* ... and the deprecated ones are enough for it. */
static bool deprecated_fields_do(const struct xds_tls_facts *facts)
{
    const int arm = (int)facts->common->validation_context_type_case;

    if (!xds_tls_is_named(facts->deprecated_identity))
        return false;
    if (arm == CONTEXT(COMBINED_VALIDATION_CONTEXT))
        return !facts->context || facts->context->n_match_subject_alt_names == 0;
    return arm == CONTEXT(VALIDATION_CONTEXT_CERTIFICATE_PROVIDER_INSTANCE) ||
           arm == CONTEXT(_NOT_SET);
}

static void find_facts(const struct xds_ctx *ctx, const pb_common_tls_context *pb,
                       struct xds_tls_facts *facts)
{
    xds_tls_facts_find(ctx, pb, facts);
    if (!pb)
        return;
    if (!current_fields_do(ctx, facts) && deprecated_fields_do(facts))
        facts->fallen_back = facts->at_once;
    if (facts->ca)
        facts->with_ca = ~facts->fallen_back;
    else if (facts->combined_ca)
        facts->with_ca = facts->by_field;
    if (facts->combined_ca || facts->other_ca)
        facts->with_ca |= facts->fallen_back;
}

/* ---- where clients' certificates are checked ---- */

static void read_context(struct xds_ctx *ctx, const struct xds_path *common_at,
                         const struct xds_tls_facts *facts)
{
    const struct xds_path *at = XDS_AT(common_at, facts->context_field);
    const xds_readers with_ca = facts->with_ca;
    const xds_readers on_roots =
        facts->context->system_root_certs
            ? xds_guarded_by(ctx, XDS_ENV_SYSTEM_ROOT_CERTS) & ~with_ca
            : 0;

    xds_validation_context_read(ctx, at, facts);
    xds_fire_for(ctx, at, ~(with_ca | on_roots), XDS_R_DOWNSTREAM_TLS_NO_CA, NULL);
    xds_fire_for(ctx, common_at, on_roots, XDS_R_DOWNSTREAM_TLS_SYSTEM_ROOTS, NULL);
    if (facts->context->n_match_subject_alt_names > 0)
        xds_fire_for(ctx, common_at,
                     ~xds_who(ctx, XDS_DIFF_VALIDATION_WITHOUT_CA_UNREAD) | with_ca,
                     XDS_R_DOWNSTREAM_TLS_NAMES, NULL);
}

static void read_common(struct xds_ctx *ctx, const struct xds_path *at,
                        const struct xds_tls_facts *facts)
{
    const xds_readers live = ctx->live;
    const int arm = (int)facts->common->validation_context_type_case;
    const char *deprecated = NULL;

    if (arm == CONTEXT(VALIDATION_CONTEXT_CERTIFICATE_PROVIDER))
        deprecated = "validation_context_certificate_provider";
    else if (arm == CONTEXT(VALIDATION_CONTEXT_CERTIFICATE_PROVIDER_INSTANCE))
        deprecated = "validation_context_certificate_provider_instance";
    xds_common_tls_context_check(ctx, at, facts->common);
    ctx->live &= ~facts->fallen_back;
    if (facts->context)
        read_context(ctx, at, facts);
    else if (facts->context_field)
        xds_fire(ctx, XDS_AT(at, facts->context_field),
                 XDS_R_DOWNSTREAM_TLS_EMPTY_CONTEXT);
    else if (deprecated)
        xds_fire(ctx, XDS_AT(at, deprecated), XDS_R_DOWNSTREAM_TLS_DEPRECATED_CONTEXT);
    xds_tls_identity_read(ctx, at, facts);
    ctx->live = live;
    xds_tls_deprecated_read(ctx, at, facts);
}

/* ---- what only servers have ---- */

static xds_readers without_identity(const struct xds_tls_facts *facts)
{
    if (xds_tls_is_named(facts->identity))
        return 0;
    if (!facts->identity && xds_tls_is_named(facts->deprecated_identity))
        return ~(facts->by_field | facts->fallen_back);
    return ~facts->fallen_back;
}

static xds_readers lack_for_clients(const struct xds_ctx *ctx,
                                    const struct xds_tls_facts *facts,
                                    const pb_bool_value *require)
{
    const xds_readers by_context = xds_who(ctx, XDS_DIFF_CLIENT_CERTIFICATE_PRESENCE);

    if (!require)
        return 0;
    xds_readers with_ca = facts->with_ca;
    if (facts->ca && !*facts->ca)
        with_ca &= ~xds_who(ctx, XDS_DIFF_PROVIDER_UNNAMED_IGNORED);
    if (!xds_tls_is_named(facts->combined_ca) && !xds_tls_is_named(facts->other_ca))
        with_ca &= ~facts->fallen_back;
    return (facts->context ? 0 : by_context) |
           (require->value ? ~(by_context | with_ca) : 0);
}

static xds_readers refuse_stapling(const struct xds_ctx *ctx, int policy)
{
    if (policy == STAPLING(LENIENT_STAPLING))
        return 0;
    return policy == STAPLING(STRICT_STAPLING) || policy == STAPLING(MUST_STAPLE)
               ? XDS_EVERYONE
               : ~xds_who(ctx, XDS_DIFF_STAPLING_UNKNOWN_ACCEPTED);
}

void xds_downstream_tls_context_read(struct xds_ctx *ctx, const struct xds_path *at,
                                     const pb_downstream_tls_context *pb)
{
    const int stapling = (int)pb->ocsp_staple_policy;
    struct xds_tls_facts facts;

    find_facts(ctx, pb->common_tls_context, &facts);
    if (facts.common)
        read_common(ctx, XDS_AT(at, "common_tls_context"), &facts);
    xds_fire_for(ctx, at, without_identity(&facts), XDS_R_DOWNSTREAM_TLS_NO_IDENTITY,
                 NULL);
    xds_fire_for(ctx, at, lack_for_clients(ctx, &facts, pb->require_client_certificate),
                 XDS_R_DOWNSTREAM_TLS_CLIENT_CERTIFICATE, NULL);
    xds_fire_for(
        ctx, at,
        xds_flag_rejected_by(pb->require_sni, xds_who(ctx, XDS_DIFF_FALSE_IS_SET)),
        XDS_R_DOWNSTREAM_TLS_SNI, NULL);
    xds_fire_for(
        ctx, at, refuse_stapling(ctx, stapling), XDS_R_DOWNSTREAM_TLS_OCSP,
        XDS_WITH(xds_enum_name(
            ctx,
            &envoy__extensions__transport_sockets__tls__v3__downstream_tls_context__ocsp_staple_policy__descriptor,
            stapling)));
}
