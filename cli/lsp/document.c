/* document.c - the texts that are open in the client, under the names of their files. */
#include "cli/lsp/lsp.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* So many bytes may be moved for the edits of one notification: what takes more is no
 * typing. */
#define MOST_MOVED ((uint64_t)16 << 30)

/* ---- names ---- */

static int hex_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
        return (c | 0x20) - 'a' + 10;
    return -1;
}

/* The path of a file: URI, to be freed; NULL when it is none, or no memory is left. */
static char *path_of(struct xds_slice uri)
{
    static const char scheme[] = "file://";
    const size_t skip = sizeof scheme - 1;

    if (uri.len <= skip || strncmp(uri.data, scheme, skip) != 0)
        return NULL;
    const char *slash = memchr(uri.data + skip, '/', uri.len - skip);
    const char *end = uri.data + uri.len;
    char *path = slash ? lsp_alloc(uri.len + 1) : NULL, *to = path;

    for (const char *c = slash; path && c < end; c++) {
        const bool escaped =
            *c == '%' && end - c > 2 && hex_of(c[1]) >= 0 && hex_of(c[2]) >= 0;

        *to++ = escaped ? (char)(hex_of(c[1]) * 16 + hex_of(c[2])) : *c;
        c += escaped ? 2 : 0;
    }
    if (path)
        *to = '\0';
    if (path && memchr(path, '\0', (size_t)(to - path))) {
        free(path);
        return NULL;
    }
    return path;
}

/* Links are followed in the folder of the path, not in its last name, as far as it is
 * there. To be freed. */
static char *real_path(char *path)
{
    char *slash = strrchr(path, '/');
    const char *folder = slash == path ? "/" : path;

    if (slash != path)
        *slash = '\0';
    char *real = realpath(folder, NULL);

    if (slash != path)
        *slash = '/';
    if (!real && errno == ENOMEM)
        lsp_lack();
    if (!real)
        return path;
    struct lsp_buffer out = {.data = NULL};

    lsp_buffer_format(&out, "%s/%s", strcmp(real, "/") == 0 ? "" : real, slash + 1);
    free(real);
    if (!out.data)
        return path;
    free(path);
    return out.data;
}

void lsp_strip_root(const struct lsp_server *server, char *path)
{
    const size_t len = server->root ? strlen(server->root) : 0;

    if (len > 0 && strncmp(path, server->root, len) == 0 && path[len] == '/')
        memmove(path, path + len + 1, strlen(path + len + 1) + 1);
}

char *lsp_path_of(struct xds_slice uri)
{
    char *path = path_of(uri);

    return path ? real_path(path) : NULL;
}

char *lsp_uri_of(const struct lsp_server *server, struct xds_slice name)
{
    const struct lsp_document *open = lsp_document_named(server, name);
    struct lsp_buffer path = {.data = NULL}, uri = {.data = NULL};

    if (open)
        return lsp_copy(slice_of(open->uri));
    if (name.len == 0 || name.data[0] != '/')
        lsp_buffer_format(&path, "%s/", server->root ? server->root : "");
    (void)lsp_buffer_write(&path, name.data, name.len);
    lsp_buffer_add(&uri, "file://");
    for (const char *c = path.data; c && *c != '\0'; c++) {
        const bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                           (*c >= '0' && *c <= '9') || strchr("-._~/", *c);

        if (plain)
            (void)lsp_buffer_write(&uri, c, 1);
        else
            lsp_buffer_format(&uri, "%%%02X", (unsigned char)*c);
    }
    free(path.data);
    return uri.data;
}

/* ---- what is open ---- */

struct lsp_document *lsp_document_find(const struct lsp_server *server,
                                       struct xds_slice uri)
{
    struct lsp_document *d = server->documents;

    while (d && !is_text(uri, d->uri))
        d = d->next;
    return d;
}

struct lsp_document *lsp_document_named(const struct lsp_server *server,
                                        struct xds_slice name)
{
    struct lsp_document *d = server->documents;

    while (d && !is_text(name, d->name))
        d = d->next;
    return d;
}

static void forget_judged(struct lsp_document *document)
{
    lsp_judged_free(document->judged);
    document->judged = NULL;
}

/* What is said of a document, and of the others of its snapshot, is to be said anew. */
static void forget_judgement(struct lsp_server *server, struct lsp_document *document)
{
    /* Where nothing was said yet it is not known whether it is of the snapshot. */
    const bool is_alone = document->judged && !document->judged->is_shared;

    forget_judged(document);
    for (struct lsp_document *d = server->documents; d && !is_alone; d = d->next)
        if (d->judged && d->judged->is_shared) {
            forget_judged(d);
            d->is_dirty = true;
        }
}

