/*
 * lint.c - checks beyond NACK across the resources of a snapshot.
 *
 * Takes:  each resource as it passes: its type, name and index in the report.
 * Gives:  findings of lint.def; only names are kept.
 * Source: spec cluster 0.4 "duplicate name inside one response".
 */
#include "lint/lint.h"

void xds_lint_init(struct xds_lint *lint, struct xds_report *report)
{
    *lint = (struct xds_lint){.report = report};
    xds_arena_init(&lint->arena, 0);
    for (size_t i = 0; i < XDS_ARRAY_LEN(lint->names); i++)
        xds_strmap_init(&lint->names[i], &lint->arena);
}

void xds_lint_release(struct xds_lint *lint)
{
    xds_arena_release(&lint->arena);
}

static void check_duplicate(struct xds_lint *lint, const struct xds_snapshot_entry *entry,
                            uint32_t *first)
{
    const struct xds_resource_result *before = &lint->report->resources[*first - 1];
    const struct xds_slice file = xds_report_file(lint->report, before->at.file);

    xds_report_at(lint->report, xds_rule_row(XDS_R_LINT_DUPLICATE_RESOURCE),
                  entry->resource, lint->report->resources[entry->resource].at,
                  "\"%.*s\" was defined before at %.*s:%u:%u; clients use the last "
                  "valid one of a response",
                  XDS_FMT(entry->name), XDS_FMT(file), before->at.line,
                  before->at.column);
}

void xds_lint_add(struct xds_lint *lint, const struct xds_snapshot_entry *entry)
{
    if (entry->type == XDS_TYPE_UNKNOWN)
        return;
    void **slot = xds_strmap_at(&lint->names[entry->type], entry->name);

    if (*slot) {
        check_duplicate(lint, entry, *slot);
        return;
    }
    uint32_t *index = XDS_NEW(&lint->arena, uint32_t);
    *index = entry->resource + 1;
    *slot = index;
}
