/*
 * yaml_events.c - YAML as tokens: of libyaml's events, or of lines that need none; its
 * documents.
 *
 * Fails:  with error tokens: what YAML cannot parse ends its document, and the next one
 *         is read; an alias or a key that cannot be used costs one value only.
 * Source: YAML 1.2.2; libyaml.
 */
#include <errno.h>

#include "source/yaml/yaml.h"

/* ---- positions and errors ---- */

static void set_position(const struct xds_yaml_events *e, struct xds_token *token,
                         yaml_mark_t from, yaml_mark_t to)
{
    token->line = xds_yaml_from_one(from.line + e->chunk.first_line);
    token->column = xds_yaml_from_one(from.column);
    token->end_line = xds_yaml_from_one(to.line + e->chunk.first_line);
    token->end_column = xds_yaml_from_one(to.column);
}

/* An error that is in the place of a value. */
static void error_token(struct xds_token *out, enum xds_rule_id rule, const char *text)
{
    out->kind = XDS_TOKEN_ERROR;
    out->text = xds_slice_of(text);
    out->begin = rule;
}

/* An error that ends the document; e->error has its place. */
static void fail(struct xds_yaml_events *e, const char *text)
{
    error_token(&e->error, XDS_R_SRC_YAML,
                xds_arena_printf(e->anchors.document, "invalid YAML: %s", text).data);
    e->failed = true;
}

