/*
 * service_config.c - the children of the cluster manager: one for each cluster that
 * routes name.
 *
 * Source: gRFC A31, spec routing 14.7, G-b, spec cluster 5.1.
 */
#include "base/limits.h"
#include "generate/config.h"
#include "model/names.h"

/* Does a route of this kind send RPCs to clusters of this client? */
static bool route_forwards(const struct xds_maker *maker, const struct xds_route *route)
{
    if (route->skipped_by & XDS_CLIENT_BIT(maker->client))
        return false;
    switch (route->action) {
    case XDS_ACTION_CLUSTER:
    case XDS_ACTION_WEIGHTED:
    case XDS_ACTION_PLUGIN:
        return true;
    case XDS_ACTION_NO_SPECIFIER:
    case XDS_ACTION_NON_FORWARDING:
    case XDS_ACTION_UNSUPPORTED:
        return false;
    }
    return false;
}

struct manager {
    struct xds_maker *maker;
    struct xds_strmap plugins; /* their lists of policies, by name */
    struct xds_strmap seen;
    struct xds_tree children;
};

static void add_child(struct manager *w, struct xds_slice key, struct xds_tree policy)
{
    const struct xds_maker *maker = w->maker;
    void **slot = xds_strmap_at(&w->seen, key);

    if (*slot)
        return;
    *slot = w;
    xds_tree_put_key(maker->arena, &w->children, key,
                     xds_tree_pair(maker->arena, maker->dialect.manager_child, policy));
}

static void add_cluster(struct manager *w, struct xds_slice cluster)
{
    const struct xds_maker *maker = w->maker;
    const struct xds_slice prefix =
        maker->dialect.bare_clusters ? XDS_S("") : XDS_S("cluster:");

    add_child(w, xds_arena_concat(maker->arena, prefix, cluster),
              xds_cds_policy(maker, cluster));
}

static void add_route(struct manager *w, const struct xds_route *route)
{
    if (!route_forwards(w->maker, route))
        return;
    if (route->action == XDS_ACTION_CLUSTER)
        add_cluster(w, route->cluster);
    else if (route->action == XDS_ACTION_PLUGIN) {
        /* A plugin whose config cannot be said has no policy: the client would not have
         * the route, so this is seen with configurations that are not accepted. */
        const struct xds_slice name = route->cluster;
        const struct xds_tree *policy = xds_strmap_get(&w->plugins, name);

        if (policy)
            add_child(w,
                      xds_arena_concat(w->maker->arena,
                                       XDS_S("cluster_specifier_plugin:"), name),
                      *policy);
        else
            xds_note(w->maker,
                     "the config of cluster specifier plugin \"%.*s\" is unknown",
                     XDS_FMT(name));
    }
    for (size_t i = 0; i < route->n_weighted; i++)
        /* An entry of weight 0 takes no RPC, but java and node watch its cluster all the
         * same. */
        if (route->weighted[i].weight > 0 ||
            XDS_DIFFERS(w->maker, XDS_DIFF_CLUSTER_WEIGHT_0_KEPT))
            add_cluster(w, route->weighted[i].name);
}

struct xds_tree xds_manager_config(struct xds_maker *maker,
                                   const struct xds_virtual_host *host,
                                   const struct xds_route_config *config)
{
    struct manager w = {.maker = maker, .children = xds_tree_object()};

    xds_strmap_init(&w.seen, maker->arena);
    xds_strmap_init(&w.plugins, maker->arena);
    for (size_t i = 0; config && i < config->n_plugins; i++) {
        /* A map holds what can be written to. */
        struct xds_tree *copy = XDS_NEW(maker->arena, struct xds_tree);

        *copy = *config->plugins[i].policy;
        *xds_strmap_at(&w.plugins, config->plugins[i].name) = copy;
    }
    for (size_t i = 0; i < host->n_routes; i++)
        add_route(&w, &host->routes[i]);
    return xds_tree_pair(
        maker->arena, "loadBalancingConfig",
        xds_policy_list(
            maker, XDS_NAMED_CLUSTER_MANAGER,
            xds_tree_pair(maker->arena, maker->dialect.manager_children, w.children)));
}

