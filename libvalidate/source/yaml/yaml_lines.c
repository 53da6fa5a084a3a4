/*
 * yaml_lines.c - documents of YAML as programs write it, line by line.
 *
 * Fails:  never: what is not known here is left to libyaml.
 * Source: YAML 1.2.2, chapter 8; libyaml's scanner and parser.
 */
#include "source/yaml/yaml_lines.h"

#include "source/yaml/yaml_events.h"

/* ---- lines of the chunk ---- */

static size_t count_newlines(struct xds_slice text)
{
    size_t n = 0;

    while (n < text.len && text.data[n] == '\n')
        n++;
    return n;
}

void xds_yaml_lines_read(struct xds_yaml_events *e, size_t at, uint32_t number,
                         struct xds_yaml_line *out)
{
    const struct xds_buffer *in = e->chunk.in;
    const struct xds_slice all = xds_yaml_chunk_from(&e->chunk, at, XDS_YAML_LINE_MOST);
    const size_t newlines = count_newlines(all);
    const struct xds_slice text = xds_slice_from(all, newlines);

    out->at = at + newlines;
    out->number = number + (uint32_t)newlines;
    out->dashes = 0;
    if ((text.len == 0 && in->eof) || xds_yaml_chunk_ends_at(&e->chunk, out->at))
        out->kind = XDS_YAML_LINE_NONE;
    else
        xds_yaml_line_read(text, in->eof, out);
}

/* ---- where a line belongs ---- */

/* The line is in the level's collection, or in the one around a list that is not
 * indented. */
static bool find_level(const struct xds_yaml_events *e, const struct xds_yaml_line *line,
                       unsigned *level)
{
    const uint32_t column = xds_yaml_line_indent(line);
    const bool key = line->dashes == 0;
    unsigned n = e->depth;

    while (n > 0 && e->indent[n - 1] > column)
        n--;
    if (n > 1 && key && !e->is_mapping[n - 1] && e->indent[n - 2] == column)
        n--;
    *level = n;
    return n > 0 && e->indent[n - 1] == column && e->is_mapping[n - 1] == key;
}

/* A list may be in the column of the key it is the value of. */
static bool is_nested(const struct xds_yaml_events *e, const struct xds_yaml_line *line)
{
    const uint32_t column = xds_yaml_line_indent(line);
    const uint32_t outer = e->indent[e->depth - 1];

    return column > outer ||
           (column == outer && line->dashes > 0 && e->is_mapping[e->depth - 1]);
}

static bool fits(const struct xds_yaml_events *e, const struct xds_yaml_line *line)
{
    return xds_yaml_line_innermost(line) <= XDS_YAML_LINES_COLUMN &&
           e->depth + line->dashes + 1 <= XDS_YAML_LINES_DEPTH;
}

/* Where the line is among the open collections, the last of which lacks a value if it
 * is pending. False when it must not be there, or is too deep for this file. */
static bool place_line(struct xds_yaml_events *e, const struct xds_yaml_line *line,
                       bool pending)
{
    struct xds_yaml_lines *l = &e->lines;

    l->level = 0;
    l->nested = false;
    if (line->kind != XDS_YAML_LINE_ENTRY)
        return line->kind == XDS_YAML_LINE_NONE;
    if (!fits(e, line))
        return false;
    l->nested = pending && is_nested(e, line);
    if (!l->nested)
        return find_level(e, line, &l->level);
    l->level = e->depth;
    return true;
}

/* ---- tokens ---- */

static struct xds_token *add_token(struct xds_yaml_lines *l, enum xds_token_kind kind,
                                   uint32_t begin, uint32_t end)
{
    struct xds_token *token = &l->tokens[l->n++];
    const uint32_t line = xds_yaml_from_one(l->line.number);

    *token = (struct xds_token){.kind = kind,
                                .line = line,
                                .column = begin + 1,
                                .end_line = line,
                                .end_column = end + 1};
    return token;
}

static size_t offset_of(const struct xds_yaml_events *e, uint32_t column)
{
    return e->n_anchors == 0 ? e->lines.line.at + column : XDS_YAML_NOWHERE;
}

static void open_level(struct xds_yaml_events *e, bool mapping, uint32_t column)
{
    e->is_mapping[e->depth] = mapping;
    e->indent[e->depth++] = column;
}

/* The place of a list that is not indented is that of its first dash. */
static void open_list(struct xds_yaml_events *e, uint32_t column)
{
    const bool indented = e->depth == 0 || e->indent[e->depth - 1] < column;

    add_token(&e->lines, XDS_TOKEN_ARRAY, column, indented ? column : column + 1);
    open_level(e, false, column);
}

static void open_mapping(struct xds_yaml_events *e, uint32_t column)
{
    add_token(&e->lines, XDS_TOKEN_OBJECT, column, column)->begin = offset_of(e, column);
    open_level(e, true, column);
}

static void close_levels(struct xds_yaml_events *e)
{
    struct xds_yaml_lines *l = &e->lines;
    const bool end = l->line.kind == XDS_YAML_LINE_NONE;
    const uint32_t column = end ? 0 : xds_yaml_line_indent(&l->line);

    while (e->depth > l->level) {
        if (e->is_mapping[--e->depth])
            add_token(l, XDS_TOKEN_OBJECT_END, column, column)->end =
                offset_of(e, column);
        else
            add_token(l, XDS_TOKEN_ARRAY_END, column, column);
    }
}

