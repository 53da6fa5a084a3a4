/*
 * filter_chain_text.c - the match of a filter chain as C-core writes it in an error.
 *
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

/* One item of the list of a field. */
static void add_item(struct xds_text *text, const char *name, size_t i,
                     struct xds_slice item)
{
    if (i == 0)
        begin_field(text, name);
    xds_text_add(text, i ? XDS_S(", ") : XDS_S("{"));
    xds_text_add(text, item);
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
