/*
 * metadata.c - judge the metadata of clusters, localities and endpoints.
 *
 * Takes:  a Metadata message, NULL when it was not set; ctx->live are the clients that
 *         read metadata in this place.
 * Gives:  nothing: who needs an entry looks it up in the message.
 * Fires:  the rows of metadata.def, those of any.def and of address.def.
 * Source: spec cluster 1.18; gRFC A83, A86.
 */
#include "base/strmap.h"
#include "rules/address.h"
#include "rules/cluster_readers.h"

#define AUDIENCE envoy__extensions__filters__http__gcp_authn__v3__audience__descriptor
#define ADDRESS envoy__config__core__v3__address__descriptor

static void read_audience(struct xds_ctx *ctx, const struct xds_extension *extension)
{
    const pb_audience *pb = (const pb_audience *)extension->message;

    if (!*pb->url)
        xds_fire(ctx, XDS_AT(extension->at, "url"), XDS_R_METADATA_AUDIENCE_URL,
                 "must be non-empty");
}

static void read_address(struct xds_ctx *ctx, const struct xds_extension *extension)
{
    const pb_address *pb = (const pb_address *)extension->message;
    const pb_socket_address *socket = xds_socket_address(pb);
    struct xds_sockaddr address;

    (void)xds_address_read(ctx, extension->at, pb, &address);
    if (!socket || xds_port_value(socket) == 0 ||
        !xds_sockaddr_parse(xds_slice_of(socket->address), 0, &address))
        xds_fire(ctx, XDS_AT(extension->at, "socket_address"),
                 XDS_R_METADATA_PROXY_ADDRESS,
                 "Failed to parse address: not an IP with a port");
}

/* The metadata types that gRPC knows. */
static const struct kind {
    const ProtobufCMessageDescriptor *type;
    const char *label;
    enum xds_env guard;
    unsigned guarded; /* clients that know the type only with the guard on */
    void (*read)(struct xds_ctx *ctx, const struct xds_extension *extension);
} kinds[] = {
    {&AUDIENCE, "audience", XDS_ENV_GCP_AUTHENTICATION_FILTER, XDS_GO, read_audience},
    {&ADDRESS, "address", XDS_ENV_HTTP_CONNECT, XDS_GRFC | XDS_CORE | XDS_GO,
     read_address},
};

static const struct kind *find_kind(struct xds_slice type)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(kinds); i++)
        if (xds_slice_is(type, kinds[i].type->name))
            return &kinds[i];
    return NULL;
}

static unsigned readers_of(const struct xds_ctx *ctx, const struct kind *kind,
                           const struct xds_extension *extension)
{
    unsigned clients = XDS_ALL_CLIENTS & ~kind->guarded;

    clients |= kind->guarded & xds_env_mask(ctx->options, kind->guard);
    /* go and java compare the URL as it stands; a TypedStruct is no type they know. */
    if (!extension->url_is_canonical || extension->typed_struct)
        clients &= ~(XDS_GO | XDS_JAVA);
    return clients;
}

/* Returns the clients that keep the entry. */
static unsigned read_typed(struct xds_ctx *ctx, const struct xds_path *at,
                           const pb_any *any)
{
    const unsigned live = ctx->live;
    struct xds_extension extension;

    if (!xds_extension_read(ctx, at, any, true, &extension))
        return 0;

    const struct kind *kind = find_kind(extension.type);

    if (!kind)
        return 0;
    ctx->live &= readers_of(ctx, kind, &extension);

    const unsigned readers = ctx->live;

    if (readers && (!extension.message || extension.typed_struct))
        xds_fire(ctx, extension.at, XDS_R_METADATA_UNDECODABLE,
                 "could not parse %s metadata", kind->label);
    else if (readers)
        kind->read(ctx, &extension);
    ctx->live = live;
    return readers;
}

/* The clients that keep a typed entry under this key, and so pass over the untyped. */
static unsigned keepers_of(const struct xds_strmap *keepers, struct xds_slice key)
{
    const unsigned *clients = xds_strmap_get(keepers, key);

    return clients ? *clients : 0;
}

static void read_structs(struct xds_ctx *ctx, const struct xds_path *at,
                         const pb_metadata *pb, const struct xds_strmap *keepers)
{
    for (size_t i = 0; i < pb->n_filter_metadata; i++) {
        const struct xds_slice key = xds_slice_of(pb->filter_metadata[i]->key);
        const char *fault = xds_struct_fault(pb->filter_metadata[i]->value);

        if (fault)
            xds_fire_for(ctx, XDS_AT_KEY(at, "filter_metadata", key),
                         XDS_ALL_CLIENTS & ~keepers_of(keepers, key),
                         XDS_R_METADATA_STRUCT,
                         "error encoding google::Protobuf::Struct as JSON: %s", fault);
    }
}

static void read_typed_entries(struct xds_ctx *ctx, const struct xds_path *at,
                               const pb_metadata *pb, struct xds_strmap *keepers)
{
    for (size_t i = 0; i < pb->n_typed_filter_metadata; i++) {
        const struct xds_slice key = xds_slice_of(pb->typed_filter_metadata[i]->key);
        unsigned *clients = XDS_NEW(ctx->arena, unsigned);

        *clients = read_typed(ctx, XDS_AT_KEY(at, "typed_filter_metadata", key),
                              pb->typed_filter_metadata[i]->value);
        *xds_strmap_at(keepers, key) = clients;
    }
}

void xds_metadata_read(struct xds_ctx *ctx, const struct xds_path *at,
                       const pb_metadata *pb)
{
    struct xds_strmap keepers;

    if (!pb || !ctx->live)
        return;
    xds_strmap_init(&keepers, ctx->arena);
    read_typed_entries(ctx, at, pb, &keepers);
    read_structs(ctx, at, pb, &keepers);
}
