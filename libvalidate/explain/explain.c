/*
 * explain.c - put the steps together: where does this RPC go, and why.
 *
 * Fails:  XDS_ERR_NO_MEMORY; XDS_ERR_USAGE when neither target nor listener is given and
 *         there are several. Every outcome of the RPC is part of the record.
 * Source: spec routing 0.
 */
#include "check/check.h"
#include "generate/config.h"
#include "explain/derive.h"
#include "explain/explain.h"

#include <stdlib.h>

/* The most that is kept from one RPC to the next, in bytes: mostly rings of hosts. Beyond
 * it all is made anew; a large snapshot seldom needs that, as RPCs come by cluster. */
#define MOST_KEPT ((size_t)64 << 20)

/* What is kept grows with the snapshot, up to that, and not with the number of RPCs. */
struct xds_explainer {
    struct xds_check *check;
    enum xds_client client;
    struct xds_arena decision; /* reset per RPC */
    struct xds_arena scratch;  /* reset at will while one RPC is explained */
    struct xds_arena other;    /* for the decision of another client, then for the next */
    struct xds_lb_memory memory;
    struct xds_awaited awaited[XDS_CLIENTS];
    struct xds_strmap indexes; /* struct xds_route_index by virtual host */
    struct xds_strmap answers; /* of xds_explain_known() */
    struct xds_approach approach;
    const struct xds_snapshot *snapshot; /* of which all these are */
    struct xds_slice doubt;              /* whether that is the right one; or absent */
    size_t most_kept;                    /* bytes */
    bool is_brief;
};

/* Of more clusters that an RPC may go to, a dump's words are not repeated. */
enum { MOST_HELD_CLUSTERS = 20 };

struct work {
    struct xds_explainer *explainer;
    struct xds_random random;
    struct xds_slice undecided;
    const struct xds_rule *killed_by;
    struct xds_rpc rpc;
    struct xds_lb lb;
    struct xds_branches branches;
    struct xds_decision *d;
};

/* NULL when the request wants every route tried. */
static const struct xds_route_index *index_of(struct xds_explainer *e,
                                              const struct xds_rpc *rpc,
                                              const struct xds_virtual_host *host)
{
    /* The address of the model tells the hosts apart. */
    const struct xds_slice key = {(const char *)&host, sizeof(host)};

    if (rpc->request->every_route)
        return NULL;
    void **slot = xds_strmap_at(&e->indexes, key);
    if (!*slot)
        *slot = xds_route_index_build(&e->memory.arena, rpc->options, e->client, host);
    return *slot;
}

static bool needs_reasons(const struct work *w)
{
    const struct xds_request *request = w->rpc.request;

    return !w->explainer->is_brief || request->every_route ||
           request->observed_host.data || request->why_not.data;
}

static void fill_route(struct work *w)
{
    struct xds_decision *d = w->d;
    const size_t n = d->walk.n_tries;
    const struct xds_route_try *last = n ? &d->walk.tries[n - 1] : NULL;

    if (!last || last->matched != XDS_CHANCE_YES || last->probability < 1)
        return;
    d->route = last;
    d->has_method_config = xds_method_config_of(d->start.listener, d->virtual_host.host,
                                                last->route, &w->rpc, &d->method_config);
}

static bool end_unparsed(struct work *w)
{
    const struct xds_retry_policy *retry = w->d->method_config.retry;
    const char *error = retry && XDS_DIFFERS(&w->rpc, XDS_DIFF_RETRY_FAILS_RPC)
                            ? xds_retries_java_error(retry)
                            : NULL;

    if (!error)
        return false;
    xds_explain_end(&w->lb, w->d, XDS_OUTCOME_UNAVAILABLE,
                    xds_failure_row(XDS_FAILURE_SERVICE_CONFIG), "%s", error);
    w->d->status.code = XDS_S("UNKNOWN");
    return true;
}

static bool end_undecided(struct work *w)
{
    if (!xds_rpc_is_undecided(&w->rpc))
        return false;
    xds_explain_end(&w->lb, w->d, XDS_OUTCOME_UNDECIDED, NULL, "%.*s",
                    XDS_FMT(*w->rpc.undecided));
    return true;
}

