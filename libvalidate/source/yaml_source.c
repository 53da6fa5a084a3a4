/*
 * yaml_source.c - documents of YAML text as tokens of the container levels.
 *
 * Takes:  a buffer that rolls over the text.
 * Gives:  tokens, and resources as arrays of tokens, valid until the next resource.
 * Fails:  with faults; a syntax error ends its document, the next one is read.
 * Source: YAML 1.2.2.
 */
#include "source/yaml_source.h"

#include "base/limits.h"

/* Tokens of one resource, or seen ahead: they take 4 times as many bytes as usual text.
 */
#define MOST_TOKENS ((size_t)2000000)
#define TOO_MANY_TOKENS "resource has more than 2000000 YAML tokens"

static struct xds_yaml *yaml_of(struct xds_reader *reader)
{
    return (struct xds_yaml *)reader;
}

static struct xds_place place_of(const struct xds_yaml *yaml,
                                 const struct xds_token *token)
{
    return (struct xds_place){yaml->events.chunk.in->file, token->line, token->column,
                              token->end_line, token->end_column};
}

static void set_fault(struct xds_yaml *yaml, const struct xds_token *error)
{
    yaml->reader.fault = (struct xds_source_fault){
        .rule = (enum xds_rule_id)error->begin,
        .at = place_of(yaml, error),
        .text = error->text.data,
    };
    yaml->reader.dead = yaml->events.dead;
}

/* Tokens and their text that would be kept: are they over a limit? Then it is a fault of
 * the value that begins with `at`. */
static bool is_too_large(struct xds_yaml *yaml, size_t tokens, size_t text,
                         const struct xds_token *at)
{
    if (tokens <= MOST_TOKENS && text <= XDS_MAX_RESOURCE_BYTES)
        return false;
    yaml->reader.fault = xds_fault_too_large(
        place_of(yaml, at), tokens > MOST_TOKENS ? TOO_MANY_TOKENS : XDS_TOO_MANY_BYTES);
    return true;
}

static bool from_queue(const struct xds_yaml *yaml)
{
    return yaml->next < yaml->queue.n;
}

static void see_ahead(struct xds_yaml *yaml, struct xds_token *token)
{
    token->text = xds_arena_dup(&yaml->queued, token->text);
    xds_token_list_add(&yaml->queue, token);
    yaml->next++;
    yaml->queued_text += token->text.len;
    if (!is_too_large(yaml, yaml->queue.n, yaml->queued_text,
                      &yaml->queue.items[yaml->marked]))
        return;
    yaml->reader.dead = true;
    token->kind = XDS_TOKEN_ERROR;
}

static void next_token(struct xds_yaml *yaml, struct xds_token *out)
{
    if (from_queue(yaml)) {
        *out = yaml->queue.items[yaml->next++];
        return;
    }
    xds_yaml_events_next(&yaml->events, out);
    if (yaml->recording && !yaml->events.dead)
        see_ahead(yaml, out);
}

static void yaml_next(struct xds_reader *reader, struct xds_token *out)
{
    struct xds_yaml *yaml = yaml_of(reader);

    if (reader->dead) {
        *out = (struct xds_token){.kind = XDS_TOKEN_ERROR};
        return;
    }
    next_token(yaml, out);
    if (out->kind == XDS_TOKEN_ERROR && !reader->dead)
        set_fault(yaml, out);
}

/* How a token changes the number of open brackets. */
static int step_of(enum xds_token_kind kind)
{
    if (kind == XDS_TOKEN_OBJECT || kind == XDS_TOKEN_ARRAY)
        return 1;
    return kind == XDS_TOKEN_OBJECT_END || kind == XDS_TOKEN_ARRAY_END ? -1 : 0;
}

static bool yaml_skip(struct xds_reader *reader, const struct xds_token *first)
{
    struct xds_yaml *yaml = yaml_of(reader);
    struct xds_token token;
    int open = step_of(first->kind);

    while (open > 0) {
        if (open == 1) /* a list of resources may be skipped as a whole */
            yaml->events.alias_budget = XDS_MAX_ALIAS_TOKENS;
        next_token(yaml, &token);
        if (yaml->events.dead && token.kind == XDS_TOKEN_ERROR)
            set_fault(yaml, &token);
        if (reader->dead)
            return false;
        open += step_of(token.kind);
    }
    return true;
}

