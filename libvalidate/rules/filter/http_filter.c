/*
 * http_filter.c - turn HttpConnectionManager.http_filters into the model's filters.
 *
 * Takes:  the decoded list, borrowed.
 * Gives:  one filter per entry, in order; dropped_by says whose chain is without it.
 * Fires:  the rows of http_filter.def; those of the filters through their descriptors.
 * Source: gRFC A39, spec section 4.
 */
#include "base/strmap.h"
#include "rules/filter/filter.h"

#define PB_CONFIG(arm)                                                                   \
    ENVOY__EXTENSIONS__FILTERS__NETWORK__HTTP_CONNECTION_MANAGER__V3__HTTP_FILTER__CONFIG_TYPE_##arm

/* These judge the order of the list as it came, with its dropped entries (F13). */
#define AS_RECEIVED (XDS_JAVA | XDS_NODE)

/* What the order of the chain is judged by. */
struct link {
    const char *type;
    bool terminal;
    unsigned missing_for; /* clients whose chain does not hold it */
};

/* Dropped filters keep their name taken (F4). */
static void check_name(struct xds_ctx *ctx, const struct xds_path *at,
                       struct xds_strmap *seen, struct xds_filter *filter)
{
    const struct xds_path *field = XDS_AT(at, "name");
    void **first = xds_strmap_at(seen, filter->name);

    if (filter->name.len == 0)
        xds_fire(ctx, field, XDS_R_FLT_NAME_EMPTY, "empty filter name");
    if (*first)
        xds_fire(ctx, field, XDS_R_FLT_DUPLICATE, "duplicate HTTP filter name: %s",
                 filter->name.data);
    *first = filter;
}

/* Leave the filter out of the chain of these clients. */
static void drop(struct xds_ctx *ctx, const struct xds_path *at, unsigned clients,
                 struct xds_filter *out)
{
    xds_fire_for(ctx, at, clients, XDS_R_FLT_OPTIONAL_UNKNOWN,
                 "optional filter of an unsupported type is dropped");
    out->dropped_by |= ctx->live & clients;
    ctx->live &= ~clients;
}

/* go and java look the type of an override up as well, find that it does not fit here,
 * and then do not care whether the entry is optional (F12). */
static unsigned misplaced(const struct xds_ctx *ctx, const struct xds_extension *ext)
{
    const struct xds_filter_type *type = xds_filter_by_override(ext->type);

    const unsigned known = xds_filter_known_on_a_side(ctx, type, ext);

    return type ? known & type->override_for & (XDS_GO | XDS_JAVA) : 0;
}

/* The clients, of those that have the filter, that do not have it on this side. */
static unsigned off_side(const struct xds_ctx *ctx, const struct xds_filter_type *type)
{
    if (!(ctx->server ? type->on_servers : type->on_clients))
        return XDS_ALL_CLIENTS;
    return ctx->server ? type->never_on_servers : 0;
}

/* The type is known, but for the other side. go decodes the config before it asks for the
 * side, and node looks at it all the same: an optional filter must be valid for them. */
static void judge_side(struct xds_ctx *ctx, const struct xds_extension *ext,
                       unsigned clients, struct xds_filter *out)
{
    if (out->is_optional && ctx->server)
        xds_fire_for(ctx, ext->at, clients, XDS_R_FLT_OPTIONAL_CLIENT_ONLY,
                     "optional filter that is not supported on servers is dropped");
    else if (out->is_optional)
        xds_fire_for(ctx, ext->at, clients, XDS_R_FLT_OPTIONAL_SERVER_ONLY,
                     "optional filter that is not supported on clients is dropped");
    else if (ctx->server)
        xds_fire_for(ctx, ext->at, clients, XDS_R_FLT_NOT_ON_SERVERS,
                     "filter is not supported on servers");
    else
        xds_fire_for(ctx, ext->at, clients, XDS_R_FLT_NOT_ON_CLIENTS,
                     "filter is not supported on clients");
    if (out->is_optional) {
        out->dropped_by |= ctx->live & clients;
        clients &= ~(XDS_GO | XDS_NODE);
    }
    ctx->live &= ~clients;
}

/* Who has this filter on this side? Takes all others out of ctx->live, as far as they do
 * not look at its config. */
static void judge_type(struct xds_ctx *ctx, const struct xds_extension *ext,
                       const struct xds_filter_type *type, struct xds_filter *out)
{
    const unsigned unknown = ctx->live & ~xds_filter_known_to(ctx, type, ext);
    const unsigned rejected = out->is_optional ? unknown & misplaced(ctx, ext) : unknown;

    xds_fire_for(ctx, ext->at, rejected, XDS_R_FLT_UNKNOWN, "unsupported filter type");
    drop(ctx, ext->at, unknown & ~rejected, out);
    ctx->live &= ~unknown;
    if (type)
        judge_side(ctx, ext, off_side(ctx, type), out);
}

