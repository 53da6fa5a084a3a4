/*
 * gather.c - sum the branches of an RPC up: clusters, hosts, session.
 *
 * Source: spec routing 5.7, 5.10 and 8.6.
 */
#include "explain/explain.h"

struct work {
    const struct xds_rpc *rpc;
    struct xds_branches branches;
    struct xds_decision *d;
};

enum { FEW_HOSTS = 8 };

/* ---- clusters ---- */

static enum xds_cluster_why why_cluster(const struct xds_branch *b)
{
    if (b->plugin)
        return XDS_CLUSTER_PLUGIN;
    if (b->cluster.overridden)
        return XDS_CLUSTER_COOKIE;
    return b->entry ? XDS_CLUSTER_WEIGHTED : XDS_CLUSTER_ONLY;
}

/* Entries that name one cluster are added up, those of the first such route only. */
static void weigh(const struct work *w, struct xds_decision_cluster *c,
                  const struct xds_branch *first, const struct xds_branch *b)
{
    if (!b->entry || b->cluster.overridden || b->try != first->try)
        return;
    c->has_weight = true;
    c->weight += b->entry->weight;
    c->weight_of = xds_weight_below(w->rpc, b->try->route);
}

static void fill_clusters(struct work *w)
{
    struct xds_decision *d = w->d;
    struct xds_decision_cluster *list =
        XDS_NEW_ARRAY(w->rpc->arena, struct xds_decision_cluster, w->branches.n);
    const struct xds_branch **first =
        XDS_NEW_ARRAY(w->rpc->arena, const struct xds_branch *, w->branches.n);
    struct xds_strmap by_key;
    void *only = NULL; /* a single branch has its cluster for itself */

    xds_strmap_init(&by_key, w->rpc->arena);
    for (size_t i = 0; i < w->branches.n; i++) {
        const struct xds_branch *b = &w->branches.list[i];
        if (!b->forwards)
            continue;
        void **slot = w->branches.n == 1 ? &only : xds_strmap_at(&by_key, b->key);
        struct xds_decision_cluster *c = *slot;

        if (!c) {
            first[d->n_clusters] = b;
            *slot = c = &list[d->n_clusters++];
            *c = (struct xds_decision_cluster){.name = b->cluster.name,
                                               .key = b->key,
                                               .why = why_cluster(b),
                                               .picked = XDS_SHARE_NONE};
        }
        weigh(w, c, first[c - list], b);
        c->probability += b->probability;
        if (!b->pick)
            continue;
        c->picked = xds_share_plus(c->picked, b->share);
        c->endpoints = b->pick->endpoints;
        c->drops = b->pick->drops.share;
    }
    d->clusters = list;
}

static bool all_forward(const struct work *w)
{
    for (size_t i = 0; i < w->branches.n; i++)
        if (!w->branches.list[i].forwards)
            return false;
    return w->d->walk.unmatched <= 0;
}

/* Several entries may name one cluster. */
static void fill_entry(struct work *w)
{
    const struct xds_branch *list = w->branches.list;

    for (size_t i = 1; i < w->branches.n; i++)
        if (list[i].entry != list[0].entry)
            return;
    w->d->entry = list[0].entry;
}

/* Of the branches that get to the balancing; NULL when one of them has no pick. */
static const struct xds_pick *first_pick(const struct work *w)
{
    const struct xds_pick *first = NULL;

    for (size_t i = 0; i < w->branches.n; i++) {
        const struct xds_branch *b = &w->branches.list[i];

        /* After an abort or a failing filter nothing is picked. */
        if (b->faults.aborts || b->error.text.data)
            continue;
        if (!b->pick)
            return NULL;
        first = first ? first : b->pick;
    }
    return first;
}

