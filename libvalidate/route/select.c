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

void xds_route_try_one(const struct xds_rpc *rpc, double left, struct xds_route_try *try)
{
    const struct xds_route *route = try->route;

    try->matched = XDS_CHANCE_NO;
    try->probability = 0;
    try->drawn_before = rpc->random->next;
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
    try->takes = f.matching;
    try->of = f.bound;
    try->reason = fraction_reason(rpc, &f);
    if (f.chance != XDS_CHANCE_NO)
        try->probability = left * (f.chance == XDS_CHANCE_YES ? 1 : f.probability);
}

/* The routes to try: all, or those of the index. */
struct sequence {
    size_t n, next;
    struct xds_route_cursor cursor;
    bool indexed;
};

static bool next_route(struct sequence *s, size_t *position)
{
    if (s->indexed)
        return xds_route_cursor_next(&s->cursor, position);
    *position = s->next++;
    return *position < s->n;
}

static struct sequence sequence_of(const struct xds_rpc *rpc,
                                   const struct xds_virtual_host *host,
                                   const struct xds_route_index *index)
{
    struct sequence s = {.n = host->n_routes, .indexed = index != NULL};

    if (index)
        xds_route_cursor_init(&s.cursor, index, rpc);
    return s;
}

static struct xds_route_try *add_try(const struct xds_rpc *rpc,
                                     struct xds_route_walk *walk, size_t *cap)
{
    walk->tries =
        xds_arena_room(rpc->arena, walk->tries, walk->n_tries, cap, sizeof *walk->tries);
    return &walk->tries[walk->n_tries++];
}

struct xds_route_walk xds_route_select(const struct xds_rpc *rpc,
                                       const struct xds_virtual_host *host,
                                       const struct xds_route_index *index)
{
    struct sequence routes = sequence_of(rpc, host, index);
    struct xds_route_walk walk = {NULL, 0, 1};
    size_t cap = 0, i;

    while (next_route(&routes, &i)) {
        struct xds_route_try *try = add_try(rpc, &walk, &cap);

        try->index = i;
        try->route = &host->routes[i];
        xds_route_try_one(rpc, walk.unmatched, try);
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
