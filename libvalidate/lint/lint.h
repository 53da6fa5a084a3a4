/*
 * lint.h - checks beyond NACK: inside one resource as it passes, then across resources.
 *
 * Keeps names and references only, never models.
 */
#ifndef XDS_LINT_LINT_H
#define XDS_LINT_LINT_H

#include "lint/checks.h"
#include "report/report.h"

/* What is left to do about a resource that was looked at apart from the others. */
struct xds_lint_part {
    struct xds_node *node; /* to be entered; NULL: there is nothing to do */
    size_t n_findings; /* those of the report that are in front of what is found then */
};

struct xds_lint {
    struct xds_report *report;
    struct xds_arena arena;
    struct xds_graph graph;
    struct xds_before before;
    struct xds_lint_part *part;    /* who looks at one resource apart; else NULL */
    unsigned named;                /* see struct xds_inspection */
    const struct xds_panel *panel; /* the readers of the report */
    bool is_thorough;              /* a test asks each release */
};

void xds_lint_init(struct xds_lint *lint, struct xds_report *report);
void xds_lint_release(struct xds_lint *lint);
/* As new, for other resources; its arena stays for reuse. */
void xds_lint_reset(struct xds_lint *lint);
/* Must run under a guard of lint->arena, report->arena and scratch, which is only needed
 * for the time of the call. */
void xds_lint_add(struct xds_lint *lint, const struct xds_snapshot_entry *entry,
                  struct xds_arena *scratch);
/* The rest of it, for a resource that another one has looked at apart, whose arena lives
 * as long: the node has its place in the report by now. Under the same guard. */
void xds_lint_enter(struct xds_lint *lint, struct xds_node *node);
/* Compare with the snapshot of another one, which is finished. */
void xds_lint_against(struct xds_lint *lint, const struct xds_lint *old);
/* After the last resource: the checks across resources. Their findings have no place yet.
 * Must run under a guard of lint->arena and report->arena. */
void xds_lint_finish(struct xds_lint *lint);
/* The same, when another snapshot follows. */
void xds_lint_end_snapshot(struct xds_lint *lint);

/* Once all findings have their place: mark those that a comment silences, and report what
 * is wrong with the comments. Must run under a guard of report->arena and scratch. */
void xds_suppress(struct xds_report *report, struct xds_arena *scratch);

#endif
