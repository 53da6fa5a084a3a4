/*
 * common_tls_context.c - judge a CommonTlsContext of a client, and the parts of it that
 * a server's shares.
 *
 * Takes:  the message, NULL when it was not set, and its path.
 * Gives:  the clients that know where their CA certificates come from.
 * Fires:  the rows of common_tls_context.def, and those of the validation context.
 * Source: spec cluster 1.15; gRFC A29.
 */
#define PROTOBUF_C_NO_DEPRECATED /* clients still read deprecated fields */
#include "rules/cluster_readers.h"
#include "rules/tls/tls_context.h"

#define CONTEXT(arm)                                                                     \
    ENVOY__EXTENSIONS__TRANSPORT_SOCKETS__TLS__V3__COMMON_TLS_CONTEXT__VALIDATION_CONTEXT_TYPE_##arm

void xds_provider_instance_read(struct xds_ctx *ctx, const struct xds_path *at,
                                const char *instance_name)
{
    const struct xds_slice name = xds_slice_of(instance_name);

    for (size_t i = 0; i < ctx->options->n_provider_instances; i++)
        if (xds_slice_eq(name, ctx->options->provider_instances[i]))
            return;
    xds_fire(ctx, XDS_AT(at, "instance_name"), XDS_R_COMMON_TLS_PROVIDER,
             "unrecognized certificate provider instance name: %s%s", instance_name,
             ctx->options->has_bootstrap
                 ? ""
                 : "; no bootstrap was given (--bootstrap), which names the instances");
}

void xds_provider_instance_read_for(struct xds_ctx *ctx, unsigned clients,
                                    const struct xds_path *at, const char *instance_name)
{
    const unsigned live = ctx->live;

    ctx->live &= clients;
    if (ctx->live)
        xds_provider_instance_read(ctx, at, instance_name);
    ctx->live = live;
}

void xds_tls_certificates_check(struct xds_ctx *ctx, const struct xds_path *at,
                                const pb_common_tls_context *pb, unsigned clients)
{
    const struct {
        const char *field;
        size_t n;
    } lists[] = {
        {"tls_certificates", pb->n_tls_certificates},
        {"tls_certificate_sds_secret_configs", pb->n_tls_certificate_sds_secret_configs},
    };

    for (size_t i = 0; clients && i < XDS_ARRAY_LEN(lists); i++)
        if (lists[i].n > 0)
            xds_fire_for(ctx, XDS_AT(at, lists[i].field), clients,
                         XDS_R_COMMON_TLS_CERTIFICATES, "feature unsupported");
}

void xds_common_tls_context_check(struct xds_ctx *ctx, const struct xds_path *at,
                                  const pb_common_tls_context *pb)
{
    const struct {
        const char *field;
        bool is_set;
    } fields[] = {
        {"tls_params", pb->tls_params != NULL},
        {"custom_handshaker", pb->custom_handshaker != NULL},
        {"validation_context_sds_secret_config",
         pb->validation_context_type_case ==
             CONTEXT(VALIDATION_CONTEXT_SDS_SECRET_CONFIG)},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(fields); i++)
        if (fields[i].is_set)
            xds_fire(ctx, XDS_AT(at, fields[i].field), XDS_R_COMMON_TLS_UNSUPPORTED,
                     "feature unsupported");
}

/* ---- of a client ---------------------------------------------------------------------
 */

static bool go_has_ca(const struct xds_ctx *ctx, const struct xds_tls_facts *facts)
{
    if (facts->ca) /* where everything is empty go thinks that nothing was said */
        return xds_tls_is_named(facts->ca) || xds_tls_is_named(facts->identity) ||
               facts->context->n_match_subject_alt_names > 0;
    return facts->context->system_root_certs &&
           xds_env_on(ctx->options, XDS_ENV_SYSTEM_ROOT_CERTS, XDS_CLIENT_GO);
}

/* go finds no fault with the current fields, and CA certificates in them. */
static bool current_fields_do(const struct xds_ctx *ctx,
                              const struct xds_tls_facts *facts)
{
    const bool has_certificates = facts->common->n_tls_certificates > 0 ||
                                  facts->common->n_tls_certificate_sds_secret_configs > 0;

    if (!facts->context || (!facts->identity && has_certificates))
        return false;
    return go_has_ca(ctx, facts) &&
           !(xds_validation_context_refused_by(facts->context) & XDS_GO);
}

static void find_facts(const struct xds_ctx *ctx, const pb_common_tls_context *pb,
                       struct xds_tls_facts *facts)
{
    xds_tls_facts_find(pb, facts);
    facts->go_falls_back =
        !current_fields_do(ctx, facts) &&
        (xds_tls_is_named(facts->combined_ca) || xds_tls_is_named(facts->other_ca));
    facts->with_ca = facts->go_falls_back ? XDS_GO : 0;
    if (facts->ca)
        facts->with_ca |= XDS_ALL_CLIENTS;
    else if (facts->combined_ca)
        facts->with_ca |= XDS_FALLS_BACK_BY_FIELD;
}

/* go minds invalid names even where it falls back. */
static void read_validation(struct xds_ctx *ctx, const struct xds_path *common_at,
                            const struct xds_tls_facts *facts)
{
    const struct xds_path *at = XDS_AT(common_at, facts->context_field);
    const unsigned go = facts->go_falls_back ? XDS_GO : 0;
    /* java looks no further when there is no provider instance. */
    const unsigned java = XDS_JAVA & ~facts->with_ca;

    xds_validation_context_check(ctx, at, facts->context, go | java);
    if (facts->ca)
        xds_provider_instance_read_for(ctx, XDS_ALL_CLIENTS & ~go,
                                       XDS_AT(at, "ca_certificate_provider_instance"),
                                       facts->ca);
}

/* The current fields, where they are used. */
static void read_identity(struct xds_ctx *ctx, const struct xds_path *common_at,
                          const struct xds_tls_facts *facts)
{
    const unsigned others =
        facts->go_falls_back ? XDS_ALL_CLIENTS & ~XDS_GO : XDS_ALL_CLIENTS;

    if (facts->identity)
        xds_provider_instance_read_for(
            ctx, others, XDS_AT(common_at, "tls_certificate_provider_instance"),
            facts->identity);
    else
        xds_tls_certificates_check(
            ctx, common_at, facts->common,
            facts->deprecated_identity ? others & ~XDS_FALLS_BACK_BY_FIELD : others);
}

unsigned xds_common_tls_context_read(struct xds_ctx *ctx, const struct xds_path *at,
                                     const pb_common_tls_context *pb)
{
    struct xds_tls_facts facts;

    if (!pb)
        return 0;
    find_facts(ctx, pb, &facts);
    xds_common_tls_context_check(ctx, at, pb);
    if (facts.context)
        read_validation(ctx, at, &facts);
    read_identity(ctx, at, &facts);
    xds_tls_deprecated_read(ctx, at, &facts);
    if (facts.context && facts.context->system_root_certs)
        return facts.with_ca | xds_env_mask(ctx->options, XDS_ENV_SYSTEM_ROOT_CERTS);
    return facts.with_ca;
}
