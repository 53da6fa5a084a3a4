/*
 * lint.h - checks beyond NACK: inside one resource as it passes, then across resources.
 *
 * Keeps names and references only, never models.
 */
#ifndef XDS_LINT_LINT_H
#define XDS_LINT_LINT_H

#include "lint/graph.h"

struct xds_lint {
    struct xds_report *report;
    struct xds_arena arena;
    struct xds_graph graph;
    struct xds_before before;
};

void xds_lint_init(struct xds_lint *lint, struct xds_report *report);
void xds_lint_release(struct xds_lint *lint);
/* Must run under a guard of lint->arena, report->arena and scratch, which is only needed
 * for the time of the call. */
void xds_lint_add(struct xds_lint *lint, const struct xds_snapshot_entry *entry,
                  struct xds_arena *scratch);
/* Compare with the snapshot of another one, which is finished. */
void xds_lint_against(struct xds_lint *lint, const struct xds_lint *old);
/* After the last resource: the checks across resources. Their findings have no place yet.
 * Must run under a guard of lint->arena and report->arena. */
void xds_lint_finish(struct xds_lint *lint);

#endif
