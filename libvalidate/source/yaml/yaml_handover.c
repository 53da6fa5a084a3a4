/*
 * yaml_handover.c - who reads on: libyaml or the reader of lines.
 *
 * Fails:  with libyaml's errors.
 */
#include "source/yaml/yaml_node.h"

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
           e->indent[depth - 1] <= XDS_YAML_LINES_COLUMN && !e->recording &&
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

bool xds_yaml_resume_lines(struct xds_yaml_events *e)
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

/* As if libyaml had read all that lines were read of. */
static void set_state(struct xds_yaml_events *e)
{
    const struct xds_yaml_lines *l = &e->lines;

    for (unsigned i = 0; i < e->depth; i++)
        e->key_due[i] = false;
    e->key_due[e->depth - 1] = e->is_mapping[e->depth - 1] && !l->nested;
    e->behind.line = l->end_line - 1 - e->chunk.first_line;
    e->behind.column = l->end_column - 1;
}

bool xds_yaml_take_over(struct xds_yaml_events *e)
{
    judge_lines(&e->lines);
    write_prefix(e);
    if (!xds_yaml_open_parser(e)) {
        xds_yaml_fail(e, "cannot be read");
        return false;
    }
    for (unsigned n = 2 + count_events(e); n > 0; n--)
        if (!xds_yaml_pass_event(e))
            return false;
    set_state(e);
    return true;
}