static struct xds_tree retry_tree(const struct xds_maker *maker,
                                  const struct xds_method_config *config)
{
    struct xds_arena *arena = maker->arena;
    const struct xds_retries as_used = config->retries;
    struct xds_tree out = xds_tree_object(), codes = xds_tree_array();

    for (size_t i = 0; i < XDS_RETRY_CODES; i++)
        if (config->codes & xds_retry_names[i].bit)
            xds_tree_add(arena, &codes, xds_tree_text(xds_retry_names[i].name));
    /* Not cut to 5, which the parser of the config does, but to what any parser takes. */
    xds_tree_put(arena, &out, "maxAttempts",
                 xds_tree_number(config->retry->num_retries < INT32_MAX
                                     ? (double)config->retry->num_retries + 1
                                     : INT32_MAX));
    xds_tree_put(arena, &out, "initialBackoff",
                 xds_time_tree(maker, as_used.initial_backoff_ns));
    xds_tree_put(arena, &out, "maxBackoff", xds_time_tree(maker, as_used.max_backoff_ns));
    xds_tree_put(arena, &out, "backoffMultiplier", xds_tree_number(2));
    xds_tree_put(arena, &out, "retryableStatusCodes", codes);
    return out;
}

/* {"name": [{}], "timeout": ..., "retryPolicy": ...}, or a tree of kind NULL. */
static struct xds_tree method_config_tree(struct xds_maker *maker,
                                          const struct xds_listener *listener,
                                          const struct xds_virtual_host *host,
                                          const struct xds_route *route)
{
    static const struct xds_listener none;
    struct xds_arena *arena = maker->arena;
    struct xds_tree out = xds_tree_object();
    const struct xds_rpc rpc = xds_maker_rpc(maker);
    struct xds_method_config config;

    if (!xds_method_config_of(listener ? listener : &none, host, route, &rpc, &config))
        return (struct xds_tree){.kind = XDS_TREE_NULL};
    xds_tree_put(arena, &out, "name", xds_tree_list(arena, xds_tree_object()));
    if (config.has_timeout)
        xds_tree_put(arena, &out, "timeout", xds_time_tree(maker, config.timeout_ns));
    if (config.retry)
        xds_tree_put(arena, &out, "retryPolicy", retry_tree(maker, &config));
    /* java alone refuses it when an RPC needs it; core refuses the whole virtual host. */
    if (XDS_DIFFERS(maker, XDS_DIFF_RETRY_FAILS_RPC) && config.retry &&
        xds_retries_java_error(config.retry))
        xds_note(maker,
                 "route %zu: this client rejects the retryPolicy, so the RPCs of the "
                 "route fail",
                 (size_t)(route - host->routes));
    return out;
}

/* ---- routes ---- */

/* Routes times filters grow faster than the input. */
static bool has_room(struct xds_maker *maker, const struct xds_listener *listener,
                     size_t route)
{
    const bool had_room = maker->n_filter_uses <= XDS_MAX_FILTER_USES;

    maker->n_filter_uses += listener->n_filters;
    if (maker->n_filter_uses <= XDS_MAX_FILTER_USES)
        return true;
    if (had_room)
        xds_note(maker,
                 "the filters of routes from %zu on are not listed: routes times filters "
                 "are more than %d",
                 route, XDS_MAX_FILTER_USES);
    return false;
}

static void fill_filters(struct xds_maker *maker, const struct xds_listener *listener,
                         const struct xds_virtual_host *host,
                         struct xds_config_route *out)
{
    const struct xds_override_scope scope = {out->entry, out->route, host};
    const struct xds_rpc rpc = xds_maker_rpc(maker);
    struct xds_filter_use *uses;

    if (!listener || !has_room(maker, listener, out->index))
        return;
    uses = XDS_NEW_ARRAY(maker->arena, struct xds_filter_use, listener->n_filters);
    for (size_t i = 0; i < listener->n_filters; i++)
        uses[i] = xds_filter_use_of(&scope, &rpc, &listener->filters[i]);
    out->filters = uses;
    out->n_filters = listener->n_filters;
}

/* Entries of one cluster differ in their overrides only, so the first one stands for all
 * of them where clusters are named. */
static bool is_first_of_cluster(struct xds_strmap *seen,
                                const struct xds_weighted_cluster *entry)
{
    void **slot;

    if (entry->weight == 0)
        return false;
    slot = xds_strmap_at(seen, entry->name);
    const bool first = *slot == NULL;

    *slot = seen;
    return first;
}