static void release(struct lsp_server *server, struct lsp_document *document)
{
    server->n_bytes -= document->text.len;
    server->n_documents--;
    forget_judged(document);
    lsp_text_release(&document->text);
    free(document->uri);
    free(document->name);
    free(document);
}

void lsp_documents_release(struct lsp_server *server)
{
    while (server->documents) {
        struct lsp_document *next = server->documents->next;

        release(server, server->documents);
        server->documents = next;
    }
}

/* Its text is not known any more: nothing is said of it till it is opened again. */
static void lose(struct lsp_server *server, struct lsp_document *document,
                 const char *why)
{
    struct lsp_buffer message = {.data = NULL};

    server->n_bytes -= document->text.len;
    lsp_text_release(&document->text);
    forget_judgement(server, document);
    document->is_lost = document->is_dirty = true;
    lsp_buffer_format(&message, "%s: %s; close it and open it again", document->uri, why);
    lsp_show(1, message.data ? message.data : why);
    free(message.data);
}

/* data, with a NUL after it, becomes its text. */
static void set_text(struct lsp_server *server, struct lsp_document *document, char *data,
                     size_t len)
{
    forget_judgement(server, document);
    document->is_dirty = true;
    if (!data || len > LSP_MAX_TEXT ||
        server->n_bytes - document->text.len + len > LSP_MAX_TEXTS) {
        free(data);
        lose(server, document,
             !data                ? "out of memory"
             : len > LSP_MAX_TEXT ? "it has more than 64 MiB"
                                  : "all open documents have more than 512 MiB");
        return;
    }
    server->n_bytes -= document->text.len;
    if (!lsp_text_set(&document->text, data, len))
        lose(server, document, "out of memory");
    server->n_bytes += document->text.len;
}

static void set_version(struct lsp_document *document, const struct xds_tree *version)
{
    document->has_version = version && version->kind == XDS_TREE_NUMBER;
    document->version = document->has_version ? version->number : 0;
}

/* A document that cannot be changed as asked is said to be unknown. */
static struct lsp_document *document_of(struct lsp_server *server,
                                        const struct xds_tree *params, const char *method)
{
    const struct xds_slice uri = lsp_string(lsp_at(params, "textDocument/uri"));
    struct lsp_document *document = uri.data ? lsp_document_find(server, uri) : NULL;
    struct lsp_buffer message = {.data = NULL};

    if (!document) {
        lsp_buffer_format(&message, "%s: %s", method,
                          uri.data ? "the document is not open" : "there is no uri");
        lsp_log(2, message.data ? message.data : method);
        free(message.data);
    }
    return document;
}

/* ---- notifications ---- */

static struct lsp_document *open_new(struct lsp_server *server, struct xds_slice uri)
{
    struct lsp_document *document = lsp_alloc(sizeof *document);

    if (document) {
        char *path = lsp_path_of(uri);

        if (path)
            lsp_strip_root(server, path);
        *document = (struct lsp_document){.next = NULL};
        document->uri = lsp_copy(uri);
        document->name = path ? path : lsp_copy(uri);
    }
    if (!document || !document->uri || !document->name) {
        if (document) {
            free(document->uri);
            free(document->name);
        }
        free(document);
        return NULL;
    }
    document->next = server->documents;
    server->documents = document;
    server->n_documents++;
    return document;
}

void lsp_did_open(struct lsp_server *server, const struct xds_tree *params)
{
    const struct xds_tree *item = lsp_member(params, "textDocument");
    const struct xds_slice uri = lsp_string(lsp_member(item, "uri")),
                           text = lsp_string(lsp_member(item, "text"));
    struct lsp_document *document = uri.data ? lsp_document_find(server, uri) : NULL;

    if (!uri.data || !text.data || memchr(uri.data, '\0', uri.len)) {
        lsp_log(2, "textDocument/didOpen: there is no uri, or no text");
        return;
    }
    if (!document && server->n_documents >= LSP_MAX_DOCUMENTS) {
        lsp_show(1, "more than 1000 documents are open; this one is not looked at");
        return;
    }
    if (!document)
        document = open_new(server, uri);
    if (!document) {
        lsp_show(1, "out of memory; the document is not looked at");
        return;
    }
    document->is_lost = false;
    set_version(document, lsp_member(item, "version"));
    set_text(server, document, lsp_copy(text), text.len);
}

