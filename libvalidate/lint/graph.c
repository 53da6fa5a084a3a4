/*
 * graph.c - who names whom in a snapshot, and where what is kept of it is.
 *
 * Source: gRFC A27, A28, A37, A42, A55; spec routing 3.4, 4, 5.1.
 */
#include "lint/checks.h"

#include <stdlib.h>
#include <xxhash.h>

/* How far down in the routes a field is. */
enum level { OF_RESOURCE, OF_HOST, OF_ROUTE, OF_ENTRY };

static const struct form {
    enum level level;
    enum xds_step_kind step; /* INDEX: the first one, or the child of an aggregate */
    const char *field;
} forms[] = {
    [XDS_SITE_NONE] = {OF_RESOURCE, XDS_STEP_FIELD, NULL},
    [XDS_SITE_RDS] = {OF_RESOURCE, XDS_STEP_FIELD, "rds.route_config_name"},
    [XDS_SITE_ROUTE_CLUSTER] = {OF_ROUTE, XDS_STEP_FIELD, "route.cluster"},
    [XDS_SITE_WEIGHTED_CLUSTER] = {OF_ENTRY, XDS_STEP_FIELD, "name"},
    [XDS_SITE_NON_FORWARDING] = {OF_ROUTE, XDS_STEP_FIELD, "non_forwarding_action"},
    [XDS_SITE_HASH_POLICY] = {OF_ROUTE, XDS_STEP_INDEX, "route.hash_policy"},
    [XDS_SITE_HOST_OVERRIDE] = {OF_HOST, XDS_STEP_KEY, "typed_per_filter_config"},
    [XDS_SITE_ROUTE_OVERRIDE] = {OF_ROUTE, XDS_STEP_KEY, "typed_per_filter_config"},
    [XDS_SITE_WEIGHTED_OVERRIDE] = {OF_ENTRY, XDS_STEP_KEY, "typed_per_filter_config"},
    [XDS_SITE_CLUSTER_NAME] = {OF_RESOURCE, XDS_STEP_FIELD, "name"},
    [XDS_SITE_SERVICE_NAME] = {OF_RESOURCE, XDS_STEP_FIELD,
                               "eds_cluster_config.service_name"},
    [XDS_SITE_CHILD] = {OF_RESOURCE, XDS_STEP_INDEX, "clusters"},
    [XDS_SITE_TIMEOUT] = {OF_ROUTE, XDS_STEP_FIELD, "route.timeout"},
    [XDS_SITE_FORWARDING] = {OF_ROUTE, XDS_STEP_FIELD, "route"},
    [XDS_SITE_CHAIN_RDS] = {OF_RESOURCE, XDS_STEP_FIELD, "rds.route_config_name"},
    [XDS_SITE_HEADERS] = {OF_ROUTE, XDS_STEP_FIELD, "match.headers"},
};

static void push(struct xds_site_frames *frames, enum xds_step_kind step,
                 const char *field, size_t index, struct xds_slice key)
{
    frames->at[frames->n] = (struct xds_path){
        .up = frames->n > 0 ? &frames->at[frames->n - 1] : NULL,
        .kind = step,
        .field = field,
        .index = index,
        .key = key,
    };
    frames->n++;
}

static void push_all(struct xds_site_frames *frames, const struct xds_path *path)
{
    if (!path)
        return;
    push_all(frames, path->up);
    push(frames, path->kind, path->field, path->index, path->key);
}

/* Above the virtual hosts in a filter chain. */
static void push_chain(struct xds_site_frames *frames, struct xds_site site)
{
    const struct xds_slice none = {NULL, 0};

    if (site.entry == XDS_DEFAULT_CHAIN)
        push(frames, XDS_STEP_FIELD, "default_filter_chain", 0, none);
    else
        push(frames, XDS_STEP_INDEX, "filter_chains", site.entry, none);
    push(frames, XDS_STEP_INDEX, "filters", site.filter - 1u, none);
    push(frames, XDS_STEP_FIELD, "typed_config", 0, none);
    push(frames, XDS_STEP_VALUE, "value", 0, XDS_S(XDS_CONNECTION_MANAGER));
    if (site.kind != XDS_SITE_CHAIN_RDS)
        push(frames, XDS_STEP_FIELD, "route_config", 0, none);
}

const struct xds_path *xds_site_path(struct xds_site site, struct xds_slice key,
                                     struct xds_site_frames *frames)
{
    const struct form *form = &forms[site.kind];
    const struct xds_slice none = {NULL, 0};

