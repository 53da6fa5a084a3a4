/*
 * faults.c - sum up what fault injection may do to an RPC.
 *
 * Source: gRFC A33, spec listener FI14, FI19.
 */
#include "explain/explain.h"

#define CERTAIN (1 - 1e-9)

static void add_abort(const struct xds_rpc *rpc, struct xds_decision_faults *sum,
                      const struct xds_fault_chance *chance, double probability)
{
    const struct xds_slice code = xds_status_code_text(rpc->arena, chance->code);

    if (probability <= 0)
        return;
    if (sum->abort > 0 &&
        !(xds_slice_eq(sum->code, code) && xds_slice_eq(sum->text, chance->text)))
        sum->several_aborts = true;
    sum->code = code;
    sum->text = chance->text;
    sum->abort += probability;
}

static void add_delay(struct xds_decision_faults *sum,
                      const struct xds_fault_chance *chance, double probability)
{
    if (probability <= 0)
        return;
    if (sum->delay > 0 && sum->delay_ns != chance->delay_ns)
        sum->several_delays = true;
    sum->delay_ns = chance->delay_ns;
    sum->delay += probability;
}

/* Each filter meets what those before it let pass; it delays first, then aborts. */
static void add_branch(const struct xds_rpc *rpc, struct xds_decision_faults *sum,
                       const struct xds_branch *b)
{
    double alive = b->probability, undelayed = 1;

    for (size_t i = 0; i < b->faults.n; i++) {
        const struct xds_fault_chance *chance = &b->faults.list[i];

        add_delay(sum, chance, alive * undelayed * chance->delay);
        undelayed *= 1 - chance->delay;
        add_abort(rpc, sum, chance, alive * chance->abort);
        alive *= 1 - chance->abort;
        if (chance->config->has_max_active_faults)
            sum->max_active = chance->config->max_active_faults;
    }
}

void xds_explain_faults(const struct xds_rpc *rpc, const struct xds_branches *branches,
                        struct xds_decision *d)
{
    struct xds_decision_faults sum = {.abort = 0};

    for (size_t i = 0; i < branches->n; i++)
        add_branch(rpc, &sum, &branches->list[i]);
    if (sum.abort <= 0 && sum.delay <= 0)
        return;
    struct xds_decision_faults *f = XDS_NEW(rpc->arena, struct xds_decision_faults);
    *f = sum;
    d->faults = f;

    if (f->abort > 0 && f->abort < CERTAIN)
        xds_explain_note(rpc, d,
                         "%.10g%% of such RPCs are aborted by fault injection; which "
                         "ones is not decided, as --random does not apply to faults",
                         f->abort * 100);
    else if (f->delay > 0 && f->delay < CERTAIN)
        xds_explain_note(rpc, d,
                         "whether fault injection delays this RPC is not decided, "
                         "as --random does not apply to faults");
    if (f->max_active > 0)
        xds_explain_note(rpc, d,
                         "fault injection stops while %lu faults are "
                         "active in the process; none is assumed to be",
                         (unsigned long)f->max_active);
}
