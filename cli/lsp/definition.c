/*
 * definition.c - from the name of a resource to where it is: in the same document, else
 * in the other open ones and in the files of the workspace.
 */
#include "cli/lsp/lsp.h"

#include <stdlib.h>
#include <string.h>

/* More places of one name are not listed. */
#define MOST_PLACES 100

/* Nor is more of the files looked at than takes a second or two: a workspace may have a
 * million of them, and the client waits. */
#define MOST_RESOURCES 100000
#define MOST_RESOURCES_TEXT "100,000"

struct search {
    struct lsp_server *server;
    const struct lsp_judged *judged; /* the document's */
    enum xds_resource_type type;     /* XDS_TYPE_UNKNOWN: any */
    struct xds_slice name;
    cJSON *places;
};

static void add_place(const struct search *s, const struct xds_report *report,
                      const struct xds_resource_result *resource)
{
    const struct xds_slice name = lsp_file(s->judged, report, resource->at.file);
    struct lsp_text stored;
    const struct lsp_text *text = lsp_text_of(s->server, name, &stored);
    char *uri = text ? lsp_uri_of(s->server, name) : NULL;

    if (uri) {
        struct xds_place at = resource->at;
        cJSON *location = cJSON_CreateObject();

        at.end_line = at.line;
        at.end_column = at.column;
        cJSON_AddStringToObject(location, "uri", uri);
        cJSON_AddItemToObject(location, "range",
                              lsp_place_range(text, &at, s->server->encoding));
        cJSON_AddItemToArray(s->places, location);
    }
    free(uri);
    lsp_text_release(&stored);
}

/* stored: files that are open were looked at as they are there. */
static void look_at(const struct search *s, const struct xds_report *report,
                    const struct lsp_document *not_in, bool stored)
{
    for (size_t i = 0; i < xds_report_resources(report); i++) {
        const struct xds_resource_result *r = xds_report_resource(report, i);
        const enum xds_resource_type type = xds_resource_type_from_name(r->type);
        const struct xds_slice file = lsp_file(s->judged, report, r->at.file);

        if (r->name.len != s->name.len || r->at.line == 0 ||
            memcmp(r->name.data, s->name.data, s->name.len) != 0 ||
            (s->type != XDS_TYPE_UNKNOWN && type != s->type) ||
            (stored && lsp_document_named(s->server, file)) ||
            (not_in && is_text(file, not_in->name)) ||
            cJSON_GetArraySize(s->places) >= MOST_PLACES)
            continue;
        add_place(s, report, r);
    }
}

static void look_in_open(const struct search *s, const struct lsp_document *not_in)
{
    for (struct lsp_document *d = s->server->documents; d; d = d->next) {
        const struct lsp_judged *judged =
            d == not_in ? NULL : lsp_document_judged(s->server, d);

        if (judged)
            look_at(s, judged->report, not_in, false);
    }
}

/* False when there is no memory. */
static bool read_files(struct xds_source *source, struct xds_check *check)
{
    enum xds_status status = XDS_OK;
    struct xds_resource resource;

    for (size_t n = 0; status == XDS_OK || status == XDS_ERR_IO; n += status == XDS_OK) {
        status = xds_source_next(source, &resource);
        if (status == XDS_OK && n == MOST_RESOURCES) {
            lsp_log(2,
                    "textDocument/definition: the workspace has more "
                    "than " MOST_RESOURCES_TEXT " resources; only those were searched");
            break;
        }
        if (status == XDS_OK)
            status = xds_check_resource(check, &resource);
    }
    return status != XDS_ERR_NO_MEMORY;
}

/* All that lint would read there, with what is left out of folders. */
static void look_in_files(const struct search *s)
{
    struct lsp_judged *judged = s->server->root ? lsp_settings_read(s->server) : NULL;
    struct xds_report *report = judged ? xds_report_new(&judged->input.options) : NULL;
    struct xds_check *check = report ? xds_check_new(report, false) : NULL;
    struct xds_source *source = check ? xds_source_new(report, judged->input.type) : NULL;

    if (source && xds_source_add(source, s->server->root) == XDS_OK &&
        read_files(source, check))
        look_at(s, report, NULL, true);
    else if (s->server->root)
        lsp_lack();
    xds_source_free(source);
    xds_check_free(check);
    xds_report_free(report);
    lsp_judged_free(judged);
}

/* ---- what is named at a place ---- */

/* The plain value at a place. */
static const struct xds_tree *find_value(const struct xds_tree *tree, uint32_t line,
                                         uint32_t column)
{
    if (tree->kind != XDS_TREE_ARRAY && tree->kind != XDS_TREE_OBJECT)
        return tree->line == line && tree->column <= column &&
                       (tree->end_line > line || tree->end_column >= column) &&
                       tree->kind == XDS_TREE_STRING
                   ? tree
                   : NULL;
    for (size_t i = 0; i < tree->n; i++) {
        const struct xds_tree *found = find_value(&tree->items[i], line, column);

        if (found)
            return found;
    }
    return NULL;
}

/* "xds:///NAME", "xds://AUTHORITY/NAME": NAME; else the text. */
static struct xds_slice target_name(struct xds_slice text, enum xds_resource_type *type)
{
    static const char scheme[] = "xds://";
    const size_t skip = sizeof scheme - 1;
    const char *slash = text.len > skip && strncmp(text.data, scheme, skip) == 0
                            ? memchr(text.data + skip, '/', text.len - skip)
                            : NULL;

    if (!slash)
        return text;
    *type = XDS_TYPE_LISTENER;
    return (struct xds_slice){slash + 1, (size_t)(text.data + text.len - slash - 1)};
}

static void search_all(struct search *s, const struct lsp_place *at, bool is_own)
{
    const struct lsp_judged *judged = lsp_document_judged(s->server, at->document);

    if (judged)
        look_at(s, judged->report, NULL, false);
    if (cJSON_GetArraySize(s->places) > 0 && !is_own)
        return;
    look_in_open(s, at->document);
    look_in_files(s);
}

/* A file of tests, or a scenario: names are plain texts there. */
static void search_word(struct search *s, const struct lsp_place *at)
{
    const struct xds_slice text = {at->document->text.data, at->document->text.len};
    struct xds_parsed *parsed;

    if (xds_parse(XDS_FORMAT_YAML, text, &parsed) != XDS_OK) {
        lsp_lack();
        return;
    }
    const struct xds_tree *tree = xds_parsed_tree(parsed);
    const struct xds_tree *value = tree ? find_value(tree, at->line, at->column) : NULL;

    if (value && value->text.len > 0) {
        s->name = target_name(value->text, &s->type);
        search_all(s, at, false);
    }
    xds_parsed_free(parsed);
}

cJSON *lsp_definition(struct lsp_server *server, const struct lsp_place *at)
{
    const struct lsp_judged *judged = lsp_document_judged(server, at->document);
    const struct xds_slice text = {at->document->text.data, at->document->text.len};
    struct search search = {
        .server = server, .judged = judged, .places = cJSON_CreateArray()};
    struct xds_spot *spot = NULL;

    if (!judged)
        return search.places;
    if (xds_spot_new(at->document->name, text, judged->input.type, at->line, at->column,
                     &spot) != XDS_OK) {
        lsp_lack();
        return search.places;
    }
    if (spot && spot->names != XDS_TYPE_UNKNOWN && spot->text.len > 0) {
        search.type = spot->names;
        search.name = spot->text;
        search_all(&search, at, spot->is_own);
    } else if (!spot && !lsp_is_ours(judged, at->document)) {
        search_word(&search, at);
    }
    xds_spot_free(spot);
    return search.places;
}