    frames->n = 0;
    /* Above the virtual hosts, or above the list of an aggregate. */
    if (site.kind == XDS_SITE_RDS)
        push_all(frames, XDS_AT_CONNECTION_MANAGER);
    else if (site.kind == XDS_SITE_CHILD)
        push_all(frames, XDS_AT_AGGREGATE);
    else if (site.filter > 0)
        push_chain(frames, site);
    else if (site.is_inline)
        push_all(frames, XDS_AT_INLINE_ROUTES);
    if (form->level >= OF_HOST)
        push(frames, XDS_STEP_INDEX, "virtual_hosts", site.host, none);
    if (form->level >= OF_ROUTE)
        push(frames, XDS_STEP_INDEX, "routes", site.route, none);
    if (form->level >= OF_ENTRY) {
        push(frames, XDS_STEP_FIELD, "route.weighted_clusters", 0, none);
        push(frames, XDS_STEP_INDEX, "clusters", site.entry, none);
    }
    push(frames, form->step, form->field, form->level == OF_RESOURCE ? site.entry : 0,
         form->step == XDS_STEP_KEY ? key : none);
    return &frames->at[frames->n - 1];
}

/* Each reference is looked up here, and they come in no order: a slot is as small as can
 * be, so that the table stays near the processor, and what it leads to lies together. A
 * strmap has slots of twice the size, and keeps those from before each growth. */

#define FIRST_CAP 64

struct xds_graph_slot {
    uint64_t hash;
    struct xds_graph_name *name; /* NULL: free */
};

static uint64_t hash_of(struct xds_slice text)
{
    return XXH3_64bits(xds_slice_text(text), text.len);
}

static struct xds_graph_slot *find_slot(const struct xds_graph_names *names,
                                        struct xds_slice text, uint64_t hash)
{
    size_t i = (size_t)hash & (names->cap - 1);

    while (names->slots[i].name && !(names->slots[i].hash == hash &&
                                     xds_slice_eq(names->slots[i].name->text, text)))
        i = (i + 1) & (names->cap - 1);
    return &names->slots[i];
}

void xds_graph_rename(struct xds_graph *graph, struct xds_arena *of_names)
{
    graph->of_names = of_names;
    for (size_t i = 0; i < XDS_ARRAY_LEN(graph->names); i++) {
        struct xds_graph_names *names = &graph->names[i];

        if (names->n > 0)
            memset(names->slots, 0, names->cap * sizeof *names->slots);
        names->n = 0;
    }
}

void xds_graph_release(struct xds_graph *graph)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(graph->names); i++)
        free(graph->names[i].slots);
    memset(graph->names, 0, sizeof graph->names);
}

static struct xds_graph_name *new_name(struct xds_graph *graph,
                                       enum xds_resource_type type, struct xds_slice text)
{
    graph->of_names->guard = graph->arena->guard; /* memory runs out for the graph */
    struct xds_graph_name *name =
        xds_arena_alloc(graph->of_names, sizeof *name + text.len + 1);
    char *copy = (char *)(name + 1);

    if (text.len > 0)
        memcpy(copy, text.data, text.len);
    copy[text.len] = '\0';
    *name = (struct xds_graph_name){
        .text = xds_slice_make(copy, text.len), .type = (uint8_t)type, .graph = graph};
    return name;
}

/* The name as the graph keeps it once. */
static struct xds_graph_name *name_of(struct xds_graph *graph,
                                      enum xds_resource_type type, struct xds_slice text)
{
    struct xds_graph_names *names = &graph->names[type];
    const uint64_t hash = hash_of(text);

    if (names->n * 4 >= names->cap * 3) {
        /* All names differ. The slots are none of the arena's, which would keep those
         * from before each time that they grow. */
        const struct xds_graph_names old = *names;
        const size_t cap = old.cap ? old.cap * 2 : FIRST_CAP;

        names->slots = xds_arena_realloc(graph->arena, NULL, cap, sizeof *names->slots);
        names->cap = cap;
        memset(names->slots, 0, cap * sizeof *names->slots);
        for (size_t k = 0; k < old.cap; k++) {
            size_t i = (size_t)old.slots[k].hash & (names->cap - 1);

            if (!old.slots[k].name)
                continue;
            while (names->slots[i].name)
                i = (i + 1) & (names->cap - 1);
            names->slots[i] = old.slots[k];
        }
        free(old.slots);
    }
    struct xds_graph_slot *slot = find_slot(names, text, hash);
    if (!slot->name) {
        *slot = (struct xds_graph_slot){hash, new_name(graph, type, text)};
        names->n++;
    }
    return slot->name;
}

/* The name in this graph of what may be one of another graph. */
static struct xds_graph_name *adopt(struct xds_graph *graph, struct xds_graph_name *name)
{
    if (name->graph == graph)
        return name;
    if (!name->adopted)
        name->adopted = name_of(graph, (enum xds_resource_type)name->type, name->text);
    return name->adopted;
}

