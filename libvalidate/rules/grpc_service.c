/*
 * grpc_service.c - judge how a filter reaches the service that it asks.
 *
 * Takes:  a decoded envoy.config.core.v3.GrpcService, NULL when the field was not set.
 * Gives:  nothing: routing never depends on it.
 * Fires:  the rows of grpc_service.def, those of any.def for the credentials and those
 *         of duration.def for the timeout.
 * Source: gRFC draft A102, spec section 1.8.
 */
#include "base/ascii.h"
#include "decode/scalar.h"
#include "rules/side_channel.h"
#include "rules/target_uri.h"

#define PB_TARGET(arm) ENVOY__CONFIG__CORE__V3__GRPC_SERVICE__TARGET_SPECIFIER_##arm

#define MAX_HEADER_BYTES 16384

/* ---- google_grpc: target and credentials ------------------------------------------ */

#define CHANNEL_CREDENTIALS "envoy.extensions.grpc_service.channel_credentials."

static const char *const channel_credentials[] = {
    CHANNEL_CREDENTIALS "google_default.v3.GoogleDefaultCredentials",
    CHANNEL_CREDENTIALS "insecure.v3.InsecureCredentials",
    CHANNEL_CREDENTIALS "local.v3.LocalCredentials",
    CHANNEL_CREDENTIALS "tls.v3.TlsCredentials",
    CHANNEL_CREDENTIALS "xds.v3.XdsCredentials",
};

static const char *const call_credentials[] = {
    "envoy.extensions.grpc_service.call_credentials.access_token.v3."
    "AccessTokenCredentials",
};

/* The live clients that support these credentials; java looks the whole URL up (G13). */
static unsigned supporters(const struct xds_ctx *ctx, const struct xds_extension *ext,
                           size_t n, const char *const types[])
{
    const unsigned readers = ext->url_is_canonical ? ctx->live : ctx->live & ~XDS_JAVA;

    for (size_t i = 0; i < n; i++)
        if (xds_slice_is(ext->type, types[i]))
            return readers;
    return 0;
}

/* Each client takes the first that it supports and does not look at what follows. */
static void read_channel_credentials(struct xds_ctx *ctx, const struct xds_path *at,
                                     const pb_grpc_service_google_grpc *pb)
{
    const char *const field = "channel_credentials_plugin";
    const unsigned live = ctx->live;

    for (size_t i = 0; i < pb->n_channel_credentials_plugin; i++) {
        const struct xds_path *entry = XDS_AT_I(at, field, i);
        struct xds_extension ext;

        if (!xds_extension_read(ctx, entry, pb->channel_credentials_plugin[i], false,
                                &ext))
            continue;
        const unsigned takers = supporters(ctx, &ext, XDS_ARRAY_LEN(channel_credentials),
                                           channel_credentials);

        if (!ext.message)
            xds_fire_for(ctx, ext.at, takers, XDS_R_GSVC_CHANNEL_CREDS_CONFIG,
                         "can't decode config");
        ctx->live &= ~takers;
    }
    if (pb->n_channel_credentials_plugin == 0)
        xds_fire(ctx, XDS_AT(at, field), XDS_R_GSVC_CHANNEL_CREDS_ABSENT,
                 "field not set");
    else
        xds_fire(ctx, XDS_AT(at, field), XDS_R_GSVC_CHANNEL_CREDS_TYPE,
                 "no supported channel credentials type found");
    ctx->live = live;
}

/* All that are supported are combined. */
static void read_call_credentials(struct xds_ctx *ctx, const struct xds_path *at,
                                  const pb_any *any)
{
    struct xds_extension ext;

    if (!xds_extension_read(ctx, at, any, false, &ext))
        return;
    const unsigned takers =
        supporters(ctx, &ext, XDS_ARRAY_LEN(call_credentials), call_credentials);

    xds_fire_for(ctx, ext.at, ~takers, XDS_R_GSVC_CALL_CREDS_TYPE,
                 "unsupported call credentials type");
    if (!ext.message)
        xds_fire_for(ctx, ext.at, takers, XDS_R_GSVC_CALL_CREDS_CONFIG,
                     "can't decode config");
}

static bool is_allowed(const struct xds_options *options, struct xds_slice target)
{
    for (size_t i = 0; i < options->n_allowed_grpc_services; i++)
        if (xds_slice_eq(target, options->allowed_grpc_services[i]))
            return true;
    return false;
}

/* The bootstrap brings the credentials of a target that it allows, so those of an xDS
 * server that is not trusted are never read. Without a bootstrap nobody is trusted. */
static void read_google_grpc(struct xds_ctx *ctx, const struct xds_path *at,
                             const pb_grpc_service_google_grpc *pb)
{
    const struct xds_path *target = XDS_AT(at, "target_uri");

    if (!xds_target_uri_valid(ctx->arena, pb->target_uri))
        xds_fire(ctx, target, XDS_R_GSVC_TARGET_URI, "invalid target URI");
    if (!ctx->options->trusted_xds_server) {
        if (!is_allowed(ctx->options, xds_slice_of(pb->target_uri)))
            xds_fire(ctx, target, XDS_R_GSVC_TARGET_NOT_ALLOWED,
                     "service not present in \"allowed_grpc_services\" in bootstrap "
                     "config");
        return;
    }
    read_channel_credentials(ctx, at, pb);
    for (size_t i = 0; i < pb->n_call_credentials_plugin; i++)
        read_call_credentials(ctx, XDS_AT_I(at, "call_credentials_plugin", i),
                              pb->call_credentials_plugin[i]);
}

