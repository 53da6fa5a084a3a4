/*
 * reach.c - which routes an RPC can get to at all: each that counts has an RPC that takes
 *           it, and of another one it is known which route takes the RPCs made for it.
 */
#include "explain/derive.h"
#include "secret/secret.h"
#include "suite/inner.h"

/* Of one route, the earlier routes whose headers are tried; of all, the RPCs that are
 * tried besides those that are made for the routes. */
enum { MOST_EARLIER = 64, MOST_TRIED = 100000 };

struct reach {
    struct xds_coverage_map *map;
    const struct xds_snapshot *snapshot;
    enum xds_client client;
    const struct xds_options *options;
    struct xds_arena *scratch;
    struct xds_strmap indexes; /* struct xds_route_index by virtual host */
    size_t tried;
};

static const struct xds_route_index *index_of(struct reach *r,
                                              const struct xds_virtual_host *host)
{
    void **slot =
        xds_strmap_at(&r->indexes, (struct xds_slice){(const char *)&host, sizeof(host)});

    if (!*slot)
        *slot = xds_route_index_build(r->scratch, r->options, r->client, host);
    return *slot;
}

static struct xds_covered_route *covered_of(struct reach *r,
                                            const struct xds_derived *derived)
{
    const struct xds_listener *listener = derived->listener;
    const struct xds_snapshot_entry *entry =
        xds_snapshot_used(r->snapshot, r->client, XDS_TYPE_ROUTE, listener->rds_name);
    const struct xds_route_config *model =
        listener->rds_name.data ? entry->model : listener->route_config;
    struct xds_covered_config *config = xds_coverage_config(r->map, model);
    const size_t host = (size_t)(derived->host - model->virtual_hosts);
    size_t low = 0, high = config ? config->n_routes : 0;

    /* They are in the order of the virtual hosts. */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (config->routes[middle].virtual_host < host)
            low = middle + 1;
        else
            high = middle;
    }
    return config ? &config->routes[low] + (derived->route - derived->host->routes)
                  : NULL;
}

/* Does all or a fraction of such RPCs take the route? Else the one before it that does.
 */
static bool takes(struct reach *r, const struct xds_derived *derived,
                  const struct xds_request *request, struct xds_covered_route *route)
{
    struct xds_slice undecided = {NULL, 0};
    struct xds_random none = {.n = 0}; /* a fraction splits the walk */
    const struct xds_rpc rpc = {.client = r->client,
                                .options = r->options,
                                .request = request,
                                .random = &none,
                                .arena = r->scratch,
                                .undecided = &undecided};
    const struct xds_route_walk walk =
        xds_route_select(&rpc, derived->host, index_of(r, derived->host));

    for (size_t i = 0; i < walk.n_tries; i++) {
        const struct xds_route_try *t = &walk.tries[i];

        if (t->probability > 0 && t->route == derived->route)
            return true;
        if (t->matched == XDS_CHANCE_YES && t->index < route->index)
            route->shadowed_by = (uint32_t)t->index;
    }
    return false;
}

static void keep_witness(struct xds_arena *arena, struct xds_covered_route *route,
                         const struct xds_request *request)
{
    struct xds_header *headers =
        XDS_NEW_ARRAY(arena, struct xds_header, request->n_headers);
    struct xds_text text = {.arena = arena};

    route->witness = *request;
    route->witness.target = xds_arena_dup(arena, request->target);
    route->witness.listener = xds_arena_dup(arena, request->listener);
    route->witness.route_config = xds_arena_dup(arena, request->route_config);
    route->witness.authority = xds_arena_dup(arena, request->authority);
    route->witness.path = xds_arena_dup(arena, request->path);
    xds_text_add(&text,
                 xds_arena_printf(arena, "authority %.*s, path %.*s",
                                  XDS_FMT(request->authority), XDS_FMT(request->path)));
    for (size_t i = 0; i < request->n_headers; i++) {
        headers[i].name = xds_arena_dup(arena, request->headers[i].name);
        headers[i].value = xds_arena_dup(arena, request->headers[i].value);
        xds_text_add(&text, xds_arena_printf(arena, ", header %.*s: %.*s",
                                             XDS_FMT(headers[i].name),
                                             XDS_FMT(xds_header_shown(&headers[i]))));
    }
    route->witness.headers = headers;
    route->reach = xds_slice_make(text.data, text.len);
}

