/*
 * tree_file.c - a JSON or YAML file of our own formats, value by value, as trees.
 *
 * Fails:  with what the readers of the formats find.
 */
#include "config/tree_file.h"

#include <fcntl.h>
#include <unistd.h>

#include "decode/place.h"
#include "source/input.h"

/* What is no YAML by its name is JSON when it begins as JSON does. */
static bool is_json(struct xds_tree_file *file, enum xds_ending ending)
{
    struct xds_buffer *in = &file->buffer;

    if (ending == XDS_ENDING_JSON || ending == XDS_ENDING_JSON_LINES)
        return true;
    if (ending == XDS_ENDING_YAML)
        return false;
    xds_buffer_need(in, 0, 64);
    const struct xds_slice text = xds_slice_trim(xds_buffer_from(in, 0));
    const struct xds_slice rest = xds_slice_trim(xds_slice_from(text, 1));

    return text.len > 1 && text.data[0] == '{' && rest.len > 0 && rest.data[0] == '"';
}

static void open_format(struct xds_tree_file *file, const char *name)
{
    const enum xds_ending ending = xds_input_ending(name);

    if (is_json(file, ending)) {
        xds_json_open(&file->json, &file->buffer, &file->scratch,
                      ending == XDS_ENDING_JSON_LINES);
        file->reader = &file->json.reader;
        file->format = XDS_FORMAT_JSON;
    } else {
        xds_yaml_open(&file->yaml, &file->buffer, &file->scratch);
        file->reader = &file->yaml.recorder.reader;
        file->format = XDS_FORMAT_YAML;
    }
}

bool xds_tree_file_open(struct xds_tree_file *file, const char *path, uint32_t number)
{
    const bool is_stdin = xds_slice_is(xds_slice_of(path), "-");

    file->fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (file->fd < 0)
        return false;
    xds_buffer_open(&file->buffer, file->fd, number);
    open_format(file, path);
    return true;
}

void xds_tree_file_open_bytes(struct xds_tree_file *file, const char *name,
                              struct xds_slice bytes, uint32_t number)
{
    file->fd = -1;
    xds_buffer_open_bytes(&file->buffer, bytes, number);
    open_format(file, name);
}

void xds_tree_file_close(struct xds_tree_file *file)
{
    if (file->fd > STDIN_FILENO)
        close(file->fd);
    file->fd = -1;
    file->reader = NULL;
}

void xds_tree_file_release(struct xds_tree_file *file)
{
    xds_tree_file_close(file);
    xds_buffer_release(&file->buffer);
    xds_yaml_release(&file->yaml);
    xds_arena_release(&file->scratch);
}

void xds_tree_file_arenas(struct xds_tree_file *file,
                          struct xds_arena *arenas[XDS_TREE_FILE_ARENAS])
{
    arenas[0] = &file->scratch;
    arenas[1] = &file->yaml.document;
    arenas[2] = &file->yaml.recorder.queued;
    arenas[3] = &file->yaml.recorder.tokens;
}

/* ---- documents and values ---- */

/* A document of YAML with nothing in it is none. */
static bool is_empty(const struct xds_token *first)
{
    return first->kind == XDS_TOKEN_END ||
           (first->kind == XDS_TOKEN_NULL && first->text.len == 0);
}

bool xds_tree_file_next(struct xds_tree_file *file, struct xds_token *first)
{
    while (file->reader->ops->begin(file->reader)) {
        file->reader->ops->next(file->reader, first);
        if (!is_empty(first))
            return true;
    }
    return false;
}

bool xds_token_is_container(const struct xds_token *token)
{
    return token->kind == XDS_TOKEN_OBJECT || token->kind == XDS_TOKEN_ARRAY;
}

/* The value as bytes or tokens of its own. */
static bool take(struct xds_tree_file *file, const struct xds_token *first,
                 struct xds_taken *out, struct xds_token scalar[2])
{
    if (xds_token_is_container(first))
        return file->reader->ops->take(file->reader, first, out);
    scalar[0] = *first;
    scalar[1] = (struct xds_token){.kind = XDS_TOKEN_END};
    out->tokens = scalar;
    if (file->format == XDS_FORMAT_JSON)
        out->bytes = xds_buffer_part(&file->buffer, first->begin, first->end);
    return true;
}

bool xds_tree_file_value(struct xds_tree_file *file, struct xds_arena *arena,
                         const struct xds_token *first, struct xds_place at,
                         struct xds_tree *out, struct xds_source_fault *fault)
{
    struct xds_resource in = {.format = file->format, .at = at};
    struct xds_taken taken = {0};
    struct xds_json_fault wrong;
    struct xds_token scalar[2];

    if (first->kind == XDS_TOKEN_ERROR || !take(file, first, &taken, scalar)) {
        *fault = file->reader->fault;
        return false;
    }
    in.bytes = taken.bytes;
    in.tokens = taken.tokens;
    if (xds_tree_read_at(arena, &in, out, &wrong))
        return true;
    *fault = (struct xds_source_fault){
        wrong.rule, xds_place_in(&in, wrong.begin, wrong.end), wrong.what};
    return false;
}
