/*
 * baseline.c - what findings are counted by, so that they are known again in a later run.
 */
#include "baseline/baseline.h"

#include <stdlib.h>

bool xds_baseline_key(const struct xds_report *report, const struct xds_finding *finding,
                      struct xds_baseline_entry *key)
{
    *key = (struct xds_baseline_entry){
        .rule = xds_slice_of(finding->rule->slug), .shared = finding->once, .count = 1};
    if (finding->resource == XDS_NO_RESOURCE)
        return false;
    if (finding->once.len > 0)
        return true;
    key->type = report->resources[finding->resource].type;
    key->name = report->resources[finding->resource].name;
    key->path = finding->path;
    return true;
}

static int compare(const void *left, const void *right)
{
    const struct xds_baseline_entry *a = left, *b = right;
    int c = xds_slice_cmp(a->rule, b->rule);

    if (c == 0)
        c = xds_slice_cmp(a->type, b->type);
    if (c == 0)
        c = xds_slice_cmp(a->name, b->name);
    if (c == 0)
        c = xds_slice_cmp(a->path, b->path);
    return c ? c : xds_slice_cmp(a->shared, b->shared);
}

void xds_baseline_sort(struct xds_baseline *baseline)
{
    struct xds_baseline_entry *entries = baseline->entries;
    size_t kept = 0;

    if (baseline->n == 0)
        return;
    qsort(entries, baseline->n, sizeof *entries, compare);
    for (size_t i = 1; i < baseline->n; i++) {
        if (compare(&entries[kept], &entries[i]) == 0)
            entries[kept].count += entries[i].count;
        else
            entries[++kept] = entries[i];
    }
    baseline->n = kept + 1;
}

struct xds_baseline_entry *xds_baseline_find(const struct xds_baseline *baseline,
                                             const struct xds_baseline_entry *key)
{
    if (baseline->n == 0)
        return NULL;
    return bsearch(key, baseline->entries, baseline->n, sizeof *key, compare);
}

struct xds_baseline xds_baseline_of(const struct xds_report *report,
                                    struct xds_arena *arena)
{
    struct xds_baseline baseline = {
        XDS_NEW_ARRAY(arena, struct xds_baseline_entry, report->n_findings), 0};

    for (size_t i = 0; i < report->n_findings; i++)
        baseline.n +=
            xds_baseline_key(report, &report->findings[i], &baseline.entries[baseline.n]);
    xds_baseline_sort(&baseline);
    return baseline;
}
