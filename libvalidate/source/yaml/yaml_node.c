/*
 * yaml_node.c - what one event of libyaml is in its document; a part of yaml_events.c.
 *
 * Fails:  with an error token in the place of an alias or of a key that cannot be used.
 * Source: YAML 1.2.2, 3.2.
 */
#include "source/yaml/yaml_node.h"

#include "source/yaml/yaml_anchor.h"

/* Where the mapping in work is in the input, in bytes. What is part of an anchored
 * node, or may hold an alias, means nothing alone. */
static size_t offset_of(struct xds_yaml_events *e, yaml_mark_t mark)
{
    return e->n_anchors == 0 ? xds_yaml_chunk_offset(&e->chunk, mark.index)
                             : XDS_YAML_NOWHERE;
}

static bool is_begin(yaml_event_type_t type)
{
    return type == YAML_MAPPING_START_EVENT || type == YAML_SEQUENCE_START_EVENT;
}

static bool is_end(yaml_event_type_t type)
{
    return type == YAML_MAPPING_END_EVENT || type == YAML_SEQUENCE_END_EVENT;
}

/* Read after the node that the event in work begins. */
static bool swallow(struct xds_yaml_events *e)
{
    size_t open = is_begin(e->event.type);

    while (open) {
        if (!xds_yaml_parse(e))
            return false;
        open += is_begin(e->event.type);
        if (e->depth + open > XDS_YAML_LEVELS) {
            xds_yaml_fail_too_deep(e);
            return false;
        }
        open -= is_end(e->event.type);
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

/* An anchor or a tag is elsewhere than the collection. */
static uint32_t block_indent(const struct xds_yaml_events *e)
{
    const bool outer_known =
        e->depth == 0 || e->indent[e->depth - 1] != XDS_YAML_NO_INDENT;

    return outer_known && is_bare_block(&e->event) &&
                   e->event.start_mark.column < XDS_YAML_NO_INDENT
               ? (uint32_t)e->event.start_mark.column
               : XDS_YAML_NO_INDENT;
}

/* "{{ .Values.name }}" is a mapping with a mapping as its key. */
static const char *key_refusal(const yaml_event_t *event)
{
    return event->type == YAML_MAPPING_START_EVENT &&
                   event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
               ? "invalid YAML: a key must be a scalar; a template with {{ }} must be "
                 "rendered first"
               : "invalid YAML: a key must be a scalar";
}

static void give_begin(struct xds_yaml_events *e, struct xds_token *out)
{
    const bool mapping = e->event.type == YAML_MAPPING_START_EVENT;
    const yaml_char_t *anchor = mapping ? e->event.data.mapping_start.anchor
                                        : e->event.data.sequence_start.anchor;

    if (key_is_due(e)) {
        const char *refusal = key_refusal(&e->event);

        if (swallow(e))
            refuse_key(e, out, refusal);
        else
            *out = e->error;
        return;
    }
    if (e->depth == XDS_YAML_LEVELS) {
        xds_yaml_fail_too_deep(e);
        *out = e->error;
        return;
    }
    xds_yaml_anchor_open(e, anchor);
    out->kind = mapping ? XDS_TOKEN_OBJECT : XDS_TOKEN_ARRAY;
    if (mapping)
        out->begin = offset_of(e, e->event.start_mark);
    xds_yaml_record(e, out, 1);
    e->is_mapping[e->depth] = mapping;
    e->indent[e->depth] = block_indent(e);
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
    xds_yaml_error(out, XDS_R_SRC_YAML_ALIAS, text);
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
        refuse_key(e, out, "invalid YAML: a key must be a scalar");
    else if (refusal || !anchor)
        give_alias_error(e, out, refusal);
    else
        give_node_alias(e, out, anchor);
}

void xds_yaml_replay(struct xds_yaml_events *e, struct xds_token *out)
{
    const unsigned top = e->replays - 1;

    *out = e->anchored.items[e->replay[top].at++];
    if (out->kind == XDS_YAML_ALIAS_MARK && e->replays == XDS_YAML_REPLAYS) {
        alias_error(out, "invalid YAML: aliases are nested more than 100 levels deep");
    } else if (out->kind == XDS_YAML_ALIAS_MARK) {
        const size_t begin = out->begin, end = out->end;

        *out = e->anchored.items[begin];
        e->replay[e->replays].at = begin + 1;
        e->replay[e->replays++].end = end;
    }
    while (e->replays && e->replay[e->replays - 1].at == e->replay[e->replays - 1].end)
        e->replays--;
}

void xds_yaml_refuse_value(struct xds_yaml_events *e, struct xds_token *out)
{
    const char *text = e->refusal;

    e->refusal = NULL;
    if (!swallow(e)) {
        *out = e->error;
        return;
    }
    xds_yaml_error(out, e->refused, text);
    xds_yaml_record(e, out, 1);
    node_done(e);
}

void xds_yaml_node(struct xds_yaml_events *e, struct xds_token *out)
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
