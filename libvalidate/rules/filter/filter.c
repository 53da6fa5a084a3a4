/*
 * filter.c - the list of HTTP filters, and who has which.
 *
 * Takes:  the type name that an Any holds.
 * Gives:  the filter's descriptor, and the clients that know it.
 * Source: gRFC A39, spec section 4.1.
 */
#include "rules/filter/filter.h"

static const struct xds_filter_type *const filters[] = {
    &xds_filter_composite, &xds_filter_ext_authz,        &xds_filter_ext_proc,
    &xds_filter_fault,     &xds_filter_gcp_authn,        &xds_filter_rbac,
    &xds_filter_router,    &xds_filter_stateful_session,
};

const struct xds_filter_type *xds_filter_by_type(struct xds_slice type)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(filters); i++)
        if (xds_slice_is(type, filters[i]->type))
            return filters[i];
    return NULL;
}

const struct xds_filter_type *xds_filter_by_override(struct xds_slice type)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(filters); i++)
        if (filters[i]->override_type && xds_slice_is(type, filters[i]->override_type))
            return filters[i];
    return NULL;
}

/* guard_on: the clients for which the guard of the filter is on. go, java and node look
 * the whole URL up (G13). */
static unsigned known_to(const struct xds_filter_type *type, unsigned guard_on,
                         const struct xds_extension *ext)
{
    const unsigned known = type->known_to | (type->guarded & guard_on);

    return ext->url_is_canonical ? known : known & (XDS_GRFC | XDS_CORE);
}

unsigned xds_filter_known_to(const struct xds_ctx *ctx,
                             const struct xds_filter_type *type,
                             const struct xds_extension *ext)
{
    if (!type)
        return 0;

    const enum xds_env guard = ctx->server ? type->server_guard : type->guard;
    return known_to(type, xds_env_mask(ctx->options, guard), ext);
}

unsigned xds_filter_known_on_a_side(const struct xds_ctx *ctx,
                                    const struct xds_filter_type *type,
                                    const struct xds_extension *ext)
{
    if (!type)
        return 0;

    return known_to(type,
                    xds_env_mask(ctx->options, type->guard) |
                        xds_env_mask(ctx->options, type->server_guard),
                    ext);
}

unsigned xds_filter_clients(const struct xds_ctx *ctx)
{
    const unsigned on = xds_env_mask(ctx->options, XDS_ENV_FAULT_INJECTION);

    return on | (XDS_ALL_CLIENTS & ~XDS_NODE);
}
