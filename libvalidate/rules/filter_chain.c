/*
 * filter_chain.c - judge the filters and the transport socket of a filter chain.
 *
 * Takes:  a decoded FilterChain and its path.
 * Gives:  nothing: the model is a client's.
 * Fires:  the rows of filter_chain.def, those of any.def, of the HttpConnectionManager
 *         and of the transport socket through their readers.
 * Source: gRFC A36, spec section 2.2.
 */
#include "base/strmap.h"
#include "rules/http_connection_manager.h"
#include "rules/server_listener.h"
#include "rules/tls/tls_context.h"

#define PB_CONFIG(arm) ENVOY__CONFIG__LISTENER__V3__FILTER__CONFIG_TYPE_##arm

/* go alone lets several filters pass. */
static void check_count(struct xds_ctx *ctx, const struct xds_path *at, size_t n)
{
    if (n != 1)
        xds_fire_for(ctx, XDS_AT(at, "filters"), n ? ~XDS_GO : XDS_ALL_CLIENTS,
                     XDS_R_FCH_FILTER_COUNT,
                     "must have exactly one filter (HttpConnectionManager -- no other "
                     "filter is supported at the moment)");
}

static void check_name(struct xds_ctx *ctx, const struct xds_path *at,
                       struct xds_strmap *names, const char *name)
{
    if (*name == '\0') {
        xds_fire(ctx, XDS_AT(at, "name"), XDS_R_FCH_FILTER_NAME,
                 "empty network filter name");
        return;
    }

    void **slot = xds_strmap_at(names, xds_slice_of(name));

    if (*slot)
        xds_fire(ctx, XDS_AT(at, "name"), XDS_R_FCH_FILTER_DUPLICATE,
                 "duplicate network filter name: %s", name);
    *slot = names;
}

/* filters_only: who has its HttpConnectionManager from a filter before. */
static void read_config(struct xds_ctx *ctx, const struct xds_extension *ext,
                        unsigned filters_only)
{
    const pb_http_connection_manager *hcm = xds_http_connection_manager_of(ext);
    const unsigned live = ctx->live;
    const unsigned others = xds_http_connection_manager_foreign_to(ext);
    struct xds_listener unused = {0};

    xds_fire_for(ctx, ext->at, others, XDS_R_FCH_FILTER_TYPE, "unsupported filter type");
    ctx->live &= ~others;
    if (!ext->message)
        xds_fire(ctx, ext->at, XDS_R_FCH_FILTER_UNPARSABLE,
                 "could not parse HttpConnectionManager config");
    else if (hcm)
        (void)xds_http_connection_manager_read(ctx, ext->at, hcm, filters_only, &unused);
    ctx->live = live;
}

static void read_filter(struct xds_ctx *ctx, const struct xds_path *at,
                        const pb_filter *pb, unsigned filters_only)
{
    const struct xds_path *field = XDS_AT(at, "typed_config");
    const bool has_config = pb->config_type_case == PB_CONFIG(TYPED_CONFIG);
    struct xds_extension ext;

    if (xds_extension_read(ctx, field, has_config ? pb->typed_config : NULL, false, &ext))
        read_config(ctx, &ext, filters_only);
}

void xds_filter_chain_read(struct xds_ctx *ctx, const struct xds_path *at,
                           const pb_filter_chain *pb)
{
    struct xds_strmap names;

    xds_strmap_init(&names, ctx->arena);
    check_count(ctx, at, pb->n_filters);
    for (size_t i = 0; i < pb->n_filters; i++) {
        const struct xds_path *entry = XDS_AT_I(at, "filters", i);

        check_name(ctx, entry, &names, pb->filters[i]->name);
        read_filter(ctx, entry, pb->filters[i], i > 0 ? XDS_GO : 0);
    }
    if (pb->transport_socket)
        xds_downstream_socket_read(ctx, XDS_AT(at, "transport_socket"),
                                   pb->transport_socket);
}
