/* diagnostics.c - the findings of a document, as the protocol has them. */
#include "cli/lsp/lsp.h"

#include <stdlib.h>
#include <string.h>

enum { SEVERITY_ERROR = 1, SEVERITY_WARNING, SEVERITY_INFORMATION };
enum { TAG_UNNECESSARY = 1 };

static const int severities[] = {[XDS_LEVEL_NOTE] = SEVERITY_INFORMATION,
                                 [XDS_LEVEL_WARNING] = SEVERITY_WARNING,
                                 [XDS_LEVEL_ERROR] = SEVERITY_ERROR};

/* ---- parts of a diagnostic ---- */

/* What the clients that were asked for do about it: {"go": "NACK"}. */
static void put_data(cJSON *diagnostic, const struct xds_report *report,
                     const struct xds_finding *finding)
{
    cJSON *data = cJSON_AddObjectToObject(diagnostic, "data");
    const unsigned asked = xds_report_options(report)->clients;

    cJSON_AddStringToObject(data, "rule", finding->rule->slug);
    lsp_put(data, "path", finding->path);
    if (finding->resource != XDS_NO_RESOURCE) {
        const struct xds_resource_result *resource =
            xds_report_resource(report, finding->resource);

        lsp_put(data, "type", resource->type);
        lsp_put(data, "name", resource->name);
    }
    if (finding->rule->effect == XDS_EFFECT_SYNTAX ||
        finding->rule->effect == XDS_EFFECT_HYGIENE)
        return;
    cJSON *clients = cJSON_AddObjectToObject(data, "clients");

    for (enum xds_client c = 0; c < XDS_CLIENTS; c++)
        if (asked & XDS_CLIENT_BIT(c))
            cJSON_AddStringToObject(
                clients, xds_client_name(c),
                xds_verdict_name((enum xds_verdict)finding->verdict[c]));
}

static void put_related(const struct lsp_server *server, cJSON *diagnostic,
                        const struct lsp_judged *judged,
                        const struct xds_related *related)
{
    const struct xds_slice name = lsp_file(judged, judged->report, related->at.file);
    struct lsp_text stored;
    const struct lsp_text *text = lsp_text_of(server, name, &stored);
    char *uri = text && related->at.line > 0 ? lsp_uri_of(server, name) : NULL;

    if (uri) {
        cJSON *list = cJSON_AddArrayToObject(diagnostic, "relatedInformation");
        cJSON *item = cJSON_CreateObject();
        cJSON *location = cJSON_AddObjectToObject(item, "location");

        cJSON_AddStringToObject(location, "uri", uri);
        cJSON_AddItemToObject(location, "range",
                              lsp_place_range(text, &related->at, server->encoding));
        lsp_put(item, "message", related->message);
        cJSON_AddItemToArray(list, item);
    }
    free(uri);
    lsp_text_release(&stored);
}

/* "NACK by go, java; accepted by core, node", a line. */
static void add_verdicts(struct lsp_buffer *message, const struct xds_report *report,
                         const struct xds_finding *finding)
{
    const struct xds_printer printer = {.write = lsp_buffer_write, .user = message};

    if (finding->rule->effect == XDS_EFFECT_SYNTAX ||
        finding->rule->effect == XDS_EFFECT_HYGIENE)
        return;
    lsp_buffer_add(message, "\n");
    if (xds_print_verdicts(&printer, report, finding) != XDS_OK)
        lsp_lack();
}

cJSON *lsp_diagnostic(const struct lsp_server *server,
                      const struct lsp_document *document,
                      const struct lsp_judged *judged, const struct xds_finding *finding)
{
    cJSON *d = cJSON_CreateObject();
    const struct xds_rule_url page = xds_rule_url(finding->rule);
    struct lsp_buffer message = {.data = NULL};

    cJSON_AddItemToObject(
        d, "range", lsp_place_range(&document->text, &finding->at, server->encoding));
    cJSON_AddNumberToObject(d, "severity", severities[finding->level]);
    cJSON_AddStringToObject(d, "code", finding->rule->slug);
    if (*page.text && server->has_href)
        cJSON_AddStringToObject(cJSON_AddObjectToObject(d, "codeDescription"), "href",
                                page.text);
    cJSON_AddStringToObject(d, "source", "xdscope");
    (void)lsp_buffer_write(&message, finding->message.data, finding->message.len);
    add_verdicts(&message, judged->report, finding);
    lsp_put(d, "message", (struct xds_slice){message.data, message.len});
    free(message.data);
    if (finding->unread.data && server->has_tags)
        cJSON_AddItemToArray(cJSON_AddArrayToObject(d, "tags"),
                             cJSON_CreateNumber(TAG_UNNECESSARY));
    if (finding->related && server->has_related)
        put_related(server, d, judged, finding->related);
    put_data(d, judged->report, finding);
    return d;
}

