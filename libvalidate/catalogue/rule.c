/*
 * rule.c - the table of all rules.
 *
 * Takes:  the .def files named in rule_list.def.
 * Gives:  static rows, by enum or by name.
 */
#include "catalogue/rule.h"

enum { A = XDS_ACCEPT, I = XDS_IGNORE, S = XDS_SKIP, N = XDS_NACK };

#define V(grfc, core, go, java, node) grfc, core, go, java, node
/* The worst that any client does; the enums are in this order. */
#define WORST2(a, b) ((a) > (b) ? (a) : (b))
#define WORST(a, b, c, d, e) WORST2(a, WORST2(b, WORST2(c, WORST2(d, e))))
#define EFFECT(worst)                                                                    \
    ((worst) == N ? XDS_EFFECT_NACK : (worst) == S ? XDS_EFFECT_SKIP : XDS_EFFECT_IGNORE)
#define EFFECT_OF(...) EFFECT(WORST(__VA_ARGS__))

static const struct xds_rule rows[XDS_RULES] = {
#define XDS_RULE(id, slug, verdicts, source, text)                                       \
    [XDS_R_##id] = {#id,       slug, source, text, EFFECT_OF(verdicts), XDS_LEVEL_ERROR, \
                    {verdicts}},
#define XDS_CHECK(id, slug, level, source, text)                                         \
    [XDS_R_##id] = {#id, slug, source, text, XDS_EFFECT_HYGIENE, XDS_LEVEL_##level, {0}},
#define XDS_SYNTAX(id, slug, source, text)                                               \
    [XDS_R_##id] = {                                                                     \
        #id, slug, source, text, XDS_EFFECT_SYNTAX, XDS_LEVEL_ERROR, {N, N, N, N, N}},
#include "catalogue/rule_list.def"
#undef XDS_RULE
#undef XDS_CHECK
#undef XDS_SYNTAX
};

const struct xds_rule *xds_rule_row(enum xds_rule_id id)
{
    return &rows[id];
}

const struct xds_rule *xds_rules(size_t *count)
{
    *count = XDS_RULES;
    return rows;
}

const struct xds_rule *xds_rule_find(struct xds_slice name, const char **hint)
{
    size_t best = 6; /* edits that still look like a slip */

    *hint = NULL;
    for (size_t i = 0; i < XDS_RULES; i++) {
        if (xds_slice_is(name, rows[i].slug) || xds_slice_is(name, rows[i].id))
            return &rows[i];
        const size_t d = xds_slice_distance(name, xds_slice_of(rows[i].slug), best);
        if (d < best) {
            best = d;
            *hint = rows[i].slug;
        }
    }
    return NULL;
}
