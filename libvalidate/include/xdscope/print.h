/* print.h - findings, decisions, configs, rules and logs as text. */
#ifndef XDSCOPE_PRINT_H
#define XDSCOPE_PRINT_H

#include "config.h"
#include "diff.h"
#include "explain.h"
#include "report.h"
#include "server.h"
#include "simulate.h"
#include "suite.h"

/* Where printed text goes: returns false when it cannot be written, then printing stops.
 */
typedef bool (*xds_write_fn)(void *user, const char *data, size_t len);

/* How much of a line an excerpt can need, in bytes. */
#define XDS_LINE_PART 1024

/* The text of one line of an input file, for the excerpt below a finding. *out is what
 * the file holds from a column of the line on, without the line's end; nothing after
 * XDS_LINE_PART bytes is looked at. It lives until the next call. Any bytes may be in
 * it: they are made safe for a terminal when they are printed. False when there is
 * nothing to show. file is named as xds_report_file() does; within one file and
 * one level of findings lines mostly go forward. */
typedef bool (*xds_line_fn)(void *user, struct xds_slice file, uint32_t line,
                            uint32_t column, struct xds_slice *out);

struct xds_printer {
    xds_write_fn write;
    void *user;
    bool color;
    bool verbose;
    bool quiet;       /* only the summary line of text formats is left out */
    bool one_line;    /* JSON on one line, for JSON lines */
    xds_line_fn line; /* NULL: findings are printed without excerpts */
    void *line_user;
    const char *const *command; /* its words up to NULL, for HTML pages; NULL: none */
    /* Of the terminal: excerpts, charts and the pages of explain and of servers fit in
     * them, other text where a struct xds_fold is between. 0: there is no terminal. */
    size_t columns;
};

/* Text for people in lines that fit a terminal. The printer breaks longer lines at
 * blanks, and indents the rest of them; a command to paste, from the word xdscope on,
 * stays whole, as does a word that is too long. The caller frees it, which writes what is
 * left of an open line. `to` is copied, its columns are the limit. NULL: no memory. */
struct xds_fold;
XDS_API struct xds_fold *xds_fold_new(const struct xds_printer *to);
XDS_API struct xds_printer xds_fold_printer(struct xds_fold *fold);
/* XDS_ERR_IO: the last word could not be written. NULL is allowed. */
XDS_API enum xds_status xds_fold_free(struct xds_fold *fold);

/* Print text from outside on one line. Characters that drive a terminal, do not show or
 * turn the direction of text become escapes, and so do bytes that are not UTF-8. All that
 * is printed as text is escaped in this way. */
XDS_API XDS_MUST_USE enum xds_status xds_print_clean(const struct xds_printer *to,
                                                     struct xds_slice text);

/* An HTML page of several parts, which are printed in between: that of command NAME. */
XDS_API XDS_MUST_USE enum xds_status
xds_print_page_begin(const struct xds_printer *to, const char *name, const char *heading);
XDS_API XDS_MUST_USE enum xds_status xds_print_page_end(const struct xds_printer *to);

/* The command of the printer once more, with this option in place of what it has of it:
 * a line to paste. Credentials in it are asterisks. */
XDS_API XDS_MUST_USE enum xds_status xds_print_command_with(const struct xds_printer *to,
                                                            const char *option,
                                                            struct xds_slice value);

/* All return XDS_ERR_IO when write failed, XDS_ERR_NO_MEMORY, or XDS_OK. */
XDS_API XDS_MUST_USE enum xds_status
xds_print_findings_text(const struct xds_printer *to, const struct xds_report *report);
XDS_API XDS_MUST_USE enum xds_status
xds_print_findings_gcc(const struct xds_printer *to, const struct xds_report *report);
/* Who does what about one finding, without a line break: "NACK by go@1.64.1, java;
 * accepted by core, node". */
XDS_API XDS_MUST_USE enum xds_status
xds_print_verdicts(const struct xds_printer *to, const struct xds_report *report,
                   const struct xds_finding *finding);
/* As SARIF 2.1.0, GitHub's workflow commands, GitLab's report of code quality,
 * reviewdog's rdjson, JUnit's and Checkstyle's XML. */
