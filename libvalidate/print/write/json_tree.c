/* json_tree.c - a tree as JSON text, compact or for eyes. */
#include "model/tree.h"
#include "print/write/out.h"

enum layout { COMPACT, LINE, PRETTY };

#define WIDTH 76 /* of a list or object that stays on one line */

static void write_tree(struct xds_out *out, const struct xds_tree *tree,
                       enum layout layout, unsigned depth);

/* What JSON and YAML write alike. */
static const char *word_of(const struct xds_tree *tree)
{
    if (tree->kind == XDS_TREE_NULL)
        return "null";
    return tree->truth ? "true" : "false";
}

/* The one that opens, and the one that closes. */
static const char *brackets_of(const struct xds_tree *tree)
{
    return tree->kind == XDS_TREE_OBJECT ? "{}" : "[]";
}

static void write_text(struct xds_out *out, struct xds_slice text)
{
    xds_out_char(out, '"');
    xds_json_part(out, text);
    xds_out_char(out, '"');
}

/* About the length on one line; no item is looked into. */
static size_t width_of(const struct xds_tree *tree)
{
    size_t width = 2;

    for (size_t i = 0; i < tree->n && width <= WIDTH; i++)
        width += tree->items[i].key.len + tree->items[i].text.len + 8;
    return width;
}

static bool has_depth(const struct xds_tree *tree)
{
    for (size_t i = 0; i < tree->n; i++)
        if (tree->items[i].n > 0)
            return true;
    return false;
}

static void new_line(struct xds_out *out, unsigned depth)
{
    xds_out_char(out, '\n');
    for (unsigned i = 0; i < depth; i++)
        xds_out_text(out, "  ");
}

static void write_list(struct xds_out *out, const struct xds_tree *tree,
                       enum layout layout, unsigned depth)
{
    const char *brackets = brackets_of(tree);

    if (layout == PRETTY && !has_depth(tree) && width_of(tree) <= WIDTH)
        layout = LINE;
    xds_out_char(out, brackets[0]);

    const bool object = tree->kind == XDS_TREE_OBJECT;

    for (size_t i = 0; i < tree->n && !out->failed; i++) {
        if (i > 0)
            xds_out_text(out, layout == LINE ? ", " : ",");
        if (layout == PRETTY)
            new_line(out, depth + 1);
        if (object) {
            write_text(out, tree->items[i].key);
            xds_out_text(out, layout == COMPACT ? ":" : ": ");
        }
        write_tree(out, &tree->items[i], layout, depth + 1);
    }
    if (layout == PRETTY && tree->n > 0)
        new_line(out, depth);
    xds_out_char(out, brackets[1]);
}

/* The depth of a tree is bounded where it is read or made. */
static void write_tree(struct xds_out *out, const struct xds_tree *tree,
                       enum layout layout, unsigned depth)
{
    switch (tree->kind) {
    case XDS_TREE_NULL:
    case XDS_TREE_BOOL:
        xds_out_text(out, word_of(tree));
        break;
    case XDS_TREE_NUMBER:
        out->comma = false;
        xds_json_double(out, tree->number);
        break;
    case XDS_TREE_STRING:
        write_text(out, tree->text);
        break;
    case XDS_TREE_ARRAY:
    case XDS_TREE_OBJECT:
        write_list(out, tree, layout, depth);
        break;
    }
}

void xds_json_tree(struct xds_out *out, const struct xds_tree *tree)
{
    xds_json_value(out, XDS_S("")); /* the comma before it, if one is due */
    write_tree(out, tree, COMPACT, 0);
    out->comma = true;
}

void xds_out_tree(struct xds_out *out, const struct xds_tree *tree)
{
    write_tree(out, tree, PRETTY, 0);
}

void xds_out_tree_line(struct xds_out *out, const struct xds_tree *tree)
{
    write_tree(out, tree, LINE, 0);
}

void xds_out_flow_items(struct xds_out *out, const struct xds_tree *tree)
{
    for (size_t i = 0; i < tree->n; i++) {
        if (i > 0)
            xds_out_text(out, ", ");
        if (tree->kind == XDS_TREE_OBJECT) {
            xds_out_clean(out, tree->items[i].key);
            xds_out_text(out, ": ");
        }
        xds_out_flow(out, &tree->items[i]);
    }
}

/* As in the flow style of YAML, where texts need no quotes. */
void xds_out_flow(struct xds_out *out, const struct xds_tree *tree)
{
    switch (tree->kind) {
    case XDS_TREE_NULL:
    case XDS_TREE_BOOL:
        xds_out_text(out, word_of(tree));
        break;
    case XDS_TREE_NUMBER:
        xds_out_double(out, tree->number);
        break;
    case XDS_TREE_STRING:
        xds_out_clean(out, tree->text);
        break;
    case XDS_TREE_ARRAY:
    case XDS_TREE_OBJECT:
        xds_out_char(out, brackets_of(tree)[0]);
        xds_out_flow_items(out, tree);
        xds_out_char(out, brackets_of(tree)[1]);
        break;
    }
}

static struct xds_slice written(struct xds_arena *arena, const struct xds_tree *tree,
                                void (*write)(struct xds_out *, const struct xds_tree *),
                                bool in_yaml)
{
    struct xds_text text = {.arena = arena};
    const struct xds_printer to = xds_text_printer(&text);
    struct xds_out out;

    xds_out_init(&out, &to);
    out.in_yaml = in_yaml;
    write(&out, tree);
    (void)!xds_out_finish(&out); /* writing to memory does not fail */
    return xds_slice_make(xds_slice_text((struct xds_slice){text.data, 0}), text.len);
}

struct xds_slice xds_tree_json(struct xds_arena *arena, const struct xds_tree *tree)
{
    return written(arena, tree, xds_json_tree, false);
}

struct xds_slice xds_tree_yaml(struct xds_arena *arena, const struct xds_tree *tree)
{
    return written(arena, tree, xds_json_tree, true);
}

struct xds_slice xds_tree_flow(struct xds_arena *arena, const struct xds_tree *tree)
{
    return written(arena, tree, xds_out_flow, false);
}
