/*
 * baseline.h - what findings are counted by, so that they are known again in a later run.
 *
 * Neither the line nor the words: both change while the finding stays. What is reported
 * once for many is known by what they share, as another resource may come first next
 * time.
 */
#ifndef XDS_BASELINE_BASELINE_H
#define XDS_BASELINE_BASELINE_H

#include "report/report.h"

struct xds_baseline_entry {
    struct xds_slice rule, type, name, path;
    struct xds_slice shared; /* instead of type, name and path; or empty */
    size_t count;
    size_t left;           /* while it is applied: how many are still to come */
    uint32_t line, column; /* in the file */
};

struct xds_baseline {
    struct xds_baseline_entry *entries; /* sorted, each once */
    size_t n;
};

/* The findings of a sorted report. Runs under a guard of the arena. */
struct xds_baseline xds_baseline_of(const struct xds_report *report,
                                    struct xds_arena *arena);

#endif
