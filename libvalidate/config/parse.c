/*
 * parse.c - a small JSON or YAML text as a tree with places.
 *
 * Fails:  with the words and the place of the first fault.
 * Source: RFC 8259, YAML 1.2.2.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/limits.h"
#include "config/tree_file.h"
#include "decode/place.h"

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
    struct xds_tree_file file;
};

static void fail(const struct job *job, struct xds_place at, const char *what)
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
        fail(job, fault.at, fault.text);
    else if (xds_tree_file_next(file, &first))
        fail(job, file->reader->ops->place(file->reader, &first),
             "a second document begins here");
}

/* ---- JSON ---- */

static void read_json(struct job *job)
{
    const struct xds_resource in = {
        .format = XDS_FORMAT_JSON, .bytes = job->text, .at = {0, 1, 1, 1, 1}};
    struct xds_json_fault fault;

    if (!xds_tree_read_at(&job->parsed->arena, &in, &job->parsed->tree, &fault))
        fail(job, xds_place_in(&in, fault.begin, fault.end), fault.what);
}

/* ---- the document ---- */

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
    struct xds_arena *arenas[1 + XDS_TREE_FILE_ARENAS] = {&job->parsed->arena};

    xds_tree_file_arenas(&job->file, arenas + 1);
    enum xds_status status =
        xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), read_text, job);

    if (job->file.buffer.error == ENOMEM)
        status = XDS_ERR_NO_MEMORY;
    xds_tree_file_release(&job->file);
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
