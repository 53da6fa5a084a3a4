/*
 * server.c - requests and notifications, in the order in which they come.
 *
 * What has come is read before any of it is done, so that a request which is cancelled,
 * or a change after which another one comes, costs nothing: diagnostics are sent when all
 * that was there is done.
 *
 * Source: JSON-RPC 2.0; LSP 3.17.
 */
#include "cli/lsp/lsp.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Messages that are read before they are done: so many, and of so many bytes. */
#define MOST_WAITING 256
#define MOST_WAITING_BYTES ((size_t)8 << 20)

enum error_code {
    ERROR_NONE = 0,
    ERROR_PARSE = -32700,
    ERROR_REQUEST = -32600,
    ERROR_METHOD = -32601,
    ERROR_PARAMS = -32602,
    ERROR_NOT_INITIALIZED = -32002,
    ERROR_CANCELLED = -32800,
};

/* What a request comes to: a result, or an error. */
struct answer {
    cJSON *result;
    enum error_code code;
    const char *message;
};

/* ---- initialize ---- */

static bool offers(const struct xds_tree *list, const char *word)
{
    for (size_t i = 0; list && list->kind == XDS_TREE_ARRAY && i < list->n; i++)
        if (is_text(lsp_string(&list->items[i]), word))
            return true;
    return false;
}

static const char *const encodings[] = {
    [LSP_UTF16] = "utf-16", [LSP_UTF8] = "utf-8", [LSP_UTF32] = "utf-32"};

/* The first one of the client's that is known; it has UTF-16 in any case. */
static enum lsp_encoding choose_encoding(const struct xds_tree *list)
{
    for (size_t i = 0; list && list->kind == XDS_TREE_ARRAY && i < list->n; i++)
        for (size_t e = 0; e < ARRAY_LEN(encodings); e++)
            if (is_text(lsp_string(&list->items[i]), encodings[e]))
                return (enum lsp_encoding)e;
    return LSP_UTF16;
}

static void read_capabilities(struct lsp_server *server, const struct xds_tree *can)
{
    const struct xds_tree *diagnostics = lsp_at(can, "textDocument/publishDiagnostics");
    const struct xds_tree *edit = lsp_at(can, "workspace/workspaceEdit");

    server->encoding = choose_encoding(lsp_at(can, "general/positionEncodings"));
    server->has_related = lsp_is_true(lsp_member(diagnostics, "relatedInformation"));
    server->has_tags = lsp_member(diagnostics, "tagSupport") != NULL;
    server->has_href = lsp_is_true(lsp_member(diagnostics, "codeDescriptionSupport"));
    server->has_markdown =
        offers(lsp_at(can, "textDocument/hover/contentFormat"), "markdown");
    server->has_document_changes = lsp_is_true(lsp_member(edit, "documentChanges"));
    server->has_create = offers(lsp_member(edit, "resourceOperations"), "create");
    server->has_literals =
        lsp_at(can, "textDocument/codeAction/codeActionLiteralSupport") != NULL;
    server->has_watchers =
        lsp_is_true(lsp_at(can, "workspace/didChangeWatchedFiles/dynamicRegistration"));
}

/* The first folder: names are seen from there, as by a lint that is started in it. */
static void enter_root(struct lsp_server *server, const struct xds_tree *params)
{
    const struct xds_tree *folders = lsp_member(params, "workspaceFolders");
    struct xds_slice uri = lsp_string(lsp_member(params, "rootUri"));

    if (folders && folders->kind == XDS_TREE_ARRAY && folders->n > 0)
        uri = lsp_string(lsp_member(&folders->items[0], "uri"));
    char *path = uri.data ? lsp_path_of(uri) : NULL;
    char *real = path ? realpath(path, NULL) : NULL;

    if (real && chdir(real) == 0) {
        server->root = real;
    } else if (path) {
        struct lsp_buffer message = {.data = NULL};

        lsp_buffer_format(&message, "the folder %s cannot be entered: %s", path,
                          strerror(errno));
        lsp_show(2, message.data ? message.data : "the folder cannot be entered");
        free(message.data);
        free(real);
    }
    free(path);
}

