/*
 * picture_layout.h - where the boxes are in a picture that reads from left to right.
 *
 * Takes:  a picture whose edges go from a column to one further right, mostly.
 * Gives:  boxes in columns, in pixels. A box belongs to the first one that points to it;
 *         those that belong to one are below each other, and it is in their middle.
 *         So no two boxes overlap. Text is measured by counting its characters.
 */
#ifndef XDS_PRINT_PICTURE_LAYOUT_H
#define XDS_PRINT_PICTURE_LAYOUT_H

#include "print/picture.h"

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
/* Characters of a text. */
size_t xds_picture_width(struct xds_slice text);
/* The first line of *label, without it; false at its end. */
bool xds_picture_next_line(struct xds_slice *label, struct xds_slice *line);

#endif
