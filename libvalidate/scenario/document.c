/*
 * document.c - the scenarios of one file, one step after the other.
 *
 * Takes:  JSON or YAML, from a file or from memory; several documents are several
 *         scenarios.
 * Gives:  each scenario's members as a tree, and its steps as trees, with lines and
 *         columns.
 * Fires:  SCENARIO_DOCUMENT, and what the readers of the formats find.
 */
#include "scenario/document.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "config/json_read.h"
#include "decode/place.h"
#include "scenario/fault.h"
#include "source/input.h"

/* ---- files --------------------------------------------------------------------------
 */

/* What is no YAML by its name is JSON when it begins as JSON does. */
static bool is_json(struct xds_document *d, enum xds_ending ending)
{
    const struct xds_buffer *in = &d->buffer;

    if (ending == XDS_ENDING_JSON || ending == XDS_ENDING_JSON_LINES)
        return true;
    if (ending == XDS_ENDING_YAML)
        return false;
    xds_buffer_need(&d->buffer, 0, 64);
    const struct xds_slice text = xds_slice_trim(xds_buffer_from(in, 0));
    const struct xds_slice rest = xds_slice_trim(xds_slice_from(text, 1));

    return text.len > 1 && text.data[0] == '{' && rest.len > 0 && rest.data[0] == '"';
}

static void open_format(struct xds_document *d, const char *name)
{
    const enum xds_ending ending = xds_input_ending(name);

    if (is_json(d, ending)) {
        xds_json_open(&d->json, &d->buffer, &d->scratch, ending == XDS_ENDING_JSON_LINES);
        d->reader = &d->json.reader;
        d->format = XDS_FORMAT_JSON;
    } else {
        xds_yaml_open(&d->yaml, &d->buffer, &d->scratch);
        d->reader = &d->yaml.recorder.reader;
        d->format = XDS_FORMAT_YAML;
    }
    d->n = 0;
    d->over = false;
}

bool xds_document_open(struct xds_document *document, const char *path)
{
    const bool is_stdin = xds_slice_is(xds_slice_of(path), "-");

    document->fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (document->fd < 0)
        return false;
    xds_buffer_open(&document->buffer, document->fd, 0);
    open_format(document, path);
    return true;
}

void xds_document_open_bytes(struct xds_document *document, const char *name,
                             struct xds_slice bytes)
{
    document->fd = -1;
    xds_buffer_open_bytes(&document->buffer, bytes, 0);
    open_format(document, name);
}

void xds_document_close(struct xds_document *document)
{
    if (document->fd > STDIN_FILENO)
        close(document->fd);
    document->fd = -1;
    document->reader = NULL;
}

void xds_document_release(struct xds_document *document)
{
    xds_document_close(document);
    xds_buffer_release(&document->buffer);
    xds_yaml_release(&document->yaml);
    xds_arena_release(&document->scratch);
}

void xds_document_arenas(struct xds_document *document,
                         struct xds_arena *arenas[XDS_DOCUMENT_ARENAS])
{
    arenas[0] = &document->scratch;
    arenas[1] = &document->yaml.document;
    arenas[2] = &document->yaml.recorder.queued;
    arenas[3] = &document->yaml.recorder.tokens;
}

/* ---- faults -------------------------------------------------------------------------
 */

static bool fault(struct xds_play *play, struct xds_place at, const char *what)
{
    return xds_fault_at(play, XDS_R_SCENARIO_DOCUMENT, at, "%s", what);
}

/* What the reader has against the text. A file that cannot be read on looks like one
 * that ends too early: that is not the text's fault. */
static bool reader_fault(const struct xds_document *d, struct xds_play *play)
{
    const struct xds_source_fault *told = &d->reader->fault;

    if (d->buffer.error) {
        play->failed = true;
        return false;
    }
    return xds_fault_at(play, told->rule, told->at, "%s", told->text);
}

/* ---- tokens -------------------------------------------------------------------------
 */

static void next_token(struct xds_document *d, struct xds_token *out)
{
    d->reader->ops->next(d->reader, out);
}

/* Lines are counted forward, but not while the steps are still to come. */
static struct xds_place place_of(struct xds_document *d, const struct xds_token *token)
{
    if (d->looking && d->format == XDS_FORMAT_JSON)
        return xds_buffer_place(&d->buffer, token->begin);
    return d->reader->ops->place(d->reader, token);
}

static bool is_container(const struct xds_token *token)
{
    return token->kind == XDS_TOKEN_OBJECT || token->kind == XDS_TOKEN_ARRAY;
}

/* The value as bytes or tokens of its own. */
static bool take(struct xds_document *d, const struct xds_token *first,
                 struct xds_taken *out, struct xds_token scalar[2])
{
    if (is_container(first))
        return d->reader->ops->take(d->reader, first, out);
    scalar[0] = *first;
    scalar[1] = (struct xds_token){.kind = XDS_TOKEN_END};
    out->tokens = scalar;
    if (d->format == XDS_FORMAT_JSON)
        out->bytes = xds_buffer_part(&d->buffer, first->begin, first->end);
    return true;
}

/* The value whose first token this is, as a tree. */
static bool read_value(struct xds_document *d, struct xds_play *play,
                       struct xds_arena *arena, const struct xds_token *first,
                       struct xds_tree *out)
{
    struct xds_resource in = {.format = d->format, .at = place_of(d, first)};
    struct xds_taken taken = {0};
    struct xds_json_fault wrong;
    struct xds_token scalar[2];

    if (first->kind == XDS_TOKEN_ERROR || !take(d, first, &taken, scalar))
        return reader_fault(d, play);
    in.bytes = taken.bytes;
    in.tokens = taken.tokens;
    if (xds_tree_read_at(arena, &in, out, &wrong))
        return true;
    return xds_fault_at(play, wrong.rule, xds_place_in(&in, wrong.begin, wrong.end), "%s",
                        wrong.what);
}

