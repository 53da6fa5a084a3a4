/*
 * http_filter.c - turn HttpConnectionManager.http_filters into the model's filters.
 *
 * Source: gRFC A39, spec listener 4.
 */
#include "base/strmap.h"
#include "rules/filter/filter.h"

#define PB_CONFIG(arm)                                                                   \
    ENVOY__EXTENSIONS__FILTERS__NETWORK__HTTP_CONNECTION_MANAGER__V3__HTTP_FILTER__CONFIG_TYPE_##arm

/* What the order of the chain is checked by. */
struct link {
    struct xds_slice type;
    xds_readers terminal_to;
    xds_readers missing_for; /* whose chain does not have it */
};

/* The names of dropped filters count too (F4). */
static void check_name(struct xds_ctx *ctx, const struct xds_path *at,
                       struct xds_strmap *seen, struct xds_filter *filter)
{
    void **first = xds_strmap_at(seen, filter->name);

    if (filter->name.len == 0)
        xds_fire(ctx, at, XDS_R_FLT_NAME_EMPTY);
    if (*first)
        xds_fire_with(ctx, at, XDS_R_FLT_DUPLICATE, XDS_WITH(filter->name));
    *first = filter;
}

/* Leave the filter out of the chain of these readers. */
static void drop(struct xds_ctx *ctx, const struct xds_path *at, xds_readers readers,
                 struct xds_filter *out)
{
    xds_fire_for(ctx, at, readers, XDS_R_FLT_OPTIONAL_UNKNOWN, XDS_WITH(out->name));
    out->dropped_by |= ctx->live & readers;
    ctx->live &= ~readers;
}

static xds_readers fits_side(const struct xds_ctx *ctx,
                             const struct xds_filter_type *type)
{
    if (!ctx->server)
        return type->on_clients ? XDS_EVERYONE : 0;
    return type->on_servers ? ~xds_panel_of(ctx->panel, type->never_on_servers) : 0;
}

/* The type is known; does it fit the side? */
static void check_side(struct xds_ctx *ctx, const struct xds_extension *ext,
                       const struct xds_filter_type *type, struct xds_filter *out)
{
    static const enum xds_rule_id rules[2][2] = {
        {XDS_R_FLT_NOT_ON_CLIENTS, XDS_R_FLT_NOT_ON_SERVERS},
        {XDS_R_FLT_OPTIONAL_SERVER_ONLY, XDS_R_FLT_OPTIONAL_CLIENT_ONLY},
    };
    xds_readers readers = ~fits_side(ctx, type);

    xds_fire_for(ctx, ext->at, readers, rules[out->is_optional][ctx->server],
                 XDS_WITH(ext->type));
    if (out->is_optional) {
        out->dropped_by |= ctx->live & readers;
        readers &= ~xds_who(ctx, XDS_DIFF_FILTER_OFF_SIDE_CHECKED);
    }
    ctx->live &= ~readers;
}

/* Takes those who do not have this filter on this side, and do not look at its config,
 * out of ctx->live. */
static void check_type(struct xds_ctx *ctx, const struct xds_extension *ext,
                       const struct xds_filter_type *type, struct xds_filter *out)
{
    const struct xds_filter_type *by_override = xds_filter_by_override(ext->type);
    const xds_readers unknown =
        ctx->live & ~(xds_filter_known_to(ctx, type, ext) |
                      xds_filter_types_alike_to(ctx, by_override, ext));
    xds_readers rejected = unknown;

    if (out->is_optional && by_override)
        rejected &= xds_filter_known_on_a_side(ctx, by_override, ext) &
                    xds_panel_of(ctx->panel, by_override->override_for) &
                    xds_who(ctx, XDS_DIFF_OVERRIDE_AS_FILTER) &
                    (fits_side(ctx, by_override) |
                     xds_who(ctx, XDS_DIFF_FILTER_OFF_SIDE_CHECKED));
    else if (out->is_optional)
        rejected = 0;
    xds_fire_for(ctx, ext->at, rejected, XDS_R_FLT_UNKNOWN, XDS_WITH(ext->type));
    drop(ctx, ext->at, unknown & ~rejected, out);
    ctx->live &= ~unknown;
    if (type)
        check_side(ctx, ext, type, out);
}

bool xds_filter_config_read(struct xds_ctx *ctx, const struct xds_extension *ext,
                            const struct xds_filter_type *type, struct xds_filter *out)
{
    if (!type)
        return true; /* unknown to all clients: none reads it */
    if (!ext->message)
        return xds_fire_for(ctx, ext->at, ~xds_panel_of(ctx->panel, type->opaque_to),
                            XDS_R_FLT_UNPARSABLE,
                            XDS_WITH(xds_slice_of(type->config_words)));
    return !type->read || type->read(ctx, ext, out);
}