XDS_API XDS_MUST_USE enum xds_status
xds_print_findings_sarif(const struct xds_printer *to, const struct xds_report *report);
XDS_API XDS_MUST_USE enum xds_status
xds_print_findings_github(const struct xds_printer *to, const struct xds_report *report);
XDS_API XDS_MUST_USE enum xds_status
xds_print_findings_gitlab(const struct xds_printer *to, const struct xds_report *report);
XDS_API XDS_MUST_USE enum xds_status
xds_print_findings_rdjson(const struct xds_printer *to, const struct xds_report *report);
XDS_API XDS_MUST_USE enum xds_status
xds_print_findings_junit(const struct xds_printer *to, const struct xds_report *report);
XDS_API XDS_MUST_USE enum xds_status
xds_print_findings_checkstyle(const struct xds_printer *to,
                              const struct xds_report *report);
XDS_API XDS_MUST_USE enum xds_status
xds_print_findings_json(const struct xds_printer *to, const struct xds_report *report);
/* The same of a line of a stream, which is named in front: one JSON document on one line.
 */
XDS_API XDS_MUST_USE enum xds_status xds_print_line_json(const struct xds_printer *to,
                                                         const struct xds_report *report,
                                                         const struct xds_line *line);
/* How often each rule was found, the most frequent first: instead of the findings. */
XDS_API XDS_MUST_USE enum xds_status
xds_print_statistics_text(const struct xds_printer *to, const struct xds_report *report);
XDS_API XDS_MUST_USE enum xds_status
xds_print_statistics_json(const struct xds_printer *to, const struct xds_report *report);
/* As a page, grouped by rule. */
XDS_API XDS_MUST_USE enum xds_status
xds_print_findings_html(const struct xds_printer *to, const struct xds_report *report);
/* The findings of the sorted report as a baseline, see xds_report_apply_baseline(). */
XDS_API XDS_MUST_USE enum xds_status xds_print_baseline(const struct xds_printer *to,
                                                        const struct xds_report *report);
XDS_API XDS_MUST_USE enum xds_status
xds_print_decision_text(const struct xds_printer *to,
                        const struct xds_decision *decision);
XDS_API XDS_MUST_USE enum xds_status
xds_print_decision_json(const struct xds_printer *to,
                        const struct xds_decision *decision);
/* A Graphviz digraph. */
XDS_API XDS_MUST_USE enum xds_status
xds_print_decision_dot(const struct xds_printer *to, const struct xds_decision *decision);
/* A page for a browser, which needs nothing else, as are all HTML pages here. */
XDS_API XDS_MUST_USE enum xds_status
xds_print_decision_html(const struct xds_printer *to,
                        const struct xds_decision *decision);
/* What a server does to an RPC. */
XDS_API XDS_MUST_USE enum xds_status
xds_print_served_text(const struct xds_printer *to, const struct xds_served *served);
XDS_API XDS_MUST_USE enum xds_status
xds_print_served_json(const struct xds_printer *to, const struct xds_served *served);
/* A Graphviz digraph. */
XDS_API XDS_MUST_USE enum xds_status
xds_print_served_dot(const struct xds_printer *to, const struct xds_served *served);
XDS_API XDS_MUST_USE enum xds_status
xds_print_served_html(const struct xds_printer *to, const struct xds_served *served);
/* Both ends of an RPC. */
XDS_API XDS_MUST_USE enum xds_status xds_print_joint_text(const struct xds_printer *to,
                                                          const struct xds_joint *joint);
XDS_API XDS_MUST_USE enum xds_status xds_print_joint_json(const struct xds_printer *to,
                                                          const struct xds_joint *joint);
XDS_API XDS_MUST_USE enum xds_status xds_print_joint_html(const struct xds_printer *to,
                                                          const struct xds_joint *joint);
