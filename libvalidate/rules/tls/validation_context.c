/*
 * validation_context.c - judge a CertificateValidationContext.
 *
 * Takes:  a decoded message and its path.
 * Gives:  the clients that refuse a field of it.
 * Fires:  the row of validation_context.def and those of string_matcher.def.
 * Source: spec cluster 1.16, 1.17; gRFC A29, A82.
 */
#define PROTOBUF_C_NO_DEPRECATED /* clients still read deprecated fields */
#include "rules/cluster_readers.h"
#include "rules/tls/tls_context.h"

#define UNSUPPORTED_FIELDS 5

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

struct unsupported {
    const char *field;
    unsigned clients; /* who refuses it */
};

static void list_unsupported(const pb_certificate_validation_context *pb,
                             struct unsupported list[UNSUPPORTED_FIELDS])
{
    const struct unsupported fields[UNSUPPORTED_FIELDS] = {
        {"verify_certificate_spki", all_if(pb->n_verify_certificate_spki > 0)},
        {"verify_certificate_hash", all_if(pb->n_verify_certificate_hash > 0)},
        {"require_signed_certificate_timestamp",
         timestamp_refused_by(pb->require_signed_certificate_timestamp)},
        {"crl", all_if(pb->crl != NULL)},
        {"custom_validator_config", all_if(pb->custom_validator_config != NULL)},
    };

    memcpy(list, fields, sizeof fields);
}

unsigned xds_validation_context_refused_by(const pb_certificate_validation_context *pb)
{
    struct unsupported list[UNSUPPORTED_FIELDS];
    unsigned clients = 0;

    list_unsupported(pb, list);
    for (size_t i = 0; i < UNSUPPORTED_FIELDS; i++)
        clients |= list[i].clients;
    return clients;
}

void xds_validation_context_check(struct xds_ctx *ctx, const struct xds_path *at,
                                  const pb_certificate_validation_context *pb,
                                  unsigned blind)
{
    struct unsupported list[UNSUPPORTED_FIELDS];

    check_names(ctx, at, pb);
    list_unsupported(pb, list);
    for (size_t i = 0; i < UNSUPPORTED_FIELDS; i++)
        if (list[i].clients & ~blind)
            xds_fire_for(ctx, XDS_AT(at, list[i].field), list[i].clients & ~blind,
                         XDS_R_TLS_VALIDATION_UNSUPPORTED, "feature unsupported");
}
