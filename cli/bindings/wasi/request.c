/* request.c - what a host of WebAssembly asks for, and the output. */
#include "cli/bindings/wasi/request.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- output ---- */

static bool put(void *user, const char *data, size_t len)
{
    struct output *output = user;

    if (len > output->cap - output->len) {
        const size_t cap = (output->len + len) * 2;
        char *grown = cap > len ? realloc(output->data, cap) : NULL;

        if (!grown)
            return false;
        output->data = grown;
        output->cap = cap;
    }
    if (len > 0)
        memcpy(output->data + output->len, data, len);
    output->len += len;
    return true;
}

int call_fail(struct output *output, int status, const char *format, ...)
{
    char text[512];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    output->len = 0;
    (void)put(output, text, strlen(text));
    return status;
}

int call_no_memory(struct output *output)
{
    return call_fail(output, STATUS_TROUBLE, "out of memory");
}

struct xds_printer call_printer(struct output *output)
{
    return (struct xds_printer){.write = put, .user = output};
}

struct xds_slice call_slice(const char *text)
{
    return (struct xds_slice){text, text ? strlen(text) : 0};
}

/* ---- inputs ---- */

/* Those of a response: fields 2, resources, and 4, type_url; an Any has type_url and
 * value as 1 and 2. */
enum {
    VARINT_BYTES = 10,
    TAG_RESOURCE = 0x12,
    TAG_TYPE = 0x22,
    TAG_URL = 0x0a,
    TAG_VALUE = 0x12
};

static size_t varint_size(size_t value)
{
    size_t n = 1;

    for (; value >= 0x80; value >>= 7)
        n++;
    return n;
}

/* Of a field of bytes: tag, length and the bytes. */
static size_t field_size(size_t len)
{
    return 1 + varint_size(len) + len;
}

static char *put_head(char *to, int tag, size_t len)
{
    *to++ = (char)tag;
    for (; len >= 0x80; len >>= 7)
        *to++ = (char)(0x80 | (len & 0x7f));
    *to++ = (char)len;
    return to;
}

static char *put_field(char *to, int tag, struct xds_slice bytes)
{
    to = put_head(to, tag, bytes.len);
    if (bytes.data)
        memcpy(to, bytes.data, bytes.len);
    return to + bytes.len;
}

/* What is left of the bytes after the line. */
static bool take(struct xds_slice *rest, const cJSON *size, struct xds_slice *out)
{
    if (!cJSON_IsNumber(size) || size->valuedouble < 0 ||
        size->valuedouble > (double)rest->len)
        return false;
    out->data = rest->data;
    out->len = (size_t)size->valuedouble;
    rest->data += out->len;
    rest->len -= out->len;
    return true;
}

/* Messages of one type, as the control plane would send them. */
static bool take_answer(struct xds_slice *rest, const cJSON *sizes, const char *url,
                        struct input *input)
{
    const struct xds_slice type = call_slice(url);
    struct xds_slice again = *rest, message = {NULL, 0};
    size_t len = field_size(type.len);
    const cJSON *size;

    cJSON_ArrayForEach(size, sizes)
    {
        if (!take(rest, size, &message))
            return false;
        len += field_size(field_size(type.len) + field_size(message.len));
    }
    char *bytes = malloc(len), *to = bytes;

    if (!bytes)
        return false;
    input->is_answer = true;
    input->bytes = (struct xds_slice){bytes, len};
    to = put_field(to, TAG_TYPE, type);
    cJSON_ArrayForEach(size, sizes)
    {
        if (!take(&again, size, &message))
            return false;
        to = put_head(to, TAG_RESOURCE, field_size(type.len) + field_size(message.len));
        to = put_field(put_field(to, TAG_URL, type), TAG_VALUE, message);
    }
    return true;
}

static const cJSON *files_of(const cJSON *item)
{
    const cJSON *files = cJSON_GetObjectItemCaseSensitive(item, "files");

    return cJSON_IsArray(files) ? files : NULL;
}