/* Keep a token of the resource that is taken; its text may point into an event. */
static size_t keep(struct xds_yaml *yaml, struct xds_token *token, bool queued)
{
    if (!queued)
        token->text = xds_arena_dup(yaml->reader.scratch, token->text);
    xds_token_list_add(&yaml->taken, token);
    return token->text.len;
}

static bool yaml_take(struct xds_reader *reader, const struct xds_token *first,
                      struct xds_taken *out)
{
    struct xds_yaml *yaml = yaml_of(reader);
    struct xds_token token = *first;
    int open = step_of(first->kind);
    size_t text = 0;
    bool good = true;

    yaml->taken.n = 0;
    yaml->events.alias_budget = XDS_MAX_ALIAS_TOKENS;
    text += keep(yaml, &token, false);
    while (open > 0) {
        const bool queued = from_queue(yaml);

        next_token(yaml, &token);
        open += step_of(token.kind);
        if (token.kind == XDS_TOKEN_ERROR && good) {
            set_fault(yaml, &token);
            if (yaml->events.chunk.too_large)
                yaml->reader.fault.at = place_of(yaml, first);
            good = false;
        }
        if (reader->dead || yaml->events.dead)
            break;
        if (good && is_too_large(yaml, yaml->taken.n + 1, text + token.text.len, first))
            good = false;
        if (good)
            text += keep(yaml, &token, queued);
    }
    reader->dead = yaml->events.dead;
    token = (struct xds_token){.kind = XDS_TOKEN_END};
    keep(yaml, &token, true);
    *out = (struct xds_taken){.bytes = {NULL, 0}, .tokens = yaml->taken.items};
    return good;
}

static void yaml_mark(struct xds_reader *reader)
{
    struct xds_yaml *yaml = yaml_of(reader);

    if (!from_queue(yaml)) {
        xds_arena_reset(&yaml->queued);
        yaml->queue = (struct xds_token_list){.arena = &yaml->queued};
        yaml->next = yaml->queued_text = 0;
    }
    yaml->marked = yaml->next;
    yaml->recording = true;
    yaml->events.alias_budget = XDS_MAX_ALIAS_TOKENS;
}

static void yaml_rewind(struct xds_reader *reader)
{
    struct xds_yaml *yaml = yaml_of(reader);

    yaml->next = yaml->marked;
    yaml->recording = false;
    reader->dead = yaml->events.dead;
}

static bool yaml_near_end(struct xds_reader *reader)
{
    struct xds_yaml_chunk *chunk = &yaml_of(reader)->events.chunk;

    return !xds_buffer_need(chunk->in, chunk->pos, XDS_LOOK_AHEAD + 1);
}

static struct xds_place yaml_place(struct xds_reader *reader,
                                   const struct xds_token *token)
{
    return place_of(yaml_of(reader), token);
}

static bool yaml_begin(struct xds_reader *reader)
{
    struct xds_yaml *yaml = yaml_of(reader);

    yaml->queue.n = yaml->next = 0;
    yaml->recording = reader->dead = false;
    return xds_yaml_events_begin(&yaml->events);
}

void xds_yaml_open(struct xds_yaml *yaml, struct xds_buffer *in,
                   struct xds_arena *scratch)
{
    static const struct xds_reader_ops ops = {
        .begin = yaml_begin,
        .next = yaml_next,
        .skip = yaml_skip,
        .take = yaml_take,
        .mark = yaml_mark,
        .rewind = yaml_rewind,
        .near_end = yaml_near_end,
        .place = yaml_place,
    };

    yaml->reader = (struct xds_reader){.ops = &ops, .scratch = scratch};
    xds_yaml_events_open(&yaml->events, in, &yaml->document);
    xds_arena_reset(&yaml->tokens);
    yaml->taken = (struct xds_token_list){.arena = &yaml->tokens};
    yaml->queue = (struct xds_token_list){.arena = &yaml->queued};
    yaml->next = 0;
}

void xds_yaml_release(struct xds_yaml *yaml)
{
    xds_yaml_events_close(&yaml->events);
    xds_arena_release(&yaml->document);
    xds_arena_release(&yaml->queued);
    xds_arena_release(&yaml->tokens);
}
