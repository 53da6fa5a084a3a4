/*
 * filter_chain_match.c - check the match of a filter chain, and who drops the chain.
 *
 * Source: gRFC A36, spec listener 2.3, L22, L23.
 */
#include "rules/filter_chain_match.h"

#define SOURCE_TYPE(arm)                                                                 \
    ENVOY__CONFIG__LISTENER__V3__FILTER_CHAIN_MATCH__CONNECTION_SOURCE_TYPE__##arm

/* These drop a chain that cannot match before they compare it with others, in the order
 * of the list (FM13). */
static const struct dropper {
    unsigned clients;
    enum xds_cidr_form form;
    bool wants_chain; /* rejects a Listener of which no chain is left (L21) */
} droppers[] = {
    {XDS_GRFC | XDS_CORE, XDS_CIDR_MASKED, false},
    {XDS_GO, XDS_CIDR_UNMAPPED, true},
};

/* ---- ranges ---- */

void xds_chain_set_init(struct xds_chain_set *set, const struct xds_ctx *ctx)
{
    *set = (struct xds_chain_set){.arena = ctx->arena, .panel = ctx->panel};
    xds_strmap_init(&set->prefixes, ctx->arena);
    xds_strmap_init(&set->names, ctx->arena);
    xds_strmap_init(&set->seen, ctx->arena);
}

/* cidr NULL: any address. */
static struct xds_chain_prefix *prefix_of(struct xds_chain_set *set,
                                          const struct xds_cidr *cidr)
{
    const struct xds_slice key =
        cidr ? xds_slice_make((const char *)cidr, sizeof *cidr) : XDS_S("");
    void **slot = xds_strmap_at(&set->prefixes, key);

    if (!*slot) {
        struct xds_chain_prefix *prefix = XDS_NEW(set->arena, struct xds_chain_prefix);

        prefix->id = (uint32_t)set->prefixes.n;
        prefix->is_any = !cidr;
        if (cidr)
            prefix->cidr = *cidr;
        *slot = prefix;
    }
    return *slot;
}

static bool read_ranges(struct xds_ctx *ctx, const struct xds_path *at, const char *field,
                        size_t n, pb_cidr_range *const *pb, struct xds_chain_set *set,
                        struct xds_chain_ranges *out)
{
    struct xds_cidr cidr[XDS_CIDR_FORMS];
    bool ok = true;

    out->n = n ? n : 1;
    out->at = XDS_NEW_ARRAY(ctx->arena, struct xds_chain_range, out->n);
    for (size_t i = 0; i < out->n; i++) {
        if (n > 0 && !xds_cidr_range_read(ctx, XDS_AT_I(at, field, i), pb[i], cidr)) {
            ok = false;
            continue;
        }
        for (size_t form = 0; form < XDS_CIDR_FORMS; form++)
            out->at[i].form[form] = prefix_of(set, n > 0 ? &cidr[form] : NULL);
    }
    return ok;
}

/* ---- dropping ---- */

static bool has_destination_port(const pb_filter_chain_match *pb)
{
    return pb->destination_port && pb->destination_port->value != 0;
}

/* Otherwise the droppers do not look at the transport protocol, or not further. */
static bool is_for_plain_tcp(const pb_filter_chain_match *pb)
{
    return !has_destination_port(pb) && pb->n_server_names == 0 &&
           (*pb->transport_protocol == '\0' ||
            strcmp(pb->transport_protocol, "raw_buffer") == 0);
}

/* Who of the droppers keeps the chain at this destination. raw_buffer is more specific
 * than "": after the first chain with it those without are forgotten. */
static xds_readers keepers(struct xds_chain_set *set, const struct xds_chain_match *match,
                           const struct dropper *dropper,
                           const struct xds_chain_range *range)
{
    struct xds_chain_prefix *prefix = range->form[dropper->form];
    const xds_readers readers = xds_panel_of(set->panel, dropper->clients);
    const bool is_first = !(prefix->raw_buffer_for & readers);

    if (*match->pb->transport_protocol == '\0' && !is_first)
        return 0;
    if (*match->pb->transport_protocol != '\0' && is_first) {
        prefix->raw_buffer_for |= readers;
        if (dropper->wants_chain && prefix->has_chain) {
            prefix->has_chain = false;
            set->n_in_use--;
        }
    }
    if (match->pb->n_application_protocols > 0)
        return 0;
    if (dropper->wants_chain && !prefix->has_chain) {
        prefix->has_chain = true;
        set->n_in_use++;
    }
    return readers;
}

