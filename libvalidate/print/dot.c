/*
 * dot.c - write a Graphviz digraph.
 *
 * Takes:  names and labels, any bytes.
 * Gives:  statements of the DOT language, one per line.
 * Source: the DOT grammar of Graphviz, escString. In a quoted label a backslash begins an
 *         escape and an ampersand an HTML entity.
 */
#include "print/dot.h"

/* Bytes of one piece of a label. */
enum { LABEL_PIECE = 120 };

void xds_dot_begin(struct xds_out *out, const char *name)
{
    xds_out_text(out, "digraph ");
    xds_out_text(out, name);
    xds_out_text(out, " {\n  rankdir=LR;\n  node [fontname=\"sans-serif\"];\n"
                      "  edge [fontname=\"sans-serif\", fontsize=10];\n");
}

void xds_dot_end(struct xds_out *out)
{
    xds_out_text(out, "}\n");
}

static void name(struct xds_out *out, struct xds_dot_node node)
{
    xds_out_text(out, node.kind);
    xds_out_u64(out, node.number);
}

static void look(struct xds_out *out, enum xds_dot_look look)
{
    static const char *const attributes[] = {
        [XDS_DOT_PLAIN] = "style=solid",
        [XDS_DOT_TAKEN] = "style=bold, penwidth=3, color=\"#0b6e4f\"",
        [XDS_DOT_LOST] = "style=dashed, color=\"#808080\", fontcolor=\"#606060\"",
        [XDS_DOT_OVERRIDE] = "style=\"bold,dotted\", penwidth=3, color=\"#8a3b00\"",
    };
    xds_out_text(out, attributes[look]);
    xds_out_text(out, "];\n");
}

void xds_dot_node_begin(struct xds_out *out, struct xds_dot_node node)
{
    xds_out_text(out, "  ");
    name(out, node);
    xds_out_text(out, " [label=\"");
}

void xds_dot_node_end(struct xds_out *out, enum xds_dot_shape shape,
                      enum xds_dot_look how)
{
    static const char *const shapes[] = {
        [XDS_DOT_BOX] = "box",
        [XDS_DOT_OVAL] = "ellipse",
        [XDS_DOT_NOTE] = "note",
        [XDS_DOT_TEXT] = "plaintext",
    };
    xds_out_text(out, "\", shape=");
    xds_out_text(out, shapes[shape]);
    xds_out_text(out, ", ");
    look(out, how);
}

static void arrow(struct xds_out *out, struct xds_dot_node from, struct xds_dot_node to)
{
    xds_out_text(out, "  ");
    name(out, from);
    xds_out_text(out, " -> ");
    name(out, to);
    xds_out_text(out, " [");
}

void xds_dot_edge_begin(struct xds_out *out, struct xds_dot_node from,
                        struct xds_dot_node to)
{
    arrow(out, from, to);
    xds_out_text(out, "label=\"");
}

void xds_dot_edge_end(struct xds_out *out, enum xds_dot_look how)
{
    xds_out_text(out, "\", ");
    look(out, how);
}

void xds_dot_edge(struct xds_out *out, struct xds_dot_node from, struct xds_dot_node to,
                  enum xds_dot_look how)
{
    arrow(out, from, to);
    look(out, how);
}

/* ---- labels ----------------------------------------------------------------------- */

static const char *escape_of(char c)
{
    switch (c) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '&':
        return "&amp;";
    default: /* of a character, not of an enum */
        return NULL;
    }
}

/* Text that is fit for a terminal already. */
static bool write_escaped(void *user, const char *data, size_t len)
{
    struct xds_out *out = user;

    for (size_t i = 0; i < len; i++) {
        const char *escape = escape_of(data[i]);

        if (escape)
            xds_out_text(out, escape);
        else
            xds_out_char(out, data[i]);
    }
    return true;
}

static struct xds_slice cut(struct xds_slice text)
{
    size_t at = LABEL_PIECE;

    if (text.len <= LABEL_PIECE)
        return text;
    while (at > 0 && ((unsigned char)text.data[at] & 0xc0u) == 0x80u)
        at--; /* no character is split */
    return xds_slice_make(text.data, at);
}

void xds_dot_clean(struct xds_out *out, struct xds_slice text)
{
    const struct xds_printer to = {.write = write_escaped, .user = out};
    const struct xds_slice part = cut(text);
    struct xds_out inner;

    xds_out_init(&inner, &to);
    xds_out_clean(&inner, part);
    out->failed |= xds_out_finish(&inner) != XDS_OK;
    if (part.len < text.len)
        xds_out_text(out, "...");
}

void xds_dot_quoted(struct xds_out *out, struct xds_slice text)
{
    xds_out_text(out, "\\\"");
    xds_dot_clean(out, text);
    xds_out_text(out, "\\\"");
}

void xds_dot_line(struct xds_out *out)
{
    xds_out_text(out, "\\n");
}
