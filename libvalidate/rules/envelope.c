/*
 * envelope.c - the wrapper, type and name of a resource, then the resource itself.
 *
 * Source: gRFC A27, A46, A47, spec listener 1.1.
 */
#include "rules/inner.h"

#include <stddef.h>

static bool read_listener(struct xds_ctx *ctx, const void *pb, void *out)
{
    return xds_listener_read(ctx, pb, out);
}

static bool read_route_config(struct xds_ctx *ctx, const void *pb, void *out)
{
    return xds_route_config_read(ctx, NULL, pb, out);
}

static bool read_cluster(struct xds_ctx *ctx, const void *pb, void *out)
{
    return xds_cluster_read(ctx, pb, out);
}

static bool read_endpoints(struct xds_ctx *ctx, const void *pb, void *out)
{
    return xds_endpoints_read(ctx, pb, out);
}

struct reader {
    const ProtobufCMessageDescriptor *message;
    const char *short_name; /* as C-core's texts have it */
    size_t name_offset;     /* of the field that holds the resource's name */
    size_t model_size;
    bool (*read)(struct xds_ctx *ctx, const void *pb, void *out);
    bool is_named; /* G6; clusters and endpoints have rows of their own */
};

static const struct reader readers[] = {
    [XDS_TYPE_LISTENER] = {&envoy__config__listener__v3__listener__descriptor, "Listener",
                           offsetof(pb_listener, name), sizeof(struct xds_listener),
                           read_listener, true},
    [XDS_TYPE_ROUTE] = {&envoy__config__route__v3__route_configuration__descriptor,
                        "RouteConfiguration", offsetof(pb_route_configuration, name),
                        sizeof(struct xds_route_config), read_route_config, true},
    [XDS_TYPE_CLUSTER] = {&envoy__config__cluster__v3__cluster__descriptor, "Cluster",
                          offsetof(pb_cluster, name), sizeof(struct xds_cluster),
                          read_cluster, false},
    [XDS_TYPE_ENDPOINT] =
        {&envoy__config__endpoint__v3__cluster_load_assignment__descriptor,
         "ClusterLoadAssignment", offsetof(pb_cluster_load_assignment, cluster_name),
         sizeof(struct xds_endpoints), read_endpoints, false},
};

static const struct reader *find_reader(const struct xds_any *root,
                                        enum xds_resource_type *type)
{
    *type = xds_resource_type_of(root->type);
    return *type == XDS_TYPE_UNKNOWN ? NULL : &readers[*type];
}

static struct xds_slice name_inside(const struct reader *reader,
                                    const ProtobufCMessage *message)
{
    const char *name;

    memcpy(&name, (const char *)message + reader->name_offset, sizeof name);
    return xds_slice_of(name);
}

/* False when there is no resource to look at. */
static bool read_wrapper(struct xds_ctx *ctx, const struct xds_resource *in)
{
    if (in->wrapper == XDS_WRAPPER_NONE)
        return true;
    xds_fire(ctx, NULL, XDS_R_RES_WRAPPED);
    if (in->wrapper == XDS_WRAPPER_UNDECODABLE)
        return xds_fire(ctx, NULL, XDS_R_RES_WRAPPER_UNDECODABLE);
    if (in->wrapper == XDS_WRAPPER_EMPTY)
        return xds_fire(ctx, NULL, XDS_R_RES_WRAPPER_EMPTY);
    ctx->live &= ~xds_who(ctx, XDS_DIFF_RESOURCE_WRAPPED);
    return true;
}

static struct xds_slice without_prefix(struct xds_slice url)
{
    const struct xds_slice prefix = XDS_S("type.googleapis.com/");

    return xds_slice_starts(url, prefix) ? xds_slice_from(url, prefix.len) : url;
}

/* C-core compares and prints types without Google's prefix. Where the prefix is the whole
 * difference, it is shown. */
