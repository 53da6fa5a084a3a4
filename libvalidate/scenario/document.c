/* document.c - the scenarios of one file, one step after the other. */
#include "scenario/scenario.h"

/* ---- files ---- */

static void begin_file(struct xds_document *d)
{
    d->n = 0;
    d->over = false;
}

bool xds_document_open(struct xds_document *document, const char *path)
{
    begin_file(document);
    return xds_tree_file_open(&document->file, path, 0);
}

void xds_document_open_bytes(struct xds_document *document, const char *name,
                             struct xds_slice bytes)
{
    begin_file(document);
    xds_tree_file_open_bytes(&document->file, name, bytes, 0);
}

/* ---- faults ---- */

static bool fault(struct xds_play *play, struct xds_place at, const char *what)
{
    return xds_fault_at(play, XDS_R_SCENARIO_DOCUMENT, at, "%s", what);
}

/* What is wrong with the text. A file that cannot be read on looks like one that ends
 * too early: that is not the text's fault. */
static bool text_fault(const struct xds_document *d, struct xds_play *play,
                       const struct xds_source_fault *told)
{
    if (d->file.buffer.error) {
        play->failed = true;
        return false;
    }
    return xds_fault_at(play, told->rule, told->at, "%s", told->text);
}

static bool reader_fault(const struct xds_document *d, struct xds_play *play)
{
    return text_fault(d, play, &d->file.reader->fault);
}

/* ---- tokens ---- */

static void next_token(struct xds_document *d, struct xds_token *out)
{
    d->file.reader->ops->next(d->file.reader, out);
}

/* Lines are counted forward, but not while the steps are still to come. */
static struct xds_place place_of(struct xds_document *d, const struct xds_token *token)
{
    if (d->looking && d->file.format == XDS_FORMAT_JSON)
        return xds_buffer_place(&d->file.buffer, token->begin);
    return d->file.reader->ops->place(d->file.reader, token);
}

/* The value whose first token this is, as a tree. */
static bool read_value(struct xds_document *d, struct xds_play *play,
                       struct xds_arena *arena, const struct xds_token *first,
                       struct xds_tree *out)
{
    struct xds_source_fault fault;

    return xds_tree_file_value(&d->file, arena, first, place_of(d, first), out, &fault) ||
           text_fault(d, play, &fault);
}

/* ---- the members ---- */

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
    const struct xds_slice name = xds_token_unescape(key, arena);
    struct xds_tree value = {0};

    next_token(d, &first);
    if (xds_slice_is(name, "steps") && first.kind == XDS_TOKEN_ARRAY && !d->in_steps)
        return look_ahead(d, play, arena, &first, head);
    if (!read_value(d, play, arena, &first, &value))
        return false;
    value.key_line = at.line;
    value.key_column = at.column;
    if (xds_slice_is(name, "steps"))
        return fault(play, at, "\"steps\" must be a list of steps, and appear once");
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
    d->ahead = d->file.reader->ops->near_end(d->file.reader);
    if (!d->ahead)
        return true;
    d->looking = true;
    d->file.reader->ops->mark(d->file.reader);
    good = d->file.reader->ops->skip(d->file.reader, steps) || reader_fault(d, play);
    good = good && read_members(d, play, arena, head);
    d->file.reader->ops->rewind(d->file.reader);
    d->looking = false;
    return good;
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
        return fault(play, at,
                     "a scenario must be an object with \"subject\" and \"steps\"");
    if (!read_members(document, play, arena, head))
        return false;
    if (!xds_tree_member(head, "subject"))
        return fault(play, at, "\"subject\" is missing in the scenario");
    return document->in_steps || fault(play, at, "\"steps\" is missing in the scenario");
}

/* ---- steps ---- */

/* Nothing that was not read ahead may be after the steps. */
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
    xds_arena_reset(&document->file.scratch);
    next_token(document, &first);
    if (first.kind == XDS_TOKEN_ARRAY_END)
        return end_steps(document, play);
    return read_value(document, play, arena, &first, step);
}

/* ---- scenarios ---- */

/* Read over what a fault has left of the scenario. */
static void drain(struct xds_document *d)
{
    struct xds_token token;

    do {
        next_token(d, &token);
        if (token.kind == XDS_TOKEN_ERROR && d->file.format == XDS_FORMAT_JSON)
            d->file.reader->failed = true;
        if (xds_token_is_container(&token))
            d->file.reader->ops->skip(d->file.reader, &token);
    } while (!d->file.reader->failed && token.kind != XDS_TOKEN_END);
}

bool xds_document_next(struct xds_document *document, struct xds_play *play)
{
    if (document->over)
        return false;
    if (document->n > 0 && !document->file.reader->failed)
        drain(document);
    if (xds_tree_file_next(&document->file, &document->first)) {
        document->n++;
        return true;
    }
    document->over = true;
    return document->n == 0 && !document->file.buffer.error &&
           !fault(play, (struct xds_place){document->file.buffer.file, 1, 1, 1, 1},
                  "the file has no scenario");
}
