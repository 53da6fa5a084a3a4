/*
 * hover.c - what is known at a position: of a finding its rule and the rows of the spec
 * that it cites, of a field who reads it.
 */
#include "cli/lsp/lsp.h"

#include <stdlib.h>
#include <string.h>

/* More pages are no help. */
#define MOST_PAGES 3

bool lsp_is_at(const struct lsp_place *at, const struct lsp_judged *judged,
               const struct xds_finding *finding)
{
    const struct lsp_text *text = &at->document->text;
    const size_t begin = lsp_text_place(text, finding->at.line, finding->at.column);
    const size_t end = lsp_text_place(text, finding->at.end_line, finding->at.end_column);

    return lsp_is_in(judged, at->document, finding) && begin <= at->end &&
           at->begin <= (end > begin ? end : begin);
}

static void add_page(const struct lsp_server *server, struct lsp_buffer *out,
                     const struct xds_finding *finding)
{
    const struct xds_printer printer = {
        .write = lsp_buffer_write, .user = out, .quiet = true};

    if (out->len > 0)
        lsp_buffer_add(out, server->has_markdown ? "\n---\n\n" : "\n");
    if (server->has_markdown) {
        lsp_buffer_format(out, "**%s**: ", xds_level_name(finding->level));
        (void)lsp_markdown(out, finding->message);
        lsp_buffer_add(out, "\n\n");
        if (xds_print_rule_markdown(&printer, finding->rule) != XDS_OK)
            lsp_lack();
    } else {
        (void)lsp_buffer_write(out, finding->message.data, finding->message.len);
        lsp_buffer_add(out, "\n");
        if (xds_print_rule(&printer, finding->rule) != XDS_OK)
            lsp_lack();
    }
}

/* "grfc, core", or "no gRPC client" */
static void add_clients(struct lsp_buffer *out, unsigned clients)
{
    const char *before = "";

    for (enum xds_client c = 0; c < XDS_CLIENTS; c++) {
        if (!(clients & XDS_CLIENT_BIT(c)))
            continue;
        lsp_buffer_format(out, "%s%s", before, xds_client_name(c));
        before = ", ";
    }
    if (*before == '\0')
        lsp_buffer_add(out, "no gRPC client");
}

static void add_field(const struct lsp_server *server, struct lsp_buffer *out,
                      const struct xds_spot *spot)
{
    const char *dot = strrchr(spot->message, '.');
    const char *quote = server->has_markdown ? "`" : "";
    const unsigned others = XDS_ALL_CLIENTS & ~spot->readers;

    if (out->len > 0)
        lsp_buffer_add(out, server->has_markdown ? "\n---\n\n" : "\n");
    lsp_buffer_format(out, "%s%s.%s: %s%s%s of %s%s%s", quote,
                      dot ? dot + 1 : spot->message, spot->field,
                      spot->is_list ? "repeated " : "", spot->type, quote, quote,
                      spot->message, quote);
    if (spot->is_deprecated)
        lsp_buffer_add(out, ", deprecated");
    lsp_buffer_add(out, "\n");
    if (!spot->has_readers)
        return;
    lsp_buffer_add(out, "\nread by ");
    add_clients(out, spot->readers);
    if (spot->readers && others) {
        lsp_buffer_add(out, "; not read by ");
        add_clients(out, others);
    }
    lsp_buffer_add(out, "\n");
    if (spot->hint && others) {
        lsp_buffer_add(out, "\nwhere it is not read: ");
        if (server->has_markdown)
            (void)lsp_markdown(out, slice_of(spot->hint));
        else
            lsp_buffer_add(out, spot->hint);
        lsp_buffer_add(out, "\n");
    }
}

/* Errors first. */
static void add_findings(const struct lsp_server *server, const struct lsp_place *at,
                         const struct lsp_judged *judged, struct lsp_buffer *out)
{
    const size_t n = xds_report_findings(judged->report);
    size_t pages = 0;

    for (int level = XDS_LEVEL_ERROR; level >= XDS_LEVEL_NOTE; level--)
        for (size_t i = 0; i < n && pages < MOST_PAGES; i++) {
            const struct xds_finding *finding = xds_report_finding(judged->report, i);

            if ((int)finding->level != level || !lsp_is_at(at, judged, finding))
                continue;
            add_page(server, out, finding);
            pages++;
        }
}

cJSON *lsp_hover(struct lsp_server *server, const struct lsp_place *at)
{
    const struct lsp_judged *judged = lsp_document_judged(server, at->document);
    const struct xds_slice text = {at->document->text.data, at->document->text.len};
    struct lsp_buffer out = {.data = NULL};
    struct xds_spot *spot = NULL;
    cJSON *hover = NULL;

    if (!judged || !lsp_is_ours(judged, at->document))
        return cJSON_CreateNull();
    add_findings(server, at, judged, &out);
    if (xds_spot_new(at->document->name, text, judged->input.type, at->line, at->column,
                     &spot) != XDS_OK)
        lsp_lack();
    if (spot)
        add_field(server, &out, spot);
    if (out.len > 0) {
        hover = cJSON_CreateObject();
        cJSON *contents = cJSON_AddObjectToObject(hover, "contents");

        cJSON_AddStringToObject(contents, "kind",
                                server->has_markdown ? "markdown" : "plaintext");
        lsp_put(contents, "value", (struct xds_slice){out.data, out.len});
    }
    if (hover && spot && spot->key.line > 0 && spot->value.line != at->line)
        cJSON_AddItemToObject(
            hover, "range",
            lsp_place_range(&at->document->text, &spot->key, server->encoding));
    xds_spot_free(spot);
    free(out.data);
    return hover ? hover : cJSON_CreateNull();
}
