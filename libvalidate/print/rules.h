/* rules.h - what the listing and the man page of the rules share. */
#ifndef XDS_PRINT_RULES_H
#define XDS_PRINT_RULES_H

#include "catalogue/rule.h"
#include "print/findings.h"

/* All rules by slug. */
void xds_rules_by_slug(const struct xds_rule *list[XDS_RULES]);
/* Who does what: "NACK by grfc, core; accepted by node", or a sentence where no client
 * decides. */
void xds_out_rule_effect(struct xds_out *out, const struct xds_rule *rule);
/* "nack", "skip", "ignore", "hygiene", "syntax". */
const char *xds_effect_name(enum xds_effect effect);
/* Members of a JSON object that is a rule: "rule", "id", "text", "effect", "clients" with
 * the row's verdicts, "source". */
void xds_json_rule(struct xds_out *out, const struct xds_rule *rule);
/* Text as roff reads it back. */
void xds_out_roff(struct xds_out *out, struct xds_slice text);
/* As xds_out_format() for roff. */
void xds_roff_format(struct xds_out *out, const char *format, ...) XDS_PRINTF(2, 3);
/* Sections of xdscope-rules(7): CLIENTS and ENVIRONMENT VARIABLES. */
void xds_out_clients_man(struct xds_out *out);
void xds_out_environment_man(struct xds_out *out);

#endif
