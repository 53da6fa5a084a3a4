/*
 * served.c - parts of an answer that several steps fill.
 *
 * Source: xdscope-explain(1).
 */
#include "server/server.h"

void xds_served_note(struct xds_arena *arena, struct xds_served *d, const char *format,
                     ...)
{
    struct xds_slice *list = XDS_NEW_ARRAY(arena, struct xds_slice, d->n_notes + 1);
    va_list args;

    if (d->n_notes > 0)
        memcpy(list, d->notes, d->n_notes * sizeof *list);
    va_start(args, format);
    list[d->n_notes++] = xds_arena_vprintf(arena, format, args);
    va_end(args);
    d->notes = list;
}

bool xds_served_well(const struct xds_served *served)
{
    return served->outcome == XDS_SERVED_YES;
}
