/*
 * filter_chain_match.c - check the matches of filter chains, who drops a chain, and which
 * chains are for the same connections.
 *
 * Source: gRFC A36, spec listener 2.3, L22, L23, FM9, FM10, FM13, G56 to G60.
 */
#include "base/text.h"
#include "rules/inner.h"

/* ---- ranges of addresses ---- */

#define MAPPED_BITS 96 /* ::ffff:0:0/96 holds the IPv4 addresses */

static uint32_t bits_of(uint32_t family)
{
    return family == 4 ? 32 : 128;
}

static void mask(struct xds_cidr *cidr)
{
    if (cidr->prefix_len > bits_of(cidr->family))
        cidr->prefix_len = bits_of(cidr->family);
    for (uint32_t i = 0; i < sizeof cidr->ip; i++) {
        const uint32_t left = cidr->prefix_len > 8 * i ? cidr->prefix_len - 8 * i : 0;

        cidr->ip[i] &= (unsigned char)(0xff00U >> (left < 8 ? left : 8));
    }
}

/* IPv4 inside IPv6 as IPv4. The length is then one of IPv4; those that take one of IPv6
 * leave out what the address is inside of. */
static struct xds_cidr unmapped(struct xds_cidr cidr)
{
    static const unsigned char mark[MAPPED_BITS / 8] = {[10] = 0xff, [11] = 0xff};
    struct xds_cidr v4 = {.family = 4,
                          .prefix_len = cidr.prefix_len < MAPPED_BITS
                                            ? cidr.prefix_len
                                            : cidr.prefix_len - MAPPED_BITS};

    if (cidr.family != 6 || memcmp(cidr.ip, mark, sizeof mark) != 0)
        return cidr;
    memcpy(v4.ip, cidr.ip + sizeof mark, 4);
    return v4;
}

/* Of an address that is not a plain literal: who refuses it. */
static xds_readers refusing(const struct xds_ctx *ctx, struct xds_slice text, bool bare,
                            struct xds_sockaddr *out, bool *parsed)
{
    struct xds_slice zone;

    *parsed = true;
    if (xds_sockaddr_parse_zone(text, 0, out, &zone))
        return ~(xds_zone_known_to(ctx, out, text, zone) |
                 (bare && zone.len > 0 ? xds_who(ctx, XDS_DIFF_CIDR_ZONE_ANY) : 0));
    if (xds_sockaddr_parse_digits(text, 0, out))
        return ~xds_who(ctx, XDS_DIFF_ADDRESS_ANY_DIGITS) |
               xds_who(ctx, XDS_DIFF_CIDR_RESOLVED);
    if (xds_sockaddr_parse_joined(text, 0, out))
        return ~xds_who(ctx, XDS_DIFF_ADDRESS_JOINED);
    *parsed = false;
    return XDS_EVERYONE;
}

