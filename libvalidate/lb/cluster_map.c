/*
 * cluster_map.c - count who refers to which cluster, and say which service configs a
 *                 resolver sends because of that.
 *
 * Source: gRFC A31, A60; spec routing 3.1, 3.2, 5.6 and 13, L-a to L-c, W-b.
 *
 * Events: update, start, select, release. A key lives while its count is not 0:
 *   selector made           +1 for each of its keys
 *   selector let go         -1 for each; held by being current, and by RPCs (A60)
 *   RPC arrives             A60: +1 on the selector; A31: +1 on its key
 *   cluster settled         A60: +1 on the final key, -1 on the selector
 *   committed or ended      -1 on what it holds
 */
#include "lb/cluster_map.h"

struct xds_cluster_entry {
    struct xds_slice key;
    uint64_t refs;
};

struct xds_config_selector {
    const struct xds_virtual_host *host; /* NULL: fails every RPC */
    struct xds_cluster_entry **entries;  /* each once */
    size_t n, cap;
    uint64_t holders;
};

/* ---- counting ---- */

/* Where the key is or would be among the used ones. */
static size_t place_of(const struct xds_cluster_map *map, struct xds_slice key)
{
    size_t low = 0, high = map->n_used;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (xds_slice_cmp(map->used[middle]->key, key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void take(struct xds_cluster_map *map, struct xds_cluster_entry *entry)
{
    const size_t at = place_of(map, entry->key);

    if (entry->refs++ > 0)
        return;
    map->used = xds_arena_room(map->machine->arena, map->used, map->n_used,
                               &map->cap_used, sizeof *map->used);
    memmove(&map->used[at + 1], &map->used[at],
            (map->n_used - at) * sizeof(struct xds_cluster_entry *));
    map->used[at] = entry;
    map->n_used++;
}

static void let_go(struct xds_cluster_map *map, struct xds_cluster_entry *entry)
{
    const size_t at = place_of(map, entry->key);

    if (--entry->refs > 0)
        return;
    map->n_used--;
    memmove(&map->used[at], &map->used[at + 1],
            (map->n_used - at) * sizeof(struct xds_cluster_entry *));
    map->lost = true;
}

static void let_go_selector(struct xds_cluster_map *map,
                            struct xds_config_selector *selector)
{
    if (!selector || --selector->holders > 0)
        return;
    for (size_t i = 0; i < selector->n; i++)
        let_go(map, selector->entries[i]);
}

/* ---- keys ---- */

static const struct xds_slice of_cluster = {"cluster:", 8};
static const struct xds_slice of_plugin = {"cluster_specifier_plugin:", 25};

static struct xds_slice prefix_of(const struct xds_machine *machine)
{
    return XDS_DIFFERS(machine, XDS_DIFF_CLUSTER_KEY_BARE) ? XDS_S("") : of_cluster;
}

struct xds_slice xds_cluster_key(const struct xds_machine *machine,
                                 struct xds_slice cluster)
{
    return xds_arena_concat(machine->step_arena, prefix_of(machine), cluster);
}

struct xds_slice xds_cluster_of_key(const struct xds_machine *machine,
                                    struct xds_slice key)
{
    const struct xds_slice prefix = prefix_of(machine);

    if (xds_slice_starts(key, of_plugin) || !xds_slice_starts(key, prefix))
        return (struct xds_slice){NULL, 0};
    return xds_slice_from(key, prefix.len);
}

static struct xds_slice key_of(const struct xds_cluster_map *map, bool plugin,
                               struct xds_slice name)
{
    return plugin ? xds_arena_concat(map->machine->step_arena, of_plugin, name)
                  : xds_cluster_key(map->machine, name);
}

static struct xds_cluster_entry *entry_of(const struct xds_cluster_map *map, bool plugin,
                                          struct xds_slice name)
{
    return xds_strmap_get(&map->entries, key_of(map, plugin, name));
}

/* ---- selectors ---- */

struct gathering {
    struct xds_cluster_map *map;
    struct xds_config_selector *selector;
    struct xds_strmap seen; /* of this selector */
};

static void gather(void *user, bool plugin, struct xds_slice name)
{
    struct gathering *g = user;
    struct xds_cluster_map *map = g->map;
    struct xds_config_selector *selector = g->selector;
    const struct xds_slice key = key_of(map, plugin, name);
    void **seen = xds_strmap_at(&g->seen, key);

    if (*seen)
        return;
    struct xds_arena *arena = map->machine->arena;
    void **slot = xds_strmap_at(&map->entries, key);

    if (!*slot) {
        struct xds_cluster_entry *entry = XDS_NEW(arena, struct xds_cluster_entry);

        entry->key = xds_arena_dup(arena, key);
        *slot = entry;
    }

    struct xds_cluster_entry *entry = *slot;

    *seen = entry;
    selector->entries = xds_arena_room(arena, selector->entries, selector->n,
                                       &selector->cap, sizeof *selector->entries);
    selector->entries[selector->n++] = entry;
    take(map, entry);
}

/* ---- service configs ---- */

bool xds_cluster_config_is_refused(const struct xds_cluster_map *map,
                                   const struct xds_cluster_config *config)
{
    return config->n == 0 && !config->empty &&
           XDS_DIFFERS(map->machine, XDS_DIFF_MANAGER_NEEDS_CHILD);
}

/* Routes that lead nowhere leave the cluster manager without children in place. */
static void send_keys(struct xds_cluster_map *map, size_t n)
{
    struct xds_slice *keys = XDS_NEW_ARRAY(map->machine->step_arena, struct xds_slice, n);
    const struct xds_cluster_config config = {
        .empty = n == 0 && !map->current->host, .keys = keys, .n = n};

    for (size_t i = 0; i < n; i++)
        keys[i] = map->used[i]->key;
    map->lost = false;
    map->has_manager = map->has_manager || !xds_cluster_config_is_refused(map, &config);
    map->sink.config(map->sink.user, &config);
}

/* A config without the keys that have gone, if there are any. */
static void send_loss(struct xds_cluster_map *map)
{
    if (map->lost && !map->suspended)
        send_keys(map, map->n_used);
}

/* How a new selector takes the place of the old one. */
enum exchange {
    TWO_STEPS, /* a config with the keys of both, then one without those that have gone */
    ONE_STEP,  /* one config with what is left */
    NOTHING,   /* {} at once, whatever is held */
};

static enum exchange exchange_of(const struct xds_machine *machine, bool has_routes)
{
    if (has_routes)
        return XDS_DIFFERS(machine, XDS_DIFF_CONFIG_IN_ONE_STEP) ? ONE_STEP : TWO_STEPS;
    if (XDS_DIFFERS(machine, XDS_DIFF_CONFIG_EMPTY_ON_FAILURE))
        return NOTHING;
    return XDS_DIFFERS(machine, XDS_DIFF_CONFIG_UNION_ON_FAILURE) ? TWO_STEPS : ONE_STEP;
}

void xds_cluster_map_init(struct xds_cluster_map *map, struct xds_machine *machine,
                          struct xds_config_sink sink)
{
    *map = (struct xds_cluster_map){.machine = machine, .sink = sink};
    map->keeps_map = XDS_ENV_ON(machine, XDS_ENV_OVERRIDE_HOST);
    xds_strmap_init(&map->entries, machine->arena);
}

void xds_cluster_map_update(struct xds_cluster_map *map,
                            const struct xds_virtual_host *host)
{
    const enum exchange exchange = exchange_of(map->machine, host != NULL);
    struct xds_config_selector *old = map->current;
    const size_t n_before = map->n_used;

    struct gathering g = {.map = map};

    g.selector = XDS_NEW(map->machine->arena, struct xds_config_selector);
    g.selector->host = host;
    g.selector->holders = 1;
    xds_strmap_init(&g.seen, map->machine->step_arena);
    for (size_t i = 0; host && i < host->n_routes; i++)
        xds_route_leads(map->machine->options, map->machine->client, &host->routes[i],
                        gather, &g);
    map->current = g.selector;
    map->suspended = exchange == NOTHING;
    const bool both = exchange == TWO_STEPS &&
                      (map->n_used > n_before ||
                       !XDS_DIFFERS(map->machine, XDS_DIFF_CONFIG_UNION_IF_ADDED));

    if (both)
        send_keys(map, map->n_used);
    let_go_selector(map, old);
    if (both)
        send_loss(map);
    else
        send_keys(map, exchange == NOTHING ? 0 : map->n_used);
}

/* ---- RPCs ---- */

static enum xds_cluster_start fail(struct xds_cluster_rpc *rpc, struct xds_slice why)
{
    rpc->failure = why;
    return XDS_CLUSTER_START_FAILED;
}

/* Which route takes the RPC. Open: a fraction decides and no number was given. */
static const struct xds_route *route_of(const struct xds_rpc *call,
                                        const struct xds_virtual_host *host, bool *open)
{
    const struct xds_route_walk walk = xds_route_select(call, host, NULL);

    for (size_t i = 0; i < walk.n_tries; i++) {
        *open = walk.tries[i].matched == XDS_CHANCE_OPEN;
        if (walk.tries[i].matched != XDS_CHANCE_NO)
            return walk.tries[i].route;
    }
    return NULL;
}

/* NULL: the weights decide between clusters and no number was given. */
static struct xds_cluster_entry *pick(const struct xds_cluster_map *map,
                                      const struct xds_rpc *call,
                                      const struct xds_route *route)
{
    if (route->action != XDS_ACTION_WEIGHTED)
        return entry_of(map, route->action == XDS_ACTION_PLUGIN, route->cluster);

    const struct xds_weighted_choices choices = xds_weighted_pick(call, route);

    if (choices.none > 0) /* an old node may pick none */
        return NULL;
    for (size_t i = 1; i < choices.n; i++)
        if (!xds_slice_eq(choices.list[i].entry->name, choices.list[0].entry->name))
            return NULL;
    return choices.n > 0 ? entry_of(map, false, choices.list[0].entry->name) : NULL;
}

static void give(struct xds_cluster_rpc *rpc, struct xds_cluster_entry *entry)
{
    rpc->entry = entry;
    rpc->key = entry ? entry->key : (struct xds_slice){NULL, 0};
}

enum xds_cluster_start xds_cluster_map_start(struct xds_cluster_map *map,
                                             const struct xds_rpc *call,
                                             struct xds_cluster_rpc *rpc)
{
    const struct xds_virtual_host *host = map->current->host;
    bool open = false;

    *rpc = (struct xds_cluster_rpc){.stage = XDS_CLUSTER_NOTHING};
    if (!host)
        return fail(rpc,
                    XDS_S("the routes are gone, or no virtual host fits the target"));
    rpc->route = route_of(call, host, &open);
    if (!rpc->route)
        return fail(
            rpc, xds_failure_text(call, XDS_FAILURE_NO_ROUTE, call->request->path).text);
    if (open)
        return XDS_CLUSTER_START_OPEN;
    if (rpc->route->action != XDS_ACTION_CLUSTER &&
        rpc->route->action != XDS_ACTION_WEIGHTED &&
        rpc->route->action != XDS_ACTION_PLUGIN)
        return fail(rpc,
                    xds_failure_text(call, XDS_FAILURE_ACTION, call->request->path).text);
    give(rpc, pick(map, call, rpc->route));
    /* Without a key there is nothing that an RPC could hold under A31. */
    rpc->stage = XDS_CLUSTER_HELD;
    if (map->keeps_map) {
        rpc->holder = map->current;
        rpc->holder->holders++;
    } else if (rpc->entry) {
        take(map, rpc->entry);
    }
    return rpc->entry ? XDS_CLUSTER_START_PICKED : XDS_CLUSTER_START_OPEN;
}

bool xds_cluster_map_select(struct xds_cluster_map *map, struct xds_cluster_rpc *rpc,
                            struct xds_slice cookie)
{
    if (map->keeps_map && cookie.data &&
        xds_session_route_names(
            rpc->route, cookie,
            XDS_DIFFERS(map->machine, XDS_DIFF_CLUSTER_WEIGHT_0_KEPT)))
        give(rpc, entry_of(map, false, cookie));
    if (!rpc->entry)
        return false;
    if (rpc->holder)
        take(map, rpc->entry);
    let_go_selector(map, rpc->holder);
    rpc->holder = NULL;
    rpc->stage = XDS_CLUSTER_SETTLED;
    send_loss(map);
    return true;
}

void xds_cluster_map_release(struct xds_cluster_map *map, struct xds_cluster_rpc *rpc)
{
    const enum xds_cluster_stage stage = rpc->stage;

    rpc->stage = XDS_CLUSTER_NOTHING;
    if (stage == XDS_CLUSTER_NOTHING)
        return;
    if (rpc->holder)
        let_go_selector(map, rpc->holder);
    else if (rpc->entry)
        let_go(map, rpc->entry);
    rpc->holder = NULL;
    send_loss(map);
}

/* ---- for readers ---- */

bool xds_cluster_map_serves(const struct xds_cluster_map *map)
{
    return map->current && !map->suspended;
}

bool xds_cluster_map_is_routed(const struct xds_cluster_map *map, struct xds_slice key)
{
    for (size_t i = 0; map->current && i < map->current->n; i++)
        if (xds_slice_eq(map->current->entries[i]->key, key))
            return true;
    return false;
}
