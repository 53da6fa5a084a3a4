/* suppress.h - findings that a comment in the input says are known. */
#ifndef XDS_LINT_SUPPRESS_H
#define XDS_LINT_SUPPRESS_H

#include "report/report.h"

/* Once all findings have their place: mark those that a comment silences, and report what
 * is wrong with the comments. Must run under a guard of report->arena and scratch. */
void xds_suppress(struct xds_report *report, struct xds_arena *scratch);

#endif
