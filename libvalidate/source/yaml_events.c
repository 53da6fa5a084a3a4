/*
 * yaml_events.c - libyaml's events as tokens, aliases expanded.
 *
 * Takes:  chunks of YAML text, one document each.
 * Gives:  tokens with their positions in the file. An alias gives the tokens of its
 *         anchor's node, with the positions they have there.
 * Fails:  with error tokens: what YAML cannot parse ends the document; an alias or a key
 *         that cannot be used costs one value only.
 * Source: YAML 1.2.2; libyaml.
 */
#include "source/yaml_anchor.h"

#include <errno.h>

/* ---- positions and errors ------------------------------------------------------- */

static uint32_t from_one(size_t n)
{
    return n < UINT32_MAX ? (uint32_t)n + 1 : UINT32_MAX;
}

static void set_position(const struct xds_yaml_events *e, struct xds_token *token,
                         yaml_mark_t from, yaml_mark_t to)
{
    token->line = from_one(from.line + e->chunk.first_line);
    token->column = from_one(from.column);
    token->end_line = from_one(to.line + e->chunk.first_line);
    token->end_column = from_one(to.column);
}

/* Where the mapping in work stands in the input, in bytes. What is part of an anchored
 * node, or may hold an alias, means nothing alone. */
static size_t offset_of(struct xds_yaml_events *e, yaml_mark_t mark)
{
    return e->n_anchors == 0 ? xds_yaml_chunk_offset(&e->chunk, mark.index)
                             : XDS_YAML_NOWHERE;
}

/* An error that stands in the place of a value. */
static void error_token(struct xds_token *out, enum xds_rule_id rule, const char *text)
{
    out->kind = XDS_TOKEN_ERROR;
    out->text = xds_slice_of(text);
    out->begin = rule;
}

static void die(struct xds_yaml_events *e, const char *text)
{
    error_token(&e->error, XDS_R_SRC_YAML, text);
    e->dead = true;
}

/* libyaml has read on and on since the last event. */
static void die_too_large(struct xds_yaml_events *e)
{
    const struct xds_source_fault fault =
        xds_fault_too_large((struct xds_place){0}, XDS_TOO_MANY_BYTES);

    set_position(e, &e->error, e->behind, e->behind);
    error_token(&e->error, fault.rule, fault.text);
    e->dead = true;
}

/* libyaml reads ahead of its mark, but says at which byte reading failed. */
static void place_reader_error(struct xds_yaml_events *e)
{
    const size_t at = e->chunk.begin + e->parser.problem_offset;
    struct xds_buffer *in = e->chunk.in;
    const struct xds_place place = xds_buffer_place(in, at < in->end ? at : in->end);

    e->error.line = place.line;
    e->error.column = place.column;
    e->error.end_line = place.end_line;
    e->error.end_column = place.end_column;
}

static const char *problem_text(struct xds_yaml_events *e)
{
    const char *problem = e->parser.problem ? e->parser.problem : "cannot be read";

    if (!e->parser.context)
        return problem;
    return xds_arena_printf(e->document, "%s %s", problem, e->parser.context).data;
}

static void parser_failed(struct xds_yaml_events *e)
{
    e->error = (struct xds_token){.kind = XDS_TOKEN_ERROR};
    set_position(e, &e->error, e->parser.problem_mark, e->parser.problem_mark);
    e->error.end_column++;
    if (e->parser.error == YAML_MEMORY_ERROR)
        e->chunk.in->error = ENOMEM;
    if (e->chunk.too_large) {
        die_too_large(e);
        return;
    }
    if (e->parser.error == YAML_READER_ERROR)
        place_reader_error(e);
    die(e, problem_text(e));
}

/* ---- events --------------------------------------------------------------------- */

static void drop_event(struct xds_yaml_events *e)
{
    if (e->has_event)
        yaml_event_delete(&e->event);
    e->has_event = false;
}

/* ---- comments ------------------------------------------------------------------- */

static bool stands_before(const struct xds_yaml_events *e, const struct xds_comment *c,
                          yaml_mark_t mark)
{
    const uint32_t line = from_one(mark.line + e->chunk.first_line);

    return c->at.line < line ||
           (c->at.line == line && c->at.column < from_one(mark.column));
}