/* It will be asked for soon: many names lie far apart, so that it pays to fetch what
 * leads to several of them at a time. */
static void expect(const struct xds_graph *graph, enum xds_resource_type type,
                   struct xds_slice text)
{
    const struct xds_graph_names *names = &graph->names[type];

    if (names->cap)
        __builtin_prefetch(&names->slots[hash_of(text) & (names->cap - 1)]);
}

struct xds_node *xds_graph_find(const struct xds_graph *graph,
                                enum xds_resource_type type, struct xds_slice text)
{
    const struct xds_graph_names *names = &graph->names[type];
    const struct xds_graph_name *name =
        names->cap ? find_slot(names, text, hash_of(text))->name : NULL;

    return name ? name->node : NULL;
}

/* ---- hash policies ---- */

/* By a policy that yields a hash: a header that ends in -bin is never seen. */
static bool is_hashed(const struct xds_route *route)
{
    for (size_t i = 0; i < route->n_hash_policies; i++) {
        const struct xds_hash_policy *policy = &route->hash_policies[i];

        if (policy->kind == XDS_HASH_CHANNEL_ID ||
            (policy->kind == XDS_HASH_HEADER && policy->header_name.len > 0 &&
             !xds_slice_ends(policy->header_name, XDS_S("-bin"))))
            return true;
    }
    return false;
}

/* ---- session affinity ---- */

/* Session affinity as core has it, which is the only one to have it. */
static enum xds_sessions sessions_of(const struct xds_listener *listener,
                                     unsigned with_sessions)
{
    enum xds_sessions out = XDS_SESSIONS_NONE;

    for (size_t i = 0; i < listener->n_filters; i++) {
        const struct xds_filter *filter = &listener->filters[i];

        if (!(filter->kind == XDS_FILTER_STATEFUL_SESSION &&
              (with_sessions & ~filter->dropped_by)))
            continue;
        if (filter->session && filter->session->enabled && !filter->disabled)
            return XDS_SESSIONS_ON;
        out = XDS_SESSIONS_OFF;
    }
    return out;
}

static const struct xds_filter_override *session_of(const struct xds_overrides *overrides)
{
    for (size_t i = 0; i < overrides->n; i++)
        if (overrides->entries[i].kind == XDS_FILTER_STATEFUL_SESSION)
            return &overrides->entries[i];
    return NULL;
}

/* Add what the route says to the reference that it makes at this site. Is it hashed? */
static bool add_route_facts(struct xds_arena *arena, struct xds_ref *ref,
                            struct xds_site site, const struct xds_route_scope *scope)
{
    const bool hashed = is_hashed(scope->route);

    /* Most references are in one route only, whose site is kept already. */
    if (ref->times == 1) {
        ref->is_hashed = hashed;
    } else if (ref->is_hashed != hashed && !ref->otherwise) {
        struct xds_site *otherwise = XDS_NEW(arena, struct xds_site);

        *otherwise = site;
        ref->otherwise = otherwise;
    }
    ref->hashed_alone |= hashed && !scope->entry;

    /* The most specific override counts. */
    const struct xds_filter_override *override =
        scope->entry ? session_of(&scope->entry->overrides) : NULL;

    if (!override)
        override = session_of(&scope->route->overrides);
    if (!override)
        override = session_of(&scope->host->overrides);
    if (!override)
        ref->session_as_listener = true;
    else if (override->session && override->session->enabled && !override->disabled)
        ref->session_on = true;
    return hashed;
}

/* ---- domains ---- */

/* Keep the domains of all virtual hosts, unless one of them takes every authority. */
static void keep_domains(struct xds_arena *arena, const struct xds_route_config *config,
                         struct xds_routes_facts *routes)
{
    size_t n = 0;

    for (size_t i = 0; i < config->n_virtual_hosts; i++)
        for (size_t k = 0; k < config->virtual_hosts[i].n_domains; k++, n++)
            if (xds_slice_is(config->virtual_hosts[i].domains[k], "*"))
                return;

    struct xds_slice *domains = XDS_NEW_ARRAY(arena, struct xds_slice, n);

    for (size_t i = 0; i < config->n_virtual_hosts; i++)
        for (size_t k = 0; k < config->virtual_hosts[i].n_domains; k++)
            domains[routes->n_domains++] =
                xds_arena_dup(arena, config->virtual_hosts[i].domains[k]);
    routes->domains = domains;
}

void xds_graph_init(struct xds_graph *graph, struct xds_arena *arena,
                    unsigned with_sessions, unsigned by_aggregate)
{
    *graph = (struct xds_graph){.arena = arena,
                                .of_names = arena,
                                .with_sessions = with_sessions,
                                .by_aggregate = by_aggregate};
    xds_strmap_init(&graph->filters, arena);
}

/* ---- references ---- */

