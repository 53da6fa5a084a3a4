/*
 * typed_per_filter_config.c - turn a map of filter overrides into the model.
 *
 * Source: gRFC A39, A83, drafts A92, A93, spec listener 5.
 */
#include "rules/filter/filter.h"

#define FILTER_CONFIG envoy__config__route__v3__filter_config__descriptor

static void reject(struct xds_ctx *ctx, const struct xds_extension *ext,
                   xds_readers readers)
{
    xds_fire_for(ctx, ext->at, readers, XDS_R_OVR_UNKNOWN, XDS_WITH(ext->type));
    ctx->live &= ~readers;
}

/* Leave the entry out for these readers; its disabled flag goes with it (P12). */
static void drop(struct xds_ctx *ctx, const struct xds_path *at, xds_readers readers,
                 struct xds_filter_override *out)
{
    xds_fire_for(ctx, at, readers, XDS_R_OVR_OPTIONAL_UNKNOWN, XDS_WITH(out->name));
    out->dropped_by |= ctx->live & readers;
    ctx->live &= ~readers;
}

/* Who accepts the type as an override without a look at it. */
static xds_readers unreading(const struct xds_ctx *ctx,
                             const struct xds_filter_type *type,
                             const struct xds_extension *ext)
{
    return (ext->typed_struct ? 0 : xds_filter_override_unread_by(ctx, type)) &
           ~xds_filter_url_unknown_to(ctx, ext);
}

/* Who reads the config of the RBAC filter as its override, whose fields are others. */
static xds_readers rbac_alike_to(const struct xds_ctx *ctx,
                                 const struct xds_filter_type *type,
                                 const struct xds_extension *ext)
{
    return type && type->kind == XDS_FILTER_RBAC && ext->message
               ? xds_who(ctx, XDS_DIFF_RBAC_TYPES_EITHER)
               : 0;
}

/* Who knows the type as that of a filter's config. */
static xds_readers known_as_filter(const struct xds_ctx *ctx,
                                   const struct xds_extension *ext)
{
    const struct xds_filter_type *type = xds_filter_by_type(ext->type);
    const bool is_ext_proc = type && type->kind == XDS_FILTER_EXT_PROC;

    return xds_filter_known_on_a_side(ctx, type, ext) |
           (is_ext_proc && ext->url_is_canonical
                ? xds_who(ctx, XDS_DIFF_EXT_PROC_OVERRIDE_ALWAYS)
                : 0);
}

/* What the entry holds, or what the FilterConfig in it holds. */
static void read_config(struct xds_ctx *ctx, const struct xds_extension *ext,
                        const pb_filter_config *wrapper, struct xds_filter_override *out)
{
    const struct xds_filter_type *type = xds_filter_by_override(ext->type);
    const struct xds_filter_type *by_config = xds_filter_by_type(ext->type);
    const xds_readers blind =
        wrapper && ext->typed_struct ? xds_who(ctx, XDS_DIFF_FILTER_CONFIG_STRUCT) : 0;
    const xds_readers unread_by = unreading(ctx, type, ext) |
                                  unreading(ctx, by_config, ext) |
                                  xds_filter_types_alike_to(ctx, by_config, ext) |
                                  rbac_alike_to(ctx, by_config, ext);
    const xds_readers takers = type ? xds_filter_known_on_a_side(ctx, type, ext) &
                                          xds_panel_of(ctx->panel, type->override_for) &
                                          ~blind
                                    : 0;

    const xds_readers struct_to =
        type && ext->typed_struct && ext->url_is_canonical
            ? ctx->live & xds_filter_override_unread_by(ctx, type)
            : 0;

    ctx->live &= ~(unread_by | struct_to);
    const xds_readers unknown = ctx->live & ~takers;
    xds_readers rejected = unknown;

    if (wrapper && wrapper->is_optional)
        rejected &= known_as_filter(ctx, ext) &
                    xds_who(ctx, XDS_DIFF_FILTER_AS_OVERRIDE) & ~blind;

    out->type = xds_arena_dup(ctx->arena, ext->type);
    out->kind = type ? type->kind : XDS_FILTER_UNKNOWN;
    reject(ctx, ext, rejected);
    drop(ctx, ext->at, unknown & ~rejected, out);
    if (!type)
        return;
    ctx->live |= struct_to;

    const xds_readers seeing = ~xds_panel_of(ctx->panel, type->opaque_to);

    if (wrapper) {
        xds_fire_for(ctx, ext->at, seeing, XDS_R_OVR_NODE_WRAPPED,
                     XDS_WITH(xds_slice_of(type->override_words)));
        ctx->live &= ~xds_who(ctx, XDS_DIFF_FILTER_CONFIG_NOT_UNWRAPPED);
    }
    if (!ext->message)
        xds_fire_for(ctx, ext->at, seeing, XDS_R_OVR_UNPARSABLE,
                     XDS_WITH(xds_slice_of(type->override_words)));
    else if (type->read_override)
        type->read_override(ctx, ext, out);
}