static cJSON *capabilities(const struct lsp_server *server)
{
    cJSON *result = cJSON_CreateObject();
    cJSON *can = cJSON_AddObjectToObject(result, "capabilities");

    cJSON_AddStringToObject(can, "positionEncoding", encodings[server->encoding]);
    cJSON *sync = cJSON_AddObjectToObject(can, "textDocumentSync");

    cJSON_AddTrueToObject(sync, "openClose");
    cJSON_AddNumberToObject(sync, "change", 2); /* incremental */
    cJSON_AddTrueToObject(sync, "save");
    cJSON_AddTrueToObject(can, "hoverProvider");
    cJSON_AddTrueToObject(can, "definitionProvider");
    cJSON *kinds = cJSON_AddArrayToObject(
        cJSON_AddObjectToObject(can, "codeActionProvider"), "codeActionKinds");

    cJSON_AddItemToArray(kinds, cJSON_CreateString("quickfix"));
    cJSON_AddItemToArray(kinds, cJSON_CreateString("source.fixAll.xdscope"));
    cJSON *info = cJSON_AddObjectToObject(result, "serverInfo");

    cJSON_AddStringToObject(info, "name", "xdscope");
    cJSON_AddStringToObject(info, "version", xds_version());
    return result;
}

/* ---- files that change without the editor ---- */

/* The client is to say when such a file changes. */
static void ask_to_watch(const char *id, const char *pattern)
{
    cJSON *message = cJSON_CreateObject();

    cJSON_AddStringToObject(message, "jsonrpc", "2.0");
    cJSON_AddStringToObject(message, "id", id);
    cJSON_AddStringToObject(message, "method", "client/registerCapability");
    cJSON *params = cJSON_AddObjectToObject(message, "params");
    cJSON *registration = cJSON_CreateObject(), *watcher = cJSON_CreateObject();

    cJSON_AddItemToArray(cJSON_AddArrayToObject(params, "registrations"), registration);
    cJSON_AddStringToObject(registration, "id", id);
    cJSON_AddStringToObject(registration, "method", "workspace/didChangeWatchedFiles");
    cJSON *options = cJSON_AddObjectToObject(registration, "registerOptions");

    cJSON_AddItemToArray(cJSON_AddArrayToObject(options, "watchers"), watcher);
    cJSON_AddStringToObject(watcher, "globPattern", pattern);
    lsp_send(message);
}

/* Those of a snapshot, once the settings name one: a workspace has many other files. */
static void watch_snapshot(struct lsp_server *server)
{
    struct lsp_judged *judged =
        server->has_watchers && !server->watches_files ? lsp_settings_read(server) : NULL;

    if (judged && judged->settings.snapshot.n > 0) {
        server->watches_files = true;
        ask_to_watch("xdscope.files", "**/*.{json,jsonl,ndjson,yaml,yml,pb,binpb,txtpb,"
                                      "textproto,pb_text,pbtxt,prototxt}");
    }
    lsp_judged_free(judged);
}

static void begin(struct lsp_server *server, const struct xds_tree *params)
{
    (void)params;
    if (server->has_watchers)
        ask_to_watch("xdscope.conf", "**/xdscope.conf");
    watch_snapshot(server);
}

/* The file may be one of settings. */
static void reread(struct lsp_server *server, const struct xds_tree *params)
{
    lsp_did_save(server, params);
    watch_snapshot(server);
}

static struct answer initialize(struct lsp_server *server, const struct xds_tree *params)
{
    if (server->is_ready)
        return (struct answer){.code = ERROR_REQUEST,
                               .message = "initialize was sent before"};
    read_capabilities(server, lsp_member(params, "capabilities"));
    enter_root(server, params);
    server->is_ready = true;
    return (struct answer){.result = capabilities(server)};
}

