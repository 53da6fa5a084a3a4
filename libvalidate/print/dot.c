/*
 * dot.c - write a Graphviz digraph.
 *
 * Source: the DOT grammar of Graphviz, escString. In a quoted label a backslash begins an
 *         escape and an ampersand an HTML entity.
 */
#include "print/inner.h"

/* Bytes of one piece of a label. */
enum { LABEL_PIECE = 120 };

#define FONT "fontname=\"Helvetica,Arial,sans-serif\""

void xds_dot_begin(struct xds_out *out, const char *name)
{
    xds_out_format(out, "digraph %s", name);
    xds_out_text(out,
                 " {\n  rankdir=LR; bgcolor=white; pad=0.3; nodesep=0.25; ranksep=0.55;\n"
                 "  node [" FONT ", fontsize=12, margin=\"0.15,0.08\"];\n"
                 "  edge [" FONT ", fontsize=10, arrowsize=0.8];\n");
}

void xds_dot_end(struct xds_out *out)
{
    xds_out_text(out, "}\n");
}

void xds_dot_node_begin(struct xds_out *out, struct xds_dot_node node)
{
    xds_out_format(out, "  %s%zu [label=\"", node.kind, node.number);
}

void xds_dot_node_end(struct xds_out *out, enum xds_dot_shape shape,
                      enum xds_dot_look look)
{
    static const char *const shapes[] = {
        [XDS_DOT_BOX] = "box",
        [XDS_DOT_LIST] = "box, ordering=out",
        [XDS_DOT_NOTE] = "note",
        [XDS_DOT_TEXT] = "plaintext",
    };
    static const char *const attributes[] = {
        [XDS_DOT_PLAIN] = "style=\"rounded\"",
        [XDS_DOT_TAKEN] = "style=\"filled,rounded,bold\", penwidth=2.5, "
                          "color=\"#0b6e4f\", fillcolor=\"#dff3ea\"",
        [XDS_DOT_LOST] = "style=\"rounded,dashed\", color=\"#9a9a9a\", "
                         "fontcolor=\"#606060\"",
        [XDS_DOT_OVERRIDE] = "style=\"filled,bold,dotted\", penwidth=2.5, "
                             "color=\"#b04a00\", fillcolor=\"#fdeede\"",
        [XDS_DOT_FAILED] = "style=\"filled,bold\", penwidth=2.5, color=\"#a4161a\", "
                           "fillcolor=\"#fde8e8\"",
    };
    xds_out_line(out, "\", shape=%s, %s];", shapes[shape], attributes[look]);
}

void xds_dot_edge_begin(struct xds_out *out, struct xds_dot_node from,
                        struct xds_dot_node to)
{
    xds_out_format(out, "  %s%zu -> %s%zu [label=\"", from.kind, from.number, to.kind,
                   to.number);
}

#define COLOR(rgb) "color=\"" rgb "\""

/* The way of the RPC weighs most, which makes it a straight line. */
static const char *const edge_looks[] = {
    [XDS_DOT_PLAIN] = "style=solid",
    [XDS_DOT_TAKEN] = "weight=8, style=bold, penwidth=2.5, " COLOR("#0b6e4f"),
    [XDS_DOT_LOST] = "style=dashed, " COLOR("#9a9a9a") ", font" COLOR("#606060"),
    [XDS_DOT_OVERRIDE] = "style=\"bold,dotted\", penwidth=2.5, " COLOR(
        "#b04a00") ", font" COLOR("#b04a00"),
    [XDS_DOT_FAILED] = "weight=8, style=bold, penwidth=2.5, " COLOR("#a4161a"),
};

void xds_dot_edge_end(struct xds_out *out, enum xds_dot_look look)
{
    xds_out_line(out, "\", %s];", edge_looks[look]);
}

void xds_dot_edge(struct xds_out *out, struct xds_dot_node from, struct xds_dot_node to,
                  enum xds_dot_look look)
{
    xds_out_line(out, "  %s%zu -> %s%zu [%s];", from.kind, from.number, to.kind,
                 to.number, edge_looks[look]);
}

static const char *escape_of(char c)
{
    switch (c) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '&':
        return "&amp;";
    case '\n':
        return "\\n";
    default: /* of a character, not of an enum */
        return NULL;
    }
}

/* Text that is fit for a terminal already. */
static void write_escaped(struct xds_out *out, struct xds_slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        const char *escape = escape_of(text.data[i]);

        if (escape)
            xds_out_text(out, escape);
        else
            xds_out_char(out, text.data[i]);
    }
}

static bool write_label(void *user, const char *data, size_t len)
{
    write_escaped(user, xds_slice_make(data, len));
    return true;
}

struct xds_slice xds_dot_cut(struct xds_slice text)
{
    return xds_slice_clip(text, LABEL_PIECE);
}

void xds_dot_clean(struct xds_out *out, struct xds_slice text)
{
    const struct xds_slice part = xds_dot_cut(text);
    const struct xds_printer to = {.write = write_label, .user = out};
    struct xds_out inner;

    xds_out_init(&inner, &to);
    xds_out_clean(&inner, part);
    out->failed |= xds_out_finish(&inner) != XDS_OK;
    if (part.len < text.len)
        xds_out_text(out, "...");
}

void xds_dot_picture(struct xds_out *out, const char *graph,
                     const struct xds_picture *picture)
{
    xds_dot_begin(out, graph);
    xds_out_text(out, "  labelloc=t; labeljust=l; " FONT "; fontsize=18;\n  label=\"");
    write_escaped(out, picture->title);
    xds_out_text(out, "\\l \";\n");
    for (size_t i = 0; i < picture->n; i++) {
        const struct xds_picture_item *item = &picture->items[i];

        if (!item->to.kind) {
            xds_dot_node_begin(out, item->from);
            write_escaped(out, item->label);
            xds_dot_node_end(out, item->shape, item->look);
        } else if (item->label.len == 0) {
            xds_dot_edge(out, item->from, item->to, item->look);
        } else {
            xds_dot_edge_begin(out, item->from, item->to);
            write_escaped(out, item->label);
            xds_dot_edge_end(out, item->look);
        }
    }
    xds_dot_end(out);
}
