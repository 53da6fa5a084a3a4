/*
 * grpc_service.c - check what ext_authz and ext_proc share: both filters ask another
 * service about an RPC.
 *
 * Source: gRFC drafts A92, A93, A102, spec listener 1.8, 1.9, G40.
 */
#include "base/ascii.h"
#include "base/scalar.h"
#include "rules/inner.h"

void xds_list_string_matcher_read(struct xds_ctx *ctx, const struct xds_path *at,
                                  const pb_list_string_matcher *pb)
{
    struct xds_string_matcher unused;

    for (size_t i = 0; pb && i < pb->n_patterns; i++)
        (void)xds_string_matcher_read(ctx, XDS_AT_I(at, "patterns", i), pb->patterns[i],
                                      &unused);
}

static void check_regex(struct xds_ctx *ctx, const struct xds_path *at,
                        const pb_regex_matcher *pb)
{
    if (pb)
        (void)xds_regex_read(ctx, at, pb->regex, true,
                             "Invalid regex string specified in matcher: ", XDS_RULES);
}

/* C-core names the message once more below the field that holds it. */
void xds_header_mutation_rules_read(struct xds_ctx *ctx, const struct xds_path *at,
                                    const pb_header_mutation_rules *pb)
{
    const struct xds_path *rules = XDS_AT_SAID(at, "header_mutation_rules");

    if (!pb)
        return;
    check_regex(ctx, XDS_AT(rules, "allow_expression"), pb->allow_expression);
    check_regex(ctx, XDS_AT(rules, "disallow_expression"), pb->disallow_expression);
}

#define PB_TARGET(arm) ENVOY__CONFIG__CORE__V3__GRPC_SERVICE__TARGET_SPECIFIER_##arm

#define MAX_HEADER_BYTES 16384
#define MAX_FALLBACKS 16 /* one inside the other; what is deeper is not read */
#define NOT_SET "field not set"
#define NS_PER_MS 1000000

/* ---- google_grpc: target and credentials ---- */

#define CHANNEL_CREDENTIALS "envoy.extensions.grpc_service.channel_credentials."

#define GOOGLE_DEFAULT CHANNEL_CREDENTIALS "google_default.v3.GoogleDefaultCredentials"
#define INSECURE CHANNEL_CREDENTIALS "insecure.v3.InsecureCredentials"
/* Not supported by all; the first is a fault to some. */
#define LOCAL CHANNEL_CREDENTIALS "local.v3.LocalCredentials"
#define TLS CHANNEL_CREDENTIALS "tls.v3.TlsCredentials"
#define XDS_CREDENTIALS CHANNEL_CREDENTIALS "xds.v3.XdsCredentials"

static const char *const channel_credentials[] = {GOOGLE_DEFAULT, INSECURE, LOCAL, TLS,
                                                  XDS_CREDENTIALS};

static const char *const call_credentials[] = {
    "envoy.extensions.grpc_service.call_credentials.access_token.v3."
    "AccessTokenCredentials",
};

/* The live readers that support these credentials. */
static xds_readers supporters(const struct xds_ctx *ctx, const struct xds_extension *ext,
                              size_t n, const char *const types[])
{
    for (size_t i = 0; i < n; i++)
        if (xds_slice_is(ext->type, types[i]))
            return ext->url_is_canonical
                       ? ctx->live
                       : ctx->live & ~xds_who(ctx, XDS_DIFF_TYPE_URL_WHOLE);
    return 0;
}

static xds_readers call_supporters(const struct xds_ctx *ctx,
                                   const struct xds_extension *ext)
{
    struct xds_extension named = *ext;
    xds_readers who;

    who = supporters(ctx, ext, XDS_ARRAY_LEN(call_credentials), call_credentials);
    named.url_is_canonical = !ext->url_is_malformed;
    return who |
           (supporters(ctx, &named, XDS_ARRAY_LEN(call_credentials), call_credentials) &
            xds_who(ctx, XDS_DIFF_CALL_CREDENTIALS_PREFIX));
}