/* Leaf and drops are certain when all branches agree on them. */
static void fill_leaf(struct work *w)
{
    struct xds_decision *d = w->d;
    const struct xds_pick *first = first_pick(w);

    if (!first || !first->leaf)
        return;
    for (size_t i = 0; i < w->branches.n; i++) {
        const struct xds_pick *pick = w->branches.list[i].pick;

        if (pick && (!pick->leaf || !pick->leaf->name.data ||
                     !xds_slice_eq(first->leaf->name, pick->leaf->name)))
            return;
    }
    d->leaf = first->leaf->name;
    d->pick.policy = first->policy;
    d->pick.endpoints = first->endpoints;
    if (first->leaf->cluster && XDS_ENV_ON(w->rpc, XDS_ENV_CIRCUIT_BREAKING)) {
        d->pick.has_limit = true;
        d->pick.max_requests = first->leaf->cluster->max_requests[w->rpc->client];
    }
    d->pick.drop_probability = first->drops.probability;
    d->pick.drop_share = first->drops.share;
}

/* ---- hosts ---- */

struct host_table {
    struct xds_decision_host *list;
    size_t n;
    bool few;
    struct xds_strmap by_address; /* of many: rows by cluster and address */
};

/* Branches that share a pick count once, with their probabilities added. */
struct pick_share {
    const struct xds_pick *pick;
    const struct xds_decision_cluster *cluster;
    struct xds_share share; /* of the pick, over the whole RPC */
};

static const struct xds_decision_cluster *cluster_of(const struct xds_decision *d,
                                                     struct xds_slice key)
{
    size_t i = 0;

    while (i + 1 < d->n_clusters && !xds_slice_eq(d->clusters[i].key, key))
        i++;
    return &d->clusters[i];
}

/* The part of the picks in the cluster that the pick is for; nearly always all. */
static struct xds_share share_of(const struct pick_share *p)
{
    const struct xds_share share = xds_share_within(p->share, p->cluster->picked);

    return share.value > 1 - 1e-12 ? XDS_SHARE_ALL : share;
}

static struct xds_decision_host *
new_host(struct host_table *t, const struct pick_share *p, const struct xds_host *host)
{
    t->list[t->n] = (struct xds_decision_host){
        .host = host,
        .cluster = p->cluster->name,
        .share = XDS_SHARE_NONE,
        .overall = xds_share_times(p->cluster->picked, xds_share_rest(p->cluster->drops)),
    };
    return &t->list[t->n++];
}

/* A look at each of few is faster than a map. */
static struct xds_decision_host *
host_of_few(struct host_table *t, const struct pick_share *p, const struct xds_host *host)
{
    const struct xds_slice address = xds_host_address_of(host);

    for (size_t i = 0; i < t->n; i++)
        if (t->list[i].cluster.data == p->cluster->name.data &&
            xds_slice_eq(xds_host_address_of(t->list[i].host), address))
            return &t->list[i];
    return new_host(t, p, host);
}

static struct xds_decision_host *host_of_many(struct work *w, struct host_table *t,
                                              const struct pick_share *p,
                                              const struct xds_host *host)
{
    /* The cluster's place in the decision, then the address. */
    const struct xds_slice cluster = {(const char *)&p->cluster, sizeof(p->cluster)};
    const struct xds_slice key =
        xds_arena_concat(w->rpc->arena, cluster, xds_host_address_of(host));
    void **slot = xds_strmap_at(&t->by_address, key);

    if (!*slot)
        *slot = new_host(t, p, host);
    return *slot;
}