/* False when it is none. */
static bool apply_change(struct lsp_server *server, struct lsp_document *document,
                         const struct xds_tree *change)
{
    const struct xds_slice text = lsp_string(lsp_member(change, "text"));
    const struct xds_tree *range = lsp_member(change, "range");
    const struct lsp_text *old = &document->text;
    struct lsp_position from, to;

    if (!text.data)
        return false;
    if (!range || range->kind == XDS_TREE_NULL) {
        set_text(server, document, lsp_copy(text), text.len);
        return true;
    }
    if (!lsp_read_position(lsp_member(range, "start"), &from) ||
        !lsp_read_position(lsp_member(range, "end"), &to))
        return false;
    const size_t begin = lsp_text_offset(old, from, server->encoding);
    const size_t end = lsp_text_offset(old, to, server->encoding);

    if (end < begin)
        return false;
    const size_t rest = old->len - end;
    char *data = lsp_alloc(begin + text.len + rest + 1);

    if (data) {
        if (begin > 0)
            memcpy(data, old->data, begin);
        if (text.len > 0)
            memcpy(data + begin, text.data, text.len);
        if (rest > 0)
            memcpy(data + begin + text.len, old->data + end, rest);
        data[begin + text.len + rest] = '\0';
    }
    set_text(server, document, data, begin + text.len + rest);
    return true;
}

void lsp_did_change(struct lsp_server *server, const struct xds_tree *params)
{
    const struct xds_tree *changes = lsp_member(params, "contentChanges");
    struct lsp_document *document = document_of(server, params, "textDocument/didChange");
    uint64_t moved = 0;

    if (!document)
        return;
    set_version(document, lsp_at(params, "textDocument/version"));
    if (!changes || changes->kind != XDS_TREE_ARRAY) {
        lose(server, document, "a change cannot be read");
        return;
    }
    for (size_t i = 0; i < changes->n; i++) {
        const bool is_whole = lsp_member(&changes->items[i], "range") == NULL;

        if (document->is_lost && !is_whole)
            return;
        document->is_lost = false;
        moved += document->text.len;
        if (moved > MOST_MOVED)
            lose(server, document, "too many changes came at once");
        else if (!apply_change(server, document, &changes->items[i]))
            lose(server, document, "a change cannot be read");
        if (document->is_lost)
            return;
    }
}

static void send_none(const struct lsp_document *document)
{
    cJSON *message = cJSON_CreateObject();

    cJSON_AddStringToObject(message, "jsonrpc", "2.0");
    cJSON_AddStringToObject(message, "method", "textDocument/publishDiagnostics");
    cJSON *params = cJSON_AddObjectToObject(message, "params");

    cJSON_AddStringToObject(params, "uri", document->uri);
    cJSON_AddArrayToObject(params, "diagnostics");
    lsp_send(message);
}

void lsp_did_close(struct lsp_server *server, const struct xds_tree *params)
{
    struct lsp_document *document = document_of(server, params, "textDocument/didClose");
    struct lsp_document **link = &server->documents;

    if (!document)
        return;
    send_none(document);
    while (*link != document)
        link = &(*link)->next;
    *link = document->next;
    forget_judgement(server, document);
    release(server, document);
}

/* The file may be one of settings: whatever is open is judged anew. */
void lsp_did_save(struct lsp_server *server, const struct xds_tree *params)
{
    (void)params;
    for (struct lsp_document *d = server->documents; d; d = d->next) {
        forget_judged(d);
        d->is_dirty = true;
    }
}

/* ---- files ---- */

const struct lsp_text *lsp_text_of(const struct lsp_server *server, struct xds_slice name,
                                   struct lsp_text *stored)
{
    const struct lsp_document *open = lsp_document_named(server, name);
    char *path = open ? NULL : lsp_copy(name);
    struct xds_slice text = {NULL, 0};
    struct stat info;

    *stored = (struct lsp_text){.data = NULL};
    if (open)
        return &open->text;
    const bool is_file = path && stat(path, &info) == 0 && S_ISREG(info.st_mode);
    const bool is_read =
        is_file && slurp(server->command, path, &text) == EXIT_CLEAN && text.data;

    free(path);
    if (is_read)
        return lsp_text_set(stored, (char *)(uintptr_t)text.data, text.len) ? stored
                                                                            : NULL;
    slurp_free(text);
    return NULL;
}