bool xds_cidr_range_read(struct xds_ctx *ctx, const struct xds_path *at,
                         const pb_cidr_range *pb, struct xds_cidr out[XDS_CIDR_FORMS])
{
    const struct xds_slice text = xds_slice_of(pb->address_prefix);
    const uint32_t len = pb->prefix_len ? pb->prefix_len->value : 0;
    struct xds_sockaddr address;
    const bool bare = !xds_slice_starts(text, XDS_S("["));
    bool parsed = xds_sockaddr_parse(text, 0, &address);
    xds_readers refused_by = bare ? 0 : xds_who(ctx, XDS_DIFF_CIDR_BRACKETS);

    if (!parsed)
        refused_by = refusing(ctx, text, bare, &address, &parsed);
    /* Without an IPv4 address or a zone at its end. */
    if (parsed && address.family == 6 &&
        !(xds_slice_find(text, '.') == text.len && xds_slice_find(text, '%') == text.len))
        refused_by |= xds_who(ctx, XDS_DIFF_CIDR_HEX_ONLY);
    if (xds_address_resolves(text) || xds_slice_eq_fold(text, XDS_S("localhost")))
        refused_by &= ~xds_who(ctx, XDS_DIFF_CIDR_RESOLVED);
    if ((text.len == 0 || xds_slice_eq_fold(text, XDS_S("localhost"))) &&
        refused_by != XDS_EVERYONE)
        parsed = xds_sockaddr_parse(XDS_S("127.0.0.1"), 0, &address);
    if (xds_slice_find(text, '%') < text.len)
        refused_by |= xds_who(ctx, XDS_DIFF_CIDR_ZONE_NONE);
    if (refused_by)
        xds_fire_for(ctx, at, refused_by, XDS_R_CIDR_ADDRESS,
                     XDS_WITH(text, xds_address_fault(ctx->arena, text, 0)));
    if (!parsed)
        return false;
    struct xds_cidr cidr = {.family = address.family, .prefix_len = len};

    memcpy(cidr.ip, address.ip, sizeof cidr.ip);
    out[XDS_CIDR_UNMAPPED] = unmapped(cidr);
    out[XDS_CIDR_INSIDE] = len < MAPPED_BITS ? cidr : out[XDS_CIDR_UNMAPPED];
    out[XDS_CIDR_AS_WRITTEN] = out[XDS_CIDR_UNMAPPED];
    out[XDS_CIDR_AS_WRITTEN].prefix_len = len;
    if (len > bits_of(out[XDS_CIDR_UNMAPPED].family))
        xds_fire_for(ctx, at,
                     len > bits_of(cidr.family)
                         ? XDS_EVERYONE
                         : xds_who(ctx, XDS_DIFF_CIDR_LENGTH_UNMAPPED),
                     XDS_R_CIDR_PREFIX_LEN,
                     XDS_WITH(xds_number(ctx, len),
                              xds_number(ctx, bits_of(out[XDS_CIDR_UNMAPPED].family))));
    mask(&cidr);
    out[XDS_CIDR_MASKED] = cidr;
    mask(&out[XDS_CIDR_UNMAPPED]);
    mask(&out[XDS_CIDR_INSIDE]);
    return true;
}

struct xds_slice xds_cidr_text(struct xds_arena *arena, const struct xds_cidr *cidr)
{
    struct xds_sockaddr address = {.family = cidr->family};
    char text[XDS_SOCKADDR_TEXT];

    memcpy(address.ip, cidr->ip, sizeof address.ip);

    const size_t len = xds_sockaddr_format(&address, text);

    return xds_arena_printf(arena, "{address_prefix=%.*s, prefix_len=%u}", (int)len, text,
                            cidr->prefix_len);
}

/* ---- a match as C-core writes it ---- */

/* Empty, or the beginning of the next field. */
static void begin_field(struct xds_text *text, const char *name)
{
    xds_text_printf(text, "%s%s=", text->len > 1 ? ", " : "", name);
}

/* One item of the list of a field. */
static void add_item(struct xds_text *text, const char *name, size_t i,
                     struct xds_slice item)
{
    if (i == 0)
        begin_field(text, name);
    xds_text_printf(text, "%s%.*s", i ? ", " : "{", XDS_FMT(item));
}

static void end_list(struct xds_text *text, size_t n)
{
    if (n > 0)
        xds_text_add(text, XDS_S("}"));
}

static void add_ranges(struct xds_text *text, const char *name,
                       const struct xds_chain_ranges *ranges)
{
    const size_t n = ranges->at[0].form[XDS_CIDR_MASKED]->is_any ? 0 : ranges->n;

    for (size_t i = 0; i < n; i++)
        add_item(text, name, i,
                 xds_cidr_text(text->arena, &ranges->at[i].form[XDS_CIDR_MASKED]->cidr));
    end_list(text, n);
}

static void add_names(struct xds_text *text, const char *name, size_t n,
                      char *const *names)
{
    for (size_t i = 0; i < n; i++)
        add_item(text, name, i, xds_slice_of(names[i]));
    end_list(text, n);
}

static void add_word(struct xds_text *text, const char *name, const char *word)
{
    if (*word == '\0')
        return;
    begin_field(text, name);
    xds_text_add(text, xds_slice_of(word));
}

