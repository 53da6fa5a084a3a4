/*
 * validation_context.c - judge a CertificateValidationContext of a client.
 *
 * Takes:  a decoded message and its path.
 * Gives:  the clients that find their CA certificates here.
 * Fires:  the row of validation_context.def, COMMON_TLS_PROVIDER and those of
 *         string_matcher.def.
 * Source: spec cluster 1.16, 1.17; gRFC A29, A82.
 */
#define PROTOBUF_C_NO_DEPRECATED /* clients still read deprecated fields */
#include "rules/cluster_readers.h"

/* java and node keep the matchers as they are until the first handshake. */
static void check_names(struct xds_ctx *ctx, const struct xds_path *at,
                        const pb_certificate_validation_context *pb)
{
    const unsigned live = ctx->live;
    struct xds_string_matcher matcher;

    ctx->live &= ~(XDS_JAVA | XDS_NODE);
    for (size_t i = 0; ctx->live && i < pb->n_match_subject_alt_names; i++)
        (void)xds_string_matcher_read(ctx, XDS_AT_I(at, "match_subject_alt_names", i),
                                      pb->match_subject_alt_names[i], &matcher);
    ctx->live = live;
}

/* java and node refuse the wrapper, the others only what it says. */
static unsigned timestamp_refused_by(const pb_bool_value *pb)
{
    if (!pb)
        return 0;
    return pb->value ? XDS_ALL_CLIENTS : XDS_JAVA | XDS_NODE;
}

static unsigned all_if(bool is_set)
{
    return is_set ? XDS_ALL_CLIENTS : 0;
}

static void check_unsupported(struct xds_ctx *ctx, const struct xds_path *at,
                              const pb_certificate_validation_context *pb)
{
    /* java looks no further when there is no provider instance. */
    const unsigned blind = pb->ca_certificate_provider_instance ? 0 : XDS_JAVA;
    const struct {
        const char *field;
        unsigned clients;
    } fields[] = {
        {"verify_certificate_spki", all_if(pb->n_verify_certificate_spki > 0)},
        {"verify_certificate_hash", all_if(pb->n_verify_certificate_hash > 0)},
        {"require_signed_certificate_timestamp",
         timestamp_refused_by(pb->require_signed_certificate_timestamp)},
        {"crl", all_if(pb->crl != NULL)},
        {"custom_validator_config", all_if(pb->custom_validator_config != NULL)},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(fields); i++)
        if (fields[i].clients & ~blind)
            xds_fire_for(ctx, XDS_AT(at, fields[i].field), fields[i].clients & ~blind,
                         XDS_R_TLS_VALIDATION_UNSUPPORTED, "feature unsupported");
}

unsigned xds_validation_context_read(struct xds_ctx *ctx, const struct xds_path *at,
                                     const pb_certificate_validation_context *pb,
                                     bool *instance)
{
    *instance = pb->ca_certificate_provider_instance != NULL;
    check_names(ctx, at, pb);
    check_unsupported(ctx, at, pb);
    if (*instance) {
        xds_provider_instance_read(ctx, XDS_AT(at, "ca_certificate_provider_instance"),
                                   pb->ca_certificate_provider_instance->instance_name);
        return XDS_ALL_CLIENTS;
    }
    return pb->system_root_certs ? xds_env_mask(ctx->options, XDS_ENV_SYSTEM_ROOT_CERTS)
                                 : 0;
}
