/*
 * actions.c - what can be done about findings: a fix, and a comment or an entry of
 * xdscope.conf that says they are known.
 *
 * Each is tried before it is offered: the text that comes out of it is judged.
 */
#include "cli/lsp/lsp.h"

#include <stdlib.h>
#include <string.h>

/* So many findings of a range get actions. */
#define MOST_FINDINGS 8
#define SAID "say why"
#define CONF "xdscope.conf"

struct actions {
    struct lsp_server *server;
    const struct lsp_place *at;
    const struct lsp_judged *judged;
    const struct xds_tree *only;
    cJSON *list;
};

/* ---- edits ---- */

/* The bytes in which two texts differ, on borders of characters. */
static void differing(struct xds_slice old, struct xds_slice new, size_t *begin,
                      size_t *end_old, size_t *end_new)
{
    size_t from = 0, to = 0;

    while (from < old.len && from < new.len &&old.data[from] == new.data[from])
        from++;
    while (from > 0 && from < old.len && ((unsigned char)old.data[from] & 0xC0) == 0x80)
        from--;
    while (to < old.len - from &&
           to < new.len - from &&old.data[old.len - to - 1] == new.data[new.len - to - 1])
        to++;
    while (to > 0 && ((unsigned char)old.data[old.len - to] & 0xC0) == 0x80)
        to--;
    *begin = from;
    *end_old = old.len - to;
    *end_new = new.len - to;
}

/* One edit, of a document that is open or a file that is not: has_version says which. */
static cJSON *workspace_edit(const struct lsp_server *server, const char *uri,
                             const struct lsp_document *open, bool creates, cJSON *edit)
{
    cJSON *all = cJSON_CreateObject(), *edits = cJSON_CreateArray();

    cJSON_AddItemToArray(edits, edit);
    if (!server->has_document_changes) {
        cJSON_AddItemToObject(cJSON_AddObjectToObject(all, "changes"), uri, edits);
        return all;
    }
    cJSON *changes = cJSON_AddArrayToObject(all, "documentChanges");

    if (creates) {
        cJSON *create = cJSON_CreateObject();

        cJSON_AddStringToObject(create, "kind", "create");
        cJSON_AddStringToObject(create, "uri", uri);
        cJSON_AddItemToArray(changes, create);
    }
    cJSON *change = cJSON_CreateObject();
    cJSON *document = cJSON_AddObjectToObject(change, "textDocument");

    cJSON_AddStringToObject(document, "uri", uri);
    if (open && open->has_version)
        cJSON_AddNumberToObject(document, "version", open->version);
    else
        cJSON_AddNullToObject(document, "version");
    cJSON_AddItemToObject(change, "edits", edits);
    cJSON_AddItemToArray(changes, change);
    return all;
}

static struct xds_slice slice_of_text(const struct lsp_text *text)
{
    return (struct xds_slice){text->data ? text->data : "", text->len};
}

/* From a text to another one. */
static cJSON *edit_between(const struct lsp_server *server, const struct lsp_text *text,
                           struct xds_slice new)
{
    const struct xds_slice old = slice_of_text(text);
    cJSON *edit = cJSON_CreateObject();
    size_t begin, end_old, end_new;

    differing(old, new, &begin, &end_old, &end_new);
    cJSON_AddItemToObject(edit, "range",
                          lsp_range(text, begin, end_old, server->encoding));
    lsp_put(edit, "newText", (struct xds_slice){new.data + begin, end_new - begin});
    return edit;
}

static bool is_wanted(const struct actions *a, const char *kind)
{
    if (!a->only || a->only->kind != XDS_TREE_ARRAY || a->only->n == 0)
        return true;
    for (size_t i = 0; i < a->only->n; i++) {
        const struct xds_slice only = lsp_string(&a->only->items[i]);

        if (only.data && strncmp(kind, only.data, only.len) == 0 &&
            (kind[only.len] == '\0' || kind[only.len] == '.' || only.len == 0))
            return true;
    }
    return false;
}

static void add_action(const struct actions *a, const char *kind, const char *title,
                       const struct xds_finding *finding, bool preferred, cJSON *edit)
{
    cJSON *action = cJSON_CreateObject();

    lsp_put(action, "title", slice_of(title));
    cJSON_AddStringToObject(action, "kind", kind);
    if (finding)
        cJSON_AddItemToArray(
            cJSON_AddArrayToObject(action, "diagnostics"),
            lsp_diagnostic(a->server, a->at->document, a->judged, finding));
    if (preferred)
        cJSON_AddTrueToObject(action, "isPreferred");
    cJSON_AddItemToObject(action, "edit", edit);
    cJSON_AddItemToArray(a->list, action);
}

