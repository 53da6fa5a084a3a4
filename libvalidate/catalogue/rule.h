/*
 * rule.h - every rule as an enum, and its row.
 *
 * The rows are in .def files beside the code that fires them; rule_list.def names these
 * files. A row is the enum member, the messages, `xdscope rule`, the man page.
 *
 * XDS_RULE(ID, slug, VERDICTS, .source = ..., .text = ..., .fix = ..., .message = ...,
 *          .core = ..., .field = ...)
 *     VERDICTS: what the documents ask for, and what differs from it: N | CORE(A).
 *     C = dies of it, N = NACK, S = skips the route, filter or entry, I = ignores the
 *     field, A = accepts. .crash says what dies; .crash_in_use: of using what it
 *     accepted, which RBAC is while it is read, and servers are not judged for. .panics:
 * go rejects it by recovery from a panic, and dies without that.
 *
 *     .optional: reported only if asked for.
 *
 * XDS_CHECK(ID, slug, LEVEL, ...)    hygiene; LEVEL is NOTE or WARNING
 *
 * XDS_SYNTAX(ID, slug, ...)          not xDS at all: an error for every client
 *
 * XDS_BEFORE(ID, CLIENT, major, minor, VERDICT, source)
 *     after the row of a rule: what the releases of a client before this one did. Of
 *     several for one client the oldest release comes first.
 *
 * .message is what a finding says, .core what C-core says in its NACK, see
 * xds_rule_words(), .core_says whether it says that beside others; .edit is how lint
 * --fix corrects it; .field is the field below the path at which the rule is fired.
 */
#ifndef XDS_CATALOGUE_RULE_H
#define XDS_CATALOGUE_RULE_H

#include "base/slice.h"
#include "clients/readers.h"
#include "report/report.h"

enum xds_rule_id {
#define XDS_RULE(id, ...) XDS_R_##id,
#define XDS_CHECK(id, ...) XDS_R_##id,
#define XDS_SYNTAX(id, ...) XDS_R_##id,
#define XDS_BEFORE(id, ...)
#include "catalogue/rule_list.def"
#undef XDS_RULE
#undef XDS_CHECK
#undef XDS_SYNTAX
#undef XDS_BEFORE
    XDS_RULES
};

/* What releases of a client before one did, where that was something else. */
struct xds_rule_before {
    enum xds_rule_id rule;
    enum xds_client client;
    struct xds_release release;
    enum xds_verdict verdict;
    const char *source;
};

const struct xds_rule *xds_rule_row(enum xds_rule_id id);

/* The rows of XDS_BEFORE, n of them. */
const struct xds_rule_before *xds_rule_history(size_t *n);

/* What a client at a known release does about a rule. */
enum xds_verdict xds_rule_verdict_at(enum xds_rule_id id,
                                     const struct xds_client_release *reader);

/* Who of a run reads, and what they do about each rule. */
struct xds_judges {
    struct xds_panel panel;
    bool has_older; /* else the rows say what they do */
    struct xds_verdict_sets of_rule[XDS_RULES];
    xds_readers mortal; /* those that some rule kills while they read a resource */
};

/* Those that the options of the report ask for, who are then known to it: it borrows
 * judges for as long as resources are checked. False when they are too many, see
 * xds_panel_init(). */
bool xds_judges_init(struct xds_judges *judges, struct xds_report *report);
/* The same judges report to another report of the same options. */
void xds_judges_attach(const struct xds_judges *judges, struct xds_report *report);

/* The holes of a template filled: {field} is `field`, {1} to {4} are the values. */
struct xds_slice xds_rule_words(struct xds_arena *arena, const char *words,
                                struct xds_slice field, const struct xds_slice values[]);

/* The next variable of a rule from *i on; *i moves after it. False after the last. */
bool xds_rule_guard(const struct xds_rule *rule, size_t *i, enum xds_env *env);

/* Is each word in one of the texts, whatever its case? A text may be NULL. */
bool xds_texts_have(const char *const *texts, size_t n, struct xds_words words);

#endif
