/*
 * yaml_events.c - YAML as tokens: of libyaml's events, or of lines that need none.
 *
 * Fails:  with error tokens: what YAML cannot parse ends the document; an alias or a key
 *         that cannot be used costs one value only.
 * Source: YAML 1.2.2; libyaml.
 */
#include "source/yaml/yaml_node.h"

#include <errno.h>

/* ---- positions and errors ---- */

static void set_position(const struct xds_yaml_events *e, struct xds_token *token,
                         yaml_mark_t from, yaml_mark_t to)
{
    token->line = xds_yaml_from_one(from.line + e->chunk.first_line);
    token->column = xds_yaml_from_one(from.column);
    token->end_line = xds_yaml_from_one(to.line + e->chunk.first_line);
    token->end_column = xds_yaml_from_one(to.column);
}

void xds_yaml_error(struct xds_token *out, enum xds_rule_id rule, const char *text)
{
    out->kind = XDS_TOKEN_ERROR;
    out->text = xds_slice_of(text);
    out->begin = rule;
}

void xds_yaml_fail(struct xds_yaml_events *e, const char *text)
{
    xds_yaml_error(&e->error, XDS_R_SRC_YAML,
                   xds_arena_printf(e->document, "invalid YAML: %s", text).data);
    e->failed = true;
}

/* libyaml has read on and on since the last event. */
static void fail_too_large(struct xds_yaml_events *e)
{
    const struct xds_source_fault fault =
        xds_fault_too_large((struct xds_place){0}, XDS_TOO_MANY_BYTES);

    set_position(e, &e->error, e->behind, e->behind);
    xds_yaml_error(&e->error, fault.rule, fault.text);
    e->failed = true;
}

/* libyaml reads ahead of its mark, but says at which byte reading failed. */
static void place_reader_error(struct xds_yaml_events *e)
{
    const size_t at = e->chunk.fed + e->parser.problem_offset;
    struct xds_buffer *in = e->chunk.in;
    const struct xds_place place = xds_buffer_place(in, at < in->end ? at : in->end);

    e->error.line = place.line;
    e->error.column = place.column;
    e->error.end_line = place.end_line;
    e->error.end_column = place.end_column;
}

/* Of a character that nothing can begin with libyaml says that it is no token; NULL: the
 * problem is another one. */
static const char *character_problem(struct xds_yaml_events *e)
{
    const char *problem = e->parser.problem;

    if (!problem || strcmp(problem, "found character that cannot start any token") != 0)
        return NULL;
    if (*e->parser.buffer.pointer == '\t')
        return "tab: YAML is indented with spaces";
    return xds_arena_printf(e->document, "a text that begins with %c must be quoted",
                            *e->parser.buffer.pointer)
        .data;
}

static const char *problem_text(struct xds_yaml_events *e)
{
    const char *problem = e->parser.problem ? e->parser.problem : "cannot be read";
    const char *character = character_problem(e);

    if (character)
        return character;
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
        fail_too_large(e);
        return;
    }
    if (e->parser.error == YAML_READER_ERROR)
        place_reader_error(e);
    xds_yaml_fail(e, problem_text(e));
}

/* ---- events ---- */

static void drop_event(struct xds_yaml_events *e)
{
    if (e->has_event)
        yaml_event_delete(&e->event);
    e->has_event = false;
}

/* ---- comments ---- */

static bool stands_before(const struct xds_yaml_events *e, const struct xds_comment *c,
                          yaml_mark_t mark)
{
    const uint32_t line = xds_yaml_from_one(mark.line + e->chunk.first_line);

    return c->at.line < line ||
           (c->at.line == line && c->at.column < xds_yaml_from_one(mark.column));
}

/* Behind the "|" of a block scalar there is no text yet. */
static bool is_in_text(const struct xds_yaml_events *e, const struct xds_comment *c)
{
    const yaml_scalar_style_t style = e->event.data.scalar.style;
    const bool block =
        style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE;

    return !block ||
           c->at.line > xds_yaml_from_one(e->event.start_mark.line + e->chunk.first_line);
}

/* libyaml skips comments. What looks like one is text if a scalar covers it. */
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

