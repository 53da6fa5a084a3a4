/*
 * answers.c - what is asked of a report: its findings, resources and files, and their
 * sums.
 */
#include "report/report.h"

size_t xds_report_findings(const struct xds_report *report)
{
    return report->n_findings;
}

const struct xds_finding *xds_report_finding(const struct xds_report *report, size_t i)
{
    return i < report->n_findings ? &report->findings[i] : NULL;
}

const struct xds_finding *xds_report_suppressed(const struct xds_report *report, size_t i)
{
    const size_t first = report->n_findings + report->n_hidden;

    return i < report->n_suppressed ? &report->findings[first + i] : NULL;
}

size_t xds_report_resources(const struct xds_report *report)
{
    return report->n_resources;
}

const struct xds_resource_result *xds_report_resource(const struct xds_report *report,
                                                      size_t i)
{
    return i < report->n_resources ? &report->resources[i] : NULL;
}

struct xds_slice xds_report_file(const struct xds_report *report, uint32_t file)
{
    return file < report->files.n ? report->files.names[file] : XDS_S("");
}

const struct xds_options *xds_report_options(const struct xds_report *report)
{
    return &report->options;
}

struct xds_summary xds_report_summary(const struct xds_report *report)
{
    struct xds_summary sum = {.resources = report->n_resources,
                              .dropped = report->dropped,
                              .suppressed = report->n_suppressed};

    for (size_t i = 0; i < report->n_resources; i++) {
        const struct xds_resource_result *r = &report->resources[i];

        if (xds_result_is_bootstrap(r)) {
            sum.bootstraps++;
            sum.refused_bootstraps += (r->nacked_by & report->options.clients) != 0;
            sum.killing_bootstraps += (r->crashed_by & report->options.clients) != 0;
            continue;
        }
        sum.unjudged += r->unjudged != XDS_JUDGED;
        sum.crashing += (r->crashed_by & report->options.clients) != 0;
        sum.nacked += !r->unreadable && (r->nacked_by & report->options.clients) != 0;
        sum.unreadable += r->unreadable;
    }
    sum.resources -= sum.unjudged + sum.bootstraps;
    for (size_t i = 0; i < report->n_findings; i++) {
        switch (report->findings[i].level) {
        case XDS_LEVEL_ERROR:
            sum.errors++;
            break;
        case XDS_LEVEL_WARNING:
            sum.warnings++;
            break;
        case XDS_LEVEL_NOTE:
            sum.notes++;
            break;
        }
    }
    return sum;
}

/* ---- words ---- */

const char *xds_unjudged_reason(enum xds_unjudged unjudged)
{
    static const char *const reasons[] = {
        [XDS_JUDGED] = NULL,
        [XDS_UNJUDGED_FOR_OTHERS] = "for Envoy or servers",
        [XDS_UNJUDGED_FOR_CLIENTS] = "for clients",
        [XDS_UNJUDGED_UNREACHED] = "not reached from a target",
    };

    return reasons[unjudged];
}
