/*
 * tree_text.c - a tree as compact JSON text.
 *
 * Takes:  a tree, whose depth is bounded where it was read or made.
 * Gives:  text that reads as the same tree.
 */
#include "model/tree_text.h"

#include <math.h>

#include "base/text.h"

static void add_char(struct xds_text *out, char c)
{
    xds_text_add(out, xds_slice_make(&c, 1));
}

static void add_escaped(struct xds_text *out, unsigned char c)
{
    static const char hex[] = "0123456789abcdef";
    const char text[] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};

    if (c == '"' || c == '\\') {
        add_char(out, '\\');
        add_char(out, (char)c);
        return;
    }
    xds_text_add(out, xds_slice_make(text, sizeof text));
}

static bool needs_escape(unsigned char c)
{
    return c < 0x20 || c == '"' || c == '\\';
}

static void add_string(struct xds_text *out, struct xds_slice text)
{
    size_t from = 0;

    add_char(out, '"');
    for (size_t i = 0; i < text.len; i++) {
        if (!needs_escape((unsigned char)text.data[i]))
            continue;
        xds_text_add(out, xds_slice_make(text.data + from, i - from));
        add_escaped(out, (unsigned char)text.data[i]);
        from = i + 1;
    }
    xds_text_add(out, xds_slice_from(text, from));
    add_char(out, '"');
}

/* JSON has no word for what is not finite. */
static void add_number(struct xds_text *out, double number)
{
    if (!isfinite(number))
        xds_text_add(out, XDS_S("null"));
    else if (floor(number) == number && fabs(number) < 1e15)
        xds_text_add(out, xds_arena_printf(out->arena, "%.0f", number));
    else
        xds_text_add(out, xds_arena_printf(out->arena, "%.17g", number));
}

static void add_tree(struct xds_text *out, const struct xds_tree *tree)
{
    const bool object = tree->kind == XDS_TREE_OBJECT;

    switch (tree->kind) {
    case XDS_TREE_NULL:
        xds_text_add(out, XDS_S("null"));
        return;
    case XDS_TREE_BOOL:
        xds_text_add(out, tree->truth ? XDS_S("true") : XDS_S("false"));
        return;
    case XDS_TREE_NUMBER:
        add_number(out, tree->number);
        return;
    case XDS_TREE_STRING:
        add_string(out, tree->text);
        return;
    case XDS_TREE_ARRAY:
    case XDS_TREE_OBJECT:
        break;
    }
    add_char(out, object ? '{' : '[');
    for (size_t i = 0; i < tree->n; i++) {
        if (i > 0)
            add_char(out, ',');
        if (object) {
            add_string(out, tree->items[i].key);
            add_char(out, ':');
        }
        add_tree(out, &tree->items[i]);
    }
    add_char(out, object ? '}' : ']');
}

struct xds_slice xds_tree_to_text(struct xds_arena *arena, const struct xds_tree *tree)
{
    struct xds_text out = {.arena = arena};

    add_tree(&out, tree);
    return xds_slice_make(out.data, out.len);
}