/* Paths that the matcher may take besides the one that was made for it. */
static struct xds_slice another_path(struct reach *r, const struct xds_path_matcher *path,
                                     size_t i)
{
    static const char *const tails[] = {"",    "0",  "Zq/Xj", "/Zq.Wk/Xj", "-_.~/",
                                        "/z/", "/b", "/Q0",   "/a/a",      "/0"};

    if (i >= XDS_ARRAY_LEN(tails) || path->kind == XDS_MATCH_EXACT)
        return (struct xds_slice){NULL, 0};
    if (path->kind == XDS_MATCH_PREFIX)
        return xds_arena_concat(r->scratch, path->text, xds_slice_of(tails[i]));
    return xds_slice_of(tails[i]);
}

/* Is there one with this path, as it is or with a header that an earlier route asks for?
 */
static bool passes(struct reach *r, const struct xds_derived *derived,
                   struct xds_request *request, struct xds_covered_route *route)
{
    static const char *const values[] = {"1", "other", "Zq"};
    const size_t n = request->n_headers;
    struct xds_header *headers = XDS_NEW_ARRAY(r->scratch, struct xds_header, n + 1);

    if (takes(r, derived, request, route))
        return true;
    if (r->tried > MOST_TRIED)
        return false;
    for (size_t i = 0; i < n; i++)
        headers[i] = request->headers[i];
    for (size_t i = 0; i < route->index && i < MOST_EARLIER; i++) {
        const struct xds_route_match *match = &derived->host->routes[i].match;

        for (size_t k = 0; k < match->n_headers; k++)
            for (size_t v = 0; v < XDS_ARRAY_LEN(values); v++) {
                struct xds_request more = *request;

                r->tried++;
                headers[n] =
                    (struct xds_header){match->headers[k].name, xds_slice_of(values[v])};
                more.headers = headers;
                more.n_headers = n + 1;
                if (!takes(r, derived, &more, route))
                    continue;
                *request = more;
                return true;
            }
    }
    return false;
}

/* The RPC made for a route, and where an earlier one takes it others that it matches. */
static void try(void *user, const struct xds_derived *derived)
{
    struct reach *r = user;
    struct xds_covered_route *route = covered_of(r, derived);
    struct xds_request request = derived->request;
    bool found;

    if (!route || route->reached_by & XDS_CLIENT_BIT(r->client))
        return;
    found = passes(r, derived, &request, route);
    for (size_t i = 0; !found; i++) {
        request.path = another_path(r, &derived->route->match.path, i);
        if (!request.path.data || r->tried++ > MOST_TRIED)
            return;
        found = xds_slice_starts(request.path, XDS_S("/")) &&
                passes(r, derived, &request, route);
    }
    if (!route->reached_by)
        keep_witness(r->map->run_arena, route, &request);
    route->reached_by |= XDS_CLIENT_BIT(r->client);
}

/* Of more routes than RPCs are made for nothing is known. */
static void count_all(struct xds_coverage_map *map)
{
    for (size_t i = 0; i < map->table->told.n_configs; i++)
        for (size_t k = 0; k < map->table->configs[i]->n_routes; k++) {
            struct xds_covered_route *route = &map->table->configs[i]->routes[k];

            route->reached_by |= route->clients;
        }
}

void xds_coverage_reach_chain(struct xds_coverage_map *map,
                              const struct xds_chain_routes *of,
                              struct xds_arena *scratch)
{
    struct reach reach = {.map = map,
                          .snapshot = of->snapshot,
                          .client = of->client,
                          .options = of->options,
                          .scratch = scratch};
    struct xds_derive_counts counts = {.made = 0};

    xds_strmap_init(&reach.indexes, scratch);
    xds_derive_chain(of, scratch, try, &reach, &counts);
    if (counts.cut)
        count_all(map);
}

void xds_coverage_reach(struct xds_coverage_map *map, const struct xds_snapshot *snapshot,
                        enum xds_client client, const struct xds_options *options,
                        struct xds_arena *scratch)
{
    struct reach reach = {.map = map,
                          .snapshot = snapshot,
                          .client = client,
                          .options = options,
                          .scratch = scratch};
    struct xds_derive_counts counts = {.made = 0};

    xds_strmap_init(&reach.indexes, scratch);
    xds_derive_requests(snapshot, client, options, (struct xds_slice){NULL, 0}, scratch,
                        try, &reach, &counts);
    if (counts.cut)
        count_all(map);
}