/* ---- the members --------------------------------------------------------------------
 */

/* Read what follows the steps, then come back to them. */
static bool look_ahead(struct xds_document *d, struct xds_play *play,
                       struct xds_arena *arena, const struct xds_token *steps,
                       struct xds_tree *head);

static bool read_member(struct xds_document *d, struct xds_play *play,
                        struct xds_arena *arena, const struct xds_token *key,
                        struct xds_tree *head)
{
    const struct xds_place at = place_of(d, key);
    struct xds_token first;
    struct xds_slice name;
    struct xds_tree value = {0};

    if (!xds_token_unescape(key, arena, &name))
        name = xds_arena_dup(arena, key->text);
    next_token(d, &first);
    if (xds_slice_is(name, "steps") && first.kind == XDS_TOKEN_ARRAY && !d->in_steps)
        return look_ahead(d, play, arena, &first, head);
    if (!read_value(d, play, arena, &first, &value))
        return false;
    value.key_line = at.line;
    value.key_column = at.column;
    if (xds_slice_is(name, "steps"))
        return fault(play, at, "\"steps\" must be one list of steps");
    xds_tree_put_key(arena, head, name, value);
    return true;
}

/* Up to the end of the scenario, or into its steps. */
static bool read_members(struct xds_document *d, struct xds_play *play,
                         struct xds_arena *arena, struct xds_tree *head)
{
    const bool behind_steps = d->in_steps;
    struct xds_token key;

    for (;;) {
        next_token(d, &key);
        if (key.kind == XDS_TOKEN_OBJECT_END)
            return true;
        if (key.kind != XDS_TOKEN_KEY)
            return reader_fault(d, play);
        if (!read_member(d, play, arena, &key, head))
            return false;
        if (d->in_steps && !behind_steps)
            return true;
    }
}

static bool look_ahead(struct xds_document *d, struct xds_play *play,
                       struct xds_arena *arena, const struct xds_token *steps,
                       struct xds_tree *head)
{
    bool good;

    d->in_steps = true;
    d->ahead = d->reader->ops->near_end(d->reader);
    if (!d->ahead)
        return true;
    d->looking = true;
    d->reader->ops->mark(d->reader);
    good = d->reader->ops->skip(d->reader, steps) || reader_fault(d, play);
    good = good && read_members(d, play, arena, head);
    d->reader->ops->rewind(d->reader);
    d->looking = false;
    return good;
}

static bool has_subject(struct xds_play *play, const struct xds_tree *head,
                        struct xds_place at)
{
    return xds_tree_member(head, "subject") ||
           fault(play, at, "the scenario names no subject");
}

bool xds_document_head(struct xds_document *document, struct xds_play *play,
                       struct xds_arena *arena, struct xds_tree *head)
{
    *head = xds_tree_object();
    document->in_steps = document->ahead = document->looking = false;
    if (play->failed)
        return false;
    const struct xds_place at = place_of(document, &document->first);

    if (document->first.kind == XDS_TOKEN_ERROR)
        return reader_fault(document, play);
    if (document->first.kind != XDS_TOKEN_OBJECT)
        return fault(play, at, "a scenario is an object with a subject and steps");
    if (!read_members(document, play, arena, head) || !has_subject(play, head, at))
        return false;
    return document->in_steps || fault(play, at, "the scenario has no steps");
}

/* ---- steps --------------------------------------------------------------------------
 */

/* Behind the steps nothing may stand that was not read ahead. */
static bool end_steps(struct xds_document *d, struct xds_play *play)
{
    struct xds_token token;

    d->in_steps = false;
    if (d->ahead)
        return false;
    next_token(d, &token);
    if (token.kind == XDS_TOKEN_ERROR)
        return reader_fault(d, play);
    if (token.kind == XDS_TOKEN_KEY)
        return fault(play, place_of(d, &token),
                     "in a file of this size \"steps\" must be the last key");
    return false;
}

bool xds_document_step(struct xds_document *document, struct xds_play *play,
                       struct xds_arena *arena, struct xds_tree *step)
{
    struct xds_token first;

    if (!document->in_steps)
        return false;
    xds_arena_reset(&document->scratch);
    next_token(document, &first);
    if (first.kind == XDS_TOKEN_ARRAY_END)
        return end_steps(document, play);
    return read_value(document, play, arena, &first, step);
}

/* ---- scenarios ----------------------------------------------------------------------
 */

/* Read over what a fault has left of the scenario. */
static void drain(struct xds_document *d)
{
    struct xds_token token;

    do {
        next_token(d, &token);
        if (token.kind == XDS_TOKEN_ERROR && d->format == XDS_FORMAT_JSON)
            d->reader->dead = true;
        if (is_container(&token))
            d->reader->ops->skip(d->reader, &token);
    } while (!d->reader->dead && token.kind != XDS_TOKEN_END);
}

/* A document of YAML with nothing in it is none. */
static bool is_empty(const struct xds_token *first)
{
    return first->kind == XDS_TOKEN_END ||
           (first->kind == XDS_TOKEN_NULL && first->text.len == 0);
}

bool xds_document_next(struct xds_document *document, struct xds_play *play)
{
    if (document->over)
        return false;
    if (document->n > 0 && !document->reader->dead)
        drain(document);
    while (document->reader->ops->begin(document->reader)) {
        next_token(document, &document->first);
        if (is_empty(&document->first))
            continue;
        document->n++;
        return true;
    }
    document->over = true;
    return document->n == 0 && !document->buffer.error &&
           !fault(play, (struct xds_place){document->buffer.file, 1, 1, 1, 1},
                  "there is no scenario in this file");
}
