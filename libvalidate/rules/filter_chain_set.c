/*
 * filter_chain_set.c - find filter chains that are for the same connections: everything
 * that a chain matches, one value of each field, is looked up in one table.
 *
 * Source: gRFC A36, spec FM9, FM10, FM13, G59, G60.
 */
#include "base/limits.h"
#include "rules/filter_chain_match.h"

/* How clients compare. Each reader has its own bit in the table, so that the keys of two
 * of them may be equal and mean different things. */
static const struct reading {
    unsigned clients;
    enum xds_cidr_form form;
    uint32_t source_ports; /* these bits of them are compared */
    bool port_0_is_any;    /* of source_ports */
    bool port_0_is_a_port; /* of destination_port: not the same as none */
} readings[] = {
    {XDS_GRFC, XDS_CIDR_MASKED, UINT32_MAX, true, false},
    {XDS_CORE, XDS_CIDR_MASKED, UINT16_MAX, true, false},
    {XDS_GO, XDS_CIDR_UNMAPPED, UINT32_MAX, true, false},
    {XDS_JAVA, XDS_CIDR_AS_WRITTEN, UINT32_MAX, false, false},
    {XDS_NODE, XDS_CIDR_MASKED, UINT32_MAX, false, true},
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

    /* A field without entries still gives one: none. */
    return (struct product){
        .match = match,
        .n = {[DESTINATION] = match->destination.n,
              [SOURCE] = match->source.n,
              [SOURCE_PORT] = pb->n_source_ports ? pb->n_source_ports : 1,
              [SERVER_NAME] = pb->n_server_names ? pb->n_server_names : 1,
              [APPLICATION] =
                  pb->n_application_protocols ? pb->n_application_protocols : 1},
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
        .source_port = pb->n_source_ports
                           ? pb->source_ports[at[SOURCE_PORT]] & reading->source_ports
                           : 0,
        .has_source_port = !reading->port_0_is_any && pb->n_source_ports > 0,
        .source_type = (uint32_t)pb->source_type,
        .transport_protocol = product->transport_protocol,
        .server_name = product->server_names ? product->server_names[at[SERVER_NAME]] : 0,
        .application_protocol = product->application_protocols
                                    ? product->application_protocols[at[APPLICATION]]
                                    : 0,
    };
}

/* Returns those of the readers that have met the key before. */
static xds_readers meet(struct xds_chain_set *set, const struct key *key,
                        xds_readers readers)
{
    void **slot =
        xds_strmap_at(&set->seen, xds_slice_make((const char *)key, sizeof *key));

    if (!*slot)
        *slot = XDS_NEW(set->arena, xds_readers);

    xds_readers *seen_by = *slot;
    const xds_readers met_by = *seen_by & readers;

    *seen_by |= readers;
    return met_by;
}

/* The match with this number: its entries are the digits. */
static xds_readers meet_nth(struct xds_chain_set *set, const struct product *product,
                            size_t number)
{
    size_t at[DIMENSIONS];
    xds_readers met_by = 0;

    for (size_t i = 0; i < DIMENSIONS; i++) {
        at[i] = number % product->n[i];
        number /= product->n[i];
    }
    for (const struct reading *r = readings; r < readings + XDS_ARRAY_LEN(readings);
         r++) {
        const xds_readers readers =
            product->match->open[at[DESTINATION]] & xds_panel_of(set->panel, r->clients);
        const struct key key = key_of(product, at, r);

        if (readers)
            met_by |= meet(set, &key, readers);
    }
    return met_by;
}

void xds_chain_set_add(struct xds_ctx *ctx, struct xds_chain_set *set,
                       const struct xds_chain_match *match)
{
    if (!match->is_usable) {
        return;
    }

    struct product product = product_of(match);
    const size_t n = count(&product, XDS_MAX_FILTER_CHAIN_MATCHES);
    xds_readers met_by = 0;

    if (!set->is_full && n > XDS_MAX_FILTER_CHAIN_MATCHES - set->n_matches) {
        set->is_full = true;
        xds_fire_with(ctx, NULL, XDS_R_FCM_TOO_MANY,
                      XDS_WITH(xds_number(ctx, XDS_MAX_FILTER_CHAIN_MATCHES)));
    }
    if (set->is_full)
        return;
    set->n_matches += n;
    intern_names(set, &product);
    for (size_t i = 0; i < n; i++)
        met_by |= meet_nth(set, &product, i);
    if (met_by & ctx->live)
        xds_fire_for(ctx, NULL, met_by, XDS_R_FCM_DUPLICATE,
                     XDS_WITH(xds_chain_match_text(ctx->arena, match)));
}