static bool take_name(const cJSON *item, struct input *input)
{
    input->name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "name"));
    return input->name != NULL;
}

static bool take_file(struct xds_slice *rest, const cJSON *item, struct input *input)
{
    return take_name(item, input) &&
           take(rest, cJSON_GetObjectItemCaseSensitive(item, "size"), &input->bytes);
}

static bool take_input(struct xds_slice *rest, const cJSON *item, struct inputs *inputs)
{
    struct input *input = &inputs->items[inputs->n++];
    const char *url =
        cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "type_url"));
    const cJSON *file, *files = files_of(item);

    if (url)
        return take_answer(rest, cJSON_GetObjectItemCaseSensitive(item, "sizes"), url,
                           input) &&
               take_name(item, input);
    if (!files)
        return take_file(rest, item, input);
    input->is_folder = true;
    cJSON_ArrayForEach(file, files)
    {
        if (!take_file(rest, file, &inputs->items[inputs->n++]))
            return false;
        input->n_files++;
    }
    return take_name(item, input);
}

static size_t count_inputs(const cJSON *list)
{
    const cJSON *item;
    size_t n = 0;

    cJSON_ArrayForEach(item, list) n += 1 + (size_t)cJSON_GetArraySize(files_of(item));
    return n;
}

static int read_inputs(const cJSON *list, const char *what, struct xds_slice *rest,
                       struct inputs *inputs, struct output *output)
{
    const cJSON *item;

    if (!list)
        return STATUS_CLEAN;
    inputs->items = calloc(count_inputs(list) + 1, sizeof *inputs->items);
    if (!inputs->items)
        return call_no_memory(output);
    cJSON_ArrayForEach(item, list)
    {
        if (!take_input(rest, item, inputs))
            return call_fail(output, STATUS_USAGE,
                             "\"%s\": each needs \"name\", and \"size\", \"files\", or "
                             "\"type_url\" and \"sizes\" of bytes that are there",
                             what);
    }
    return STATUS_CLEAN;
}

static void release_inputs(struct inputs *inputs)
{
    for (size_t i = 0; i < inputs->n; i++)
        if (inputs->items[i].is_answer)
            free((void *)(uintptr_t)inputs->items[i].bytes.data);
    free(inputs->items);
}

/* ---- options ---- */

const char *call_client(const struct request *request, size_t i)
{
    return cJSON_GetStringValue(cJSON_GetArrayItem(request->clients, (int)i));
}

int call_ask(struct request *request, struct output *output)
{
    const cJSON *client = request->clients ? request->clients->child : NULL;
    struct xds_ask_note note;

    if (client)
        request->options.clients = 0;
    for (; client; client = client->next) {
        const char *name = cJSON_GetStringValue(client);

        if (!name)
            return call_fail(output, STATUS_USAGE, "clients: a name is a text");
        if (xds_options_ask(&request->options, call_slice(name), &note) != XDS_OK)
            return call_fail(output, STATUS_USAGE, "clients: %s", note.text);
    }
    return STATUS_CLEAN;
}

int call_ask_one(struct request *request, const char *name, struct output *output)
{
    struct xds_options *options = &request->options;
    struct xds_ask_note note;

    if (xds_options_ask_one(options, call_slice(name ? name : "core"), &request->client,
                            &note) != XDS_OK)
        return call_fail(output, STATUS_USAGE, "clients: %s", note.text);
    options->clients = XDS_CLIENT_BIT(request->client);
    return STATUS_CLEAN;
}

/* Each text of a list. */
static int set_each(struct request *request, const char *key, struct output *output,
                    enum xds_status (*set)(struct xds_options *, struct xds_slice))
{
    const cJSON *item;

    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(request->json, key))
    {
        const char *text = cJSON_GetStringValue(item);

        if (!text || set(&request->options, call_slice(text)) != XDS_OK)
            return call_fail(output, STATUS_USAGE, "%s: '%s' is not known", key,
                             text ? text : "");
    }
    return STATUS_CLEAN;
}