/* The config as JSON; on one line where the printer says so. */
XDS_API XDS_MUST_USE enum xds_status
xds_print_config_json(const struct xds_printer *to, const struct xds_config *config);
/* A tree of policies with a sentence on each, and what routes give their RPCs. */
XDS_API XDS_MUST_USE enum xds_status
xds_print_config_text(const struct xds_printer *to, const struct xds_config *config);
/* The same, as a part of a page. */
XDS_API XDS_MUST_USE enum xds_status
xds_print_config_html(const struct xds_printer *to, const struct xds_config *config);
/* The same tree for Graphviz. */
XDS_API XDS_MUST_USE enum xds_status
xds_print_config_dot(const struct xds_printer *to, const struct xds_config *config);
/* Several of them in one graph, each with a number of its own from 1 on. */
XDS_API XDS_MUST_USE enum xds_status
xds_print_config_dot_begin(const struct xds_printer *to);
XDS_API XDS_MUST_USE enum xds_status
xds_print_config_dot_part(const struct xds_printer *to, const struct xds_config *config,
                          size_t part);
XDS_API XDS_MUST_USE enum xds_status
xds_print_config_dot_end(const struct xds_printer *to);
/* What differs between two snapshots and what that does to RPCs: a page, or one JSON
 * document. */
XDS_API XDS_MUST_USE enum xds_status xds_print_diff_text(const struct xds_printer *to,
                                                         const struct xds_diff *diff);
/* The same as lines that make sense alone: one for each resource, each kind of requests
 * and of sessions, each verdict. None without a difference. */
XDS_API XDS_MUST_USE enum xds_status xds_print_diff_lines(const struct xds_printer *to,
                                                          const struct xds_diff *diff);
XDS_API XDS_MUST_USE enum xds_status xds_print_diff_html(const struct xds_printer *to,
                                                         const struct xds_diff *diff);
XDS_API XDS_MUST_USE enum xds_status xds_print_diff_json(const struct xds_printer *to,
                                                         const struct xds_diff *diff);
/* What of a snapshot is shown, and as whom it is read. */
struct xds_snapshot_view {
    enum xds_client client;
    unsigned tables; /* instead of the tree: a mask of 1u << XDS_TYPE_LISTENER and so on;
                        in JSON only these lists */
    const char *const *names; /* with "*" for any text; none: everything */
    size_t n_names;
};

/* All that is in a snapshot and what leads to what: the check was made with keep and has
 * seen all resources. As a tree or tables, a page, one JSON document, and a Graphviz
 * digraph, which shows the whole. */
XDS_API XDS_MUST_USE enum xds_status
xds_print_snapshot_text(const struct xds_printer *to, struct xds_check *check,
                        const struct xds_snapshot_view *view);
XDS_API XDS_MUST_USE enum xds_status
xds_print_snapshot_html(const struct xds_printer *to, struct xds_check *check,
                        const struct xds_snapshot_view *view);
XDS_API XDS_MUST_USE enum xds_status
xds_print_snapshot_json(const struct xds_printer *to, struct xds_check *check,
                        const struct xds_snapshot_view *view);
XDS_API XDS_MUST_USE enum xds_status
xds_print_snapshot_dot(const struct xds_printer *to, struct xds_check *check,
                       const struct xds_snapshot_view *view);
/* The same as names alone, one a line: of endpoints the addresses, if view->tables asks
 * for them. */
XDS_API XDS_MUST_USE enum xds_status
xds_print_snapshot_names(const struct xds_printer *to, struct xds_check *check,
                         const struct xds_snapshot_view *view);
/* Play everything and tell each step with its reasons, what differs from what was
 * expected, and a chart of who served when. */
XDS_API XDS_MUST_USE enum xds_status
xds_print_simulation_text(const struct xds_printer *to,
                          struct xds_simulation *simulation);
XDS_API XDS_MUST_USE enum xds_status
xds_print_simulation_html(const struct xds_printer *to,
                          struct xds_simulation *simulation);
/* The same as one JSON document, written while it is played. */
XDS_API XDS_MUST_USE enum xds_status
xds_print_simulation_json(const struct xds_printer *to,
                          struct xds_simulation *simulation);
/* The policies as they are in the end, a Graphviz digraph for each scenario. */
XDS_API XDS_MUST_USE enum xds_status
xds_print_simulation_dot(const struct xds_printer *to, struct xds_simulation *simulation);
/* Which part of the results of a suite is wanted. */
struct xds_suite_view {
    bool only_failures; /* in text and JSON; the others need all for their counts */
    bool coverage;
    bool has_limit;
    double limit; /* coverage below this many percent is a failure */
};

