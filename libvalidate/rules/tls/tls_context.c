/*
 * tls_context.c - check the TLS contexts of clients and of servers.
 *
 * Source: gRFC A29, A36, A82, A101, spec listener 2.4, spec cluster 1.14 to 1.17, C8 to
 * C12.
 */
#define PROTOBUF_C_NO_DEPRECATED /* clients still read deprecated fields */
#include "rules/tls/facts.h"

#define IS_REGEX ENVOY__TYPE__MATCHER__V3__STRING_MATCHER__MATCH_PATTERN_SAFE_REGEX

void xds_provider_instance_read(struct xds_ctx *ctx, const struct xds_path *at,
                                const char *instance_name, xds_readers readers)
{
    const struct xds_slice name = xds_slice_of(instance_name);

    if (name.len > 0 &&
        xds_needs_bootstrap(XDS_AMONG(ctx, readers), XDS_AT(at, "instance_name"),
                            "certificate provider instance", name))
        return;
    for (size_t i = 0; i < ctx->options->bootstrap.n_provider_instances; i++)
        if (xds_slice_eq(name, ctx->options->bootstrap.provider_instances[i])) {
            if (!ctx->options->bootstrap.provider_plugins ||
                xds_slice_is(ctx->options->bootstrap.provider_plugins[i], "file_watcher"))
                return;
            readers &= xds_who(ctx, XDS_DIFF_PROVIDER_PLUGIN_CHECKED);
        }
    if (xds_is_object_property(name))
        readers &= ~xds_who(ctx, XDS_DIFF_NAMES_OF_OBJECT);
    readers &= ~ctx->nameless;
    xds_fire_for(ctx, at, readers, XDS_R_COMMON_TLS_PROVIDER, XDS_WITH(name));
}

/* ---- the validation context ---- */

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

/* Who rejects a field of it, when they look. */
static xds_readers context_refused_by(const struct xds_ctx *ctx,
                                      const pb_certificate_validation_context *pb)
{
    struct unsupported list[UNSUPPORTED_FIELDS];
    xds_readers readers = 0;

    list_unsupported(ctx, pb, list);
    for (size_t i = 0; i < UNSUPPORTED_FIELDS; i++)
        readers |= list[i].refused_by;
    return readers;
}

/* The regex of a name, for those who accept it whatever it is. */
static void compile_when_used(struct xds_ctx *ctx, const struct xds_path *at,
                              const pb_string_matcher *pb)
{
    struct xds_ctx *late = XDS_AMONG(ctx, xds_who(ctx, XDS_DIFF_SAN_REGEX_WHEN_USED));

    if (!ctx->server && pb->match_pattern_case == IS_REGEX)
        (void)xds_regex_read(late, at, pb->safe_regex->regex, true, "", XDS_RULES);
}

