/* diff.h - what the formats of a comparison share. */
#ifndef XDS_PRINT_DIFF_DIFF_H
#define XDS_PRINT_DIFF_DIFF_H

#include "diff/diff.h"
#include "print/write/out.h"

/* "added", "removed", "changed", "moved". */
const char *xds_change_name(enum xds_change_kind kind);
/* How many resources were added, removed or changed. */
size_t xds_diff_count(const struct xds_diff *diff, enum xds_change_kind kind);
/* After its title: what the client is known to do otherwise between the two releases,
 * whether this snapshot meets it or not; rows that it cannot meet are counted. */
void xds_diff_print_history(struct xds_out *out, const struct xds_diff *diff);
/* The same: what lint warns of for one of the two readers. */
void xds_diff_print_warnings(struct xds_out *out, const struct xds_diff *diff);

#endif
