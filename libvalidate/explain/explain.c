/*
 * explain.c - put the steps together: where does this RPC go, and why.
 *
 * Takes:  a check that kept its models, one client and one request.
 * Gives:  a decision record in check->decision, valid until the next call.
 * Fails:  XDS_ERR_NO_MEMORY; XDS_ERR_USAGE when neither target nor listener is given and
 *         there are several. Every outcome of the RPC is part of the record.
 * Source: spec routing 0; cli.md, explain.
 */
#include "check/check.h"
#include "explain/gather.h"
#include "explain/listener.h"

struct work {
    struct xds_rpc rpc;
    struct xds_lb lb;
    struct xds_decision *d;
};

static void fill_route(struct work *w)
{
    struct xds_decision *d = w->d;
    const size_t n = d->walk.n_tries;
    const struct xds_route_try *last = n ? &d->walk.tries[n - 1] : NULL;

    if (!last || last->matched != XDS_CHANCE_YES || last->probability < 1)
        return;
    d->route = last;
    d->has_method_config = xds_method_config_of(
        d->listener, d->virtual_host.host, last->route, w->rpc.client, &d->method_config);
}

static bool end_undecided(struct work *w)
{
    if (!xds_rpc_is_undecided(&w->rpc))
        return false;
    xds_explain_end(&w->lb, w->d, XDS_OUTCOME_UNDECIDED, "%.*s",
                    XDS_FMT(*w->rpc.undecided));
    return true;
}

static void decide(struct work *w)
{
    struct xds_decision *d = w->d;

    if (!xds_explain_virtual_host(&w->lb, d))
        return;
    d->walk = xds_route_select(&w->rpc, d->virtual_host.host, NULL);
    if (end_undecided(w))
        return;
    fill_route(w);
    const struct xds_branches branches = xds_branches_follow(&w->lb, d);
    if (end_undecided(w))
        return;
    if (branches.n == 0) {
        xds_explain_end(&w->lb, d, XDS_OUTCOME_NO_ROUTE,
                        "No matching route found in xDS route config");
        return;
    }
    xds_explain_gather(&w->rpc, &branches, d);
}

struct call {
    struct xds_check *check;
    enum xds_client client;
    const struct xds_request *request;
    struct xds_decision *decision;
};

static void run(void *arg)
{
    struct call *call = arg;
    struct xds_check *check = call->check;
    struct xds_random random = {call->request->random, call->request->n_random, 0};
    struct xds_slice undecided = {NULL, 0};
    struct work w = {.d = XDS_NEW(&check->decision, struct xds_decision)};

    w.rpc = (struct xds_rpc){call->client, &check->report->options, call->request,
                             &random,      &check->decision,        &undecided};
    w.d->client = call->client;
    w.d->request = *call->request;
    xds_lb_init(&w.lb, &w.rpc, &check->snapshot);
    decide(&w);
    call->decision = w.d;
}

enum xds_status xds_explain(struct xds_check *check, enum xds_client client,
                            const struct xds_request *request,
                            const struct xds_decision **out)
{
    struct xds_arena *const arenas[] = {&check->decision};
    struct call call = {check, client, request, NULL};

    xds_arena_reset(&check->decision);
    const enum xds_status status =
        xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), run, &call);
    *out = status == XDS_OK ? call.decision : NULL;
    if (status == XDS_OK && call.decision->several_listeners)
        return XDS_ERR_USAGE;
    return status;
}

bool xds_decision_routed(const struct xds_decision *decision)
{
    return decision->outcome == XDS_OUTCOME_ROUTED;
}
