/* findings.h - what all formats of findings share. */
#ifndef XDS_PRINT_FINDINGS_H
#define XDS_PRINT_FINDINGS_H

#include "report/report.h"
#include "print/out.h"

/* Where the finding is; 1:1 when no place is known, so that it can be clicked. */
struct xds_place xds_place_or_start(struct xds_place place);
/* A file name without "./" in front, as tools that know the root of a tree want it. */
struct xds_slice xds_file_from_root(struct xds_slice file);
/* The last part of a full type name: "RouteConfiguration". */
struct xds_slice xds_type_short(struct xds_slice type);
/* The resource that the finding is about; NULL when there is none. */
const struct xds_resource_result *xds_finding_resource(const struct xds_report *report,
                                                       const struct xds_finding *finding);
/* "file:line:column: " */
void xds_out_place(struct xds_out *out, struct xds_slice file, uint32_t line,
                   uint32_t column);
/* "file:line:column: level: message [slug]" and a line break. */
void xds_out_finding_line(struct xds_out *out, const struct xds_report *report,
                          const struct xds_finding *finding);

/* "file:line:column: note: message" of the other place that a finding speaks of, and a
 * line break; nothing when there is none. */
void xds_out_related_line(struct xds_out *out, const struct xds_report *report,
                          const struct xds_finding *finding);

/* "core, go": the clients of a mask. */
void xds_out_clients(struct xds_out *out, unsigned clients);
/* "NACK by grfc, core; accepted by node": of a rule, by the newest releases; of a
 * finding, by the releases that were asked for. */
void xds_out_rule_verdicts(struct xds_out *out, const struct xds_rule *rule);
/* What goes before clients with this verdict: "NACK by ". */
const char *xds_verdict_words(enum xds_verdict verdict);
void xds_out_verdicts(struct xds_out *out, const struct xds_report *report,
                      const struct xds_finding *finding);

/* "1 error, 0 warnings, 0 notes" */
void xds_out_levels(struct xds_out *out, struct xds_summary sum);
/* "1 of 2 resources would be rejected: 1 error, 0 warnings, 0 notes" and a line break. */
void xds_out_summary(struct xds_out *out, struct xds_summary sum);

/* A member of a JSON object: a list of the clients of a mask. */
void xds_json_clients(struct xds_out *out, const char *key, unsigned clients);
/* A member of a document: "summary". */
void xds_json_summary(struct xds_out *out, struct xds_summary sum);
/* An object with rule, place, path and message: of files of our own formats, on which all
 * clients agree. */
void xds_json_brief_finding(struct xds_out *out, const struct xds_report *report,
                            const struct xds_finding *finding);
/* Members of JSON objects: "tool" of a document; "clients": who was asked for, or with a
 * verdict for each, as above; of a resource also "verdict". */
void xds_json_tool(struct xds_out *out);
void xds_json_asked(struct xds_out *out, const struct xds_options *options);
void xds_json_rule_verdicts(struct xds_out *out, const struct xds_rule *rule);
void xds_json_verdicts(struct xds_out *out, const struct xds_report *report,
                       const struct xds_finding *finding);
void xds_json_resource_verdicts(struct xds_out *out, const struct xds_report *report,
                                const struct xds_resource_result *resource);

#endif
