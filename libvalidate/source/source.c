/*
 * source.c - files, folders, standard input and bytes as a stream of resources.
 *
 * Fails:  with XDS_ERR_IO and errno when a file cannot be read.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "source/source.h"
#include "source/json/json_source.h"
#include "source/text/text_source.h"
#include "source/unpack.h"
#include "source/walk.h"
#include "base/number.h"
#include "source/wire/wire_field.h"

/* Tokens of one resource, with the one that ends them, and the bytes of their texts. */
struct extent {
    size_t tokens, text;
};

static struct extent measure(const struct xds_token *tokens)
{
    struct extent all = {1, 0};

    for (const struct xds_token *t = tokens; t->kind != XDS_TOKEN_END; t++) {
        all.tokens++;
        all.text += t->text.len + 1;
    }
    return all;
}

size_t xds_resource_size(const struct xds_resource *resource)
{
    if (!resource->tokens)
        return resource->bytes.len;
    const struct extent all = measure(resource->tokens);

    return all.tokens * sizeof(struct xds_token) + all.text;
}

/* Texts end at a NUL, as those of the source do. */
static const struct xds_token *copy_tokens(struct xds_arena *arena,
                                           const struct xds_token *tokens)
{
    const struct extent all = measure(tokens);
    struct xds_token *copies = xds_arena_alloc(arena, all.tokens * sizeof *copies);
    char *text = xds_arena_alloc(arena, all.text);

    memcpy(copies, tokens, all.tokens * sizeof *copies);
    for (struct xds_token *t = copies; t->kind != XDS_TOKEN_END; t++) {
        if (!t->text.data)
            continue;
        memcpy(text, t->text.data, t->text.len);
        text[t->text.len] = '\0';
        t->text.data = text;
        text += t->text.len + 1;
    }
    return copies;
}

void xds_resource_copy(struct xds_arena *arena, const struct xds_resource *resource,
                       struct xds_resource *out)
{
    *out = *resource;
    out->type_url = xds_arena_dup(arena, resource->type_url);
    out->expected = xds_arena_dup(arena, resource->expected);
    out->name = xds_arena_dup(arena, resource->name);
    out->bytes = xds_arena_dup(arena, resource->bytes);
    if (resource->tokens)
        out->tokens = copy_tokens(arena, resource->tokens);
    if (resource->held)
        out->held = xds_held_copy(arena, resource->held);
}

#define SNIFFED ((size_t)1024) /* bytes that tell the format */

static bool is_control(char c)
{
    const unsigned char byte = (unsigned char)c;

    return byte < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f';
}

static bool has_control(struct xds_slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (is_control(text.data[i]))
            return true;
    }
    return false;
}

/* The first two bytes that are no white space tell JSON from the flow style of YAML,
 * whose keys are seldom in quotes. */
static bool looks_like_json(struct xds_slice text)
{
    char first[2] = {'\0', '\0'};
    size_t n = 0;

    for (size_t i = 0; i < text.len && n < 2; i++) {
        if (!strchr(" \t\r\n", text.data[i]))
            first[n++] = text.data[i];
    }
    return (first[0] == '{' && strchr("\"}", first[1])) ||
           (first[0] == '[' && strchr("{[]", first[1]));
}

/* By the ending of the path, else by what the first bytes look like. */
enum xds_ending xds_input_format(const char *path, struct xds_buffer *in)
{
    const enum xds_ending ending = xds_input_ending(path);

    if (ending != XDS_ENDING_NONE)
        return ending;
    xds_buffer_need(in, 0, SNIFFED);
    struct xds_slice text = xds_buffer_from(in, 0);
    if (text.len > SNIFFED)
        text.len = SNIFFED;
    if (xds_slice_starts(text, XDS_S("\xEF\xBB\xBF")))
        text = xds_slice_from(text, 3);
    if (has_control(text))
        return XDS_ENDING_BINARY;
    if (looks_like_json(text))
        return XDS_ENDING_JSON;
    return xds_text_has_header(text) || xds_text_looks(text) ? XDS_ENDING_TEXT_PROTO
                                                             : XDS_ENDING_YAML;
}

/* ---- files ---- */

static struct xds_stamp stamp_of(int fd)
{
    struct stat info;

    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
        return (struct xds_stamp){.known = false};
    return (struct xds_stamp){.known = true,
                              .device = info.st_dev,
                              .inode = info.st_ino,
                              .size = info.st_size,
                              .changed = info.st_mtim};
}