/* libyaml has read on and on since the last event. */
static void fail_too_large(struct xds_yaml_events *e)
{
    const struct xds_source_fault fault =
        xds_fault_too_large((struct xds_place){0}, XDS_TOO_MANY_BYTES);

    set_position(e, &e->error, e->behind, e->behind);
    error_token(&e->error, fault.rule, fault.text);
    e->failed = true;
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
    return xds_arena_printf(e->anchors.document,
                            "a text that begins with %c must be quoted",
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
    return xds_arena_printf(e->anchors.document, "%s %s", problem, e->parser.context)
        .data;
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
    if (e->parser.error == YAML_READER_ERROR) {
        /* libyaml reads ahead of its mark, but says at which byte reading failed. */
        const size_t at = e->chunk.fed + e->parser.problem_offset;
        struct xds_buffer *in = e->chunk.in;
        const struct xds_place place = xds_buffer_place(in, at < in->end ? at : in->end);

        e->error.line = place.line;
        e->error.column = place.column;
        e->error.end_line = place.end_line;
        e->error.end_column = place.end_column;
    }
    fail(e, problem_text(e));
}

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

/* After the "|" of a block scalar there is no text yet. */
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

/* To the next event; false when the document is dead. */
static bool parse_event(struct xds_yaml_events *e)
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

/* The event in work is nested too deep. */
static void fail_too_deep(struct xds_yaml_events *e)
{
    set_position(e, &e->error, e->event.start_mark, e->event.end_mark);
    fail(e, "nested more than 512 levels deep");
}

static void close_parser(struct xds_yaml_events *e)
{
    drop_event(e);
    if (e->has_parser)
        yaml_parser_delete(&e->parser);
    e->has_parser = false;
}

/* Skip the next event; false when the document has failed. */
static bool pass_event(struct xds_yaml_events *e)
{
    drop_event(e);
    e->has_event = yaml_parser_parse(&e->parser, &e->event);
    if (!e->has_event)
        parser_failed(e);
    return e->has_event;
}

/* A parser for the chunk; false when there is no memory for it. */
static bool open_parser(struct xds_yaml_events *e)
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

/* ---- anchors ---- */

/* of that are kept as marks, so the list grows with the text only. Source:
 * YAML 1.2.2, 7.1. */

/* Anchors of one document, tokens in the nodes they name, and bytes of text. */
#define MOST_ANCHORS ((size_t)1 << 18)
#define MOST_ANCHORED ((size_t)1 << 20)
#define MOST_TEXT XDS_MAX_RESOURCE_BYTES
/* Tokens that aliases may add to one input: so many, and so many per byte read. */
#define ALIAS_FREE ((size_t)10 * XDS_MAX_ALIAS_TOKENS)
#define ALIAS_PER_BYTE ((size_t)16)

static struct xds_token keep_token(struct xds_yaml_events *e,
                                   const struct xds_token *token)
{
    struct xds_token kept = *token;

    kept.text = xds_arena_dup(e->anchors.document, token->text);
    e->anchors.text += token->text.len;
    return kept;
}

static bool is_full(struct xds_yaml_events *e, size_t text)
{
    if (e->anchors.n < MOST_ANCHORS && e->anchors.tokens.n < MOST_ANCHORED &&
        text <= MOST_TEXT - e->anchors.text)
        return false;
    e->anchors.full = true;
    return true;
}

/* A token was handed out: keep it for the anchored nodes that it is part of. size: of the
 * tokens it stands for. */
static void record(struct xds_yaml_events *e, const struct xds_token *token, size_t size)
{
    if (!e->anchors.recording)
        return;
    if (is_full(e, token->text.len)) {
        /* Too many tokens: the anchors that are open cannot be used. */
        for (struct xds_yaml_anchor *a = e->anchors.recording; a; a = a->outer) {
            a->lost = true;
            a->open = false;
        }
        e->anchors.recording = NULL;
        return;
    }
    const struct xds_token kept = keep_token(e, token);
    xds_token_list_add(&e->anchors.tokens, &kept);
    e->anchors.expanded += size;
}

/* NULL when an anchor whose node has this much text cannot be kept. */
static struct xds_yaml_anchor *new_anchor(struct xds_yaml_events *e,
                                          const yaml_char_t *name, size_t text)
{
    const struct xds_slice key = xds_slice_of((const char *)name);

    if (is_full(e, text)) {
        /* The name no longer stands for an earlier node. */
        struct xds_yaml_anchor *earlier = xds_strmap_get(&e->anchors.by_name, key);

        if (earlier)
            earlier->lost = true;
        return NULL;
    }
    struct xds_yaml_anchor *anchor = XDS_NEW(e->anchors.document, struct xds_yaml_anchor);
    *xds_strmap_at(&e->anchors.by_name, key) = anchor;
    e->anchors.n++;
    return anchor;
}

/* The event in work is a scalar, the token its value. */
static void anchor_scalar(struct xds_yaml_events *e, const struct xds_token *token)
{
    const yaml_char_t *name = e->event.data.scalar.anchor;
    struct xds_yaml_anchor *anchor = name ? new_anchor(e, name, token->text.len) : NULL;

    if (!anchor)
        return;
    anchor->is_scalar = true;
    anchor->scalar = keep_token(e, token);
}

/* A mapping or sequence begins; name may be NULL. */
static void anchor_open(struct xds_yaml_events *e, const yaml_char_t *name)
{
    struct xds_yaml_anchor *anchor = name ? new_anchor(e, name, 0) : NULL;

    if (!anchor)
        return;
    anchor->begin = e->anchors.tokens.n;
    anchor->size = e->anchors.expanded;
    anchor->depth = e->depth;
    anchor->open = true;
    anchor->outer = e->anchors.recording;
    e->anchors.recording = anchor;
}

/* ... has ended, e->depth is that of its begin. */
static void anchor_close(struct xds_yaml_events *e)
{
    struct xds_yaml_anchor *anchor = e->anchors.recording;

    if (!anchor || anchor->depth != e->depth)
        return;
    const size_t size = e->anchors.expanded - anchor->size;
    anchor->size = size < XDS_MAX_ALIAS_TOKENS ? size : XDS_MAX_ALIAS_TOKENS + 1;
    anchor->end = e->anchors.tokens.n;
    anchor->open = false;
    e->anchors.recording = anchor->outer;
}

/* Why an alias to this anchor (NULL: there is none) cannot be used; NULL when it can. */
static const char *alias_refusal(const struct xds_yaml_events *e,
                                 const struct xds_yaml_anchor *anchor)
{
    if (anchor ? anchor->lost : e->anchors.full)
        return "invalid YAML: alias in a document with too many anchored nodes";
    if (!anchor)
        return "invalid YAML: alias to an undefined anchor";
    if (anchor->open)
        return "invalid YAML: alias inside the node that it refers to";
    if (anchor->size > e->anchors.budget)
        return "invalid YAML: the aliases of one resource add more than 100000 tokens";
    if (e->anchors.total > ALIAS_FREE + ALIAS_PER_BYTE * e->chunk.pos)
        return "invalid YAML: the aliases add too many tokens to the input";
    return NULL;
}

/* Where the mapping in work is in the input, in bytes. What is part of an anchored
 * node, or may hold an alias, means nothing alone. */
static size_t offset_of(struct xds_yaml_events *e, yaml_mark_t mark)
{
    return e->anchors.n == 0 ? xds_yaml_chunk_offset(&e->chunk, mark.index)
                             : XDS_YAML_NOWHERE;
}

static bool is_begin(yaml_event_type_t type)
{
    return type == YAML_MAPPING_START_EVENT || type == YAML_SEQUENCE_START_EVENT;
}

/* Read after the node that the event in work begins. */
static bool swallow(struct xds_yaml_events *e)
{
    size_t open = is_begin(e->event.type);

    while (open) {
        if (!parse_event(e))
            return false;
        open += is_begin(e->event.type);
        if (e->depth + open > XDS_YAML_LEVELS) {
            fail_too_deep(e);
            return false;
        }
        open -= e->event.type == YAML_MAPPING_END_EVENT ||
                e->event.type == YAML_SEQUENCE_END_EVENT;
    }
    return true;
}

/* ---- nodes ---- */

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
    record(e, out, 1);
    node_done(e);
}

