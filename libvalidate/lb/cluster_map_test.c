/* cluster_map_test.c - references counted against a model that counts nothing: which keys
 * are in use is worked out anew from who holds what, after every event. */
#include <criterion/criterion.h>

#include "clients/clients.h"
#include "lb/cluster_map.h"

enum { CLUSTERS = 5, PLUGIN = CLUSTERS, KEYS = CLUSTERS + 1, RPCS = 4 };
static const char *const names[KEYS] = {"A", "B", "C", "D", "E", "P"};

/* ---- what the map says ---- */

enum { MOST_CONFIGS = 4 };

struct heard {
    unsigned configs[MOST_CONFIGS]; /* masks of keys */
    size_t n;
};

static unsigned key_number(struct xds_slice key)
{
    for (unsigned i = 0; i < KEYS; i++)
        if (key.len && key.data[key.len - 1] == names[i][0])
            return i;
    cr_assert_fail("unknown key %.*s", XDS_FMT(key));
    return 0;
}

static void on_config(void *user, const struct xds_cluster_config *config)
{
    struct heard *heard = user;
    unsigned mask = 0;

    for (size_t i = 0; i < config->n; i++) {
        cr_assert(i == 0 || xds_slice_cmp(config->keys[i - 1], config->keys[i]) < 0);
        mask |= 1u << key_number(config->keys[i]);
    }
    cr_assert(!config->empty || config->n == 0);
    cr_assert_lt(heard->n, MOST_CONFIGS);
    heard->configs[heard->n++] = mask;
}

/* ---- routes ---- */

/* One route: a cluster, two weighted ones, or the plugin. */
struct plan {
    const char *prefix;
    enum xds_action_kind action;
    unsigned first, second; /* clusters */
    uint32_t weight, other_weight;
};

static void fill_route(struct xds_arena *arena, const struct plan *plan,
                       struct xds_route *out)
{
    struct xds_weighted_cluster *entries =
        XDS_NEW_ARRAY(arena, struct xds_weighted_cluster, 2);

    entries[0] = (struct xds_weighted_cluster){.name = xds_slice_of(names[plan->first]),
                                               .weight = plan->weight};
    entries[1] = (struct xds_weighted_cluster){.name = xds_slice_of(names[plan->second]),
                                               .weight = plan->other_weight};
    *out = (struct xds_route){.action = plan->action,
                              .cluster = entries[0].name,
                              .weighted = entries,
                              .n_weighted = plan->action == XDS_ACTION_WEIGHTED ? 2 : 0};
    if (plan->action == XDS_ACTION_PLUGIN)
        out->cluster = xds_slice_of(names[PLUGIN]);
    out->match.path = (struct xds_path_matcher){.kind = XDS_MATCH_PREFIX,
                                                .text = xds_slice_of(plan->prefix),
                                                .case_sensitive = true};
}

static const struct xds_virtual_host *host_of(struct xds_arena *arena,
                                              const struct plan *plans, size_t n)
{
    struct xds_virtual_host *host = XDS_NEW(arena, struct xds_virtual_host);
    struct xds_route *routes = XDS_NEW_ARRAY(arena, struct xds_route, n);

    for (size_t i = 0; i < n; i++)
        fill_route(arena, &plans[i], &routes[i]);
    host->routes = routes;
    host->n_routes = n;
    return host;
}

/* ---- the second model ---- */

/* Clients as the tables of spec routing 13 tell them apart. */
static bool holds_map(enum xds_client c) /* L-a */
{
    return xds_client_as(c) == XDS_CLIENT_GRFC || c == XDS_CLIENT_CORE;
}

static bool keeps_weightless(enum xds_client c) /* W-b */
{
    return c != XDS_CLIENT_CORE && c != XDS_CLIENT_GO;
}

/* What an RPC of the model holds: the keys that live because of it. */
struct simple_rpc {
    bool live, held;
    struct plan plan; /* captured */
    unsigned key;
    unsigned holds;
};

struct simple {
    enum xds_client client;
    struct plan plans[2];
    size_t n_plans;
    bool fails, suspended;
    unsigned routed; /* keys of the routes */
    struct simple_rpc rpcs[RPCS];
};

static unsigned keys_of_plan(enum xds_client client, const struct plan *p)
{
    unsigned keys = 0;

    if (p->action == XDS_ACTION_PLUGIN)
        return 1u << PLUGIN;
    if (p->action == XDS_ACTION_CLUSTER)
        return 1u << p->first;
    if (p->weight || keeps_weightless(client))
        keys |= 1u << p->first;
    if (p->other_weight || keeps_weightless(client))
        keys |= 1u << p->second;
    return keys;
}

