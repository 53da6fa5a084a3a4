/* verdicts.c - clients that reject, or die of, what they had accepted, and the reverse.
 */
#include "base/limits.h"
#include "diff/diff.h"

struct rules {
    struct xds_diff *diff;
    uint32_t resource[XDS_SIDES];
    unsigned
        clients[XDS_SIDES]; /* that reject it or die on this side, not on the other */
    struct xds_verdict_change *out;
};

static bool rejects(const struct xds_finding *finding, unsigned clients)
{
    for (unsigned c = 0; c < XDS_CLIENTS; c++)
        if ((clients & XDS_CLIENT_BIT(c)) && finding->verdict[c] >= XDS_NACK)
            return true;
    return finding->rule->effect == XDS_EFFECT_SYNTAX && clients;
}

static bool is_listed(const struct xds_verdict_change *out, const struct xds_rule *rule,
                      enum xds_side side)
{
    for (size_t i = 0; i < out->n_rules; i++)
        if (out->rules[i].rule == rule && out->rules[i].side == side)
            return true;
    return false;
}

static void list_rules(struct rules *r, enum xds_side side)
{
    const struct xds_report *report = r->diff->side[side].report;

    for (size_t i = 0; i < report->n_findings; i++) {
        const struct xds_finding *finding = &report->findings[i];

        if (finding->resource != r->resource[side] ||
            !rejects(finding, r->clients[side]) || is_listed(r->out, finding->rule, side))
            continue;
        struct xds_rule_change *more =
            XDS_NEW_ARRAY(&r->diff->arena, struct xds_rule_change, r->out->n_rules + 1);
        if (r->out->n_rules > 0)
            memcpy(more, r->out->rules, r->out->n_rules * sizeof *more);
        more[r->out->n_rules++] = (struct xds_rule_change){finding->rule, side, *finding};
        r->out->rules = more;
    }
}

/* NULL when enough are listed. */
static struct xds_verdict_change *add(struct xds_diff *diff)
{
    if (!diff->verdicts)
        diff->verdicts =
            XDS_NEW_ARRAY(&diff->arena, struct xds_verdict_change, XDS_MAX_DIFF_KINDS);
    if (diff->n_verdicts == XDS_MAX_DIFF_KINDS) {
        diff->n_more_verdicts++;
        return NULL;
    }
    return &diff->verdicts[diff->n_verdicts++];
}

/* old: XDS_NO_RESOURCE when the resource is new. */
void xds_diff_verdict(struct xds_diff *diff, uint32_t old, uint32_t now)
{
    const struct xds_resource_result *result =
        xds_report_resource(diff->side[XDS_SIDE_NEW].report, now);
    const struct xds_resource_result *before =
        old == XDS_NO_RESOURCE
            ? NULL
            : xds_report_resource(diff->side[XDS_SIDE_OLD].report, old);
    const unsigned died = before ? before->crashed_by : 0, dying = result->crashed_by;
    const unsigned nacked = before ? before->nacked_by & ~died : 0;
    const unsigned nacking = result->nacked_by & ~dying;
    const struct xds_verdict_change change = {.type = result->type,
                                              .name = result->name,
                                              .added = !before,
                                              .rejects = nacking & ~nacked,
                                              .accepts = nacked & ~nacking & ~dying,
                                              .dies = dying & ~died,
                                              .survives = died & ~dying};
    struct rules r = {
        .diff = diff,
        .resource = {old, now},
        .clients = {change.accepts | change.survives, change.rejects | change.dies}};

    if (!r.clients[XDS_SIDE_OLD] && !r.clients[XDS_SIDE_NEW])
        return;
    r.out = add(diff);
    if (!r.out)
        return;
    *r.out = change;
    list_rules(&r, XDS_SIDE_NEW);
    if (before)
        list_rules(&r, XDS_SIDE_OLD);
}
