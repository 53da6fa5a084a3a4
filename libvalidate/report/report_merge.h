/*
 * report_merge.h - what was found in resources one by one, put into one report.
 *
 * A part is a report of its own, made with the same options, in which somebody else looks
 * at some of the resources. Put into the report in the order of the input, they leave it
 * as if they had been looked at there, as long as no limit is reached.
 */
#ifndef XDS_REPORT_REPORT_MERGE_H
#define XDS_REPORT_REPORT_MERGE_H

#include "report/report.h"

/* Make a part of a new report, and empty it for the next resources: what they left in its
 * arena stays there. */
void xds_report_begin_part(struct xds_report *part);

/* Texts that outlive the parts they are in, so that what is in many of them is kept once.
 */
struct xds_texts {
    struct xds_arena arena;
    struct xds_pool pool;
};

void xds_texts_init(struct xds_texts *texts);
void xds_texts_release(struct xds_texts *texts);
/* Change them for those of the part: what is found from now on is kept there. Under no
 * guard. The same call takes them back. */
void xds_report_swap_texts(struct xds_report *part, struct xds_texts *texts);
/* The report owns them from now on. */
void xds_report_adopt_texts(struct xds_report *report, struct xds_texts *texts);

/* All of these must run under a guard of report->arena; texts are shared with the part.
 */

/* Its number in the report; it is the one in work. */
uint32_t xds_report_take_resource(struct xds_report *report,
                                  const struct xds_resource_result *result);
/* A finding about this resource or about none. What is reported once is reported by the
 * first one in the report. */
void xds_report_take(struct xds_report *report, const struct xds_finding *finding,
                     uint32_t resource);
void xds_report_take_repeat(struct xds_report *report, const struct xds_repeat *repeat);

/* The end of a part: the report owns its texts from now on. */
void xds_report_end_part(struct xds_report *report, struct xds_report *part);

#endif
