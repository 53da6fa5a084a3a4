/*
 * metadata.c - the metadata of clusters, localities and endpoints.
 *
 * Source: gRFC A83, A86, spec cluster 1.18.
 */
#include "rules/inner.h"

#define AUDIENCE envoy__extensions__filters__http__gcp_authn__v3__audience__descriptor
#define ADDRESS envoy__config__core__v3__address__descriptor

static void refuse(struct xds_ctx *ctx, const struct xds_extension *extension,
                   xds_readers readers, const char *label)
{
    xds_fire_for(ctx, extension->at, readers, XDS_R_METADATA_UNDECODABLE,
                 XDS_WITH(xds_slice_of(label)));
}

static void read_audience(struct xds_ctx *ctx, const struct xds_extension *extension)
{
    const pb_audience *pb = (const pb_audience *)extension->message;

    if (!*pb->url)
        xds_fire(ctx, extension->at, XDS_R_METADATA_AUDIENCE_URL);
    else
        refuse(ctx, extension,
               xds_who(ctx, XDS_DIFF_METADATA_AUDIENCE_GUARDED) &
                   ~xds_guarded_by(ctx, XDS_ENV_GCP_AUTHENTICATION_FILTER),
               "audience");
}

/* Of an address that is not a plain literal: who takes it with its zone or digits. */
static xds_readers odd_takers(const struct xds_ctx *ctx, struct xds_slice host)
{
    struct xds_sockaddr address;
    struct xds_slice zone;

    if (xds_sockaddr_parse_digits(host, 0, &address))
        return xds_who(ctx, XDS_DIFF_METADATA_ADDRESS_PLAIN) &
               xds_who(ctx, XDS_DIFF_ADDRESS_ANY_DIGITS);
    if (!xds_sockaddr_parse_zone(host, 0, &address, &zone))
        return 0;
    return (xds_zone_known_to(ctx, &address, host, zone) &
            xds_who(ctx, XDS_DIFF_METADATA_ADDRESS_PLAIN)) |
           (zone.len > 0 && !xds_slice_starts(host, XDS_S("["))
                ? xds_who(ctx, XDS_DIFF_METADATA_ADDRESS_ZONED)
                : 0);
}

static void read_address(struct xds_ctx *ctx, const struct xds_extension *extension)
{
    const pb_address *pb = (const pb_address *)extension->message;
    const pb_socket_address *socket = xds_socket_address(pb);
    const struct xds_slice host = xds_slice_of(socket ? socket->address : NULL);
    const uint32_t port = socket ? xds_port_value(socket) : 0;
    const xds_readers plain = xds_who(ctx, XDS_DIFF_METADATA_ADDRESS_PLAIN),
                      zoned = xds_who(ctx, XDS_DIFF_METADATA_ADDRESS_ZONED);
    struct xds_sockaddr address;
    xds_readers refuse = 0;

    (void)xds_address_read(XDS_AMONG(ctx, ~(plain | zoned)), extension->at, pb, &address);
    if (!xds_sockaddr_parse(host, 0, &address))
        refuse = ~odd_takers(ctx, host);
    else if (xds_slice_starts(host, XDS_S("[")))
        refuse = plain | zoned;
    if (port > XDS_MAX_PORT)
        refuse |= plain;
    if (port == 0)
        refuse |= ~plain;
    if (refuse)
        xds_fire_for(
            ctx, extension->at, refuse, XDS_R_METADATA_PROXY_ADDRESS,
            XDS_WITH(xds_arena_printf(ctx->arena, "%.*s:%u", XDS_FMT(host), port)));
}

/* The metadata types that gRPC knows. */
static const struct kind {
    const ProtobufCMessageDescriptor *type;
    const char *label;
    enum xds_env guard;
    unsigned guarded; /* clients that know the type only with the guard on */
    void (*read)(struct xds_ctx *ctx, const struct xds_extension *extension);
    bool dated; /* known only to those that do not differ in `before` */
    enum xds_difference before;
} kinds[] = {
    {&AUDIENCE, "audience", XDS_ENV_GCP_AUTHENTICATION_FILTER, XDS_CORE | XDS_GO,
     read_audience, false, 0},
    {&ADDRESS, "address", XDS_ENV_HTTP_CONNECT, XDS_GRFC | XDS_CORE | XDS_GO,
     read_address, true, XDS_DIFF_METADATA_ADDRESS_UNKNOWN},
};

