/* radix.c - a tree of texts by what they begin with. */
#include "base/radix.h"

#include "base/ascii.h"

enum { FIRST_CAP = 2 };

struct xds_radix_node {
    struct xds_slice label;
    char *firsts;                     /* the first byte of each child's label, and */
    struct xds_radix_node **children; /* the children in the same order */
    uint16_t n, cap;
    void *value;
};

static size_t common_length(struct xds_slice a, struct xds_slice b)
{
    const size_t most = a.len < b.len ? a.len : b.len;
    size_t n = 0;

    while (n < most && a.data[n] == b.data[n])
        n++;
    return n;
}

/* first: the first byte of the child's label. */
static void adopt(struct xds_arena *arena, struct xds_radix_node *node,
                  struct xds_radix_node *child, char first)
{
    if (!node->children || node->n == node->cap) {
        const uint16_t cap = node->cap ? (uint16_t)(2 * node->cap) : FIRST_CAP;
        struct xds_radix_node **children =
            xds_arena_alloc(arena, cap * (sizeof(*children) + 1));
        char *firsts = (char *)(children + cap);

        if (node->children) {
            memcpy(children, node->children, node->n * sizeof(*children));
            memcpy(firsts, node->firsts, node->n);
        }
        node->children = children;
        node->firsts = firsts;
        node->cap = cap;
    }
    node->firsts[node->n] = first;
    node->children[node->n++] = child;
}

static struct xds_radix_node *new_node(struct xds_radix_maker *maker,
                                       struct xds_slice label)
{
    struct xds_radix_node *node = XDS_NEW(maker->arena, struct xds_radix_node);

    node->label = label;
    maker->n++;
    maker->bytes++;
    return node;
}

/* A node for the first bytes of the label of *slot, between it and its parent. */
static void split(struct xds_radix_maker *maker, struct xds_radix_node **slot, size_t at)
{
    struct xds_radix_node *lower = *slot;
    struct xds_radix_node *upper = new_node(maker, xds_slice_make(lower->label.data, at));

    lower->label = xds_slice_make(lower->label.data + at, lower->label.len - at);
    adopt(maker->arena, upper, lower, lower->label.data[0]);
    *slot = upper;
}

void xds_radix_init(struct xds_radix_maker *maker, struct xds_arena *arena)
{
    *maker = (struct xds_radix_maker){.arena = arena};
    maker->root = new_node(maker, XDS_S(""));
}

void **xds_radix_at(struct xds_radix_maker *maker, struct xds_slice text)
{
    struct xds_radix_node *node = maker->root;

    while (text.len > 0) {
        const char *at = node->n ? memchr(node->firsts, text.data[0], node->n) : NULL;
        struct xds_radix_node **slot = at ? &node->children[at - node->firsts] : NULL;

        if (!slot) {
            struct xds_radix_node *leaf =
                new_node(maker, xds_arena_dup(maker->arena, text));

            maker->bytes += text.len;
            adopt(maker->arena, node, leaf, text.data[0]);
            return &leaf->value;
        }
        const size_t common = common_length((*slot)->label, text);
        if (common < (*slot)->label.len)
            split(maker, slot, common);
        node = *slot;
        text = xds_slice_from(text, common);
    }
    return &node->value;
}

struct pack {
    const struct xds_radix_node **nodes; /* in the order of their entries */
    struct xds_radix_entry *entries;
    char *bytes;
    uint32_t n, n_bytes;
};

static uint32_t put_bytes(struct pack *p, const char *bytes, size_t n)
{
    const uint32_t at = p->n_bytes;

    if (n)
        memcpy(p->bytes + at, bytes, n);
    p->n_bytes += (uint32_t)n;
    return at;
}

/* The entries of the children, after all that are there. */
static void put_children(struct pack *p, struct xds_radix_entry *entry,
                         const struct xds_radix_node *node)
{
    entry->children = p->n;
    entry->n = node->n;
    entry->firsts = put_bytes(p, node->firsts, node->n);
    for (uint16_t i = 0; i < node->n; i++) {
        const struct xds_radix_node *child = node->children[i];

        p->entries[p->n].label = put_bytes(p, child->label.data, child->label.len);
        p->entries[p->n].label_len = (uint32_t)child->label.len;
        p->nodes[p->n++] = child;
    }
}

struct xds_radix xds_radix_pack(const struct xds_radix_maker *maker,
                                void *(*pack_value)(void *value, void *user), void *user)
{
    struct xds_arena *arena = maker->arena;
    struct pack p = {.nodes =
                         XDS_NEW_ARRAY(arena, const struct xds_radix_node *, maker->n),
                     .entries = XDS_NEW_ARRAY(arena, struct xds_radix_entry, maker->n),
                     .bytes = xds_arena_alloc(arena, maker->bytes),
                     .n = 1};

    p.nodes[0] = maker->root;
    for (uint32_t i = 0; i < p.n; i++) {
        const struct xds_radix_node *node = p.nodes[i];

        put_children(&p, &p.entries[i], node);
        p.entries[i].value = node->value ? pack_value(node->value, user) : NULL;
    }
    return (struct xds_radix){p.entries, p.bytes};
}

/* Most nodes have few branches: a loop over them is faster than memchr(). */
static const char *find_byte(const char *bytes, char wanted, size_t n)
{
    enum { FEW = 8 };

    if (n > FEW)
        return memchr(bytes, wanted, n);
    for (size_t i = 0; i < n; i++)
        if (bytes[i] == wanted)
            return bytes + i;
    return NULL;
}

/* The first byte is known to be the same. */
static bool begins(struct xds_slice text, struct xds_slice label)
{
    return label.len == 1 || xds_slice_starts(text, label);
}

static bool begins_folded(struct xds_slice text, struct xds_slice label)
{
    size_t i = 0;

    if (text.len < label.len)
        return false;
    while (i < label.len && xds_ascii_lower(text.data[i]) == label.data[i])
        i++;
    return i == label.len;
}

const struct xds_radix_entry *xds_radix_step(const struct xds_radix *tree,
                                             const struct xds_radix_entry *entry,
                                             struct xds_slice *rest, bool fold)
{
    if (rest->len == 0 || entry->n == 0)
        return NULL;
    const char *firsts = tree->bytes + entry->firsts;
    const char first = fold ? xds_ascii_lower(rest->data[0]) : rest->data[0];
    const char *at = find_byte(firsts, first, entry->n);

    if (!at)
        return NULL;
    const struct xds_radix_entry *child =
        &tree->entries[entry->children + (size_t)(at - firsts)];
    const struct xds_slice label =
        xds_slice_make(tree->bytes + child->label, child->label_len);

    if (fold ? !begins_folded(*rest, label) : !begins(*rest, label))
        return NULL;
    *rest = xds_slice_from(*rest, label.len);
    return child;
}
