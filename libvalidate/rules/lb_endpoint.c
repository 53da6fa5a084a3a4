/*
 * lb_endpoint.c - turn LbEndpoint into the model.
 *
 * Source: spec cluster 2.2; gRFC A27, A55, A61, A76.
 */
#include "rules/endpoint_readers.h"

#define HOST(arm) ENVOY__CONFIG__ENDPOINT__V3__LB_ENDPOINT__HOST_IDENTIFIER_##arm
#define PORT(arm) ENVOY__CONFIG__CORE__V3__SOCKET_ADDRESS__PORT_SPECIFIER_##arm

/* DRAINING only for session affinity. */
#define USABLE_HEALTH                                                                    \
    ((1u << XDS_HEALTH_UNKNOWN) | (1u << XDS_HEALTH_HEALTHY) |                           \
     (1u << XDS_HEALTH_DRAINING))

/* An unknown number is treated as UNHEALTHY is: never used. */
static enum xds_health health_of(const pb_lb_endpoint *pb)
{
    const unsigned health = (unsigned)pb->health_status;

    return health < XDS_HEALTHS ? (enum xds_health)health : XDS_HEALTH_UNHEALTHY;
}

/* The text of an address that is not an IP, for those that accept it. */
static struct xds_slice join(struct xds_arena *arena, const pb_socket_address *pb)
{
    const bool bare_v6 = strchr(pb->address, ':') && *pb->address != '[';

    return xds_arena_printf(arena, bare_v6 ? "[%s]:%u" : "%s:%u", pb->address,
                            xds_port_value(pb));
}

static struct xds_slice address_text(struct xds_arena *arena,
                                     const struct xds_sockaddr *address,
                                     const pb_socket_address *pb)
{
    if (!pb)
        return xds_arena_dup(arena, XDS_S(":0"));
    if (address->family == 0)
        return join(arena, pb);
    return xds_sockaddr_text(arena, address, xds_slice_of(pb->address));
}

static void report_duplicate(const struct xds_eds_walk *walk, const struct xds_path *at,
                             xds_readers repeated, const struct xds_sockaddr *address,
                             struct xds_slice text)
{
    struct xds_ctx *ctx = walk->ctx;
    const size_t findings = ctx->report->n_findings;
    const struct xds_endpoint_place first = walk->addresses.first;

    if (repeated)
        xds_fire_for(ctx, at, repeated, XDS_R_ENDPOINT_DUPLICATE,
                     XDS_WITH(address->family == 0
                                  ? text
                                  : xds_sockaddr_uri(ctx->arena, address)));
    if (ctx->report->n_findings == findings)
        return;
    if (first.endpoint == at->index && first.locality == at->up->index)
        xds_report_relate(ctx->report, ctx->resource,
                          XDS_AT(at, "endpoint.additional_addresses"), NULL,
                          "the endpoint itself already has this address");
    else
        xds_report_relate(ctx->report, ctx->resource,
                          XDS_AT_I(XDS_AT_I(NULL, "endpoints", first.locality),
                                   "lb_endpoints", first.endpoint),
                          NULL, "the first endpoint with this address");
}

/* at is the path of the LbEndpoint, address_at that of the Address. */
static struct xds_slice read_address(struct xds_eds_walk *walk, const struct xds_path *at,
                                     const struct xds_path *address_at,
                                     const pb_address *pb)
{
    struct xds_ctx *ctx = walk->ctx;
    const pb_socket_address *socket = xds_socket_address(pb);
    struct xds_sockaddr address;

    (void)xds_address_read(ctx, address_at, pb, &address);
    if (socket && socket->port_specifier_case != PORT(PORT_VALUE))
        xds_fire_with(ctx, address_at, XDS_R_ENDPOINT_PORT,
                      XDS_WITH(xds_slice_of(socket->address)));

    const struct xds_slice text = address_text(ctx->arena, &address, socket);
    const xds_readers repeated = xds_address_set_add(
        &walk->addresses, &address, xds_slice_of(socket ? socket->address : ""),
        socket ? xds_port_value(socket) : 0, ctx->live);

    report_duplicate(walk, at, repeated, &address, text);
    return text;
}

