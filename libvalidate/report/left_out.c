/* left_out.c - what a report leaves out, and what rejected resources take with them.
 */
#include "report/report.h"

void xds_report_leave_out(struct xds_report *report, uint32_t resource,
                          enum xds_unjudged why)
{
    struct xds_resource_result *result = &report->resources[resource];

    result->unjudged = (unsigned char)why;
    result->nacked_by = result->crashed_by = 0;
    result->nacking = result->crashing = result->dying = 0;
}

static bool is_judged(const struct xds_report *report, uint32_t resource)
{
    return resource == XDS_NO_RESOURCE ||
           report->resources[resource].unjudged == XDS_JUDGED;
}

/* Move what is reported once for many to the first of them that is judged. */
static bool move_to_judged(const struct xds_report *report, struct xds_finding *finding)
{
    const struct xds_telling *telling =
        finding->once.data ? xds_strmap_get(&report->once.keys, finding->once) : NULL;
    const uint32_t n = telling ? telling->n_others : 0;

    for (uint32_t i = 0; i < n; i++)
        if (is_judged(report, telling->others[i])) {
            finding->resource = telling->others[i];
            finding->at = report->resources[finding->resource].at;
            finding->path = XDS_S("");
            finding->related = NULL;
            return true;
        }
    return false;
}

void xds_report_drop_unjudged(struct xds_report *report)
{
    size_t kept = 0;

    for (size_t i = 0; i < report->n_findings; i++) {
        struct xds_finding *finding = &report->findings[i];

        if (is_judged(report, finding->resource) || move_to_judged(report, finding))
            report->findings[kept++] = *finding;
    }
    report->n_findings = kept;
}

void xds_report_count_foreign(struct xds_report *report, const struct xds_rule *rule)
{
    static const char *const names[] = {
        [XDS_FOREIGN_KUBERNETES] = "Kubernetes object",
        [XDS_FOREIGN_XDSCOPE] = "xdscope file",
        [XDS_FOREIGN_BOOTSTRAP] = "gRPC bootstrap",
        [XDS_FOREIGN_EXCERPT] = "gRPC bootstrap",
        [XDS_FOREIGN_UNKNOWN] = "other",
    };
    size_t n[XDS_ARRAY_LEN(names)] = {0};
    const size_t all = report->input.n_foreign;
    struct xds_slice list = XDS_S("");

    if (all == 0)
        return;
    report->input.counts_foreign = rule;
    for (size_t i = 0; i < all; i++)
        n[report->input.foreign[i].kind]++;
    for (size_t k = 0; k < XDS_ARRAY_LEN(names); k++)
        if (n[k] > 0)
            list = xds_arena_printf(&report->arena, "%.*s%s %zu %s%s", XDS_FMT(list),
                                    list.len > 0 ? "," : "", n[k], names[k],
                                    n[k] == 1 ? "" : "s");
    xds_report_at(report, rule, XDS_NO_RESOURCE, report->input.foreign[0].at,
                  "the input has %zu file%s not xDS:%.*s", all,
                  all == 1 ? " that is" : "s that are", XDS_FMT(list));
}

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

/* ---- what depends on a resource ---- */

void xds_report_add_impact(struct xds_report *report, const struct xds_impact *impact)
{
    if (report->impact.n == report->impact.cap) {
        const size_t cap = report->impact.cap ? report->impact.cap * 2 : 16;

        report->impact.list = xds_arena_realloc(&report->arena, report->impact.list, cap,
                                                sizeof *report->impact.list);
        report->impact.cap = cap;
    }
    report->impact.list[report->impact.n++] = *impact;
}

const struct xds_impact *xds_report_impact(const struct xds_report *report,
                                           size_t resource)
{
    size_t low = 0, high = report->impact.n;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (report->impact.list[middle].resource < resource)
            low = middle + 1;
        else
            high = middle;
    }
    return low < report->impact.n && report->impact.list[low].resource == resource
               ? &report->impact.list[low]
               : NULL;
}

struct xds_impact_sum xds_report_impact_sum(const struct xds_report *report)
{
    return report->impact.sum;
}

const char *xds_report_missing_target(const struct xds_report *report)
{
    const struct xds_options *options = &report->options;

    for (size_t i = 0; i < options->n_reachable_from; i++)
        if (!report->has_target || !report->has_target[i])
            return options->reachable_from[i];
    return NULL;
}