/* On the way to a host. */
static bool end_killed(struct work *w)
{
    if (w->killed_by)
        xds_explain_crash(&w->lb, w->d, w->killed_by);
    else if (w->branches.kills)
        xds_explain_end(&w->lb, w->d, XDS_OUTCOME_CRASH,
                        xds_failure_row(XDS_FAILURE_CLIENT_CRASH),
                        "kills the process, which makes a connection to the host of the "
                        "session cookie (session-host-crash)");
    return w->killed_by || w->branches.kills;
}

/* A typing error would change nothing and go unseen. */
static void note_strangers(struct work *w)
{
    struct xds_slice first;
    const size_t n = xds_lb_strangers(&w->lb, &first);

    if (n == 1)
        xds_explain_note(&w->rpc, w->d,
                         "a state is assumed for %.*s, which is not in the snapshot",
                         XDS_FMT(first));
    if (n > 1)
        xds_explain_note(&w->rpc, w->d,
                         "states are assumed for %zu addresses that are "
                         "not in the snapshot; the first is %.*s",
                         n, XDS_FMT(first));
}

/* Made for one RPC at a time: many RPCs share few trees, and each is long. */
static void fill_lb_policy(struct work *w)
{
    struct xds_decision *d = w->d;
    struct xds_maker maker = {.arena = w->rpc.arena,
                              .options = w->rpc.options,
                              .snapshot = w->lb.snapshot,
                              .client = w->rpc.client,
                              .dialect = xds_dialect_of(w->rpc.options, w->rpc.client)};

    if (!d->cluster || !d->leaf.data)
        return;
    const struct xds_lb_tree tree = xds_lb_tree_of(&maker, d->cluster->name, false, NULL);

    for (size_t i = 0; i < tree.n_leaves; i++)
        if (xds_slice_eq(tree.leaves[i].leaf.name, d->leaf))
            d->pick.tree = &tree.leaves[i].policy;
}

/* What the client rejects is no gap of the snapshot: it fails the RPC. */
static void end_at_rejected(struct work *w)
{
    struct xds_decision *d = w->d;
    const struct xds_client_label as = xds_asked_label(w->rpc.options, w->rpc.client);
    const char *client = as.text;
    const struct xds_rpc_failure *reason = xds_failure_row(XDS_FAILURE_CLUSTER_REJECTED);

    d->status.rejected_cluster = d->clusters->name;
    if (d->n_clusters == 1)
        xds_explain_end(&w->lb, d, XDS_OUTCOME_UNAVAILABLE, reason,
                        "%s rejects cluster %.*s", client,
                        XDS_FMT(xds_excerpt(w->rpc.arena, d->status.rejected_cluster)));
    else
        xds_explain_end(&w->lb, d, XDS_OUTCOME_UNAVAILABLE, reason,
                        "%s rejects each of the %zu clusters", client, d->n_clusters);
}

/* The route is known, and where it leads is not in the snapshot, or not of gRPC. */
static void end_in_gap(struct work *w)
{
    struct xds_decision *d = w->d;
    const char *why = NULL;
    size_t missing = 0;

    if (!d->start.assumed || d->outcome != XDS_OUTCOME_UNAVAILABLE || d->n_clusters == 0)
        return;
    for (size_t i = 0; i < d->n_clusters; i++) {
        const struct xds_slice name = d->clusters[i].name;
        const struct xds_snapshot_entry *entry =
            xds_snapshot_used(w->lb.snapshot, w->rpc.client, XDS_TYPE_CLUSTER, name);

        if (xds_accepted(w->lb.snapshot, w->rpc.client, XDS_TYPE_CLUSTER, name, &why))
            return;
        missing += !entry || !(entry->nacked_by & XDS_CLIENT_BIT(w->rpc.client));
    }
    if (missing == 0)
        end_at_rejected(w);
    else if (d->n_clusters == 1)
        xds_explain_end(&w->lb, d, XDS_OUTCOME_GAP, NULL, "to cluster %.*s, which %s",
                        XDS_FMT(xds_excerpt(w->rpc.arena, d->clusters->name)), why);
    else
        xds_explain_end(&w->lb, d, XDS_OUTCOME_GAP, NULL,
                        "to one of %zu clusters, of which the client has none",
                        d->n_clusters);
}