/* ---- fix ---- */

static struct xds_slice text_of(const struct actions *a)
{
    return (struct xds_slice){a->at->document->text.data, a->at->document->text.len};
}

static bool any_rule(const struct xds_rule *rule, void *user)
{
    (void)rule;
    (void)user;
    return true;
}

static bool is_same(const struct xds_finding *finding, void *user)
{
    const struct xds_finding *wanted = user;

    return finding->rule == wanted->rule && finding->at.line == wanted->at.line &&
           finding->at.column == wanted->at.column;
}

static void title_of_fix(const struct xds_finding *finding, struct lsp_buffer *out)
{
    const struct xds_rule *rule = finding->rule;

    switch (rule->edit) {
    case XDS_EDIT_RENAME:
        lsp_buffer_format(out, "Write \"%.*s\"", (int)finding->instead.len,
                          finding->instead.data);
        break;
    case XDS_EDIT_REMOVE:
        lsp_buffer_add(out, "Remove this repetition");
        break;
    case XDS_EDIT_WRAP:
        lsp_buffer_format(out, "Write \"%s\", which changes what RPCs do",
                          rule->edit_name);
        break;
    case XDS_EDIT_NONE:
        break;
    }
}

/* The finding alone is edited. */
static void offer_fix(const struct actions *a, const struct xds_finding *finding)
{
    struct lsp_document *document = a->at->document;
    struct xds_finding wanted = *finding;
    struct lsp_buffer title = {.data = NULL};
    struct xds_fix *fix = NULL;

    if (finding->rule->edit == XDS_EDIT_NONE || !is_wanted(a, "quickfix"))
        return;
    struct lsp_judged *judged = lsp_judge(a->server, document, text_of(a), true);

    if (judged && xds_report_keep(judged->report, is_same, &wanted) == XDS_OK &&
        xds_fix_new(judged->report, finding->at.file, text_of(a), judged->input.type,
                    any_rule, NULL, &fix) == XDS_OK &&
        xds_fix_edits(fix) > 0) {
        title_of_fix(finding, &title);
        add_action(
            a, "quickfix", title.data ? title.data : "Fix", finding,
            finding->rule->edit != XDS_EDIT_WRAP,
            workspace_edit(a->server, document->uri, document, false,
                           edit_between(a->server, &document->text, xds_fix_text(fix))));
    }
    xds_fix_free(fix);
    lsp_judged_free(judged);
    free(title.data);
}

/* As lint --fix. */
static void offer_all_fixes(const struct actions *a)
{
    struct lsp_document *document = a->at->document;
    struct xds_fix *fix;

    if (!is_wanted(a, "source.fixAll.xdscope"))
        return;
    if (!fix_text(a->server->command, &a->judged->settings, &a->judged->input,
                  document->name, text_of(a), &fix))
        lsp_lack();
    if (!fix)
        return;
    add_action(
        a, "source.fixAll.xdscope", "Fix all that is mechanical, as xdscope lint --fix",
        NULL, false,
        workspace_edit(a->server, document->uri, document, false,
                       edit_between(a->server, &document->text, xds_fix_text(fix))));
    xds_fix_free(fix);
}

/* ---- a comment ---- */

/* Is what was found at this line suppressed, and no comment without effect? */
static bool is_silenced(const struct lsp_judged *judged,
                        const struct lsp_document *document, const struct xds_rule *rule,
                        uint32_t line)
{
    const struct xds_finding *finding;
    bool found = false;

    for (size_t i = 0; (finding = xds_report_suppressed(judged->report, i)); i++)
        found |= finding->rule == rule && finding->at.line == line &&
                 lsp_is_in(judged, document, finding);
    return found;
}

static bool has_more(const struct lsp_judged *before, const struct lsp_judged *after)
{
    return xds_report_findings(after->report) > xds_report_findings(before->report) ||
           xds_report_resources(after->report) < xds_report_resources(before->report);
}

/* The text with a comment on a line of its own above the finding's. False when there is
 * no memory. */
static bool comment_above(const struct actions *a, const struct xds_finding *finding,
                          struct lsp_buffer *out)
{
    const struct lsp_text *text = &a->at->document->text;
    const size_t row =
        lsp_text_line(text, lsp_text_place(text, finding->at.line, finding->at.column));
    size_t indent = row;