static const struct kind *find_kind(struct xds_slice type)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(kinds); i++)
        if (xds_slice_is(type, kinds[i].type->name))
            return &kinds[i];
    return NULL;
}

static xds_readers readers_of(const struct xds_ctx *ctx, const struct kind *kind,
                              const struct xds_extension *extension)
{
    xds_readers who =
        ~xds_panel_of(ctx->panel, kind->guarded) | xds_guarded_by(ctx, kind->guard);

    if (kind->dated)
        who &= ~xds_who(ctx, kind->before);
    if (!extension->url_is_canonical)
        who &= ~xds_who(ctx, XDS_DIFF_TYPE_URL_WHOLE);
    return who;
}

/* Returns those that keep the entry. */
static xds_readers read_typed(struct xds_ctx *ctx, const struct xds_path *at,
                              const pb_any *any)
{
    struct xds_extension extension;

    ctx = XDS_AMONG(ctx, any && xds_is_typed_struct(xds_any_of(any)->type)
                             ? ~xds_who(ctx, XDS_DIFF_METADATA_TYPED_STRUCT)
                             : XDS_EVERYONE);
    const bool usable = xds_extension_read(ctx, at, any, true, &extension);
    const struct kind *kind = usable ? find_kind(extension.type) : NULL;

    ctx->live = kind ? ctx->live & readers_of(ctx, kind, &extension) : 0;
    if (ctx->live && (!extension.message || extension.typed_struct))
        refuse(ctx, &extension, XDS_EVERYONE, kind->label);
    else if (ctx->live)
        kind->read(ctx, &extension);
    return ctx->live;
}

void xds_metadata_read(struct xds_ctx *ctx, const struct xds_path *at,
                       const pb_metadata *pb)
{
    struct xds_strmap keepers;

    if (!pb || !ctx->live)
        return;
    xds_strmap_init(&keepers, ctx->scratch);
    for (size_t i = 0; i < pb->n_typed_filter_metadata; i++) {
        const struct xds_slice key = xds_slice_of(pb->typed_filter_metadata[i]->key);
        xds_readers *keeping = XDS_NEW(ctx->scratch, xds_readers);

        *keeping = read_typed(ctx, XDS_AT_KEY(at, "typed_filter_metadata", key),
                              pb->typed_filter_metadata[i]->value);
        *xds_strmap_at(&keepers, key) = keeping;
    }
    /* keepers: of a key, those that keep a typed entry and so ignore the untyped one. */
    for (size_t i = 0; i < pb->n_filter_metadata; i++) {
        const struct xds_slice key = xds_slice_of(pb->filter_metadata[i]->key);
        const pb_struct *value = pb->filter_metadata[i]->value;
        const char *fault = xds_struct_fault(value);
        const xds_readers *keeping = xds_strmap_get(&keepers, key);
        xds_readers who = 0; /* rejects what is wrong with it, and reads it */

        if (!fault)
            continue;
        if (xds_struct_lacks_kind(value))
            who |= ~xds_who(ctx, XDS_DIFF_METADATA_KIND_ANY);
        if (!xds_struct_lacks_kind(value) || xds_struct_has_infinity(value))
            who |= ~xds_who(ctx, XDS_DIFF_METADATA_NUMBER_ANY);
        if (keeping)
            who &= ~*keeping | xds_who(ctx, XDS_DIFF_METADATA_ALWAYS_CONVERTED);
        xds_fire_for(ctx, XDS_AT_KEY(at, "filter_metadata", key), who,
                     XDS_R_METADATA_STRUCT, XDS_WITH(xds_slice_of(fault), key));
    }
}
