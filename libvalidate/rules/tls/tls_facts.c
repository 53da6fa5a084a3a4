/*
 * tls_facts.c - what a CommonTlsContext holds, wherever it stands.
 *
 * Takes:  the message, NULL when it was not set.
 * Gives:  the validation context, and the provider instances of current and deprecated
 *         fields; borrowed.
 * Fires:  COMMON_TLS_PROVIDER for instances in deprecated fields.
 * Source: gRFC A29, spec section 2.4, spec cluster 1.15.
 */
#define PROTOBUF_C_NO_DEPRECATED /* clients still read deprecated fields */
#include "rules/tls/tls_context.h"

#define CONTEXT(arm)                                                                     \
    ENVOY__EXTENSIONS__TRANSPORT_SOCKETS__TLS__V3__COMMON_TLS_CONTEXT__VALIDATION_CONTEXT_TYPE_##arm

typedef pb_common_tls_context_certificate_provider_instance deprecated_instance;

bool xds_tls_is_named(const char *instance_name)
{
    return instance_name && *instance_name;
}

static const char *name_of(const deprecated_instance *pb)
{
    return pb ? pb->instance_name : NULL;
}

static void find_context(struct xds_tls_facts *facts)
{
    const pb_common_tls_context *pb = facts->common;

    switch (pb->validation_context_type_case) {
    case CONTEXT(VALIDATION_CONTEXT):
        facts->context_field = "validation_context";
        facts->context = pb->validation_context;
        break;
    case CONTEXT(COMBINED_VALIDATION_CONTEXT):
        facts->context = pb->combined_validation_context->default_validation_context;
        facts->context_field =
            facts->context ? "combined_validation_context.default_validation_context"
                           : "combined_validation_context";
        facts->combined_ca =
            name_of(pb->combined_validation_context
                        ->validation_context_certificate_provider_instance);
        break;
    case CONTEXT(VALIDATION_CONTEXT_CERTIFICATE_PROVIDER_INSTANCE):
        facts->other_ca = name_of(pb->validation_context_certificate_provider_instance);
        break;
    case CONTEXT(VALIDATION_CONTEXT_SDS_SECRET_CONFIG):
    case CONTEXT(VALIDATION_CONTEXT_CERTIFICATE_PROVIDER):
    case CONTEXT(_NOT_SET):
    default: /* an int on the wire, checked by nobody */
        break;
    }
    if (facts->context && facts->context->ca_certificate_provider_instance)
        facts->ca = facts->context->ca_certificate_provider_instance->instance_name;
}

void xds_tls_facts_find(const pb_common_tls_context *pb, struct xds_tls_facts *facts)
{
    *facts = (struct xds_tls_facts){.common = pb};
    if (!pb)
        return;
    if (pb->tls_certificate_provider_instance)
        facts->identity = pb->tls_certificate_provider_instance->instance_name;
    facts->deprecated_identity =
        name_of(pb->tls_certificate_certificate_provider_instance);
    find_context(facts);
}

void xds_tls_deprecated_read(struct xds_ctx *ctx, const struct xds_path *common_at,
                             const struct xds_tls_facts *facts)
{
    const unsigned go = facts->go_falls_back ? XDS_GO : 0;
    const struct {
        const char *field;
        const char *instance_name, *current;
        unsigned clients; /* who fall back field by field */
    } fields[] = {
        {"tls_certificate_certificate_provider_instance", facts->deprecated_identity,
         facts->identity, XDS_FALLS_BACK_BY_FIELD},
        {"combined_validation_context.validation_context_certificate_provider_instance",
         facts->combined_ca, facts->ca, XDS_FALLS_BACK_BY_FIELD},
        {"validation_context_certificate_provider_instance", facts->other_ca, NULL, 0},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(fields); i++)
        if (fields[i].instance_name)
            xds_provider_instance_read_for(
                ctx, go | (fields[i].current ? 0 : fields[i].clients),
                XDS_AT(common_at, fields[i].field), fields[i].instance_name);
}
