/*
 * place.c - the tokens of a resource, and line and column of a position in its text.
 */
#include "source/place.h"
#include "source/json/scan.h"

bool xds_tokens_of(struct xds_tokens *tokens, const struct xds_resource *in)
{
    switch (in->format) {
    case XDS_FORMAT_JSON:
        xds_tokens_json(tokens, in->bytes);
        return true;
    case XDS_FORMAT_YAML:
    case XDS_FORMAT_TEXT_PROTO:
        xds_tokens_recorded(tokens, in->format, in->tokens);
        return true;
    case XDS_FORMAT_BINARY:
        return false;
    }
    return false;
}

void xds_place_cursor_init(struct xds_place_cursor *cursor, const struct xds_resource *in)
{
    *cursor =
        (struct xds_place_cursor){.in = in, .line = in->at.line, .column = in->at.column};
}

static void move_to(struct xds_place_cursor *c, size_t offset)
{
    const struct xds_slice text = c->in->bytes;
    const size_t to = offset < text.len ? offset : text.len;

    if (to <= c->at)
        return;
    const struct xds_scan_lines moved =
        xds_scan_lines(xds_slice_make(text.data + c->at, to - c->at));
    c->line += (uint32_t)moved.newlines;
    c->column = (moved.newlines ? 1 : c->column) + (uint32_t)moved.code_points;
    c->at = to;
}

struct xds_place xds_place_next(struct xds_place_cursor *cursor, size_t begin, size_t end)
{
    if (begin < cursor->at)
        xds_place_cursor_init(cursor, cursor->in);
    move_to(cursor, begin);
    struct xds_place_cursor behind = *cursor;
    move_to(&behind, end);
    return (struct xds_place){cursor->in->at.file, cursor->line, cursor->column,
                              behind.line, behind.column};
}

struct xds_place xds_place_of_token(struct xds_place_cursor *cursor,
                                    const struct xds_token *token)
{
    if (token->line)
        return (struct xds_place){cursor->in->at.file, token->line, token->column,
                                  token->end_line, token->end_column};
    return xds_place_next(cursor, token->begin, token->end);
}

struct xds_place xds_place_in(const struct xds_resource *in, size_t begin, size_t end)
{
    struct xds_place_cursor cursor;

    xds_place_cursor_init(&cursor, in);
    return xds_place_next(&cursor, begin, end);
}