/* Behind the "|" of a block scalar there is no text yet. */
static bool is_in_text(const struct xds_yaml_events *e, const struct xds_comment *c)
{
    const yaml_scalar_style_t style = e->event.data.scalar.style;
    const bool block =
        style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE;

    return !block ||
           c->at.line > from_one(e->event.start_mark.line + e->chunk.first_line);
}

/* libyaml passes over comments. What looks like one is text if a scalar covers it. */
static void settle_comments(struct xds_yaml_events *e)
{
    const bool is_scalar = e->event.type == YAML_SCALAR_EVENT;

    for (const struct xds_comment *c; (c = e->chunk.comments.first) != NULL;) {
        const bool before = stands_before(e, c, e->event.start_mark);

        if (!before && !(is_scalar && stands_before(e, c, e->event.end_mark)))
            return;
        xds_comments_settle(&e->chunk.comments, before || !is_in_text(e, c));
    }
}

/* ---- parsing -------------------------------------------------------------------- */

static bool next_event(struct xds_yaml_events *e)
{
    drop_event(e);
    if (!yaml_parser_parse(&e->parser, &e->event)) {
        parser_failed(e);
        return false;
    }
    e->has_event = true;
    e->behind = e->event.end_mark;
    e->chunk.unanswered = 0;
    settle_comments(e);
    return true;
}

static void close_parser(struct xds_yaml_events *e)
{
    drop_event(e);
    if (e->has_parser)
        yaml_parser_delete(&e->parser);
    e->has_parser = false;
}

static bool is_begin(yaml_event_type_t type)
{
    return type == YAML_MAPPING_START_EVENT || type == YAML_SEQUENCE_START_EVENT;
}

static bool is_end(yaml_event_type_t type)
{
    return type == YAML_MAPPING_END_EVENT || type == YAML_SEQUENCE_END_EVENT;
}

static void die_too_deep(struct xds_yaml_events *e)
{
    set_position(e, &e->error, e->event.start_mark, e->event.end_mark);
    die(e, "nested deeper than 512 levels");
}

/* Read behind the node that the event in work begins. */
static bool swallow(struct xds_yaml_events *e)
{
    size_t open = is_begin(e->event.type);

    while (open) {
        if (!next_event(e))
            return false;
        open += is_begin(e->event.type);
        if (e->depth + open > XDS_YAML_LEVELS) {
            die_too_deep(e);
            return false;
        }
        open -= is_end(e->event.type);
    }
    return true;
}

/* ---- nodes ---------------------------------------------------------------------- */

static bool key_is_due(const struct xds_yaml_events *e)
{
    return e->depth && e->is_mapping[e->depth - 1] && e->key_due[e->depth - 1];
}

static void node_done(struct xds_yaml_events *e)
{
    if (e->depth && e->is_mapping[e->depth - 1])
        e->key_due[e->depth - 1] = !e->key_due[e->depth - 1];
}

static void give_key(struct xds_yaml_events *e, struct xds_token *out)
{
    out->kind = XDS_TOKEN_KEY;
    xds_yaml_record(e, out, 1);
    node_done(e);
}

static void refuse_key(struct xds_yaml_events *e, struct xds_token *out, const char *text)
{
    e->refused = XDS_R_SRC_YAML_KEY;
    e->refusal = text;
    give_key(e, out);
}

static bool is_merge_key(const struct xds_yaml_events *e, const struct xds_token *key)
{
    return e->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
           xds_slice_is(key->text, "<<");
}

static bool is_text_tag(const yaml_char_t *tag)
{
    const struct xds_slice name = xds_slice_of((const char *)tag);

    return xds_slice_is(name, YAML_STR_TAG) || xds_slice_is(name, "!") ||
           xds_slice_is(name, "tag:yaml.org,2002:binary");
}

