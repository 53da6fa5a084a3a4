/* coverage.c - which routes and weighted targets the RPCs of the cases have taken, and
 * what an RPC must be like to get to a route. */
#include "decode/decode.h"
#include "explain/explain.h"
#include "suite/inner.h"

#include <stdio.h>

/* ---- positions ---- */

/* Each route, then its weighted clusters. */
static struct xds_place *find_places(const struct xds_resource *in,
                                     const struct xds_path *root,
                                     const struct xds_route_config *config,
                                     struct xds_arena *arena)
{
    size_t n = 0, all = 0;

    for (size_t i = 0; i < config->n_virtual_hosts; i++)
        for (size_t k = 0; k < config->virtual_hosts[i].n_routes; k++)
            all += 1 + config->virtual_hosts[i].routes[k].n_weighted;
    struct xds_steps *paths = XDS_NEW_ARRAY(arena, struct xds_steps, all);
    struct xds_place *places = XDS_NEW_ARRAY(arena, struct xds_place, all);

    for (size_t i = 0; i < config->n_virtual_hosts; i++) {
        const struct xds_virtual_host *host = &config->virtual_hosts[i];
        const struct xds_path *at = XDS_AT_I(root, "virtual_hosts", i);

        for (size_t k = 0; k < host->n_routes; k++) {
            const struct xds_path *route = XDS_AT_I(at, "routes", k);
            const struct xds_path *list = XDS_AT(route, "route.weighted_clusters");

            paths[n++] = xds_path_copy(arena, route);
            for (size_t w = 0; w < host->routes[k].n_weighted; w++)
                paths[n++] = xds_path_copy(arena, XDS_AT_I(list, "clusters", w));
        }
    }
    xds_locate_paths(in, arena, paths, n, places);
    return places;
}

/* ---- configurations ---- */

/* What no client picks has no turn. */
static void fill_targets(struct xds_coverage_map *map, const struct xds_route *route,
                         const struct xds_place *places, struct xds_covered_route *out)
{
    out->targets =
        XDS_NEW_ARRAY(map->run_arena, struct xds_covered_target, route->n_weighted);
    for (size_t i = 0; i < route->n_weighted; i++) {
        const struct xds_weighted_cluster *entry = &route->weighted[i];

        if (entry->weight > 0)
            out->targets[out->n_targets++] = (struct xds_covered_target){
                .index = i,
                .path = xds_arena_printf(map->run_arena,
                                         "%.*s.route.weighted_clusters.clusters[%zu]",
                                         XDS_FMT(out->path), i),
                .cluster = xds_arena_dup(map->run_arena, entry->name),
                .weight = entry->weight,
                .line = places[i].line,
                .column = places[i].column,
            };
    }
}

static void fill_route(struct xds_coverage_map *map, const struct xds_virtual_host *host,
                       const struct xds_route *route, const struct xds_place *places,
                       struct xds_covered_route *out)
{
    out->line = places->line;
    out->column = places->column;
    out->name = xds_arena_dup(map->run_arena, route->name);

    /* "path prefix /shop.Cart/, header x-tester yes". */
    struct xds_text text = {.arena = map->run_arena};

    xds_route_match_words(&text, &route->match);
    out->match = xds_slice_make(text.data, text.len);

    out->reach = xds_arena_printf(
        map->run_arena, "authority %.*s, %.*s",
        XDS_FMT(host->n_domains ? host->domains[0] : XDS_S("that no domain has")),
        XDS_FMT(out->match));
    out->action = xds_slice_of(route->action_field);
    if (route->action == XDS_ACTION_CLUSTER || route->action == XDS_ACTION_PLUGIN)
        out->cluster = xds_arena_dup(map->run_arena, route->cluster);
    fill_targets(map, route, places + 1, out);
}

static void fill_routes(struct xds_coverage_map *map,
                        const struct xds_route_config *model,
                        const struct xds_place *places, struct xds_covered_config *config)
{
    for (size_t i = 0; i < model->n_virtual_hosts; i++)
        config->n_routes += model->virtual_hosts[i].n_routes;
    struct xds_covered_route *out = config->routes =
        XDS_NEW_ARRAY(map->run_arena, struct xds_covered_route, config->n_routes);

    for (size_t i = 0; i < model->n_virtual_hosts; i++) {
        const struct xds_virtual_host *host = &model->virtual_hosts[i];
        const struct xds_slice name = xds_arena_dup(map->run_arena, host->name);

        for (size_t k = 0; k < host->n_routes; k++, out++) {
            const struct xds_route *route = &host->routes[k];

            *out = (struct xds_covered_route){
                .virtual_host = i,
                .index = k,
                .path = xds_arena_printf(map->run_arena, "virtual_hosts[%zu].routes[%zu]",
                                         i, k),
                .virtual_host_name = name,
                .shadowed_by = XDS_NOT_SHADOWED};
            fill_route(map, host, route, places, out);
            places += 1 + route->n_weighted;
        }
    }
}