/* C-core leaves out ANY, and what it does not know. */
static const char *source_type_name(const pb_filter_chain_match *pb)
{
    static const char *const names[] = {"", "SAME_IP_OR_LOOPBACK", "EXTERNAL"};
    const unsigned type = (unsigned)pb->source_type;

    return type < XDS_ARRAY_LEN(names) ? names[type] : "";
}

struct xds_slice xds_chain_match_text(struct xds_arena *arena,
                                      const struct xds_chain_match *match)
{
    const pb_filter_chain_match *pb = match->pb;
    struct xds_text text = {.arena = arena};

    xds_text_add(&text, XDS_S("{"));
    if (pb->destination_port && pb->destination_port->value != 0) {
        begin_field(&text, "destination_port");
        xds_text_add_number(&text, pb->destination_port->value);
    }
    add_ranges(&text, "prefix_ranges", &match->destination);
    add_word(&text, "source_type", source_type_name(pb));
    add_ranges(&text, "source_prefix_ranges", &match->source);
    for (size_t i = 0; i < pb->n_source_ports; i++)
        add_item(&text, "source_ports", i,
                 xds_arena_printf(arena, "%u", pb->source_ports[i]));
    end_list(&text, pb->n_source_ports);
    add_names(&text, "server_names", pb->n_server_names, pb->server_names);
    add_word(&text, "transport_protocol", pb->transport_protocol);
    add_names(&text, "application_protocols", pb->n_application_protocols,
              pb->application_protocols);
    xds_text_add(&text, XDS_S("}"));
    return xds_slice_make(text.data, text.len);
}

/* ---- chains for the same connections ---- */

/* How readers compare. Each reader has its own bit in the table, so that the keys of two
 * of them may be equal and mean different things. */
struct reading {
    enum xds_cidr_form form;
    bool cuts_source_ports;
    bool port_0_is_a_source;
    bool port_0_is_a_destination; /* not the same as none */
};

static xds_readers who(const struct xds_chain_set *set, enum xds_difference difference,
                       bool differ)
{
    const xds_readers all = set->panel->differing[difference];

    return differ ? all : ~all;
}

static xds_readers of_form(const struct xds_chain_set *set, enum xds_cidr_form form)
{
    const xds_readers unmapped = who(set, XDS_DIFF_CHAIN_CIDR_UNMAPPED, true);
    const xds_readers inside = who(set, XDS_DIFF_CHAIN_CIDR_INSIDE, true);
    const xds_readers as_written = who(set, XDS_DIFF_CHAIN_CIDR_AS_WRITTEN, true);

    switch (form) {
    case XDS_CIDR_UNMAPPED:
        return unmapped & ~inside;
    case XDS_CIDR_INSIDE:
        return inside;
    case XDS_CIDR_AS_WRITTEN:
        return as_written & ~(unmapped | inside);
    case XDS_CIDR_MASKED:
    case XDS_CIDR_FORMS:
        break;
    }
    return ~(unmapped | inside | as_written);
}

static xds_readers readers_of(const struct xds_chain_set *set, const struct reading *r)
{
    return set->panel->all & of_form(set, r->form) &
           who(set, XDS_DIFF_CHAIN_SOURCE_PORT_CUT, r->cuts_source_ports) &
           who(set, XDS_DIFF_CHAIN_SOURCE_PORT_0, r->port_0_is_a_source) &
           who(set, XDS_DIFF_CHAIN_DESTINATION_PORT_0, r->port_0_is_a_destination);
}

/* Only uint32_t: no padding between the bytes that are compared. 0 is "none". */
struct key {
    uint32_t destination, source;
    uint32_t destination_port, has_destination_port;
    uint32_t source_port, has_source_port;
    uint32_t source_type, transport_protocol;
    uint32_t server_name, application_protocol;
};

/* The repeated fields, and one entry of each. */
enum dimension { DESTINATION, SOURCE, SOURCE_PORT, SERVER_NAME, APPLICATION, DIMENSIONS };

