/*
 * lint.h - checks beyond NACK: inside one resource as it passes, then across resources.
 *
 * Keeps names and references only, never models.
 */
#ifndef XDS_LINT_LINT_H
#define XDS_LINT_LINT_H

#include "base/strmap.h"
#include "catalogue/rule.h"
#include "model/snapshot.h"

struct xds_lint {
    struct xds_report *report;
    struct xds_arena arena;
    struct xds_strmap names[XDS_TYPE_ENDPOINT + 1]; /* resource index + 1 by name */
};

void xds_lint_init(struct xds_lint *lint, struct xds_report *report);
void xds_lint_release(struct xds_lint *lint);
/* Must run under a guard of lint->arena and report->arena. */
void xds_lint_add(struct xds_lint *lint, const struct xds_snapshot_entry *entry);

#endif
