/*
 * downstream_tls_context.c - judge the TLS context of a server.
 *
 * Takes:  a decoded DownstreamTlsContext and its path.
 * Gives:  nothing: routing never depends on it.
 * Fires:  the DOWNSTREAM_TLS_ rows of downstream_tls_context.def, and those of the parts
 *         that clients have as well.
 * Source: gRFC A29, A82, spec section 2.4.
 */
#define PROTOBUF_C_NO_DEPRECATED /* servers still read deprecated fields */
#include "rules/cluster_readers.h"
#include "rules/tls/tls_context.h"

#define CONTEXT(arm)                                                                     \
    ENVOY__EXTENSIONS__TRANSPORT_SOCKETS__TLS__V3__COMMON_TLS_CONTEXT__VALIDATION_CONTEXT_TYPE_##arm
#define STAPLING(arm)                                                                    \
    ENVOY__EXTENSIONS__TRANSPORT_SOCKETS__TLS__V3__DOWNSTREAM_TLS_CONTEXT__OCSP_STAPLE_POLICY__##arm

/* ---- the facts -------------------------------------------------------------------- */

/* go finds no fault with the current fields, and finds something in them. */
static bool current_fields_do(const struct xds_tls_facts *facts)
{
    const pb_common_tls_context *pb = facts->common;
    const bool has_certificates =
        pb->n_tls_certificates > 0 || pb->n_tls_certificate_sds_secret_configs > 0;

    if (!facts->identity && has_certificates)
        return false;
    if (pb->validation_context_type_case == CONTEXT(_NOT_SET))
        return xds_tls_is_named(facts->identity);
    return facts->ca && facts->context->n_match_subject_alt_names == 0 &&
           !(xds_validation_context_refused_by(facts->context) & XDS_GO);
}

/* ... and the deprecated ones are enough for it. */
static bool deprecated_fields_do(const struct xds_tls_facts *facts)
{
    if (!xds_tls_is_named(facts->deprecated_identity))
        return false;
    switch (facts->common->validation_context_type_case) {
    case CONTEXT(COMBINED_VALIDATION_CONTEXT):
        return !facts->context || facts->context->n_match_subject_alt_names == 0;
    case CONTEXT(VALIDATION_CONTEXT_CERTIFICATE_PROVIDER_INSTANCE):
    case CONTEXT(_NOT_SET):
        return true;
    case CONTEXT(VALIDATION_CONTEXT):
    case CONTEXT(VALIDATION_CONTEXT_SDS_SECRET_CONFIG):
    case CONTEXT(VALIDATION_CONTEXT_CERTIFICATE_PROVIDER):
    default: /* an int on the wire, checked by nobody */
        return false;
    }
}

static unsigned find_ca(const struct xds_tls_facts *facts)
{
    const bool go_has_ca =
        facts->go_falls_back ? facts->combined_ca || facts->other_ca : facts->ca != NULL;
    const unsigned go = go_has_ca ? XDS_GO : 0;

    if (facts->ca)
        return (XDS_ALL_CLIENTS & ~XDS_GO) | go;
    return facts->combined_ca ? XDS_FALLS_BACK_BY_FIELD | go : go;
}

static void find_facts(const pb_common_tls_context *pb, struct xds_tls_facts *facts)
{
    xds_tls_facts_find(pb, facts);
    if (!pb)
        return;
    facts->go_falls_back = !current_fields_do(facts) && deprecated_fields_do(facts);
    facts->with_ca = find_ca(facts);
}

/* ---- where clients' certificates are checked --------------------------------------- */

/* Who finds system_root_certs where a provider instance should be. */
static unsigned on_system_roots(const struct xds_ctx *ctx,
                                const struct xds_tls_facts *facts)
{
    const unsigned known = xds_env_mask(ctx->options, XDS_ENV_SYSTEM_ROOT_CERTS);

    return facts->context->system_root_certs ? known & ~facts->with_ca : 0;
}

static void check_context(struct xds_ctx *ctx, const struct xds_path *common_at,
                          const struct xds_tls_facts *facts)
{
    const struct xds_path *at = XDS_AT(common_at, facts->context_field);
    const unsigned on_roots = on_system_roots(ctx, facts);
    const unsigned java_minds = facts->with_ca & XDS_JAVA;

    /* java looks no further when there is no provider instance. */
    xds_validation_context_check(ctx, at, facts->context, XDS_JAVA & ~java_minds);
    if (facts->ca)
        xds_provider_instance_read(ctx, XDS_AT(at, "ca_certificate_provider_instance"),
                                   facts->ca);
    xds_fire_for(ctx, at, ~(facts->with_ca | on_roots), XDS_R_DOWNSTREAM_TLS_NO_CA,
                 "validation context without ca_certificate_provider_instance");
    xds_fire_for(ctx, common_at, on_roots, XDS_R_DOWNSTREAM_TLS_SYSTEM_ROOTS,
                 "system_root_certs not supported");
    if (facts->context->n_match_subject_alt_names > 0)
        xds_fire_for(ctx, common_at, ~XDS_JAVA | java_minds, XDS_R_DOWNSTREAM_TLS_NAMES,
                     "match_subject_alt_names not supported on servers");
}

/* To the others there is no validation context at all. */
static void check_empty_context(struct xds_ctx *ctx, const struct xds_path *common_at,
                                const struct xds_tls_facts *facts)
{
    xds_fire_for(ctx, XDS_AT(common_at, facts->context_field), XDS_GO,
                 XDS_R_DOWNSTREAM_TLS_EMPTY_CONTEXT,
                 "combined_validation_context without default_validation_context");
}