struct product {
    const struct xds_chain_match *match;
    size_t n[DIMENSIONS];
    uint32_t transport_protocol;
    uint32_t *server_names, *application_protocols; /* NULL: none */
};

static uint32_t name_id(struct xds_chain_set *set, const char *name)
{
    void **slot = xds_strmap_at(&set->names, xds_slice_of(name));

    if (!*slot) {
        uint32_t *id = XDS_NEW(set->arena, uint32_t);

        *id = (uint32_t)set->names.n;
        *slot = id;
    }
    return *(const uint32_t *)*slot;
}

static uint32_t *name_ids(struct xds_chain_set *set, size_t n, char *const *names)
{
    uint32_t *ids = n ? XDS_NEW_ARRAY(set->arena, uint32_t, n) : NULL;

    for (size_t i = 0; i < n; i++)
        ids[i] = name_id(set, names[i]);
    return ids;
}

/* How many matches there are, or more than `most`. */
static size_t count(const struct product *product, size_t most)
{
    size_t total = 1;

    for (size_t i = 0; i < DIMENSIONS; i++) {
        if (product->n[i] > most / total)
            return most + 1;
        total *= product->n[i];
    }
    return total;
}

static struct key key_of(const struct product *product, const size_t at[DIMENSIONS],
                         const struct reading *reading)
{
    const struct xds_chain_match *match = product->match;
    const pb_filter_chain_match *pb = match->pb;
    const enum xds_cidr_form form = reading->form;

    return (struct key){
        .destination = match->destination.at[at[DESTINATION]].form[form]->id,
        .source = match->source.at[at[SOURCE]].form[form]->id,
        .destination_port = pb->destination_port ? pb->destination_port->value : 0,
        .has_destination_port = reading->port_0_is_a_destination && pb->destination_port,
        .source_port = pb->n_source_ports
                           ? pb->source_ports[at[SOURCE_PORT]] &
                                 (reading->cuts_source_ports ? UINT16_MAX : UINT32_MAX)
                           : 0,
        .has_source_port = reading->port_0_is_a_source && pb->n_source_ports > 0,
        .source_type = (uint32_t)pb->source_type,
        .transport_protocol = product->transport_protocol,
        .server_name = product->server_names ? product->server_names[at[SERVER_NAME]] : 0,
        .application_protocol = product->application_protocols
                                    ? product->application_protocols[at[APPLICATION]]
                                    : 0,
    };
}

/* Who has met what is matched; and who of them in a chain that they do not reject. */
struct seen {
    xds_readers by, in_sound;
};

/* Adds to *met those of the readers that have met the key before. */
static void meet(struct xds_chain_set *set, const struct key *key, struct seen readers,
                 struct seen *met)
{
    void **slot =
        xds_strmap_at(&set->seen, xds_slice_make((const char *)key, sizeof *key));

    if (!*slot)
        *slot = XDS_NEW(set->arena, struct seen);

    struct seen *seen = *slot;

    met->by |= seen->by & readers.by;
    met->in_sound |= seen->in_sound & readers.in_sound;
    seen->by |= readers.by;
    seen->in_sound |= readers.in_sound;
}

/* The match with this number: its entries are the digits. */
static void meet_nth(struct xds_chain_set *set, const struct product *product,
                     size_t number, xds_readers rejecting, struct seen *met)
{
    size_t at[DIMENSIONS];

    for (size_t i = 0; i < DIMENSIONS; i++) {
        at[i] = number % product->n[i];
        number /= product->n[i];
    }
    for (unsigned way = 0; way < 8 * XDS_CIDR_FORMS; way++) {
        const struct reading reading = {(enum xds_cidr_form)(way / 8), way & 1, way & 2,
                                        way & 4};
        const xds_readers readers =
            product->match->open[at[DESTINATION]] & readers_of(set, &reading);

        if (!readers)
            continue;
        const struct key key = key_of(product, at, &reading);

        meet(set, &key, (struct seen){readers, readers & ~rejecting}, met);
    }
}