static struct answer shut_down(struct lsp_server *server, const struct xds_tree *params)
{
    (void)params;
    server->is_shut_down = true;
    return (struct answer){.result = cJSON_CreateNull()};
}

/* ---- requests about a place ---- */

/* False after the answer to a request that names no document or position. */
static bool read_place(struct lsp_server *server, const struct xds_tree *params,
                       const struct xds_tree *from, const struct xds_tree *to,
                       struct lsp_place *at, struct answer *answer)
{
    const struct xds_slice uri = lsp_string(lsp_at(params, "textDocument/uri"));
    struct lsp_position begin, end;

    *at =
        (struct lsp_place){.document = uri.data ? lsp_document_find(server, uri) : NULL};
    *answer = (struct answer){.code = ERROR_PARAMS};
    if (!at->document)
        answer->message = "the document is not open";
    else if (!lsp_read_position(from, &begin) || !lsp_read_position(to, &end))
        answer->message = "there is no position";
    if (answer->message)
        return false;
    const struct lsp_text *text = &at->document->text;

    at->begin = lsp_text_offset(text, begin, server->encoding);
    at->end = lsp_text_offset(text, end, server->encoding);
    lsp_text_find_place(text, at->begin, &at->line, &at->column);
    return true;
}

static struct answer at_position(struct lsp_server *server, const struct xds_tree *params,
                                 cJSON *(*ask)(struct lsp_server *server,
                                               const struct lsp_place *at))
{
    const struct xds_tree *position = lsp_member(params, "position");
    struct answer answer;
    struct lsp_place at;

    if (read_place(server, params, position, position, &at, &answer))
        answer = (struct answer){.result = ask(server, &at)};
    return answer;
}

static struct answer hover(struct lsp_server *server, const struct xds_tree *params)
{
    return at_position(server, params, lsp_hover);
}

static struct answer definition(struct lsp_server *server, const struct xds_tree *params)
{
    return at_position(server, params, lsp_definition);
}

static struct answer actions(struct lsp_server *server, const struct xds_tree *params)
{
    struct answer answer;
    struct lsp_place at;

    if (read_place(server, params, lsp_at(params, "range/start"),
                   lsp_at(params, "range/end"), &at, &answer))
        answer = (struct answer){
            .result = lsp_actions(server, &at, lsp_at(params, "context/only"))};
    return answer;
}

/* ---- methods ---- */

static const struct request {
    const char *method;
    struct answer (*answer)(struct lsp_server *server, const struct xds_tree *params);
} requests[] = {
    {"initialize", initialize},           {"shutdown", shut_down},
    {"textDocument/hover", hover},        {"textDocument/definition", definition},
    {"textDocument/codeAction", actions},
};

static void end_it(struct lsp_server *server, const struct xds_tree *params)
{
    (void)params;
    server->is_over = true;
}

/* Others are not looked at. */
static const struct notification {
    const char *method;
    void (*take)(struct lsp_server *server, const struct xds_tree *params);
} notifications[] = {
    {"textDocument/didOpen", lsp_did_open},
    {"textDocument/didChange", lsp_did_change},
    {"textDocument/didClose", lsp_did_close},
    {"textDocument/didSave", reread},
    {"workspace/didChangeWatchedFiles", reread},
    {"workspace/didChangeConfiguration", reread},
    {"initialized", begin},
    {"exit", end_it},
};

/* id: absent is null. */
static void respond(const struct xds_tree *id, struct answer answer)
{
    cJSON *message = cJSON_CreateObject();

    cJSON_AddStringToObject(message, "jsonrpc", "2.0");
    if (id && id->kind == XDS_TREE_NUMBER)
        cJSON_AddRawToObject(message, "id", id->text.data);
    else if (id && id->kind == XDS_TREE_STRING)
        lsp_put(message, "id", id->text);
    else
        cJSON_AddNullToObject(message, "id");
    if (answer.code == ERROR_NONE) {
        cJSON_AddItemToObject(message, "result", answer.result);
    } else {
        cJSON *error = cJSON_AddObjectToObject(message, "error");

        cJSON_AddNumberToObject(error, "code", answer.code);
        lsp_put(error, "message", slice_of(answer.message));
    }
    lsp_send(message);
}