/* The members of the oneof that only go and node notice. */
static void check_deprecated_context(struct xds_ctx *ctx,
                                     const struct xds_path *common_at,
                                     const struct xds_tls_facts *facts)
{
    const int arm = (int)facts->common->validation_context_type_case;
    const char *field;

    if (arm == CONTEXT(VALIDATION_CONTEXT_CERTIFICATE_PROVIDER))
        field = "validation_context_certificate_provider";
    else if (arm == CONTEXT(VALIDATION_CONTEXT_CERTIFICATE_PROVIDER_INSTANCE))
        field = "validation_context_certificate_provider_instance";
    else
        return;
    xds_fire(ctx, XDS_AT(common_at, field), XDS_R_DOWNSTREAM_TLS_DEPRECATED_CONTEXT,
             "unsupported validation context");
}

/* ctx->live: without go where it falls back. */
static void read_validation(struct xds_ctx *ctx, const struct xds_path *common_at,
                            const struct xds_tls_facts *facts)
{
    if (facts->context)
        check_context(ctx, common_at, facts);
    else if (facts->context_field)
        check_empty_context(ctx, common_at, facts);
    else
        check_deprecated_context(ctx, common_at, facts);
}

/* ---- the server's own certificate -------------------------------------------------- */

static unsigned without_identity(const struct xds_tls_facts *facts)
{
    const unsigned go = facts->go_falls_back ? XDS_GO : 0;

    if (xds_tls_is_named(facts->identity))
        return 0;
    if (!facts->identity && xds_tls_is_named(facts->deprecated_identity))
        return XDS_ALL_CLIENTS & ~(XDS_FALLS_BACK_BY_FIELD | go);
    return XDS_ALL_CLIENTS & ~go;
}

/* ctx->live: without go where it falls back. */
static void read_identity(struct xds_ctx *ctx, const struct xds_path *common_at,
                          const struct xds_tls_facts *facts)
{
    if (facts->identity)
        xds_provider_instance_read(
            ctx, XDS_AT(common_at, "tls_certificate_provider_instance"), facts->identity);
    else
        xds_tls_certificates_check(
            ctx, common_at, facts->common,
            XDS_ALL_CLIENTS &
                ~(facts->deprecated_identity ? XDS_FALLS_BACK_BY_FIELD : 0));
}

static void read_common(struct xds_ctx *ctx, const struct xds_path *at,
                        const struct xds_tls_facts *facts)
{
    const unsigned live = ctx->live;

    xds_common_tls_context_check(ctx, at, facts->common);
    if (facts->go_falls_back)
        ctx->live &= ~XDS_GO;
    read_validation(ctx, at, facts);
    read_identity(ctx, at, facts);
    ctx->live = live;
    xds_tls_deprecated_read(ctx, at, facts);
}

/* ---- what only servers have -------------------------------------------------------- */

/* node wants a validation context as soon as the wrapper is there. */
static unsigned lack_for_clients(const struct xds_tls_facts *facts,
                                 const pb_bool_value *require)
{
    if (!require)
        return 0;
    return (facts->context ? 0 : XDS_NODE) |
           (require->value ? (XDS_ALL_CLIENTS & ~XDS_NODE) & ~facts->with_ca : 0);
}

/* java refuses the wrapper, the others what it says. */
static unsigned refuse_sni(const pb_bool_value *require)
{
    if (!require)
        return 0;
    return require->value ? XDS_ALL_CLIENTS : XDS_JAVA;
}

/* Numbers that are no policy are none to java. */
static unsigned refuse_stapling(int policy)
{
    if (policy == STAPLING(LENIENT_STAPLING))
        return 0;
    return policy == STAPLING(STRICT_STAPLING) || policy == STAPLING(MUST_STAPLE)
               ? XDS_ALL_CLIENTS
               : XDS_ALL_CLIENTS & ~XDS_JAVA;
}

void xds_downstream_tls_context_read(struct xds_ctx *ctx, const struct xds_path *at,
                                     const pb_downstream_tls_context *pb)
{
    struct xds_tls_facts facts;

    find_facts(pb->common_tls_context, &facts);
    if (facts.common)
        read_common(ctx, XDS_AT(at, "common_tls_context"), &facts);
    xds_fire_for(ctx, at, without_identity(&facts), XDS_R_DOWNSTREAM_TLS_NO_IDENTITY,
                 "TLS configuration provided but no tls_certificate_provider_instance "
                 "found");
    xds_fire_for(ctx, XDS_AT(at, "require_client_certificate"),
                 lack_for_clients(&facts, pb->require_client_certificate),
                 XDS_R_DOWNSTREAM_TLS_CLIENT_CERTIFICATE,
                 "client certificate required but no certificate provider instance "
                 "specified for validation");
    xds_fire_for(ctx, XDS_AT(at, "require_sni"), refuse_sni(pb->require_sni),
                 XDS_R_DOWNSTREAM_TLS_SNI, "field unsupported");
    xds_fire_for(ctx, XDS_AT(at, "ocsp_staple_policy"),
                 refuse_stapling((int)pb->ocsp_staple_policy), XDS_R_DOWNSTREAM_TLS_OCSP,
                 "value must be LENIENT_STAPLING");
}