static void refuse_key(struct xds_yaml_events *e, struct xds_token *out, const char *text)
{
    e->refused = XDS_R_SRC_YAML_KEY;
    e->refusal = text;
    give_key(e, out);
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
    anchor_scalar(e, out);
    if (!key_is_due(e)) {
        record(e, out, 1);
        node_done(e);
    } else if (e->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
               xds_slice_is(out->text, "<<")) {
        refuse_key(
            e, out,
            "invalid YAML: merge keys (<<) are not part of YAML 1.2; write the keys out");
    } else {
        give_key(e, out);
    }
}

static bool is_bare_block(const yaml_event_t *event)
{
    if (event->type == YAML_MAPPING_START_EVENT)
        return event->data.mapping_start.style == YAML_BLOCK_MAPPING_STYLE &&
               !event->data.mapping_start.anchor && !event->data.mapping_start.tag;
    return event->data.sequence_start.style == YAML_BLOCK_SEQUENCE_STYLE &&
           !event->data.sequence_start.anchor && !event->data.sequence_start.tag;
}

static void give_begin(struct xds_yaml_events *e, struct xds_token *out)
{
    const bool mapping = e->event.type == YAML_MAPPING_START_EVENT;
    const yaml_char_t *anchor = mapping ? e->event.data.mapping_start.anchor
                                        : e->event.data.sequence_start.anchor;

    if (key_is_due(e)) {
        if (swallow(e))
            refuse_key(e, out, "invalid YAML: a key must be a scalar");
        else
            *out = e->error;
        return;
    }
    if (e->depth == XDS_YAML_LEVELS) {
        fail_too_deep(e);
        *out = e->error;
        return;
    }
    anchor_open(e, anchor);
    out->kind = mapping ? XDS_TOKEN_OBJECT : XDS_TOKEN_ARRAY;
    if (mapping)
        out->begin = offset_of(e, e->event.start_mark);
    record(e, out, 1);
    e->is_mapping[e->depth] = mapping;

    /* An anchor or a tag is elsewhere than the collection. */
    const bool outer_known =
        e->depth == 0 || e->indent[e->depth - 1] != XDS_YAML_NO_INDENT;
    e->indent[e->depth] = outer_known && is_bare_block(&e->event) &&
                                  e->event.start_mark.column < XDS_YAML_NO_INDENT
                              ? (uint32_t)e->event.start_mark.column
                              : XDS_YAML_NO_INDENT;
    e->key_due[e->depth++] = mapping;
}

static void alias_error(struct xds_token *out, const char *text)
{
    error_token(out, XDS_R_SRC_YAML_ALIAS, text);
}

static void give_scalar_alias(struct xds_yaml_events *e, struct xds_token *out,
                              const struct xds_yaml_anchor *anchor)
{
    *out = anchor->scalar;
    if (key_is_due(e)) {
        give_key(e, out);
        return;
    }
    record(e, out, 1);
    node_done(e);
}