static void give_scalar(struct xds_yaml_events *e, struct xds_token *out)
{
    const yaml_char_t *tag = e->event.data.scalar.tag;

    out->kind = XDS_TOKEN_STRING;
    out->text = xds_slice_make((const char *)e->event.data.scalar.value,
                               e->event.data.scalar.length);
    if (e->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
        !(tag && is_text_tag(tag)))
        xds_yaml_resolve(out->text, e->number, out);
    xds_yaml_anchor_scalar(e, out);
    if (!key_is_due(e)) {
        xds_yaml_record(e, out, 1);
        node_done(e);
    } else if (is_merge_key(e, out)) {
        refuse_key(e, out,
                   "merge keys (<<) are not part of YAML 1.2: write the keys out");
    } else {
        give_key(e, out);
    }
}

static void give_begin(struct xds_yaml_events *e, struct xds_token *out)
{
    const bool mapping = e->event.type == YAML_MAPPING_START_EVENT;
    const yaml_char_t *anchor = mapping ? e->event.data.mapping_start.anchor
                                        : e->event.data.sequence_start.anchor;

    if (key_is_due(e)) {
        if (swallow(e))
            refuse_key(e, out, "a key must be a scalar");
        else
            *out = e->error;
        return;
    }
    if (e->depth == XDS_YAML_LEVELS) {
        die_too_deep(e);
        *out = e->error;
        return;
    }
    xds_yaml_anchor_open(e, anchor);
    out->kind = mapping ? XDS_TOKEN_OBJECT : XDS_TOKEN_ARRAY;
    if (mapping)
        out->begin = offset_of(e, e->event.start_mark);
    xds_yaml_record(e, out, 1);
    e->is_mapping[e->depth] = mapping;
    e->key_due[e->depth++] = mapping;
}

static void give_end(struct xds_yaml_events *e, struct xds_token *out)
{
    out->kind = e->event.type == YAML_MAPPING_END_EVENT ? XDS_TOKEN_OBJECT_END
                                                        : XDS_TOKEN_ARRAY_END;
    if (out->kind == XDS_TOKEN_OBJECT_END)
        out->end = offset_of(e, e->event.end_mark);
    xds_yaml_record(e, out, 1);
    e->depth--;
    xds_yaml_anchor_close(e);
    node_done(e);
}

static void alias_error(struct xds_token *out, const char *text)
{
    error_token(out, XDS_R_SRC_YAML_ALIAS, text);
}

static void give_alias_error(struct xds_yaml_events *e, struct xds_token *out,
                             const char *text)
{
    alias_error(out, text);
    xds_yaml_record(e, out, 1);
    node_done(e);
}

static void give_scalar_alias(struct xds_yaml_events *e, struct xds_token *out,
                              const struct xds_yaml_anchor *anchor)
{
    *out = anchor->scalar;
    if (key_is_due(e)) {
        give_key(e, out);
        return;
    }
    xds_yaml_record(e, out, 1);
    node_done(e);
}

/* The first token of a replayed node is never an alias: nodes begin with a bracket. */
static void give_node_alias(struct xds_yaml_events *e, struct xds_token *out,
                            const struct xds_yaml_anchor *anchor)
{
    struct xds_token mark = *out;

    mark.kind = XDS_YAML_ALIAS_MARK;
    mark.begin = anchor->begin;
    mark.end = anchor->end;
    xds_yaml_record(e, &mark, anchor->size);
    node_done(e);
    e->alias_budget -= anchor->size;
    e->alias_total += anchor->size;
    *out = e->anchored.items[anchor->begin];
    e->replay[0].at = anchor->begin + 1;
    e->replay[0].end = anchor->end;
    e->replays = 1;
}

static void give_alias(struct xds_yaml_events *e, struct xds_token *out)
{
    const struct xds_yaml_anchor *anchor = xds_strmap_get(
        &e->anchors, xds_slice_of((const char *)e->event.data.alias.anchor));
    const char *refusal = xds_yaml_alias_refusal(e, anchor);

    if (anchor && anchor->is_scalar && !anchor->lost)
        give_scalar_alias(e, out, anchor);
    else if (key_is_due(e))
        refuse_key(e, out, "a key must be a scalar");
    else if (refusal || !anchor)
        give_alias_error(e, out, refusal);
    else
        give_node_alias(e, out, anchor);
}

