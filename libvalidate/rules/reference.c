/*
 * reference.c - names of resources that are xdstp: URIs, and how a resource refers to
 * another one.
 *
 * Source: gRFC A47.
 */
#include "rules/inner.h"

/* How a client reads the type in "xdstp://authority/TYPE/id?context". */
enum name_parser { PARSED_LAX, PARSED_AS_JAVA, PARSED_AS_VSCODE };

static const struct name_reading {
    enum name_parser parser;
    enum xds_difference difference;
} name_readings[] = {
    {PARSED_AS_JAVA, XDS_DIFF_XDSTP_AS_JAVA_URI},
    {PARSED_AS_VSCODE, XDS_DIFF_XDSTP_AS_VSCODE_URI},
};

/* Those who look at names that begin with xdstp:. */
static xds_readers are_checked(const struct xds_ctx *ctx)
{
    return xds_guarded_by(ctx, XDS_ENV_FEDERATION) |
           xds_who(ctx, XDS_DIFF_XDSTP_NAMES_ALWAYS);
}

/* Java's path: empty segments do not count, and two must be left. */
static bool has_type_and_id(struct xds_slice path, const char *type)
{
    struct xds_slice segment, first = XDS_S("");
    size_t n = 0;

    while (path.len > 0) {
        path = xds_slice_cut(path, '/', &segment);
        if (segment.len > 0 && n++ == 0)
            first = segment;
    }
    return n >= 2 && xds_slice_is(first, type);
}

static bool is_valid_name(struct xds_arena *arena, enum name_parser parser,
                          struct xds_slice name, const char *type)
{
    struct xds_uri uri;
    struct xds_slice first;

    switch (parser) {
    case PARSED_LAX:
        if (!xds_uri_lax(arena, name, &uri))
            return false;
        break;
    case PARSED_AS_JAVA:
        return xds_uri_java(arena, name, &uri) && has_type_and_id(uri.path, type);
    case PARSED_AS_VSCODE:
        xds_uri_vscode(arena, name, &uri);
        break;
    }
    if (xds_slice_starts(uri.path, XDS_S("/")))
        uri.path = xds_slice_from(uri.path, 1);
    xds_slice_cut(uri.path, '/', &first);
    return xds_slice_is(first, type);
}

void xds_name_read(struct xds_ctx *ctx, xds_readers who, enum xds_resource_type of,
                   struct xds_slice name)
{
    const char *type = xds_resource_type_name(of);
    xds_readers others = XDS_EVERYONE, rejecting = 0;

    if (!xds_slice_starts(name, XDS_S("xdstp:")))
        return;
    for (size_t i = 0; i < XDS_ARRAY_LEN(name_readings); i++) {
        const xds_readers alike = xds_who(ctx, name_readings[i].difference);

        others &= ~alike;
        if (!is_valid_name(ctx->arena, name_readings[i].parser, name, type))
            rejecting |= alike;
    }
    if (!is_valid_name(ctx->arena, PARSED_LAX, name, type))
        rejecting |= others;
    xds_fire_for(ctx, NULL, who & rejecting & are_checked(ctx), XDS_R_RES_XDSTP_NAME,
                 XDS_WITH(name, xds_slice_of(type)));
}

static bool is_authority(const struct xds_options *options, struct xds_slice name)
{
    for (size_t i = 0; i < options->bootstrap.n_authorities; i++)
        if (xds_slice_eq(options->bootstrap.authorities[i].name, name))
            return true;
    return false;
}

void xds_reference_read(struct xds_ctx *ctx, const struct xds_path *at,
                        enum xds_resource_type type, struct xds_slice name)
{
    const char *message = xds_resource_type_name(type);
    struct xds_slice fault;
    struct xds_uri uri;

    if (!xds_slice_starts(name, XDS_S("xdstp:")))
        return;
    xds_uri_vscode(ctx->arena, name, &uri);
    if (!is_valid_name(ctx->arena, PARSED_AS_VSCODE, name, message))
        fault = xds_arena_printf(ctx->arena, "its path must begin with %s", message);
    else if (xds_needs_bootstrap(ctx, at, "authority", uri.authority))
        return;
    else if (!is_authority(ctx->options, uri.authority))
        fault = xds_arena_printf(ctx->arena, "authority \"%.*s\" is not in the bootstrap",
                                 XDS_FMT(uri.authority));
    else
        return;
    xds_fire_killing(ctx, at, XDS_R_RES_XDSTP_REFERENCE, are_checked(ctx),
                     XDS_WITH(name, fault));
}

struct xds_slice xds_source_name(const pb_config_source *pb)
{
    const ProtobufCFieldDescriptor *arm = protobuf_c_message_descriptor_get_field(
        pb->base.descriptor, (unsigned)pb->config_source_specifier_case);

    return arm ? xds_slice_of(arm->name) : XDS_S("empty");
}
