/*
 * filter.c - the list of HTTP filters, and the readers of what names them: http_filters
 * and typed_per_filter_config.
 *
 * Source: gRFC A39, A83, drafts A92, A93, spec listener 4, 5.
 */
#include "rules/filter/filter.h"

/* ---- who has which ---- */

static const struct xds_filter_type *const filter_types[] = {
    &xds_filter_composite, &xds_filter_ext_authz,        &xds_filter_ext_proc,
    &xds_filter_fault,     &xds_filter_gcp_authn,        &xds_filter_rbac,
    &xds_filter_router,    &xds_filter_stateful_session,
};

const struct xds_filter_type *xds_filter_by_type(struct xds_slice type)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(filter_types); i++)
        if (xds_slice_is(type, filter_types[i]->type))
            return filter_types[i];
    return NULL;
}

static const struct xds_filter_type *filter_by_override(struct xds_slice type)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(filter_types); i++)
        if (filter_types[i]->override_type &&
            xds_slice_is(type, filter_types[i]->override_type))
            return filter_types[i];
    return NULL;
}

/* Who does not know the type for the prefix of its URL. */
static xds_readers filter_url_unknown_to(const struct xds_ctx *ctx,
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
    return known & ~filter_url_unknown_to(ctx, ext);
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

/* Who accepts both types as an override, whatever the guard, and reads neither. */
static xds_readers filter_override_unread_by(const struct xds_ctx *ctx,
                                             const struct xds_filter_type *type)
{
    return type && type->kind == XDS_FILTER_EXT_AUTHZ
               ? xds_who(ctx, XDS_DIFF_EXT_AUTHZ_OVERRIDE_UNREAD)
               : 0;
}

/* Who takes the types of config and override for each other, and reads neither there. */
static xds_readers filter_types_alike_to(const struct xds_ctx *ctx,
                                         const struct xds_filter_type *type,
                                         const struct xds_extension *ext)
{
    return type && type->kind == XDS_FILTER_STATEFUL_SESSION && ext->message
               ? xds_who(ctx, XDS_DIFF_SESSION_TYPES_EITHER)
               : 0;
}

/* Who reads the config of the RBAC filter as its override, whose fields are others, and
 * the other way round. */
static xds_readers rbac_alike_to(const struct xds_ctx *ctx,
                                 const struct xds_filter_type *type,
                                 const struct xds_extension *ext)
{
    return type && type->kind == XDS_FILTER_RBAC && ext->message
               ? xds_who(ctx, XDS_DIFF_RBAC_TYPES_EITHER)
               : 0;
}

/* ---- http_filters ---- */

#define PB_CONFIG(arm)                                                                   \
    ENVOY__EXTENSIONS__FILTERS__NETWORK__HTTP_CONNECTION_MANAGER__V3__HTTP_FILTER__CONFIG_TYPE_##arm

/* What the order of the chain is checked by. */
struct link {
    struct xds_slice type;
    xds_readers terminal_to;
    xds_readers missing_for; /* whose chain does not have it */
};

/* The names of dropped filters count too (F4). Returns who rejects the name. */
static xds_readers check_name(struct xds_ctx *ctx, const struct xds_path *at,
                              struct xds_strmap *seen, struct xds_filter *filter)
{
    const size_t findings = xds_report_findings(ctx->report);
    void **first = xds_strmap_at(seen, filter->name);

    if (filter->name.len == 0)
        xds_fire(ctx, at, XDS_R_FLT_NAME_EMPTY);
    if (*first)
        xds_fire_with(ctx, at, XDS_R_FLT_DUPLICATE, XDS_WITH(filter->name));
    *first = filter;
    return xds_report_rejecting(ctx->report, findings);
}

/* Leave the filter out of the chain of these readers. */
static void drop_filter(struct xds_ctx *ctx, const struct xds_path *at,
                        xds_readers readers, struct xds_filter *out)
{
    xds_fire_for(ctx, at, readers, XDS_R_FLT_OPTIONAL_UNKNOWN, XDS_WITH(out->name));
    out->dropped_by |= ctx->live & readers;
    ctx->live &= ~readers;
}

/* Who reads filters and overrides at all. */
static xds_readers reading_filters(const struct xds_ctx *ctx)
{
    const xds_readers by_rbac =
        ctx->server ? xds_who(ctx, XDS_DIFF_SERVER_FILTERS_BY_RBAC) : 0;

    return (xds_guarded_by(ctx, XDS_ENV_FAULT_INJECTION) & ~by_rbac) |
           (xds_guarded_by(ctx, XDS_ENV_RBAC) & by_rbac);
}

static xds_readers fits_side(const struct xds_ctx *ctx,
                             const struct xds_filter_type *type)
{
    if (!ctx->server)
        return type->on_clients ? XDS_EVERYONE : 0;
    return type->on_servers ? ~xds_panel_of(ctx->panel, type->never_on_servers) : 0;
}

/* Takes those who do not have this filter on this side, and do not look at its config,
 * out of ctx->live. Returns those whose side it is not. */
static xds_readers check_type(struct xds_ctx *ctx, const struct xds_extension *ext,
                              const struct xds_filter_type *type, struct xds_filter *out)
{
    const struct xds_filter_type *by_override = filter_by_override(ext->type);
    const xds_readers unknown =
        ctx->live & ~(xds_filter_known_to(ctx, type, ext) |
                      filter_types_alike_to(ctx, by_override, ext) |
                      (ctx->server ? rbac_alike_to(ctx, by_override, ext) : 0));
    xds_readers rejected = unknown;

    if (out->is_optional && by_override)
        rejected &= xds_filter_known_on_a_side(ctx, by_override, ext) &
                    xds_panel_of(ctx->panel, by_override->override_for) &
                    xds_who(ctx, XDS_DIFF_OVERRIDE_AS_FILTER) &
                    (fits_side(ctx, by_override) |
                     xds_who(ctx, XDS_DIFF_FILTER_OFF_SIDE_CHECKED));
    else if (out->is_optional)
        rejected = 0;
    if (ctx->live & rejected) {
        struct xds_slice name;
        const struct xds_slice who = xds_lacking(ctx, rejected, ext->type, &name);

        xds_fire_for(ctx, ext->at, rejected, XDS_R_FLT_UNKNOWN, XDS_WITH(who, name));
    }
    drop_filter(ctx, ext->at, unknown & ~rejected, out);
    ctx->live &= ~unknown;
    if (!type)
        return 0;
    const xds_readers off_side = ctx->live & ~fits_side(ctx, type);

    ctx->live &= ~off_side | xds_who(ctx, XDS_DIFF_FILTER_OFF_SIDE_CHECKED);
    if (out->is_optional)
        out->dropped_by |= off_side;
    return off_side;
}

/* After the config, which some look at first. */
static void report_side(struct xds_ctx *ctx, const struct xds_extension *ext,
                        xds_readers off_side, bool is_optional)
{
    static const enum xds_rule_id rules[2][2] = {
        {XDS_R_FLT_NOT_ON_CLIENTS, XDS_R_FLT_NOT_ON_SERVERS},
        {XDS_R_FLT_OPTIONAL_SERVER_ONLY, XDS_R_FLT_OPTIONAL_CLIENT_ONLY},
    };

    xds_fire_for(XDS_AMONG(ctx, off_side), ext->at, off_side,
                 rules[is_optional][ctx->server], XDS_WITH(ext->type));
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
                        const pb_http_filter *pb, xds_readers unnamed_for,
                        struct xds_filter *out, struct link *link)
{
    const size_t first = xds_report_findings(ctx->report);
    const xds_readers live = ctx->live;
    struct xds_ctx *seeing = XDS_AMONG(ctx, XDS_EVERYONE);
    const struct xds_path *field = XDS_AT(at, "typed_config");
    const bool has_config = pb->config_type_case == PB_CONFIG(TYPED_CONFIG);
    const struct xds_filter_type *type = NULL;
    struct xds_extension ext;
    xds_readers known_to = 0;

    ctx = XDS_AMONG(ctx, XDS_EVERYONE);
    if (!xds_extension_read(ctx, field, has_config ? pb->typed_config : NULL,
                            pb->is_optional, &ext)) {
        drop_filter(ctx, field, ext.skipped_by, out);
    } else {
        type = xds_filter_by_type(ext.type);
        out->type = xds_arena_dup(ctx->arena, ext.type);
        out->kind = type ? type->kind : XDS_FILTER_UNKNOWN;
        const xds_readers off_side = check_type(ctx, &ext, type, out);

        known_to = ctx->live & ~off_side & ~out->dropped_by;
        if (ctx->live)
            (void)xds_filter_config_read(ctx, &ext, type, out);
        report_side(seeing, &ext, off_side, out->is_optional);
    }
    /* A filter that core does not enter into its chain does not count for the order
     * either; one that stops at the first fault stops at that of the filter. */
    const xds_readers stopping = xds_report_rejecting(ctx->report, first) &
                                 ~xds_who(ctx, XDS_DIFF_FAULTS_ALL_READ);
    const xds_readers in_chain = (known_to & ~stopping & ~unnamed_for) |
                                 xds_who(ctx, XDS_DIFF_FILTER_ORDER_AS_SENT);
    const xds_readers blind = filter_url_unknown_to(ctx, &ext);

    *link = (struct link){
        .type = out->type,
        .terminal_to = type && type->terminal ? ~blind : 0,
        .missing_for = live & ~in_chain,
    };
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

void xds_http_filters_read(struct xds_ctx *ctx, const struct xds_path *at, size_t n,
                           pb_http_filter *const *pb, struct xds_listener *out)
{
    const size_t first = xds_report_findings(ctx->report);
    struct xds_filter *filters = XDS_NEW_ARRAY(ctx->arena, struct xds_filter, n);
    struct link *links = XDS_NEW_ARRAY(ctx->arena, struct link, n);
    const struct xds_path *here = XDS_AT(at, "http_filters");
    struct xds_strmap seen;

    xds_strmap_init(&seen, ctx->scratch);
    ctx = XDS_AMONG(ctx, reading_filters(ctx));
    out->filters = filters;
    out->n_filters = n;
    for (size_t i = 0; i < n; i++) {
        const struct xds_path *entry = XDS_AT_I(at, "http_filters", i);

        filters[i].name = xds_text(ctx, pb[i]->name);
        filters[i].is_optional = pb[i]->is_optional;
        filters[i].disabled = pb[i]->disabled;
        const xds_readers unnamed_for = check_name(ctx, entry, &seen, &filters[i]);

        read_filter(ctx, entry, pb[i], unnamed_for, &filters[i], &links[i]);
    }

    const xds_readers busy = xds_report_rejecting(ctx->report, first);
    check_order(ctx, here, n, links);

    /* Nothing is left of the list. Who has found another fault in it does not say so. */
    xds_readers nothing = XDS_EVERYONE;

    if (out->n_filters > 0)
        nothing = ~xds_who(ctx, XDS_DIFF_FILTER_ORDER_AS_SENT);
    for (size_t i = 0; i < out->n_filters; i++)
        nothing &= out->filters[i].dropped_by;
    xds_fire_for(ctx, here, nothing & ~busy, XDS_R_FLT_NONE, NULL);
}

/* ---- overrides ---- */

#define FILTER_CONFIG envoy__config__route__v3__filter_config__descriptor

static void reject(struct xds_ctx *ctx, const struct xds_extension *ext,
                   xds_readers readers)
{
    if (ctx->live & readers) {
        struct xds_slice name;
        const struct xds_slice who = xds_lacking(ctx, readers, ext->type, &name);

        xds_fire_for(ctx, ext->at, readers, XDS_R_OVR_UNKNOWN, XDS_WITH(who, name));
    }
    ctx->live &= ~readers;
}

/* Leave the entry out for these readers; its disabled flag goes with it (P12). */
static void drop_override(struct xds_ctx *ctx, const struct xds_path *at,
                          xds_readers readers, struct xds_filter_override *out)
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
    return (ext->typed_struct ? 0 : filter_override_unread_by(ctx, type)) &
           ~filter_url_unknown_to(ctx, ext);
}

/* Who knows the type as that of a filter's config. */
static xds_readers known_as_filter(const struct xds_ctx *ctx,
                                   const struct xds_extension *ext)
{
    const struct xds_filter_type *type = xds_filter_by_type(ext->type);
    const bool is_ext_proc = type && type->kind == XDS_FILTER_EXT_PROC;

    return xds_filter_known_on_a_side(ctx, type, ext) |
           (filter_override_unread_by(ctx, type) & ~filter_url_unknown_to(ctx, ext)) |
           (is_ext_proc && ext->url_is_canonical
                ? xds_who(ctx, XDS_DIFF_EXT_PROC_OVERRIDE_ALWAYS)
                : 0);
}

/* What the entry holds, or what the FilterConfig in it holds. */
static void read_config(struct xds_ctx *ctx, const struct xds_extension *ext,
                        const pb_filter_config *wrapper, struct xds_filter_override *out)
{
    const struct xds_filter_type *type = filter_by_override(ext->type);
    const struct xds_filter_type *by_config = xds_filter_by_type(ext->type);
    const xds_readers blind =
        wrapper && ext->typed_struct ? xds_who(ctx, XDS_DIFF_FILTER_CONFIG_STRUCT) : 0;
    const xds_readers unread_by =
        unreading(ctx, type, ext) | unreading(ctx, by_config, ext) |
        filter_types_alike_to(ctx, by_config, ext) | rbac_alike_to(ctx, by_config, ext);
    const xds_readers takers = type ? xds_filter_known_on_a_side(ctx, type, ext) &
                                          xds_panel_of(ctx->panel, type->override_for) &
                                          ~blind
                                    : 0;

    const xds_readers struct_to = type && ext->typed_struct && ext->url_is_canonical
                                      ? ctx->live & filter_override_unread_by(ctx, type)
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
    drop_override(ctx, ext->at, unknown & ~rejected, out);
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
    /* To whom what is in the FilterConfig is of an unknown type, whatever it holds. */
    const xds_readers blind =
        pb->config && xds_is_typed_struct(xds_any_of(pb->config)->type)
            ? xds_who(ctx, XDS_DIFF_FILTER_CONFIG_STRUCT)
            : 0;
    struct xds_ctx *seeing = XDS_AMONG(ctx, ~blind);

    if (xds_extension_read(seeing, at, pb->config, pb->is_optional, &inner)) {
        read_config(ctx, &inner, pb, out);
        return;
    }
    drop_override(seeing, at, inner.skipped_by, out);
    if (pb->is_optional)
        drop_override(ctx, inner.at, blind, out);
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
    const xds_readers readers = reading_filters(ctx);
    struct xds_filter_override *list = NULL;

    if (n > 0)
        list = XDS_NEW_ARRAY(ctx->arena, struct xds_filter_override, n);
    for (size_t i = 0; i < n; i++) {
        const struct xds_path *here =
            XDS_AT_KEY(at, "typed_per_filter_config", entries[i].name);

        read_entry(XDS_AMONG(ctx, readers), here, &entries[i], &list[i]);
    }
    *out = (struct xds_overrides){list, n};
}
