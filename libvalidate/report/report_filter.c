/*
 * report_filter.c - take findings out of a sorted report, as --select and --ignore do,
 * and change their levels.
 */
#include "report/report.h"

struct filter {
    struct xds_report *report;
    bool (*keep)(const struct xds_finding *finding, void *user);
    void *user;
};

static void partition(void *arg)
{
    const struct filter *filter = arg;
    struct xds_report *report = filter->report;
    const size_t n = report->n_findings;
    struct xds_finding *hidden = XDS_NEW_ARRAY(&report->arena, struct xds_finding, n);
    size_t n_kept = 0, n_hidden = 0;

    for (size_t i = 0; i < n; i++) {
        if (filter->keep(&report->findings[i], filter->user))
            report->findings[n_kept++] = report->findings[i];
        else
            hidden[n_hidden++] = report->findings[i];
    }
    if (n_hidden > 0)
        memcpy(report->findings + n_kept, hidden, n_hidden * sizeof *hidden);
    report->n_findings = n_kept;
    report->n_hidden += n_hidden;
}

void xds_report_set_level(struct xds_report *report, const struct xds_rule *rule,
                          enum xds_level level)
{
    const size_t n = report->n_findings + report->n_hidden + report->n_suppressed;

    for (size_t i = 0; i < n; i++)
        if (report->findings[i].rule == rule)
            report->findings[i].level = level;
}

enum xds_status
xds_report_keep(struct xds_report *report,
                bool (*keep)(const struct xds_finding *finding, void *user), void *user)
{
    struct xds_arena *const arenas[] = {&report->arena};
    struct filter filter = {report, keep, user};

    return xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), partition, &filter);
}
