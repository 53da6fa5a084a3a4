/*
 * branches.c - follow an RPC into each route and weighted cluster that chance leaves
 * open.
 *
 * Source: spec routing 0, 3.1 to 3.4, 5.
 */
#include "explain/explain.h"

#include "base/limits.h"

struct follow {
    const struct xds_lb *lb;
    const struct xds_decision *d;
    struct xds_branches out;
    size_t cap;
    struct xds_strmap picks; /* struct xds_pick by what they depend on */
    size_t n_hosts;          /* of all picks */
    struct xds_share left;   /* of the RPCs that no route before has taken */
    /* The route in work and what its branches share, so that a route with very many
     * weighted clusters costs linear time. */
    struct xds_request_key hash;
    struct xds_slice thrown; /* present: the exception that the hash ends in */
    struct xds_session last;
    bool has_last;
};

static struct xds_share fraction_of(const struct xds_route_try *try)
{
    return try->matched == XDS_CHANCE_OPEN ? xds_share_of(try->takes, try->of)
                                           : XDS_SHARE_ALL;
}

/* part: what this branch has of the route's RPCs. */
static struct xds_branch *add_branch(struct follow *f, const struct xds_route_try *try,
                                     struct xds_share part)
{
    struct xds_branches *out = &f->out;

    out->list =
        xds_arena_room(f->lb->rpc->arena, out->list, out->n, &f->cap, sizeof *out->list);
    struct xds_branch *b = &out->list[out->n++];
    *b = (struct xds_branch){
        .try = try,
        .probability = try->probability * part.value,
        .share = xds_share_times(xds_share_times(f->left, fraction_of(try)), part)};
    return b;
}

/* ---- clusters ---- */

static struct xds_override_scope scope_of(const struct follow *f,
                                          const struct xds_route_try *try,
                                          const struct xds_weighted_cluster *entry)
{
    return (struct xds_override_scope){entry, try->route, f->d->virtual_host.host};
}

/* After an abort no filter sees the RPC, so only the config of a session filter there is
 * known. */
static void read_session(struct follow *f, struct xds_branch *b,
                         struct xds_listener *chain,
                         const struct xds_override_scope *scope)
{
    const struct xds_rpc *rpc = f->lb->rpc;
    const struct xds_session *last = f->has_last ? &f->last : NULL;
    const size_t n = chain->n_filters;

    if (b->faults.aborts)
        chain->n_filters = b->faults.ends_at;
    xds_session_read(rpc, chain, scope, last, &b->session);
    f->last = b->session;
    f->has_last = true;
    if (!b->faults.aborts || b->session.filter)
        return;
    chain->n_filters = n;
    xds_session_read(rpc, chain, scope, last, &b->session);
    xds_session_end_before(&b->session);
}

/* Filters act in the order of the chain. */
static void run_filters(struct follow *f, struct xds_branch *b,
                        const struct xds_chain *chain)
{
    const struct xds_rpc *rpc = f->lb->rpc;
    const struct xds_override_scope scope = scope_of(f, b->try, b->entry);
    struct xds_listener passed = *f->d->start.listener;

    passed.filters = chain->filters;
    passed.n_filters = chain->n;
    b->faults = xds_faults_of(rpc, &passed, &scope);
    if (!b->faults.aborts)
        b->error = chain->error;
    b->unknown = chain->unknown;
    read_session(f, b, &passed, &scope);
}

static struct xds_slice key_of(const struct xds_rpc *rpc, const struct xds_branch *b)
{
    if (b->plugin)
        return xds_arena_concat(rpc->arena, XDS_S("cluster_specifier_plugin:"),
                                b->cluster.name);
    if (XDS_DIFFERS(rpc, XDS_DIFF_CLUSTER_KEY_BARE))
        return b->cluster.name;
    return xds_arena_concat(rpc->arena, XDS_S("cluster:"), b->cluster.name);
}

/* Where an RPC goes: a cluster, of the route or of one of its entries. */
struct rpc_path {
    const struct xds_route_try *try;
    const struct xds_weighted_cluster *entry;
    struct xds_slice cluster;
    struct xds_share part; /* of the route's RPCs */
};