static void fill_hosts(struct work *w)
{
    struct pick_share *shares = /* at most XDS_MAX_OPEN_PICKS */
        XDS_NEW_ARRAY(w->rpc->arena, struct pick_share, w->branches.n_picks);
    size_t n = 0;

    for (size_t i = 0; i < w->branches.n; i++) {
        const struct xds_branch *b = &w->branches.list[i];
        size_t k = 0;

        if (!b->pick)
            continue;
        while (k < n && shares[k].pick != b->pick)
            k++;
        if (k == n)
            shares[n++] =
                (struct pick_share){b->pick, cluster_of(w->d, b->key), XDS_SHARE_NONE};
        shares[k].share = xds_share_plus(shares[k].share, b->share);
    }
    size_t cap = 0;

    for (size_t i = 0; i < n; i++)
        cap += shares[i].pick->n_hosts;
    struct host_table t = {
        .list = XDS_NEW_ARRAY(w->rpc->arena, struct xds_decision_host, cap),
        .few = cap <= FEW_HOSTS};
    xds_strmap_init(&t.by_address, w->rpc->arena);
    for (size_t i = 0; i < n; i++) {
        const struct xds_pick *pick = shares[i].pick;
        for (size_t k = 0; k < pick->n_hosts; k++) {
            const struct pick_share *p = &shares[i];
            const struct xds_host *host = &pick->hosts[k];
            struct xds_decision_host *h =
                t.few ? host_of_few(&t, p, host) : host_of_many(w, &t, p, host);

            h->share =
                xds_share_plus(h->share, xds_share_times(share_of(p), host->share));
            if (host->probability == XDS_NOT_COMPUTABLE)
                h->probability = XDS_NOT_COMPUTABLE;
            else if (h->probability != XDS_NOT_COMPUTABLE)
                h->probability = h->share.value;
        }
    }
    for (size_t i = 0; i < t.n; i++)
        t.list[i].overall = xds_share_times(t.list[i].overall, t.list[i].share);
    w->d->pick.hosts = t.list;
    w->d->pick.n_hosts = t.n;
}

static const struct xds_locality *common_locality(const struct xds_decision *d)
{
    for (size_t i = 1; i < d->pick.n_hosts; i++)
        if (d->pick.hosts[i].host->locality != d->pick.hosts[0].host->locality)
            return NULL;
    return d->pick.n_hosts ? d->pick.hosts[0].host->locality : NULL;
}

static bool same_host(const struct xds_host *a, const struct xds_host *b)
{
    return a && b && xds_slice_eq(xds_host_address_of(a), xds_host_address_of(b));
}

/* A host that all picks agree on, or several endpoints with one address. */
static void fill_host(struct work *w, const struct xds_pick *first)
{
    struct xds_decision *d = w->d;
    bool same = true, works = true;

    for (size_t i = 0; i < w->branches.n; i++) {
        const struct xds_pick *pick = w->branches.list[i].pick;

        if (!pick)
            continue;
        same = same && same_host(first->host, pick->host);
        works = works && !pick->error.text.data;
    }
    if (same) {
        d->pick.host = first->host;
        d->pick.host_why = first->why;
    } else if (works && d->pick.n_hosts == 1 && d->pick.hosts->probability > 1 - 1e-12) {
        d->pick.host = d->pick.hosts->host;
        d->pick.host_why = XDS_HOST_ONLY;
    }
    if (same || w->branches.n_picks == 1) {
        if (first->waits && first->host)
            xds_explain_note(w->rpc, w->d, "the RPC waits for a connection to %.*s",
                             XDS_FMT(xds_host_address_of(first->host)));
        else if (first->waits)
            xds_explain_note(w->rpc, w->d,
                             "the RPC waits until one of these hosts is connected");
    }
}

/* Different picks, as for different hashes, may still agree on the priority. */
static void fill_priority(struct work *w, const struct xds_pick *first)
{
    struct xds_decision *d = w->d;
    bool same = first->has_priority;

    for (size_t i = 0; i < w->branches.n; i++) {
        const struct xds_pick *pick = w->branches.list[i].pick;

        if (pick && (!pick->has_priority || pick->priority != first->priority))
            same = false;
    }
    d->pick.priorities = first->tries;
    d->pick.n_priorities = first->n_tries;
    d->pick.has_priority = same;
    d->pick.priority = same ? first->priority : 0;
    d->pick.locality = same ? common_locality(d) : NULL;
}

/* Hosts of a locality that share alike, whatever their weights are. */
static void note_weights(const struct work *w, const struct xds_pick *pick)
{
    const struct xds_decision *d = w->d;

    if (!pick->policy || !xds_lb_kinds[pick->policy->kind].equal)
        return;
    for (size_t i = 1; i < d->pick.n_hosts; i++) {
        const struct xds_host *a = d->pick.hosts[i - 1].host, *b = d->pick.hosts[i].host;

        if (a->locality != b->locality || a->endpoint->weight == b->endpoint->weight)
            continue;
        xds_explain_note(w->rpc, w->d,
                         "load_balancing_weight of endpoints has no effect: %s does not "
                         "read it",
                         xds_lb_kinds[pick->policy->kind].title);
        return;
    }
}

