/*
 * parse.c - a small JSON or YAML text as a tree with places.
 *
 * Takes:  the whole text.
 * Gives:  struct xds_parsed, which owns the tree and its texts.
 * Fails:  with the words and the place of the first fault.
 * Source: RFC 8259, YAML 1.2.2.
 */
#include <stdlib.h>

#include "base/limits.h"
#include "config/json_read.h"
#include "decode/place.h"
#include "source/yaml_source.h"

struct xds_parsed {
    struct xds_arena arena;
    struct xds_tree tree;
    struct xds_slice fault; /* absent: there is none */
    struct xds_place at;
};

struct job {
    struct xds_parsed *parsed;
    enum xds_format format;
    struct xds_slice text;
    struct xds_buffer buffer;
    struct xds_yaml yaml;
    struct xds_arena scratch;
};

static void fail(const struct job *job, struct xds_place at, const char *what)
{
    job->parsed->fault = xds_slice_of(xds_arena_strdup(&job->parsed->arena, what));
    job->parsed->at = at;
}

/* ---- YAML ----------------------------------------------------------------------- */

static void fail_as_read(const struct job *job)
{
    fail(job, job->yaml.recorder.reader.fault.at, job->yaml.recorder.reader.fault.text);
}

static bool is_container(const struct xds_token *token)
{
    return token->kind == XDS_TOKEN_OBJECT || token->kind == XDS_TOKEN_ARRAY;
}

static void read_taken(struct job *job, const struct xds_token *tokens)
{
    const struct xds_resource in = {.format = XDS_FORMAT_YAML, .tokens = tokens};
    struct xds_json_fault fault = {.what = ""};
    const struct xds_place start = {0, tokens->line, tokens->column, tokens->end_line,
                                    tokens->end_column};

    if (!xds_tree_read_at(&job->parsed->arena, &in, &job->parsed->tree, &fault))
        fail(job, start, fault.what);
}

static void read_value(struct job *job, const struct xds_token *first)
{
    struct xds_reader *reader = &job->yaml.recorder.reader;
    struct xds_taken taken = {.tokens = NULL};
    struct xds_token scalar[2] = {*first, {.kind = XDS_TOKEN_END}};

    if (first->kind == XDS_TOKEN_END)
        return; /* nothing stands there: null */
    if (first->kind == XDS_TOKEN_ERROR ||
        (is_container(first) && !reader->ops->take(reader, first, &taken)))
        fail_as_read(job);
    else
        read_taken(job, taken.tokens ? taken.tokens : scalar);
}

static void read_yaml(struct job *job)
{
    struct xds_reader *reader = &job->yaml.recorder.reader;
    struct xds_token token;

    xds_buffer_open_bytes(&job->buffer, job->text, 0);
    xds_yaml_open(&job->yaml, &job->buffer, &job->scratch);
    if (!reader->ops->begin(reader))
        return;
    reader->ops->next(reader, &token);
    read_value(job, &token);
    if (job->parsed->fault.data)
        return;
    reader->ops->next(reader, &token);
    if (reader->ops->begin(reader)) {
        reader->ops->next(reader, &token);
        fail(job, reader->ops->place(reader, &token), "a second document begins here");
    }
}

/* ---- JSON ----------------------------------------------------------------------- */

static void read_json(struct job *job)
{
    const struct xds_resource in = {
        .format = XDS_FORMAT_JSON, .bytes = job->text, .at = {0, 1, 1, 1, 1}};
    struct xds_json_fault fault;

    if (!xds_tree_read_at(&job->parsed->arena, &in, &job->parsed->tree, &fault))
        fail(job, xds_place_in(&in, fault.begin, fault.end), fault.what);
}

/* ---- the document ----------------------------------------------------------------- */

static void read_text(void *arg)
{
    struct job *job = arg;

    if (job->format == XDS_FORMAT_JSON)
        read_json(job);
    else
        read_yaml(job);
}

static enum xds_status run(struct job *job)
{
    struct xds_arena *const arenas[] = {&job->parsed->arena, &job->scratch,
                                        &job->yaml.document, &job->yaml.recorder.queued,
                                        &job->yaml.recorder.tokens};
    const enum xds_status status =
        xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), read_text, job);

    xds_yaml_release(&job->yaml);
    xds_buffer_release(&job->buffer);
    xds_arena_release(&job->scratch);
    return status;
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
    const enum xds_status status = run(&job);

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