static struct xds_slice text_of(struct xds_yaml_events *e,
                                const struct xds_yaml_part *part)
{
    const size_t quote = part->kind != XDS_YAML_PLAIN;
    const size_t at = e->lines.line.at;
    const struct xds_slice text =
        xds_buffer_part(e->chunk.in, at + part->begin + quote, at + part->end - quote);

    if (part->kind != XDS_YAML_ESCAPED)
        return text;
    return xds_slice_make(e->lines.text,
                          xds_yaml_unescape(text, text.data[-1], e->lines.text));
}

static struct xds_token *add_scalar(struct xds_yaml_events *e,
                                    const struct xds_yaml_part *part, char *number)
{
    struct xds_token *token =
        add_token(&e->lines, XDS_TOKEN_STRING, part->begin, part->end);

    token->text = text_of(e, part);
    if (part->kind == XDS_YAML_PLAIN)
        xds_yaml_resolve(token->text, number, token);
    return token;
}

static void add_empty(struct xds_yaml_events *e, const struct xds_yaml_part *part)
{
    const uint32_t begin = part->begin, end = part->end;

    if (part->kind == XDS_YAML_EMPTY_LIST) {
        add_token(&e->lines, XDS_TOKEN_ARRAY, begin, begin + 1);
        add_token(&e->lines, XDS_TOKEN_ARRAY_END, begin + 1, end);
        return;
    }
    add_token(&e->lines, XDS_TOKEN_OBJECT, begin, begin + 1)->begin = offset_of(e, begin);
    add_token(&e->lines, XDS_TOKEN_OBJECT_END, begin + 1, end)->end = offset_of(e, end);
}

/* A null is after the dash, or the colon, that has no value. */
static void add_null(struct xds_yaml_events *e)
{
    const struct xds_yaml_line *line = &e->lines.line;
    const bool key = line->key.kind != XDS_YAML_ABSENT;
    const uint32_t end = (key ? line->key.end : line->dash[line->dashes - 1]) + 1;
    struct xds_token *token = add_token(&e->lines, XDS_TOKEN_NULL, end, end);

    token->text = XDS_S("");
}

static void add_value(struct xds_yaml_events *e, const struct xds_yaml_part *part)
{
    switch (part->kind) {
    case XDS_YAML_ABSENT:
        return;
    case XDS_YAML_PLAIN:
    case XDS_YAML_QUOTED:
    case XDS_YAML_ESCAPED:
        add_scalar(e, part, e->number);
        return;
    case XDS_YAML_EMPTY_LIST:
    case XDS_YAML_EMPTY_MAPPING:
        add_empty(e, part);
        return;
    }
}

/* The tokens of the line in work, after what it closes. */
static void add_line(struct xds_yaml_events *e)
{
    const struct xds_yaml_line *line = &e->lines.line;
    const bool key = line->key.kind != XDS_YAML_ABSENT;

    for (uint32_t i = 0; i < line->dashes; i++)
        if (i > 0 || e->lines.nested)
            open_list(e, line->dash[i]);
    if (key && (line->dashes > 0 || e->lines.nested))
        open_mapping(e, line->key.begin);
    if (key)
        add_scalar(e, &line->key, e->lines.number)->kind = XDS_TOKEN_KEY;
    add_value(e, &line->value);
}

/* ---- line by line ---- */

/* The line in work is given; this is the next. */
static void go_on(struct xds_yaml_events *e, const struct xds_yaml_line *next)
{
    struct xds_yaml_lines *l = &e->lines;

    xds_yaml_chunk_pass(&e->chunk, l->line.number, next->at, next->number);
    if (l->n > 0) {
        l->end_line = l->tokens[l->n - 1].end_line;
        l->end_column = l->tokens[l->n - 1].end_column;
    }
    l->line = *next;
    l->given++;
}

bool xds_yaml_lines_give(struct xds_yaml_events *e)
{
    struct xds_yaml_lines *l = &e->lines;
    const bool nested = l->nested;
    struct xds_yaml_line next;

    l->n = l->next = 0;
    close_levels(e);
    if (l->line.kind == XDS_YAML_LINE_NONE) {
        add_token(l, XDS_TOKEN_END, 0, 0);
        return false;
    }
    const unsigned n = l->n, depth = e->depth;
    xds_yaml_lines_read(e, l->line.at + l->line.size, l->line.number + 1, &next);
    add_line(e);
    const bool pending = l->line.value.kind == XDS_YAML_ABSENT;
    if (place_line(e, &next, pending)) {
        if (pending && !l->nested)
            add_null(e);
        go_on(e, &next);
        return true;
    }
    l->n = n;
    l->level = e->depth = depth;
    l->nested = nested;
    return false;
}

bool xds_yaml_lines_fill(struct xds_yaml_events *e)
{
    struct xds_yaml_lines *l = &e->lines;

    /* A dash alone in its line gives no token. */
    while (l->next == l->n && l->active)
        if (!xds_yaml_lines_give(e)) {
            l->active = false;
            e->ended = l->line.kind == XDS_YAML_LINE_NONE;
        }
    return l->next < l->n;
}

/* ---- where reading by lines begins ---- */

bool xds_yaml_lines_begin(struct xds_yaml_events *e)
{
    struct xds_yaml_lines *l = &e->lines;
    const struct xds_yaml_chunk *chunk = &e->chunk;
    const bool marker =
        xds_slice_starts(xds_yaml_chunk_from(&e->chunk, chunk->begin, 4), XDS_S("---\n"));

    l->level = 0;
    l->nested = true;
    xds_yaml_lines_read(e, chunk->begin + (marker ? 4 : 0), chunk->lines + marker,
                        &l->line);
    l->active = l->line.kind == XDS_YAML_LINE_ENTRY && fits(e, &l->line) &&
                xds_yaml_lines_give(e);
    return l->active;
}
