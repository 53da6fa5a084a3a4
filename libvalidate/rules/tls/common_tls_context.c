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

typedef pb_common_tls_context_certificate_provider_instance deprecated_instance;
typedef pb_common_tls_context_combined_certificate_validation_context combined_context;

void xds_provider_instance_read(struct xds_ctx *ctx, const struct xds_path *at,
                                const char *instance_name)
{
    const struct xds_slice name = xds_slice_of(instance_name);

    for (size_t i = 0; i < ctx->options->n_provider_instances; i++)
        if (xds_slice_eq(name, ctx->options->provider_instances[i]))
            return;
    xds_fire(ctx, XDS_AT(at, "instance_name"), XDS_R_COMMON_TLS_PROVIDER,
             "unrecognized certificate provider instance name: %s", instance_name);
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

/* go tries the deprecated fields when the current ones do not parse, and is then not
 * held to what the current ones say. node knows no deprecated field. */
static unsigned read_combined(struct xds_ctx *ctx, const struct xds_path *at,
                              const combined_context *pb)
{
    const deprecated_instance *fallback =
        pb->validation_context_certificate_provider_instance;
    const unsigned live = ctx->live;
    unsigned with_ca = 0;
    bool instance = false;

    if (fallback)
        ctx->live &= ~XDS_GO;
    if (pb->default_validation_context)
        with_ca =
            xds_validation_context_read(ctx, XDS_AT(at, "default_validation_context"),
                                        pb->default_validation_context, &instance);
    ctx->live = live;
    if (!fallback)
        return with_ca;

    const unsigned users = instance ? XDS_GO : XDS_ALL_CLIENTS & ~XDS_NODE;

    xds_provider_instance_read_for(
        ctx, users, XDS_AT(at, "validation_context_certificate_provider_instance"),
        fallback->instance_name);
    return with_ca | users;
}

/* The arm of the oneof that go alone still reads. */
static unsigned read_deprecated(struct xds_ctx *ctx, const struct xds_path *at,
                                const deprecated_instance *pb)
{
    xds_provider_instance_read_for(
        ctx, XDS_GO, XDS_AT(at, "validation_context_certificate_provider_instance"),
        pb->instance_name);
    return XDS_GO;
}

static unsigned read_validation(struct xds_ctx *ctx, const struct xds_path *at,
                                const pb_common_tls_context *pb)
{
    bool instance;

    switch (pb->validation_context_type_case) {
    case CONTEXT(VALIDATION_CONTEXT):
        return xds_validation_context_read(ctx, XDS_AT(at, "validation_context"),
                                           pb->validation_context, &instance);
    case CONTEXT(COMBINED_VALIDATION_CONTEXT):
        return read_combined(ctx, XDS_AT(at, "combined_validation_context"),
                             pb->combined_validation_context);
    case CONTEXT(VALIDATION_CONTEXT_CERTIFICATE_PROVIDER_INSTANCE):
        return read_deprecated(ctx, at,
                               pb->validation_context_certificate_provider_instance);
    case CONTEXT(VALIDATION_CONTEXT_SDS_SECRET_CONFIG):
    case CONTEXT(VALIDATION_CONTEXT_CERTIFICATE_PROVIDER):
    case CONTEXT(_NOT_SET):
    default: /* an int on the wire, checked by nobody */
        return 0;
    }
}

/* Returns the clients that found a provider instance for the client's certificate. */
static unsigned read_identity(struct xds_ctx *ctx, const struct xds_path *at,
                              const pb_common_tls_context *pb)
{
    const deprecated_instance *fallback =
        pb->tls_certificate_certificate_provider_instance;

    if (pb->tls_certificate_provider_instance) {
        xds_provider_instance_read(ctx, XDS_AT(at, "tls_certificate_provider_instance"),
                                   pb->tls_certificate_provider_instance->instance_name);
        return XDS_ALL_CLIENTS;
    }
    if (!fallback)
        return 0;
    xds_provider_instance_read_for(
        ctx, XDS_ALL_CLIENTS & ~XDS_NODE,
        XDS_AT(at, "tls_certificate_certificate_provider_instance"),
        fallback->instance_name);
    return XDS_ALL_CLIENTS & ~XDS_NODE;
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

unsigned xds_common_tls_context_read(struct xds_ctx *ctx, const struct xds_path *at,
                                     const pb_common_tls_context *pb)
{
    if (!pb)
        return 0;
    xds_common_tls_context_check(ctx, at, pb);

    const unsigned with_ca = read_validation(ctx, at, pb);
    const unsigned with_identity = read_identity(ctx, at, pb);

    xds_tls_certificates_check(ctx, at, pb, XDS_ALL_CLIENTS & ~with_identity);
    return with_ca;
}
