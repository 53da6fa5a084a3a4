/*
 * coverage_servers.c - which filter chains of servers and policies of their RBAC filters
 *                      the RPCs of the cases have met.
 *
 * A policy of an override is none of them. Source: gRFC A36, A41.
 */
#include "decode/decode.h"
#include "server/rbac.h"
#include "suite/inner.h"

static void **slot_of(struct xds_strmap *map, const void *const *model)
{
    /* The address of the model tells them apart. */
    return xds_strmap_at(map, (struct xds_slice){(const char *)model, sizeof *model});
}

/* The filter chain of that number; the last one may be the default one. */
static const struct xds_filter_chain *chain_at(const struct xds_listener *listener,
                                               size_t i)
{
    return i < listener->n_filter_chains ? &listener->filter_chains[i]
                                         : listener->default_chain;
}

static size_t count_chains(const struct xds_listener *listener)
{
    return listener->n_filter_chains + (listener->default_chain != NULL);
}

/* Policies that decide nothing are not looked at. */
static size_t count_policies(const struct xds_listener *manager)
{
    size_t n = 0;

    for (size_t i = 0; i < manager->n_filters; i++)
        if (xds_rbac_is_enforced(manager->filters[i].rbac))
            n += manager->filters[i].rbac->n_policies;
    return n;
}

/* ---- positions ---- */

struct adding {
    struct xds_coverage_map *map;
    const struct xds_resource *in;
    struct xds_arena *scratch;
    struct xds_steps *paths; /* of all chains and policies, in the order of `places` */
    struct xds_covered_times **places;
    size_t n;
};

static void place(struct adding *a, const struct xds_path *path,
                  struct xds_covered_times *cover)
{
    a->paths[a->n] = xds_path_copy(a->scratch, path);
    a->places[a->n++] = cover;
}

static void find_places(struct adding *a)
{
    struct xds_place *found = XDS_NEW_ARRAY(a->scratch, struct xds_place, a->n);

    xds_locate_paths(a->in, a->scratch, a->paths, a->n, found);
    for (size_t i = 0; i < a->n; i++) {
        a->places[i]->line = found[i].line;
        a->places[i]->column = found[i].column;
    }
}

/* ---- servers ---- */

static void add_policies(struct adding *a, const struct xds_path *at,
                         const struct xds_filter *filter, struct xds_covered_chain *chain)
{
    const struct xds_path *rules = XDS_AT(at, "typed_config.rules");

    for (size_t i = 0; i < filter->rbac->n_policies; i++) {
        const struct xds_rbac_policy *policy = &filter->rbac->policies[i];
        struct xds_covered_policy *out = &chain->policies[chain->n_policies++];

        out->filter = xds_arena_dup(a->map->run_arena, filter->name);
        out->name = xds_arena_dup(a->map->run_arena, policy->name);
        out->action = filter->rbac->action == XDS_RBAC_ALLOW ? "ALLOW" : "DENY";
        place(a, XDS_AT_KEY(rules, "policies", policy->name), &out->cover);
    }
}

static void add_chain(struct adding *a, const struct xds_path *at,
                      const struct xds_filter_chain *model, struct xds_covered_chain *out)
{
    const struct xds_listener *manager = model->n_managers ? model->managers : NULL;

    out->name = xds_arena_dup(a->map->run_arena, model->name);
    place(a, at, &out->cover);
    if (!manager)
        return;
    const struct xds_path *inside =
        XDS_AT(XDS_AT_I(at, "filters", manager->in_filter), "typed_config");

    out->policies = XDS_NEW_ARRAY(a->map->run_arena, struct xds_covered_policy,
                                  count_policies(manager));
    for (size_t i = 0; i < manager->n_filters; i++)
        if (xds_rbac_is_enforced(manager->filters[i].rbac))
            add_policies(a, XDS_AT_I(inside, "http_filters", i), &manager->filters[i],
                         out);
}

static struct xds_covered_server *
make_server(struct adding *a, const struct xds_listener *listener, struct xds_slice file)
{
    struct xds_covered_server *server =
        XDS_NEW(a->map->run_arena, struct xds_covered_server);
    const size_t n = count_chains(listener);
    size_t places = n;

    for (size_t i = 0; i < n; i++)
        if (chain_at(listener, i)->n_managers > 0)
            places += count_policies(chain_at(listener, i)->managers);
    a->paths = XDS_NEW_ARRAY(a->scratch, struct xds_steps, places);
    a->places = XDS_NEW_ARRAY(a->scratch, struct xds_covered_times *, places);
    *server = (struct xds_covered_server){
        .name = xds_arena_dup(a->map->run_arena, listener->name),
        .address = xds_arena_dup(a->map->run_arena, listener->address),
        .file = xds_arena_dup(a->map->run_arena, file),
        .chains = XDS_NEW_ARRAY(a->map->run_arena, struct xds_covered_chain, n),
        .n_chains = n,
    };
    for (size_t i = 0; i < n; i++) {
        const bool is_default = i == listener->n_filter_chains;

        server->chains[i].index = is_default ? XDS_COVERED_DEFAULT : i;
        add_chain(a,
                  is_default ? XDS_AT(NULL, "default_filter_chain")
                             : XDS_AT_I(NULL, "filter_chains", i),
                  chain_at(listener, i), &server->chains[i]);
    }
    find_places(a);
    return server;
}

static bool same_policies(const struct xds_covered_server *a,
                          const struct xds_covered_server *b)
{
    for (size_t i = 0; i < a->n_chains; i++)
        if (a->chains[i].n_policies != b->chains[i].n_policies)
            return false;
    return true;
}

