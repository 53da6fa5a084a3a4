/* excerpt.h - the line of the input that a finding is about, with a caret below it. */
#ifndef XDS_PRINT_EXCERPT_H
#define XDS_PRINT_EXCERPT_H

#include "print/out.h"

/* Two lines: "   14 | TEXT" and a caret below the column, with '~' up to the end column
 * if that is on the same line. About 100 columns of a long line are shown. Nothing when
 * the printer has no lines, or not this one. */
void xds_out_excerpt(struct xds_out *out, struct xds_slice file, struct xds_place at);

#endif
