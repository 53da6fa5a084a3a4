/*
 * answers.c - what is worked out once: the way to the virtual host for all RPCs in a row
 *             that have the same, answers that depend on the cluster alone for the next
 *             RPCs to it.
 *
 * How:    where nothing after the route looks at the RPC, and it says nothing about
 *         hosts and chance, the first such RPC is followed in memory that lasts.
 */
#include "explain/explain.h"

struct answer {
    bool lasts; /* false: a policy of the cluster looks at the RPC */
    struct xds_decision d;
    struct xds_kept_json ending, rest;
};

static bool asks_for_more(const struct xds_request *r)
{
    return r->every_route || r->has_hash || r->ring || r->live || r->n_random > 0 ||
           r->n_assumptions > 0 || r->observed_host.data || r->why_not.data;
}

static bool any_filter_looks(const struct xds_listener *listener)
{
    for (size_t i = 0; i < listener->n_filters; i++)
        switch (listener->filters[i].kind) {
        case XDS_FILTER_FAULT:
        case XDS_FILTER_STATEFUL_SESSION:
        case XDS_FILTER_COMPOSITE:
            return true;
        case XDS_FILTER_UNKNOWN:
        case XDS_FILTER_ROUTER:
        case XDS_FILTER_RBAC:
        case XDS_FILTER_GCP_AUTHN:
        case XDS_FILTER_EXT_AUTHZ:
        case XDS_FILTER_EXT_PROC:
            break;
        }
    return false;
}

/* A certain route to one cluster, and nothing that tells RPCs on it apart. */
static bool may_share(const struct xds_lb *lb, const struct xds_decision *d)
{
    const struct xds_route *route = d->route ? d->route->route : NULL;

    return lb->memory && !asks_for_more(lb->rpc->request) && route && !d->notes &&
           route->action == XDS_ACTION_CLUSTER && route->n_hash_policies == 0 &&
           !any_filter_looks(d->start.listener);
}

static struct answer *work_out(const struct xds_lb *lb, const struct xds_decision *d)
{
    struct xds_lb_kept memory;
    const struct xds_lb *kept = xds_lb_for_memory(lb, &memory);
    struct answer *answer = XDS_NEW(kept->rpc->arena, struct answer);

    answer->d = *d;
    answer->ending.arena = answer->rest.arena = kept->rpc->arena;
    const struct xds_branches branches = xds_branches_follow(kept, d);

    answer->lasts =
        branches.n == 1 && branches.list->pick && !branches.list->pick->key.own_header;
    if (answer->lasts) {
        xds_explain_gather(kept->rpc, &branches, &answer->d);
        xds_explain_security(kept, &answer->d);
    }
    return answer;
}

/* What is before the clusters is the RPC's own. */
static void take(struct xds_decision *d, struct answer *answer)
{
    const struct xds_decision own = *d;

    *d = answer->d;
    d->request = own.request;
    d->start.listener_name = own.start.listener_name;
    d->start.listener = own.start.listener;
    d->start.authority = own.start.authority;
    d->start.route_config_name = own.start.route_config_name;
    d->start.route_config = own.start.route_config;
    d->virtual_host = own.virtual_host;
    d->walk = own.walk;
    d->route = own.route;
    d->has_method_config = own.has_method_config;
    d->method_config = own.method_config;
    d->kept_approach = own.kept_approach;
    d->kept_ending = &answer->ending;
    d->kept_rest = &answer->rest;
}

bool xds_explain_known(const struct xds_lb *lb, struct xds_strmap *answers,
                       struct xds_decision *d)
{
    if (!may_share(lb, d))
        return false;
    const struct xds_slice cluster = d->route->route->cluster;
    struct answer *answer = xds_strmap_get(answers, cluster);

    if (!answer) {
        answer = work_out(lb, d);
        *xds_strmap_at(answers, cluster) = answer;
    }
    if (answer->lasts)
        take(d, answer);
    return answer->lasts;
}

void xds_approach_init(struct xds_approach *approach)
{
    *approach = (struct xds_approach){.is_known = false};
    xds_arena_init(&approach->arena, 0);
}

void xds_approach_release(struct xds_approach *approach)
{
    xds_arena_release(&approach->arena);
}

/* An empty text is not an absent one. */
static bool is_same(struct xds_slice a, struct xds_slice b)
{
    return a.data && b.data ? xds_slice_eq(a, b) : a.data == b.data;
}

bool xds_explain_approach(struct xds_approach *approach, const struct xds_lb *lb,
                          struct xds_decision *d)
{
    const struct xds_request *request = lb->rpc->request;
    struct xds_arena *arena = &approach->arena;

    if (!approach->is_known || !is_same(approach->target, request->target) ||
        !is_same(approach->listener, request->listener) ||
        !is_same(approach->route_config, request->route_config) ||
        !is_same(approach->authority, request->authority)) {
        if (!xds_explain_virtual_host(lb, d))
            return false;
        approach->is_known = false;
        xds_arena_reset(arena);
        approach->json = (struct xds_kept_json){arena, {NULL, 0}};
        /* Texts of the request and of the decision do not last. */
        approach->target = xds_arena_dup(arena, request->target);
        approach->listener = xds_arena_dup(arena, request->listener);
        approach->route_config = xds_arena_dup(arena, request->route_config);
        approach->authority = xds_arena_dup(arena, request->authority);
        approach->d = *d;
        approach->d.start.listener_name = xds_arena_dup(arena, d->start.listener_name);
        approach->d.start.authority = xds_arena_dup(arena, d->start.authority);
        if (d->start.assumed) {
            approach->listener_assumed = *d->start.listener;
            approach->d.start.listener = &approach->listener_assumed;
        }
        approach->d.notes = XDS_NEW_ARRAY(arena, struct xds_slice, d->n_notes);
        for (size_t i = 0; i < d->n_notes; i++)
            approach->d.notes[i] = xds_arena_dup(arena, d->notes[i]);
        approach->is_known = true;
    } else {
        for (size_t i = 0; i < approach->d.n_notes; i++)
            xds_explain_note(lb->rpc, d, "%.*s", XDS_FMT(approach->d.notes[i]));
    }
    d->start.listener_name = approach->d.start.listener_name;
    d->start.listener = approach->d.start.listener;
    d->start.assumed = approach->d.start.assumed;
    d->start.authority = approach->d.start.authority;
    d->start.route_config_name = approach->d.start.route_config_name;
    d->start.route_config = approach->d.start.route_config;
    d->virtual_host = approach->d.virtual_host;
    d->kept_approach = &approach->json;
    return true;
}
