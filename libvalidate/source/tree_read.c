/*
 * tree_read.c - JSON and YAML of our own formats as trees: a text, or a file value by
 * value.
 *
 * Fails:  with the row, the place and the words of the first fault.
 * Source: RFC 8259, YAML 1.2.2.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "source/tree_read.h"
#include "base/scalar.h"
#include "source/place.h"
#include "source/source.h"

struct reading {
    struct xds_arena *arena;
    struct xds_tokens tokens;
    struct xds_json_fault *fault;
    const struct xds_tree *like;    /* an object: only its members are read; or NULL */
    bool placed;                    /* values are to know where they are */
    struct xds_place_cursor cursor; /* placed JSON */
};

/* Tokens of YAML know their place, those of JSON come in ascending order. */
static void set_place(struct reading *r, const struct xds_token *token,
                      struct xds_tree *value)
{
    if (!r->placed)
        return;
    value->line = token->line;
    value->column = token->column;
    if (r->tokens.format != XDS_FORMAT_JSON)
        return;
    const struct xds_place at = xds_place_next(&r->cursor, token->begin, token->begin);

    value->line = at.line;
    value->column = at.column;
}

/* Where the value ends: with what closes it, or, in a block of YAML, with the last thing
 * in it, which is set by now. */
static void set_end(struct reading *r, const struct xds_token *token,
                    struct xds_tree *value)
{
    if (!r->placed)
        return;
    if (r->tokens.format == XDS_FORMAT_JSON) {
        const struct xds_place end = xds_place_next(&r->cursor, token->end, token->end);

        value->end_line = end.line;
        value->end_column = end.column;
        return;
    }
    const bool closes =
        token->line == token->end_line && token->column + 1 == token->end_column;

    if (value->end_line > 0 && !closes)
        return;
    value->end_line = token->end_line;
    value->end_column = token->end_column;
}

static bool fail(struct reading *r, const struct xds_token *token)
{
    *r->fault = (struct xds_json_fault){r->tokens.fault, token->begin, token->end,
                                        xds_arena_dup(r->arena, token->text).data};
    return false;
}

static bool read_value(struct reading *r, const struct xds_token *first,
                       struct xds_tree *out);

/* Is the member with this key left out? Else *below is what its value is to be like. */
static bool is_unwanted(const struct xds_tree *like, const struct xds_token *key,
                        const struct xds_tree **below)
{
    const struct xds_tree *member =
        like && !key->escaped ? xds_tree_find(like, key->text) : NULL;

    *below = member && member->kind == XDS_TREE_OBJECT ? member : NULL;
    return like && !key->escaped && !member;
}

static bool read_object(struct reading *r, struct xds_tree *out)
{
    const struct xds_tree *like = r->like;
    struct xds_token key, first;

    *out = xds_tree_object();
    for (;;) {
        struct xds_tree value, at = {0};

        xds_tokens_next(&r->tokens, &key);
        if (key.kind == XDS_TOKEN_OBJECT_END) {
            set_end(r, &key, out);
            return true;
        }
        if (key.kind != XDS_TOKEN_KEY)
            return fail(r, &key);
        xds_tokens_next(&r->tokens, &first);
        if (is_unwanted(like, &key, &r->like)) {
            if (!xds_tokens_skip_valid(&r->tokens, &first))
                return fail(r, &first);
            continue;
        }
        const struct xds_slice name = xds_token_unescape(&key, r->arena);

        set_place(r, &key, &at);
        if (!read_value(r, &first, &value))
            return false;
        value.key_line = at.line;
        value.key_column = at.column;
        out->end_line = value.end_line;
        out->end_column = value.end_column;
        xds_tree_put_key(r->arena, out, name, value);
    }
}

static bool read_array(struct reading *r, struct xds_tree *out)
{
    struct xds_token first;

    *out = xds_tree_array();
    r->like = NULL;
    for (;;) {
        struct xds_tree item;

        xds_tokens_next(&r->tokens, &first);
        if (first.kind == XDS_TOKEN_ARRAY_END) {
            set_end(r, &first, out);
            return true;
        }
        if (!read_value(r, &first, &item))
            return false;
        out->end_line = item.end_line;
        out->end_column = item.end_column;
        xds_tree_add(r->arena, out, item);
    }
}

static struct xds_tree read_number(struct reading *r, const struct xds_token *token)
{
    double number;

    if (xds_scalar_double(token->text, r->arena, &number) != XDS_SCALAR_OK)
        number = HUGE_VAL;
    struct xds_tree value = xds_tree_number(number);

    if (r->placed)
        value.text = xds_arena_dup(r->arena, token->text);
    return value;
}

static bool read_kind(struct reading *r, const struct xds_token *first,
                      struct xds_tree *out)
{
    switch (first->kind) {
    case XDS_TOKEN_OBJECT:
        return read_object(r, out);
    case XDS_TOKEN_ARRAY:
        return read_array(r, out);
    case XDS_TOKEN_STRING:
        *out = xds_tree_string(xds_token_unescape(first, r->arena));
        return true;
    case XDS_TOKEN_NUMBER:
        *out = read_number(r, first);
        return true;
    case XDS_TOKEN_TRUE:
    case XDS_TOKEN_FALSE:
        *out = xds_tree_bool(first->kind == XDS_TOKEN_TRUE);
        return true;
    case XDS_TOKEN_NULL:
        *out = (struct xds_tree){.kind = XDS_TREE_NULL};
        return true;
    case XDS_TOKEN_OBJECT_END:
    case XDS_TOKEN_ARRAY_END:
    case XDS_TOKEN_KEY:
    case XDS_TOKEN_WORD:
    case XDS_TOKEN_END:
    case XDS_TOKEN_ERROR:
        break;
    }
    return fail(r, first);
}

