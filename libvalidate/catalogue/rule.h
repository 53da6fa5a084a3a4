/*
 * rule.h - every rule as an enum, and the row behind it.
 *
 * The rows stand in .def files beside the code that fires them; rule_list.def names
 * these files. A row is the enum member, the message, `xdscope rule`, the man page.
 *
 * XDS_RULE(ID, slug, V(grfc, core, go, java, node), source, text)
 *     one letter per client: N = NACK, S = skips the route, filter or entry,
 *     I = ignores the field, A = accepts.
 * XDS_CHECK(ID, slug, LEVEL, source, text)    hygiene; LEVEL is NOTE or WARNING
 * XDS_SYNTAX(ID, slug, source, text)          not xDS at all: an error for everybody
 */
#ifndef XDS_CATALOGUE_RULE_H
#define XDS_CATALOGUE_RULE_H

#include "base/report.h"

enum xds_rule_id {
#define XDS_RULE(id, slug, verdicts, source, text) XDS_R_##id,
#define XDS_CHECK(id, slug, level, source, text) XDS_R_##id,
#define XDS_SYNTAX(id, slug, source, text) XDS_R_##id,
#include "catalogue/rule_list.def"
#undef XDS_RULE
#undef XDS_CHECK
#undef XDS_SYNTAX
    XDS_RULES
};

const struct xds_rule *xds_rule_row(enum xds_rule_id id);

#endif
