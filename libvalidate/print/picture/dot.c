/*
 * dot.c - write a Graphviz digraph.
 *
 * Source: the DOT grammar of Graphviz, escString. In a quoted label a backslash begins an
 *         escape and an ampersand an HTML entity.
 */
#include "print/picture/picture.h"

#define FONT "fontname=\"Helvetica,Arial,sans-serif\""
#define COLOR(rgb) "color=\"" rgb "\""

static const char *const shapes[] = {
    [XDS_DOT_BOX] = "box",
    [XDS_DOT_LIST] = "box, ordering=out",
    [XDS_DOT_NOTE] = "note",
    [XDS_DOT_TEXT] = "plaintext",
};

static const char *const node_looks[] = {
    [XDS_DOT_PLAIN] = "style=\"rounded\"",
    [XDS_DOT_TAKEN] = "style=\"filled,rounded,bold\", penwidth=2.5, " COLOR(
        "#0b6e4f") ", fill" COLOR("#dff3ea"),
    [XDS_DOT_LOST] =
        "style=\"rounded,dashed\", " COLOR("#9a9a9a") ", font" COLOR("#606060"),
    [XDS_DOT_OVERRIDE] = "style=\"filled,bold,dotted\", penwidth=2.5, " COLOR(
        "#b04a00") ", fill" COLOR("#fdeede"),
    [XDS_DOT_FAILED] = "style=\"filled,bold\", penwidth=2.5, " COLOR(
        "#a4161a") ", fill" COLOR("#fde8e8"),
};

/* The way of the RPC weighs most, which makes it a straight line. */
static const char *const edge_looks[] = {
    [XDS_DOT_PLAIN] = "style=solid",
    [XDS_DOT_TAKEN] = "weight=8, style=bold, penwidth=2.5, " COLOR("#0b6e4f"),
    [XDS_DOT_LOST] = "style=dashed, " COLOR("#9a9a9a") ", font" COLOR("#606060"),
    [XDS_DOT_OVERRIDE] = "style=\"bold,dotted\", penwidth=2.5, " COLOR(
        "#b04a00") ", font" COLOR("#b04a00"),
    [XDS_DOT_FAILED] = "weight=8, style=bold, penwidth=2.5, " COLOR("#a4161a"),
};

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

void xds_dot_begin(struct xds_out *out, const char *graph)
{
    xds_out_format(out, "digraph %s", graph);
    xds_out_text(out,
                 " {\n  rankdir=LR; bgcolor=white; pad=0.3; nodesep=0.25; ranksep=0.55;\n"
                 "  node [" FONT ", fontsize=12, margin=\"0.15,0.08\"];\n"
                 "  edge [" FONT ", fontsize=10, arrowsize=0.8];\n");
}

void xds_dot_end(struct xds_out *out)
{
    xds_out_text(out, "}\n");
}

/* part: 0 is the only one; else names of nodes begin with it. */
static void write_node(struct xds_out *out, struct xds_dot_node node, size_t part)
{
    if (part > 0)
        xds_out_format(out, "part%zu_", part);
    xds_out_format(out, "%s%zu", node.kind, node.number);
}

static void write_items(struct xds_out *out, const struct xds_picture *picture,
                        size_t part)
{
    for (size_t i = 0; i < picture->n; i++) {
        const struct xds_picture_item *item = &picture->items[i];
        const bool is_edge = item->to.kind != NULL;

        xds_out_text(out, "  ");
        write_node(out, item->from, part);
        if (is_edge) {
            xds_out_text(out, " -> ");
            write_node(out, item->to, part);
        }
        xds_out_text(out, " [");
        if (item->label.data) {
            xds_out_text(out, "label=\"");
            write_escaped(out, item->label);
            xds_out_text(out, "\", ");
        }
        if (is_edge)
            xds_out_line(out, "%s];", edge_looks[item->look]);
        else
            xds_out_line(out, "shape=%s, %s];", shapes[item->shape],
                         node_looks[item->look]);
    }
}

void xds_dot_part(struct xds_out *out, const struct xds_picture *picture, size_t part)
{
    xds_out_format(out, "  subgraph cluster_%zu {\n  " COLOR("#d0d0d0") ";\n", part);
    write_items(out, picture, part);
    xds_out_text(out, "  }\n");
}

void xds_dot_picture(struct xds_out *out, const char *graph,
                     const struct xds_picture *picture)
{
    xds_dot_begin(out, graph);
    if (picture->title.len > 0) {
        xds_out_text(out,
                     "  labelloc=t; labeljust=l; " FONT "; fontsize=18;\n  label=\"");
        write_escaped(out, picture->title);
        xds_out_text(out, "\\l \";\n");
    }
    write_items(out, picture, 0);
    xds_dot_end(out);
}