static void add_entry(struct xds_maker *maker, const struct xds_listener *listener,
                      const struct xds_virtual_host *host, struct xds_config_route entry,
                      struct xds_config_routes *out)
{
    fill_filters(maker, listener, host, &entry);
    out->list[out->n++] = entry;
}

struct xds_config_routes xds_config_routes_of(struct xds_maker *maker,
                                              const struct xds_listener *listener,
                                              const struct xds_virtual_host *host)
{
    struct xds_config_routes out = {.n = 0};
    size_t cap = 0;

    for (size_t i = 0; i < host->n_routes; i++)
        cap += host->routes[i].n_weighted + 1;
    out.list = XDS_NEW_ARRAY(maker->arena, struct xds_config_route, cap);
    for (size_t i = 0; i < host->n_routes; i++) {
        struct xds_config_route entry = {.index = i, .route = &host->routes[i]};
        struct xds_strmap seen;

        if (!route_forwards(maker, entry.route))
            continue;
        xds_strmap_init(&seen, maker->arena);
        entry.method_config = method_config_tree(maker, listener, host, entry.route);
        if (entry.route->action != XDS_ACTION_WEIGHTED)
            add_entry(maker, listener, host, entry, &out);
        for (size_t k = 0; k < entry.route->n_weighted; k++) {
            entry.entry = &entry.route->weighted[k];
            if (is_first_of_cluster(&seen, entry.entry))
                add_entry(maker, listener, host, entry, &out);
        }
    }
    return out;
}

/* A route table takes the first match, a service config the most specific name. An entry
 * without content stays only where it hides one for more methods. */

/* What a name says; service absent: every method. */
struct method_name {
    struct xds_slice service, method;
};

struct methods {
    struct xds_maker *maker;
    const struct xds_listener *listener;
    const struct xds_virtual_host *host;
    struct xds_strmap seen;                  /* names, "/Service/Method" */
    struct method_name *name;                /* of each entry of `configs` */
    struct xds_tree configs;                 /* without names as yet */
    struct xds_strmap with_content;          /* names whose entry has content */
    bool everything, everything_has_content; /* a route before takes all RPCs */
};

/* Why the matchers are more than a name can say, or NULL. */
static const char *beyond_names(const struct xds_maker *maker,
                                const struct xds_route_match *match)
{
    if (match->n_headers > 0)
        return "it looks at headers";
    if (match->has_fraction && match->fraction_is_set)
        return "it takes a fraction of RPCs";
    if (match->path.kind == XDS_MATCH_REGEX)
        return "its path is a regular expression";
    if (xds_folds_path(maker, &match->path))
        return "it compares the path without regard to case";
    return NULL;
}

/* False when the path is not that of a method, a service or everything. */
static bool read_name(const struct xds_path_matcher *path, struct method_name *out)
{
    const struct xds_slice rest = xds_slice_from(path->text, 1);
    const size_t slash = xds_slice_find(rest, '/');
    const bool whole = path->kind == XDS_MATCH_EXACT;

    *out = (struct method_name){{NULL, 0}, {NULL, 0}};
    if (!whole && (path->text.len == 0 || xds_slice_is(path->text, "/")))
        return true;
    if (path->text.len == 0 || path->text.data[0] != '/' || slash == 0 ||
        slash == rest.len)
        return false;
    out->service = xds_slice_make(rest.data, slash);
    if (slash + 1 < rest.len)
        out->method = xds_slice_from(rest, slash + 1);
    return whole == (out->method.data != NULL) &&
           xds_slice_find(out->method, '/') == out->method.len;
}

static struct xds_slice key_of(struct xds_arena *arena, const struct method_name *name)
{
    return xds_arena_printf(arena, "/%.*s/%.*s", XDS_FMT(name->service),
                            XDS_FMT(name->method));
}

/* An earlier route takes all RPCs of this name. */
static bool is_hidden(const struct methods *w, const struct method_name *name)
{
    const struct method_name service = {name->service, {NULL, 0}};

    return w->everything || xds_strmap_get(&w->seen, key_of(w->maker->arena, name)) ||
           xds_strmap_get(&w->seen, key_of(w->maker->arena, &service));
}