/* What has become of a ring that is not that of a new channel. */
static void note_ring(const struct work *w, const struct xds_pick *pick)
{
    if (!pick->policy || pick->policy->kind != XDS_LB_RING_HASH)
        return;
    if (XDS_DIFFERS(w->rpc, XDS_DIFF_RING_FIRST_WEIGHTS))
        xds_explain_note(w->rpc, w->d,
                         "%s keeps the weight that an address of a ring had first: a "
                         "channel that has seen other weights may send the RPC elsewhere",
                         w->d->as.text);
    if (pick->has_priority && pick->priority > 0 &&
        XDS_DIFFERS(w->rpc, XDS_DIFF_RING_STAYS_FAILED))
        xds_explain_note(w->rpc, w->d,
                         "%s may stay with this priority although some endpoints of a "
                         "higher one can be reached again, if that has three or more",
                         w->d->as.text);
}

/* What the picks say, if they are all in one cluster. */
static void fill_pick(struct work *w)
{
    struct xds_decision *d = w->d;
    const struct xds_pick *pick = first_pick(w);

    if (!pick || !d->cluster)
        return;
    d->pick.drawn = pick->drawn;
    fill_priority(w, pick);
    fill_host(w, pick);
    note_weights(w, pick);
    note_ring(w, pick);
    if (w->branches.n_picks > 1)
        return;
    d->pick.rings = pick->rings;
    d->pick.n_rings = pick->n_rings;
    for (size_t i = 0; i < pick->n_notes; i++)
        xds_explain_note(w->rpc, w->d, "%.*s", XDS_FMT(pick->notes[i]));
}

/* ---- session ---- */

/* Does this branch end in another cluster, with another answer about the session? */
static bool answers_otherwise(const struct xds_branch *a, const struct xds_branch *b)
{
    return !xds_slice_eq(a->cluster.name, b->cluster.name) &&
           (a->session.code != b->session.code ||
            !xds_slice_eq(a->session.reason, b->session.reason));
}

/* The session of the branch, whose reason says of which cluster it is unless it holds of
 * all that the RPC may go to. */
static const struct xds_session *session_of(const struct work *w,
                                            const struct xds_branch *shown)
{
    bool differs = false;

    for (size_t i = 0; i < w->branches.n; i++)
        differs = differs || (w->branches.list[i].forwards &&
                              answers_otherwise(shown, &w->branches.list[i]));
    /* Where it is off, the reason names the cluster. */
    if (!differs || !shown->session.acts || !shown->session.reason.data ||
        !shown->cluster.name.data)
        return &shown->session;
    struct xds_session *copy = XDS_NEW(w->rpc->arena, struct xds_session);

    *copy = shown->session;
    copy->reason = xds_arena_printf(
        w->rpc->arena, "for cluster %.*s: %.*s",
        XDS_FMT(xds_excerpt(w->rpc->arena, shown->cluster.name)), XDS_FMT(copy->reason));
    return copy;
}

/* The branch to show: the first that the cookie does not rule, if there is one. */
static void fill_session(struct work *w)
{
    struct xds_decision *d = w->d;
    const struct xds_branch *shown = NULL;
    double all_ruled = 0;
    bool may_kill = false;

    for (size_t i = 0; i < w->branches.n; i++) {
        const struct xds_branch *b = &w->branches.list[i];
        if (!b->forwards)
            continue;
        may_kill |= b->pick && b->pick->may_kill;
        const bool ruled = b->pick && b->pick->why == XDS_HOST_OVERRIDE;
        all_ruled += ruled ? b->probability : 0;
        if (!shown || (d->session_applies && !ruled)) {
            shown = b;
            d->session_applies = ruled;
        }
    }
    if (shown)
        d->session = session_of(w, shown);
    /* Where chance decides whether the cookie rules. */
    if (all_ruled > 0 && !w->d->session_applies)
        xds_explain_note(w->rpc, w->d,
                         "%.10g%% of such RPCs go to the host of the cookie",
                         all_ruled * 100);
    if (may_kill)
        xds_explain_note(w->rpc, w->d,
                         "the client dies unless it has connected to the host of the "
                         "cookie before (session-host-crash)");
    if (d->session && d->session->tolerant)
        xds_explain_note(
            w->rpc, w->d,
            "the request has a cookie of that name, but gRPC C-core does not "
            "find it in Cookie headers that are written this way");
}