/* The next token of the innermost alias in work. */
static void give_replayed(struct xds_yaml_events *e, struct xds_token *out)
{
    const unsigned top = e->replays - 1;

    *out = e->anchored.items[e->replay[top].at++];
    if (out->kind == XDS_YAML_ALIAS_MARK && e->replays == XDS_YAML_REPLAYS) {
        alias_error(out, "aliases are nested deeper than 100");
    } else if (out->kind == XDS_YAML_ALIAS_MARK) {
        const size_t begin = out->begin, end = out->end;

        *out = e->anchored.items[begin];
        e->replay[e->replays].at = begin + 1;
        e->replay[e->replays++].end = end;
    }
    while (e->replays && e->replay[e->replays - 1].at == e->replay[e->replays - 1].end)
        e->replays--;
}

static void give_refusal(struct xds_yaml_events *e, struct xds_token *out)
{
    const char *text = e->refusal;

    e->refusal = NULL;
    if (!swallow(e)) {
        *out = e->error;
        return;
    }
    error_token(out, e->refused, text);
    xds_yaml_record(e, out, 1);
    node_done(e);
}

static void give_event(struct xds_yaml_events *e, struct xds_token *out)
{
    switch (e->event.type) {
    case YAML_SCALAR_EVENT:
        give_scalar(e, out);
        return;
    case YAML_SEQUENCE_START_EVENT:
    case YAML_MAPPING_START_EVENT:
        give_begin(e, out);
        return;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        give_end(e, out);
        return;
    case YAML_ALIAS_EVENT:
        give_alias(e, out);
        return;
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_STREAM_END_EVENT:
    case YAML_DOCUMENT_START_EVENT:
    case YAML_DOCUMENT_END_EVENT:
        e->ended = true;
        return;
    }
}

void xds_yaml_events_next(struct xds_yaml_events *events, struct xds_token *out)
{
    *out = (struct xds_token){.kind = XDS_TOKEN_END};
    if (events->dead) {
        *out = events->error;
        return;
    }
    if (events->replays) {
        give_replayed(events, out);
        return;
    }
    if (events->ended)
        return;
    if (!next_event(events)) {
        *out = events->error;
        return;
    }
    set_position(events, out, events->event.start_mark, events->event.end_mark);
    if (events->refusal)
        give_refusal(events, out);
    else
        give_event(events, out);
}

/* ---- documents ------------------------------------------------------------------ */

static void reset_document(struct xds_yaml_events *e)
{
    xds_arena_reset(e->document);
    xds_strmap_init(&e->anchors, e->document);
    e->anchored = (struct xds_token_list){.arena = e->document};
    e->n_anchors = e->anchored_text = e->expanded = 0;
    e->anchors_full = false;
    e->recording = NULL;
    e->replays = 0;
    e->refusal = NULL;
    e->depth = 0;
    e->ended = e->dead = false;
}

static bool open_chunk(struct xds_yaml_events *e)
{
    close_parser(e);
    if (!xds_yaml_chunk_next(&e->chunk))
        return false;
    if (!yaml_parser_initialize(&e->parser)) {
        e->chunk.in->error = ENOMEM;
        return false;
    }
    e->has_parser = true;
    yaml_parser_set_encoding(&e->parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input(&e->parser, xds_yaml_chunk_read, &e->chunk);
    e->behind = e->parser.mark;
    return true;
}

bool xds_yaml_events_begin(struct xds_yaml_events *events)
{
    if (events->dead)
        close_parser(events);
    reset_document(events);
    for (;;) {
        if (!events->has_parser && !open_chunk(events))
            return false;
        if (!next_event(events) || events->event.type == YAML_DOCUMENT_START_EVENT)
            return true;
        if (events->event.type == YAML_STREAM_END_EVENT)
            close_parser(events);
    }
}

void xds_yaml_events_open(struct xds_yaml_events *events, struct xds_buffer *in,
                          struct xds_arena *document)
{
    xds_yaml_events_close(events);
    *events = (struct xds_yaml_events){.document = document};
    xds_yaml_chunk_open(&events->chunk, in);
}

void xds_yaml_events_close(struct xds_yaml_events *events)
{
    close_parser(events);
}