static void read_filter(struct xds_ctx *ctx, const struct xds_path *at,
                        const pb_http_filter *pb, struct xds_filter *out,
                        struct link *link)
{
    const xds_readers live = ctx->live;
    const struct xds_path *field = XDS_AT(at, "typed_config");
    const bool has_config = pb->config_type_case == PB_CONFIG(TYPED_CONFIG);
    const struct xds_filter_type *type = NULL;
    struct xds_extension ext;
    xds_readers valid_to = 0;

    if (!xds_extension_read(ctx, field, has_config ? pb->typed_config : NULL,
                            pb->is_optional, &ext)) {
        drop(ctx, field, ext.skipped_by, out);
    } else {
        type = xds_filter_by_type(ext.type);
        out->type = xds_arena_dup(ctx->arena, ext.type);
        out->kind = type ? type->kind : XDS_FILTER_UNKNOWN;
        check_type(ctx, &ext, type, out);
        if (ctx->live && xds_filter_config_read(ctx, &ext, type, out))
            valid_to = XDS_EVERYONE;
        else if (type)
            valid_to = xds_panel_of(ctx->panel, type->opaque_to);
    }
    /* A filter that core does not enter into its chain does not count for the order
     * either; the others stop at the fault itself. */
    const xds_readers in_chain = valid_to & ctx->live & ~out->dropped_by;
    const xds_readers blind = xds_filter_url_unknown_to(ctx, &ext);

    *link = (struct link){
        .type = out->type,
        .terminal_to = type && type->terminal ? ~blind : 0,
        .missing_for = live & ~in_chain &
                       ~(out->dropped_by & xds_who(ctx, XDS_DIFF_FILTER_ORDER_AS_SENT)),
    };
    ctx->live = live;
}

/* From the end, so that a set can say whose chain continues after a filter. */
static void check_order(struct xds_ctx *ctx, const struct xds_path *at, size_t n,
                        const struct link *links)
{
    xds_readers continues = 0;

    for (size_t i = n; i-- > 0;) {
        const xds_readers here = ctx->live & ~links[i].missing_for;

        xds_fire_for(ctx, at, here & continues & links[i].terminal_to,
                     XDS_R_FLT_TERMINAL_NOT_LAST, XDS_WITH(links[i].type));
        xds_fire_for(ctx, at, here & ~continues & ~links[i].terminal_to,
                     XDS_R_FLT_LAST_NOT_TERMINAL, XDS_WITH(links[i].type));
        continues |= here;
    }
}

/* Nothing is left of the list. Who has found another fault in it does not say so. */
static void check_any_left(struct xds_ctx *ctx, const struct xds_path *at,
                           const struct xds_listener *list, xds_readers busy)
{
    xds_readers nothing = XDS_EVERYONE;

    if (list->n_filters > 0)
        nothing = ~xds_who(ctx, XDS_DIFF_FILTER_ORDER_AS_SENT);
    for (size_t i = 0; i < list->n_filters; i++)
        nothing &= list->filters[i].dropped_by;
    xds_fire_for(ctx, at, nothing & ~busy, XDS_R_FLT_NONE, NULL);
}

void xds_http_filters_read(struct xds_ctx *ctx, const struct xds_path *at, size_t n,
                           pb_http_filter *const *pb, struct xds_listener *out)
{
    const xds_readers live = ctx->live;
    const size_t first = xds_report_findings(ctx->report);
    struct xds_filter *filters = XDS_NEW_ARRAY(ctx->arena, struct xds_filter, n);
    struct link *links = XDS_NEW_ARRAY(ctx->arena, struct link, n);
    const struct xds_path *here = XDS_AT(at, "http_filters");
    struct xds_strmap seen;

    xds_strmap_init(&seen, ctx->arena);
    ctx->live &= xds_guarded_by(ctx, XDS_ENV_FAULT_INJECTION);
    out->filters = filters;
    out->n_filters = n;
    for (size_t i = 0; i < n; i++) {
        const struct xds_path *entry = XDS_AT_I(at, "http_filters", i);

        filters[i].name = xds_arena_dup(ctx->arena, xds_slice_of(pb[i]->name));
        filters[i].is_optional = pb[i]->is_optional;
        filters[i].disabled = pb[i]->disabled;
        check_name(ctx, entry, &seen, &filters[i]);
        read_filter(ctx, entry, pb[i], &filters[i], &links[i]);
    }

    const xds_readers busy = xds_report_rejecting(ctx->report, first);
    check_order(ctx, here, n, links);
    check_any_left(ctx, here, out, busy);
    ctx->live = live;
}
