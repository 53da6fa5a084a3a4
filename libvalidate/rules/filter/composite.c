/*
 * composite.c - check the composite filter: a matcher tree chooses which filters it runs.
 *
 * Source: gRFC A103, spec listener 9.3.
 */
#include "rules/filter/filter.h"

#define COMPOSITE envoy__extensions__filters__http__composite__v3__composite__descriptor

/* Composite filters inside each other, the outermost included. */
#define MAX_NESTED 8

static void read_child(struct xds_ctx *ctx, const struct xds_path *at,
                       const pb_typed_extension_config *pb, struct xds_filter *out)
{
    const struct xds_path *config = XDS_AT(at, "typed_config");
    struct xds_extension ext;

    if (xds_extension_read(ctx, config, pb->typed_config, false, &ext)) {
        /* No client drops a filter in here, or rejects one of the other side. */
        const struct xds_filter_type *type = xds_filter_by_type(ext.type);
        const xds_readers unknown = ctx->live & ~xds_filter_known_to(ctx, type, &ext);

        out->type = xds_arena_dup(ctx->arena, ext.type);
        out->kind = type ? type->kind : XDS_FILTER_UNKNOWN;
        out->servers_only = type && !type->on_clients;
        if (unknown) {
            struct xds_slice name;
            const struct xds_slice who = xds_lacking(ctx, unknown, ext.type, &name);

            xds_fire_for(ctx, ext.at, unknown, XDS_R_COMP_FILTER_UNKNOWN,
                         XDS_WITH(who, name));
        }
        if (type && type->terminal)
            xds_fire_for(ctx, ext.at, ~unknown, XDS_R_COMP_FILTER_TERMINAL,
                         XDS_WITH(ext.type));
        else if (ctx->live & ~unknown)
            xds_filter_config_read(XDS_AMONG(ctx, ~unknown), &ext, type, out);
    }
}

static void read_execute(struct xds_ctx *ctx, const struct xds_path *at,
                         const ProtobufCMessage *message, struct xds_filter_choice *out)
{
    const pb_execute_filter_action *pb = (const void *)message;
    const size_t n = pb->filter_chain ? pb->filter_chain->n_typed_config : 1;
    struct xds_filter *filters = XDS_NEW_ARRAY(ctx->arena, struct xds_filter, n);

    if (pb->filter_chain) {
        /* C-core says for all filters of the chain what it says for a single one. */
        const struct xds_path *said = XDS_AT_SAID(at, "typed_config");

        for (size_t i = 0; i < pb->filter_chain->n_typed_config; i++)
            read_child(ctx, XDS_AT_UNSAID_I(said, "filter_chain.typed_config", i),
                       pb->filter_chain->typed_config[i], &filters[i]);
    } else if (pb->typed_config)
        read_child(ctx, XDS_AT(at, "typed_config"), pb->typed_config, filters);
    else
        xds_fire(ctx, at, XDS_R_COMP_ACTION_EMPTY);
    out->filters = filters;
    out->n_filters = n;
    out->has_sample = pb->sample_percent && pb->sample_percent->default_value;
    if (out->has_sample) {
        const pb_fractional_percent *sample = pb->sample_percent->default_value;
        const uint32_t denominator = xds_denominator(sample);

        /* One that is not defined counts as HUNDRED (G26). */
        out->sample =
            (struct xds_fraction){sample->numerator, denominator ? denominator : 100};
    }
    if (pb->sample_percent && !pb->sample_percent->default_value)
        xds_fire(ctx, at, XDS_R_COMP_SAMPLE_PERCENT);
}

static const struct xds_filter_tree *
read_tree(struct xds_ctx *ctx, const struct xds_path *at, const pb_matcher *pb)
{
    static const struct xds_matcher_action list[] = {
        {"envoy.extensions.filters.common.matcher.action.v3.SkipFilter",
         "SkipFilter action", NULL},
        {"envoy.extensions.filters.http.composite.v3.ExecuteFilterAction",
         "ExecuteFilterAction", read_execute},
    };

    ctx = XDS_AMONG(ctx, XDS_EVERYONE);
    ctx->in_composite++;
    return xds_matcher_tree_read(
        ctx, at, pb, &(const struct xds_matcher_actions){list, XDS_ARRAY_LEN(list)});
}

/* Its type counts, not what is in it. */
static void check_extension(struct xds_ctx *ctx, const struct xds_path *at,
                            const pb_typed_extension_config *pb)
{
    const struct xds_path *config = XDS_AT(at, "typed_config");
    struct xds_extension ext;

    if (!pb)
        xds_fire(ctx, at, XDS_R_COMP_EXTENSION_ABSENT);
    else if (xds_extension_read(ctx, config, pb->typed_config, false, &ext) &&
             !xds_slice_is(ext.type, COMPOSITE.name))
        xds_fire_with(ctx, ext.at, XDS_R_COMP_EXTENSION_TYPE, XDS_WITH(ext.type));
}

static bool read_config(struct xds_ctx *ctx, const struct xds_extension *ext,
                        struct xds_filter *out)
{
    const pb_extension_with_matcher *pb = (const void *)ext->message;

    if (ctx->in_composite >= MAX_NESTED)
        xds_fire(ctx, ext->at, XDS_R_COMP_NESTING);
    check_extension(ctx, XDS_AT(ext->at, "extension_config"), pb->extension_config);
    if (pb->xds_matcher)
        out->tree = read_tree(ctx, XDS_AT(ext->at, "xds_matcher"), pb->xds_matcher);
    return true;
}

static bool read_override(struct xds_ctx *ctx, const struct xds_extension *ext,
                          struct xds_filter_override *out)
{
    const pb_extension_with_matcher_per_route *pb = (const void *)ext->message;
    const struct xds_path *matcher = XDS_AT(ext->at, "xds_matcher");

    if (!pb->xds_matcher)
        return xds_fire(ctx, matcher, XDS_R_COMP_OVERRIDE_EMPTY);
    out->tree = read_tree(ctx, matcher, pb->xds_matcher);
    return true;
}

const struct xds_filter_type xds_filter_composite = {
    .kind = XDS_FILTER_COMPOSITE,
    .type = "envoy.extensions.common.matching.v3.ExtensionWithMatcher",
    .override_type = "envoy.extensions.common.matching.v3.ExtensionWithMatcherPerRoute",
    .guarded = XDS_GRFC | XDS_CORE,
    .guard = XDS_ENV_COMPOSITE_FILTER,
    .server_guard = XDS_ENV_COMPOSITE_FILTER,
    .override_for = XDS_ALL_CLIENTS,
    .on_clients = true,
    .on_servers = true,
    .config_words = "composite filter config",
    .override_words = "composite filter override config",
    .read = read_config,
    .read_override = read_override,
};