static void take_approach(const struct xds_decision *from, struct xds_decision *d)
{
    d->start.listener_name = from->start.listener_name;
    d->start.listener = from->start.listener;
    d->start.authority = from->start.authority;
    d->start.route_config_name = from->start.route_config_name;
    d->start.route_config = from->start.route_config;
    d->virtual_host = from->virtual_host;
}

/* False: the decision has ended. */
static bool find_virtual_host(const struct work *w)
{
    const struct xds_live *live = w->lb.live;

    if (live && live->routed) {
        take_approach(live->routed, w->d);
        return true;
    }
    /* What a running client works with may be another snapshot each time. */
    return w->lb.memory && !live
               ? xds_explain_approach(&w->explainer->approach, &w->lb, w->d)
               : xds_explain_virtual_host(&w->lb, w->d);
}

static void decide(struct work *w)
{
    struct xds_decision *d = w->d;

    if (!find_virtual_host(w)) {
        if (!xds_explain_unmodelled(&w->lb, NULL, d))
            xds_explain_waiting(&w->lb, d);
        return;
    }
    if (!w->lb.live &&
        (xds_explain_childless(&w->lb, d) || xds_explain_awaiting(&w->lb, d)))
        return;
    d->walk = xds_route_select(&w->rpc, d->virtual_host.host,
                               index_of(w->explainer, &w->rpc, d->virtual_host.host));
    if (needs_reasons(w))
        xds_route_reasons(&w->rpc, &d->walk);
    if (end_undecided(w))
        return;
    fill_route(w);
    const struct xds_snapshot *snapshot = w->lb.snapshot;
    const bool is_modelled = !snapshot || !snapshot->has_unmodelled;

    if (end_unparsed(w) ||
        (is_modelled && xds_explain_known(&w->lb, &w->explainer->answers, d)))
        return;
    w->branches = xds_branches_follow(&w->lb, d);
    if (end_killed(w) || end_undecided(w) ||
        xds_explain_unmodelled(&w->lb, &w->branches, d))
        return;
    if (w->branches.n == 0) {
        const struct xds_failed failed =
            xds_failure_text(&w->rpc, XDS_FAILURE_NO_ROUTE, w->rpc.request->path);
        xds_explain_end(&w->lb, d, XDS_OUTCOME_NO_ROUTE, failed.reason, "%.*s",
                        XDS_FMT(failed.text));
        return;
    }
    xds_explain_gather(&w->rpc, &w->branches, d);
    if (xds_explain_unmodelled(&w->lb, &w->branches, d))
        return;
    xds_explain_security(&w->lb, d);
    end_in_gap(w);
    if (!w->lb.live) /* whose connections may outlive their endpoints */
        note_strangers(w);
    if (!w->rpc.request->every_route)
        return;
    xds_explain_shared_walk(&w->lb, d);
    xds_explain_config(&w->rpc, &w->branches, d);
    fill_lb_policy(w);
}

struct held_list {
    const struct xds_snapshot *snapshot;
    const struct xds_report *report;
    struct xds_arena *arena;
    struct xds_decision_held *items;
    size_t n, cap;
};

static void add_held(struct held_list *list, enum xds_resource_type type,
                     struct xds_slice name)
{
    const struct xds_held *held = xds_snapshot_held(list->snapshot, type, name);

    if (!name.data || !held || held->status == XDS_HELD_UNKNOWN)
        return;
    for (size_t i = 0; i < list->n; i++)
        if (list->items[i].type == type && xds_slice_eq(list->items[i].name, name))
            return;
    list->items = xds_arena_room(list->arena, list->items, list->n, &list->cap,
                                 sizeof *list->items);
    list->items[list->n++] = (struct xds_decision_held){
        type, name, held, xds_report_scope(list->report, held->config)};
}

static void add_held_cluster(struct held_list *list, struct xds_slice name)
{
    const struct xds_snapshot_entry *entry =
        name.data ? xds_snapshot_find(list->snapshot, XDS_TYPE_CLUSTER, name) : NULL;
    const struct xds_cluster *cluster = entry ? entry->model : NULL;

    add_held(list, XDS_TYPE_CLUSTER, name);
    if (cluster && cluster->kind == XDS_CLUSTER_EDS)
        add_held(list, XDS_TYPE_ENDPOINT, cluster->eds_name);
}

