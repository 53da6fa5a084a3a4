/* compare.h - what an answer was to be, and where it differs. */
#ifndef XDS_SUITE_COMPARE_H
#define XDS_SUITE_COMPARE_H

#include "model/tree.h"

/* Where the differences go. */
struct xds_comparison {
    struct xds_arena *run_arena, *case_arena;
    struct xds_suite_mismatch *list;
    size_t n, n_more; /* more: over XDS_MAX_MISMATCHES */
};

/* Objects: every member that is expected. Lists: as many items, each as expected.
 * Numbers: within 1e-9. All else must be equal. */
void xds_suite_compare(struct xds_comparison *out, const struct xds_tree *expect,
                       const struct xds_tree *answer);

#endif
