/* picture.h - boxes and arrows, drawn by Graphviz or as SVG. */
#ifndef XDS_PRINT_PICTURE_PICTURE_H
#define XDS_PRINT_PICTURE_PICTURE_H

#include "base/arena.h"
#include "model/endpoint.h"
#include "print/write/out.h"

/* A node's name: a kind and a number, "route3". Kinds are plain words. */
struct xds_dot_node {
    const char *kind;
    size_t number;
};

/* How a node or an edge is drawn; each look differs in line and colour. */
enum xds_dot_look {
    XDS_DOT_PLAIN,
    XDS_DOT_TAKEN,    /* bold: the way of the RPC */
    XDS_DOT_LOST,     /* dashed: not its way */
    XDS_DOT_OVERRIDE, /* bold and dotted: what a cookie decides */
    XDS_DOT_FAILED,   /* bold: where the RPC ends in failure */
};

/* LIST is a box whose successors are in the order of their edges. */
enum xds_dot_shape { XDS_DOT_BOX, XDS_DOT_LIST, XDS_DOT_NOTE, XDS_DOT_TEXT };

/* Boxes and arrows: what a picture shows, before a format draws it.
 * Takes:  nodes and edges in the order in which they are to be drawn. A label is written
 *         in pieces into picture->label, between begin and end.
 * Gives:  labels as plain text, safe for a terminal, of lines that end in '\n' but for
 * the last. Each format escapes them in its own way. */

/* A node, or an edge where to.kind is not NULL. */
struct xds_picture_item {
    struct xds_dot_node from, to;
    struct xds_slice label; /* data NULL: none */
    enum xds_dot_shape shape;
    enum xds_dot_look look;
};

struct xds_picture {
    struct xds_arena *arena;
    struct xds_slice title;
    struct xds_picture_item *items;
    size_t n, cap;
    struct xds_out label;
    struct xds_printer to; /* of the label, into text */
    struct xds_text text;
};

/* Everything here must run under a guard of the arena. The picture does not move. */
void xds_picture_init(struct xds_picture *picture, struct xds_arena *arena);
/* What was written into picture->label since then is the title, which is broken into
 * lines of about this many columns. */
void xds_picture_title_end(struct xds_picture *picture, size_t columns);
void xds_picture_node_begin(struct xds_picture *picture, struct xds_dot_node node);
void xds_picture_node_end(struct xds_picture *picture, enum xds_dot_shape shape,
                          enum xds_dot_look look);
/* Begin, text and end in one. */
void xds_picture_node(struct xds_picture *picture, struct xds_dot_node node,
                      enum xds_dot_shape shape, enum xds_dot_look look,
                      const char *format, ...) XDS_PRINTF(5, 6);
void xds_picture_edge_text(struct xds_picture *picture, struct xds_dot_node from,
                           struct xds_dot_node to, enum xds_dot_look look,
                           const char *format, ...) XDS_PRINTF(5, 6);
/* An edge without a label. */
void xds_picture_edge(struct xds_picture *picture, struct xds_dot_node from,
                      struct xds_dot_node to, enum xds_dot_look look);

/* As xds_out_format(); "\n" ends a line. A long argument is cut and ends in "...". */
void xds_picture_text(struct xds_picture *picture, const char *format, ...)
    XDS_PRINTF(2, 3);
void xds_picture_locality(struct xds_picture *picture, const struct xds_locality *l);
/* A sentence, broken into short lines. */
void xds_picture_sentence(struct xds_picture *picture, struct xds_slice text);

/* The title, if there is one, nodes and edges as a Graphviz digraph of this name. */
void xds_dot_picture(struct xds_out *out, const char *graph,
                     const struct xds_picture *picture);
/* Several pictures in one digraph, without titles: begin, parts with numbers of their own
 * from 1 on, end. */
void xds_dot_begin(struct xds_out *out, const char *graph);
void xds_dot_part(struct xds_out *out, const struct xds_picture *picture, size_t part);
void xds_dot_end(struct xds_out *out);

/* Where the boxes are in a picture that reads from left to right.
 * Takes:  a picture whose edges go from a column to one further right, mostly.
 * Gives:  boxes in columns, in pixels. A box belongs to the first one that points to it;
 *         those that belong to one are below each other, and it is in their middle.
 *         So no two boxes overlap. Text is measured by counting its characters. */

enum {
    XDS_BOX_LINE = 16,    /* height of a line of text */
    XDS_BOX_PAD = 9,      /* around the text */
    XDS_BOX_COLUMNS = 36, /* characters of a line; what is longer is cut */
    XDS_BOX_LINES = 6,
    XDS_PICTURE_COLUMNS = 16,
};

/* Which column nodes of a kind are in, and what they link to. */
struct xds_picture_kind {
    const char *kind;
    unsigned column;
    const char *link; /* "#id", or NULL */
};

/* Kinds that the list does not have are right of what points to them. */
struct xds_picture_form {
    const struct xds_picture_kind *kinds;
    size_t n;
};

#define XDS_NO_BOX SIZE_MAX

struct xds_box {
    const struct xds_picture_item *item;
    const struct xds_picture_kind *kind; /* NULL: not in the list */
    struct xds_slice lines[XDS_BOX_LINES];
    size_t n_lines;
    size_t up; /* the box that it belongs to, or XDS_NO_BOX */
    unsigned column;
    uint32_t x, y, width, height;
};

static inline uint32_t xds_box_middle(const struct xds_box *box)
{
    return box->y + box->height / 2;
}

struct xds_layout {
    struct xds_box *boxes;
    size_t n;
    uint32_t width, height;
};

/* Must run under a guard of the arena. */
void xds_picture_layout(struct xds_layout *out, struct xds_arena *arena,
                        const struct xds_picture *picture,
                        const struct xds_picture_form *form);
/* The number of the box, or XDS_NO_BOX. */
size_t xds_layout_find(const struct xds_layout *layout, struct xds_dot_node node);
/* The first line of *label, without it; false at its end. */
bool xds_picture_next_line(struct xds_slice *label, struct xds_slice *line);

/* Looks are classes that html.css draws. Must run under a guard of the arena. */
void xds_svg_picture(struct xds_out *out, struct xds_arena *arena,
                     const struct xds_picture *picture,
                     const struct xds_picture_form *form);

#endif