/* The references of one resource. */
struct collector {
    struct xds_graph *graph;
    struct xds_arena *scratch;
    struct xds_node *node;
    struct xds_ref *refs; /* in the scratch memory until all are known */
    uint32_t n, cap;
    uint32_t route; /* of all its routes, from 1 */
};

static struct xds_ref *refer(struct collector *c, struct xds_site site,
                             enum xds_resource_type type, struct xds_slice text)
{
    struct xds_graph_name *name = name_of(c->graph, type, text);

    if (c->refs && name->named_by == c->node) {
        c->refs[name->ref].times++;
        if (name->route == c->route)
            c->refs[name->ref].same_route++;
        name->route = c->route;
        return &c->refs[name->ref];
    }
    name->named_by = c->node;
    name->ref = c->n;
    name->route = c->route;
    if (!c->refs || c->n == c->cap) {
        const uint32_t cap = c->cap ? c->cap * 2 : 16;
        struct xds_ref *more = xds_arena_alloc(c->scratch, cap * sizeof(struct xds_ref));

        if (c->refs)
            memcpy(more, c->refs, c->n * sizeof *more);
        c->refs = more;
        c->cap = cap;
    }

    struct xds_ref *ref = &c->refs[c->n++];
    *ref = (struct xds_ref){.name = name, .site = site, .times = 1};
    return ref;
}

static void refer_to_cluster(struct collector *c, struct xds_site site,
                             const struct xds_route_scope *scope)
{
    const struct xds_slice name =
        scope->entry ? scope->entry->name : scope->route->cluster;
    struct xds_ref *ref = refer(c, site, XDS_TYPE_CLUSTER, name);

    c->node->hashes |= add_route_facts(c->graph->arena, ref, site, scope);
}

static void refer_to_weighted(struct collector *c, struct xds_site site,
                              const struct xds_route_scope *scope)
{
    site.kind = XDS_SITE_WEIGHTED_CLUSTER;
    for (size_t i = 0; i < scope->route->n_weighted; i++) {
        const struct xds_weighted_cluster *entry = &scope->route->weighted[i];

        site.entry = (uint32_t)i;
        if (entry->weight > 0)
            refer_to_cluster(c, site,
                             &(struct xds_route_scope){scope->host, scope->route, entry});
    }
}

static void refer_from_route(struct collector *c, struct xds_site site,
                             const struct xds_route_scope *scope)
{
    switch (scope->route->action) {
    case XDS_ACTION_CLUSTER:
        site.kind = XDS_SITE_ROUTE_CLUSTER;
        refer_to_cluster(c, site, scope);
        break;
    case XDS_ACTION_WEIGHTED:
        refer_to_weighted(c, site, scope);
        break;
    case XDS_ACTION_PLUGIN:
        c->node->routes->names_at_will = true;
        break;
    case XDS_ACTION_NO_SPECIFIER:
    case XDS_ACTION_NON_FORWARDING:
    case XDS_ACTION_UNSUPPORTED:
        break;
    }
}

/* ---- what is kept of localities, filters and overrides ---- */

/* A copy of the localities with weight: of their endpoints only whether one is used. */
static const struct xds_endpoints *keep_localities(struct xds_arena *arena,
                                                   const struct xds_endpoints *endpoints)
{
    static const struct xds_endpoint used = {.health = XDS_HEALTH_HEALTHY};
    struct xds_endpoints *out = XDS_NEW(arena, struct xds_endpoints);
    struct xds_locality *localities =
        XDS_NEW_ARRAY(arena, struct xds_locality, endpoints->n_localities);

    for (size_t i = 0; i < endpoints->n_localities; i++) {
        const struct xds_locality *l = &endpoints->localities[i];

        localities[i] = (struct xds_locality){
            .region = xds_arena_dup(arena, l->region),
            .zone = xds_arena_dup(arena, l->zone),
            .sub_zone = xds_arena_dup(arena, l->sub_zone),
            .priority = l->priority,
            .index = l->index,
            .endpoints = &used,
            .n_endpoints = xds_locality_serves(l),
        };
    }
    out->localities = localities;
    out->n_localities = endpoints->n_localities;
    return out;
}

/* NULL when the endpoints of each locality have one weight. */
static struct xds_unequal *find_unequal(struct xds_arena *arena,
                                        const struct xds_endpoints *endpoints)
{
    for (size_t i = 0; i < endpoints->n_localities; i++) {
        const struct xds_locality *locality = &endpoints->localities[i];

        for (size_t k = 1; k < locality->n_endpoints; k++)
            if (locality->endpoints[k].weight != locality->endpoints[0].weight) {
                struct xds_unequal *out = XDS_NEW(arena, struct xds_unequal);

                out->locality = locality->index;
                out->endpoint = (uint32_t)k;
                return out;
            }
    }
    return NULL;
}

