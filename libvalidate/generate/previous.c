/*
 * previous.c - read what was generated for the update before.
 *
 * Fails:  with line, column and the fault; with a sentence when it is too much; without
 *         one when there is no memory.
 * Source: RFC 8259.
 */
#include "generate/config.h"

#include "source/tree_read.h"
#include "decode/decode.h"

void xds_previous_init(struct xds_previous *previous)
{
    *previous = (struct xds_previous){.is_read = false};
    xds_arena_init(&previous->arena, XDS_MAX_DECODED_BYTES);
    xds_strmap_init(&previous->clusters, &previous->arena);
}

void xds_previous_release(struct xds_previous *previous)
{
    xds_arena_release(&previous->arena);
}

/* begin and end are offsets in the whole text. */
static bool fail(struct xds_previous *previous, size_t begin, size_t end,
                 const char *what)
{
    const struct xds_resource in = {
        .format = XDS_FORMAT_JSON, .bytes = previous->text, .at = {0, 1, 1, 1, 1}};
    const struct xds_place at = xds_place_in(&in, begin, end);

    previous->error = xds_arena_printf(&previous->arena, "line %u, column %u: %s",
                                       at.line, at.column, what);
    return false;
}

static bool read_document(struct xds_previous *previous, struct xds_slice text)
{
    const size_t start = (size_t)(text.data - previous->text.data);
    struct xds_tree *document = XDS_NEW(&previous->arena, struct xds_tree);
    struct xds_json_fault fault;

    if (!xds_tree_read(&previous->arena, text, document, &fault))
        return fail(previous, start + fault.begin, start + fault.end, fault.what);
    if (document->kind != XDS_TREE_OBJECT)
        return fail(previous, start, start + text.len,
                    "not an object, so not the output of -f json");
    const struct xds_tree *cluster = xds_tree_member(document, "cluster");

    if (cluster && cluster->kind == XDS_TREE_STRING)
        *xds_strmap_at(&previous->clusters, cluster->text) = document;
    previous->last = document;
    return true;
}

static bool read_lines(struct xds_previous *previous)
{
    struct xds_slice rest = previous->text, line;

    while (rest.data) {
        rest = xds_slice_cut(rest, '\n', &line);
        line = xds_slice_trim(line);
        if (line.len > 0 && !read_document(previous, line))
            return false;
    }
    return true;
}

/* Is there more than one line, and the first one a document of its own? */
static bool is_lines(struct xds_previous *previous)
{
    struct xds_json_fault fault;
    struct xds_tree document;
    struct xds_slice first;
    const struct xds_slice rest =
        xds_slice_cut(xds_slice_trim(previous->text), '\n', &first);

    return rest.data && xds_tree_read(&previous->arena, first, &document, &fault);
}

struct job {
    struct xds_previous *previous;
    bool ok;
};

static void read_all(void *arg)
{
    struct job *job = arg;
    struct xds_previous *previous = job->previous;
    const struct xds_slice text = xds_slice_trim(previous->text);

    if (text.len == 0)
        job->ok = true;
    else if (is_lines(previous))
        job->ok = read_lines(previous);
    else
        job->ok = read_document(previous, text);
}

bool xds_previous_read(struct xds_previous *previous, struct xds_slice text)
{
    struct xds_arena *const arenas[] = {&previous->arena};
    struct job job = {.previous = previous};

    if (previous->is_read && text.data == previous->text.data &&
        text.len == previous->text.len)
        return true;
    xds_arena_reset(&previous->arena);
    xds_strmap_init(&previous->clusters, &previous->arena);
    previous->last = NULL;
    previous->error = (struct xds_slice){NULL, 0};
    previous->text = text;
    if (xds_arena_guard(arenas, 1, read_all, &job) != XDS_OK) {
        if (previous->arena.full)
            previous->error = XDS_S("it needs more than 512 MiB of memory");
        job.ok = false;
    }
    previous->is_read = job.ok;
    return job.ok;
}

const struct xds_tree *xds_previous_service_config(const struct xds_previous *previous)
{
    const struct xds_tree *inner =
        previous->last ? xds_tree_member(previous->last, "service_config") : NULL;

    return inner ? inner : previous->last;
}

const struct xds_tree *xds_previous_cluster(const struct xds_previous *previous,
                                            struct xds_slice cluster)
{
    return xds_strmap_get(&previous->clusters, cluster);
}
