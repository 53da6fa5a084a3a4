/* excerpt.h - the line of the input that a finding is about, with a caret below it. */
#ifndef XDS_PRINT_EXCERPT_H
#define XDS_PRINT_EXCERPT_H

#include "base/arena.h"
#include "print/out.h"

/* Two lines: "   14 | TEXT" and a caret below the column, with '~' up to the end column
 * if that is on the same line. About 100 columns of a long line are shown. Nothing when
 * the printer has no lines, or not this one. Secrets are shown as asterisks. */
void xds_out_excerpt(struct xds_out *out, struct xds_slice file, struct xds_place at);

/* The same for a format that marks the place in its own way: safe text, to be escaped. */
struct xds_excerpt {
    struct xds_slice before, marked, behind;
    bool cut_before, cut_behind;
};

/* False when there is nothing to show. The parts live in the arena, under whose guard
 * this runs. */
bool xds_excerpt_parts(struct xds_arena *arena, const struct xds_printer *to,
                       struct xds_slice file, struct xds_place at,
                       struct xds_excerpt *out);

#endif
