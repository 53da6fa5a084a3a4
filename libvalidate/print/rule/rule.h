/* rule.h - what the formats of rules, rows of the spec and their history share. */
#ifndef XDS_PRINT_RULE_RULE_H
#define XDS_PRINT_RULE_RULE_H

#include "catalogue/rule.h"
#include "catalogue/spec.h"
#include "catalogue/status.h"
#include "print/write/out.h"

/* All rules by slug. */
void xds_rules_by_slug(const struct xds_rule *list[XDS_RULES]);
/* Who does what: "NACK by grfc, core; accepted by node", or a sentence where no client
 * decides. */
void xds_out_rule_effect(struct xds_out *out, const struct xds_rule *rule);
/* The worst that it may be reported as. */
enum xds_level xds_rule_worst_level(const struct xds_rule *rule);
/* What its verdicts mean for an application: the next sentence from *i on, then NULL. */
const char *xds_rule_consequence(const struct xds_rule *rule, size_t *i);
/* "nack", "skip", "ignore", "hygiene", "syntax". */
const char *xds_effect_name(enum xds_effect effect);
/* Members of a JSON object that is a rule: "rule", "id", "text", "effect", "clients" with
 * the row's verdicts, "source". */
void xds_json_rule(struct xds_out *out, const struct xds_rule *rule);

/* What a row is about, when, and what clients do; of a section its title. Below a rule,
 * so in column 4. */
void xds_out_spec_short(struct xds_out *out, const struct xds_spec *spec);
/* An object: a row, or of a section its id and title. */
void xds_json_spec_short(struct xds_out *out, const struct xds_spec *spec);
/* "history: NACK by go before 1.72; run of ...": what older releases did about a rule. */
void xds_out_rule_history(struct xds_out *out, const struct xds_rule *rule);
void xds_json_rule_history(struct xds_out *out, const struct xds_rule *rule);
/* The variables that guard a rule, who reads them and since when. */
void xds_out_guards(struct xds_out *out, const struct xds_rule *rule);
void xds_json_guard_history(struct xds_out *out, const struct xds_rule *rule);
/* "difference: go reads ... (spec H3)" from a column on, and what older releases did. */
void xds_out_difference(struct xds_out *out, int column, enum xds_difference difference);
/* The same as an object. */
void xds_json_difference(struct xds_out *out, enum xds_difference difference);
/* The statements of documents that are about a row: lines in column 4, and a member. */
void xds_out_statements_of(struct xds_out *out, const struct xds_spec *row);
void xds_json_statements_of(struct xds_out *out, const struct xds_spec *row);
/* Which releases of its speaker say so: " since 1.73", " before 1.78", both, or nothing.
 */
void xds_out_span(struct xds_out *out, const struct xds_status_wording *wording);
/* The members "since" and "before". */
void xds_json_span(struct xds_out *out, const struct xds_status_wording *wording);

#endif