/* What the client of a dump says of the resources on the way of the RPC. */
static void fill_held(struct work *w)
{
    const struct xds_snapshot *all = &w->explainer->check->snapshot;
    struct held_list list = {.snapshot = w->lb.snapshot,
                             .report = w->explainer->check->report,
                             .arena = w->rpc.arena};
    struct xds_decision *d = w->d;

    if (!all->has_held)
        return;
    if (all->next && all->node.len > 0)
        xds_explain_note(
            &w->rpc, d,
            "the dump is of several clients, and this is what \"%.*s\" does; "
            "--node chooses another one",
            XDS_FMT(all->node));
    if (w->explainer->doubt.data)
        xds_explain_note(&w->rpc, d, "%.*s", XDS_FMT(w->explainer->doubt));
    add_held(&list, XDS_TYPE_LISTENER, d->start.listener_name);
    add_held(&list, XDS_TYPE_ROUTE, d->start.route_config_name);
    for (size_t i = 0; i < d->n_clusters && i < MOST_HELD_CLUSTERS; i++)
        add_held_cluster(&list, d->clusters[i].name);
    if (d->outcome == XDS_OUTCOME_UNDECIDED) /* before clusters are in the decision */
        for (size_t i = 0; i < w->branches.n && i < MOST_HELD_CLUSTERS; i++)
            add_held_cluster(&list, w->branches.list[i].cluster.name);
    add_held_cluster(&list, d->leaf);
    d->held = list.items;
    d->n_held = list.n;
}

struct unknown_names {
    struct work *work;
    struct xds_slice told[4]; /* of many names these are enough */
    size_t n;
};

/* A caller that uses a resource knows the names in it. */
static void note_unknown(struct unknown_names *u, enum xds_resource_type type,
                         struct xds_slice name)
{
    static const char *const kinds[] = {
        [XDS_TYPE_UNKNOWN] = "resource",          [XDS_TYPE_LISTENER] = "listener",
        [XDS_TYPE_ROUTE] = "route configuration", [XDS_TYPE_CLUSTER] = "cluster",
        [XDS_TYPE_ENDPOINT] = "endpoints",
    };
    const struct work *w = u->work;
    const struct xds_snapshot_entry *entry =
        name.data ? xds_snapshot_used(w->lb.snapshot, w->rpc.client, type, name) : NULL;

    if (!entry || !entry->unknown.data || u->n == XDS_ARRAY_LEN(u->told) ||
        (entry->held && entry->held->used_by & XDS_CLIENT_BIT(w->rpc.client)))
        return;
    for (size_t i = 0; i < u->n; i++)
        if (xds_slice_eq(u->told[i], entry->unknown))
            return;
    u->told[u->n++] = entry->unknown;
    xds_explain_note(&w->rpc, w->d, "%s %.*s: %.*s", kinds[type],
                     XDS_FMT(xds_excerpt(w->rpc.arena, name)), XDS_FMT(entry->unknown));
}

/* What of the resources on the way of the RPC could not be judged. */
static void note_unknown_names(struct work *w)
{
    struct unknown_names u = {.work = w};
    const struct xds_decision *d = w->d;

    if (w->rpc.options->bootstrap.is_set)
        return;
    note_unknown(&u, XDS_TYPE_LISTENER, d->start.listener_name);
    note_unknown(&u, XDS_TYPE_ROUTE, d->start.route_config_name);
    for (size_t i = 0; i < d->n_clusters && i < MOST_HELD_CLUSTERS; i++)
        note_unknown(&u, XDS_TYPE_CLUSTER, d->clusters[i].name);
    note_unknown(&u, XDS_TYPE_CLUSTER, d->leaf);
}

/* The entry of that name, which is marked; NULL when the snapshot has none. */
static const struct xds_snapshot_entry *mark(const struct xds_snapshot *snapshot,
                                             enum xds_resource_type type,
                                             struct xds_slice name, bool *met)
{
    const struct xds_snapshot_entry *entry =
        name.data ? xds_snapshot_find(snapshot, type, name) : NULL;

    if (entry)
        met[entry->resource] = true;
    return entry;
}

static void mark_cluster(const struct xds_snapshot *snapshot, struct xds_slice name,
                         bool *met)
{
    const struct xds_snapshot_entry *entry = mark(snapshot, XDS_TYPE_CLUSTER, name, met);
    const struct xds_cluster *cluster = entry ? entry->model : NULL;

    if (cluster && cluster->kind == XDS_CLUSTER_EDS)
        (void)mark(snapshot, XDS_TYPE_ENDPOINT, cluster->eds_name, met);
}