struct xds_source {
    struct xds_report *report;
    enum xds_resource_type type;
    struct xds_arena names;   /* of the inputs */
    struct xds_arena texts;   /* reset for each input, and each document */
    struct xds_arena scratch; /* reset for each resource */
    struct xds_arena entries; /* reset for each entry of a dump */
    struct xds_inputs inputs;
    size_t next; /* input */
    struct xds_extents extents;
    const char *path;
    bool is_folder; /* the input is a folder without a file to read */
    bool in_folder; /* the input was found in a folder */
    int fd;
    struct xds_buffer buffer;
    enum { NOTHING_OPEN, TEXT_OPEN, BINARY_OPEN } state;
    struct xds_json json;
    struct xds_yaml yaml;
    struct xds_text text;
    struct xds_binary binary;
    struct xds_walk walk;
    struct xds_dumped_client client;
    struct xds_held of_node; /* the state in work, where one client is asked about */
    bool has_node;
    struct held {
        bool is_held;
        struct xds_resource resource;
        enum xds_status status;
        int error;
    } first; /* that was read to see whom a dump is from */
};

struct xds_source *xds_source_new(struct xds_report *report, enum xds_resource_type type)
{
    struct xds_source *source = calloc(1, sizeof *source);

    if (!source)
        return NULL;
    source->report = report;
    source->type = type;
    source->path = "";
    source->fd = -1;
    source->inputs = (struct xds_inputs){.arena = &source->names, .report = report};
    source->client.arena = &source->names;
    return source;
}

static void close_input(struct xds_source *source)
{
    if (source->fd > STDIN_FILENO)
        close(source->fd);
    source->fd = -1;
    source->state = NOTHING_OPEN;
}

void xds_source_free(struct xds_source *source)
{
    if (!source)
        return;
    close_input(source);
    xds_inputs_close(&source->inputs);

    /* Fails by a jump to the guard of the arena. */
    struct xds_extents *extents = &source->extents;

    free(extents->items);
    *extents = (struct xds_extents){.items = NULL};
    xds_buffer_release(&source->buffer);
    xds_yaml_release(&source->yaml);
    xds_text_release(&source->text);
    xds_arena_release(&source->names);
    xds_arena_release(&source->texts);
    xds_arena_release(&source->scratch);
    xds_arena_release(&source->entries);
    free(source);
}

const char *xds_source_path(const struct xds_source *source)
{
    return source->path;
}

struct xds_report *xds_source_report(const struct xds_source *source)
{
    return source->report;
}

uint32_t xds_source_clients(const struct xds_source *source)
{
    return source->client.configs;
}

/* ---- adding ---- */

struct adding {
    struct xds_source *source;
    const char *path;
    struct xds_input input;
    const struct xds_found_file *files;
    size_t n_files;
    bool good;
    int error;
};

static void add_path(void *arg)
{
    struct adding *adding = arg;

    adding->good = xds_inputs_add_path(&adding->source->inputs, adding->path);
    adding->error = errno;
}

static void add_bytes(void *arg)
{
    struct adding *adding = arg;

    adding->input.path = xds_arena_strdup(&adding->source->names, adding->path);
    xds_inputs_add(&adding->source->inputs, adding->input);
    adding->good = true;
}

static void add_found(void *arg)
{
    struct adding *adding = arg;
    struct xds_inputs *inputs = &adding->source->inputs;
    const size_t before = inputs->n;

    adding->input = (struct xds_input){.kind = XDS_INPUT_BYTES, .in_folder = true};
    for (size_t i = 0; i < adding->n_files; i++) {
        const struct xds_found_file *file = &adding->files[i];

        if (xds_input_ending(file->name) == XDS_ENDING_NONE)
            continue;
        adding->input.path = xds_arena_strdup(inputs->arena, file->name);
        adding->input.bytes = file->bytes;
        xds_inputs_add(inputs, adding->input);
    }
    adding->input = (struct xds_input){.kind = XDS_INPUT_EMPTY_FOLDER};
    if (inputs->n == before)
        add_bytes(adding);
    adding->good = true;
}

