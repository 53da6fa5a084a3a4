/*
 * server_listener.c - check what servers read of a Listener.
 *
 * Source: gRFC A36, spec listener 2.1.
 */
#include "rules/server_listener.h"

#include "rules/address.h"
#include "rules/filter_chain_match.h"

#define PORT(arm) ENVOY__CONFIG__CORE__V3__SOCKET_ADDRESS__PORT_SPECIFIER_##arm
#define PROTOCOL(arm) ENVOY__CONFIG__CORE__V3__SOCKET_ADDRESS__PROTOCOL__##arm
#define DIRECTION(arm) ENVOY__CONFIG__CORE__V3__TRAFFIC_DIRECTION__##arm

static void check_socket_address(struct xds_ctx *ctx, const struct xds_path *at,
                                 const pb_socket_address *pb)
{
    if (!pb) {
        xds_fire(ctx, at, XDS_R_SLIS_SOCKET_ADDRESS);
        return;
    }
    if (pb->protocol != PROTOCOL(TCP))
        xds_fire_with(
            ctx, at, XDS_R_SLIS_PROTOCOL,
            XDS_WITH(xds_enum_name(
                ctx, &envoy__config__core__v3__socket_address__protocol__descriptor,
                (int)pb->protocol)));
    if (*pb->address == '\0')
        xds_fire(ctx, at, XDS_R_SLIS_ADDRESS_EMPTY);
    if (xds_port_value(pb) > XDS_MAX_PORT)
        xds_fire_with(ctx, at, XDS_R_SLIS_PORT,
                      XDS_WITH(xds_number(ctx, pb->port_value)));
    if (pb->port_specifier_case == PORT(NAMED_PORT))
        xds_fire_with(ctx, at, XDS_R_SLIS_NAMED_PORT,
                      XDS_WITH(xds_slice_of(pb->named_port)));
}

static void check_settings(struct xds_ctx *ctx, const pb_listener *pb)
{
    if (pb->n_listener_filters > 0)
        xds_fire(ctx, NULL, XDS_R_SLIS_LISTENER_FILTERS);
    xds_fire_for(
        ctx, NULL,
        xds_flag_rejected_by(pb->use_original_dst, xds_who(ctx, XDS_DIFF_FALSE_IS_SET)),
        XDS_R_SLIS_ORIGINAL_DST, NULL);
    if (pb->traffic_direction != DIRECTION(UNSPECIFIED) &&
        pb->traffic_direction != DIRECTION(INBOUND))
        xds_fire_with(ctx, NULL, XDS_R_SLIS_DIRECTION,
                      XDS_WITH(xds_enum_name(
                          ctx, &envoy__config__core__v3__traffic_direction__descriptor,
                          (int)pb->traffic_direction)));
}

/* java names a chain without a name by its place in the list. */
static void check_name(struct xds_ctx *ctx, const struct xds_path *at,
                       struct xds_strmap *names, size_t i, const char *given)
{
    const struct xds_slice name =
        *given ? xds_slice_of(given) : xds_arena_printf(ctx->arena, "chain_%zu", i);
    void **slot = xds_strmap_at(names, name);

    if (*slot)
        xds_fire_with(ctx, at, XDS_R_SLIS_CHAIN_NAME, XDS_WITH(name));
    *slot = names;
}

static void read_chain(struct xds_ctx *ctx, const struct xds_path *at,
                       struct xds_chain_set *chains, const pb_filter_chain *pb)
{
    const xds_readers live = ctx->live;
    struct xds_chain_match match;

    ctx->live = xds_chain_match_read(ctx, XDS_AT(at, "filter_chain_match"),
                                     pb->filter_chain_match, chains, &match);
    xds_filter_chain_read(ctx, at, pb);
    ctx->live = live;
    xds_chain_set_add(ctx, chains, &match);
}

static void read_default_chain(struct xds_ctx *ctx, struct xds_chain_set *chains,
                               const pb_filter_chain *pb)
{
    const struct xds_path *at = XDS_AT(NULL, "default_filter_chain");

    xds_chain_match_check(ctx, XDS_AT(at, "filter_chain_match"), pb->filter_chain_match,
                          chains);
    xds_filter_chain_read(ctx, at, pb);
}

void xds_server_listener_read(struct xds_ctx *ctx, const pb_listener *pb)
{
    struct xds_chain_set chains;
    struct xds_strmap names;

    xds_chain_set_init(&chains, ctx);
    xds_strmap_init(&names, ctx->arena);
    ctx->server = true;
    if (pb->address)
        check_socket_address(ctx, XDS_AT(NULL, "address.socket_address"),
                             xds_socket_address(pb->address));
    check_settings(ctx, pb);
    for (size_t i = 0; i < pb->n_filter_chains; i++) {
        const struct xds_path *at = XDS_AT_I(NULL, "filter_chains", i);

        check_name(ctx, at, &names, i, pb->filter_chains[i]->name);
        read_chain(ctx, at, &chains, pb->filter_chains[i]);
    }
    if (pb->default_filter_chain)
        read_default_chain(ctx, &chains, pb->default_filter_chain);
    else if (pb->n_filter_chains > 0 && chains.n_in_use == 0 && !chains.has_unusable)
        xds_fire(ctx, NULL, XDS_R_SLIS_ALL_PRUNED);
    else if (pb->n_filter_chains == 0 && !pb->api_listener)
        xds_fire(ctx, NULL, XDS_R_SLIS_NO_CHAIN); /* node asks an API listener for none */
    ctx->server = false;
}