/* Few filters are named over and over. */
static struct xds_slice keep_name(struct xds_graph *graph, struct xds_slice name)
{
    return xds_strmap_entry_at(&graph->filters, name)->key;
}

struct keeper {
    struct xds_graph *graph;
    struct xds_strmap seen;
    struct xds_override_name **end;
};

static void keep_overrides(struct keeper *k, struct xds_site site,
                           enum xds_site_kind kind, const struct xds_overrides *overrides)
{
    site.kind = kind;
    for (size_t i = 0; i < overrides->n; i++) {
        void **slot = xds_strmap_at(&k->seen, overrides->entries[i].name);

        if (*slot)
            continue;
        struct xds_override_name *kept =
            XDS_NEW(k->graph->arena, struct xds_override_name);
        kept->name = keep_name(k->graph, overrides->entries[i].name);
        kept->site = site;
        *slot = kept;
        *k->end = kept;
        k->end = &kept->next;
    }
}

/* Keep the names of the overrides, and where the first route is that only servers can
 * use. scratch: for the time of the call. */
static void keep_all_overrides(struct xds_graph *graph, struct xds_arena *scratch,
                               const struct xds_route_config *config, bool is_inline,
                               struct xds_routes_facts *routes)
{
    struct keeper k = {.graph = graph, .end = &routes->overrides};

    xds_strmap_init(&k.seen, scratch);
    for (size_t i = 0; i < config->n_virtual_hosts; i++) {
        const struct xds_virtual_host *host = &config->virtual_hosts[i];
        struct xds_site site = {.host = (uint32_t)i, .is_inline = is_inline};

        keep_overrides(&k, site, XDS_SITE_HOST_OVERRIDE, &host->overrides);
        for (size_t j = 0; j < host->n_routes; j++) {
            const struct xds_route *route = &host->routes[j];

            site.route = (uint32_t)j;
            site.entry = 0;
            keep_overrides(&k, site, XDS_SITE_ROUTE_OVERRIDE, &route->overrides);
            for (size_t e = 0; e < route->n_weighted; e++) {
                site.entry = (uint32_t)e;
                keep_overrides(&k, site, XDS_SITE_WEIGHTED_OVERRIDE,
                               &route->weighted[e].overrides);
            }
            if (route->action == XDS_ACTION_NON_FORWARDING &&
                routes->not_forwarding.kind == XDS_SITE_NONE) {
                site.kind = XDS_SITE_NON_FORWARDING;
                routes->not_forwarding = site;
            }
        }
    }
}

/* ---- what is kept of resources ---- */

/* Keep what there is to say of the routes as such. at: its filter and entry are set. */
static void keep_routes(struct collector *c, const struct xds_route_config *config,
                        struct xds_site at, const struct xds_limits *limits)
{
    struct xds_routes_facts *facts = c->node->routes;
    struct xds_unlimited *unlimited = NULL;

    for (size_t i = 0; i < config->n_virtual_hosts; i++) {
        const struct xds_virtual_host *host = &config->virtual_hosts[i];

        facts->n_routes += (uint32_t)host->n_routes;
        at.host = (uint32_t)i;
        for (size_t j = 0; j < host->n_routes; j++) {
            const struct xds_route *route = &host->routes[j];

            at.route = (uint32_t)j;
            if (route->skipped_by == XDS_ALL_CLIENTS)
                continue;
            at.kind = XDS_SITE_HEADERS;
            if (route->match.n_headers > 0 && !facts->headers.kind)
                facts->headers = at;
            at.kind = XDS_SITE_FORWARDING;
            if (route->action <= XDS_ACTION_PLUGIN && !facts->forwarding.kind)
                facts->forwarding = at;
            if (!route->timeout_unread)
                continue;
            if (!unlimited || c->graph->each_time) {
                at.kind = XDS_SITE_TIMEOUT;
                unlimited = XDS_NEW(c->graph->arena, struct xds_unlimited);
                *unlimited = (struct xds_unlimited){
                    .first = at, .limits = limits, .next = facts->unlimited};
                facts->unlimited = unlimited;
            }
            unlimited->n++;
        }
    }
}

static const struct xds_limits *keep_limits(struct collector *c,
                                            const struct xds_listener *listener)
{
    struct xds_limits *limits = XDS_NEW(c->graph->arena, struct xds_limits);

    *limits =
        (struct xds_limits){listener->max_stream_duration_ns, listener->idle_timeout_ns};
    return limits;
}

