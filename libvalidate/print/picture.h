/*
 * picture.h - boxes and arrows: what a picture shows, before a format draws it.
 *
 * Takes:  nodes and edges in the order in which they are to be drawn. A label is written
 *         in pieces into picture->label, between begin and end.
 * Gives:  labels as plain text, safe for a terminal, of lines that end in '\n' but for
 * the last. Each format escapes them in its own way.
 */
#ifndef XDS_PRINT_PICTURE_H
#define XDS_PRINT_PICTURE_H

#include "base/arena.h"
#include "print/dot.h"

/* A node, or an edge where to.kind is not NULL. */
struct xds_picture_item {
    struct xds_dot_node from, to;
    struct xds_slice label; /* empty: none */
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
    char *text;
    size_t text_len, text_cap;
};

/* Everything here must run under a guard of the arena. The picture does not move. */
void xds_picture_init(struct xds_picture *picture, struct xds_arena *arena);
void xds_picture_title_begin(struct xds_picture *picture);
/* The title is broken into lines of about this many columns. */
void xds_picture_title_end(struct xds_picture *picture, size_t columns);
void xds_picture_node_begin(struct xds_picture *picture, struct xds_dot_node node);
void xds_picture_node_end(struct xds_picture *picture, enum xds_dot_shape shape,
                          enum xds_dot_look look);
void xds_picture_edge_begin(struct xds_picture *picture, struct xds_dot_node from,
                            struct xds_dot_node to);
void xds_picture_edge_end(struct xds_picture *picture, enum xds_dot_look look);
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

/* ---- in a label ---- */

/* As xds_out_format(); "\n" ends a line. A long argument is cut and ends in "...". */
void xds_picture_text(struct xds_picture *picture, const char *format, ...)
    XDS_PRINTF(2, 3);
/* A sentence, broken into short lines. */
void xds_picture_sentence(struct xds_picture *picture, struct xds_slice text);

#endif