static void give_alias(struct xds_yaml_events *e, struct xds_token *out)
{
    const struct xds_yaml_anchor *anchor = xds_strmap_get(
        &e->anchors.by_name, xds_slice_of((const char *)e->event.data.alias.anchor));
    const char *refusal = alias_refusal(e, anchor);

    if (anchor && anchor->is_scalar && !anchor->lost)
        give_scalar_alias(e, out, anchor);
    else if (key_is_due(e))
        refuse_key(e, out, "invalid YAML: a key must be a scalar");
    else if (refusal || !anchor) {
        alias_error(out, refusal);
        record(e, out, 1);
        node_done(e);
    } else {
        /* The first token of a replayed node is never an alias: nodes begin with a
         * bracket. */
        struct xds_token mark = *out;

        mark.kind = XDS_YAML_ALIAS_MARK;
        mark.begin = anchor->begin;
        mark.end = anchor->end;
        record(e, &mark, anchor->size);
        node_done(e);
        e->anchors.budget -= anchor->size;
        e->anchors.total += anchor->size;
        *out = e->anchors.tokens.items[anchor->begin];
        e->anchors.replay[0].at = anchor->begin + 1;
        e->anchors.replay[0].end = anchor->end;
        e->anchors.replays = 1;
    }
}

/* The next token of the innermost alias in work. */
static void replay_tokens(struct xds_yaml_events *e, struct xds_token *out)
{
    const unsigned top = e->anchors.replays - 1;

    *out = e->anchors.tokens.items[e->anchors.replay[top].at++];
    if (out->kind == XDS_YAML_ALIAS_MARK && e->anchors.replays == XDS_YAML_REPLAYS) {
        alias_error(out, "invalid YAML: aliases are nested more than 100 levels deep");
    } else if (out->kind == XDS_YAML_ALIAS_MARK) {
        const size_t begin = out->begin, end = out->end;

        *out = e->anchors.tokens.items[begin];
        e->anchors.replay[e->anchors.replays].at = begin + 1;
        e->anchors.replay[e->anchors.replays++].end = end;
    }
    while (e->anchors.replays && e->anchors.replay[e->anchors.replays - 1].at ==
                                     e->anchors.replay[e->anchors.replays - 1].end)
        e->anchors.replays--;
}

/* The event in work begins the value of a key that cannot be used. */
static void refuse_value(struct xds_yaml_events *e, struct xds_token *out)
{
    const char *text = e->refusal;

    e->refusal = NULL;
    if (!swallow(e)) {
        *out = e->error;
        return;
    }
    error_token(out, e->refused, text);
    record(e, out, 1);
    node_done(e);
}

/* The token of the event in work. */
static void node_token(struct xds_yaml_events *e, struct xds_token *out)
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
        out->kind = e->event.type == YAML_MAPPING_END_EVENT ? XDS_TOKEN_OBJECT_END
                                                            : XDS_TOKEN_ARRAY_END;
        if (out->kind == XDS_TOKEN_OBJECT_END)
            out->end = offset_of(e, e->event.end_mark);
        record(e, out, 1);
        e->depth--;
        anchor_close(e);
        node_done(e);
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

/* ---- from libyaml to lines ---- */

/* Does this line hold nothing in front of the key but blanks? */
static bool begins_with_key(const struct xds_yaml_events *e, size_t begin, size_t key)
{
    const struct xds_buffer *in = e->chunk.in;

    if (begin > e->chunk.begin &&
        (begin == in->begin || in->data[begin - 1 - in->begin] != '\n'))
        return false;
    for (size_t at = begin; at < key; at++)
        if (in->data[at - in->begin] != ' ')
            return false;
    return true;
}

/* The line of the key that is the event in work. */
static bool find_line(struct xds_yaml_events *e, struct xds_yaml_line *out)
{
    const yaml_mark_t mark = e->event.start_mark;
    const size_t key = xds_yaml_chunk_offset(&e->chunk, mark.index);
    const size_t number = mark.line + e->chunk.first_line;
    const size_t begin = key - mark.column;

    if (key == XDS_YAML_NOWHERE || key - e->chunk.begin < mark.column ||
        begin < e->chunk.in->begin || !begins_with_key(e, begin, key))
        return false;
    xds_yaml_lines_read(e, begin, (uint32_t)number, out);
    return out->kind == XDS_YAML_LINE_ENTRY && out->key.begin == mark.column &&
           xds_yaml_chunk_line_at(&e->chunk, begin) == number;
}