/* The same configuration, that another file of tests has read already. */
static struct xds_covered_config *find_config(const struct xds_coverage_map *map,
                                              const struct xds_covered_config *same)
{
    for (size_t i = 0; i < map->table->told.n_configs; i++) {
        struct xds_covered_config *c = map->table->configs[i];

        if (c->is_inline == same->is_inline && xds_slice_eq(c->name, same->name) &&
            xds_slice_eq(c->file, same->file) && c->n_routes == same->n_routes)
            return c;
    }
    return NULL;
}

static void **slot_of(struct xds_coverage_map *map, const struct xds_route_config *model)
{
    /* The address of the model tells the configurations apart. */
    return xds_strmap_at(&map->by_model,
                         (struct xds_slice){(const char *)&model, sizeof(model)});
}

/* A configuration, from its path in the resource on. */
struct site {
    const struct xds_resource *in;
    const struct xds_path *root;
    struct xds_slice name, file;
    bool is_inline;
};

static void add_config(struct xds_coverage_map *map, const struct site *site,
                       const struct xds_route_config *model, struct xds_arena *scratch)
{
    if (!model)
        return;
    struct xds_covered_config *config =
        XDS_NEW(map->run_arena, struct xds_covered_config);

    *config =
        (struct xds_covered_config){.name = xds_arena_dup(map->run_arena, site->name),
                                    .is_inline = site->is_inline,
                                    .file = xds_arena_dup(map->run_arena, site->file)};
    fill_routes(map, model, find_places(site->in, site->root, model, scratch), config);
    struct xds_covered_config *old = find_config(map, config);

    if (!old) {
        struct xds_coverage_table *table = map->table;
        struct xds_coverage *told = &table->told;

        table->configs = xds_list_room(map->run_arena, table->configs, told->n_configs,
                                       sizeof(struct xds_covered_config *));
        table->configs[told->n_configs++] = config;
        told->configs = (const struct xds_covered_config *const *)table->configs;
    }
    *slot_of(map, model) = old ? old : config;
}

/* Of a filter chain, by the name that a request starts at. */
static void add_chain(struct xds_coverage_map *map, struct site site,
                      const struct xds_listener *chain, struct xds_arena *scratch)
{
    const struct xds_path *at = chain->in_chain == XDS_DEFAULT_CHAIN
                                    ? XDS_AT(NULL, "default_filter_chain")
                                    : XDS_AT_I(NULL, "filter_chains", chain->in_chain);
    const struct xds_path *filter = XDS_AT_I(at, "filters", chain->in_filter);

    site.root = XDS_AT(filter, "typed_config.route_config");
    site.name = xds_start_name(chain);
    site.is_inline = true;
    add_config(map, &site, chain->route_config, scratch);
}

void xds_coverage_add(struct xds_coverage_map *map, const struct xds_resource *in,
                      const struct xds_snapshot_entry *entry, struct xds_slice file,
                      struct xds_arena *scratch)
{
    const struct xds_listener *listener = entry->model;
    struct site site = {.in = in, .name = entry->name, .file = file};

    if (entry->type == XDS_TYPE_ROUTE)
        add_config(map, &site, entry->model, scratch);
    if (entry->type != XDS_TYPE_LISTENER || !listener)
        return;
    for (size_t i = 0; i < listener->n_chains; i++)
        add_chain(map, site, &listener->chains[i], scratch);
    site.root = XDS_AT(NULL, "api_listener.api_listener.route_config");
    site.is_inline = true;
    add_config(map, &site, listener->route_config, scratch);
}

/* ---- use ---- */

struct xds_covered_config *xds_coverage_config(struct xds_coverage_map *map,
                                               const struct xds_route_config *model)
{
    return *slot_of(map, model);
}

void xds_coverage_use_config(struct xds_coverage_map *map,
                             const struct xds_route_config *model, enum xds_client client)
{
    struct xds_covered_config *config = model ? xds_coverage_config(map, model) : NULL;
    struct xds_covered_route *out = config ? config->routes : NULL;

    if (!out)
        return;
    for (size_t i = 0; i < model->n_virtual_hosts; i++)
        for (size_t k = 0; k < model->virtual_hosts[i].n_routes; k++, out++)
            if (!(model->virtual_hosts[i].routes[k].skipped_by & XDS_CLIENT_BIT(client)))
                out->clients |= XDS_CLIENT_BIT(client);
}

/* Without an API listener: where an RPC can start all the same. */
static void use_all(struct xds_coverage_map *map, const struct xds_snapshot *snapshot,
                    enum xds_client client)
{
    const struct xds_snapshot_entry *e;

    for (e = snapshot->first[XDS_TYPE_ROUTE]; e; e = e->next)
        xds_coverage_use_config(map, e->model, client);
    for (e = snapshot->first[XDS_TYPE_LISTENER]; e; e = e->next) {
        const struct xds_listener *listener = e->model;

        for (size_t i = 0; listener && i < listener->n_chains; i++)
            xds_coverage_use_config(map, listener->chains[i].route_config, client);
    }
}