static void read_type(struct xds_ctx *ctx, const struct xds_resource *in)
{
    const xds_readers whole = xds_who(ctx, XDS_DIFF_RESOURCE_TYPE_WHOLE);
    const xds_readers last_part = xds_who(ctx, XDS_DIFF_RESOURCE_TYPE_LAST_PART);
    const struct xds_slice is = without_prefix(in->type_url);
    const struct xds_slice should = without_prefix(in->expected);
    const bool differs = !xds_slice_eq(is, should);

    /* Text that says nothing of its type is taken for that of the response. */
    if (in->expected.len == 0 ||
        (in->type_url.len == 0 && in->format != XDS_FORMAT_BINARY))
        return;

    const xds_readers mismatched =
        (xds_slice_eq(in->type_url, in->expected) ? 0 : whole) |
        (differs ? ~(whole | last_part) : 0) |
        (xds_slice_eq(xds_type_name(in->type_url), should) ? 0 : last_part);

    xds_fire_for(ctx, NULL, mismatched, XDS_R_RES_TYPE_MISMATCH,
                 differs ? XDS_WITH(is, should) : XDS_WITH(in->type_url, in->expected));
    ctx->live &= ~mismatched;
}

static void read_resource(struct xds_ctx *ctx, const struct reader *reader,
                          const struct xds_any *root, struct xds_snapshot_entry *entry)
{
    if (!root->message) {
        ctx->report->resources[ctx->resource].undecodable |=
            (ctx->live & ~ctx->elsewhere) != 0;
        xds_fire_with(ctx, NULL, XDS_R_RES_UNDECODABLE,
                      XDS_WITH(xds_slice_of(reader->short_name)));
        return;
    }
    const xds_readers inner = xds_who(ctx, XDS_DIFF_RESOURCE_WRAPPER_NAME_UNREAD);

    void *model = xds_arena_zero(ctx->arena, 1, reader->model_size);

    if (name_inside(reader, root->message).len == 0 && reader->is_named &&
        !ctx->report->resources[ctx->resource].is_static)
        xds_fire_nameless(ctx, XDS_R_RES_NAME_EMPTY,
                          XDS_WITH(xds_slice_of(reader->short_name)));
    entry->model = reader->read(ctx, root->message, model) ? model : NULL;
    entry->is_api = !entry->model && entry->type == XDS_TYPE_LISTENER;
    xds_name_read(ctx, ~inner, entry->type, entry->name);
    if (inner)
        xds_name_read(ctx, inner, entry->type, name_inside(reader, root->message));
}

static void ignore(struct xds_ctx *ctx, struct xds_slice type)
{
    xds_fire_with(ctx, NULL, XDS_R_RES_UNKNOWN_TYPE, XDS_WITH(type));
}

/* The wrapper's name wins, and only if it is empty the one inside counts (G5). */
struct xds_slice xds_resource_name(const struct xds_resource *in,
                                   const struct xds_any *root)
{
    enum xds_resource_type type;
    const struct reader *reader = find_reader(root, &type);

    if (in->name.len > 0 || !reader || !root->message)
        return in->name;
    return name_inside(reader, root->message);
}

void xds_resource_read(struct xds_ctx *ctx, const struct xds_resource *in,
                       const struct xds_any *root, struct xds_snapshot_entry *entry)
{
    const struct reader *reader = find_reader(root, &entry->type);

    entry->name = xds_arena_dup(ctx->arena, xds_resource_name(in, root));
    xds_report_name_resource(ctx->report, ctx->resource, root->type, entry->name);
    /* A response of a type that clients do not ask for is ignored, whatever it holds
     * (G98).
     */
    if (in->expected.len > 0 &&
        xds_resource_type_of(without_prefix(in->expected)) == XDS_TYPE_UNKNOWN) {
        entry->type = XDS_TYPE_UNKNOWN;
        ignore(ctx, without_prefix(in->expected));
        return;
    }
    /* Nor does what no client asks for reach one by itself, in a wrapper or not. */
    if (!reader && in->expected.len == 0 && in->wrapper == XDS_WRAPPER_OK) {
        ignore(ctx, root->type);
        return;
    }
    if (!read_wrapper(ctx, in))
        return;
    read_type(ctx, in);
    if (reader)
        read_resource(ctx, reader, root, entry);
    else
        ignore(ctx, root->type);
}