/* The levels that lines can be read in. */
static bool is_key_of_block(const struct xds_yaml_events *e)
{
    const unsigned depth = e->depth;

    return e->event.type == YAML_SCALAR_EVENT && depth > 0 &&
           depth <= XDS_YAML_LINES_DEPTH && e->is_mapping[depth - 1] &&
           e->key_due[depth - 1] && e->event.start_mark.column == e->indent[depth - 1] &&
           e->indent[depth - 1] <= XDS_YAML_LINES_COLUMN && !e->anchors.recording &&
           !e->directive && !e->libyaml_only;
}

/* A turn of so many lines was worth it. Else libyaml keeps more and more keys: where the
 * two would take turns all the time, both would lose. */
#define WORTH_IT 6
#define MOST_PATIENCE 255

static void judge_lines(struct xds_yaml_lines *l)
{
    if (l->given >= WORTH_IT)
        l->patience = 0;
    else if (l->patience < MOST_PATIENCE)
        l->patience = 2 * l->patience + 1;
    l->given = l->kept = 0;
}

static bool try_lines(struct xds_yaml_events *e)
{
    struct xds_yaml_lines *l = &e->lines;

    l->level = e->depth;
    l->nested = false;
    l->active = find_line(e, &l->line) && xds_yaml_lines_give(e);
    if (!l->active)
        judge_lines(l);
    return l->active;
}

/* The event in work may be a key from which reading by lines can continue: then it does.
 */
static bool resume_lines(struct xds_yaml_events *e)
{
    return is_key_of_block(e) && e->lines.kept++ >= e->lines.patience && try_lines(e);
}

/* ---- from lines to libyaml ---- */

_Static_assert(XDS_YAML_LINES_DEPTH *(XDS_YAML_LINES_COLUMN + 4) + 3 <= XDS_YAML_PREFIX,
               "all levels have room");

/* Each open collection on a line of its own: "k:" or "-" in its column. If the last one
 * is not waiting for a value it gets one, which nothing can continue. */
static void write_prefix(struct xds_yaml_events *e)
{
    struct xds_yaml_chunk *chunk = &e->chunk;
    char *to = chunk->prefix;

    for (unsigned i = 0; i < e->depth; i++) {
        if (i > 0)
            *to++ = '\n';
        memset(to, ' ', e->indent[i]);
        to += e->indent[i];
        memcpy(to, e->is_mapping[i] ? "k: " : "-  ", 3);
        to += 3;
    }
    if (!e->lines.nested) {
        memcpy(to, "''", 2);
        to += 2;
    }
    *to++ = '\n';
    xds_yaml_chunk_restart(chunk, (size_t)(to - chunk->prefix), e->depth);
}

/* How many events that text gives, after those of its begin. */
static unsigned count_events(const struct xds_yaml_events *e)
{
    unsigned n = e->depth + !e->lines.nested;

    for (unsigned i = 0; i < e->depth; i++)
        n += e->is_mapping[i];
    return n;
}

/* libyaml reads on where reading by lines has ended; false when the document is dead. */
static bool take_over(struct xds_yaml_events *e)
{
    judge_lines(&e->lines);
    write_prefix(e);
    if (!open_parser(e)) {
        fail(e, "cannot be read");
        return false;
    }
    for (unsigned n = 2 + count_events(e); n > 0; n--)
        if (!pass_event(e))
            return false;
    /* As if libyaml had read all that lines were read of. */
    const struct xds_yaml_lines *l = &e->lines;

    for (unsigned i = 0; i < e->depth; i++)
        e->key_due[i] = false;
    e->key_due[e->depth - 1] = e->is_mapping[e->depth - 1] && !l->nested;
    e->behind.line = l->end_line - 1 - e->chunk.first_line;
    e->behind.column = l->end_column - 1;
    return true;
}