void xds_coverage_use(struct xds_coverage_map *map, const struct xds_snapshot *snapshot,
                      enum xds_client client)
{
    const struct xds_snapshot_entry *e = snapshot->first[XDS_TYPE_LISTENER];

    if (!xds_snapshot_has_api_listener(snapshot))
        use_all(map, snapshot, client);
    for (; e; e = e->next) {
        const char *why;
        const struct xds_listener *listener =
            xds_accepted(snapshot, client, XDS_TYPE_LISTENER, e->name, &why);

        if (!listener || !listener->is_api_listener)
            continue;
        xds_coverage_use_config(
            map,
            listener->rds_name.data
                ? xds_accepted(snapshot, client, XDS_TYPE_ROUTE, listener->rds_name, &why)
                : listener->route_config,
            client);
    }
}

/* ---- RPCs ---- */

static bool has_name(const struct xds_tree *cluster, struct xds_slice name)
{
    const struct xds_tree *text =
        cluster->kind == XDS_TREE_OBJECT ? xds_tree_member(cluster, "name") : NULL;

    return text && text->kind == XDS_TREE_STRING && xds_slice_eq(text->text, name);
}

/* "cluster" or one of "clusters" has this name. */
static bool is_expected(const struct xds_tree *expect, struct xds_slice name)
{
    const struct xds_tree *one = xds_tree_member(expect, "cluster");
    const struct xds_tree *list = xds_tree_member(expect, "clusters");

    if (one && has_name(one, name))
        return true;
    for (size_t i = 0; list && list->kind == XDS_TREE_ARRAY && i < list->n; i++)
        if (has_name(&list->items[i], name))
            return true;
    return false;
}

static bool is_possible(const struct xds_decision *d, struct xds_slice name)
{
    for (size_t i = 0; i < d->n_clusters; i++)
        if (xds_slice_eq(d->clusters[i].name, name))
            return d->clusters[i].probability > 0;
    return false;
}

static bool takes_target(const struct xds_decision *d, const struct xds_tree *expect,
                         const struct xds_covered_target *target)
{
    const struct xds_route *route = d->route->route;

    if (!d->cluster)
        return is_possible(d, target->cluster) && is_expected(expect, target->cluster);
    if (d->entry && d->cluster->why != XDS_CLUSTER_COOKIE)
        return d->entry == &route->weighted[target->index];
    return xds_slice_eq(d->cluster->name, target->cluster);
}

/* Who reads it wants an example, not all of them. */
enum { MOST_CASES = 5 };

void xds_coverage_note_case(struct xds_arena *arena, struct xds_covering_case **cases,
                            size_t *n, const struct xds_covering_case *by)
{
    if (*n == MOST_CASES)
        return;
    *cases = xds_list_room(arena, *cases, *n, sizeof **cases);
    (*cases)[(*n)++] = *by;
}

struct xds_covered_route *xds_coverage_mark_route(struct xds_coverage_map *map,
                                                  const struct xds_route_config *model,
                                                  size_t virtual_host, size_t route,
                                                  const struct xds_covering_case *by)
{
    struct xds_covered_config *config = *slot_of(map, model);
    size_t at = 0;

    if (!config)
        return NULL;
    for (size_t i = 0; i < virtual_host; i++)
        at += model->virtual_hosts[i].n_routes;
    struct xds_covered_route *covered = &config->routes[at + route];

    covered->times++;
    xds_coverage_note_case(map->run_arena, &covered->cases, &covered->n_cases, by);
    return covered;
}

void xds_coverage_mark(struct xds_coverage_map *map, const struct xds_decision *d,
                       const struct xds_tree *expect, const struct xds_covering_case *by)
{
    struct xds_covered_route *route =
        d->route && d->start.route_config
            ? xds_coverage_mark_route(map, d->start.route_config, d->virtual_host.index,
                                      d->route->index, by)
            : NULL;

    for (size_t i = 0; route && i < route->n_targets; i++)
        if (takes_target(d, expect, &route->targets[i]))
            route->targets[i].times++;
}

/* ---- the sum ---- */

void xds_coverage_sum(struct xds_coverage *coverage)
{
    for (size_t i = 0; i < coverage->n_configs; i++)
        for (size_t k = 0; k < coverage->configs[i]->n_routes; k++) {
            const struct xds_covered_route *route = &coverage->configs[i]->routes[k];

            coverage->unreached += route->clients && !route->reached_by;
            if (!route->clients || !route->reached_by)
                continue;
            coverage->routes++;
            coverage->routes_covered += route->times > 0;
            coverage->targets += route->n_targets;
            for (size_t t = 0; t < route->n_targets; t++)
                coverage->targets_covered += route->targets[t].times > 0;
        }
}