static void cannot_say(struct methods *w, size_t index, const char *why)
{
    xds_note(w->maker, "route %zu cannot be expressed by names: %s", index, why);
}

static void add_method(struct methods *w, size_t index, const struct xds_route *route)
{
    const char *why = beyond_names(w->maker, &route->match);
    struct method_name name;
    struct xds_tree config;

    if (why) {
        cannot_say(w, index, why);
        return;
    }
    if (!read_name(&route->match.path, &name)) {
        cannot_say(w, index, "its path is neither /Service/Method nor /Service/");
        return;
    }
    if (is_hidden(w, &name)) {
        cannot_say(w, index, "earlier routes take all of its RPCs");
        return;
    }
    /* What a service config has no field for. */
    if (route->action == XDS_ACTION_WEIGHTED)
        xds_note(w->maker, "route %zu: names cannot split RPCs over clusters by weight",
                 index);
    if (route->action == XDS_ACTION_PLUGIN)
        xds_note(w->maker,
                 "route %zu: the config has no field for a cluster specifier plugin",
                 index);
    if (route->n_hash_policies > 0)
        xds_note(w->maker, "route %zu: the config has no field for hash_policy", index);
    if (route->overrides.n > 0)
        xds_note(w->maker,
                 "route %zu: the config has no field for typed_per_filter_config", index);
    *xds_strmap_at(&w->seen, key_of(w->maker->arena, &name)) = w;
    w->everything |= !name.service.data;
    config = method_config_tree(w->maker, w->listener, w->host, route);
    if (config.kind == XDS_TREE_OBJECT) {
        w->everything_has_content |= !name.service.data;
        *xds_strmap_at(&w->with_content, key_of(w->maker->arena, &name)) = w;
    }
    w->name[w->configs.n] = name;
    xds_tree_add(w->maker->arena, &w->configs, config);
}

/* A wider name has an entry with content: that of everything, or of the service. */
static bool hides_wider(const struct methods *w, const struct method_name *name)
{
    const struct method_name service = {name->service, {NULL, 0}};

    if (!name->service.data)
        return false;
    return w->everything_has_content ||
           (name->method.data &&
            xds_strmap_get(&w->with_content, key_of(w->maker->arena, &service)));
}

static struct xds_tree name_tree(struct xds_arena *arena, const struct method_name *name)
{
    struct xds_tree out = xds_tree_object();

    if (name->service.data)
        xds_tree_put(arena, &out, "service", xds_tree_string(name->service));
    if (name->method.data)
        xds_tree_put(arena, &out, "method", xds_tree_string(name->method));
    return xds_tree_list(arena, out);
}

static struct xds_tree finish(struct methods *w)
{
    struct xds_arena *arena = w->maker->arena;
    struct xds_tree out = xds_tree_array();

    for (size_t i = 0; i < w->configs.n; i++) {
        const struct xds_tree *config = &w->configs.items[i];
        struct xds_tree entry = xds_tree_object();

        if (config->kind == XDS_TREE_NULL && !hides_wider(w, &w->name[i]))
            continue;
        xds_tree_put(arena, &entry, "name", name_tree(arena, &w->name[i]));
        for (size_t k = 0; k < config->n; k++) /* but not the name [{}] of a route */
            if (!xds_slice_is(config->items[k].key, "name"))
                xds_tree_put_key(arena, &entry, config->items[k].key, config->items[k]);
        xds_tree_add(arena, &out, entry);
    }
    return xds_tree_pair(arena, "methodConfig", out);
}

struct xds_tree xds_methods_config(struct xds_maker *maker,
                                   const struct xds_listener *listener,
                                   const struct xds_virtual_host *host)
{
    struct methods w = {maker, listener, host, .configs = xds_tree_array()};

    xds_strmap_init(&w.seen, maker->arena);
    xds_strmap_init(&w.with_content, maker->arena);
    w.name = XDS_NEW_ARRAY(maker->arena, struct method_name, host->n_routes);
    for (size_t i = 0; i < host->n_routes; i++) {
        const struct xds_route *route = &host->routes[i];

        if (route->skipped_by & XDS_CLIENT_BIT(maker->client))
            continue;
        if (route_forwards(maker, route))
            add_method(&w, i, route);
        else
            cannot_say(&w, i, "it fails its RPCs");
    }
    return finish(&w);
}