static enum xds_status add(struct adding *adding, void (*body)(void *))
{
    struct xds_source *source = adding->source;
    struct xds_arena *const arenas[] = {&source->names, &source->report->arena};
    const enum xds_status status =
        xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), body, adding);

    xds_inputs_close(&source->inputs);
    if (status != XDS_OK || adding->good)
        return status;
    source->path = adding->path;
    errno = adding->error;
    return XDS_ERR_IO;
}

enum xds_status xds_source_add(struct xds_source *source, const char *path)
{
    struct adding adding = {.source = source, .path = path};

    return add(&adding, add_path);
}

enum xds_status xds_source_add_bytes(struct xds_source *source, const char *name,
                                     struct xds_slice bytes)
{
    struct adding adding = {.source = source,
                            .path = name,
                            .input = {.kind = XDS_INPUT_BYTES, .bytes = bytes}};

    return add(&adding, add_bytes);
}

enum xds_status xds_source_add_answer(struct xds_source *source, const char *name,
                                      struct xds_slice bytes)
{
    struct adding adding = {
        .source = source,
        .path = name,
        .input = {.kind = XDS_INPUT_BYTES, .bytes = bytes, .is_answer = true}};

    return add(&adding, add_bytes);
}

enum xds_status xds_source_add_folder(struct xds_source *source, const char *name,
                                      const struct xds_found_file *files, size_t n)
{
    struct adding adding = {.source = source, .path = name, .files = files, .n_files = n};

    return add(&adding, add_found);
}

bool xds_source_replace(struct xds_source *source, struct xds_slice path,
                        struct xds_slice bytes)
{
    bool found = false;

    for (size_t i = source->next; i < source->inputs.n; i++) {
        struct xds_input *input = &source->inputs.items[i];

        if (input->kind != XDS_INPUT_FILE || !xds_slice_is(path, input->path))
            continue;
        input->kind = XDS_INPUT_BYTES;
        input->bytes = bytes;
        found = true;
    }
    return found;
}

static struct xds_input input_of(const struct xds_line *line)
{
    const uint64_t most = UINT32_MAX; /* a place can say */
    const uint32_t number = (uint32_t)(line->number < most ? line->number : most);

    return (struct xds_input){
        .kind = XDS_INPUT_BYTES,
        .bytes = line->too_long ? (struct xds_slice){NULL, 0} : line->text,
        .line = number,
        .too_long = line->too_long,
    };
}

enum xds_status xds_source_restart(struct xds_source *source, const struct xds_line *line)
{
    struct adding adding = {
        .source = source, .path = line->file, .input = input_of(line)};

    close_input(source);
    xds_arena_reset(&source->names);
    source->inputs =
        (struct xds_inputs){.arena = &source->names, .report = source->report};
    source->next = source->extents.n = 0;
    return add(&adding, add_bytes);
}

/* An input of regular text: what else a path can be, such as a pipe, is gone once read.
 */
static const struct xds_input *find_again(const struct xds_source *source, uint32_t file)
{
    struct stat status;

    for (size_t i = 0; i < source->next; i++) {
        const struct xds_input *input = &source->inputs.items[i];

        if (input->file != file)
            continue;
        if (input->kind == XDS_INPUT_FILE)
            return stat(input->path, &status) == 0 && S_ISREG(status.st_mode) ? input
                                                                              : NULL;
        return input->kind == XDS_INPUT_BYTES ? input : NULL;
    }
    return NULL;
}

struct xds_source *xds_source_again(const struct xds_source *source, uint32_t file,
                                    struct xds_report *report)
{
    const struct xds_input *input = find_again(source, file);
    struct xds_source *again = input ? xds_source_new(report, source->type) : NULL;

    errno = input ? ENOMEM : 0;
    if (!again)
        return NULL;
    struct adding adding = {.source = again, .path = input->path, .input = *input};

    if (add(&adding, add_bytes) == XDS_OK)
        return again;
    xds_source_free(again);
    errno = ENOMEM;
    return NULL;
}

int xds_extent_cmp(const void *left, const void *right)
{
    const struct xds_extent *a = left, *b = right;
    int c = xds_u32_cmp(a->file, b->file);

    if (c == 0)
        c = xds_u32_cmp(a->line, b->line);
    return c ? c : xds_u32_cmp(a->column, b->column);
}

const struct xds_extents *xds_source_extents(const struct xds_source *source)
{
    return &source->extents;
}

