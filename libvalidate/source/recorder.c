/*
 * recorder.c - a reader over tokens that come one by one: YAML and text proto.
 *
 * Fails:  with the faults of the source, and when a resource is over a limit.
 */
#include "source/recorder.h"

#include "base/limits.h"

/* Tokens of one resource, or seen ahead: they take 4 times as many bytes as usual text.
 */
#define MOST_TOKENS ((size_t)2000000)
#define TOO_MANY_TOKENS "the input has a resource of more than 2000000 tokens"

static struct xds_recorder *recorder_of(struct xds_reader *reader)
{
    return (struct xds_recorder *)reader;
}

static struct xds_place place_of(const struct xds_recorder *r,
                                 const struct xds_token *token)
{
    return (struct xds_place){r->in->file, token->line, token->column, token->end_line,
                              token->end_column};
}

static void set_fault(struct xds_recorder *r, const struct xds_token *error)
{
    r->reader.fault = (struct xds_source_fault){
        .rule = (enum xds_rule_id)error->begin,
        .at = place_of(r, error),
        .text = error->text.data,
    };
    r->reader.failed = r->over;
}

/* Tokens and their text that would be kept: are they over a limit? Then it is a fault of
 * the value that begins with `at`. */
static bool is_too_large(struct xds_recorder *r, size_t tokens, size_t text,
                         const struct xds_token *at)
{
    if (tokens <= MOST_TOKENS && text <= XDS_MAX_RESOURCE_BYTES)
        return false;
    r->reader.fault = xds_fault_too_large(
        place_of(r, at), tokens > MOST_TOKENS ? TOO_MANY_TOKENS : XDS_TOO_MANY_BYTES);
    return true;
}

static bool from_queue(const struct xds_recorder *r)
{
    return r->next < r->queue.n;
}

static void see_ahead(struct xds_recorder *r, struct xds_token *token)
{
    token->text = xds_arena_dup(&r->queued, token->text);
    xds_token_list_add(&r->queue, token);
    r->next++;
    r->queued_text += token->text.len;
    if (!is_too_large(r, r->queue.n, r->queued_text, &r->queue.items[r->marked]))
        return;
    r->reader.failed = true;
    token->kind = XDS_TOKEN_ERROR;
}

static void next_token(struct xds_recorder *r, struct xds_token *out)
{
    if (from_queue(r)) {
        *out = r->queue.items[r->next++];
        return;
    }
    r->ops->next(r, out);
    if (r->recording && !r->over)
        see_ahead(r, out);
}

static void recorder_next(struct xds_reader *reader, struct xds_token *out)
{
    struct xds_recorder *r = recorder_of(reader);

    if (reader->failed) {
        *out = (struct xds_token){.kind = XDS_TOKEN_ERROR};
        return;
    }
    next_token(r, out);
    if (out->kind == XDS_TOKEN_ERROR && !reader->failed)
        set_fault(r, out);
}

/* How a token changes the number of open brackets. */
static int step_of(enum xds_token_kind kind)
{
    if (kind == XDS_TOKEN_OBJECT || kind == XDS_TOKEN_ARRAY)
        return 1;
    return kind == XDS_TOKEN_OBJECT_END || kind == XDS_TOKEN_ARRAY_END ? -1 : 0;
}

static bool recorder_skip(struct xds_reader *reader, const struct xds_token *first)
{
    struct xds_recorder *r = recorder_of(reader);
    struct xds_token token;
    int open = step_of(first->kind);

    while (open > 0) {
        if (open == 1) /* a list of resources may be skipped as a whole */
            r->ops->renew(r);
        next_token(r, &token);
        if (r->over && token.kind == XDS_TOKEN_ERROR)
            set_fault(r, &token);
        if (reader->failed)
            return false;
        open += step_of(token.kind);
    }
    return true;
}

/* Keep the token that is after those of the resource that is taken; its text may
 * point into an event. */
