/*
 * methods.c - a plain gRPC service config for clients without xDS: methodConfig by name.
 *
 * Source: gRFC A6, A31, spec routing 14.8; service_config.proto (MethodConfig.Name).
 *
 * A route table takes the first match, a service config the most specific name. An entry
 * without content stays only where it hides one for more methods.
 */
#include "config/manager.h"

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

/* What a service config has no field for. */
static void note_features(struct methods *w, size_t index, const struct xds_route *route)
{
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
}

static void add_route(struct methods *w, size_t index, const struct xds_route *route)
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
    note_features(w, index, route);
    *xds_strmap_at(&w->seen, key_of(w->maker->arena, &name)) = w;
    w->everything |= !name.service.data;
    config = xds_method_config_tree(w->maker, w->listener, w->host, route);
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
        if (xds_route_forwards(maker, route))
            add_route(&w, i, route);
        else
            cannot_say(&w, i, "it fails its RPCs");
    }
    return finish(&w);
}