/* ---- all of a document ---- */

/* The lowest level of which not all can be sent. */
static int cut_level(const struct lsp_judged *judged, const struct lsp_document *document,
                     size_t counts[])
{
    const size_t n = xds_report_findings(judged->report);
    size_t left = LSP_MAX_DIAGNOSTICS;

    for (size_t i = 0; i < n; i++) {
        const struct xds_finding *finding = xds_report_finding(judged->report, i);

        counts[finding->level] += lsp_is_in(judged, document, finding);
    }
    for (int level = XDS_LEVEL_ERROR; level >= XDS_LEVEL_NOTE; level--) {
        if (counts[level] > left)
            return level;
        left -= counts[level];
    }
    return -1;
}

static void put_more(cJSON *list, size_t left_out)
{
    static const struct lsp_text nowhere = {.data = NULL};
    struct lsp_buffer message = {.data = NULL};
    cJSON *d = cJSON_CreateObject();

    cJSON_AddItemToObject(d, "range", lsp_range(&nowhere, 0, 0, LSP_UTF16));
    cJSON_AddNumberToObject(d, "severity", SEVERITY_INFORMATION);
    cJSON_AddStringToObject(d, "source", "xdscope");
    lsp_buffer_format(&message, "%zu more findings are not shown; xdscope lint has them",
                      left_out);
    lsp_put(d, "message", (struct xds_slice){message.data, message.len});
    free(message.data);
    cJSON_AddItemToArray(list, d);
}

static void put_all(const struct lsp_server *server, const struct lsp_document *document,
                    const struct lsp_judged *judged, cJSON *list)
{
    const struct xds_report *report = judged->report;
    size_t counts[XDS_LEVEL_ERROR + 1] = {0}, left_out = 0;
    const int cut = cut_level(judged, document, counts);
    size_t room = LSP_MAX_DIAGNOSTICS;

    for (int level = XDS_LEVEL_ERROR; level > cut; level--)
        room -= counts[level];
    for (size_t i = 0; i < xds_report_findings(report); i++) {
        const struct xds_finding *finding = xds_report_finding(report, i);
        const bool fits =
            (int)finding->level > cut || ((int)finding->level == cut && room > 0);

        if (!lsp_is_in(judged, document, finding))
            continue;
        left_out += !fits;
        if (!fits)
            continue;
        room -= (int)finding->level == cut;
        cJSON_AddItemToArray(list, lsp_diagnostic(server, document, judged, finding));
    }
    if (left_out > 0)
        put_more(list, left_out);
}

/* Nothing is said while the settings are wrong: a message is. */
static void publish(struct lsp_server *server, struct lsp_document *document)
{
    const struct lsp_judged *judged = lsp_document_judged(server, document);
    cJSON *message = cJSON_CreateObject();

    cJSON_AddStringToObject(message, "jsonrpc", "2.0");
    cJSON_AddStringToObject(message, "method", "textDocument/publishDiagnostics");
    cJSON *params = cJSON_AddObjectToObject(message, "params");

    cJSON_AddStringToObject(params, "uri", document->uri);
    if (document->has_version)
        cJSON_AddNumberToObject(params, "version", document->version);
    cJSON *list = cJSON_AddArrayToObject(params, "diagnostics");

    if (judged && lsp_is_ours(judged, document))
        put_all(server, document, judged, list);
    lsp_send(message);
}

void lsp_publish(struct lsp_server *server)
{
    for (struct lsp_document *d = server->documents; d; d = d->next) {
        if (!d->is_dirty)
            continue;
        d->is_dirty = false;
        publish(server, d);
    }
}
