/* verdicts.c - what one of the readers of a report does about what was found. */
#include "report/report.h"

enum xds_verdict xds_rule_verdict(const struct xds_rule *rule, enum xds_client client)
{
    const unsigned all = (1u << XDS_VERDICT_BITS) - 1;
    unsigned verdicts = (unsigned)(rule->verdicts >> XDS_VERDICT_BITS * client) & all;

    if (!verdicts)
        verdicts = (unsigned)rule->verdicts & all;
    for (enum xds_verdict v = XDS_CRASH; v > XDS_ACCEPT; v--)
        if (verdicts >> v & 1u)
            return v;
    return XDS_ACCEPT;
}

xds_readers xds_report_reader(const struct xds_report *report,
                              struct xds_client_release who)
{
    size_t best = who.client;

    for (size_t i = 0; i < report->readers.n && who.release.major != 0; i++)
        if (report->readers.at[i].client == who.client &&
            !xds_release_is_before(report->readers.at[i].release, who.release) &&
            xds_release_is_before(report->readers.at[i].release,
                                  report->readers.at[best].release))
            best = i;
    return (xds_readers)1 << best;
}

enum xds_verdict xds_finding_verdict(const struct xds_report *report,
                                     const struct xds_finding *finding,
                                     struct xds_client_release who)
{
    const xds_readers reader = xds_report_reader(report, who);
    enum xds_verdict verdict = XDS_ACCEPT;

    if (!finding->releases)
        return (enum xds_verdict)finding->verdict[who.client];
    for (enum xds_verdict v = XDS_IGNORE; v <= XDS_CRASH; v++)
        if (finding->releases->of[v] & reader)
            verdict = v;
    return verdict;
}

enum xds_verdict xds_resource_verdict(const struct xds_report *report,
                                      const struct xds_resource_result *resource,
                                      struct xds_client_release who)
{
    const xds_readers reader = xds_report_reader(report, who);

    if (resource->crashing & reader)
        return XDS_CRASH;
    if (resource->nacking & reader)
        return XDS_NACK;
    return resource->dying & reader ? XDS_CRASH : XDS_ACCEPT;
}
