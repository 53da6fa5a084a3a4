/*
 * equal_routes.c - routes of a server that are equal, but for their names.
 *
 * What cannot be compared here, such as the rules of an override, makes them different.
 * Source: a run of grpc-java: "Multiple entries with same key: Route{...}".
 */
#include "base/strmap.h"
#include "server/rbac.h"
#include "server/server.h"

static bool same_text(struct xds_slice a, struct xds_slice b)
{
    return xds_slice_eq(a, b);
}

static bool same_string(const struct xds_string_matcher *a,
                        const struct xds_string_matcher *b)
{
    return a->kind == b->kind && a->fold_case == b->fold_case &&
           a->fold_regex == b->fold_regex && same_text(a->text, b->text);
}

static bool same_header(const struct xds_header_matcher *a,
                        const struct xds_header_matcher *b)
{
    if (a->kind != b->kind || a->invert != b->invert || !same_text(a->name, b->name))
        return false;
    switch (a->kind) {
    case XDS_HEADER_STRING:
        return same_string(&a->string, &b->string);
    case XDS_HEADER_RANGE:
        return a->start == b->start && a->end == b->end;
    case XDS_HEADER_PRESENT:
        return a->present == b->present;
    case XDS_HEADER_NEVER:
        break;
    }
    return false;
}

static bool same_match(const struct xds_rpc *who, const struct xds_route_match *a,
                       const struct xds_route_match *b)
{
    if (a->path.kind != b->path.kind || !same_text(a->path.text, b->path.text) ||
        xds_path_folds(&a->path, who->options, who->client) !=
            xds_path_folds(&b->path, who->options, who->client) ||
        a->n_headers != b->n_headers || a->has_fraction != b->has_fraction ||
        (a->has_fraction && (a->fraction.numerator != b->fraction.numerator ||
                             a->fraction.denominator != b->fraction.denominator)))
        return false;
    for (size_t i = 0; i < a->n_headers; i++)
        if (!same_header(&a->headers[i], &b->headers[i]))
            return false;
    return true;
}

static bool enforces_nothing(const struct xds_filter_override *o)
{
    return o->kind == XDS_FILTER_RBAC && !xds_rbac_is_enforced(o->rbac);
}

static bool same_overrides(const struct xds_overrides *a, const struct xds_overrides *b)
{
    if (a->n != b->n)
        return false;
    for (size_t i = 0; i < a->n; i++)
        if (!same_text(a->entries[i].name, b->entries[i].name) ||
            !enforces_nothing(&a->entries[i]) || !enforces_nothing(&b->entries[i]))
            return false;
    return true;
}

static bool same_route(const struct xds_rpc *who, const struct xds_route *a,
                       const struct xds_route *b)
{
    return a->action == XDS_ACTION_NON_FORWARDING && b->action == a->action &&
           same_overrides(&a->overrides, &b->overrides) &&
           same_match(who, &a->match, &b->match);
}

/* The routes so far, by what they ask in words. */
struct seen {
    const struct xds_route *route;
    struct seen *next;
};

static bool meet(struct xds_strmap *map, const struct xds_rpc *who,
                 const struct xds_route *route)
{
    struct xds_text words = {.arena = who->arena};

    xds_route_match_words(&words, &route->match);
    void **slot = xds_strmap_at(map, xds_slice_make(words.data, words.len));

    for (const struct seen *s = *slot; s; s = s->next)
        if (same_route(who, s->route, route))
            return true;
    struct seen *seen = XDS_NEW(who->arena, struct seen);

    *seen = (struct seen){route, *slot};
    *slot = seen;
    return false;
}

static bool has_equal(const struct xds_rpc *who, const struct xds_route_config *config)
{
    struct xds_strmap map;

    xds_strmap_init(&map, who->arena);
    for (size_t i = 0; i < config->n_virtual_hosts; i++) {
        const struct xds_virtual_host *host = &config->virtual_hosts[i];

        for (size_t k = 0; k < host->n_routes; k++)
            if (!(host->routes[k].skipped_by & XDS_CLIENT_BIT(who->client)) &&
                meet(&map, who, &host->routes[k]))
                return true;
    }
    return false;
}

static const struct xds_route_config *routes_of(const struct xds_snapshot *snapshot,
                                                enum xds_client client,
                                                const struct xds_filter_chain *chain)
{
    const struct xds_listener *manager = chain->n_managers ? chain->managers : NULL;

    if (!manager || !manager->rds_name.data)
        return manager ? manager->route_config : NULL;
    return xds_accepted(snapshot, client, XDS_TYPE_ROUTE, manager->rds_name, NULL);
}

bool xds_server_equal_routes(const struct xds_rpc *who,
                             const struct xds_snapshot *snapshot,
                             const struct xds_listener *listener)
{
    for (size_t i = 0; i <= listener->n_filter_chains; i++) {
        const struct xds_filter_chain *chain = i < listener->n_filter_chains
                                                   ? &listener->filter_chains[i]
                                                   : listener->default_chain;
        const struct xds_route_config *config =
            chain ? routes_of(snapshot, who->client, chain) : NULL;

        if (config && has_equal(who, config))
            return true;
    }
    return false;
}