void xds_decision_mark_resources(const struct xds_explainer *explainer,
                                 const struct xds_decision *decision, bool *met)
{
    const struct xds_snapshot *snapshot = explainer->snapshot;

    (void)mark(snapshot, XDS_TYPE_LISTENER, decision->start.listener_name, met);
    (void)mark(snapshot, XDS_TYPE_ROUTE, decision->start.route_config_name, met);
    for (size_t i = 0; i < decision->n_clusters; i++)
        mark_cluster(snapshot, decision->clusters[i].name, met);
    for (size_t i = 0; i < decision->pick.n_hosts; i++) /* below aggregate clusters */
        mark_cluster(snapshot, decision->pick.hosts[i].cluster, met);
    mark_cluster(snapshot, decision->leaf, met);
}

/* Of an RPC that is undecided, or that kills the client, nothing can be said. */
static void observe(struct work *w)
{
    const struct xds_observed_rpc seen = {&w->lb, &w->branches, w->d,
                                          &w->explainer->scratch};
    const struct xds_request *request = w->rpc.request;

    if (w->d->outcome == XDS_OUTCOME_UNDECIDED || w->d->outcome == XDS_OUTCOME_CRASH)
        return;
    if (request->observed_host.data)
        w->d->asked.observed = xds_observe(&seen, request->observed_host);
    if (request->why_not.data)
        w->d->asked.why_not = xds_why_not(&seen, request->why_not);
}

/* Without memory, which is only for the client that the explainer is for. */
static void begin(struct work *w, struct xds_explainer *e, enum xds_client client,
                  const struct xds_request *request, struct xds_arena *arena)
{
    *w = (struct work){
        .explainer = e,
        .d = XDS_NEW(arena, struct xds_decision),
        .random = {request->random, request->n_random, 0},
        .rpc = {.client = client,
                .options = &e->check->report->options,
                .request = request,
                .random = &w->random,
                .arena = arena,
                .undecided = &w->undecided,
                .killed_by = &w->killed_by},
    };
    w->d->client = client;
    w->d->as = xds_asked_label(w->rpc.options, client);
    w->d->request = *request;
    xds_lb_init(&w->lb, &w->rpc, e->snapshot);
    w->lb.awaited = &e->awaited[client];
}

/* What the others do, each with random numbers of its own and the same listener. */
static void compare_others(struct work *asked)
{
    struct xds_explainer *e = asked->explainer;
    struct xds_request same = *asked->rpc.request;
    struct work w;

    if (asked->d->start.several_listeners)
        return;
    if (asked->d->start.assumed)
        same.route_config = xds_start_name(asked->d->start.listener);
    else if (!same.target.data)
        same.listener = asked->d->start.listener_name;
    for (unsigned c = 0; c < XDS_CLIENTS; c++) {
        const enum xds_client client = (enum xds_client)c;

        if (client == e->client)
            continue;
        xds_arena_reset(&e->other);
        begin(&w, e, client, &same, &e->other);
        decide(&w);
        xds_explain_compare(asked->rpc.options, asked->d, w.d, &e->decision, &e->other);
    }
}

struct call {
    struct xds_explainer *explainer;
    const struct xds_request *request;
    struct xds_decision *decision;
};

static void run(void *arg)
{
    struct call *call = arg;
    struct xds_explainer *e = call->explainer;

    struct work w;

    begin(&w, e, e->client, call->request, &e->decision);
    w.lb.memory = &e->memory;
    decide(&w);
    if (call->request->every_route) {
        xds_explain_nearest(&w.rpc, w.d);
        fill_held(&w);
        note_unknown_names(&w);
        if (!call->request->live) /* there is one client only */
            compare_others(&w);
    }
    observe(&w);
    call->decision = w.d;
}

/* What is kept from one RPC to the next. */
static void init_kept(struct xds_explainer *e)
{
    xds_lb_memory_init(&e->memory);
    xds_strmap_init(&e->indexes, &e->memory.arena);
    xds_strmap_init(&e->answers, &e->memory.arena);
    xds_approach_init(&e->approach);
}