static void refuse(const struct xds_tree *id, enum error_code code, const char *message)
{
    respond(id, (struct answer){.code = code, .message = message});
}

static void answer_request(struct lsp_server *server, const struct xds_tree *id,
                           struct xds_slice method, const struct xds_tree *params)
{
    const bool first = is_text(method, "initialize");
    struct lsp_buffer unknown = {.data = NULL};

    if (!server->is_ready && !first) {
        refuse(id, ERROR_NOT_INITIALIZED, "initialize comes first");
        return;
    }
    if (server->is_shut_down) {
        refuse(id, ERROR_REQUEST, "the server was shut down");
        return;
    }
    for (size_t i = 0; i < ARRAY_LEN(requests); i++)
        if (is_text(method, requests[i].method)) {
            respond(id, requests[i].answer(server, params));
            return;
        }
    lsp_buffer_format(&unknown, "unknown method \"%.*s\"",
                      (int)(method.len < 200 ? method.len : 200), method.data);
    refuse(id, ERROR_METHOD, unknown.data ? unknown.data : "unknown method");
    free(unknown.data);
}

static void take_notification(struct lsp_server *server, struct xds_slice method,
                              const struct xds_tree *params)
{
    if ((!server->is_ready || server->is_shut_down) && !is_text(method, "exit"))
        return;
    for (size_t i = 0; i < ARRAY_LEN(notifications); i++)
        if (is_text(method, notifications[i].method))
            notifications[i].take(server, params);
}

/* ---- messages that wait ---- */

struct waiting {
    struct xds_parsed *parsed[MOST_WAITING];
    bool cancelled[MOST_WAITING];
    size_t n, bytes;
};

static bool is_same_id(const struct xds_tree *a, const struct xds_tree *b)
{
    return a && b && a->kind == b->kind &&
           (a->kind == XDS_TREE_NUMBER || a->kind == XDS_TREE_STRING) &&
           a->text.len == b->text.len &&
           memcmp(a->text.data, b->text.data, a->text.len) == 0;
}

/* A request that is answered already is not there any more. */
static void cancel(struct waiting *waiting, const struct xds_tree *message)
{
    const struct xds_tree *id = lsp_at(message, "params/id");

    for (size_t i = 0; i < waiting->n; i++) {
        const struct xds_tree *other = xds_parsed_tree(waiting->parsed[i]);

        if (lsp_member(other, "method") && is_same_id(lsp_member(other, "id"), id))
            waiting->cancelled[i] = true;
    }
}

/* U+0000 has no place in the texts of a tree. */
static bool has_nul(struct xds_slice body)
{
    size_t slashes = 0;

    for (size_t i = 0; i + 4 < body.len; i++) {
        if (body.data[i] == 'u' && slashes % 2 == 1 &&
            memcmp(body.data + i, "u0000", 5) == 0)
            return true;
        slashes = body.data[i] == '\\' ? slashes + 1 : 0;
    }
    return false;
}

/* What is wrong with a message that was read; NULL: nothing. */
static const char *fault_of(const struct xds_tree *message)
{
    const struct xds_tree *id = lsp_member(message, "id");

    if (message->kind == XDS_TREE_ARRAY)
        return "batches are not taken; send one message after the other";
    if (message->kind != XDS_TREE_OBJECT)
        return "a message is an object";
    if (!lsp_string(lsp_member(message, "method")).data && !id)
        return "there is no method";
    if (id && id->kind != XDS_TREE_NUMBER && id->kind != XDS_TREE_STRING &&
        id->kind != XDS_TREE_NULL)
        return "an id is a number or a string";
    return NULL;
}