static xds_readers channel_supporters(const struct xds_ctx *ctx,
                                      const struct xds_extension *ext)
{
    const xds_readers who =
        supporters(ctx, ext, XDS_ARRAY_LEN(channel_credentials), channel_credentials);

    return xds_slice_is(ext->type, LOCAL)
               ? who & ~xds_who(ctx, XDS_DIFF_LOCAL_CREDENTIALS_UNKNOWN)
               : who;
}

/* core says where it is that they miss something. */
static void refuse(struct xds_ctx *ctx, const struct xds_path *at, xds_readers readers,
                   const struct xds_extension *ext, const char *core)
{
    xds_fire_for(ctx, at, readers, XDS_R_GSVC_CHANNEL_CREDS_CONFIG,
                 XDS_WITH(ext->type, xds_slice_of(core)));
}

/* Those who take TlsCredentials look their provider instances up. */
static void check_tls(struct xds_ctx *ctx, const struct xds_path *at,
                      const struct xds_extension *ext, xds_readers takers)
{
    const pb_tls_credentials *pb = (const void *)ext->message;
    const xds_readers unfinished = xds_who(ctx, XDS_DIFF_CREDENTIALS_UNFINISHED);
    const pb_common_tls_context_certificate_provider_instance *root =
        pb->root_certificate_provider;
    const pb_common_tls_context_certificate_provider_instance *identity =
        pb->identity_certificate_provider;

    refuse(ctx, at, takers & unfinished, ext, "");
    takers &= ~unfinished;
    if (root)
        xds_provider_instance_read(ctx, XDS_AT(at, "root_certificate_provider"),
                                   root->instance_name, takers);
    else
        refuse(ctx, XDS_AT(at, "root_certificate_provider"), takers, ext, NOT_SET);
    if (identity)
        xds_provider_instance_read(ctx, XDS_AT(at, "identity_certificate_provider"),
                                   identity->instance_name, takers);
}

/* Is the config of these credentials, which has no fields, never decoded? */
static bool is_unread(const struct xds_extension *ext)
{
    return ext->undecodable &&
           (xds_slice_is(ext->type, GOOGLE_DEFAULT) || xds_slice_is(ext->type, INSECURE));
}

static void check_config(struct xds_ctx *ctx, const struct xds_path *at,
                         const struct xds_extension *ext, xds_readers takers,
                         unsigned depth);

/* XdsCredentials need others to fall back to, whose config counts as well. */
static void check_fallback(struct xds_ctx *ctx, const struct xds_path *at,
                           const struct xds_extension *ext, xds_readers takers,
                           unsigned depth)
{
    const pb_xds_credentials *pb = (const void *)ext->message;
    const struct xds_path *field = XDS_AT(at, "fallback_credentials");
    struct xds_extension inner;

    if (!pb->fallback_credentials) {
        refuse(ctx, field, takers, ext, NOT_SET);
        return;
    }
    if (depth == MAX_FALLBACKS)
        return;
    (void)xds_extension_read(XDS_AMONG(ctx, 0), field, pb->fallback_credentials, false,
                             &inner);
    inner.url_is_canonical = true;
    const xds_readers supporting =
        inner.typed_struct ? 0 : channel_supporters(ctx, &inner);

    refuse(ctx, at,
           takers & ~supporting & ~xds_who(ctx, XDS_DIFF_FALLBACK_CREDENTIALS_ANY), ext,
           "");
    check_config(ctx, XDS_AT(field, "value"), &inner, takers & supporting, depth + 1);
}

/* Those who take the credentials read their config. */
static void check_config(struct xds_ctx *ctx, const struct xds_path *at,
                         const struct xds_extension *ext, xds_readers takers,
                         unsigned depth)
{
    if (!ext->message) {
        if (!is_unread(ext))
            refuse(ctx, at, takers, ext,
                   ext->typed_struct ? "can't decode config"
                                     : "could not parse channel credentials config");
    } else if (xds_slice_is(ext->type, LOCAL))
        refuse(ctx, at, takers & xds_who(ctx, XDS_DIFF_CREDENTIALS_UNFINISHED), ext, "");
    else if (xds_slice_is(ext->type, TLS))
        check_tls(ctx, at, ext, takers);
    else if (xds_slice_is(ext->type, XDS_CREDENTIALS))
        check_fallback(ctx, at, ext, takers, depth);
}