static enum xds_status set_env(struct xds_options *options, struct xds_slice text)
{
    const char *hint;

    return xds_options_set_env(options, text, &hint);
}

static enum xds_status link_part(struct xds_options *options, struct xds_slice text)
{
    return xds_options_link(options, text);
}

static int read_bootstrap(struct request *request, struct output *output)
{
    const cJSON *json = cJSON_GetObjectItemCaseSensitive(request->json, "bootstrap");
    const char *fault = "";

    if (!json)
        return STATUS_CLEAN;
    char *text = cJSON_PrintUnformatted(json);
    enum xds_status parsed =
        text ? xds_parse(XDS_FORMAT_JSON, call_slice(text), &request->bootstrap)
             : XDS_ERR_NO_MEMORY;

    cJSON_free(text);
    if (parsed == XDS_OK)
        parsed = xds_options_set_bootstrap(&request->options, request->bootstrap, &fault);
    if (parsed == XDS_ERR_USAGE)
        return call_fail(output, STATUS_USAGE, "bootstrap: %s", fault);
    return parsed == XDS_OK ? STATUS_CLEAN : call_no_memory(output);
}

static bool is_set(const struct request *request, const char *key)
{
    return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(request->json, key));
}

static int read_options(struct request *request, struct output *output)
{
    const cJSON *clients = cJSON_GetObjectItemCaseSensitive(request->json, "clients");
    const char *type =
        cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(request->json, "type"));

    if (clients && !cJSON_IsArray(clients))
        return call_fail(output, STATUS_USAGE, "clients: is not a list");
    int status = set_each(request, "env", output, set_env);

    request->clients = cJSON_GetArraySize(clients) > 0 ? clients : NULL; /* all */
    request->format =
        cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(request->json, "format"));
    request->options.partial = is_set(request, "partial");
    request->options.allow_unknown_fields = is_set(request, "allow_unknown_fields");
    request->type =
        type ? xds_resource_type_from_name(call_slice(type)) : XDS_TYPE_UNKNOWN;
    if (type && request->type == XDS_TYPE_UNKNOWN)
        return call_fail(output, STATUS_USAGE, "type: '%s' is not known", type);
    if (status == STATUS_CLEAN)
        status = set_each(request, "with", output, link_part);
    return status == STATUS_CLEAN ? read_bootstrap(request, output) : status;
}

int call_read(struct request *request, struct xds_slice text, struct output *output)
{
    const char *end = text.len > 0 ? memchr(text.data, '\n', text.len) : NULL;
    struct xds_slice rest = {end ? end + 1 : NULL, 0};

    *request = (struct request){.options = {.clients = 0}};
    xds_options_init(&request->options);
    if (end) {
        rest.len = text.len - (size_t)(rest.data - text.data);
        request->json = cJSON_ParseWithLength(text.data, (size_t)(end - text.data));
    }
    if (!cJSON_IsObject(request->json))
        return call_fail(output, STATUS_USAGE,
                         "a request is a JSON object on one line, then "
                         "the bytes of its inputs");
    const cJSON *old = cJSON_GetObjectItemCaseSensitive(request->json, "old");
    const cJSON *rpc = cJSON_GetObjectItemCaseSensitive(request->json, "request");
    int status = read_options(request, output);

    request->has_old = old != NULL;
    request->rpc = rpc ? cJSON_PrintUnformatted(rpc) : NULL;
    if (status == STATUS_CLEAN)
        status = read_inputs(cJSON_GetObjectItemCaseSensitive(request->json, "files"),
                             "files", &rest, &request->files, output);
    if (status == STATUS_CLEAN)
        status = read_inputs(old, "old", &rest, &request->old, output);
    return status;
}

void call_release(struct request *request)
{
    release_inputs(&request->files);
    release_inputs(&request->old);
    xds_parsed_free(request->bootstrap);
    cJSON_free(request->rpc);
    cJSON_Delete(request->json);
}
