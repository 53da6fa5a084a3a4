/* place.h - the tokens of a resource, and line and column of a position in its text. */
#ifndef XDS_SOURCE_PLACE_H
#define XDS_SOURCE_PLACE_H

#include "source/token.h"

/* The tokens of a resource, from its first one; false: it is binary and has none. */
bool xds_tokens_of(struct xds_tokens *tokens, const struct xds_resource *in);

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
/* The same for a token: those that were recorded know their place. */
struct xds_place xds_place_of_token(struct xds_place_cursor *cursor,
                                    const struct xds_token *token);
/* The same for a single place. */
struct xds_place xds_place_in(const struct xds_resource *in, size_t begin, size_t end);

#endif
