/*
 * rule.c - the table of all rules.
 *
 * Takes:  the .def files named in rule_list.def.
 * Gives:  static rows, by enum, by slug and sorted.
 */
#include "catalogue/rule.h"

#include <stdlib.h>

enum { A = XDS_ACCEPT, I = XDS_IGNORE, S = XDS_SKIP, N = XDS_NACK };

#define V(grfc, core, go, java, node)                                                    \
    {                                                                                    \
        grfc, core, go, java, node                                                       \
    }
#define MAX2(a, b) ((a) > (b) ? (a) : (b))

static const struct xds_rule rows[XDS_RULES] = {
#define XDS_RULE(id, slug, verdicts, source, text)                                       \
    [XDS_R_##id] = {#id, slug, source, text, XDS_EFFECT_NACK, XDS_LEVEL_ERROR, verdicts},
#define XDS_CHECK(id, slug, level, source, text)                                         \
    [XDS_R_##id] = {#id,  slug, source, text, XDS_EFFECT_HYGIENE, XDS_LEVEL_##level,     \
                    {0}},
#define XDS_SYNTAX(id, slug, source, text)                                               \
    [XDS_R_##id] = {#id,  slug, source, text, XDS_EFFECT_SYNTAX, XDS_LEVEL_ERROR,        \
                    V(N, N, N, N, N)},
#include "catalogue/rule_list.def"
#undef XDS_RULE
#undef XDS_CHECK
#undef XDS_SYNTAX
};