/* What `session`, one of the branch's, sends back. */
static struct xds_slice cookie_of(const struct work *w, const struct xds_branch *b,
                                  const struct xds_session *session)
{
    const struct xds_host *host = b->pick ? b->pick->host : NULL;

    if (!host || b->pick->error.text.data)
        return xds_slice_make(NULL, 0);
    const struct xds_slice list =
        XDS_DIFFERS(w->rpc, XDS_DIFF_COOKIE_ONE_ADDRESS)
            ? xds_host_address_of(host)
            : xds_address_list(w->rpc->arena, host->endpoint, host->address);
    return xds_session_set_cookie(w->rpc, session, list);
}

/* Certain when all branches send the same. */
static void fill_set_cookie(struct work *w)
{
    const struct xds_branch *list = w->branches.list;
    const struct xds_slice first = cookie_of(w, &list[0], &list[0].session);

    for (size_t i = 1; first.data && i < w->branches.n; i++)
        if (!xds_slice_eq(cookie_of(w, &list[i], &list[i].session), first))
            return;
    if (w->d->walk.unmatched <= 0)
        w->d->pick.set_cookie = first;
}

/* ---- the whole ---- */

/* The hash of the route, unless the policy reads a header of its own. */
static struct xds_request_key key_of(const struct xds_branch *b)
{
    return b->pick && b->pick->key.own_header ? b->pick->key : b->hash;
}

void xds_explain_gather(const struct xds_rpc *rpc, const struct xds_branches *branches,
                        struct xds_decision *d)
{
    struct work w = {rpc, *branches, d};

    fill_clusters(&w);
    if (d->n_clusters == 1 && all_forward(&w)) {
        d->cluster = &d->clusters[0];
        fill_entry(&w);
        fill_leaf(&w);
    }
    fill_hosts(&w);
    fill_pick(&w);
    fill_session(&w);
    fill_set_cookie(&w);

    const struct xds_request_key first = key_of(&branches->list[0]);

    d->pick.has_hash = first.has_hash;
    d->pick.hash_of_channel = first.of_channel;
    for (size_t i = 1; i < branches->n; i++) {
        const struct xds_request_key key = key_of(&branches->list[i]);

        d->pick.has_hash = d->pick.has_hash && key.has_hash && key.hash == first.hash;
        d->pick.hash_of_channel = d->pick.hash_of_channel || key.of_channel;
    }
    d->pick.hash = d->pick.has_hash ? first.hash : 0;

    /* Of several filters that act only the last one is shown as the session. */
    const struct xds_session *s = d->session ? d->session->before : NULL;

    for (; s; s = s->before) {
        const struct xds_slice sent = w.branches.n == 1
                                          ? cookie_of(&w, &w.branches.list[0], s)
                                          : xds_slice_make(NULL, 0);
        xds_explain_note(
            rpc, d,
            "session filter \"%.*s\" with cookie \"%.*s\" is active too, but the "
            "hosts of \"%.*s\" are used, which comes later%s%.*s",
            XDS_FMT(s->filter_name), XDS_FMT(s->config->cookie_name),
            XDS_FMT(d->session->filter_name), sent.data ? "; it sends set-cookie " : "",
            XDS_FMT(sent));
    }
    xds_explain_outcome(rpc, branches, d);
    xds_explain_faults(rpc, branches, d);
}

struct xds_slice xds_decision_choice(const struct xds_decision *decision, size_t i)
{
    return i < decision->start.n_choices ? decision->start.choices[i]
                                         : (struct xds_slice){NULL, 0};
}

struct xds_slice xds_decision_cookie_name(const struct xds_decision *decision)
{
    const struct xds_session *session = decision->session;

    return session && session->config ? session->config->cookie_name
                                      : (struct xds_slice){NULL, 0};
}
