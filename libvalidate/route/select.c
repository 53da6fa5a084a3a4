/*
 * select.c - find the route of an RPC, and why the routes before it were skipped; what a
 *            runtime_fraction and weighted_clusters decide.
 *
 * Source: gRFC A28, spec routing 2.1, 2.2, 2.6 and 3.2, F-a to F-e.
 */
#include "route/route.h"

static bool is_skipped(const struct xds_rpc *rpc, const struct xds_route *route)
{
    return (route->skipped_by & XDS_CLIENT_BIT(rpc->client)) != 0;
}

void xds_route_try_one(const struct xds_rpc *rpc, double left, struct xds_route_try *try)
{
    const struct xds_route *route = try->route;

    try->matched = XDS_CHANCE_NO;
    try->probability = 0;
    try->drawn_before = rpc->random->next;
    if (is_skipped(rpc, route))
        return;
    const enum xds_match result = xds_match_certain(rpc, &route->match, &try->passed);

    try->undecided = result == XDS_MATCH_UNDECIDED;
    if (try->undecided) {
        xds_rpc_undecided(rpc, xds_match_reason(rpc, &route->match, try->passed, result));
        if (xds_rpc_is_undecided(rpc))
            try->matched = XDS_CHANCE_OPEN;
    }
    if (result != XDS_MATCH)
        return;
    const struct xds_fraction_result f = xds_fraction_test(rpc, &route->match);
    try->matched = f.chance;
    try->takes = f.matching;
    try->of = f.bound;
    try->drawn = f.drawn;
    try->number = f.number;
    if (f.chance != XDS_CHANCE_NO)
        try->probability = left * (f.chance == XDS_CHANCE_YES ? 1 : f.probability);
}

static struct xds_slice fraction_reason(const struct xds_rpc *rpc,
                                        const struct xds_route_try *try)
{
    const char *what =
        try->route->match.n_headers > 0 ? "path and headers match" : "path matches";

    if (try->of == 0)
        return xds_slice_of(what);
    const double percent = (double)try->takes / (double)try->of * 100;

    if (!try->drawn)
        return xds_arena_printf(rpc->arena, "%s, runtime_fraction takes %.10g%%", what,
                                percent);
    return xds_arena_printf(
        rpc->arena, "%s, runtime_fraction takes %.10g%%: %llu of %llu drawn, %s", what,
        percent, (unsigned long long)try->number, (unsigned long long)try->of,
        try->matched == XDS_CHANCE_YES ? "taken" : "not taken");
}

/* Fields of the route, and which of them are forms of path. */
static const struct envoy_only {
    const char *field;
    bool is_path;
} envoy_only[] = {
#define XDS_ENVOY_PATH(id, name, is_set) [XDS_ENVOY_ONLY_##id] = {(name), true},
#define XDS_ENVOY_ONLY(id, name, is_set) [XDS_ENVOY_ONLY_##id] = {(name), false},
#include "model/envoy_only.def"
};

/* The fields of one kind; empty without any. */
static struct xds_slice envoy_only_fields(const struct xds_rpc *rpc,
                                          const struct xds_route *route, bool paths)
{
    struct xds_slice list = XDS_S("");

    for (size_t i = 0; route->envoy_only >> i > 0; i++)
        if ((route->envoy_only >> i & 1) && envoy_only[i].is_path == paths)
            list = xds_arena_printf(rpc->arena, "%.*s%s%s", XDS_FMT(list),
                                    list.len > 0 ? ", " : "", envoy_only[i].field);
    return list;
}

/* Of a route that takes RPCs and does nothing with them: which action does that. */
static struct xds_slice taking_reason(const struct xds_rpc *rpc,
                                      const struct xds_route_try *try)
{
    const struct xds_slice taken = fraction_reason(rpc, try);
    const struct xds_route *route = try->route;

    if (rpc->at_server && try->matched != XDS_CHANCE_NO &&
        route->action != XDS_ACTION_NON_FORWARDING)
        return xds_arena_printf(rpc->arena, "%.*s, but its action is not %s",
                                XDS_FMT(taken), "non_forwarding_action");
    if (rpc->at_server)
        return taken;
    if (try->matched == XDS_CHANCE_NO || (route->action != XDS_ACTION_UNSUPPORTED &&
                                          route->action != XDS_ACTION_NON_FORWARDING))
        return taken;
    return xds_arena_printf(rpc->arena, "%.*s, but its %s forwards no RPC",
                            XDS_FMT(taken), route->action_field);
}