static unsigned used(const struct simple *s)
{
    unsigned keys = s->routed;

    for (size_t i = 0; i < RPCS; i++)
        keys |= s->rpcs[i].live ? s->rpcs[i].holds : 0;
    return keys;
}

/* A config without the keys that went between before and now. */
static void tell_loss(const struct simple *s, unsigned before, struct heard *out)
{
    if (used(s) != before && !s->suspended)
        out->configs[out->n++] = used(s);
}

static void simple_update(struct simple *s, const struct plan *plans, size_t n,
                          struct heard *out)
{
    const unsigned before = used(s);

    s->n_plans = n;
    s->fails = n == 0;
    s->routed = 0;
    for (size_t i = 0; i < n; i++) {
        s->plans[i] = plans[i];
        s->routed |= keys_of_plan(s->client, &plans[i]);
    }
    const unsigned both = before | used(s);

    s->suspended = s->fails && s->client == XDS_CLIENT_CORE;
    if (s->suspended) {
        out->configs[out->n++] = 0;
    } else if (s->client == XDS_CLIENT_NODE || (s->fails && s->client != XDS_CLIENT_GO) ||
               (s->client == XDS_CLIENT_JAVA && both == before)) {
        out->configs[out->n++] = used(s);
    } else {
        out->configs[out->n++] = both;
        tell_loss(s, both, out);
    }
}

static const struct plan *simple_route(const struct simple *s, const char *path)
{
    for (size_t i = 0; i < s->n_plans; i++)
        if (strncmp(path, s->plans[i].prefix, strlen(s->plans[i].prefix)) == 0)
            return &s->plans[i];
    return NULL;
}

static unsigned simple_pick(const struct plan *p, double random)
{
    if (p->action == XDS_ACTION_PLUGIN)
        return PLUGIN;
    if (p->action == XDS_ACTION_CLUSTER)
        return p->first;
    return random * (p->weight + p->other_weight) < p->weight ? p->first : p->second;
}

static void simple_start(struct simple *s, struct simple_rpc *rpc, const char *path,
                         double random)
{
    const struct plan *plan = simple_route(s, path);

    *rpc = (struct simple_rpc){.live = plan != NULL, .held = true};
    if (!plan)
        return;
    rpc->plan = *plan;
    rpc->key = simple_pick(plan, random);
    rpc->holds = holds_map(s->client) ? s->routed : 1u << rpc->key;
}

static void simple_select(struct simple *s, struct simple_rpc *rpc, unsigned cookie,
                          struct heard *out)
{
    const unsigned before = used(s);
    const bool named = cookie < CLUSTERS && rpc->plan.action != XDS_ACTION_PLUGIN &&
                       (keys_of_plan(s->client, &rpc->plan) >> cookie & 1u);

    if (named && holds_map(s->client))
        rpc->key = cookie;
    rpc->held = false;
    rpc->holds = 1u << rpc->key;
    tell_loss(s, before, out);
}

static void simple_release(struct simple *s, struct simple_rpc *rpc, struct heard *out)
{
    const unsigned before = used(s);

    rpc->live = false;
    tell_loss(s, before, out);
}

/* ---- both side by side ---- */

struct bench {
    struct xds_arena arena;
    struct xds_options options;
    struct xds_machine machine;
    struct xds_cluster_map map;
    struct heard heard, wanted;
    struct xds_cluster_rpc rpcs[RPCS];
    struct simple simple;
    unsigned accepted; /* the last config */
    uint64_t seed;
};

static unsigned chance(struct bench *b, unsigned bound)
{
    b->seed = b->seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(b->seed >> 33) % bound;
}

static void begin(struct bench *b, enum xds_client client)
{
    xds_arena_reset(&b->arena);
    xds_machine_init(&b->machine, &b->arena, &b->arena, &b->options, client);
    b->heard.n = 0;
    xds_cluster_map_init(&b->map, &b->machine,
                         (struct xds_config_sink){&b->heard, on_config});
    memset(b->rpcs, 0, sizeof b->rpcs);
    b->simple = (struct simple){.client = client};
    b->accepted = 0;
}

static struct plan random_plan(struct bench *b)
{
    static const enum xds_action_kind actions[] = {
        XDS_ACTION_CLUSTER, XDS_ACTION_WEIGHTED, XDS_ACTION_WEIGHTED, XDS_ACTION_PLUGIN};
    struct plan p = {.prefix = chance(b, 2) ? "/" : "/a",
                     .action = actions[chance(b, 4)],
                     .first = chance(b, CLUSTERS),
                     .weight = chance(b, 3)};

    p.second = (p.first + 1 + chance(b, CLUSTERS - 1)) % CLUSTERS;
    p.other_weight = p.weight ? chance(b, 3) : 1;
    return p;
}

