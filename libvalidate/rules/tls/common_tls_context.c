/*
 * common_tls_context.c - what a CommonTlsContext holds, and the parts of it that are
 * checked alike for a client and for a server.
 *
 * Source: gRFC A29, spec listener 2.4, spec cluster 1.15.
 */
#define PROTOBUF_C_NO_DEPRECATED /* clients still read deprecated fields */
#include "rules/tls/tls_context.h"

#define CONTEXT(arm)                                                                     \
    ENVOY__EXTENSIONS__TRANSPORT_SOCKETS__TLS__V3__COMMON_TLS_CONTEXT__VALIDATION_CONTEXT_TYPE_##arm

/* ---- the facts ---- */

bool xds_tls_is_named(const char *instance_name)
{
    return instance_name && *instance_name;
}

bool xds_tls_has_only_unsupported_certificates(const struct xds_tls_facts *facts)
{
    return !facts->identity && (facts->common->n_tls_certificates > 0 ||
                                facts->common->n_tls_certificate_sds_secret_configs > 0);
}

static const char *name_of(const pb_common_tls_context_certificate_provider_instance *pb)
{
    return pb ? pb->instance_name : NULL;
}

static void find_context(struct xds_tls_facts *facts)
{
    const pb_common_tls_context *pb = facts->common;
    const int arm = (int)pb->validation_context_type_case;

    if (arm == CONTEXT(VALIDATION_CONTEXT)) {
        facts->context_field = "validation_context";
        facts->context = pb->validation_context;
    } else if (arm == CONTEXT(COMBINED_VALIDATION_CONTEXT)) {
        facts->context = pb->combined_validation_context->default_validation_context;
        facts->context_field =
            facts->context ? "combined_validation_context.default_validation_context"
                           : "combined_validation_context";
        facts->combined_ca =
            name_of(pb->combined_validation_context
                        ->validation_context_certificate_provider_instance);
    } else if (arm == CONTEXT(VALIDATION_CONTEXT_CERTIFICATE_PROVIDER_INSTANCE)) {
        facts->other_ca = name_of(pb->validation_context_certificate_provider_instance);
    }
    if (facts->context && facts->context->ca_certificate_provider_instance) {
        const pb_certificate_provider_plugin_instance *ca =
            facts->context->ca_certificate_provider_instance;

        facts->ca = ca->instance_name;
        facts->has_name |= *ca->certificate_name != '\0';
    }
}

void xds_tls_facts_find(const struct xds_ctx *ctx, const pb_common_tls_context *pb,
                        struct xds_tls_facts *facts)
{
    const xds_readers at_once = xds_who(ctx, XDS_DIFF_TLS_FALLS_BACK_AT_ONCE);

    *facts = (struct xds_tls_facts){
        .common = pb,
        .at_once = at_once,
        .by_field = ~(at_once | xds_who(ctx, XDS_DIFF_TLS_DEPRECATED_UNREAD)),
    };
    if (!pb)
        return;
    if (pb->tls_certificate_provider_instance) {
        facts->identity = pb->tls_certificate_provider_instance->instance_name;
        facts->has_name |=
            *pb->tls_certificate_provider_instance->certificate_name != '\0';
    }
    facts->deprecated_identity =
        name_of(pb->tls_certificate_certificate_provider_instance);
    find_context(facts);
}

/* ---- the parts ---- */

