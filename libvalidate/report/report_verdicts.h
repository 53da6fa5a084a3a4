/*
 * report_verdicts.h - who does what about a finding and a resource, for report.c.
 *
 * All of these that take a report, and set something, must run under a guard of its
 * arena.
 */
#ifndef XDS_REPORT_REPORT_VERDICTS_H
#define XDS_REPORT_REPORT_VERDICTS_H

#include "report/report.h"

/* The level for the clients that were asked for: error when one rejects or dies (or the
 * rule is syntax), warning when one skips, the row's level for hygiene, else note. */
enum xds_level xds_report_level(const struct xds_report *report,
                                const struct xds_rule *rule,
                                const struct xds_verdict_sets *verdict);
/* All accept, and the rule is of clients. */
bool xds_nobody_minds(const struct xds_rule *rule,
                      const struct xds_verdict_sets *verdict);
/* What the newest releases do, of readers that may be others. */
struct xds_verdict_sets xds_report_verdicts_of(const struct xds_report *report,
                                               const struct xds_rule *rule);
/* The worst verdict of each client's releases, and of each release where there are
 * several. */
void xds_report_set_verdicts(struct xds_report *report, struct xds_finding *finding,
                             const struct xds_verdict_sets *sets);
/* What is found again, by others. */
void xds_report_add_verdicts(struct xds_report *report, struct xds_finding *then,
                             const struct xds_finding *now);
/* A resource of which this was found. */
void xds_report_judge(struct xds_report *report, uint32_t resource,
                      const struct xds_rule *rule,
                      const struct xds_verdict_sets *verdict);

#endif