/* The references of a filter chain, by name only: no client follows them. */
static void refer_from_chain(struct collector *c, const struct xds_listener *chain)
{
    const struct xds_route_config *config = chain->route_config;
    const struct xds_site at = {.is_inline = true,
                                .entry = chain->in_chain,
                                .filter = (uint16_t)(chain->in_filter + 1)};
    const struct xds_site rds = {.kind = XDS_SITE_CHAIN_RDS,
                                 .entry = chain->in_chain,
                                 .filter = (uint16_t)(chain->in_filter + 1)};
    const struct xds_limits *limits = keep_limits(c, chain);

    if (chain->rds_name.len > 0) {
        struct xds_ref *ref = refer(c, rds, XDS_TYPE_ROUTE, chain->rds_name);

        if (ref->times == 1 || limits->max_stream_duration_ns == 0)
            ref->limits = limits;
    }
    if (!config)
        return;
    keep_routes(c, config, at, limits);
    for (size_t i = 0; i < config->n_virtual_hosts; i++)
        for (size_t j = 0; j < config->virtual_hosts[i].n_routes; j++) {
            const struct xds_route *route = &config->virtual_hosts[i].routes[j];

            if (route->action == XDS_ACTION_CLUSTER)
                (void)refer(c, at, XDS_TYPE_CLUSTER, route->cluster);
            for (size_t k = 0; k < route->n_weighted; k++)
                (void)refer(c, at, XDS_TYPE_CLUSTER, route->weighted[k].name);
        }
}

static void refer_from_routes(struct collector *c, const struct xds_route_config *config,
                              bool is_inline, const struct xds_limits *limits)
{
    keep_routes(c, config, (struct xds_site){.is_inline = is_inline}, limits);
    keep_domains(c->graph->arena, config, c->node->routes);
    keep_all_overrides(c->graph, c->scratch, config, is_inline, c->node->routes);
    for (size_t i = 0; i < config->n_virtual_hosts; i++) {
        const struct xds_virtual_host *host = &config->virtual_hosts[i];

        for (size_t j = 0; j < host->n_routes; j++) {
            const struct xds_route *route = &host->routes[j];

            if (route->action == XDS_ACTION_CLUSTER)
                expect(c->graph, XDS_TYPE_CLUSTER, route->cluster);
            for (size_t k = 0; k < route->n_weighted; k++)
                expect(c->graph, XDS_TYPE_CLUSTER, route->weighted[k].name);
        }
        for (size_t j = 0; j < host->n_routes; j++, c->route++)
            if (host->routes[j].skipped_by != XDS_ALL_CLIENTS)
                refer_from_route(
                    c,
                    (struct xds_site){.host = (uint32_t)i,
                                      .route = (uint32_t)j,
                                      .is_inline = is_inline},
                    &(struct xds_route_scope){.host = host, .route = &host->routes[j]});
    }
}

static void refer_from_listener(struct collector *c, const struct xds_listener *listener)
{
    c->node->listener->is_api = listener->is_api_listener;
    c->node->listener->for_servers = !listener->is_api_listener;
    c->node->listener->is_empty = !listener->is_api_listener &&
                                  !listener->has_filter_chains && !listener->address.data;
    c->node->listener->sessions = sessions_of(listener, c->graph->with_sessions);

    /* Keep the names of the filters. */
    const size_t n = listener->n_filters;
    struct xds_slice *names = XDS_NEW_ARRAY(c->graph->arena, struct xds_slice, n);

    for (size_t i = 0; i < n; i++)
        names[i] = keep_name(c->graph, listener->filters[i].name);
    c->node->listener->filters = names;
    c->node->listener->n_filters = n;
    if (!listener->is_api_listener) {
        for (size_t i = 0; i < listener->n_chains; i++)
            refer_from_chain(c, &listener->chains[i]);
        return;
    }
    const struct xds_limits *limits = keep_limits(c, listener);

    if (listener->rds_name.len > 0)
        refer(c, (struct xds_site){.kind = XDS_SITE_RDS}, XDS_TYPE_ROUTE,
              listener->rds_name)
            ->limits = limits;
    if (listener->route_config)
        refer_from_routes(c, listener->route_config, true, limits);
}