/* What is not typed is of an unknown type to some. False when no client can use it. */
static bool read_credentials(struct xds_ctx *ctx, const struct xds_path *at,
                             const pb_any *any, struct xds_extension *out)
{
    const bool is_typed =
        any && *any->type_url && !xds_is_typed_struct(xds_any_of(any)->type);
    const xds_readers readers =
        is_typed ? XDS_EVERYONE : ~xds_who(ctx, XDS_DIFF_CREDENTIALS_STRUCT_UNKNOWN);

    return xds_extension_read(XDS_AMONG(ctx, readers), at, any, false, out);
}

/* Each client uses the first that it supports and does not look at what follows. */
static void read_channel_credentials(struct xds_ctx *ctx, const struct xds_path *at,
                                     const pb_grpc_service_google_grpc *pb)
{
    xds_readers finding_none = 0;

    ctx = XDS_AMONG(ctx, XDS_EVERYONE);
    for (size_t i = 0; i < pb->n_channel_credentials_plugin; i++) {
        const struct xds_path *entry = XDS_AT_I(at, "channel_credentials_plugin", i);
        struct xds_extension ext;

        if (!read_credentials(ctx, entry, pb->channel_credentials_plugin[i], &ext))
            continue;
        xds_readers takers = channel_supporters(ctx, &ext);

        if (ext.typed_struct)
            takers &= ~xds_who(ctx, XDS_DIFF_CREDENTIALS_STRUCT_UNKNOWN);
        check_config(ctx, ext.at, &ext, takers, 0);
        if (!ext.message && !is_unread(&ext))
            finding_none |= takers & xds_who(ctx, XDS_DIFF_CREDENTIALS_UNDECODED);
        if (ext.typed_struct)
            takers &= ~finding_none;
        ctx->live &= ~takers;
        finding_none &= ~ctx->live;
    }
    ctx->live |= finding_none;
    if (pb->n_channel_credentials_plugin == 0)
        xds_fire(ctx, at, XDS_R_GSVC_CHANNEL_CREDS_ABSENT);
    else
        xds_fire(ctx, at, XDS_R_GSVC_CHANNEL_CREDS_TYPE);
}

/* All that are supported are combined. */
static void read_call_credentials(struct xds_ctx *ctx, const struct xds_path *at,
                                  const pb_any *any)
{
    struct xds_extension ext;

    if (!read_credentials(ctx, at, any, &ext))
        return;
    xds_readers takers = call_supporters(ctx, &ext);

    if (ext.typed_struct)
        takers &= ~xds_who(ctx, XDS_DIFF_CREDENTIALS_STRUCT_UNKNOWN);
    xds_fire_for(ctx, ext.at, ~takers, XDS_R_GSVC_CALL_CREDS_TYPE, XDS_WITH(ext.type));
    if (!ext.message)
        xds_fire_for(ctx, ext.at, takers, XDS_R_GSVC_CALL_CREDS_CONFIG,
                     XDS_WITH(ext.type));
    else if (takers && !*((const pb_access_token_credentials *)ext.message)->token)
        xds_fire_for(ctx, ext.at, takers, XDS_R_GSVC_CALL_CREDS_TOKEN, NULL);
}

static bool is_allowed(const struct xds_options *options, struct xds_slice target)
{
    for (size_t i = 0; i < options->bootstrap.n_allowed_grpc_services; i++)
        if (xds_slice_eq(target, options->bootstrap.allowed_grpc_services[i]))
            return true;
    return false;
}

/* The bootstrap has the credentials of the targets that it allows, so those that an
 * untrusted xDS server sends are never read. Without a bootstrap neither is known. */
