/*
 * place.h - byte offsets of one resource's text as lines and columns of its file.
 */
#ifndef XDS_DECODE_PLACE_H
#define XDS_DECODE_PLACE_H

#include "base/slice.h"

/* A position that moves forward through the text, so that asking for many places in
 * ascending order reads the text once. */
struct xds_place_cursor {
    const struct xds_resource *in;
    size_t at; /* offset into in->bytes */
    uint32_t line, column;
};

void xds_place_cursor_init(struct xds_place_cursor *cursor,
                           const struct xds_resource *in);
/* The place of bytes [begin, end); an earlier begin than the last one starts over. */
struct xds_place xds_place_next(struct xds_place_cursor *cursor, size_t begin,
                                size_t end);
/* The same for a single place. */
struct xds_place xds_place_in(const struct xds_resource *in, size_t begin, size_t end);

#endif
