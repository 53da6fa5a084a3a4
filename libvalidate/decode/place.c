/* place.c - byte offsets of one resource's text as lines and columns of its file. */
#include "decode/place.h"

#include "source/json/scan.h"

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

struct xds_place xds_place_in(const struct xds_resource *in, size_t begin, size_t end)
{
    struct xds_place_cursor cursor;

    xds_place_cursor_init(&cursor, in);
    return xds_place_next(&cursor, begin, end);
}
