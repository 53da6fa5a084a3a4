/*
 * served.c - parts of an answer that several steps fill.
 *
 * Source: xdscope-explain(1).
 */
#include "server/server.h"

struct xds_slice *xds_texts_with(struct xds_arena *arena, const struct xds_slice *list,
                                 size_t *n, const char *format, va_list args)
{
    struct xds_slice *longer = XDS_NEW_ARRAY(arena, struct xds_slice, *n + 1);

    if (*n > 0)
        memcpy(longer, list, *n * sizeof *longer);
    longer[(*n)++] = xds_arena_vprintf(arena, format, args);
    return longer;
}

void xds_served_note(struct xds_arena *arena, struct xds_served *d, const char *format,
                     ...)
{
    va_list args;

    va_start(args, format);
    d->notes = xds_texts_with(arena, d->notes, &d->n_notes, format, args);
    va_end(args);
}

bool xds_served_well(const struct xds_served *served)
{
    return served->outcome == XDS_SERVED_YES;
}