static void use_cluster(struct follow *f, const struct rpc_path *rpc_path,
                        const struct xds_chain *chain)
{
    const struct xds_rpc *rpc = f->lb->rpc;
    struct xds_branch *b =
        add_branch(f, rpc_path->try, xds_share_times(rpc_path->part, chain->share));

    b->entry = rpc_path->entry;
    b->forwards = true;
    b->plugin = b->try->route->action == XDS_ACTION_PLUGIN;
    run_filters(f, b, chain);
    b->cluster = xds_session_use_cluster(rpc, &b->session, rpc_path->cluster, b->plugin);
    b->key = key_of(rpc, b);
    b->hash = f->hash;
    if (!f->thrown.data)
        return;
    b->faults = (struct xds_faults){.n = 0}; /* before any filter */
    b->error = (struct xds_failed){
        xds_arena_printf(rpc->arena, "the call throws %.*s", XDS_FMT(f->thrown)),
        xds_failure_row(XDS_FAILURE_CLIENT_CRASH)};
    b->code = XDS_S("UNKNOWN");
}

static void go(struct follow *f, const struct rpc_path *rpc_path)
{
    const struct xds_override_scope scope = scope_of(f, rpc_path->try, rpc_path->entry);
    const struct xds_chains chains =
        xds_chains_of(f->lb->rpc, f->d->start.listener, &scope);

    for (size_t i = 0; i < chains.n; i++)
        use_cluster(f, rpc_path, &chains.list[i]);
}

/* Before any filter, and before a cluster has a say. */
static void fail_unpicked(struct follow *f, const struct xds_route_try *try,
                          struct xds_share part)
{
    struct xds_branch *b = add_branch(f, try, part);
    const bool throws = XDS_DIFFERS(f->lb->rpc, XDS_DIFF_WEIGHTS_PICKING_NONE_THROW);

    b->error.reason = xds_failure_row(XDS_FAILURE_UNPICKED);
    b->error.text = throws ? XDS_S("the call throws TypeError: Cannot read properties of "
                                   "undefined (reading 'ref')")
                           : XDS_S("Requested cluster  not found");
    b->code = throws ? XDS_S("UNKNOWN") : XDS_S("INTERNAL");
}

static void follow_weighted(struct follow *f, const struct xds_route_try *try)
{
    const struct xds_weighted_choices choices = xds_weighted_pick(f->lb->rpc, try->route);

    if (choices.n == 0 && choices.none == 0)
        add_branch(f, try, XDS_SHARE_ALL);
    if (choices.none > 0)
        fail_unpicked(f, try, xds_share_of(choices.none, choices.below));
    for (size_t i = 0; i < choices.n; i++) {
        const struct xds_weighted_choice *c = &choices.list[i];
        const struct xds_share part =
            c->probability < 1 ? xds_share_of(c->part, choices.below) : XDS_SHARE_ALL;

        go(f, &(struct rpc_path){try, c->entry, c->entry->name, part});
    }
}

static void follow_route(struct follow *f, const struct xds_route_try *try)
{
    const struct xds_request_hash hash = xds_request_hash(f->lb->rpc, try->route);

    f->hash = (struct xds_request_key){
        .has_hash = hash.known, .hash = hash.hash, .of_channel = hash.of_channel};
    f->thrown = hash.thrown;
    switch (try->route->action) {
    case XDS_ACTION_CLUSTER:
    case XDS_ACTION_PLUGIN:
        go(f, &(struct rpc_path){try, NULL, try->route->cluster, XDS_SHARE_ALL});
        return;
    case XDS_ACTION_WEIGHTED:
        follow_weighted(f, try);
        return;
    case XDS_ACTION_NO_SPECIFIER:
    case XDS_ACTION_NON_FORWARDING:
    case XDS_ACTION_UNSUPPORTED:
        add_branch(f, try, XDS_SHARE_ALL);
        return;
    }
}

/* ---- picks ---- */

/* Everything a pick depends on, as text. */
static struct xds_slice pick_key(struct xds_arena *arena, const struct xds_branch *b)
{
    return xds_arena_printf(arena, "%d %s %d %.*s %.*s", b->hash.has_hash,
                            xds_u128_text(b->hash.hash).text, b->session.acts,
                            XDS_FMT(b->key), XDS_FMT(b->session.cookie.list));
}

const struct xds_session *xds_branch_session(const struct xds_branch *b)
{
    return b->session.acts && b->session.code != XDS_SESSION_BAD_ADDRESS ? &b->session
                                                                         : NULL;
}

/* Nothing about the RPC but its cluster decides such a pick. */
static bool pick_is_kept(const struct xds_lb *lb, const struct xds_branch *b)
{
    const struct xds_request *request = lb->rpc->request;

    return lb->memory && !lb->live && request->n_random == 0 &&
           request->n_assumptions == 0 && !b->hash.has_hash && !xds_branch_session(b);
}