/* go checks the names even where it falls back to deprecated fields. */
static void read_validation_context(struct xds_ctx *ctx, const struct xds_path *at,
                                    const struct xds_tls_facts *facts)
{
    const pb_certificate_validation_context *pb = facts->context;
    struct xds_ctx *naming =
        XDS_AMONG(ctx, ~xds_who(ctx, XDS_DIFF_SAN_MATCHERS_UNCHECKED));
    const xds_readers blind =
        facts->fallen_back |
        (xds_who(ctx, XDS_DIFF_VALIDATION_WITHOUT_CA_UNREAD) & ~facts->with_ca);
    struct unsupported list[UNSUPPORTED_FIELDS];
    struct xds_string_matcher unused;

    for (size_t i = 0; i < pb->n_match_subject_alt_names; i++) {
        const struct xds_path *name_at = XDS_AT_I(at, "match_subject_alt_names", i);

        (void)xds_string_matcher_read(naming, name_at, pb->match_subject_alt_names[i],
                                      &unused);
        compile_when_used(ctx, name_at, pb->match_subject_alt_names[i]);
    }
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

/* ---- CommonTlsContext ---- */

#define CONTEXT(arm)                                                                     \
    ENVOY__EXTENSIONS__TRANSPORT_SOCKETS__TLS__V3__COMMON_TLS_CONTEXT__VALIDATION_CONTEXT_TYPE_##arm

/* Are its own certificates only given inline or over SDS? */
static bool has_only_unsupported_certificates(const struct xds_tls_facts *facts)
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

/* All but fallen_back and with_ca, which differ between clients' and servers'. */
static void find_facts(const struct xds_ctx *ctx, const pb_common_tls_context *pb,
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

/* What no client accepts, wherever certificates come from. */
static void check_common(struct xds_ctx *ctx, const struct xds_path *at,
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

/* Where its own certificate comes from, for those who read the current fields. */
static void read_identity(struct xds_ctx *ctx, const struct xds_path *at,
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

/* The provider instances of deprecated fields, for those who use them. */
static void read_deprecated(struct xds_ctx *ctx, const struct xds_path *at,
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

/* ---- clients ---- */

#define MAX_SNI_BYTES 255

static bool has_ca(const struct xds_ctx *ctx, const struct xds_tls_facts *facts)
{
    if (facts->ca) /* where everything is empty go takes the fields as not set */
        return xds_tls_is_named(facts->ca) || xds_tls_is_named(facts->identity) ||
               facts->has_name || facts->context->n_match_subject_alt_names > 0;
    return facts->context->system_root_certs &&
           (xds_guarded_by(ctx, XDS_ENV_SYSTEM_ROOT_CERTS) & facts->at_once);
}

static void find_client_facts(const struct xds_ctx *ctx, const pb_common_tls_context *pb,
                              struct xds_tls_facts *facts)
{
    find_facts(ctx, pb, facts);
    if (!pb)
        return;
    /* Who falls back at once finds no fault in the current fields, and CA certificates.
     */
    if (!(facts->context && !has_only_unsupported_certificates(facts) &&
          has_ca(ctx, facts) &&
          !(context_refused_by(ctx, facts->context) & facts->at_once)) &&
        (xds_tls_is_named(facts->combined_ca) || xds_tls_is_named(facts->other_ca)))
        facts->fallen_back = facts->at_once;
    facts->with_ca = facts->fallen_back;
    if (facts->ca)
        facts->with_ca = xds_tls_is_named(facts->ca)
                             ? XDS_EVERYONE
                             : ~(facts->at_once & ~facts->fallen_back);
    else if (facts->combined_ca)
        facts->with_ca |= facts->by_field;
}

/* Returns who ends up with CA certificates. */
static xds_readers read_client_common(struct xds_ctx *ctx, const struct xds_path *at,
                                      const struct xds_tls_facts *facts)
{
    if (!facts->common)
        return 0;
    check_common(ctx, at, facts->common);
    if (facts->context)
        read_validation_context(ctx, XDS_AT(at, facts->context_field), facts);
    read_identity(ctx, at, facts);
    read_deprecated(ctx, at, facts);
    if (facts->context && facts->context->system_root_certs)
        return facts->with_ca | xds_guarded_by(ctx, XDS_ENV_SYSTEM_ROOT_CERTS);
    return facts->with_ca;
}

struct xds_tls_context *xds_upstream_tls_context_read(struct xds_ctx *ctx,
                                                      const struct xds_path *at,
                                                      const pb_upstream_tls_context *pb)
{
    const struct xds_path *common_at = XDS_AT(at, "common_tls_context");
    const size_t sni_bytes = strlen(pb->sni);
    struct xds_tls_facts facts;

    find_client_facts(ctx, pb->common_tls_context, &facts);
    const xds_readers with_ca = read_client_common(ctx, common_at, &facts);

    xds_fire_for(ctx, common_at, ~with_ca, XDS_R_UPSTREAM_TLS_NO_CA, NULL);
    if (sni_bytes > MAX_SNI_BYTES)
        xds_fire_for(ctx, at, xds_guarded_by(ctx, XDS_ENV_SNI), XDS_R_UPSTREAM_TLS_SNI,
                     XDS_WITH(xds_number(ctx, (int64_t)sni_bytes)));
    return xds_client_tls_model(ctx, &facts, pb);
}

/* ---- servers ---- */

#define STAPLING(arm)                                                                    \
    ENVOY__EXTENSIONS__TRANSPORT_SOCKETS__TLS__V3__DOWNSTREAM_TLS_CONTEXT__OCSP_STAPLE_POLICY__##arm

/* Who falls back at once finds no fault in the current fields, and something in them. */
static bool server_fields_do(const struct xds_ctx *ctx, const struct xds_tls_facts *facts)
{
    if (has_only_unsupported_certificates(facts))
        return false;
    if (facts->common->validation_context_type_case == CONTEXT(_NOT_SET))
        return xds_tls_is_named(facts->identity) || facts->has_name;
    return facts->ca &&
           (*facts->ca || facts->has_name || xds_tls_is_named(facts->identity)) &&
           facts->context->n_match_subject_alt_names == 0 &&
           !(context_refused_by(ctx, facts->context) & facts->at_once);
}

/* ... and the deprecated ones are enough for it, but for names that no server matches. */
static bool deprecated_fields_do(const struct xds_tls_facts *facts)
{
    const int arm = (int)facts->common->validation_context_type_case;

    if (!xds_tls_is_named(facts->deprecated_identity))
        return false;
    return arm == CONTEXT(COMBINED_VALIDATION_CONTEXT) ||
           arm == CONTEXT(VALIDATION_CONTEXT_CERTIFICATE_PROVIDER_INSTANCE) ||
           arm == CONTEXT(_NOT_SET);
}

static void find_server_facts(const struct xds_ctx *ctx, const pb_common_tls_context *pb,
                              struct xds_tls_facts *facts)
{
    find_facts(ctx, pb, facts);
    if (!pb)
        return;
    if (!server_fields_do(ctx, facts) && deprecated_fields_do(facts))
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

    read_validation_context(ctx, at, facts);
    xds_fire_for(ctx, at, ~(with_ca | on_roots), XDS_R_DOWNSTREAM_TLS_NO_CA, NULL);
    xds_fire_for(ctx, common_at, on_roots, XDS_R_DOWNSTREAM_TLS_SYSTEM_ROOTS, NULL);
}

/* For those that fall back to deprecated fields these names are the one fault. */
static xds_readers names_refused_by(const struct xds_ctx *ctx,
                                    const struct xds_tls_facts *facts)
{
    if (!facts->context || facts->context->n_match_subject_alt_names == 0)
        return 0;
    return facts->fallen_back | facts->with_ca |
           ~xds_who(ctx, XDS_DIFF_VALIDATION_WITHOUT_CA_UNREAD);
}

static void read_server_common(struct xds_ctx *ctx, const struct xds_path *at,
                               const struct xds_tls_facts *facts)
{
    struct xds_ctx *reading = XDS_AMONG(ctx, ~facts->fallen_back);
    const int arm = (int)facts->common->validation_context_type_case;
    const char *deprecated = NULL;

    if (arm == CONTEXT(VALIDATION_CONTEXT_CERTIFICATE_PROVIDER))
        deprecated = "validation_context_certificate_provider";
    else if (arm == CONTEXT(VALIDATION_CONTEXT_CERTIFICATE_PROVIDER_INSTANCE))
        deprecated = "validation_context_certificate_provider_instance";
    check_common(ctx, at, facts->common);
    xds_fire_for(ctx, at, names_refused_by(ctx, facts), XDS_R_DOWNSTREAM_TLS_NAMES, NULL);
    if (facts->context)
        read_context(reading, at, facts);
    else if (facts->context_field)
        xds_fire(reading, XDS_AT(at, facts->context_field),
                 XDS_R_DOWNSTREAM_TLS_EMPTY_CONTEXT);
    else if (deprecated)
        xds_fire(reading, XDS_AT(at, deprecated),
                 XDS_R_DOWNSTREAM_TLS_DEPRECATED_CONTEXT);
    read_identity(reading, at, facts);
    read_deprecated(ctx, at, facts);
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
        with_ca &= ~(xds_who(ctx, XDS_DIFF_PROVIDER_UNNAMED_IGNORED) |
                     xds_who(ctx, XDS_DIFF_CA_UNNAMED_IS_NONE));
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

static const struct xds_tls_context *
read_server_context(struct xds_ctx *ctx, const struct xds_path *at,
                    const pb_downstream_tls_context *pb)
{
    const int stapling = (int)pb->ocsp_staple_policy;
    struct xds_tls_facts facts;

    find_server_facts(ctx, pb->common_tls_context, &facts);
    if (facts.common)
        read_server_common(ctx, XDS_AT(at, "common_tls_context"), &facts);
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
    return xds_server_tls_model(ctx, &facts,
                                pb->require_client_certificate &&
                                    pb->require_client_certificate->value);
}

/* ---- the socket of a filter chain ---- */

#define TLS_NAME "envoy.transport_sockets.tls"
#define TLS_TYPE                                                                         \
    envoy__extensions__transport_sockets__tls__v3__downstream_tls_context__descriptor
#define PB_CONFIG(arm) ENVOY__CONFIG__CORE__V3__TRANSPORT_SOCKET__CONFIG_TYPE_##arm

xds_readers xds_socket_url_foreign_to(const struct xds_ctx *ctx,
                                      const struct xds_extension *ext)
{
    return (ext->url_is_canonical ? 0 : xds_who(ctx, XDS_DIFF_SOCKET_URL_WHOLE)) |
           (ext->url_is_malformed ? xds_who(ctx, XDS_DIFF_SOCKET_URL_AFTER_SLASH) : 0);
}

void xds_socket_config_check(struct xds_ctx *ctx, const struct xds_path *at,
                             const pb_transport_socket *pb)
{
    /* Another name is refused before. */
    if (pb->config_type_case != PB_CONFIG(TYPED_CONFIG) &&
        strcmp(pb->name, TLS_NAME) == 0)
        xds_fire(ctx, at, XDS_R_TRANSPORT_CONFIG);
}

const struct xds_tls_context *xds_downstream_socket_read(struct xds_ctx *ctx,
                                                         const struct xds_path *at,
                                                         const pb_transport_socket *pb)
{
    const struct xds_path *field = XDS_AT(at, "typed_config");
    const bool has_config = pb->config_type_case == PB_CONFIG(TYPED_CONFIG);
    struct xds_extension ext;

    xds_socket_config_check(ctx, field, pb);
    if (strcmp(pb->name, TLS_NAME) != 0)
        xds_fire_with(ctx, at, XDS_R_DOWNSTREAM_SOCKET_NAME,
                      XDS_WITH(xds_slice_of(pb->name)));
    if (xds_extension_read(ctx, field, has_config ? pb->typed_config : NULL, false,
                           &ext)) {
        const xds_readers others = xds_slice_is(ext.type, TLS_TYPE.name)
                                       ? xds_socket_url_foreign_to(ctx, &ext)
                                       : XDS_EVERYONE;

        xds_fire_for(ctx, ext.at, others, XDS_R_DOWNSTREAM_SOCKET_TYPE,
                     XDS_WITH(ext.type));
        if (!ext.message)
            xds_fire_for(ctx, ext.at, ~others, XDS_R_DOWNSTREAM_SOCKET_UNDECODABLE, NULL);
        else if (ext.message->descriptor == &TLS_TYPE)
            return read_server_context(XDS_AMONG(ctx, ~others), ext.at,
                                       (const void *)ext.message);
    }
    return NULL;
}
