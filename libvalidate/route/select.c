/*
 * select.c - find the route of an RPC, and why the routes before it were passed over.
 *
 * Takes:  a virtual host and the RPC.
 * Gives:  every route tried with its reason, in the decision's arena. Numbers are drawn
 *         only for fractions of routes whose path and headers matched.
 * Source: gRFC A28, spec routing 2.1 and 2.2.
 */
#include "route/select.h"

#include "route/fraction.h"
#include "route/match.h"

static struct xds_slice fraction_reason(const struct xds_rpc *rpc,
                                        const struct xds_fraction_result *f)
{
    if (f->bound == 0)
        return XDS_S("path and headers match");
    if (!f->drawn)
        return xds_arena_printf(rpc->arena,
                                "path and headers match, runtime_fraction takes %.10g%%",
                                f->probability * 100);
    return xds_arena_printf(
        rpc->arena,
        "path and headers match, runtime_fraction takes %.10g%%: %llu of %llu drawn, %s",
        f->probability * 100, (unsigned long long)f->number, (unsigned long long)f->bound,
        f->chance == XDS_CHANCE_YES ? "taken" : "not taken");
}

/* `left` is the probability that the RPC comes this far. */
static void try_route(const struct xds_rpc *rpc, double left, struct xds_route_try *try)
{
    const struct xds_route *route = try->route;

    try->matched = XDS_CHANCE_NO;
    if (route->skipped_by & XDS_CLIENT_BIT(rpc->client)) {
        try->reason = xds_arena_printf(rpc->arena, "ignored by this client: %s",
                                       route->skip_reason ? route->skip_reason
                                                          : "not usable for gRPC");
        return;
    }
    if (!xds_match_certain(rpc, &route->match, &try->reason)) {
        if (xds_rpc_is_undecided(rpc))
            try->matched = XDS_CHANCE_OPEN;
        return;
    }

    const struct xds_fraction_result f = xds_fraction_test(rpc, &route->match);
    try->matched = f.chance;
    try->reason = fraction_reason(rpc, &f);
    if (f.chance != XDS_CHANCE_NO)
        try->probability = left * (f.chance == XDS_CHANCE_YES ? 1 : f.probability);
}

struct xds_route_walk xds_route_select(const struct xds_rpc *rpc,
                                       const struct xds_virtual_host *host)
{
    struct xds_route_try *tries =
        XDS_NEW_ARRAY(rpc->arena, struct xds_route_try, host->n_routes);
    struct xds_route_walk walk = {tries, 0, 1};

    for (size_t i = 0; i < host->n_routes; i++) {
        struct xds_route_try *try = &tries[walk.n_tries++];

        try->index = i;
        try->route = &host->routes[i];
        try_route(rpc, walk.unmatched, try);
        if (try->matched == XDS_CHANCE_YES) {
            walk.unmatched = 0;
            break;
        }
        walk.unmatched -= try->probability;
        if (xds_rpc_is_undecided(rpc))
            break; /* whether a later route is reached is not known */
    }
    return walk;
}
