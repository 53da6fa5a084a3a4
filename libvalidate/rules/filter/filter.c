/*
 * filter.c - the list of HTTP filters, and who has which.
 *
 * Source: gRFC A39, spec listener 4.1.
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

xds_readers xds_filter_url_unknown_to(const struct xds_ctx *ctx,
                                      const struct xds_extension *ext)
{
    if (ext->url_is_canonical)
        return 0;
    return xds_who(ctx, XDS_DIFF_TYPE_URL_WHOLE) &
           ~(ext->inner_url_is_canonical ? xds_who(ctx, XDS_DIFF_FILTER_STRUCT_ANY_PREFIX)
                                         : 0);
}

/* guard_on: the readers for which the guard of the filter is on. */
static xds_readers known_to(const struct xds_ctx *ctx, const struct xds_filter_type *type,
                            xds_readers guard_on, const struct xds_extension *ext)
{
    xds_readers known = xds_panel_of(ctx->panel, type->known_to) |
                        (xds_panel_of(ctx->panel, type->guarded) & guard_on);

    if (type->dated)
        known &= ~xds_who(ctx, type->before);
    return known & ~xds_filter_url_unknown_to(ctx, ext);
}

xds_readers xds_filter_known_to(const struct xds_ctx *ctx,
                                const struct xds_filter_type *type,
                                const struct xds_extension *ext)
{
    if (!type)
        return 0;

    const xds_readers on_clients = xds_guarded_by(ctx, type->guard);

    /* Who does not have it on servers knows it there all the same. */
    return known_to(
        ctx, type,
        ctx->server ? xds_guarded_by(ctx, type->server_guard) |
                          (on_clients & xds_panel_of(ctx->panel, type->never_on_servers))
                    : on_clients,
        ext);
}

xds_readers xds_filter_known_on_a_side(const struct xds_ctx *ctx,
                                       const struct xds_filter_type *type,
                                       const struct xds_extension *ext)
{
    if (!type)
        return 0;

    return known_to(
        ctx, type,
        xds_guarded_by(ctx, type->guard) | xds_guarded_by(ctx, type->server_guard), ext);
}

xds_readers xds_filter_override_unread_by(const struct xds_ctx *ctx,
                                          const struct xds_filter_type *type)
{
    return type && type->kind == XDS_FILTER_EXT_AUTHZ
               ? xds_who(ctx, XDS_DIFF_EXT_AUTHZ_OVERRIDE_UNREAD)
               : 0;
}

xds_readers xds_filter_types_alike_to(const struct xds_ctx *ctx,
                                      const struct xds_filter_type *type,
                                      const struct xds_extension *ext)
{
    return type && type->kind == XDS_FILTER_STATEFUL_SESSION && ext->message
               ? xds_who(ctx, XDS_DIFF_SESSION_TYPES_EITHER)
               : 0;
}