void xds_provider_instance_read(struct xds_ctx *ctx, const struct xds_path *at,
                                const char *instance_name, xds_readers readers)
{
    const struct xds_slice name = xds_slice_of(instance_name);
    const bool known = ctx->options->has_bootstrap;

    for (size_t i = 0; i < ctx->options->n_provider_instances; i++)
        if (xds_slice_eq(name, ctx->options->provider_instances[i])) {
            if (!ctx->options->provider_plugins ||
                xds_slice_is(ctx->options->provider_plugins[i], "file_watcher"))
                return;
            readers &= xds_who(ctx, XDS_DIFF_PROVIDER_PLUGIN_CHECKED);
        }
    if (xds_is_object_property(name))
        readers &= ~xds_who(ctx, XDS_DIFF_NAMES_OF_OBJECT);
    xds_fire_for(
        ctx, at, readers, XDS_R_COMMON_TLS_PROVIDER,
        XDS_WITH(name,
                 xds_slice_of(known ? "certificate_providers of the bootstrap lacks it"
                                    : "no bootstrap was given (--bootstrap), which names "
                                      "the instances"),
                 xds_slice_of(known ? ""
                                    : "; no bootstrap was given (--bootstrap), which "
                                      "names the instances")));
}

struct field {
    const char *name;
    bool is_set;
};

static void fire_for_set(struct xds_ctx *ctx, const struct xds_path *at,
                         xds_readers readers, enum xds_rule_id rule, size_t n,
                         const struct field *fields)
{
    for (size_t i = 0; i < n; i++)
        if (fields[i].is_set)
            xds_fire_for(ctx, XDS_AT(at, fields[i].name), readers, rule, NULL);
}

void xds_common_tls_context_check(struct xds_ctx *ctx, const struct xds_path *at,
                                  const pb_common_tls_context *pb)
{
    const struct field fields[] = {
        {"tls_params", pb->tls_params != NULL},
        {"custom_handshaker", pb->custom_handshaker != NULL},
        {"validation_context_sds_secret_config",
         pb->validation_context_type_case ==
             CONTEXT(VALIDATION_CONTEXT_SDS_SECRET_CONFIG)},
    };

    fire_for_set(ctx, at, XDS_EVERYONE, XDS_R_COMMON_TLS_UNSUPPORTED,
                 XDS_ARRAY_LEN(fields), fields);
}

void xds_tls_identity_read(struct xds_ctx *ctx, const struct xds_path *at,
                           const struct xds_tls_facts *facts)
{
    const pb_common_tls_context *pb = facts->common;
    const struct field lists[] = {
        {"tls_certificates", pb->n_tls_certificates > 0},
        {"tls_certificate_sds_secret_configs",
         pb->n_tls_certificate_sds_secret_configs > 0},
    };
    const xds_readers readers = ~facts->fallen_back;

    if (facts->identity)
        xds_provider_instance_read(
            ctx, XDS_AT(at, "tls_certificate_provider_instance"), facts->identity,
            xds_tls_is_named(facts->identity)
                ? readers
                : readers & ~xds_who(ctx, XDS_DIFF_PROVIDER_UNNAMED_IGNORED));
    else
        fire_for_set(ctx, at,
                     facts->deprecated_identity ? readers & ~facts->by_field : readers,
                     XDS_R_COMMON_TLS_CERTIFICATES, XDS_ARRAY_LEN(lists), lists);
}

void xds_tls_deprecated_read(struct xds_ctx *ctx, const struct xds_path *at,
                             const struct xds_tls_facts *facts)
{
    const struct {
        const char *field;
        const char *instance_name;
        xds_readers by_field;
    } fields[] = {
        {"tls_certificate_certificate_provider_instance", facts->deprecated_identity,
         facts->identity ? 0 : facts->by_field},
        {"combined_validation_context.validation_context_certificate_provider_instance",
         facts->combined_ca, facts->ca ? 0 : facts->by_field},
        {"validation_context_certificate_provider_instance", facts->other_ca, 0},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(fields); i++)
        if (fields[i].instance_name)
            xds_provider_instance_read(
                ctx, XDS_AT(at, fields[i].field), fields[i].instance_name,
                (facts->fallen_back | fields[i].by_field) &
                    ((i == 0 || ctx->server) && !*fields[i].instance_name
                         ? ~xds_who(ctx, XDS_DIFF_PROVIDER_UNNAMED_IGNORED)
                         : XDS_EVERYONE));
}
