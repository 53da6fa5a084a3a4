/*
 * filter_chain_set.c - find filter chains that are for the same connections: everything
 * that a chain matches, one value of each field, is looked up in one table.
 *
 * Takes:  the matches of the chains in the order of the list.
 * Gives:  nothing; the table keeps which clients have met what.
 * Fires:  FCM_DUPLICATE, once per chain, and FCM_TOO_MANY.
 * Source: gRFC A36, spec FM9, FM10, FM13, G59, G60.
 */
#include "base/limits.h"
#include "rules/filter_chain_match.h"

/* How clients compare. Each has its own bit in the table, so that the keys of two of them
 * may look alike and mean different things. */
static const struct reading {
    unsigned clients;
    enum xds_cidr_form form;
    bool port_0_is_any;    /* of source_ports */
    bool port_0_is_a_port; /* of destination_port: not the same as none */
} readings[] = {
    {XDS_GRFC | XDS_CORE, XDS_CIDR_MASKED, true, false},
    {XDS_GO, XDS_CIDR_UNMAPPED, true, false},
    {XDS_JAVA, XDS_CIDR_AS_WRITTEN, false, false},
    {XDS_NODE, XDS_CIDR_MASKED, false, true},
};

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

/* A field without entries still gives one: none. */
static size_t at_least_one(size_t n)
{
    return n ? n : 1;
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

static struct product product_of(const struct xds_chain_match *match)
{
    const pb_filter_chain_match *pb = match->pb;

    return (struct product){
        .match = match,
        .n = {[DESTINATION] = match->destination.n,
              [SOURCE] = match->source.n,
              [SOURCE_PORT] = at_least_one(pb->n_source_ports),
              [SERVER_NAME] = at_least_one(pb->n_server_names),
              [APPLICATION] = at_least_one(pb->n_application_protocols)},
    };
}

static void intern_names(struct xds_chain_set *set, struct product *product)
{
    const pb_filter_chain_match *pb = product->match->pb;

    product->transport_protocol = name_id(set, pb->transport_protocol);
    product->server_names = name_ids(set, pb->n_server_names, pb->server_names);
    product->application_protocols =
        name_ids(set, pb->n_application_protocols, pb->application_protocols);
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
        .has_destination_port = reading->port_0_is_a_port && pb->destination_port,
        .source_port = pb->n_source_ports ? pb->source_ports[at[SOURCE_PORT]] : 0,
        .has_source_port = !reading->port_0_is_any && pb->n_source_ports > 0,
        .source_type = (uint32_t)pb->source_type,
        .transport_protocol = product->transport_protocol,
        .server_name = product->server_names ? product->server_names[at[SERVER_NAME]] : 0,
        .application_protocol = product->application_protocols
                                    ? product->application_protocols[at[APPLICATION]]
                                    : 0,
    };
}

/* Returns those of the clients that have met the key before. */
static unsigned meet(struct xds_chain_set *set, const struct key *key, unsigned clients)
{
    void **slot =
        xds_strmap_at(&set->seen, xds_slice_make((const char *)key, sizeof *key));

    if (!*slot)
        *slot = XDS_NEW(set->arena, unsigned);

    unsigned *mask = *slot;
    const unsigned met_by = *mask & clients;

    *mask |= clients;
    return met_by;
}

/* The match with this number: its entries are the digits. */
static unsigned meet_nth(struct xds_chain_set *set, const struct product *product,
                         size_t number)
{
    size_t at[DIMENSIONS];
    unsigned met_by = 0;

    for (size_t i = 0; i < DIMENSIONS; i++) {
        at[i] = number % product->n[i];
        number /= product->n[i];
    }
    for (const struct reading *r = readings; r < readings + XDS_ARRAY_LEN(readings);
         r++) {
        const unsigned clients = product->match->open[at[DESTINATION]] & r->clients;
        const struct key key = key_of(product, at, r);

        if (clients)
            met_by |= meet(set, &key, clients);
    }
    return met_by;
}

static unsigned meet_all(struct xds_chain_set *set, const struct product *product,
                         size_t n)
{
    unsigned met_by = 0;

    for (size_t i = 0; i < n; i++)
        met_by |= meet_nth(set, product, i);
    return met_by;
}

/* False when the Listener has more matches than are compared. */
static bool has_room(struct xds_ctx *ctx, struct xds_chain_set *set, size_t n)
{
    if (!set->is_full && n > XDS_MAX_FILTER_CHAIN_MATCHES - set->n_matches) {
        set->is_full = true;
        xds_fire(ctx, XDS_AT(NULL, "filter_chains"), XDS_R_FCM_TOO_MANY,
                 "more than %d matches: duplicates among the rest are not looked for",
                 XDS_MAX_FILTER_CHAIN_MATCHES);
    }
    return !set->is_full;
}

void xds_chain_set_add(struct xds_ctx *ctx, struct xds_chain_set *set,
                       const struct xds_chain_match *match)
{
    if (!match->is_usable) {
        set->has_unusable = true;
        return;
    }

    struct product product = product_of(match);
    const size_t n = count(&product, XDS_MAX_FILTER_CHAIN_MATCHES);

    if (!has_room(ctx, set, n))
        return;
    set->n_matches += n;
    intern_names(set, &product);

    const unsigned met_by = meet_all(set, &product, n) & ctx->live;

    if (met_by)
        xds_fire_for(ctx, XDS_AT(NULL, "filter_chains"), met_by, XDS_R_FCM_DUPLICATE,
                     "duplicate matching rules detected when adding filter chain: %s",
                     xds_chain_match_text(ctx->arena, match).data);
}