static void random_update(struct bench *b)
{
    const size_t n = chance(b, 6) == 0 ? 0 : 1 + chance(b, 2);
    struct plan plans[2] = {random_plan(b), random_plan(b)};

    simple_update(&b->simple, plans, n, &b->wanted);
    xds_cluster_map_update(&b->map, n ? host_of(&b->arena, plans, n) : NULL);
}

static void random_start(struct bench *b, size_t i)
{
    const char *path = chance(b, 2) ? "/a" : "/z";
    const double random = chance(b, 100) / 100.0;
    const struct xds_request request = {.path = xds_slice_of(path)};
    struct xds_random numbers = {&random, 1, 0};
    const struct xds_rpc call = {.client = b->machine.client,
                                 .options = &b->options,
                                 .request = &request,
                                 .random = &numbers,
                                 .arena = &b->arena};
    const enum xds_cluster_start started =
        xds_cluster_map_start(&b->map, &call, &b->rpcs[i]);

    simple_start(&b->simple, &b->simple.rpcs[i], path, random);
    cr_assert_eq(started, b->simple.rpcs[i].live ? XDS_CLUSTER_START_PICKED
                                                 : XDS_CLUSTER_START_FAILED);
    cr_assert_eq(started == XDS_CLUSTER_START_FAILED, b->rpcs[i].failure.data != NULL);
}

static void random_step_of(struct bench *b, size_t i)
{
    struct simple_rpc *simple = &b->simple.rpcs[i];
    const unsigned cookie = chance(b, CLUSTERS + 2);

    if (!simple->live) {
        random_start(b, i);
    } else if (simple->held && chance(b, 2)) {
        cr_assert(xds_cluster_map_select(&b->map, &b->rpcs[i],
                                         cookie < CLUSTERS ? xds_slice_of(names[cookie])
                                                           : xds_slice_of(NULL)));
        simple_select(&b->simple, simple, cookie, &b->wanted);
    } else {
        xds_cluster_map_release(&b->map, &b->rpcs[i]);
        simple_release(&b->simple, simple, &b->wanted);
    }
}

/* Behind the first config of an update each one differs from the one before, and unless
 * the channel is suspended no key is missing that an RPC holds. */
static void check_event(struct bench *b, bool update)
{
    cr_assert_eq(b->heard.n, b->wanted.n, "%s: %zu configs, not %zu",
                 xds_client_name(b->machine.client), b->heard.n, b->wanted.n);
    for (size_t i = 0; i < b->heard.n; i++) {
        cr_assert_eq(b->heard.configs[i], b->wanted.configs[i]);
        if (!update || i > 0)
            cr_assert_neq(b->heard.configs[i], b->accepted);
        b->accepted = b->heard.configs[i];
    }
    cr_assert_eq(xds_cluster_map_serves(&b->map), !b->simple.suspended);
    for (size_t i = 0; i < RPCS; i++) {
        const struct simple_rpc *rpc = &b->simple.rpcs[i];

        if (!rpc->live)
            continue;
        cr_assert_eq(key_number(b->rpcs[i].key), rpc->key);
        if (!b->simple.suspended)
            cr_assert(b->accepted >> rpc->key & 1u);
    }
}

static void play_sequence(struct bench *b, enum xds_client client)
{
    begin(b, client);
    for (unsigned step = 0; step < 12; step++) {
        const bool update = step == 0 || chance(b, 4) == 0;

        b->heard.n = b->wanted.n = 0;
        if (update)
            random_update(b);
        else
            random_step_of(b, chance(b, RPCS));
        check_event(b, update);
    }
}

Test(cluster_map, random_lives_of_clusters_are_those_of_the_table, .timeout = 120)
{
    static struct bench b;

    xds_arena_init(&b.arena, 0);
    xds_options_init(&b.options);
    b.seed = 60;
    for (unsigned i = 0; i < 100000; i++)
        play_sequence(&b, (enum xds_client)(i % XDS_CLIENTS));
    xds_arena_release(&b.arena);
}

/* ---- what random sequences do not reach ---- */

static const struct plan half_and_half = {"/", XDS_ACTION_WEIGHTED, 0, 1, 1, 1};

static enum xds_cluster_start start_without_number(struct bench *b)
{
    const struct xds_request request = {.path = XDS_S("/a")};
    struct xds_random none = {NULL, 0, 0};
    const struct xds_rpc call = {.client = b->machine.client,
                                 .options = &b->options,
                                 .request = &request,
                                 .random = &none,
                                 .arena = &b->arena};

    return xds_cluster_map_start(&b->map, &call, &b->rpcs[0]);
}

/* A channel with one route, which the test may change before the update. */
static struct xds_route *with_route(struct bench *b, enum xds_client client,
                                    const struct plan *plan)
{
    struct xds_route *route;

    xds_arena_init(&b->arena, 0);
    xds_options_init(&b->options);
    begin(b, client);
    route = XDS_NEW(&b->arena, struct xds_route);
    fill_route(&b->arena, plan, route);
    return route;
}