int xds_source_reopen(const struct xds_source *source, uint32_t file)
{
    const struct xds_input *input = find_again(source, file);

    if (!input || input->kind != XDS_INPUT_FILE)
        return -1;
    const int fd = open(input->path, O_RDONLY | O_CLOEXEC);
    const struct xds_stamp now = stamp_of(fd);

    if (fd < 0 || (now.known && input->stamp.known && now.device == input->stamp.device &&
                   now.inode == input->stamp.inode && now.size == input->stamp.size &&
                   now.changed.tv_sec == input->stamp.changed.tv_sec &&
                   now.changed.tv_nsec == input->stamp.changed.tv_nsec))
        return fd;
    close(fd);
    return -1;
}

/* ---- opening ---- */

static void open_walk(struct xds_source *source, struct xds_reader *reader,
                      enum xds_format format)
{
    source->walk = (struct xds_walk){
        .reader = reader,
        .in = &source->buffer,
        .report = source->report,
        .format = format,
        .hint = source->type ? source->type : xds_input_type(source->path),
        .other_hint = source->type ? NULL : xds_input_other_type(source->path),
        .in_folder = source->in_folder,
        .texts = &source->texts,
        .client = &source->client,
        .entries = &source->entries,
    };
    source->state = TEXT_OPEN;
}

static void report_empty(struct xds_source *source)
{
    if (!source->is_folder) /* else see check/finish.c */
        xds_report_at(source->report, xds_rule_row(XDS_R_SRC_EMPTY), XDS_NO_RESOURCE,
                      (struct xds_place){source->buffer.file, 1, 1, 1, 1},
                      "input is empty");
}

static void open_format(struct xds_source *source, enum xds_ending ending)
{
    struct xds_buffer *in = &source->buffer;

    switch (ending) {
    case XDS_ENDING_JSON:
    case XDS_ENDING_JSON_LINES:
        xds_json_open(&source->json, in, &source->scratch,
                      ending == XDS_ENDING_JSON_LINES);
        open_walk(source, &source->json.reader, XDS_FORMAT_JSON);
        return;
    case XDS_ENDING_YAML:
        xds_yaml_open(&source->yaml, in, &source->scratch);
        source->yaml.events.chunk.comments.report = source->report;
        open_walk(source, &source->yaml.recorder.reader, XDS_FORMAT_YAML);
        return;
    case XDS_ENDING_BINARY:
        xds_binary_open(&source->binary, in, source->report, &source->texts, source->type,
                        &source->client, &source->entries);
        source->binary.hint = xds_input_type(source->path);
        source->state = BINARY_OPEN;
        return;
    case XDS_ENDING_TEXT_PROTO:
        xds_text_open(&source->text, in, &source->scratch);
        source->text.comments.report = source->report;
        open_walk(source, &source->text.recorder.reader, XDS_FORMAT_TEXT_PROTO);
        return;
    case XDS_ENDING_NONE:
        return;
    }
}

static bool open_bytes(struct xds_source *source, const struct xds_input *input,
                       uint32_t file)
{
    switch (input->kind) {
    case XDS_INPUT_BYTES:
    case XDS_INPUT_EMPTY_FOLDER:
        xds_buffer_open_bytes(&source->buffer, input->bytes, file);
        return true;
    case XDS_INPUT_UNREADABLE:
        xds_buffer_open_bytes(&source->buffer, (struct xds_slice){NULL, 0}, file);
        source->buffer.error = input->error;
        return false;
    case XDS_INPUT_STDIN:
        source->fd = STDIN_FILENO;
        break;
    case XDS_INPUT_FILE:
        source->fd = open(input->path, O_RDONLY | O_CLOEXEC);
        break;
    }
    xds_buffer_open(&source->buffer, source->fd, file);
    if (source->fd < 0)
        source->buffer.error = errno;
    return source->fd >= 0;
}

/* Bytes of a packed file are not where those of the resources are. */
static bool unpack(struct xds_source *source, struct xds_input *input)
{
    struct xds_buffer *in = &source->buffer;

    (void)xds_buffer_need(in, 0, XDS_UNPACK_MAGIC);
    if (!xds_buffer_unpack(in)) {
        in->error = ENOMEM;
        return false;
    }
    if (in->unpack)
        input->stamp.known = false;
    return true;
}