static struct xds_slice reason_of(const struct xds_rpc *rpc,
                                  const struct xds_route_try *try)
{
    const struct xds_route *route = try->route;

    if (is_skipped(rpc, route))
        return xds_arena_printf(rpc->arena, "ignored by this client: %s",
                                route->skip_reason ? route->skip_reason
                                                   : "not usable for gRPC");
    const struct xds_slice path = envoy_only_fields(rpc, route, true);

    if (path.len > 0)
        return xds_arena_printf(
            rpc->arena, "gRPC: rejects the route configuration for %.*s", XDS_FMT(path));
    if (try->passed <= route->match.n_headers)
        return xds_match_reason(rpc, &route->match, try->passed,
                                try->undecided ? XDS_MATCH_UNDECIDED : XDS_NO_MATCH);
    const struct xds_slice ignored = envoy_only_fields(rpc, route, false);
    const struct xds_slice reason = taking_reason(rpc, try);

    return ignored.len == 0 ? reason
                            : xds_arena_printf(rpc->arena, "%.*s; gRPC: ignores %.*s",
                                               XDS_FMT(reason), XDS_FMT(ignored));
}

void xds_route_reasons(const struct xds_rpc *rpc, const struct xds_route_walk *walk)
{
    for (size_t i = 0; i < walk->n_tries; i++)
        walk->tries[i].reason = reason_of(rpc, &walk->tries[i]);
}

/* The routes to try: all, or those of the index. */
struct sequence {
    size_t n, next;
    struct xds_route_cursor cursor;
    bool indexed;
};

/* passed: 1 when the path is known to match. */
static bool next_route(struct sequence *s, size_t *position, size_t *passed)
{
    bool path_matches = false;
    const bool found = s->indexed
                           ? xds_route_cursor_next(&s->cursor, position, &path_matches)
                           : (*position = s->next++) < s->n;

    *passed = path_matches;
    return found;
}

struct xds_route_walk xds_route_select(const struct xds_rpc *rpc,
                                       const struct xds_virtual_host *host,
                                       const struct xds_route_index *index)
{
    struct sequence routes = {.n = host->n_routes, .indexed = index != NULL};
    struct xds_route_walk walk = {NULL, 0, 1};
    size_t cap = 0, i, passed;

    if (index)
        xds_route_cursor_init(&routes.cursor, index, rpc);
    while (next_route(&routes, &i, &passed)) {
        walk.tries = xds_arena_room(rpc->arena, walk.tries, walk.n_tries, &cap,
                                    sizeof *walk.tries);

        struct xds_route_try *try = &walk.tries[walk.n_tries++];

        *try = (struct xds_route_try){
            .index = i, .route = &host->routes[i], .passed = passed};
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

enum { MILLION = 1000000 };

struct xds_fraction_result xds_fraction_test(const struct xds_rpc *rpc,
                                             const struct xds_route_match *match)
{
    const struct xds_fraction nothing = {0, 100};
    struct xds_fraction_result r = {.chance = XDS_CHANCE_YES, .probability = 1};

    if (!match->has_fraction)
        return r;
    if (!match->fraction_is_set && !xds_reads(rpc, XDS_READS_FRACTION_UNSET_IS_ZERO))
        return r;
    const bool is_negative = match->fraction.numerator > INT32_MAX &&
                             xds_reads(rpc, XDS_READS_FRACTION_SIGNED);
    const struct xds_fraction fraction =
        match->fraction_is_set && !is_negative ? match->fraction : nothing;
    r.bound =
        xds_reads(rpc, XDS_READS_FRACTION_OWN_SCALE) ? fraction.denominator : MILLION;
    /* The numbers below match. */
    r.matching = fraction.numerator *
                     (r.bound / (fraction.denominator ? fraction.denominator : 100)) +
                 xds_reads(rpc, XDS_READS_FRACTION_UP_TO);
    if (r.matching > r.bound)
        r.matching = r.bound;
    r.probability = (double)r.matching / (double)r.bound;
    r.drawn = xds_random_draw(rpc->random, r.bound, &r.number);
    if (r.drawn)
        r.chance = r.number < r.matching ? XDS_CHANCE_YES : XDS_CHANCE_NO;
    else if (r.matching == 0)
        r.chance = XDS_CHANCE_NO;
    else
        r.chance = r.matching == r.bound ? XDS_CHANCE_YES : XDS_CHANCE_OPEN;
    return r;
}

uint64_t xds_weight_sum(const struct xds_route *route)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < route->n_weighted; i++)
        sum += route->weighted[i].weight;
    return sum;
}