static void take_body(struct waiting *waiting, struct xds_slice body)
{
    struct xds_parsed *parsed = NULL;
    struct xds_place at;

    if (has_nul(body)) {
        refuse(NULL, ERROR_PARSE, "U+0000 cannot be read; the message is skipped");
        return;
    }
    if (xds_parse(XDS_FORMAT_JSON, body, &parsed) != XDS_OK) {
        lsp_lack();
        refuse(NULL, ERROR_PARSE, "out of memory; the message is skipped");
        return;
    }
    const struct xds_tree *message = xds_parsed_tree(parsed);
    const char *fault = message ? fault_of(message) : NULL;

    if (!message) {
        struct lsp_buffer text = {.data = NULL};
        const struct xds_slice what = xds_parsed_fault(parsed, &at);

        lsp_buffer_format(&text, "the message is not JSON: %.*s", (int)what.len,
                          what.data);
        refuse(NULL, ERROR_PARSE, text.data ? text.data : "the message is not JSON");
        free(text.data);
    } else if (fault) {
        refuse(lsp_member(message, "id"), ERROR_REQUEST, fault);
    } else if (is_text(lsp_string(lsp_member(message, "method")), "$/cancelRequest")) {
        cancel(waiting, message);
    } else {
        waiting->parsed[waiting->n] = parsed;
        waiting->cancelled[waiting->n++] = false;
        waiting->bytes += body.len;
        return;
    }
    xds_parsed_free(parsed);
}

/* All that has come, up to a limit; waits for the first. False at the end. */
static bool read_all(struct lsp_frames *frames, struct waiting *waiting)
{
    struct xds_slice body;
    const char *fault;

    while (waiting->n < MOST_WAITING && waiting->bytes < MOST_WAITING_BYTES)
        switch (lsp_frame_next(frames, waiting->n == 0, &body, &fault)) {
        case LSP_FRAME:
            take_body(waiting, body);
            break;
        case LSP_FRAME_NONE:
            return true;
        case LSP_FRAME_FAULT:
            refuse(NULL, ERROR_PARSE, fault);
            break;
        case LSP_FRAME_END:
        case LSP_FRAME_NO_MEMORY:
            return false;
        }
    return true;
}

static void do_all(struct lsp_server *server, struct waiting *waiting)
{
    for (size_t i = 0; i < waiting->n; i++) {
        const struct xds_tree *message = xds_parsed_tree(waiting->parsed[i]);
        const struct xds_tree *id = lsp_member(message, "id");
        const struct xds_slice method = lsp_string(lsp_member(message, "method"));
        const struct xds_tree *params = lsp_member(message, "params");

        if (server->is_over || !method.data)
            ; /* the answer to ask_to_watch(): nothing depends on it */
        else if (id && waiting->cancelled[i])
            refuse(id, ERROR_CANCELLED, "the request was cancelled");
        else if (id)
            answer_request(server, id, method, params);
        else
            take_notification(server, method, params);
        xds_parsed_free(waiting->parsed[i]);
    }
    waiting->n = waiting->bytes = 0;
}

int lsp_serve(struct lsp_server *server)
{
    struct lsp_frames frames = {.in = STDIN_FILENO};
    struct waiting *waiting = lsp_alloc(sizeof *waiting);
    cJSON_Hooks hooks = {.malloc_fn = lsp_alloc, .free_fn = free};
    bool more = waiting != NULL;

    cJSON_InitHooks(&hooks);
    if (waiting)
        waiting->n = waiting->bytes = 0;

    while (more && !server->is_over) {
        more = read_all(&frames, waiting);
        do_all(server, waiting);
        if (!server->is_over)
            lsp_publish(server);
    }
    lsp_frames_release(&frames);
    free(waiting);
    if (lsp_lacks() > 0)
        return trouble(server->command, "out of memory for some of the answers");
    if (!server->is_over)
        return trouble(server->command, "the input ended without \"exit\"");
    return server->is_shut_down ? EXIT_CLEAN : EXIT_FINDINGS;
}
