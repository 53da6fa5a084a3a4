/* expect.h - what a step's result was to be, and where it differs. */
#ifndef XDS_SCENARIO_EXPECT_H
#define XDS_SCENARIO_EXPECT_H

#include "model/tree.h"

struct xds_mismatch {
    struct xds_slice path;             /* "reported.state" */
    const struct xds_tree *want, *got; /* got NULL: there is no such key */
};

struct xds_mismatches {
    struct xds_arena *arena;
    struct xds_mismatch *list;
    size_t n, cap;
};

/* Compare each key of `expect`, an object, with the same key of the result. */
void xds_expect_compare(struct xds_mismatches *out, const struct xds_tree *expect,
                        const struct xds_tree *result);

#endif