uint64_t xds_weight_below(const struct xds_rpc *rpc, const struct xds_route *route)
{
    if (!XDS_DIFFERS(rpc, XDS_DIFF_WEIGHTS_DRAWN_OF_TOTAL))
        return xds_weight_sum(route);
    return route->total_weight ? route->total_weight : 1; /* the number is 0 */
}

/* The first entry whose running sum is over the number; NULL: it is over all weights. */
static const struct xds_weighted_cluster *entry_at(const struct xds_route *route,
                                                   uint64_t number)
{
    uint64_t end = 0;

    for (size_t i = 0; i < route->n_weighted; i++)
        if (number < (end += route->weighted[i].weight))
            return &route->weighted[i];
    return NULL;
}

/* Of the numbers below it, those from start on that are of the entry. */
static uint64_t part_of(const struct xds_weighted_cluster *entry, uint64_t start,
                        uint64_t below)
{
    const uint64_t left = start < below ? below - start : 0;

    return entry->weight < left ? entry->weight : left;
}

struct xds_weighted_choices xds_weighted_pick(const struct xds_rpc *rpc,
                                              const struct xds_route *route)
{
    struct xds_weighted_choice *list =
        XDS_NEW_ARRAY(rpc->arena, struct xds_weighted_choice, route->n_weighted);
    struct xds_weighted_choices out = {list, 0, xds_weight_below(rpc, route), 0};
    uint64_t number, start = 0;

    if (out.below == 0)
        return out;
    if (xds_random_draw(rpc->random, out.below, &number)) {
        const struct xds_weighted_cluster *entry = entry_at(route, number);

        if (entry)
            list[out.n++] = (struct xds_weighted_choice){entry, out.below, 1};
        else
            out.none = out.below;
        return out;
    }
    for (size_t i = 0; i < route->n_weighted; i++) {
        const struct xds_weighted_cluster *entry = &route->weighted[i];
        const uint64_t part = part_of(entry, start, out.below);

        if (part > 0)
            list[out.n++] = (struct xds_weighted_choice){
                entry, part, (double)part / (double)out.below};
        start += entry->weight;
    }
    out.none = start < out.below ? out.below - start : 0;
    return out;
}

/* ---- where it may lead ---- */

void xds_route_leads(const struct xds_options *options, enum xds_client client,
                     const struct xds_route *route, xds_route_lead_fn *lead, void *user)
{
    if (route->skipped_by & XDS_CLIENT_BIT(client))
        return;
    switch (route->action) {
    case XDS_ACTION_CLUSTER:
        lead(user, false, route->cluster);
        break;
    case XDS_ACTION_PLUGIN:
        lead(user, true, route->cluster);
        break;
    case XDS_ACTION_WEIGHTED:
        for (size_t i = 0; i < route->n_weighted; i++)
            /* An entry of weight 0 is never picked. */
            if (route->weighted[i].weight > 0 ||
                xds_differs(options, client, XDS_DIFF_CLUSTER_WEIGHT_0_KEPT))
                lead(user, false, route->weighted[i].name);
        break;
    case XDS_ACTION_NO_SPECIFIER:
    case XDS_ACTION_NON_FORWARDING:
    case XDS_ACTION_UNSUPPORTED:
        break;
    }
}