/* The model lists these addresses when some reader reads them. */
static void read_additional(struct xds_eds_walk *walk, const struct xds_path *at,
                            const pb_endpoint *pb, struct xds_endpoint *out)
{
    struct xds_ctx *ctx = walk->ctx;
    const xds_readers live = ctx->live;
    const size_t n = pb->n_additional_addresses;
    struct xds_slice *addresses = XDS_NEW_ARRAY(ctx->arena, struct xds_slice, n + 1);

    ctx->live &= walk->dualstack;
    addresses[0] = out->addresses[0];
    for (size_t i = 0; ctx->live && i < n; i++)
        addresses[i + 1] = read_address(
            walk, at,
            XDS_AT(XDS_AT_I(XDS_AT(at, "endpoint"), "additional_addresses", i),
                   "address"),
            pb->additional_addresses[i]->address);
    if (ctx->live) {
        out->addresses = addresses;
        out->n_addresses = n + 1;
    }
    ctx->live = live;
}

/* gRFC A76: metadata.filter_metadata["envoy.lb"].hash_key, when it is a string. */
static struct xds_slice hash_key(struct xds_arena *arena, const pb_metadata *pb)
{
    const pb_struct *lb = NULL;

    for (size_t i = 0; !lb && i < pb->n_filter_metadata; i++)
        if (strcmp(pb->filter_metadata[i]->key, "envoy.lb") == 0)
            lb = pb->filter_metadata[i]->value;
    for (size_t i = 0; lb && i < lb->n_fields; i++) {
        const pb_value *value = lb->fields[i]->value;

        if (strcmp(lb->fields[i]->key, "hash_key") == 0 && value &&
            value->kind_case == GOOGLE__PROTOBUF__VALUE__KIND_STRING_VALUE)
            return xds_arena_dup(arena, xds_slice_of(value->string_value));
    }
    return (struct xds_slice){NULL, 0};
}

static void read_endpoint(struct xds_eds_walk *walk, const struct xds_path *at,
                          const pb_endpoint *pb, struct xds_slice *address,
                          struct xds_endpoint *out)
{
    const pb_socket_address *socket = xds_socket_address(pb->address);

    *address = read_address(walk, at, XDS_AT(at, "endpoint.address"), pb->address);
    out->lacks_port = !socket || socket->port_specifier_case != PORT(PORT_VALUE);
    out->addresses = address;
    out->n_addresses = 1;
    if (*pb->hostname)
        out->hostname = xds_arena_dup(walk->ctx->arena, xds_slice_of(pb->hostname));
    if (pb->n_additional_addresses > 0)
        read_additional(walk, at, pb, out);
}

static void read_no_endpoint(struct xds_eds_walk *walk, const struct xds_path *at)
{
    const struct xds_sockaddr none = {0};
    struct xds_ctx *ctx = walk->ctx;

    xds_fire(ctx, at, XDS_R_ENDPOINT_ABSENT);

    const xds_readers repeated =
        xds_address_set_add(&walk->addresses, &none, XDS_S(""), 0,
                            ctx->live & xds_who(ctx, XDS_DIFF_NO_ENDPOINT_IS_PORT_0));

    report_duplicate(walk, at, repeated, &none, XDS_S(":0"));
}

void xds_lb_endpoint_read(struct xds_eds_walk *walk, const struct xds_path *at,
                          const pb_lb_endpoint *pb, struct xds_slice *address,
                          struct xds_endpoint *out)
{
    struct xds_ctx *ctx = walk->ctx;
    const xds_readers live = ctx->live;
    const pb_u_int32_value *weight = pb->load_balancing_weight;

    walk->addresses.here =
        (struct xds_endpoint_place){(uint32_t)at->up->index, (uint32_t)at->index};
    out->health = health_of(pb);
    if (!(USABLE_HEALTH & (1u << out->health)))
        ctx->live &= xds_who(ctx, XDS_DIFF_UNUSABLE_ENDPOINT_CHECKED);
    else if (out->health == XDS_HEALTH_DRAINING)
        ctx->live &= ~xds_who(ctx, XDS_DIFF_DRAINING_GUARDED) |
                     xds_guarded_by(ctx, XDS_ENV_OVERRIDE_HOST);
    if (weight && weight->value == 0)
        xds_fire(ctx, at, XDS_R_ENDPOINT_WEIGHT);
    out->weight = weight && weight->value > 0 ? weight->value : 1;
    if (pb->metadata) {
        const xds_readers here = ctx->live;

        ctx->live &= walk->endpoint_metadata;
        xds_metadata_read(ctx, XDS_AT_UNSAID(at, "metadata"), pb->metadata);
        ctx->live = here;
        out->hash_key = hash_key(ctx->arena, pb->metadata);
    }
    if (pb->host_identifier_case == HOST(ENDPOINT))
        read_endpoint(walk, at, pb->endpoint, address, out);
    else
        read_no_endpoint(walk, at);
    ctx->live = live;
}
