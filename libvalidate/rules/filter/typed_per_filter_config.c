/*
 * typed_per_filter_config.c - turn a map of filter overrides into the model.
 *
 * Takes:  the entries of one map, whichever message owns it, sorted by name.
 * Gives:  one override per entry; dropped_by says to whom the entry does not exist.
 * Fires:  the rows of typed_per_filter_config.def; those of the filters through their
 *         descriptors.
 * Source: gRFC A39, A83, drafts A92, A93, spec section 5.
 */
#include "rules/filter/filter.h"

#define FILTER_CONFIG envoy__config__route__v3__filter_config__descriptor

static void reject(struct xds_ctx *ctx, const struct xds_extension *ext, unsigned clients)
{
    xds_fire_for(ctx, ext->at, clients, XDS_R_OVR_UNKNOWN, "unsupported filter type");
    ctx->live &= ~clients;
}

/* Leave the entry out for these clients; its disabled flag goes with it (P12). */
static void drop(struct xds_ctx *ctx, const struct xds_path *at, unsigned clients,
                 struct xds_filter_override *out)
{
    xds_fire_for(ctx, at, clients, XDS_R_OVR_OPTIONAL_UNKNOWN,
                 "optional override of an unsupported type is dropped");
    out->dropped_by |= ctx->live & clients;
    ctx->live &= ~clients;
}

/* These know the filter, find that this is not its override type, and then do not care
 * whether the entry is optional (P5, P7, P14). */
static unsigned misplaced(const struct xds_ctx *ctx, const struct xds_extension *ext)
{
    const struct xds_filter_type *type = xds_filter_by_type(ext->type);

    return xds_filter_known_on_a_side(ctx, type, ext) & (XDS_GO | XDS_JAVA | XDS_NODE);
}

static void read_payload(struct xds_ctx *ctx, const struct xds_extension *ext,
                         const struct xds_filter_type *type,
                         struct xds_filter_override *out)
{
    if (!ext->message)
        xds_fire_for(ctx, ext->at, ~type->opaque_to, XDS_R_OVR_UNPARSABLE,
                     "could not parse %s", type->override_words);
    else if (type->read_override)
        type->read_override(ctx, ext, out);
}

/* What the entry holds, or what the FilterConfig in it holds. */
static void read_config(struct xds_ctx *ctx, const struct xds_extension *ext,
                        const pb_filter_config *wrapper, struct xds_filter_override *out)
{
    const struct xds_filter_type *type = xds_filter_by_override(ext->type);
    const unsigned takers =
        type ? xds_filter_known_on_a_side(ctx, type, ext) & type->override_for : 0;
    const unsigned unknown = ctx->live & ~takers;
    const unsigned rejected =
        wrapper && wrapper->is_optional ? unknown & misplaced(ctx, ext) : unknown;

    out->type = xds_arena_dup(ctx->arena, ext->type);
    out->kind = type ? type->kind : XDS_FILTER_UNKNOWN;
    reject(ctx, ext, rejected);
    drop(ctx, ext->at, unknown & ~rejected, out);
    if (!type)
        return;
    if (wrapper) {
        xds_fire_for(ctx, ext->at, ~type->opaque_to, XDS_R_OVR_NODE_WRAPPED,
                     "could not parse %s", type->override_words);
        ctx->live &= ~XDS_NODE;
    }
    read_payload(ctx, ext, type, out);
}

/* go takes the flag at its word and looks no further, once one of its guards is on. */
static unsigned trusts_disabled(const struct xds_ctx *ctx)
{
    return XDS_GO & (xds_env_mask(ctx->options, XDS_ENV_EXT_PROC_ON_CLIENT) |
                     xds_env_mask(ctx->options, XDS_ENV_EXT_AUTHZ_ON_CLIENT));
}

static void read_wrapper(struct xds_ctx *ctx, const struct xds_extension *ext,
                         struct xds_filter_override *out)
{
    const pb_filter_config *pb = (const void *)ext->message;
    struct xds_extension inner;

    if (!ext->url_is_canonical) /* an unknown type to those who want it spelt out (G13) */
        reject(ctx, ext, XDS_GO | XDS_JAVA | XDS_NODE);
    if (!pb) {
        xds_fire(ctx, ext->at, XDS_R_OVR_FILTER_CONFIG, "could not parse FilterConfig");
        return;
    }
    out->disabled = pb->disabled;
    if (pb->disabled)
        ctx->live &= ~trusts_disabled(ctx);

    const struct xds_path *at = XDS_AT(ext->at, "config");
    if (xds_extension_read(ctx, at, pb->config, pb->is_optional, &inner))
        read_config(ctx, &inner, pb, out);
    else
        drop(ctx, at, inner.skipped_by, out);
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
        xds_fire(ctx, at, XDS_R_OVR_NAME_EMPTY, "filter name must be non-empty");
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
    const unsigned live = ctx->live;
    struct xds_filter_override *list = NULL;

    if (n > 0)
        list = XDS_NEW_ARRAY(ctx->arena, struct xds_filter_override, n);
    for (size_t i = 0; i < n; i++) {
        const struct xds_path *here =
            XDS_AT_KEY(at, "typed_per_filter_config", entries[i].name);

        ctx->live = live & xds_filter_clients(ctx);
        read_entry(ctx, here, &entries[i], &list[i]);
    }
    ctx->live = live;
    *out = (struct xds_overrides){list, n};
}
