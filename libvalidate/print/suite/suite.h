/* suite.h - what the formats of a suite share. */
#ifndef XDS_PRINT_SUITE_SUITE_H
#define XDS_PRINT_SUITE_SUITE_H

#include "print/write/out.h"

/* "and 3 more values that differ", a line. */
void xds_out_more_mismatches(struct xds_out *out, const struct xds_suite_case *c);
/* "71.4": one decimal, rounded down, so that 100 means all. */
struct xds_short_text xds_tenths(double percent);
/* "routes 4/5, weighted targets 1/2: 71.4%"; of servers their filter chains and policies.
 */
void xds_out_covered(struct xds_out *out, const struct xds_suite_results *results);
/* Coverage is wanted and below its limit. */
bool xds_suite_under_limit(const struct xds_suite_results *results,
                           const struct xds_suite_view *view);

#endif