void xds_chain_set_add(struct xds_ctx *ctx, struct xds_chain_set *set,
                       const struct xds_chain_match *match, xds_readers rejecting)
{
    if (!match->is_usable)
        return;

    const pb_filter_chain_match *pb = match->pb;

    /* A field without entries still gives one: none. */
    struct product product = {
        .match = match,
        .n = {[DESTINATION] = match->destination.n,
              [SOURCE] = match->source.n,
              [SOURCE_PORT] = pb->n_source_ports ? pb->n_source_ports : 1,
              [SERVER_NAME] = pb->n_server_names ? pb->n_server_names : 1,
              [APPLICATION] =
                  pb->n_application_protocols ? pb->n_application_protocols : 1},
    };
    const size_t n = count(&product, XDS_MAX_FILTER_CHAIN_MATCHES);
    struct seen met = {0};

    if (!set->is_full && n > XDS_MAX_FILTER_CHAIN_MATCHES - set->n_matches) {
        set->is_full = true;
        xds_fire_with(ctx, NULL, XDS_R_FCM_TOO_MANY,
                      XDS_WITH(xds_number(ctx, XDS_MAX_FILTER_CHAIN_MATCHES)));
    }
    if (set->is_full)
        return;
    set->n_matches += n;
    product.transport_protocol = name_id(set, pb->transport_protocol);
    product.server_names = name_ids(set, pb->n_server_names, pb->server_names);
    product.application_protocols =
        name_ids(set, pb->n_application_protocols, pb->application_protocols);
    for (size_t i = 0; i < n; i++)
        meet_nth(set, &product, i, rejecting, &met);
    if (!(met.by & ctx->live))
        return;
    ctx->silent = ~met.in_sound;
    xds_fire_for(ctx, NULL, met.by, XDS_R_FCM_DUPLICATE,
                 XDS_WITH(xds_chain_match_text(ctx->arena, match)));
    ctx->silent = 0;
}

/* ---- one match ---- */

#define SOURCE_TYPE(arm)                                                                 \
    ENVOY__CONFIG__LISTENER__V3__FILTER_CHAIN_MATCH__CONNECTION_SOURCE_TYPE__##arm

/* These drop a chain that cannot match before they compare it with others, in the order
 * of the list (FM13). */
static const struct dropper {
    enum xds_cidr_form form;
    bool wants_chain; /* rejects a Listener of which no chain is left (L21) */
} droppers[] = {
    {XDS_CIDR_MASKED, false}, {XDS_CIDR_UNMAPPED, true}, {XDS_CIDR_INSIDE, true}};

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
    const xds_readers readers =
        who(set, XDS_DIFF_CHAIN_RAW_BUFFER_FIRST, true) & of_form(set, dropper->form);
    const bool is_first = !(prefix->raw_buffer_for & readers);

    if (!readers) /* no release that drops so is asked */
        return 0;
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

/* Returns the readers for which the chain is open at any destination. */
static xds_readers open_destinations(const struct xds_ctx *ctx, struct xds_chain_set *set,
                                     struct xds_chain_match *match)
{
    const bool reaches_transport = is_for_plain_tcp(match->pb);
    const bool can_match = reaches_transport && match->pb->n_application_protocols == 0;
    xds_readers any = 0;

    /* Who compares the chain whatever other chains say. */
    xds_readers comparing = xds_who(ctx, XDS_DIFF_CHAINS_ALL_COMPARED);

    if (!can_match)
        comparing |= ~xds_who(ctx, XDS_DIFF_CHAINS_PRUNED_FIRST);
    if (!match->is_set)
        comparing &= ~xds_who(ctx, XDS_DIFF_CHAIN_WITHOUT_MATCH_UNIQUE);

