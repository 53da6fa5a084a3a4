/*
 * radix.c - a tree of texts by what they begin with.
 *
 * Takes:  texts, which are copied.
 * Gives:  a node for each; nodes live in the arena. No two children of a node begin with
 *         the same byte, so that there is one way down.
 */
#include "base/radix.h"

#include "base/ascii.h"

enum { FIRST_CAP = 2 };

/* ---- building --------------------------------------------------------------------- */

static size_t common_length(struct xds_slice a, struct xds_slice b)
{
    const size_t most = a.len < b.len ? a.len : b.len;
    size_t n = 0;

    while (n < most && a.data[n] == b.data[n])
        n++;
    return n;
}

/* Children and their first bytes stand in one piece of memory: fewer misses. */
static void grow(struct xds_arena *arena, struct xds_radix_node *node)
{
    const uint16_t cap = node->cap ? (uint16_t)(2 * node->cap) : FIRST_CAP;
    struct xds_radix_node **children =
        xds_arena_alloc(arena, cap * (sizeof(*children) + 1));
    char *firsts = (char *)(children + cap);

    if (node->n) {
        memcpy(children, node->children, node->n * sizeof(*children));
        memcpy(firsts, node->firsts, node->n);
    }
    node->children = children;
    node->firsts = firsts;
    node->cap = cap;
}

static void adopt(struct xds_arena *arena, struct xds_radix_node *node,
                  struct xds_radix_node *child)
{
    if (node->n == node->cap)
        grow(arena, node);
    node->firsts[node->n] = child->label.data[0];
    node->children[node->n++] = child;
}

static struct xds_radix_node **find_child(const struct xds_radix_node *node, char first)
{
    const char *at = node->n ? memchr(node->firsts, first, node->n) : NULL;

    return at ? &node->children[at - node->firsts] : NULL;
}

/* The label stands right behind the node: one miss for both. */
static struct xds_radix_node *new_node(struct xds_arena *arena, struct xds_slice label)
{
    struct xds_radix_node *node = xds_arena_zero(arena, 1, sizeof(*node) + label.len);

    memcpy(node + 1, label.data, label.len);
    node->label = xds_slice_make((const char *)(node + 1), label.len);
    return node;
}

/* A node for the first bytes of the label of *slot, between it and its parent. */
static void split(struct xds_arena *arena, struct xds_radix_node **slot, size_t at)
{
    struct xds_radix_node *lower = *slot;
    struct xds_radix_node *upper = new_node(arena, xds_slice_make(lower->label.data, at));

    lower->label = xds_slice_from(lower->label, at);
    adopt(arena, upper, lower);
    *slot = upper;
}

struct xds_radix_node *xds_radix_at(struct xds_arena *arena, struct xds_radix_node *root,
                                    struct xds_slice text)
{
    struct xds_radix_node *node = root;

    while (text.len > 0) {
        struct xds_radix_node **slot = find_child(node, text.data[0]);

        if (!slot) {
            struct xds_radix_node *leaf = new_node(arena, text);
            adopt(arena, node, leaf);
            return leaf;
        }
        const size_t common = common_length((*slot)->label, text);
        if (common < (*slot)->label.len)
            split(arena, slot, common);
        node = *slot;
        text = xds_slice_from(text, common);
    }
    return node;
}

/* ---- asking ----------------------------------------------------------------------- */

static bool begins_folded(struct xds_slice text, struct xds_slice label)
{
    size_t i = 0;

    if (text.len < label.len)
        return false;
    while (i < label.len && xds_ascii_lower(text.data[i]) == label.data[i])
        i++;
    return i == label.len;
}

const struct xds_radix_node *xds_radix_step(const struct xds_radix_node *node,
                                            struct xds_slice *rest, bool fold)
{
    if (rest->len == 0)
        return NULL;
    const char first = rest->data[0];
    struct xds_radix_node **slot =
        find_child(node, fold ? xds_ascii_lower(first) : first);

    if (!slot)
        return NULL;
    const struct xds_slice label = (*slot)->label;
    if (fold ? !begins_folded(*rest, label) : !xds_slice_starts(*rest, label))
        return NULL;
    *rest = xds_slice_from(*rest, label.len);
    return *slot;
}