static void refer_from_cluster(struct collector *c, const struct xds_cluster *cluster)
{
    struct xds_cluster_facts *facts = c->node->cluster;

    facts->kind = cluster->kind;
    facts->override_host_status = cluster->override_host_status;
    facts->has_override_host_status = cluster->has_override_host_status;
    facts->reports_load = cluster->reports_load;
    /* Keep the clients whose policy picks by a hash that routes make, or may do so. */
    for (enum xds_client client = 0; client < XDS_CLIENTS; client++) {
        const struct xds_lb_policy *policy = xds_cluster_policy(cluster, client);
        const struct xds_lb_traits *row = xds_lb_traits(policy);

        facts->policy[client] = (unsigned char)policy->kind;
        if (cluster->kind != XDS_CLUSTER_AGGREGATE)
            facts->leaf_policies[client] = UINT32_C(1) << policy->kind;
        if (cluster->kind == XDS_CLUSTER_AGGREGATE &&
            !(c->graph->by_aggregate & XDS_CLIENT_BIT(client)))
            continue;
        if (row->hashes && policy->request_hash_header.len == 0)
            facts->ring_hash |= XDS_CLIENT_BIT(client);
        if (row->hashes || row->open)
            facts->may_hash |= XDS_CLIENT_BIT(client);
    }
    c->node->hashes = facts->ring_hash != 0;
    if (cluster->kind == XDS_CLUSTER_EDS)
        /* Without a service_name it is the cluster's own name. */
        (void)refer(
            c,
            (struct xds_site){.kind = (xds_slice_eq(cluster->eds_name, cluster->name)
                                           ? XDS_SITE_CLUSTER_NAME
                                           : XDS_SITE_SERVICE_NAME)},
            XDS_TYPE_ENDPOINT, cluster->eds_name);
    for (uint32_t i = 0;
         cluster->kind == XDS_CLUSTER_AGGREGATE && i < cluster->n_children; i++) {
        const struct xds_site site = {.kind = XDS_SITE_CHILD, .entry = i};
        struct xds_ref *ref = refer(c, site, XDS_TYPE_CLUSTER, cluster->children[i]);

        if (ref->times == 2)
            ref->site.again = i;
    }
}

struct xds_node *xds_graph_read(struct xds_graph *graph, struct xds_arena *scratch,
                                const struct xds_snapshot_entry *entry)
{
    struct xds_node *node = XDS_NEW(graph->arena, struct xds_node);
    struct collector c = {.graph = graph, .scratch = scratch, .node = node, .route = 1};

    node->name = name_of(graph, entry->type, entry->name);
    node->resource = entry->resource;
    node->is_unread = !entry->model;
    switch (entry->type) {
    case XDS_TYPE_LISTENER:
        node->listener = XDS_NEW(graph->arena, struct xds_listener_facts);
        node->routes = XDS_NEW(graph->arena, struct xds_routes_facts);
        if (entry->model)
            refer_from_listener(&c, entry->model);
        node->listener->is_api |= entry->is_api;
        break;
    case XDS_TYPE_ROUTE:
        node->routes = XDS_NEW(graph->arena, struct xds_routes_facts);
        if (entry->model)
            refer_from_routes(&c, entry->model, false, NULL);
        break;
    case XDS_TYPE_CLUSTER:
        node->cluster = XDS_NEW(graph->arena, struct xds_cluster_facts);
        if (entry->model) {
            refer_from_cluster(&c, entry->model);
        } else { /* nothing is reported of what may be */
            node->cluster->kind = XDS_CLUSTER_UNSUPPORTED;
            node->cluster->may_hash = XDS_ALL_CLIENTS;
        }
        break;
    case XDS_TYPE_ENDPOINT:
        if (entry->model)
            node->unequal = find_unequal(graph->arena, entry->model);
        if (entry->model && graph->keeps_localities)
            node->endpoints = keep_localities(graph->arena, entry->model);
        break;
    case XDS_TYPE_UNKNOWN:
        break;
    }

    const size_t size = c.n * sizeof(struct xds_ref);

    if (node->listener && node->listener->for_servers)
        node->n_chain_refs = c.n;
    else
        node->n_refs = c.n;
    /* Of none too there is an end. */
    node->refs = xds_arena_alloc(graph->arena, size);
    if (c.n > 0)
        memcpy(node->refs, c.refs, size);
    return node;
}

/* Of what may be NULL. */
static void *copy_of(struct xds_arena *arena, const void *from, size_t size)
{
    return from ? memcpy(xds_arena_alloc(arena, size), from, size) : NULL;
}

static struct xds_routes_facts *copy_routes(struct xds_arena *arena,
                                            const struct xds_routes_facts *from)
{
    struct xds_routes_facts *out = copy_of(arena, from, sizeof *out);
    struct xds_override_name **end = out ? &out->overrides : NULL;

    for (const struct xds_override_name *o = out ? from->overrides : NULL; o;
         o = o->next) {
        *end = copy_of(arena, o, sizeof *o);
        end = &(*end)->next;
    }
    return out;
}

struct xds_node *xds_graph_copy(struct xds_graph *graph, const struct xds_node *node)
{
    struct xds_arena *arena = graph->arena;
    struct xds_node *out = XDS_NEW(arena, struct xds_node);
    const size_t n = node->n_refs + node->n_chain_refs;

