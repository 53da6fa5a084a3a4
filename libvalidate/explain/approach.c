/*
 * approach.c - the way to the virtual host, once for all RPCs in a row that have the
 * same.
 */
#include "explain/explain.h"

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

static bool leads_from(const struct xds_approach *approach,
                       const struct xds_request *request)
{
    return approach->is_known && is_same(approach->target, request->target) &&
           is_same(approach->listener, request->listener) &&
           is_same(approach->authority, request->authority);
}

static void take(struct xds_decision *d, struct xds_approach *approach)
{
    d->listener_name = approach->d.listener_name;
    d->listener = approach->d.listener;
    d->authority = approach->d.authority;
    d->route_config_name = approach->d.route_config_name;
    d->route_config = approach->d.route_config;
    d->virtual_host = approach->d.virtual_host;
    d->kept_approach = &approach->json;
}

bool xds_explain_approach(struct xds_approach *approach, const struct xds_lb *lb,
                          struct xds_decision *d)
{
    if (!leads_from(approach, lb->rpc->request)) {
        if (!xds_explain_virtual_host(lb, d))
            return false;

        const struct xds_request *request = lb->rpc->request;
        struct xds_arena *arena = &approach->arena;

        approach->is_known = false;
        xds_arena_reset(arena);
        approach->json = (struct xds_kept_json){arena, {NULL, 0}};
        /* Texts of the request and of the decision do not last. */
        approach->target = xds_arena_dup(arena, request->target);
        approach->listener = xds_arena_dup(arena, request->listener);
        approach->authority = xds_arena_dup(arena, request->authority);
        approach->d = *d;
        approach->d.listener_name = xds_arena_dup(arena, d->listener_name);
        approach->d.authority = xds_arena_dup(arena, d->authority);
        approach->is_known = true;
    }
    take(d, approach);
    return true;
}