    while (indent < text->len &&
           (text->data[indent] == ' ' || text->data[indent] == '\t'))
        indent++;
    (void)lsp_buffer_write(out, text->data, row);
    (void)lsp_buffer_write(out, text->data + row, indent - row);
    lsp_buffer_format(out, "# xdscope: ignore=%s -- " SAID "%s", finding->rule->slug,
                      text->len > 1 && memchr(text->data, '\r', text->len) ? "\r\n"
                                                                           : "\n");
    return lsp_buffer_write(out, text->data + row, text->len - row);
}

static bool offer_comment(const struct actions *a, const struct xds_finding *finding)
{
    struct lsp_document *document = a->at->document;
    struct lsp_buffer text = {.data = NULL}, title = {.data = NULL};
    struct lsp_judged *judged = NULL;
    bool offered = false;

    if (comment_above(a, finding, &text)) {
        const struct xds_slice new = {text.data, text.len};

        judged = lsp_judge(a->server, document, new, false);
        if (judged &&
            is_silenced(judged, document, finding->rule, finding->at.line + 1) &&
            !has_more(a->judged, judged)) {
            lsp_buffer_format(&title, "Suppress %s here", finding->rule->slug);
            add_action(a, "quickfix", title.data ? title.data : "Suppress here", finding,
                       false,
                       workspace_edit(a->server, document->uri, document, false,
                                      edit_between(a->server, &document->text, new)));
            offered = true;
        }
    }
    lsp_judged_free(judged);
    free(text.data);
    free(title.data);
    return offered;
}

/* ---- an entry of xdscope.conf ---- */

/* In double quotes, as YAML and JSON have them. */
static void add_quoted(struct lsp_buffer *out, struct xds_slice text)
{
    lsp_buffer_add(out, "\"");
    for (size_t i = 0; i < text.len; i++) {
        const unsigned char c = (unsigned char)text.data[i];

        if (c < 0x20 || c == 0x7f)
            lsp_buffer_format(out, "\\x%02x", c);
        else if (strchr("*?", c)) /* a pattern: any one byte is near enough */
            lsp_buffer_add(out, "?");
        else if (c == '"' || c == '\\')
            lsp_buffer_format(out, "\\%c", c);
        else
            (void)lsp_buffer_write(out, text.data + i, 1);
    }
    lsp_buffer_add(out, "\"");
}

static void add_entry(const struct actions *a, const struct xds_finding *finding,
                      struct lsp_buffer *out)
{
    static const char *const names[] = {[XDS_TYPE_UNKNOWN] = NULL,
                                        [XDS_TYPE_LISTENER] = "listener",
                                        [XDS_TYPE_ROUTE] = "route",
                                        [XDS_TYPE_CLUSTER] = "cluster",
                                        [XDS_TYPE_ENDPOINT] = "endpoint"};
    const struct xds_resource_result *resource =
        xds_report_resource(a->judged->report, finding->resource);
    const char *type = names[xds_resource_type_from_name(resource->type)];

    lsp_buffer_format(out, "{rule: %s, resource: ", finding->rule->slug);
    add_quoted(out, resource->name);
    if (type)
        lsp_buffer_format(out, ", type: %s", type);
    lsp_buffer_add(out, ", reason: " SAID "}");
}

/* The settings with one more entry in their list of suppressions; false when there is no
 * place for it that is easily found. */
static bool add_to_conf(const struct lsp_text *conf, const struct xds_tree *tree,
                        const char *entry, struct lsp_buffer *out)
{
    const struct xds_tree *list = lsp_member(tree, "suppress");
    const bool ended = !conf->data || conf->len == 0 || conf->data[conf->len - 1] == '\n';
    const struct xds_tree *last;
    size_t at;

    if (tree->kind != XDS_TREE_OBJECT && tree->kind != XDS_TREE_NULL)
        return false;
    if (!list) {
        (void)lsp_buffer_write(out, conf->data ? conf->data : "", conf->len);
        lsp_buffer_format(out, "%ssuppress:\n- %s\n", ended ? "" : "\n", entry);
        return !out->failed;
    }
    if (list->kind != XDS_TREE_ARRAY || list->n == 0 || !conf->data)
        return false;
    last = &list->items[list->n - 1];
    at = lsp_text_place(conf, last->end_line, last->end_column);
    const size_t first = lsp_text_place(conf, last->line, last->column);
    const size_t row = lsp_text_line(conf, first);

    (void)lsp_buffer_write(out, conf->data, at);
    if (conf->data[row + strspn(conf->data + row, " ")] == '-') {
        /* A list of lines: what follows on the last one stays there. */
        while (at < conf->len && conf->data[at] != '\n') {
            (void)lsp_buffer_write(out, conf->data + at, 1);
            at++;
        }
        lsp_buffer_add(out, "\n");
        (void)lsp_buffer_write(out, conf->data + row, strspn(conf->data + row, " "));
        lsp_buffer_format(out, "- %s", entry);
    } else {
        lsp_buffer_format(out, ", %s", entry);
    }
    return lsp_buffer_write(out, conf->data + at, conf->len - at);
}