    *out = *node;
    out->name = name_of(graph, xds_node_type(node), node->name->text);
    out->refs = copy_of(arena, node->refs, n * sizeof *node->refs);
    for (size_t i = 0; i < n; i++)
        expect(graph, (enum xds_resource_type)node->refs[i].name->type,
               node->refs[i].name->text);
    for (size_t i = 0; i < n; i++)
        out->refs[i].name =
            name_of(graph, (enum xds_resource_type)node->refs[i].name->type,
                    node->refs[i].name->text);
    out->listener = copy_of(arena, node->listener, sizeof *node->listener);
    out->routes = copy_routes(arena, node->routes);
    out->cluster = copy_of(arena, node->cluster, sizeof *node->cluster);
    out->unequal = copy_of(arena, node->unequal, sizeof *node->unequal);
    return out;
}

struct xds_node *xds_graph_enter(struct xds_graph *graph, struct xds_node *node)
{
    const enum xds_resource_type type = xds_node_type(node);

    if (node->is_unread && node->name->text.len == 0) {
        graph->has_gaps = true;
        return node;
    }
    node->name = adopt(graph, node->name);

    const bool in_cluster = xds_node_type(node) == XDS_TYPE_CLUSTER;

    for (const struct xds_ref *ref = node->refs; ref < xds_chain_refs_end(node); ref++)
        if (ref->name->graph != graph)
            expect(graph, (enum xds_resource_type)ref->name->type, ref->name->text);
    for (uint32_t i = 0; i < node->n_refs + node->n_chain_refs; i++) {
        struct xds_graph_name *name = adopt(graph, node->refs[i].name);

        node->refs[i].name = name;
        if (i >= node->n_refs)
            continue;
        name->named_by_cluster |= in_cluster;
        name->named_by_route |= !in_cluster;
    }
    if (graph->last[type])
        graph->last[type]->next = node;
    else
        graph->first[type] = node;
    graph->last[type] = node;
    graph->holds_hashes |= node->hashes;
    graph->holds_leaves |=
        type == XDS_TYPE_CLUSTER && node->cluster->kind != XDS_CLUSTER_AGGREGATE;
    graph->has_repeats |= node->name->node != NULL;
    if (!node->name->node)
        node->name->node = node;
    return node->name->node;
}

/* ---- when all have passed ---- */

/* Nodes to visit, as a stack: a chain of clusters may be long. */
struct trail {
    struct xds_node **nodes;
    size_t n, cap;
    struct xds_arena *arena;
};

static void push_node(struct trail *trail, struct xds_node *node)
{
    if (!node || node->reached)
        return;
    node->reached = true;
    trail->nodes = xds_arena_room(trail->arena, trail->nodes, trail->n, &trail->cap,
                                  sizeof *trail->nodes);
    trail->nodes[trail->n++] = node;
}

static void follow(struct trail *trail)
{
    while (trail->n > 0) {
        const struct xds_node *from = trail->nodes[--trail->n];

        for (const struct xds_ref *ref = from->refs; ref < xds_refs_end(from); ref++)
            push_node(trail, xds_ref_to(ref));
    }
}

/* Clients use the last valid one of a name: what leads to the first one may lead to any.
 */
static void push_repeats(struct trail *trail, const struct xds_graph *graph)
{
    for (size_t type = 0; type < XDS_ARRAY_LEN(graph->first); type++)
        for (struct xds_node *n = graph->first[type]; n; n = n->next)
            if (n->name->node->reached)
                push_node(trail, n);
}

void xds_graph_link(struct xds_graph *graph)
{
    struct trail trail = {.arena = graph->arena};

    for (struct xds_node *n = graph->first[XDS_TYPE_LISTENER]; n; n = n->next)
        push_node(&trail, n);
    do {
        follow(&trail);
        if (graph->has_repeats)
            push_repeats(&trail, graph);
    } while (trail.n > 0);
}

bool xds_graph_holds(const struct xds_graph *graph, enum xds_resource_type type)
{
    return graph->first[type] != NULL;
}

bool xds_graph_is_open(const struct xds_graph *graph)
{
    if (graph->has_gaps)
        return true;
    for (const struct xds_node *n = graph->first[XDS_TYPE_LISTENER]; n; n = n->next) {
        if (n->listener->for_servers || n->routes->names_at_will || n->is_unread)
            return true;
        for (const struct xds_ref *ref = n->refs; ref < xds_refs_end(n); ref++)
            if (!xds_ref_to(ref) && ref->name->type == XDS_TYPE_ROUTE)
                return true;
    }
    for (const struct xds_node *n = graph->first[XDS_TYPE_ROUTE]; n; n = n->next)
        if (n->reached && (n->routes->names_at_will || n->is_unread))
            return true;
    for (const struct xds_node *n = graph->first[XDS_TYPE_CLUSTER]; n; n = n->next)
        if (n->reached && n->is_unread)
            return true;
    return !xds_graph_holds(graph, XDS_TYPE_LISTENER);
}
