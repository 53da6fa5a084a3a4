/*
 * filter_chain_match.c - judge the match of a filter chain, and who drops the chain.
 *
 * Takes:  a decoded FilterChainMatch, NULL when it was not set.
 * Gives:  its ranges, shared by the chains of the Listener, and the clients that go on.
 * Fires:  FCM_SOURCE_TYPE, and the rows of cidr_range.def.
 * Source: gRFC A36, spec section 2.3, L22, L23.
 */
#include "rules/filter_chain_match.h"

#define SOURCE_TYPE(arm)                                                                 \
    ENVOY__CONFIG__LISTENER__V3__FILTER_CHAIN_MATCH__CONNECTION_SOURCE_TYPE__##arm

/* These drop a chain that cannot match before they compare it with others, in the order
 * of the list (FM13). */
static const struct dropper {
    unsigned clients;
    enum xds_cidr_form form;
} droppers[] = {
    {XDS_GRFC | XDS_CORE, XDS_CIDR_MASKED},
    {XDS_GO, XDS_CIDR_UNMAPPED},
};

/* ---- ranges ----------------------------------------------------------------------- */

void xds_chain_set_init(struct xds_chain_set *set, struct xds_arena *arena)
{
    *set = (struct xds_chain_set){.arena = arena};
    xds_strmap_init(&set->prefixes, arena);
    xds_strmap_init(&set->names, arena);
    xds_strmap_init(&set->seen, arena);
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

static struct xds_chain_range range_of(struct xds_chain_set *set,
                                       const struct xds_cidr *forms)
{
    struct xds_chain_range range;

    for (size_t i = 0; i < XDS_CIDR_FORMS; i++)
        range.form[i] = prefix_of(set, forms ? &forms[i] : NULL);
    return range;
}

struct field {
    const char *name;
    size_t n;
    pb_cidr_range *const *pb;
};

static bool read_ranges(struct xds_ctx *ctx, const struct xds_path *at,
                        const struct field *field, struct xds_chain_set *set,
                        struct xds_chain_ranges *out)
{
    struct xds_cidr forms[XDS_CIDR_FORMS];
    bool ok = true;

    out->n = field->n ? field->n : 1;
    out->at = XDS_NEW_ARRAY(ctx->arena, struct xds_chain_range, out->n);
    if (field->n == 0)
        out->at[0] = range_of(set, NULL);
    for (size_t i = 0; i < field->n; i++) {
        if (xds_cidr_range_read(ctx, XDS_AT_I(at, field->name, i), field->pb[i], forms))
            out->at[i] = range_of(set, forms);
        else
            ok = false;
    }
    return ok;
}

/* ---- dropping --------------------------------------------------------------------- */

static bool has_destination_port(const pb_filter_chain_match *pb)
{
    return pb->destination_port && pb->destination_port->value != 0;
}

/* The droppers never get to the transport protocol of others, or not beyond it. */
static bool is_for_plain_tcp(const pb_filter_chain_match *pb)
{
    return !has_destination_port(pb) && pb->n_server_names == 0 &&
           (*pb->transport_protocol == '\0' ||
            strcmp(pb->transport_protocol, "raw_buffer") == 0);
}

/* raw_buffer is more specific than "": who meets it first forgets the chains before. */
static void switch_to_raw_buffer(struct xds_chain_set *set,
                                 struct xds_chain_prefix *prefix, unsigned clients)
{
    if (prefix->raw_buffer_for & clients)
        return;
    prefix->raw_buffer_for |= clients;
    if (clients & XDS_GO && prefix->has_chain) {
        prefix->has_chain = false;
        set->n_in_use--;
    }
}

/* Who of the droppers keeps the chain at this destination. */
static unsigned keepers(struct xds_chain_set *set, const struct xds_chain_match *match,
                        const struct dropper *dropper,
                        const struct xds_chain_range *range)
{
    struct xds_chain_prefix *prefix = range->form[dropper->form];

    if (*match->pb->transport_protocol != '\0')
        switch_to_raw_buffer(set, prefix, dropper->clients);
    else if (prefix->raw_buffer_for & dropper->clients)
        return 0;
    if (match->pb->n_application_protocols > 0)
        return 0;
    if (dropper->clients & XDS_GO && !prefix->has_chain) {
        prefix->has_chain = true;
        set->n_in_use++;
    }
    return dropper->clients;
}

/* java and node compare every chain; to node one without a match is like no other (FM1).
 * The document wants chains that can never match to be compared as well. */
static unsigned comparers(const struct xds_chain_match *match)
{
    const bool can_match =
        is_for_plain_tcp(match->pb) && match->pb->n_application_protocols == 0;

    return XDS_JAVA | (match->is_set ? XDS_NODE : 0) | (can_match ? 0 : XDS_GRFC);
}

/* Returns the clients for which the chain is open at any destination. */
static unsigned open_destinations(struct xds_chain_set *set,
                                  struct xds_chain_match *match)
{
    const bool reaches_transport = is_for_plain_tcp(match->pb);
    unsigned any = 0;

    match->open = XDS_NEW_ARRAY(set->arena, unsigned, match->destination.n);
    for (size_t i = 0; i < match->destination.n; i++) {
        match->open[i] = comparers(match);
        for (size_t k = 0; reaches_transport && k < XDS_ARRAY_LEN(droppers); k++)
            match->open[i] |=
                keepers(set, match, &droppers[k], &match->destination.at[i]);
        any |= match->open[i];
    }
    return any;
}

/* ---- reading ---------------------------------------------------------------------- */

static const pb_filter_chain_match no_match =
    ENVOY__CONFIG__LISTENER__V3__FILTER_CHAIN_MATCH__INIT;

static void begin(struct xds_chain_match *match, const pb_filter_chain_match *pb)
{
    *match = (struct xds_chain_match){.pb = pb ? pb : &no_match, .is_set = pb != NULL};
}

static bool read_destination(struct xds_ctx *ctx, const struct xds_path *at,
                             struct xds_chain_set *set, struct xds_chain_match *out)
{
    const struct field field = {"prefix_ranges", out->pb->n_prefix_ranges,
                                out->pb->prefix_ranges};

    return read_ranges(ctx, at, &field, set, &out->destination);
}

static bool read_source(struct xds_ctx *ctx, const struct xds_path *at,
                        struct xds_chain_set *set, struct xds_chain_match *out)
{
    const struct field field = {"source_prefix_ranges", out->pb->n_source_prefix_ranges,
                                out->pb->source_prefix_ranges};
    const int type = (int)out->pb->source_type;

    if (type < SOURCE_TYPE(ANY) || type > SOURCE_TYPE(EXTERNAL))
        xds_fire(ctx, XDS_AT(at, "source_type"), XDS_R_FCM_SOURCE_TYPE, "invalid value");
    return read_ranges(ctx, at, &field, set, &out->source);
}

/* go drops a chain as soon as it comes to a field that rules it out, and reads nothing
 * behind that field. */
unsigned xds_chain_match_read(struct xds_ctx *ctx, const struct xds_path *at,
                              const pb_filter_chain_match *pb, struct xds_chain_set *set,
                              struct xds_chain_match *out)
{
    const unsigned live = ctx->live;
    unsigned readers;

    begin(out, pb);
    if (has_destination_port(out->pb))
        ctx->live &= ~XDS_GO;
    out->is_usable = read_destination(ctx, at, set, out);
    if (out->is_usable && !(open_destinations(set, out) & XDS_GO))
        ctx->live &= ~XDS_GO;
    out->is_usable = read_source(ctx, at, set, out) && out->is_usable;
    readers = ctx->live;
    ctx->live = live;
    return readers;
}

void xds_chain_match_check(struct xds_ctx *ctx, const struct xds_path *at,
                           const pb_filter_chain_match *pb, struct xds_chain_set *set)
{
    const unsigned live = ctx->live;
    struct xds_chain_match match;

    begin(&match, pb);
    ctx->live &= ~(XDS_GO | XDS_NODE);
    (void)read_destination(ctx, at, set, &match);
    (void)read_source(ctx, at, set, &match);
    ctx->live = live;
}