bool xds_filter_config_read(struct xds_ctx *ctx, const struct xds_extension *ext,
                            const struct xds_filter_type *type, struct xds_filter *out)
{
    if (!type)
        return true; /* unknown to all clients: nobody reads it */
    if (!ext->message)
        return xds_fire_for(ctx, ext->at, ~type->opaque_to, XDS_R_FLT_UNPARSABLE,
                            "could not parse %s", type->config_words);
    return !type->read || type->read(ctx, ext, out);
}

/* A filter that core does not take into its chain does not count for the order either;
 * the others stop at the fault itself. */
static void link_filter(struct xds_ctx *ctx, unsigned live, bool valid,
                        const struct xds_filter_type *type, const struct xds_filter *out,
                        struct link *link)
{
    const unsigned in_chain = valid ? ctx->live & ~out->dropped_by : 0;

    *link = (struct link){
        .type = out->type.data,
        .terminal = type && type->terminal,
        .missing_for = live & ~in_chain & ~(out->dropped_by & AS_RECEIVED),
    };
}

static void read_filter(struct xds_ctx *ctx, const struct xds_path *at,
                        const pb_http_filter *pb, struct xds_filter *out,
                        struct link *link)
{
    const unsigned live = ctx->live;
    const struct xds_path *field = XDS_AT(at, "typed_config");
    const bool has_config = pb->config_type_case == PB_CONFIG(TYPED_CONFIG);
    const struct xds_filter_type *type = NULL;
    struct xds_extension ext;
    bool valid = false;

    if (!xds_extension_read(ctx, field, has_config ? pb->typed_config : NULL,
                            pb->is_optional, &ext)) {
        drop(ctx, field, ext.skipped_by, out);
    } else {
        type = xds_filter_by_type(ext.type);
        out->type = xds_arena_dup(ctx->arena, ext.type);
        out->kind = type ? type->kind : XDS_FILTER_UNKNOWN;
        judge_type(ctx, &ext, type, out);
        valid = ctx->live && xds_filter_config_read(ctx, &ext, type, out);
    }
    link_filter(ctx, live, valid, type, out, link);
    ctx->live = live;
}

/* From the end, so that a mask can say whose chain goes on behind a filter. */
static void check_order(struct xds_ctx *ctx, const struct xds_path *at, size_t n,
                        const struct link *links)
{
    unsigned goes_on = 0;

    for (size_t i = n; i-- > 0;) {
        const unsigned here = ctx->live & ~links[i].missing_for;

        if (links[i].terminal)
            xds_fire_for(ctx, at, here & goes_on, XDS_R_FLT_TERMINAL_NOT_LAST,
                         "terminal filter for config type %s must be the last filter in "
                         "the chain",
                         links[i].type);
        else
            xds_fire_for(ctx, at, here & ~goes_on, XDS_R_FLT_LAST_NOT_TERMINAL,
                         "non-terminal filter for config type %s is the last filter in "
                         "the chain",
                         links[i].type ? links[i].type : "");
        goes_on |= here;
    }
}

/* The clients that reject one of the findings from `first` on. */
static unsigned rejecting(const struct xds_report *report, size_t first)
{
    unsigned clients = 0;

    for (size_t i = first; i < xds_report_findings(report); i++)
        for (unsigned client = 0; client < XDS_CLIENTS; client++)
            if (xds_report_finding(report, i)->verdict[client] == XDS_NACK)
                clients |= XDS_CLIENT_BIT(client);
    return clients;
}

/* Nothing is left of the list: for java and node only when nothing was in it. Nobody says
 * so who has found another fault in the list. */
static void check_any_left(struct xds_ctx *ctx, const struct xds_path *at,
                           const struct xds_listener *list, unsigned busy)
{
    unsigned nothing = list->n_filters ? ~AS_RECEIVED : XDS_ALL_CLIENTS;

    for (size_t i = 0; i < list->n_filters; i++)
        nothing &= list->filters[i].dropped_by;
    xds_fire_for(ctx, at, nothing & ~busy, XDS_R_FLT_NONE,
                 "expected at least one HTTP filter");
}

void xds_http_filters_read(struct xds_ctx *ctx, const struct xds_path *at, size_t n,
                           pb_http_filter *const *pb, struct xds_listener *out)
{
    const unsigned live = ctx->live;
    const size_t first = xds_report_findings(ctx->report);
    struct xds_filter *filters = XDS_NEW_ARRAY(ctx->arena, struct xds_filter, n);
    struct link *links = XDS_NEW_ARRAY(ctx->arena, struct link, n);
    const struct xds_path *here = XDS_AT(at, "http_filters");
    struct xds_strmap seen;

    xds_strmap_init(&seen, ctx->arena);
    ctx->live &= xds_filter_clients(ctx);
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

    const unsigned busy = rejecting(ctx->report, first);
    check_order(ctx, here, n, links);
    check_any_left(ctx, here, out, busy);
    ctx->live = live;
}
