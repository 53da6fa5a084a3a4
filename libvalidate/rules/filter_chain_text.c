/*
 * filter_chain_text.c - turn the match of a filter chain into the text by which C-core
 * tells which chain it means.
 *
 * Takes:  a match whose ranges could all be read.
 * Gives:  the text, in the arena.
 * Source: spec FM10.
 */
#include "base/text.h"
#include "rules/filter_chain_match.h"

/* Empty, or the beginning of the next field. */
static void begin_field(struct xds_text *text, const char *name)
{
    if (text->len > 1)
        xds_text_add(text, XDS_S(", "));
    xds_text_add(text, xds_slice_of(name));
    xds_text_add(text, XDS_S("="));
}

static void begin_item(struct xds_text *text, size_t i)
{
    xds_text_add(text, i ? XDS_S(", ") : XDS_S("{"));
}

static void add_ranges(struct xds_text *text, const char *name,
                       const struct xds_chain_ranges *ranges)
{
    if (ranges->at[0].form[XDS_CIDR_MASKED]->is_any)
        return;
    begin_field(text, name);
    for (size_t i = 0; i < ranges->n; i++) {
        begin_item(text, i);
        xds_text_add(
            text, xds_cidr_text(text->arena, &ranges->at[i].form[XDS_CIDR_MASKED]->cidr));
    }
    xds_text_add(text, XDS_S("}"));
}

static void add_numbers(struct xds_text *text, const char *name, size_t n,
                        const uint32_t *numbers)
{
    if (n == 0)
        return;
    begin_field(text, name);
    for (size_t i = 0; i < n; i++) {
        begin_item(text, i);
        xds_text_add_number(text, numbers[i]);
    }
    xds_text_add(text, XDS_S("}"));
}

static void add_names(struct xds_text *text, const char *name, size_t n,
                      char *const *names)
{
    if (n == 0)
        return;
    begin_field(text, name);
    for (size_t i = 0; i < n; i++) {
        begin_item(text, i);
        xds_text_add(text, xds_slice_of(names[i]));
    }
    xds_text_add(text, XDS_S("}"));
}

static void add_word(struct xds_text *text, const char *name, const char *word)
{
    if (*word == '\0')
        return;
    begin_field(text, name);
    xds_text_add(text, xds_slice_of(word));
}

/* ANY is not worth a word, nor is what gRPC does not know. */
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
    add_numbers(&text, "source_ports", pb->n_source_ports, pb->source_ports);
    add_names(&text, "server_names", pb->n_server_names, pb->server_names);
    add_word(&text, "transport_protocol", pb->transport_protocol);
    add_names(&text, "application_protocols", pb->n_application_protocols,
              pb->application_protocols);
    xds_text_add(&text, XDS_S("}"));
    return xds_slice_make(text.data, text.len);
}