/* To whom what is in the FilterConfig is of an unknown type, whatever it holds. */
static xds_readers blind_to(const struct xds_ctx *ctx, const pb_filter_config *pb)
{
    return pb->config && xds_is_typed_struct(xds_any_of(pb->config)->type)
               ? xds_who(ctx, XDS_DIFF_FILTER_CONFIG_STRUCT)
               : 0;
}

static void read_wrapper(struct xds_ctx *ctx, const struct xds_extension *ext,
                         struct xds_filter_override *out)
{
    const pb_filter_config *pb = (const void *)ext->message;
    struct xds_extension inner;

    if (!ext->url_is_canonical)
        reject(ctx, ext, xds_who(ctx, XDS_DIFF_FILTER_CONFIG_URL_WHOLE));
    if (!pb) {
        xds_fire(ctx, ext->at, XDS_R_OVR_FILTER_CONFIG);
        return;
    }
    out->disabled = pb->disabled;
    if (pb->disabled)
        ctx->live &= ~(xds_who(ctx, XDS_DIFF_DISABLED_UNREAD) &
                       (xds_guarded_by(ctx, XDS_ENV_EXT_PROC_ON_CLIENT) |
                        xds_guarded_by(ctx, XDS_ENV_EXT_AUTHZ_ON_CLIENT)));

    const struct xds_path *at = XDS_AT(ext->at, "config");
    const xds_readers blind = blind_to(ctx, pb), live = ctx->live;

    ctx->live &= ~blind;
    if (xds_extension_read(ctx, at, pb->config, pb->is_optional, &inner)) {
        ctx->live = live;
        read_config(ctx, &inner, pb, out);
        return;
    }
    drop(ctx, at, inner.skipped_by, out);
    ctx->live |= blind & live;
    if (pb->is_optional)
        drop(ctx, inner.at, blind, out);
    else
        reject(ctx, &inner, blind);
}

static void read_entry(struct xds_ctx *ctx, const struct xds_path *at,
                       const struct xds_filter_config_entry *entry,
                       struct xds_filter_override *out)
{
    /* On the wire an entry may lack its value: that is an Any without type_url. */
    static const struct xds_any nothing = {.pb = GOOGLE__PROTOBUF__ANY__INIT,
                                           .state = XDS_ANY_UNKNOWN};
    const pb_any *any = entry->value ? entry->value : &nothing.pb;
    struct xds_extension ext;

    out->name = xds_arena_dup(ctx->arena, entry->name);
    if (entry->name.len == 0)
        xds_fire(ctx, at, XDS_R_OVR_NAME_EMPTY);
    if (!xds_extension_read(ctx, at, any, false, &ext))
        return;
    if (xds_slice_is(ext.type, FILTER_CONFIG.name))
        read_wrapper(ctx, &ext, out);
    else
        read_config(ctx, &ext, NULL, out);
}

void xds_overrides_read(struct xds_ctx *ctx, const struct xds_path *at, size_t n,
                        const struct xds_filter_config_entry *entries,
                        struct xds_overrides *out)
{
    const xds_readers live = ctx->live;
    struct xds_filter_override *list = NULL;

    if (n > 0)
        list = XDS_NEW_ARRAY(ctx->arena, struct xds_filter_override, n);
    for (size_t i = 0; i < n; i++) {
        const struct xds_path *here =
            XDS_AT_KEY(at, "typed_per_filter_config", entries[i].name);

        ctx->live = live & xds_guarded_by(ctx, XDS_ENV_FAULT_INJECTION);
        read_entry(ctx, here, &entries[i], &list[i]);
    }
    ctx->live = live;
    *out = (struct xds_overrides){list, n};
}