static void update_to(struct bench *b, const struct xds_route *route)
{
    struct xds_virtual_host *host = XDS_NEW(&b->arena, struct xds_virtual_host);

    host->routes = route;
    host->n_routes = 1;
    xds_cluster_map_update(&b->map, host);
}

Test(cluster_map, an_open_choice_is_settled_by_a_cookie_or_not_at_all)
{
    struct bench b;

    update_to(&b, with_route(&b, XDS_CLIENT_CORE, &half_and_half));
    cr_expect_eq(start_without_number(&b), XDS_CLUSTER_START_OPEN);
    cr_expect_null(b.rpcs[0].key.data);
    cr_expect_not(xds_cluster_map_select(&b.map, &b.rpcs[0], XDS_S("C")));
    cr_expect_eq(b.rpcs[0].stage, XDS_CLUSTER_HELD);
    cr_expect(xds_cluster_map_select(&b.map, &b.rpcs[0], XDS_S("B")));
    cr_expect(xds_slice_is(b.rpcs[0].key, "cluster:B"));
    xds_arena_release(&b.arena);
}

Test(cluster_map, without_a_session_filter_an_open_choice_holds_nothing)
{
    struct bench b;

    update_to(&b, with_route(&b, XDS_CLIENT_GO, &half_and_half));
    cr_expect_eq(start_without_number(&b), XDS_CLUSTER_START_OPEN);
    cr_expect_not(xds_cluster_map_select(&b.map, &b.rpcs[0], XDS_S("B")));
    b.heard.n = 0;
    xds_cluster_map_release(&b.map, &b.rpcs[0]);
    xds_cluster_map_release(&b.map, &b.rpcs[0]);
    cr_expect_eq(b.heard.n, 0);
    xds_arena_release(&b.arena);
}

Test(cluster_map, a_fraction_without_a_number_leaves_the_route_open)
{
    struct bench b;
    struct xds_route *route = with_route(&b, XDS_CLIENT_CORE, &half_and_half);

    route->match.has_fraction = route->match.fraction_is_set = true;
    route->match.fraction = (struct xds_fraction){50, 100};
    update_to(&b, route);
    cr_expect_eq(start_without_number(&b), XDS_CLUSTER_START_OPEN);
    cr_expect_eq(b.rpcs[0].stage, XDS_CLUSTER_NOTHING);
    xds_arena_release(&b.arena);
}

Test(cluster_map, routes_that_lead_nowhere_give_no_child_and_fail_their_rpcs)
{
    static const enum xds_action_kind useless[] = {
        XDS_ACTION_NO_SPECIFIER, XDS_ACTION_NON_FORWARDING, XDS_ACTION_UNSUPPORTED};

    for (size_t i = 0; i < XDS_ARRAY_LEN(useless); i++) {
        const struct plan plan = {"/", useless[i], 0, 1, 1, 1};
        struct bench b;

        update_to(&b, with_route(&b, XDS_CLIENT_CORE, &plan));
        cr_expect_eq(b.heard.n, 1);
        cr_expect_eq(b.heard.configs[0], 0);
        cr_expect_eq(start_without_number(&b), XDS_CLUSTER_START_FAILED);
        cr_expect(
            xds_slice_is(b.rpcs[0].failure, "Matching route has inappropriate action"));
        xds_arena_release(&b.arena);
    }
}

Test(cluster_map, a_skipped_route_has_no_child)
{
    for (unsigned i = 0; i < XDS_CLIENTS; i++) {
        struct bench b;
        struct xds_route *route = with_route(&b, (enum xds_client)i, &half_and_half);
        const struct xds_slice key =
            i == XDS_CLIENT_NODE ? XDS_S("A") : XDS_S("cluster:A");

        route->skipped_by = XDS_CLIENT_BIT(XDS_CLIENT_CORE);
        update_to(&b, route);
        cr_expect_eq(xds_cluster_map_is_routed(&b.map, key), i != XDS_CLIENT_CORE);
        xds_arena_release(&b.arena);
    }
}

Test(cluster_map, the_guard_of_a60_gives_grfc_back_to_a31)
{
    struct bench b;

    xds_arena_init(&b.arena, 0);
    xds_options_init(&b.options);
    b.options.env_set[XDS_ENV_OVERRIDE_HOST] = 1;
    begin(&b, XDS_CLIENT_GRFC);
    cr_expect_not(b.map.keeps_map);
    begin(&b, XDS_CLIENT_CORE);
    cr_expect(b.map.keeps_map);
    xds_arena_release(&b.arena);
}