/* ---- timeout ---------------------------------------------------------------------- */

static void read_timeout(struct xds_ctx *ctx, const struct xds_path *at,
                         const pb_duration *pb)
{
    int64_t ns;

    if (xds_duration_read(ctx, at, pb, XDS_ALL_CLIENTS, &ns) && ns <= 0)
        xds_fire(ctx, at, XDS_R_GSVC_TIMEOUT, "duration must be positive");
}

/* ---- initial_metadata ------------------------------------------------------------- */

static bool is_reserved(struct xds_slice key)
{
    return xds_slice_starts(key, XDS_S(":")) || xds_slice_starts(key, XDS_S("grpc-")) ||
           xds_slice_is(key, "host");
}

/* Why it is no name of a header, in C-core's words; NULL when it is one. */
static const char *key_fault(struct xds_slice key)
{
    if (key.len == 0)
        return "Metadata keys cannot be zero length";
    for (size_t i = 0; i < key.len; i++) {
        const char c = key.data[i];
        const bool letter = c >= 'a' && c <= 'z';

        if (!letter && !xds_ascii_digit(c) && c != '-' && c != '_' && c != '.')
            return "Illegal header key";
    }
    return NULL;
}

static void check_key(struct xds_ctx *ctx, const struct xds_path *at,
                      struct xds_slice key)
{
    const char *fault = key_fault(key);

    if (key.len > MAX_HEADER_BYTES)
        xds_fire(ctx, at, XDS_R_GSVC_HEADER_KEY_LENGTH, "longer than 16384 bytes");
    else if (is_reserved(key))
        xds_fire(ctx, at, XDS_R_GSVC_HEADER_KEY_RESERVED, "header \"%.*s\" not allowed",
                 XDS_FMT(key));
    else if (fault)
        xds_fire(ctx, at, XDS_R_GSVC_HEADER_KEY_ILLEGAL, "%s", fault);
}

static void check_length(struct xds_ctx *ctx, const struct xds_path *at,
                         struct xds_slice bytes, unsigned readers)
{
    if (bytes.len > MAX_HEADER_BYTES)
        xds_fire_for(ctx, at, readers, XDS_R_GSVC_HEADER_VALUE_LENGTH,
                     "longer than 16384 bytes");
}

static bool is_printable(struct xds_slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.data[i] < ' ' || text.data[i] > '~')
            return false;
    return true;
}

static bool is_base64(struct xds_ctx *ctx, struct xds_slice text)
{
    ProtobufCBinaryData bytes;

    return xds_scalar_base64(text, ctx->arena, &bytes);
}

/* java alone lets the key say which of the two fields is the value. */
static void read_header(struct xds_ctx *ctx, const struct xds_path *at,
                        const pb_header_value *pb)
{
    const struct xds_slice key = xds_slice_of(pb->key);
    const struct xds_slice text = xds_slice_of(pb->value);
    const struct xds_slice raw =
        xds_slice_make((const char *)pb->raw_value.data, pb->raw_value.len);
    const struct xds_slice value = raw.len > 0 ? raw : text;
    const bool binary = xds_slice_ends(key, XDS_S("-bin"));
    const unsigned reads_raw = (raw.len > 0 ? ~XDS_JAVA : 0) | (binary ? XDS_JAVA : 0);

    check_key(ctx, XDS_AT(at, "key"), key);
    check_length(ctx, XDS_AT(at, "raw_value"), raw, reads_raw);
    check_length(ctx, XDS_AT(at, "value"), text, ~reads_raw);
    if (value.len > MAX_HEADER_BYTES)
        return;
    if (value.len == 0)
        xds_fire(ctx, at, XDS_R_GSVC_HEADER_VALUE_ABSENT,
                 "either value or raw_value must be set");
    else if (binary && !is_base64(ctx, value))
        xds_fire(ctx, at, XDS_R_GSVC_HEADER_VALUE_BASE64, "invalid base64");
    else if (!binary && !is_printable(value))
        xds_fire(ctx, at, XDS_R_GSVC_HEADER_VALUE_ILLEGAL, "Illegal header value");
}

/* ---- all -------------------------------------------------------------------------- */

static void read_service(struct xds_ctx *ctx, const struct xds_path *at,
                         const pb_grpc_service *pb)
{
    const struct xds_path *google_grpc = XDS_AT(at, "google_grpc");

    if (pb->target_specifier_case == PB_TARGET(GOOGLE_GRPC))
        read_google_grpc(ctx, google_grpc, pb->google_grpc);
    else
        xds_fire(ctx, google_grpc, XDS_R_GSVC_GOOGLE_GRPC, "field not set");
    read_timeout(ctx, XDS_AT(at, "timeout"), pb->timeout);
    for (size_t i = 0; i < pb->n_initial_metadata; i++)
        read_header(ctx, XDS_AT_I(at, "initial_metadata", i), pb->initial_metadata[i]);
}

void xds_grpc_service_read(struct xds_ctx *ctx, const struct xds_path *at,
                           const pb_grpc_service *pb)
{
    const unsigned live = ctx->live;

    if (!pb) {
        xds_fire(ctx, at, XDS_R_GSVC_ABSENT, "field not set");
        return;
    }
    xds_fire(ctx, at, XDS_R_GSVC_NOT_READ, "GrpcService is not supported");
    ctx->live &= ~XDS_GO;
    read_service(ctx, at, pb);
    ctx->live = live;
}