/* Are the suppressions those that were there, and one more? */
static bool has_one_more(const struct xds_tree *tree, struct xds_slice text)
{
    const struct xds_tree *before = lsp_member(tree, "suppress");
    struct xds_parsed *parsed;

    if (xds_parse(XDS_FORMAT_YAML, text, &parsed) != XDS_OK)
        return false;
    const struct xds_tree *new = xds_parsed_tree(parsed);
    const struct xds_tree *after = new ? lsp_member(new, "suppress") : NULL;
    const bool good = after && after->kind == XDS_TREE_ARRAY &&
                      after->n == (before ? before->n : 0) + 1 &&
                      new->n == tree->n + (before ? 0 : 1);

    xds_parsed_free(parsed);
    return good;
}

static void offer_entry(const struct actions *a, const struct xds_finding *finding,
                        const char *name, const struct lsp_text *conf, bool creates)
{
    const struct xds_slice text = slice_of_text(conf);
    struct lsp_buffer entry = {.data = NULL}, new = {.data = NULL},
                      title = {.data = NULL};
    struct xds_parsed *parsed = NULL;
    char *uri = lsp_uri_of(a->server, slice_of(name));
    const struct xds_tree *tree = NULL;

    if (uri && xds_parse(XDS_FORMAT_YAML, text, &parsed) == XDS_OK)
        tree = xds_parsed_tree(parsed);
    else
        lsp_lack();
    add_entry(a, finding, &entry);
    lsp_buffer_format(&title, "Suppress %s for this resource in " CONF,
                      finding->rule->slug);
    if (tree && entry.data && title.data && add_to_conf(conf, tree, entry.data, &new) &&
        has_one_more(tree, (struct xds_slice){new.data, new.len}))
        add_action(a, "quickfix", title.data, finding, false,
                   workspace_edit(a->server, uri,
                                  lsp_document_named(a->server, slice_of(name)), creates,
                                  edit_between(a->server, conf,
                                               (struct xds_slice){new.data, new.len})));
    xds_parsed_free(parsed);
    free(uri);
    free(entry.data);
    free(new.data);
    free(title.data);
}

/* The file that is read, or else a new one in the folder of the workspace. */
static void offer_setting(const struct actions *a, const struct xds_finding *finding)
{
    const char *path = a->judged->conf.path;
    char *name = path ? realpath(path, NULL) : lsp_copy(slice_of(CONF));
    struct lsp_text stored = {.data = NULL};
    const struct lsp_text *conf = NULL;

    if (finding->resource == XDS_NO_RESOURCE || !a->server->root || !name ||
        xds_report_resource(a->judged->report, finding->resource)->name.len == 0) {
        free(name);
        return;
    }
    if (path) {
        lsp_strip_root(a->server, name);
        conf = lsp_text_of(a->server, slice_of(name), &stored);
    } else if (a->server->has_create && a->server->has_document_changes &&
               lsp_text_set(&stored, lsp_copy(slice_of("")), 0)) {
        conf = &stored;
    }
    if (conf)
        offer_entry(a, finding, name, conf, !path);
    lsp_text_release(&stored);
    free(name);
}

/* ---- all ---- */

cJSON *lsp_actions(struct lsp_server *server, const struct lsp_place *at,
                   const struct xds_tree *only)
{
    struct actions a = {.server = server,
                        .at = at,
                        .judged = lsp_document_judged(server, at->document),
                        .only = only,
                        .list = cJSON_CreateArray()};
    size_t n = 0;

    if (!a.judged || !lsp_is_ours(a.judged, at->document) || !server->has_literals)
        return a.list;
    for (size_t i = 0; i < xds_report_findings(a.judged->report) && n < MOST_FINDINGS;
         i++) {
        const struct xds_finding *finding = xds_report_finding(a.judged->report, i);

        if (finding->at.line == 0 || !lsp_is_at(at, a.judged, finding))
            continue;
        n++;
        offer_fix(&a, finding);
        if (is_wanted(&a, "quickfix") && !offer_comment(&a, finding))
            offer_setting(&a, finding);
    }
    offer_all_fixes(&a);
    return a.list;
}