    match->open = XDS_NEW_ARRAY(set->arena, xds_readers, match->destination.n);
    for (size_t i = 0; i < match->destination.n; i++) {
        match->open[i] = comparing;
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
    const xds_readers unread = xds_who(ctx, XDS_DIFF_CHAIN_DROPPED_UNREAD);
    xds_readers kept_by = XDS_EVERYONE;

    ctx = XDS_AMONG(ctx, pb && has_destination_port(pb) ? ~unread : XDS_EVERYONE);
    const bool is_usable = begin(ctx, at, pb, set, out);
    set->has_unusable |= !is_usable && (ctx->live & unread);
    if (is_usable)
        kept_by = open_destinations(ctx, set, out);
    ctx->live &= kept_by | ~unread;
    out->is_usable = read_source(ctx, at, kept_by, set, out);
    set->has_unusable |= !out->is_usable && (ctx->live & unread);
    out->is_usable &= is_usable;
    return ctx->live;
}

/* ---- the model ---- */

static const struct xds_chain_cidr *model_ranges(struct xds_ctx *ctx, size_t n,
                                                 pb_cidr_range *const *pb,
                                                 const struct xds_chain_ranges *ranges)
{
    struct xds_chain_cidr *list = XDS_NEW_ARRAY(ctx->arena, struct xds_chain_cidr, n);

    for (size_t i = 0; i < n; i++) {
        list[i].text = xds_arena_printf(ctx->arena, "%s/%u", pb[i]->address_prefix,
                                        pb[i]->prefix_len ? pb[i]->prefix_len->value : 0);
        list[i].is_usable = ranges->at && ranges->at[i].form[XDS_CIDR_MASKED] != NULL;
        for (size_t form = 0; list[i].is_usable && form < XDS_CIDR_FORMS; form++)
            list[i].form[form] = ranges->at[i].form[form]->cidr;
    }
    return list;
}

static const struct xds_slice *model_names(struct xds_ctx *ctx, size_t n,
                                           char *const *names)
{
    struct xds_slice *list = XDS_NEW_ARRAY(ctx->arena, struct xds_slice, n);

    for (size_t i = 0; i < n; i++)
        list[i] = xds_text(ctx, names[i]);
    return list;
}

struct xds_chain_criteria xds_chain_criteria_of(struct xds_ctx *ctx,
                                                const struct xds_chain_match *match)
{
    const pb_filter_chain_match *pb = match->pb;
    uint32_t *ports = XDS_NEW_ARRAY(ctx->arena, uint32_t, pb->n_source_ports);

    if (pb->n_source_ports > 0)
        memcpy(ports, pb->source_ports, pb->n_source_ports * sizeof *ports);
    return (struct xds_chain_criteria){
        .is_set = match->is_set,
        .has_destination_port = pb->destination_port != NULL,
        .destination_port = pb->destination_port ? pb->destination_port->value : 0,
        .destinations = model_ranges(ctx, pb->n_prefix_ranges, pb->prefix_ranges,
                                     &match->destination),
        .n_destinations = pb->n_prefix_ranges,
        .sources = model_ranges(ctx, pb->n_source_prefix_ranges, pb->source_prefix_ranges,
                                &match->source),
        .n_sources = pb->n_source_prefix_ranges,
        .source_type = (uint32_t)pb->source_type,
        .source_ports = ports,
        .n_source_ports = pb->n_source_ports,
        .server_names = model_names(ctx, pb->n_server_names, pb->server_names),
        .n_server_names = pb->n_server_names,
        .application_protocols =
            model_names(ctx, pb->n_application_protocols, pb->application_protocols),
        .n_application_protocols = pb->n_application_protocols,
        .transport_protocol = xds_text(ctx, pb->transport_protocol),
    };
}

void xds_chain_match_check(struct xds_ctx *ctx, const struct xds_path *at,
                           const pb_filter_chain_match *pb, struct xds_chain_set *set)
{
    struct xds_chain_match match;

    ctx = XDS_AMONG(ctx, ~xds_who(ctx, XDS_DIFF_DEFAULT_CHAIN_MATCH_UNREAD));
    (void)begin(ctx, at, pb, set, &match);
    (void)read_source(ctx, at, XDS_EVERYONE, set, &match);
}
