/* json.c - members of what the client sends, and texts and ranges of what it gets. */
#include "cli/lsp/lsp.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const struct xds_tree *lsp_member(const struct xds_tree *object, const char *name)
{
    if (!object || object->kind != XDS_TREE_OBJECT)
        return NULL;
    for (size_t i = object->n; i > 0; i--)
        if (is_text(object->items[i - 1].key, name))
            return &object->items[i - 1];
    return NULL;
}

const struct xds_tree *lsp_at(const struct xds_tree *tree, const char *path)
{
    char name[64];

    while (tree && *path != '\0') {
        const size_t len = strcspn(path, "/");

        (void)snprintf(name, sizeof name, "%.*s", (int)len, path);
        tree = lsp_member(tree, name);
        path += len + (path[len] == '/');
    }
    return tree;
}

bool lsp_is_true(const struct xds_tree *tree)
{
    return tree && tree->kind == XDS_TREE_BOOL && tree->truth;
}

struct xds_slice lsp_string(const struct xds_tree *tree)
{
    return tree && tree->kind == XDS_TREE_STRING ? tree->text : slice_of(NULL);
}

static bool read_number(const struct xds_tree *tree, uint32_t *out)
{
    if (!tree || tree->kind != XDS_TREE_NUMBER || !(tree->number >= 0))
        return false;
    *out = tree->number < INT32_MAX ? (uint32_t)tree->number : INT32_MAX;
    return true;
}

bool lsp_read_position(const struct xds_tree *tree, struct lsp_position *out)
{
    return read_number(lsp_member(tree, "line"), &out->line) &&
           read_number(lsp_member(tree, "character"), &out->character);
}

static size_t length_after(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first < 0xC2 || first >= 0xF5)
        return 0;
    return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

/* The length of the valid character of UTF-8 that the text begins with, or 0. */
static size_t valid_char(struct xds_slice text)
{
    const unsigned char *c = (const unsigned char *)text.data;
    const size_t n = length_after(c[0]);

    if (c[0] == '\0' || n == 0 || n > text.len)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((c[i] & 0xC0) != 0x80)
            return 0;
    if ((c[0] == 0xE0 && c[1] < 0xA0) || (c[0] == 0xED && c[1] > 0x9F) ||
        (c[0] == 0xF0 && c[1] < 0x90) || (c[0] == 0xF4 && c[1] > 0x8F))
        return 0;
    return n;
}

void lsp_put(cJSON *object, const char *name, struct xds_slice text)
{
    struct lsp_buffer clean = {.data = NULL};

    while (text.len > 0) {
        const size_t n = valid_char(text);

        if (n > 0)
            (void)lsp_buffer_write(&clean, text.data, n);
        else
            lsp_buffer_add(&clean, "\xEF\xBF\xBD");
        text.data += n ? n : 1;
        text.len -= n ? n : 1;
    }
    cJSON_AddItemToObject(object, name, cJSON_CreateString(clean.data ? clean.data : ""));
    free(clean.data);
}

static void put_position(cJSON *range, const char *name, struct lsp_position at)
{
    cJSON *position = cJSON_AddObjectToObject(range, name);

    cJSON_AddNumberToObject(position, "line", at.line);
    cJSON_AddNumberToObject(position, "character", at.character);
}

cJSON *lsp_range(const struct lsp_text *text, size_t begin, size_t end,
                 enum lsp_encoding encoding)
{
    cJSON *range = cJSON_CreateObject();

    put_position(range, "start", lsp_text_position(text, begin, encoding));
    put_position(range, "end", lsp_text_position(text, end, encoding));
    return range;
}

cJSON *lsp_place_range(const struct lsp_text *text, const struct xds_place *at,
                       enum lsp_encoding encoding)
{
    const size_t begin = lsp_text_place(text, at->line, at->column);
    const size_t end = at->end_line >= at->line
                           ? lsp_text_place(text, at->end_line, at->end_column)
                           : begin;

    return lsp_range(text, begin, end < begin ? begin : end, encoding);
}

bool lsp_buffer_write(void *user, const char *data, size_t len)
{
    struct lsp_buffer *buffer = user;

    if (buffer->failed)
        return false;
    if (buffer->cap - buffer->len <= len) {
        const size_t more = 2 * (buffer->cap + len) + 64;
        char *larger = realloc(buffer->data, more);

        if (!larger) {
            lsp_lack();
            free(buffer->data);
            *buffer = (struct lsp_buffer){.failed = true};
            return false;
        }
        buffer->data = larger;
        buffer->cap = more;
    }
    memcpy(buffer->data + buffer->len, data, len);
    buffer->len += len;
    buffer->data[buffer->len] = '\0';
    return true;
}

void lsp_buffer_add(struct lsp_buffer *buffer, const char *text)
{
    (void)lsp_buffer_write(buffer, text, strlen(text));
}

void lsp_buffer_format(struct lsp_buffer *buffer, const char *format, ...)
{
    char small[512];
    va_list args;

    va_start(args, format);
    const int n = vsnprintf(small, sizeof small, format, args);

    va_end(args);
    if (n < (int)sizeof small) {
        lsp_buffer_add(buffer, n < 0 ? "" : small);
        return;
    }
    char *large = lsp_alloc((size_t)n + 1);

    va_start(args, format);
    if (large)
        (void)vsnprintf(large, (size_t)n + 1, format, args);
    va_end(args);
    if (large)
        lsp_buffer_add(buffer, large);
    free(large);
}

bool lsp_markdown(struct lsp_buffer *buffer, struct xds_slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] != '\0' && strchr("\\`*_<>[]#|", text.data[i]))
            lsp_buffer_add(buffer, "\\");
        (void)lsp_buffer_write(buffer, text.data + i, 1);
    }
    return !buffer->failed;
}

static void notify(const char *method, unsigned type, const char *text)
{
    cJSON *message = cJSON_CreateObject();

    cJSON_AddStringToObject(message, "jsonrpc", "2.0");
    cJSON_AddStringToObject(message, "method", method);
    cJSON *params = cJSON_AddObjectToObject(message, "params");

    cJSON_AddNumberToObject(params, "type", type);
    lsp_put(params, "message", slice_of(text));
    lsp_send(message);
}

void lsp_show(unsigned type, const char *text)
{
    notify("window/showMessage", type, text);
}

void lsp_log(unsigned type, const char *text)
{
    notify("window/logMessage", type, text);
}
