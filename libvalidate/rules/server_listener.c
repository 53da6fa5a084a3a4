/*
 * server_listener.c - judge what servers read of a Listener.
 *
 * Takes:  a decoded Listener.
 * Gives:  nothing: the model is a client's.
 * Fires:  the rows of server_listener.def, those of its filter chains through their
 *         readers, in C-core's order.
 * Source: gRFC A36, spec section 2.1.
 */
#include "rules/server_listener.h"

#include "rules/address.h"
#include "rules/filter_chain_match.h"

#define PORT(arm) ENVOY__CONFIG__CORE__V3__SOCKET_ADDRESS__PORT_SPECIFIER_##arm
#define PROTOCOL(arm) ENVOY__CONFIG__CORE__V3__SOCKET_ADDRESS__PROTOCOL__##arm
#define DIRECTION(arm) ENVOY__CONFIG__CORE__V3__TRAFFIC_DIRECTION__##arm

#define MAX_PORT 65535

static void check_socket_address(struct xds_ctx *ctx, const struct xds_path *at,
                                 const pb_socket_address *pb)
{
    if (!pb) {
        xds_fire(ctx, at, XDS_R_SLIS_SOCKET_ADDRESS, "field not present");
        return;
    }
    if (pb->protocol != PROTOCOL(TCP))
        xds_fire(ctx, XDS_AT(at, "protocol"), XDS_R_SLIS_PROTOCOL, "value must be TCP");
    if (*pb->address == '\0')
        xds_fire(ctx, XDS_AT(at, "address"), XDS_R_SLIS_ADDRESS_EMPTY,
                 "empty address is not allowed");
    if (xds_port_value(pb) > MAX_PORT)
        xds_fire(ctx, XDS_AT(at, "port_value"), XDS_R_SLIS_PORT, "invalid port");
    if (pb->port_specifier_case == PORT(NAMED_PORT))
        xds_fire(ctx, XDS_AT(at, "named_port"), XDS_R_SLIS_NAMED_PORT,
                 "named_port is not supported");
}

/* java refuses the wrapper, the others what it says. */
static unsigned refuse_original_dst(const pb_bool_value *pb)
{
    if (!pb)
        return 0;
    return pb->value ? XDS_ALL_CLIENTS : XDS_JAVA;
}

static void check_settings(struct xds_ctx *ctx, const pb_listener *pb)
{
    if (pb->n_listener_filters > 0)
        xds_fire(ctx, XDS_AT(NULL, "listener_filters"), XDS_R_SLIS_LISTENER_FILTERS,
                 "listener_filters are not supported");
    xds_fire_for(ctx, XDS_AT(NULL, "use_original_dst"),
                 refuse_original_dst(pb->use_original_dst), XDS_R_SLIS_ORIGINAL_DST,
                 "field not supported");
    if (pb->traffic_direction != DIRECTION(UNSPECIFIED) &&
        pb->traffic_direction != DIRECTION(INBOUND))
        xds_fire(ctx, XDS_AT(NULL, "traffic_direction"), XDS_R_SLIS_DIRECTION,
                 "traffic_direction must be INBOUND or unspecified");
}

/* java names a chain without a name by its place in the list. */
static void check_name(struct xds_ctx *ctx, const struct xds_path *at,
                       struct xds_strmap *names, size_t i, const char *given)
{
    const struct xds_slice name =
        *given ? xds_slice_of(given) : xds_arena_printf(ctx->arena, "chain_%zu", i);
    void **slot = xds_strmap_at(names, name);

    if (*slot)
        xds_fire(ctx, XDS_AT(at, "name"), XDS_R_SLIS_CHAIN_NAME,
                 "duplicate filter chain name: %s", name.data);
    *slot = names;
}

static void read_chain(struct xds_ctx *ctx, const struct xds_path *at,
                       struct xds_chain_set *chains, const pb_filter_chain *pb)
{
    const unsigned live = ctx->live;
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

/* node asks for no chain where there is an api_listener. */
static void check_any_chain(struct xds_ctx *ctx, const pb_listener *pb,
                            const struct xds_chain_set *chains)
{
    if (pb->default_filter_chain)
        return;
    if (pb->n_filter_chains == 0 && !pb->api_listener)
        xds_fire(ctx, XDS_AT(NULL, "default_filter_chain"), XDS_R_SLIS_NO_CHAIN,
                 "must be set if filter_chains is unset");
    if (pb->n_filter_chains > 0 && chains->n_in_use == 0 && !chains->has_unusable)
        xds_fire(ctx, XDS_AT(NULL, "filter_chains"), XDS_R_SLIS_ALL_PRUNED,
                 "no supported filter chains and no default filter chain");
}

void xds_server_listener_read(struct xds_ctx *ctx, const pb_listener *pb)
{
    struct xds_chain_set chains;
    struct xds_strmap names;

    xds_chain_set_init(&chains, ctx->arena);
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
    check_any_chain(ctx, pb, &chains);
    ctx->server = false;
}