/* Who compares the chain whatever other chains say. */
static xds_readers comparers(const struct xds_ctx *ctx,
                             const struct xds_chain_match *match)
{
    const bool can_match =
        is_for_plain_tcp(match->pb) && match->pb->n_application_protocols == 0;
    xds_readers readers = xds_who(ctx, XDS_DIFF_CHAINS_ALL_COMPARED);

    if (!can_match)
        readers |= ~xds_who(ctx, XDS_DIFF_CHAINS_PRUNED_FIRST);
    return match->is_set ? readers
                         : readers & ~xds_who(ctx, XDS_DIFF_CHAIN_WITHOUT_MATCH_UNIQUE);
}

/* Returns the readers for which the chain is open at any destination. */
static xds_readers open_destinations(const struct xds_ctx *ctx, struct xds_chain_set *set,
                                     struct xds_chain_match *match)
{
    const bool reaches_transport = is_for_plain_tcp(match->pb);
    xds_readers any = 0;

    match->open = XDS_NEW_ARRAY(set->arena, xds_readers, match->destination.n);
    for (size_t i = 0; i < match->destination.n; i++) {
        match->open[i] = comparers(ctx, match);
        for (size_t k = 0; reaches_transport && k < XDS_ARRAY_LEN(droppers); k++)
            match->open[i] |=
                keepers(set, match, &droppers[k], &match->destination.at[i]);
        any |= match->open[i];
    }
    return any;
}

/* ---- reading ---- */

static bool begin(struct xds_ctx *ctx, const struct xds_path *at,
                  const pb_filter_chain_match *pb, struct xds_chain_set *set,
                  struct xds_chain_match *out)
{
    static const pb_filter_chain_match no_match =
        ENVOY__CONFIG__LISTENER__V3__FILTER_CHAIN_MATCH__INIT;

    *out = (struct xds_chain_match){.pb = pb ? pb : &no_match, .is_set = pb != NULL};
    return read_ranges(ctx, at, "prefix_ranges", out->pb->n_prefix_ranges,
                       out->pb->prefix_ranges, set, &out->destination);
}

static bool read_source(struct xds_ctx *ctx, const struct xds_path *at,
                        xds_readers kept_by, struct xds_chain_set *set,
                        struct xds_chain_match *out)
{
    const int type = (int)out->pb->source_type;

    if (type < SOURCE_TYPE(ANY) || type > SOURCE_TYPE(EXTERNAL))
        xds_fire_for(ctx, at,
                     kept_by | ~xds_who(ctx, XDS_DIFF_CHAIN_DROPPED_SOURCE_UNREAD),
                     XDS_R_FCM_SOURCE_TYPE, XDS_WITH(xds_number(ctx, type)));
    return read_ranges(ctx, at, "source_prefix_ranges", out->pb->n_source_prefix_ranges,
                       out->pb->source_prefix_ranges, set, &out->source);
}

xds_readers xds_chain_match_read(struct xds_ctx *ctx, const struct xds_path *at,
                                 const pb_filter_chain_match *pb,
                                 struct xds_chain_set *set, struct xds_chain_match *out)
{
    const xds_readers live = ctx->live;
    const xds_readers unread = xds_who(ctx, XDS_DIFF_CHAIN_DROPPED_UNREAD);
    xds_readers readers, kept_by = XDS_EVERYONE;

    if (pb && has_destination_port(pb))
        ctx->live &= ~unread;
    const bool is_usable = begin(ctx, at, pb, set, out);
    set->has_unusable |= !is_usable && (ctx->live & unread);
    if (is_usable)
        kept_by = open_destinations(ctx, set, out);
    ctx->live &= kept_by | ~unread;
    out->is_usable = read_source(ctx, at, kept_by, set, out);
    set->has_unusable |= !out->is_usable && (ctx->live & unread);
    out->is_usable &= is_usable;
    readers = ctx->live;
    ctx->live = live;
    return readers;
}

void xds_chain_match_check(struct xds_ctx *ctx, const struct xds_path *at,
                           const pb_filter_chain_match *pb, struct xds_chain_set *set)
{
    const xds_readers live = ctx->live;
    struct xds_chain_match match;

    ctx->live &= ~xds_who(ctx, XDS_DIFF_DEFAULT_CHAIN_MATCH_UNREAD);
    (void)begin(ctx, at, pb, set, &match);
    (void)read_source(ctx, at, XDS_EVERYONE, set, &match);
    ctx->live = live;
}