/* ---- parsing ---- */

bool xds_yaml_parse(struct xds_yaml_events *e)
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

void xds_yaml_fail_too_deep(struct xds_yaml_events *e)
{
    set_position(e, &e->error, e->event.start_mark, e->event.end_mark);
    xds_yaml_fail(e, "nested more than 512 levels deep");
}

void xds_yaml_close_parser(struct xds_yaml_events *e)
{
    drop_event(e);
    if (e->has_parser)
        yaml_parser_delete(&e->parser);
    e->has_parser = false;
}

bool xds_yaml_pass_event(struct xds_yaml_events *e)
{
    drop_event(e);
    e->has_event = yaml_parser_parse(&e->parser, &e->event);
    if (!e->has_event)
        parser_failed(e);
    return e->has_event;
}

static inline void next_of_line(struct xds_yaml_events *e, struct xds_token *out)
{
    *out = e->lines.tokens[e->lines.next++];
}

/* The next token by way of libyaml. */
static void next_by_event(struct xds_yaml_events *e, struct xds_token *out)
{
    if ((!e->has_parser && !xds_yaml_take_over(e)) || !xds_yaml_parse(e)) {
        *out = e->error;
        return;
    }
    if (xds_yaml_resume_lines(e)) {
        xds_yaml_close_parser(e);
        next_of_line(e, out);
        return;
    }
    set_position(e, out, e->event.start_mark, e->event.end_mark);
    if (e->refusal)
        xds_yaml_refuse_value(e, out);
    else
        xds_yaml_node(e, out);
}

void xds_yaml_events_next(struct xds_yaml_events *events, struct xds_token *out)
{
    struct xds_yaml_lines *l = &events->lines;

    if (l->next < l->n || (l->active && xds_yaml_lines_fill(events))) {
        next_of_line(events, out);
        return;
    }
    *out = (struct xds_token){.kind = XDS_TOKEN_END};
    if (events->failed)
        *out = events->error;
    else if (events->replays)
        xds_yaml_replay(events, out);
    else if (!events->ended)
        next_by_event(events, out);
}

/* ---- documents ---- */

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
    e->ended = e->failed = false;
}

bool xds_yaml_open_parser(struct xds_yaml_events *e)
{
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

/* To the first document of the next chunk, or to its parser. Comments of a chunk that
 * ended with an error may not be settled yet. */
static bool open_chunk(struct xds_yaml_events *e)
{
    xds_yaml_close_parser(e);
    e->directive = false;
    if (!xds_yaml_chunk_next(&e->chunk))
        return false;
    while (e->chunk.comments.first)
        xds_comments_settle(&e->chunk.comments, true);
    return (!e->libyaml_only && xds_yaml_lines_begin(e)) || xds_yaml_open_parser(e);
}

static bool has_directive(const yaml_event_t *event)
{
    return event->data.document_start.version_directive ||
           event->data.document_start.tag_directives.start !=
               event->data.document_start.tag_directives.end;
}

/* To the next document of a chunk that libyaml reads. */
static bool next_document(struct xds_yaml_events *e)
{
    while (xds_yaml_parse(e)) {
        if (e->event.type == YAML_DOCUMENT_START_EVENT) {
            e->directive = e->directive || has_directive(&e->event);
            return true;
        }
        if (e->event.type == YAML_STREAM_END_EVENT) {
            xds_yaml_close_parser(e);
            return false;
        }
    }
    return true; /* of which nothing but an error is known */
}

/* What is left of a document until libyaml reads it, or to its end. */
static void pass_lines(struct xds_yaml_events *e)
{
    struct xds_token token;

    while (e->depth > 0 && !e->has_parser && !e->ended && !e->failed)
        xds_yaml_events_next(e, &token);
}

bool xds_yaml_events_begin(struct xds_yaml_events *events)
{
    pass_lines(events);
    if (events->failed)
        xds_yaml_close_parser(events);
    reset_document(events);
    for (;;) {
        if (!events->has_parser && !open_chunk(events))
            return false;
        if (events->lines.active || next_document(events))
            return true;
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
    xds_yaml_close_parser(events);
}
