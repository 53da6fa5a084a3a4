/*
 * dot.h - nodes and edges of a Graphviz digraph.
 *
 * A label is written in pieces between begin and end. Any text may be in it: it ends
 * up as plain characters on one line, never as part of the graph's syntax.
 */
#ifndef XDS_PRINT_DOT_H
#define XDS_PRINT_DOT_H

#include "print/out.h"

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

void xds_dot_begin(struct xds_out *out, const char *name);
void xds_dot_end(struct xds_out *out);
void xds_dot_node_begin(struct xds_out *out, struct xds_dot_node node);
void xds_dot_node_end(struct xds_out *out, enum xds_dot_shape shape,
                      enum xds_dot_look look);
void xds_dot_edge_begin(struct xds_out *out, struct xds_dot_node from,
                        struct xds_dot_node to);
void xds_dot_edge_end(struct xds_out *out, enum xds_dot_look look);
/* An edge without a label. */
void xds_dot_edge(struct xds_out *out, struct xds_dot_node from, struct xds_dot_node to,
                  enum xds_dot_look look);

/* ---- in a label ---- */

/* Text from the input; long text is cut and ends in "...". */
void xds_dot_clean(struct xds_out *out, struct xds_slice text);
void xds_dot_line(struct xds_out *out);
/* As much of a long text as a label takes. */
struct xds_slice xds_dot_cut(struct xds_slice text);

/* ---- whole pictures ---- */

struct xds_picture;

/* The title, the nodes and the edges of a picture, as a digraph of this name. */
void xds_dot_picture(struct xds_out *out, const char *graph,
                     const struct xds_picture *picture);

#endif
