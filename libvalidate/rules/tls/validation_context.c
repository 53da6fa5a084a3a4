/*
 * validation_context.c - check a CertificateValidationContext.
 *
 * Source: gRFC A29, A82, spec cluster 1.16, 1.17.
 */
#define PROTOBUF_C_NO_DEPRECATED /* clients still read deprecated fields */
#include "rules/tls/tls_context.h"

#define UNSUPPORTED_FIELDS 5

struct unsupported {
    const char *field;
    xds_readers refused_by;
};

static xds_readers all_if(bool is_set)
{
    return is_set ? XDS_EVERYONE : 0;
}

static void list_unsupported(const struct xds_ctx *ctx,
                             const pb_certificate_validation_context *pb,
                             struct unsupported list[UNSUPPORTED_FIELDS])
{
    const struct unsupported fields[UNSUPPORTED_FIELDS] = {
        {"verify_certificate_spki", all_if(pb->n_verify_certificate_spki > 0)},
        {"verify_certificate_hash", all_if(pb->n_verify_certificate_hash > 0)},
        {"require_signed_certificate_timestamp",
         xds_flag_rejected_by(pb->require_signed_certificate_timestamp,
                              xds_who(ctx, XDS_DIFF_FALSE_TIMESTAMP_IS_SET))},
        {"crl", all_if(pb->crl != NULL)},
        {"custom_validator_config", all_if(pb->custom_validator_config != NULL)},
    };

    memcpy(list, fields, sizeof fields);
}

xds_readers xds_validation_context_refused_by(const struct xds_ctx *ctx,
                                              const pb_certificate_validation_context *pb)
{
    struct unsupported list[UNSUPPORTED_FIELDS];
    xds_readers readers = 0;

    list_unsupported(ctx, pb, list);
    for (size_t i = 0; i < UNSUPPORTED_FIELDS; i++)
        readers |= list[i].refused_by;
    return readers;
}

/* go checks the names even where it falls back to deprecated fields. */
void xds_validation_context_read(struct xds_ctx *ctx, const struct xds_path *at,
                                 const struct xds_tls_facts *facts)
{
    const pb_certificate_validation_context *pb = facts->context;
    const xds_readers live = ctx->live;
    const xds_readers blind =
        facts->fallen_back |
        (xds_who(ctx, XDS_DIFF_VALIDATION_WITHOUT_CA_UNREAD) & ~facts->with_ca);
    struct unsupported list[UNSUPPORTED_FIELDS];
    struct xds_string_matcher unused;

    ctx->live &= ~xds_who(ctx, XDS_DIFF_SAN_MATCHERS_UNCHECKED);
    for (size_t i = 0; i < pb->n_match_subject_alt_names; i++)
        (void)xds_string_matcher_read(ctx, XDS_AT_I(at, "match_subject_alt_names", i),
                                      pb->match_subject_alt_names[i], &unused);
    ctx->live = live;
    list_unsupported(ctx, pb, list);
    for (size_t i = 0; i < UNSUPPORTED_FIELDS; i++)
        if (list[i].refused_by & ~blind)
            xds_fire_for(ctx, XDS_AT(at, list[i].field), list[i].refused_by & ~blind,
                         XDS_R_TLS_VALIDATION_UNSUPPORTED, NULL);
    if (facts->ca)
        xds_provider_instance_read(
            ctx, XDS_AT(at, "ca_certificate_provider_instance"), facts->ca,
            ~facts->fallen_back & (ctx->server && !*facts->ca
                                       ? ~xds_who(ctx, XDS_DIFF_PROVIDER_UNNAMED_IGNORED)
                                       : XDS_EVERYONE));
}