/* Each case, what differs in those that failed, what is not covered, and the counts. */
XDS_API XDS_MUST_USE enum xds_status
xds_print_suite_text(const struct xds_printer *to,
                     const struct xds_suite_results *results,
                     const struct xds_suite_view *view);
XDS_API XDS_MUST_USE enum xds_status
xds_print_suite_html(const struct xds_printer *to,
                     const struct xds_suite_results *results,
                     const struct xds_suite_view *view);
XDS_API XDS_MUST_USE enum xds_status
xds_print_suite_json(const struct xds_printer *to,
                     const struct xds_suite_results *results,
                     const struct xds_suite_view *view);
/* JUnit's XML: a testsuite for each file, a testcase for each case. */
XDS_API XDS_MUST_USE enum xds_status
xds_print_suite_junit(const struct xds_printer *to,
                      const struct xds_suite_results *results,
                      const struct xds_suite_view *view);
/* The Test Anything Protocol, version 13. */
XDS_API XDS_MUST_USE enum xds_status
xds_print_suite_tap(const struct xds_printer *to, const struct xds_suite_results *results,
                    const struct xds_suite_view *view);
/* The routes of all route configurations, and which of them the cases take, as a page. */
XDS_API XDS_MUST_USE enum xds_status
xds_print_coverage_html(const struct xds_printer *to,
                        const struct xds_suite_results *results);
/* One rule in full. */
XDS_API XDS_MUST_USE enum xds_status xds_print_rule(const struct xds_printer *to,
                                                    const struct xds_rule *rule);
/* A line for each rule that has the words: without words, for all. */
XDS_API XDS_MUST_USE enum xds_status xds_print_rules(const struct xds_printer *to,
                                                     struct xds_words words);
/* One rule, with the rows of the spec that it cites, as Markdown: for editors. */
XDS_API XDS_MUST_USE enum xds_status xds_print_rule_markdown(const struct xds_printer *to,
                                                             const struct xds_rule *rule);
/* The same as JSON documents. */
XDS_API XDS_MUST_USE enum xds_status xds_print_rule_json(const struct xds_printer *to,
                                                         const struct xds_rule *rule);
XDS_API XDS_MUST_USE enum xds_status xds_print_rules_json(const struct xds_printer *to,
                                                          struct xds_words words);
/* A row of the spec; a section with its text and rows; a page with its sections. */
XDS_API XDS_MUST_USE enum xds_status xds_print_spec(const struct xds_printer *to,
                                                    const struct xds_spec *spec);
/* The same as one JSON document; that of a page has all its sections. */
XDS_API XDS_MUST_USE enum xds_status xds_print_spec_json(const struct xds_printer *to,
                                                         const struct xds_spec *spec);
/* A document: its statements, the cases that hold them, who does so, and who does not. */
XDS_API XDS_MUST_USE enum xds_status xds_print_document(const struct xds_printer *to,
                                                        const struct xds_grfc *document);
XDS_API XDS_MUST_USE enum xds_status
xds_print_document_json(const struct xds_printer *to, const struct xds_grfc *document);
/* Why an RPC fails, with the words of all clients; the JSON form is one document. */
XDS_API XDS_MUST_USE enum xds_status
xds_print_failure(const struct xds_printer *to, const struct xds_rpc_failure *failure);
XDS_API XDS_MUST_USE enum xds_status
xds_print_failure_json(const struct xds_printer *to,
                       const struct xds_rpc_failure *failure);
/* The errors of a log, each with its rules; the JSON form is one document. */
XDS_API XDS_MUST_USE enum xds_status xds_print_log_text(const struct xds_printer *to,
                                                        const struct xds_log *log);
XDS_API XDS_MUST_USE enum xds_status xds_print_log_json(const struct xds_printer *to,
                                                        const struct xds_log *log);
/* xdscope-rules(7) as mdoc/man source. */
XDS_API XDS_MUST_USE enum xds_status xds_print_rules_man(const struct xds_printer *to);

#endif