static inline void next_of_line(struct xds_yaml_events *e, struct xds_token *out)
{
    *out = e->lines.tokens[e->lines.next++];
}

/* The next token by way of libyaml. */
static void next_by_event(struct xds_yaml_events *e, struct xds_token *out)
{
    if ((!e->has_parser && !take_over(e)) || !parse_event(e)) {
        *out = e->error;
        return;
    }
    if (resume_lines(e)) {
        close_parser(e);
        next_of_line(e, out);
        return;
    }
    set_position(e, out, e->event.start_mark, e->event.end_mark);
    if (e->refusal)
        refuse_value(e, out);
    else
        node_token(e, out);
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
    else if (events->anchors.replays)
        replay_tokens(events, out);
    else if (!events->ended)
        next_by_event(events, out);
}

/* ---- documents ---- */

static void reset_document(struct xds_yaml_events *e)
{
    xds_arena_reset(e->anchors.document);
    xds_strmap_init(&e->anchors.by_name, e->anchors.document);
    e->anchors.tokens = (struct xds_token_list){.arena = e->anchors.document};
    e->anchors.n = e->anchors.text = e->anchors.expanded = 0;
    e->anchors.full = false;
    e->anchors.recording = NULL;
    e->anchors.replays = 0;
    e->refusal = NULL;
    e->depth = 0;
    e->ended = e->failed = false;
}

/* To the first document of the next chunk, or to its parser. Comments of a chunk that
 * ended with an error may not be settled yet. */
static bool open_chunk(struct xds_yaml_events *e)
{
    close_parser(e);
    e->directive = false;
    if (!xds_yaml_chunk_next(&e->chunk))
        return false;
    while (e->chunk.comments.first)
        xds_comments_settle(&e->chunk.comments, true);
    return (!e->libyaml_only && xds_yaml_lines_begin(e)) || open_parser(e);
}

/* To the next document of a chunk that libyaml reads. */
static bool next_document(struct xds_yaml_events *e)
{
    while (parse_event(e)) {
        if (e->event.type == YAML_DOCUMENT_START_EVENT) {
            e->directive =
                e->directive || (e->event.data.document_start.version_directive ||
                                 e->event.data.document_start.tag_directives.start !=
                                     e->event.data.document_start.tag_directives.end);
            return true;
        }
        if (e->event.type == YAML_STREAM_END_EVENT) {
            close_parser(e);
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
        close_parser(events);
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
    *events = (struct xds_yaml_events){.anchors.document = document};
    xds_yaml_chunk_open(&events->chunk, in);
}

void xds_yaml_events_close(struct xds_yaml_events *events)
{
    close_parser(events);
}

static struct xds_yaml *yaml_of(struct xds_recorder *recorder)
{
    return (struct xds_yaml *)recorder;
}

static bool yaml_begin(struct xds_recorder *recorder)
{
    return xds_yaml_events_begin(&yaml_of(recorder)->events);
}

static void yaml_next(struct xds_recorder *recorder, struct xds_token *out)
{
    struct xds_yaml_events *events = &yaml_of(recorder)->events;

    xds_yaml_events_next(events, out);
    recorder->over = events->failed;
    recorder->oversize = events->chunk.too_large;
}

static void yaml_renew(struct xds_recorder *recorder)
{
    yaml_of(recorder)->events.anchors.budget = XDS_MAX_ALIAS_TOKENS;
}

static size_t yaml_pos(const struct xds_recorder *recorder)
{
    return ((const struct xds_yaml *)recorder)->events.chunk.pos;
}

void xds_yaml_open(struct xds_yaml *yaml, struct xds_buffer *in,
                   struct xds_arena *scratch)
{
    static const struct xds_recorder_ops ops = {
        .begin = yaml_begin,
        .next = yaml_next,
        .renew = yaml_renew,
        .pos = yaml_pos,
    };

    xds_recorder_open(&yaml->recorder, &ops, in, scratch);
    xds_yaml_events_open(&yaml->events, in, &yaml->document);
}

void xds_yaml_release(struct xds_yaml *yaml)
{
    xds_yaml_events_close(&yaml->events);
    xds_arena_release(&yaml->document);
    xds_recorder_release(&yaml->recorder);
}