static void read_google_grpc(struct xds_ctx *ctx, const struct xds_path *at,
                             const pb_grpc_service_google_grpc *pb)
{
    const struct xds_slice target = xds_slice_of(pb->target_uri);

    const xds_readers as_java = xds_who(ctx, XDS_DIFF_TARGET_AS_JAVA_URI);
    const xds_readers as_go = xds_who(ctx, XDS_DIFF_TARGET_AS_GO_URL);
    const xds_readers exact = xds_who(ctx, XDS_DIFF_TARGET_SCHEME_EXACT);
    const xds_readers as_core = ~(as_java | as_go);
    const xds_readers refuse =
        (xds_target_java_resolves(ctx->arena, target) ? 0 : as_java) |
        (xds_target_go_dials(ctx->arena, target) ? 0 : as_go) |
        (xds_target_uri_valid(ctx->arena, pb->target_uri, true) ? 0 : as_core & exact) |
        (xds_target_uri_valid(ctx->arena, pb->target_uri, false) ? 0 : as_core & ~exact);

    xds_fire_for(ctx, at, refuse, XDS_R_GSVC_TARGET_URI, XDS_WITH(target));
    if (xds_needs_bootstrap(ctx, XDS_AT(at, "target_uri"),
                            "whether clients may call target_uri", target))
        return;
    if (!ctx->options->bootstrap.trusted_xds_server) {
        if (!is_allowed(ctx->options, target))
            xds_fire_with(ctx, at, XDS_R_GSVC_TARGET_NOT_ALLOWED, XDS_WITH(target));
        return;
    }
    read_channel_credentials(ctx, at, pb);
    for (size_t i = 0; i < pb->n_call_credentials_plugin; i++)
        read_call_credentials(ctx, XDS_AT_I(at, "call_credentials_plugin", i),
                              pb->call_credentials_plugin[i]);
}

/* ---- initial_metadata ---- */

static bool is_key(struct xds_slice key)
{
    for (size_t i = 0; i < key.len; i++) {
        const char c = key.data[i];

        if (!(c >= 'a' && c <= 'z') && !xds_ascii_digit(c) && c != '-' && c != '_' &&
            c != '.')
            return false;
    }
    return key.len > 0;
}

static bool has_capitals(struct xds_slice key)
{
    for (size_t i = 0; i < key.len; i++)
        if (key.data[i] >= 'A' && key.data[i] <= 'Z')
            return true;
    return false;
}

static void check_key(struct xds_ctx *ctx, const struct xds_path *at,
                      struct xds_slice key)
{
    if (key.len > MAX_HEADER_BYTES)
        xds_fire_with(ctx, at, XDS_R_GSVC_HEADER_KEY_LENGTH,
                      XDS_WITH(xds_number(ctx, (int64_t)key.len)));
    else if (xds_slice_starts(key, XDS_S(":")) || xds_slice_starts(key, XDS_S("grpc-")) ||
             xds_slice_is(key, "host"))
        xds_fire_with(ctx, at, XDS_R_GSVC_HEADER_KEY_RESERVED, XDS_WITH(key));
    else if (!is_key(key))
        xds_fire_for(ctx, at,
                     key.len > 0 && !has_capitals(key)
                         ? ~xds_who(ctx, XDS_DIFF_HEADER_KEY_ANY)
                         : XDS_EVERYONE,
                     XDS_R_GSVC_HEADER_KEY_ILLEGAL, XDS_WITH(key));
}

static void check_length(struct xds_ctx *ctx, const struct xds_path *at,
                         struct xds_slice bytes, xds_readers readers)
{
    if (bytes.len > MAX_HEADER_BYTES)
        xds_fire_for(ctx, at, readers, XDS_R_GSVC_HEADER_VALUE_LENGTH,
                     XDS_WITH(xds_number(ctx, (int64_t)bytes.len)));
}

/* The readers that reject a value that is not binary. */
static xds_readers unprintable_to(const struct xds_ctx *ctx, struct xds_slice text)
{
    xds_readers readers = 0;

    for (size_t i = 0; i < text.len; i++)
        if (text.data[i] == '\t')
            readers = ~xds_who(ctx, XDS_DIFF_HEADER_VALUE_TAB);
        else if (text.data[i] < ' ' || text.data[i] > '~')
            return XDS_EVERYONE;
    return readers;
}

