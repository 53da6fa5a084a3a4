/*
 * yaml_anchor.c - anchored nodes of a YAML document; a part of yaml_events.c.
 *
 * of that are kept as marks, so the list grows with the text only. Source:
 * YAML 1.2.2, 7.1.
 */
#include "source/yaml/yaml_anchor.h"

#include "base/limits.h"

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

    kept.text = xds_arena_dup(e->document, token->text);
    e->anchored_text += token->text.len;
    return kept;
}

static bool is_full(struct xds_yaml_events *e, size_t text)
{
    if (e->n_anchors < MOST_ANCHORS && e->anchored.n < MOST_ANCHORED &&
        text <= MOST_TEXT - e->anchored_text)
        return false;
    e->anchors_full = true;
    return true;
}

/* Too many tokens: the anchors that are open cannot be used. */
static void lose_anchors(struct xds_yaml_events *e)
{
    for (struct xds_yaml_anchor *a = e->recording; a; a = a->outer) {
        a->lost = true;
        a->open = false;
    }
    e->recording = NULL;
}

void xds_yaml_record_anchored(struct xds_yaml_events *e, const struct xds_token *token,
                              size_t size)
{
    if (is_full(e, token->text.len)) {
        lose_anchors(e);
        return;
    }
    const struct xds_token kept = keep_token(e, token);
    xds_token_list_add(&e->anchored, &kept);
    e->expanded += size;
}

/* The name no longer stands for an earlier node. */
static void forget_anchor(struct xds_yaml_events *e, struct xds_slice name)
{
    struct xds_yaml_anchor *earlier = xds_strmap_get(&e->anchors, name);

    if (earlier)
        earlier->lost = true;
}

/* NULL when an anchor whose node has this much text cannot be kept. */
static struct xds_yaml_anchor *new_anchor(struct xds_yaml_events *e,
                                          const yaml_char_t *name, size_t text)
{
    const struct xds_slice key = xds_slice_of((const char *)name);

    if (is_full(e, text)) {
        forget_anchor(e, key);
        return NULL;
    }
    struct xds_yaml_anchor *anchor = XDS_NEW(e->document, struct xds_yaml_anchor);
    *xds_strmap_at(&e->anchors, key) = anchor;
    e->n_anchors++;
    return anchor;
}

void xds_yaml_anchor_scalar(struct xds_yaml_events *e, const struct xds_token *token)
{
    const yaml_char_t *name = e->event.data.scalar.anchor;
    struct xds_yaml_anchor *anchor = name ? new_anchor(e, name, token->text.len) : NULL;

    if (!anchor)
        return;
    anchor->is_scalar = true;
    anchor->scalar = keep_token(e, token);
}

void xds_yaml_anchor_open(struct xds_yaml_events *e, const yaml_char_t *name)
{
    struct xds_yaml_anchor *anchor = name ? new_anchor(e, name, 0) : NULL;

    if (!anchor)
        return;
    anchor->begin = e->anchored.n;
    anchor->size = e->expanded;
    anchor->depth = e->depth;
    anchor->open = true;
    anchor->outer = e->recording;
    e->recording = anchor;
}

void xds_yaml_anchor_close(struct xds_yaml_events *e)
{
    struct xds_yaml_anchor *anchor = e->recording;

    if (!anchor || anchor->depth != e->depth)
        return;
    const size_t size = e->expanded - anchor->size;
    anchor->size = size < XDS_MAX_ALIAS_TOKENS ? size : XDS_MAX_ALIAS_TOKENS + 1;
    anchor->end = e->anchored.n;
    anchor->open = false;
    e->recording = anchor->outer;
}

const char *xds_yaml_alias_refusal(const struct xds_yaml_events *e,
                                   const struct xds_yaml_anchor *anchor)
{
    if (anchor ? anchor->lost : e->anchors_full)
        return "invalid YAML: alias in a document with too many anchored nodes";
    if (!anchor)
        return "invalid YAML: alias to an undefined anchor";
    if (anchor->open)
        return "invalid YAML: alias inside the node that it refers to";
    if (anchor->size > e->alias_budget)
        return "invalid YAML: the aliases of one resource add more than 100000 tokens";
    if (e->alias_total > ALIAS_FREE + ALIAS_PER_BYTE * e->chunk.pos)
        return "invalid YAML: the aliases add too many tokens to the input";
    return NULL;
}