static size_t keep(struct xds_recorder *r, struct xds_token *token, bool queued)
{
    if (!queued)
        token->text = xds_arena_dup(r->reader.scratch, token->text);
    r->taken.n++;
    return token->text.len;
}

static bool recorder_take(struct xds_reader *reader, const struct xds_token *first,
                          struct xds_taken *out)
{
    struct xds_recorder *r = recorder_of(reader);
    const struct xds_token behind = {.kind = XDS_TOKEN_END};
    int open = step_of(first->kind);
    size_t text = 0, end = first->end;
    bool good = true;

    r->taken.n = 0;
    r->ops->renew(r);
    struct xds_token *token = xds_token_list_room(&r->taken);
    *token = *first;
    text += keep(r, token, false);
    while (open > 0) {
        const bool queued = from_queue(r);

        token = xds_token_list_room(&r->taken);
        next_token(r, token);
        open += step_of(token->kind);
        end = token->end;
        if (token->kind == XDS_TOKEN_ERROR && good) {
            set_fault(r, token);
            if (r->oversize)
                r->reader.fault.at = place_of(r, first);
            good = false;
        }
        if (reader->failed || r->over)
            break;
        if (good && is_too_large(r, r->taken.n + 1, text + token->text.len, first))
            good = false;
        if (good)
            text += keep(r, token, queued);
    }
    reader->failed = r->over;
    xds_token_list_add(&r->taken, &behind);
    r->taken.items[0].end = end;
    *out = (struct xds_taken){.bytes = {NULL, 0}, .tokens = r->taken.items};
    return good;
}

static void recorder_mark(struct xds_reader *reader)
{
    struct xds_recorder *r = recorder_of(reader);

    if (!from_queue(r)) {
        xds_arena_reset(&r->queued);
        r->queue = (struct xds_token_list){.arena = &r->queued};
        r->next = r->queued_text = 0;
    }
    r->marked = r->next;
    r->recording = true;
    r->ops->renew(r);
}

static void recorder_rewind(struct xds_reader *reader)
{
    struct xds_recorder *r = recorder_of(reader);

    r->next = r->marked;
    r->recording = false;
    reader->failed = r->over;
}

static bool recorder_near_end(struct xds_reader *reader)
{
    struct xds_recorder *r = recorder_of(reader);

    return !xds_buffer_need(r->in, r->ops->pos(r), XDS_LOOK_AHEAD + 1);
}

static struct xds_place recorder_place(struct xds_reader *reader,
                                       const struct xds_token *token)
{
    return place_of(recorder_of(reader), token);
}

static bool recorder_begin(struct xds_reader *reader)
{
    struct xds_recorder *r = recorder_of(reader);

    r->queue.n = r->next = 0;
    r->recording = reader->failed = r->over = r->oversize = false;
    return r->ops->begin(r);
}

void xds_recorder_open(struct xds_recorder *recorder, const struct xds_recorder_ops *ops,
                       struct xds_buffer *in, struct xds_arena *scratch)
{
    static const struct xds_reader_ops reader_ops = {
        .begin = recorder_begin,
        .next = recorder_next,
        .skip = recorder_skip,
        .take = recorder_take,
        .mark = recorder_mark,
        .rewind = recorder_rewind,
        .near_end = recorder_near_end,
        .place = recorder_place,
    };

    recorder->reader = (struct xds_reader){.ops = &reader_ops, .scratch = scratch};
    recorder->ops = ops;
    recorder->in = in;
    xds_arena_reset(&recorder->tokens);
    recorder->taken = (struct xds_token_list){.arena = &recorder->tokens};
    recorder->queue = (struct xds_token_list){.arena = &recorder->queued};
    recorder->next = 0;
    recorder->over = recorder->oversize = false;
}

void xds_recorder_release(struct xds_recorder *recorder)
{
    xds_arena_release(&recorder->queued);
    xds_arena_release(&recorder->tokens);
}