static void check_printable(struct xds_ctx *ctx, const struct xds_path *at,
                            struct xds_slice text, xds_readers readers,
                            struct xds_slice key)
{
    xds_fire_for(ctx, at, unprintable_to(ctx, text) & readers,
                 XDS_R_GSVC_HEADER_VALUE_ILLEGAL, XDS_WITH(key));
}

static void read_header(struct xds_ctx *ctx, const struct xds_path *at,
                        const pb_header_value *pb)
{
    const struct xds_slice key = xds_slice_of(pb->key);
    const struct xds_slice text = xds_slice_of(pb->value);
    const struct xds_slice raw =
        xds_slice_make((const char *)pb->raw_value.data, pb->raw_value.len);
    const struct xds_slice value = raw.len > 0 ? raw : text;
    const bool binary = xds_slice_ends(key, XDS_S("-bin"));
    const xds_readers by_key = xds_who(ctx, XDS_DIFF_HEADER_VALUE_BY_KEY);
    const xds_readers reads_raw = (raw.len > 0 ? ~by_key : 0) | (binary ? by_key : 0);
    ProtobufCBinaryData bytes;

    check_key(ctx, XDS_AT(at, "key"), key);
    check_length(ctx, XDS_AT(at, "raw_value"), raw, reads_raw);
    check_length(ctx, XDS_AT(at, "value"), text, ~reads_raw);
    if (!binary) {
        check_printable(ctx, XDS_AT(at, "value"), text, ~reads_raw, key);
        check_printable(ctx, XDS_AT(at, "raw_value"), raw, reads_raw, key);
    }
    if (value.len > MAX_HEADER_BYTES)
        return;
    if (value.len == 0)
        xds_fire_with(ctx, at, XDS_R_GSVC_HEADER_VALUE_ABSENT, XDS_WITH(key));
    else if (binary && !xds_scalar_base64(value, ctx->arena, &bytes))
        xds_fire_with(ctx, at, XDS_R_GSVC_HEADER_VALUE_BASE64, XDS_WITH(key));
}

/* ---- all ---- */

xds_readers xds_duration_not_positive_to(const struct xds_ctx *ctx, int64_t ns)
{
    if (ns <= 0)
        return XDS_EVERYONE;
    return ns < NS_PER_MS ? xds_who(ctx, XDS_DIFF_DURATION_IN_MS) : 0;
}

void xds_grpc_service_read(struct xds_ctx *ctx, const struct xds_path *at,
                           const pb_grpc_service *pb)
{
    if (!pb) {
        xds_fire(ctx, at, XDS_R_GSVC_ABSENT);
        return;
    }
    xds_fire(ctx, at, XDS_R_GSVC_UNSUPPORTED);

    const struct xds_path *timeout = XDS_AT(at, "timeout");
    int64_t ns;

    if (pb->target_specifier_case == PB_TARGET(GOOGLE_GRPC))
        read_google_grpc(ctx, XDS_AT(at, "google_grpc"), pb->google_grpc);
    else
        xds_fire(ctx, at, XDS_R_GSVC_GOOGLE_GRPC);
    if (xds_duration_read_cut(ctx, timeout, pb->timeout, XDS_EVERYONE,
                              xds_who(ctx, XDS_DIFF_DURATION_CUT), &ns))
        xds_fire_for(ctx, timeout, xds_duration_not_positive_to(ctx, ns),
                     XDS_R_GSVC_TIMEOUT, NULL);
    if (pb->timeout && !xds_duration_is_valid(pb->timeout))
        xds_fire(ctx, timeout, XDS_R_GSVC_TIMEOUT_INVALID);
    ctx = XDS_AMONG(ctx, ctx->options->bootstrap.trusted_xds_server
                             ? XDS_EVERYONE
                             : ~xds_who(ctx, XDS_DIFF_METADATA_OF_TRUSTED));
    for (size_t i = 0; i < pb->n_initial_metadata; i++)
        read_header(ctx, XDS_AT_I(at, "initial_metadata", i), pb->initial_metadata[i]);
}