/* The nesting of tokens is bounded, and so is this recursion. */
static bool read_value(struct reading *r, const struct xds_token *first,
                       struct xds_tree *out)
{
    struct xds_tree at = {0};

    set_place(r, first, &at);
    if (!read_kind(r, first, out))
        return false;
    out->line = at.line;
    out->column = at.column;
    if (!xds_token_is_container(first))
        set_end(r, first, out);
    return true;
}

static bool read_whole(struct reading *r, struct xds_tree *out)
{
    struct xds_token token;

    xds_tokens_next(&r->tokens, &token);
    if (!read_value(r, &token, out))
        return false;
    xds_tokens_next(&r->tokens, &token);
    return token.kind == XDS_TOKEN_END || fail(r, &token);
}

bool xds_tree_read(struct xds_arena *arena, struct xds_slice text, struct xds_tree *out,
                   struct xds_json_fault *fault)
{
    struct reading r = {.arena = arena, .fault = fault};

    xds_tokens_json(&r.tokens, text);
    return read_whole(&r, out);
}

bool xds_tree_read_like(struct xds_arena *arena, struct xds_slice text,
                        const struct xds_tree *like, struct xds_tree *out,
                        struct xds_json_fault *fault)
{
    struct reading r = {.arena = arena, .fault = fault, .like = like};

    xds_tokens_json(&r.tokens, text);
    return read_whole(&r, out);
}

/* Numbers keep the text as which they were written. */
bool xds_tree_read_at(struct xds_arena *arena, const struct xds_resource *in,
                      struct xds_tree *out, struct xds_json_fault *fault)
{
    struct reading r = {.arena = arena, .fault = fault, .placed = true};

    (void)xds_tokens_of(&r.tokens, in);
    xds_place_cursor_init(&r.cursor, in);
    return read_whole(&r, out);
}

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

struct job {
    struct xds_parsed *parsed;
    enum xds_format format;
    struct xds_slice text;
    struct xds_tree_file file;
};

static void note_fault(const struct job *job, struct xds_place at, const char *what)
{
    job->parsed->fault = xds_slice_of(xds_arena_strdup(&job->parsed->arena, what));
    job->parsed->at = at;
}

/* ---- YAML ---- */

static void read_yaml(struct job *job)
{
    struct xds_tree_file *file = &job->file;
    struct xds_source_fault fault;
    struct xds_token first;

    xds_tree_file_open_bytes(file, "document.yaml", job->text, 0);
    if (!xds_tree_file_next(file, &first))
        return; /* nothing is there: null */
    const struct xds_place at = file->reader->ops->place(file->reader, &first);

    if (!xds_tree_file_value(file, &job->parsed->arena, &first, at, &job->parsed->tree,
                             &fault))
        note_fault(job, fault.at, fault.text);
    else if (xds_tree_file_next(file, &first))
        note_fault(job, file->reader->ops->place(file->reader, &first),
                   "a second document begins here");
}

/* ---- the document ---- */

static void read_text(void *arg)
{
    struct job *job = arg;

    if (job->format == XDS_FORMAT_JSON) {
        const struct xds_resource in = {
            .format = XDS_FORMAT_JSON, .bytes = job->text, .at = {0, 1, 1, 1, 1}};
        struct xds_json_fault fault;

        if (!xds_tree_read_at(&job->parsed->arena, &in, &job->parsed->tree, &fault))
            note_fault(job, xds_place_in(&in, fault.begin, fault.end), fault.what);
    } else
        read_yaml(job);
}

enum xds_status xds_parse(enum xds_format format, struct xds_slice text,
                          struct xds_parsed **out)
{
    struct job job = {.format = format, .text = text};

    *out = NULL;
    job.parsed = calloc(1, sizeof *job.parsed);
    if (!job.parsed)
        return XDS_ERR_NO_MEMORY;
    xds_arena_init(&job.parsed->arena, XDS_MAX_DECODED_BYTES);

    struct xds_arena *arenas[1 + XDS_TREE_FILE_ARENAS] = {&job.parsed->arena};

    xds_tree_file_arenas(&job.file, arenas + 1);
    enum xds_status status =
        xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), read_text, &job);

    if (job.file.buffer.error == ENOMEM)
        status = XDS_ERR_NO_MEMORY;
    xds_tree_file_release(&job.file);

    if (status == XDS_OK)
        *out = job.parsed;
    else
        xds_parsed_free(job.parsed);
    return status;
}

void xds_parsed_free(struct xds_parsed *parsed)
{
    if (parsed)
        xds_arena_release(&parsed->arena);
    free(parsed);
}

const struct xds_tree *xds_parsed_tree(const struct xds_parsed *parsed)
{
    return parsed->fault.data ? NULL : &parsed->tree;
}

struct xds_slice xds_parsed_fault(const struct xds_parsed *parsed, struct xds_place *at)
{
    *at = parsed->at;
    return parsed->fault;
}