/* By its mark, or by the zero bytes of ASCII where a text is expected. */
static bool is_utf16(struct xds_source *source)
{
    struct xds_buffer *in = &source->buffer;
    const enum xds_ending ending = xds_input_ending(source->path);
    const bool is_text = ending != XDS_ENDING_NONE && ending != XDS_ENDING_BINARY;

    (void)xds_buffer_need(in, 0, 4);
    const struct xds_slice text = xds_buffer_from(in, 0);

    if (xds_slice_starts(text, XDS_S("\xFF\xFE")) ||
        xds_slice_starts(text, XDS_S("\xFE\xFF")))
        return true;
    return is_text && text.len >= 4 && !text.data[0] == !text.data[2] &&
           !text.data[1] == !text.data[3] && !text.data[0] != !text.data[1];
}

static void open_input(struct xds_source *source, struct xds_input *input)
{
    source->path = input->path;
    source->is_folder = input->kind == XDS_INPUT_EMPTY_FOLDER;
    source->in_folder = input->in_folder;
    xds_arena_reset(&source->texts);
    const struct xds_slice name = xds_slice_of(input->path);

    input->file = input->is_answer ? xds_report_add_answer(source->report, name)
                                   : xds_report_add_file(source->report, name);
    if (source->is_folder)
        source->report->files.marks[input->file] |= XDS_FILE_FOLDER;
    else if (!input->in_folder)
        source->report->files.marks[input->file] |= XDS_FILE_NAMED;
    if (!open_bytes(source, input, input->file))
        return;
    input->stamp = stamp_of(source->fd);
    if (input->line > 0)
        source->buffer.line = input->line;
    if (!unpack(source, input))
        return;
    if (is_utf16(source))
        xds_report_at(
            source->report, xds_rule_row(XDS_R_SRC_ENCODING), XDS_NO_RESOURCE,
            xds_buffer_place(&source->buffer, 0),
            "input is UTF-16, not UTF-8; convert it, for example with \"iconv -f "
            "UTF-16 -t UTF-8\"");
    else if (xds_buffer_need(&source->buffer, 0, 1))
        open_format(source, input->line > 0
                                ? XDS_ENDING_JSON_LINES
                                : xds_input_format(source->path, &source->buffer));
    else if (input->too_long)
        xds_report_at(source->report, xds_rule_row(XDS_R_SRC_LINE_TOO_LONG),
                      XDS_NO_RESOURCE, xds_buffer_place(&source->buffer, 0),
                      "line is longer than 64 MiB and not read");
    else if (!xds_buffer_failed(&source->buffer))
        report_empty(source);
    if (source->state == NOTHING_OPEN)
        close_input(source);
}

/* ---- reading ---- */

static void remember_extent(struct xds_source *source, const struct xds_resource *found)
{
    struct xds_extent extent = {.format = found->format,
                                .file = found->at.file,
                                .line = found->at.line,
                                .column = found->at.column};

    if (found->format != XDS_FORMAT_JSON && found->format != XDS_FORMAT_YAML)
        return;
    if (found->format == XDS_FORMAT_JSON) {
        /* The bytes of JSON are those of the file, as they stand in the buffer. */
        const struct xds_buffer *in = &source->buffer;

        extent.offset = in->begin + (size_t)(found->bytes.data - in->data);
        extent.size = (uint32_t)found->bytes.len;
    } else {
        /* The size stays 0 when it is not known where the resource begins and ends. */
        const struct xds_token *first = found->tokens;

        extent.offset = first->begin;
        if (first->begin < first->end &&
            first->end - first->begin <= XDS_MAX_RESOURCE_BYTES)
            extent.size = (uint32_t)(first->end - first->begin);
    }

    struct xds_extents *extents = &source->extents;

    if (extents->n == extents->cap) {
        const size_t cap = extents->cap ? extents->cap * 2 : 64;

        extents->items = xds_arena_realloc(&source->scratch, extents->items, cap,
                                           sizeof *extents->items);
        extents->cap = cap;
    }
    if (extents->n > 0 && xds_extent_cmp(&extents->items[extents->n - 1], &extent) >= 0)
        extents->mixed = true;
    extents->items[extents->n++] = extent;
}

struct reading {
    struct xds_source *source;
    struct xds_resource *out;
    enum xds_status status;
};