static struct xds_pick *fresh_pick(const struct xds_lb *lb, const struct xds_branch *b)
{
    struct xds_pick *pick = XDS_NEW(lb->rpc->arena, struct xds_pick);

    *pick = xds_pick_host(lb, b->cluster.name, b->hash, xds_branch_session(b));
    return pick;
}

/* A policy may still look at a header of the RPC (A76); then nothing can be kept. */
static struct xds_pick *kept_pick(const struct xds_lb *lb, const struct xds_branch *b)
{
    void **slot = xds_strmap_at(&lb->memory->picks, b->key);
    struct xds_pick *pick = *slot;
    struct xds_lb_kept kept;

    if (!pick) {
        /* The name may be in a cookie. */
        const struct xds_slice name = xds_arena_dup(&lb->memory->arena, b->cluster.name);

        pick = XDS_NEW(&lb->memory->arena, struct xds_pick);
        *pick = xds_pick_host(xds_lb_for_memory(lb, &kept), name, b->hash, NULL);
        *slot = pick;
    }
    return pick->key.own_header ? fresh_pick(lb, b) : pick;
}

static void pick_for(struct follow *f, struct xds_branch *b)
{
    struct xds_arena *arena = f->lb->rpc->arena;

    if (!b->forwards || b->plugin || b->faults.aborts || b->error.text.data)
        return;
    const bool keeps = pick_is_kept(f->lb, b);
    void *only = NULL; /* a single branch shares its pick with no other */
    void **slot = f->out.n == 1
                      ? &only
                      : xds_strmap_at(&f->picks, keeps ? b->key : pick_key(arena, b));
    if (!*slot &&
        (f->out.n_picks == XDS_MAX_OPEN_PICKS || f->n_hosts > XDS_MAX_OPEN_HOSTS)) {
        f->out.too_many = true;
        return;
    }
    if (!*slot) {
        struct xds_pick *pick = keeps ? kept_pick(f->lb, b) : fresh_pick(f->lb, b);
        *slot = pick;
        f->out.n_picks++;
        f->n_hosts += pick->n_hosts;
    }
    b->pick = *slot;
}

/* What the pick means for the session: the notes about the cluster stay, with what came
 * of the host after them. */
static void judge_session(const struct xds_rpc *rpc, struct xds_branch *b)
{
    struct xds_session *s = &b->session;
    const struct xds_pick *pick = b->pick;

    if (!(pick || b->faults.aborts || b->error.text.data) || !s->acts ||
        s->code < XDS_SESSION_CLUSTER_NOT_IN_ROUTE)
        return;
    if (s->cookie.n_addresses == 0) {
        s->code = XDS_SESSION_UNKNOWN_HOST;
        s->reason = XDS_S("the cookie contains no address");
        return;
    }
    if (!pick || !pick->affinity_tried) {
        if (!s->reason.data)
            s->reason = XDS_S("the RPC ends before a host is chosen");
        if (s->code == XDS_SESSION_OVERRIDE)
            s->code = XDS_SESSION_UNKNOWN_HOST;
        return;
    }
    s->out_of_reach = pick->affinity_out_of_reach;
    const bool noted = s->reason.data != NULL;
    if (!noted || pick->affinity != XDS_SESSION_OVERRIDE)
        s->code = pick->affinity;
    s->reason = noted ? xds_arena_printf(rpc->arena, "%.*s; %.*s", XDS_FMT(s->reason),
                                         XDS_FMT(pick->affinity_reason))
                      : pick->affinity_reason;
}

struct xds_branches xds_branches_follow(const struct xds_lb *lb,
                                        const struct xds_decision *d)
{
    struct follow f = {.lb = lb, .d = d, .left = XDS_SHARE_ALL};

    xds_strmap_init(&f.picks, lb->rpc->arena);
    for (size_t i = 0; i < d->walk.n_tries; i++) {
        const struct xds_route_try *try = &d->walk.tries[i];

        if (try->matched == XDS_CHANCE_NO)
            continue;
        follow_route(&f, try);
        f.left = xds_share_times(f.left, xds_share_rest(fraction_of(try)));
    }
    for (size_t i = 0; i < f.out.n; i++) {
        struct xds_branch *b = &f.out.list[i];

        pick_for(&f, b);
        judge_session(lb->rpc, b);
        f.out.kills |= b->pick && b->pick->kills;
    }
    return f.out;
}