/* The same listener, that another file of tests has read already. */
static struct xds_covered_server *find_server(const struct xds_coverage_table *table,
                                              const struct xds_covered_server *same)
{
    for (size_t i = 0; i < table->told.n_servers; i++) {
        struct xds_covered_server *s = table->servers[i];

        if (xds_slice_eq(s->name, same->name) && xds_slice_eq(s->file, same->file) &&
            s->n_chains == same->n_chains && same_policies(s, same))
            return s;
    }
    return NULL;
}

/* The policies of the model lead to those of the table. */
static void link_policies(struct xds_coverage_map *map,
                          const struct xds_listener *listener,
                          const struct xds_covered_server *server)
{
    for (size_t i = 0; i < server->n_chains; i++) {
        const struct xds_filter_chain *chain = chain_at(listener, i);
        struct xds_covered_policy *out = server->chains[i].policies;

        for (size_t k = 0; chain->n_managers > 0 && k < chain->managers->n_filters; k++) {
            const struct xds_rbac *rbac = chain->managers->filters[k].rbac;

            for (size_t p = 0; xds_rbac_is_enforced(rbac) && p < rbac->n_policies; p++) {
                const void *model = &rbac->policies[p];

                *slot_of(&map->by_policy, &model) = out++;
            }
        }
    }
}

void xds_coverage_add_server(struct xds_coverage_map *map, const struct xds_resource *in,
                             const struct xds_listener *listener, struct xds_slice file,
                             struct xds_arena *scratch)
{
    struct adding adding = {.map = map, .in = in, .scratch = scratch};
    struct xds_coverage_table *table = map->table;
    const void *model = listener;

    if (listener->is_api_listener || !listener->has_filter_chains)
        return;
    struct xds_covered_server *server = make_server(&adding, listener, file);
    struct xds_covered_server *old = find_server(table, server);

    if (!old) {
        struct xds_coverage *told = &table->told;

        table->servers = xds_list_room(map->run_arena, table->servers, told->n_servers,
                                       sizeof(struct xds_covered_server *));
        table->servers[told->n_servers++] = server;
        told->servers = (const struct xds_covered_server *const *)table->servers;
    }
    server = old ? old : server;
    *slot_of(&map->by_server, &model) = server;
    link_policies(map, listener, server);
}

/* ---- use ---- */

static void use_chain(struct xds_coverage_map *map, const struct xds_snapshot *snapshot,
                      enum xds_client client, const struct xds_listener *manager)
{
    xds_coverage_use_config(
        map,
        manager->rds_name.data
            ? xds_accepted(snapshot, client, XDS_TYPE_ROUTE, manager->rds_name, NULL)
            : manager->route_config,
        client);
}

void xds_coverage_use_servers(struct xds_coverage_map *map,
                              const struct xds_snapshot *snapshot, enum xds_client client,
                              const struct xds_options *options,
                              struct xds_arena *scratch)
{
    for (const struct xds_snapshot_entry *e = snapshot->first[XDS_TYPE_LISTENER]; e;
         e = e->next) {
        const struct xds_listener *listener =
            xds_accepted(snapshot, client, XDS_TYPE_LISTENER, e->name, NULL);
        const void *model = listener;
        struct xds_covered_server *server =
            listener && listener == e->model ? *slot_of(&map->by_server, &model) : NULL;

        if (!server)
            continue;
        server->clients |= XDS_CLIENT_BIT(client);
        for (size_t i = 0; i < listener->n_chains; i++) {
            use_chain(map, snapshot, client, &listener->chains[i]);
            xds_coverage_reach_chain(map,
                                     &(struct xds_chain_routes){snapshot, client, options,
                                                                &listener->chains[i]},
                                     scratch);
        }
    }
}

/* ---- RPCs ---- */

static void mark(struct xds_coverage_map *map, struct xds_covered_times *cover,
                 const struct xds_covering_case *by)
{
    cover->times++;
    xds_coverage_note_case(map->run_arena, &cover->cases, &cover->n_cases, by);
}

void xds_coverage_mark_served(struct xds_coverage_map *map, const struct xds_served *d,
                              const struct xds_covering_case *by)
{
    const void *model = d->listener;
    struct xds_covered_server *server =
        d->listener ? *slot_of(&map->by_server, &model) : NULL;

    if (!server || !d->chains.chain)
        return;
    mark(map,
         &server
              ->chains[d->chains.index == XDS_DEFAULT_CHAIN ? server->n_chains - 1
                                                            : d->chains.index]
              .cover,
         by);
    if (d->route && d->route_config)
        (void)xds_coverage_mark_route(map, d->route_config, d->virtual_host.index,
                                      d->route->index, by);
    for (size_t i = 0; i < d->n_filters; i++) {
        const void *policy = d->filters[i].rbac ? d->filters[i].rbac->decided_by : NULL;
        struct xds_covered_policy *out =
            policy ? *slot_of(&map->by_policy, &policy) : NULL;

        if (out)
            mark(map, &out->cover, by);
    }
}

void xds_coverage_sum_servers(struct xds_coverage *coverage)
{
    for (size_t i = 0; i < coverage->n_servers; i++) {
        const struct xds_covered_server *server = coverage->servers[i];

        for (size_t k = 0; server->clients && k < server->n_chains; k++) {
            const struct xds_covered_chain *chain = &server->chains[k];

            coverage->chains.all++;
            coverage->chains.covered += chain->cover.times > 0;
            coverage->policies.all += chain->n_policies;
            for (size_t p = 0; p < chain->n_policies; p++)
                coverage->policies.covered += chain->policies[p].cover.times > 0;
        }
    }
}