static bool next_of_input(struct xds_source *source, struct xds_resource *out)
{
    switch (source->state) {
    case NOTHING_OPEN:
        return false;
    case TEXT_OPEN:
        if (xds_walk_next(&source->walk, out))
            return true;
        if (source->walk.documents == 0 && !xds_buffer_failed(&source->buffer))
            report_empty(source);
        return false;
    case BINARY_OPEN:
        return xds_binary_next(&source->binary, out);
    }
    return false;
}

/* What is wrong with packed data is reported where it ends, once. */
static void report_packed(struct xds_source *source)
{
    struct xds_buffer *in = &source->buffer;

    if (in->fault)
        xds_report_at(source->report, xds_rule_row(XDS_R_SRC_PACKED), XDS_NO_RESOURCE,
                      xds_buffer_place(in, in->end), "%s", in->fault);
    in->fault = NULL;
}

static void read_next(void *arg)
{
    struct reading *reading = arg;
    struct xds_source *source = reading->source;

    for (;;) {
        if (next_of_input(source, reading->out)) {
            remember_extent(source, reading->out);
            reading->status = XDS_OK;
            return;
        }
        report_packed(source);
        close_input(source);
        if (source->buffer.error) {
            reading->status =
                source->buffer.error == ENOMEM ? XDS_ERR_NO_MEMORY : XDS_ERR_IO;
            return;
        }
        if (source->next == source->inputs.n) {
            reading->status = XDS_END;
            return;
        }
        open_input(source, &source->inputs.items[source->next++]);
    }
}

static enum xds_status read_resource(struct xds_source *source, struct xds_resource *out)
{
    struct reading reading = {source, out, XDS_END};
    struct xds_arena *const arenas[] = {
        &source->report->arena,
        &source->texts,
        &source->scratch,
        &source->entries,
        &source->names,
        &source->yaml.document,
        &source->yaml.recorder.queued,
        &source->yaml.recorder.tokens,
        &source->text.texts,
        &source->text.document,
        &source->text.recorder.queued,
        &source->text.recorder.tokens,
    };

    xds_arena_reset(&source->scratch);
    enum xds_status status =
        xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), read_next, &reading);
    if (status != XDS_OK) {
        close_input(source);
        return status;
    }
    const int error = source->buffer.error;
    if (error) {
        source->buffer.error = 0;
        errno = error;
    }
    return reading.status;
}

/* The client that is asked about is the only one, and so the first. */
static enum xds_status read_of_node(struct xds_source *source, struct xds_resource *out)
{
    const char *node = source->report->options.node;
    enum xds_status status;

    do
        status = read_resource(source, out);
    while (status == XDS_OK && node && out->held && !xds_slice_is(out->held->node, node));
    if (status == XDS_OK && node && out->held) {
        source->has_node = true;
        source->of_node = *out->held;
        source->of_node.client = 1;
        out->held = &source->of_node;
    }
    return status;
}

bool xds_source_lacks_node(const struct xds_source *source)
{
    return source->report->options.node && !source->has_node;
}

enum xds_status xds_source_next(struct xds_source *source, struct xds_resource *out)
{
    struct held *first = &source->first;

    if (!first->is_held)
        return read_of_node(source, out);
    first->is_held = false;
    *out = first->resource;
    errno = first->error;
    return first->status;
}

const char *xds_source_kind(const char *path)
{
    struct xds_resource resource;
    struct xds_options options;
    struct xds_source *source = NULL;
    const char *kind = NULL;

    xds_options_init(&options);
    struct xds_report *report = xds_report_new(&options);

    if (report)
        source = xds_source_new(report, XDS_TYPE_UNKNOWN);
    if (source && xds_source_add(source, path) == XDS_OK)
        kind = xds_source_next(source, &resource) == XDS_OK ? "xDS" : report->input.kind;
    xds_source_free(source);
    xds_report_free(report);
    return kind;
}

/* Up to the first resource. */
static void look_at_client(struct xds_source *source)
{
    struct held *first = &source->first;

    if (first->is_held)
        return;
    first->status = read_of_node(source, &first->resource);
    first->error = errno;
    first->is_held = true;
}

struct xds_slice xds_source_bootstrap(struct xds_source *source)
{
    look_at_client(source);
    return source->client.bootstrap;
}

struct xds_client_label xds_source_client(struct xds_source *source)
{
    look_at_client(source);
    return xds_user_agent_label(xds_slice_of(source->client.name),
                                xds_slice_of(source->client.version));
}
