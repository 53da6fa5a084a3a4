/*
 * method_config.c - the method config of a route as JSON, and what else the route gives.
 *
 * Source: gRFC A31, A44, spec routing 3.3, 4 and 14.8.
 */
#include "config/manager.h"

#include "base/limits.h"
#include "clients/readers.h"
#include "model/names.h"
#include "route/method_config.h"

static struct xds_tree codes_tree(struct xds_arena *arena, unsigned codes)
{
    struct xds_tree out = xds_tree_array();

    for (size_t i = 0; i < XDS_RETRY_CODES; i++)
        if (codes & xds_retry_names[i].bit)
            xds_tree_add(arena, &out, xds_tree_text(xds_retry_names[i].name));
    return out;
}

/* Not cut to 5, which the parser of the config does, but to what any parser takes. */
static double attempts_of(const struct xds_retry_policy *retry)
{
    return retry->num_retries < INT32_MAX ? (double)retry->num_retries + 1 : INT32_MAX;
}

static struct xds_tree retry_tree(const struct xds_maker *maker,
                                  const struct xds_method_config *config)
{
    struct xds_arena *arena = maker->arena;
    const struct xds_retries as_used = config->retries;
    struct xds_tree out = xds_tree_object();

    xds_tree_put(arena, &out, "maxAttempts", xds_tree_number(attempts_of(config->retry)));
    xds_tree_put(arena, &out, "initialBackoff",
                 xds_time_tree(maker, as_used.initial_backoff_ns));
    xds_tree_put(arena, &out, "maxBackoff", xds_time_tree(maker, as_used.max_backoff_ns));
    xds_tree_put(arena, &out, "backoffMultiplier", xds_tree_number(2));
    xds_tree_put(arena, &out, "retryableStatusCodes", codes_tree(arena, config->codes));
    return out;
}

/* java alone refuses it when an RPC needs it; core refuses the whole virtual host. */
static void note_refused(struct xds_maker *maker, const struct xds_virtual_host *host,
                         const struct xds_route *route,
                         const struct xds_method_config *config)
{
    if (xds_differs(maker->options, maker->client, XDS_DIFF_RETRY_FAILS_RPC) &&
        config->retry && xds_retries_java_error(config->retry))
        xds_note(maker,
                 "route %zu: this client rejects the retryPolicy, so the RPCs of the "
                 "route fail",
                 (size_t)(route - host->routes));
}

struct xds_tree xds_method_config_tree(struct xds_maker *maker,
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
    note_refused(maker, host, route, &config);
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

static size_t count_entries(const struct xds_virtual_host *host)
{
    size_t n = 0;

    for (size_t i = 0; i < host->n_routes; i++)
        n += host->routes[i].n_weighted + 1;
    return n;
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

    out.list = XDS_NEW_ARRAY(maker->arena, struct xds_config_route, count_entries(host));
    for (size_t i = 0; i < host->n_routes; i++) {
        struct xds_config_route entry = {.index = i, .route = &host->routes[i]};
        struct xds_strmap seen;

        if (!xds_route_forwards(maker, entry.route))
            continue;
        xds_strmap_init(&seen, maker->arena);
        entry.method_config = xds_method_config_tree(maker, listener, host, entry.route);
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
