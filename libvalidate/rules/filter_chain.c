/*
 * filter_chain.c - check the filters and the transport socket of a filter chain.
 *
 * Source: gRFC A36, spec listener 2.2.
 */
#include "base/strmap.h"
#include "rules/http_connection_manager.h"
#include "rules/server_listener.h"
#include "rules/tls/tls_context.h"

#define PB_CONFIG(arm) ENVOY__CONFIG__LISTENER__V3__FILTER__CONFIG_TYPE_##arm

static void check_name(struct xds_ctx *ctx, const struct xds_path *at,
                       struct xds_strmap *names, struct xds_slice name)
{
    if (name.len == 0) {
        xds_fire(ctx, at, XDS_R_FCH_FILTER_NAME);
        return;
    }

    void **slot = xds_strmap_at(names, name);

    if (*slot)
        xds_fire_with(ctx, at, XDS_R_FCH_FILTER_DUPLICATE, XDS_WITH(name));
    *slot = names;
}

/* filters_only: who has its HttpConnectionManager from an earlier filter. */
static void read_filter(struct xds_ctx *ctx, const struct xds_path *at,
                        const pb_filter *pb, xds_readers filters_only)
{
    const struct xds_path *field = XDS_AT(at, "typed_config");
    const bool has_config = pb->config_type_case == PB_CONFIG(TYPED_CONFIG);
    struct xds_listener unused = {0};
    struct xds_extension ext;

    if (xds_extension_read(ctx, field, has_config ? pb->typed_config : NULL, false, &ext))
        (void)xds_http_connection_manager_read(ctx, &ext, XDS_R_FCH_FILTER_TYPE,
                                               XDS_R_FCH_FILTER_UNPARSABLE, filters_only,
                                               &unused);
}

void xds_filter_chain_read(struct xds_ctx *ctx, const struct xds_path *at,
                           const pb_filter_chain *pb)
{
    const xds_readers several = xds_who(ctx, XDS_DIFF_NETWORK_FILTERS_SEVERAL);
    struct xds_strmap names;

    xds_strmap_init(&names, ctx->arena);
    if (pb->n_filters != 1)
        xds_fire_for(ctx, at, pb->n_filters > 0 ? ~several : XDS_EVERYONE,
                     XDS_R_FCH_FILTER_COUNT,
                     XDS_WITH(xds_number(ctx, (int64_t)pb->n_filters)));
    for (size_t i = 0; i < pb->n_filters; i++) {
        const struct xds_path *entry = XDS_AT_I(at, "filters", i);

        check_name(ctx, entry, &names, xds_slice_of(pb->filters[i]->name));
        read_filter(ctx, entry, pb->filters[i], i > 0 ? several : 0);
    }
    if (pb->transport_socket)
        xds_downstream_socket_read(ctx, XDS_AT(at, "transport_socket"),
                                   pb->transport_socket);
}