static void release_kept(struct xds_explainer *e)
{
    xds_lb_memory_release(&e->memory);
    xds_approach_release(&e->approach);
}

struct xds_explainer *xds_explainer_new(struct xds_check *check, enum xds_client client)
{
    struct xds_explainer *e = calloc(1, sizeof *e);

    if (!e)
        return NULL;
    e->check = check;
    e->client = client;
    e->snapshot = &check->snapshot;
    e->most_kept = MOST_KEPT;
    xds_arena_init(&e->decision, 0);
    xds_arena_init(&e->scratch, 0);
    xds_arena_init(&e->other, 0);
    init_kept(e);
    return e;
}

void xds_explainer_keep(struct xds_explainer *explainer, size_t most)
{
    explainer->most_kept = most;
}

void xds_explainer_be_brief(struct xds_explainer *explainer)
{
    explainer->is_brief = true;
}

void xds_explainer_free(struct xds_explainer *explainer)
{
    if (!explainer)
        return;
    xds_arena_release(&explainer->decision);
    xds_arena_release(&explainer->scratch);
    xds_arena_release(&explainer->other);
    release_kept(explainer);
    free(explainer);
}

static void choose(void *arg)
{
    struct call *call = arg;
    struct xds_explainer *e = call->explainer;
    const struct xds_rpc rpc = {.client = e->client,
                                .options = &e->check->report->options,
                                .request = call->request,
                                .arena = &e->decision};

    e->doubt = (struct xds_slice){NULL, 0};
    e->snapshot = xds_explain_scope(e->check, &rpc, &e->doubt);
}

/* What was kept of another xDS client of the dump says nothing of this one. */
static enum xds_status turn_to_scope(struct call *call)
{
    struct xds_explainer *e = call->explainer;
    struct xds_arena *const arenas[] = {&e->decision};
    const struct xds_snapshot *before = e->snapshot;
    const enum xds_status status =
        xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), choose, call);

    if (e->snapshot != before || e->memory.arena.used > e->most_kept) {
        release_kept(e);
        init_kept(e);
    }
    return status;
}

enum xds_status xds_explain(struct xds_explainer *explainer,
                            const struct xds_request *request,
                            const struct xds_decision **out)
{
    struct xds_arena *const arenas[] = {&explainer->decision, &explainer->scratch,
                                        &explainer->other, &explainer->memory.arena,
                                        &explainer->approach.arena};
    struct call call = {explainer, request, NULL};

    xds_arena_reset(&explainer->decision);
    enum xds_status status = turn_to_scope(&call);

    if (status == XDS_OK)
        status = xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), run, &call);
    status = xds_check_status(explainer->check, status);
    *out = status == XDS_OK ? call.decision : NULL;
    if (status == XDS_OK && call.decision->start.several_listeners)
        return XDS_ERR_USAGE;
    return status;
}

/* ---- the routes alone ---- */

struct walk_call {
    struct xds_explainer *explainer;
    const struct xds_derived *derived;
    struct xds_route_walk walk;
    bool is_decided;
};

static void walk_routes(void *arg)
{
    struct walk_call *call = arg;
    struct xds_explainer *e = call->explainer;
    const struct xds_virtual_host *host = call->derived->host;
    struct xds_random random = {NULL, 0, 0};
    struct xds_slice undecided = {NULL, 0};
    const struct xds_rpc rpc = {.client = e->client,
                                .options = &e->check->report->options,
                                .request = &call->derived->request,
                                .random = &random,
                                .arena = &e->decision,
                                .undecided = &undecided};

    call->walk = xds_route_select(&rpc, host, index_of(e, &rpc, host));
    call->is_decided = !undecided.data;
}

bool xds_explain_walk(struct xds_explainer *explainer, const struct xds_derived *derived,
                      struct xds_route_walk *walk)
{
    struct xds_arena *const arenas[] = {&explainer->decision, &explainer->memory.arena};
    struct walk_call call = {.explainer = explainer, .derived = derived};

    xds_arena_reset(&explainer->decision);
    const enum xds_status status =
        xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), walk_routes, &call);

    *walk = call.walk;
    return status == XDS_OK && call.is_decided;
}

bool xds_decision_observable(const struct xds_decision *decision)
{
    return !decision->asked.observed || decision->asked.observed->n_causes > 0;
}
