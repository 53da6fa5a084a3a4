/* findings.h - what the formats of findings share: places, causes, verdicts, summaries.
 */
#ifndef XDS_PRINT_FINDINGS_FINDINGS_H
#define XDS_PRINT_FINDINGS_FINDINGS_H

#include "base/strmap.h"
#include "catalogue/rule.h"
#include "print/write/out.h"
#include "report/report.h"

/* Where the finding is; 1:1 when no place is known, so that it can be clicked. */
struct xds_place xds_place_or_start(struct xds_place place);
/* A file name without "./" in front, as tools that know the root of a tree want it. */
struct xds_slice xds_file_from_root(struct xds_slice file);
/* The last part of a full type name: "RouteConfiguration". */
struct xds_slice xds_type_short(struct xds_slice type);
/* The resource that the finding is about; NULL when there is none. */
const struct xds_resource_result *xds_finding_resource(const struct xds_report *report,
                                                       const struct xds_finding *finding);
/* Of what it is that something was found. */
struct xds_where {
    struct xds_place at;
    uint32_t resource; /* or XDS_NO_RESOURCE */
    struct xds_slice path;
};

struct xds_where xds_where_of(const struct xds_finding *finding);
struct xds_where xds_where_related(const struct xds_related *related);
/* The version that the control plane gave it, as far as a dump says so; may be empty. */
struct xds_slice xds_version_of(const struct xds_resource_result *resource);
/* "file:line:column: level: message [slug]" and a line break; what a server has sent has
 * its resource and path in place of line and column. */
void xds_out_finding_line(struct xds_out *out, const struct xds_report *report,
                          const struct xds_finding *finding);

/* "file:line:column: note: message" of the other place that a finding speaks of, and a
 * line break; nothing when there is none. */
void xds_out_related_line(struct xds_out *out, const struct xds_report *report,
                          const struct xds_finding *finding);

/* The member that says what was found, and of which resource by which clients. */
void xds_json_key_message(struct xds_out *out, const char *key,
                          const struct xds_report *report,
                          const struct xds_finding *finding);
/* Of rule, resource and path: the same before and after lines are added above. given:
 * those of the findings before, by their bytes. */
struct xds_short_text xds_fingerprint(struct xds_strmap *given,
                                      const struct xds_report *report,
                                      const struct xds_finding *finding);

/* "core, go": the clients of a mask. */
void xds_out_clients(struct xds_out *out, unsigned clients);
/* The same for people: "all clients", "the documents only". */
void xds_out_people(struct xds_out *out, unsigned clients);
/* "NACK by grfc, core; accepted by node": of a rule, by the newest releases; of a
 * finding, by the releases that were asked for. */
void xds_out_rule_verdicts(struct xds_out *out, const struct xds_rule *rule);
/* Clients at releases, in the order of xds_options_asked(), and those of them that
 * something is said of. */
struct xds_reader_list {
    size_t n;
    bool all; /* it is said of each */
    struct xds_client_release who[XDS_RELEASES + XDS_CLIENTS];
    bool in[XDS_RELEASES + XDS_CLIENTS];
};

struct xds_reader_name {
    char text[64]; /* "go@1.60.1..1.68.1" of releases without a known one between them */
};

/* The documents are no client: a text for people lists them where they were asked for by
 * name, or where it says all. */
bool xds_names_documents(const struct xds_out *out, const struct xds_report *report);
/* Those that were asked for, as such a text lists them; in[] is left to the caller. */
void xds_readers_asked(const struct xds_out *out, const struct xds_report *report,
                       struct xds_reader_list *list);
/* The next name from *at on; false after the last one. */
bool xds_readers_next(const struct xds_reader_list *list, size_t *at,
                      struct xds_reader_name *name);
/* "core@1.53.2, go and java"; last: what comes before the last of several. */
void xds_out_readers(struct xds_out *out, const struct xds_reader_list *list,
                     const char *last);
/* What goes before clients with this verdict: "NACK by ". */
const char *xds_verdict_words(enum xds_verdict verdict);
void xds_out_verdicts(struct xds_out *out, const struct xds_report *report,
                      const struct xds_finding *finding);

/* A finding, and where in the report the first one of its cause is. */
struct xds_caused {
    const struct xds_finding *finding;
    size_t first;
};

/* All findings of the report, errors first, those of one cause in a row. Must run under a
 * guard of arena. */
struct xds_caused *xds_by_cause(struct xds_arena *arena, const struct xds_report *report);
/* How many of the n from here on have the cause of the first one. */
size_t xds_cause_size(const struct xds_caused *list, size_t n);

/* All of them, as lines; what was written before is flushed. */
enum xds_status xds_out_findings(struct xds_out *out, const struct xds_report *report);

/* A folder of which each is a snapshot, and what is in it; n of them, in the order of the
 * input. */
struct xds_folder {
    struct xds_slice path;
    struct xds_summary sum;
};

struct xds_folder *xds_folders_of(struct xds_arena *arena,
                                  const struct xds_report *report, size_t *n);
/* How many resources are not judged, and why: a line for each reason. */
void xds_out_unjudged(struct xds_out *out, struct xds_arena *arena,
                      const struct xds_report *report);
/* What depends on a rejected resource, and on all of them: a line. */
void xds_out_impact(struct xds_out *out, const struct xds_report *report,
                    uint32_t resource);
void xds_out_impact_sum(struct xds_out *out, const struct xds_report *report);
void xds_out_folder(struct xds_out *out, struct xds_arena *arena,
                    const struct xds_report *report, const struct xds_folder *folder);
/* "1 of 2 resources would be rejected by go: 1 error, 0 warnings, 0 notes" and a line
 * break. Must run under a guard of arena. */
void xds_out_summary(struct xds_out *out, struct xds_arena *arena,
                     const struct xds_report *report);

/* A member of a JSON object: a list of the clients of a mask. */
void xds_json_clients(struct xds_out *out, const char *key, unsigned clients);
/* A member of a document: "summary". */
void xds_json_summary(struct xds_out *out, const struct xds_report *report);
/* A member: pairs of name and value. */
void xds_json_headers(struct xds_out *out, const struct xds_request *request);
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

/* Two lines: "   14 | TEXT" and a caret below the column, with '~' up to the end column
 * if that is on the same line. About 100 columns of a long line are shown. Nothing when
 * the printer has no lines, or not this one. Secrets are shown as asterisks. */
void xds_out_excerpt(struct xds_out *out, struct xds_slice file, struct xds_place at);

#endif
