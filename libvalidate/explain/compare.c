/*
 * compare.c - say where another client decides otherwise on the same RPC.
 *
 * Source: spec routing 1 to 12; xdscope-explain(1).
 */
#include "explain/explain.h"

/* go and the gRFC let one RPC in a million pass where core lets none: no news. */
#define SAME_PROBABILITY 2e-6

static double distance(double a, double b)
{
    return a > b ? a - b : b - a;
}

/* ---- what differs ---- */

static bool same_route(const struct xds_decision *a, const struct xds_decision *b)
{
    if (a->virtual_host.host != b->virtual_host.host || !a->route != !b->route)
        return false;
    return !a->route || a->route->route == b->route->route;
}

/* Is every cluster of a one of b, with the same probability? */
static bool has_clusters(const struct xds_decision *a, const struct xds_decision *b,
                         struct xds_arena *scratch)
{
    struct xds_strmap names; /* struct xds_decision_cluster */

    xds_strmap_init(&names, scratch);
    for (size_t i = 0; i < b->n_clusters; i++) {
        struct xds_decision_cluster *copy = XDS_NEW(scratch, struct xds_decision_cluster);
        *copy = b->clusters[i];
        *xds_strmap_at(&names, copy->name) = copy;
    }
    for (size_t i = 0; i < a->n_clusters; i++) {
        const struct xds_decision_cluster *c = &a->clusters[i];
        const struct xds_decision_cluster *same = xds_strmap_get(&names, c->name);
        const double there = same ? same->probability : 0;

        if (distance(c->probability, there) > SAME_PROBABILITY)
            return false;
    }
    return true;
}

static struct xds_slice host_key(const struct xds_decision_host *h,
                                 struct xds_arena *scratch)
{
    const struct xds_slice address = xds_host_address_of(h->host);

    return xds_arena_printf(scratch, "%.*s %.*s", XDS_FMT(address), XDS_FMT(h->cluster));
}

/* Is every host of a one of b, and does it get as many RPCs where that counts? */
static bool has_hosts(const struct xds_decision *a, const struct xds_decision *b,
                      struct xds_arena *scratch, bool share_counts)
{
    struct xds_strmap keys; /* double: the probability */

    xds_strmap_init(&keys, scratch);
    for (size_t i = 0; i < b->pick.n_hosts; i++) {
        double *copy = XDS_NEW(scratch, double);
        *copy = b->pick.hosts[i].probability;
        *xds_strmap_at(&keys, host_key(&b->pick.hosts[i], scratch)) = copy;
    }
    for (size_t i = 0; i < a->pick.n_hosts; i++) {
        const double *there = xds_strmap_get(&keys, host_key(&a->pick.hosts[i], scratch));

        if (!there || (share_counts &&
                       distance(a->pick.hosts[i].probability, *there) > SAME_PROBABILITY))
            return false;
    }
    return true;
}

/* The usual case, in which nothing need be looked up. */
static bool same_in_order(const struct xds_decision *a, const struct xds_decision *b,
                          bool share_counts)
{
    bool same = a->pick.n_hosts == b->pick.n_hosts;

    for (size_t i = 0; same && i < a->pick.n_hosts; i++) {
        const struct xds_decision_host *left = &a->pick.hosts[i],
                                       *right = &b->pick.hosts[i];

        same = xds_slice_eq(xds_host_address_of(left->host),
                            xds_host_address_of(right->host)) &&
               xds_slice_eq(left->cluster, right->cluster) &&
               (!share_counts ||
                distance(left->probability, right->probability) <= SAME_PROBABILITY);
    }
    return same;
}

static bool same_hosts(const struct xds_pair *p, bool share_counts)
{
    if (same_in_order(p->asked, p->other, share_counts))
        return true;
    return has_hosts(p->asked, p->other, p->scratch, share_counts) &&
           has_hosts(p->other, p->asked, p->scratch, share_counts);
}

static unsigned differences(const struct xds_pair *p)
{
    const struct xds_decision *a = p->asked, *b = p->other;
    const bool differs[XDS_ANSWER_DIFFERENCES] = {
        [XDS_DIFFERS_OUTCOME] = a->outcome != b->outcome,
        [XDS_DIFFERS_ROUTE] = !same_route(a, b),
        [XDS_DIFFERS_CLUSTERS] =
            !has_clusters(a, b, p->scratch) || !has_clusters(b, a, p->scratch),
        [XDS_DIFFERS_SESSION] = a->session_applies != b->session_applies,
        [XDS_DIFFERS_HOSTS] = !same_hosts(p, true),
        [XDS_DIFFERS_SECURITY] = xds_security_differs(p),
    };
    unsigned mask = 0;

    for (unsigned i = 0; i < XDS_ANSWER_DIFFERENCES; i++)
        mask |= (unsigned)differs[i] << i;
    return mask;
}

/* ---- what it does instead ---- */

static struct xds_slice say_outcome(const struct xds_pair *p)
{
    const struct xds_decision *d = p->other;

    if (xds_decision_routed(d))
        return d->cluster
                   ? xds_arena_printf(p->scratch, "sends the RPC to cluster \"%.*s\"",
                                      XDS_FMT(d->cluster->name))
                   : XDS_S("sends the RPC on");
    if (d->outcome == XDS_OUTCOME_UNDECIDED)
        return XDS_S("gives no answer");
    if (d->outcome == XDS_OUTCOME_CRASH)
        return XDS_S("dies (CRASH)");
    return XDS_S("fails the RPC");
}

static struct xds_slice say_route(const struct xds_pair *p)
{
    const struct xds_decision *d = p->other;
    const struct xds_virtual_host *mine = p->asked->virtual_host.host;

    if (!d->virtual_host.host)
        return XDS_S("finds no routes");
    if (mine && d->virtual_host.host != mine)
        return xds_arena_printf(p->scratch, "chooses virtual host \"%.*s\" instead",
                                XDS_FMT(d->virtual_host.host->name));
    if (d->route)
        return xds_arena_printf(p->scratch,
                                d->outcome == XDS_OUTCOME_ROUTED
                                    ? "takes route #%zu instead"
                                    : "fails the RPC at route #%zu",
                                d->route->index);
    if (d->walk.n_tries == 0 && d->outcome != XDS_OUTCOME_ROUTED)
        return XDS_S("fails the RPC");
    const size_t at = xds_first_other_route(p);
    if (at < d->walk.n_tries && d->walk.tries[at].matched == XDS_CHANCE_OPEN)
        return xds_arena_printf(p->scratch, "may take route #%zu",
                                d->walk.tries[at].index);
    return XDS_S("may take another route");
}

static struct xds_slice say_clusters(const struct xds_pair *p)
{
    if (p->other->cluster)
        return xds_arena_printf(p->scratch, "uses cluster \"%.*s\" instead",
                                XDS_FMT(p->other->cluster->name));
    return XDS_S("distributes its RPCs differently over the clusters");
}

static struct xds_slice say_session(const struct xds_pair *p)
{
    return p->other->session_applies ? XDS_S("uses the host of the cookie")
                                     : XDS_S("does not use the host of the cookie");
}

static struct xds_slice say_hosts(const struct xds_pair *p)
{
    const struct xds_host *host = p->other->pick.host;

    if (!host)
        return same_hosts(p, false)
                   ? XDS_S("distributes its RPCs differently over the hosts")
                   : XDS_S("chooses from other hosts");
    return xds_arena_printf(p->scratch, "goes to %.*s instead",
                            XDS_FMT(xds_host_address_of(host)));
}

static struct xds_slice say_what(const struct xds_pair *p, unsigned differs)
{
    static struct xds_slice (*const say[XDS_ANSWER_DIFFERENCES])(
        const struct xds_pair *p) = {
        [XDS_DIFFERS_OUTCOME] = say_outcome,
        [XDS_DIFFERS_ROUTE] = say_route,
        [XDS_DIFFERS_CLUSTERS] = say_clusters,
        [XDS_DIFFERS_SESSION] = say_session,
        [XDS_DIFFERS_HOSTS] = say_hosts,
        [XDS_DIFFERS_SECURITY] = xds_security_difference,
    };
    unsigned first = 0;

    while (!(differs >> first & 1u))
        first++;
    return say[first](p);
}

/* ---- why ---- */

/* A listener or route configuration that is accepted for one of them only. Where the
 * other has it and fails all the same, it does so for a reason of its own. */
static struct xds_slice say_rejected(const struct xds_pair *p)
{
    const struct xds_decision *a = p->asked, *b = p->other;
    const bool listener = !a->start.listener != !b->start.listener;

    if (!listener && !a->start.route_config == !b->start.route_config)
        return xds_slice_make(NULL, 0);
    const bool by_other = listener ? !b->start.listener : !b->start.route_config;
    const struct xds_decision *has = by_other ? a : b;

    if (!by_other && p->asked->outcome != XDS_OUTCOME_ROUTED &&
        p->other->outcome != XDS_OUTCOME_ROUTED)
        return xds_slice_make(NULL, 0);
    return xds_arena_printf(
        p->scratch, "%s rejects %s \"%.*s\"",
        by_other ? "it" : xds_asked_label(p->options, a->client).text,
        listener ? "listener" : "route configuration",
        XDS_FMT(listener ? has->start.listener_name : has->start.route_config_name));
}

/* A route that exists for one of them only. */
static struct xds_slice say_ignored(const struct xds_pair *p)
{
    const size_t at = xds_first_other_route(p);

    if (at >= p->asked->walk.n_tries || at >= p->other->walk.n_tries)
        return xds_slice_make(NULL, 0);
    const struct xds_route_try *try = &p->other->walk.tries[at];
    const xds_readers by = try->route->skipped_by;
    const enum xds_client client = p->other->client, asked = p->asked->client;

    if (!(by & (XDS_CLIENT_BIT(client) | XDS_CLIENT_BIT(asked))))
        return xds_slice_make(NULL, 0);
    return xds_arena_printf(
        p->scratch, "%s ignores route #%zu, %s",
        by & XDS_CLIENT_BIT(client) ? "it" : xds_asked_label(p->options, asked).text,
        try->index,
        try->route->skip_reason ? try->route->skip_reason : "not usable for gRPC");
}

/* Some clients say nothing of a fault. */
static struct xds_slice error_of(const struct xds_decision *d)
{
    return d->status.error.len == 0 && d->outcome == XDS_OUTCOME_FAULT
               ? XDS_S("fault injection aborts it")
               : d->status.error;
}

/* "cluster a is rejected by go (NACK)" of go itself: the same words as of other
 * resources, and of other clients that reject it. */
static struct xds_slice own_rejection(const struct xds_pair *p, struct xds_slice error)
{
    const struct xds_client_label as = xds_asked_label(p->options, p->other->client);
    const char *client = as.text;
    const struct xds_slice is_rejected =
        xds_arena_printf(p->scratch, " is rejected by %s (NACK)", client);
    const struct xds_slice rejects = xds_arena_printf(p->scratch, "%s rejects ", client);

    if (xds_slice_ends(error, is_rejected)) {
        const struct xds_slice what = {error.data, error.len - is_rejected.len};

        /* A cause after a colon is not all that the error says. */
        return xds_slice_search(what, XDS_S(": ")) < what.len
                   ? error
                   : xds_arena_printf(p->scratch, "it rejects %.*s", XDS_FMT(what));
    }
    if (xds_slice_starts(error, rejects))
        return xds_arena_printf(p->scratch, "it rejects %.*s",
                                XDS_FMT(xds_slice_from(error, rejects.len)));
    return error;
}

/* The error of the one that was asked is the answer itself. */
static struct xds_slice say_error(const struct xds_pair *p)
{
    const struct xds_client_label asked = xds_asked_label(p->options, p->asked->client);
    const struct xds_decision *other = p->other;

    if (error_of(other).len)
        return own_rejection(p, error_of(other));
    if (error_of(p->asked).len == 0)
        return xds_slice_make(NULL, 0);
    if (other->cluster &&
        xds_slice_eq(p->asked->status.rejected_cluster, other->cluster->name))
        return xds_arena_printf(p->scratch, "%s rejects that cluster", asked.text);
    return xds_arena_printf(
        p->scratch, p->asked->outcome == XDS_OUTCOME_CRASH ? "%s dies" : "%s fails it",
        asked.text);
}

/* Why the cookie's host is not used by the one that does not use it. */
static struct xds_slice say_session_reason(const struct xds_pair *p)
{
    const bool other_uses = p->other->session_applies;
    const struct xds_decision *d = other_uses ? p->asked : p->other;

    if (other_uses == p->asked->session_applies || !d->session)
        return xds_slice_make(NULL, 0);
    if (!other_uses)
        return d->session->reason;
    return xds_arena_printf(p->scratch, "for %s %.*s",
                            xds_asked_label(p->options, d->client).text,
                            XDS_FMT(d->session->reason));
}

static struct xds_slice say_balancing(const struct xds_pair *p)
{
    const struct xds_lb_policy *a = p->asked->pick.policy, *b = p->other->pick.policy;

    if (!a || !b || p->other->session_applies || p->asked->session_applies)
        return xds_slice_make(NULL, 0);
    if (!xds_slice_eq(p->asked->leaf, p->other->leaf))
        return xds_arena_printf(p->scratch, "it uses \"%.*s\" of the cluster's parts",
                                XDS_FMT(p->other->leaf));
    if (a->kind != b->kind)
        return XDS_S("it balances with another policy");
    return xds_lb_traits(a)->hashes
               ? XDS_S("it places the endpoints differently on the ring")
               : xds_slice_make(NULL, 0);
}

/* The most telling cause first. */
static struct xds_slice say_why(const struct xds_pair *p, unsigned differs)
{
    static struct xds_slice (*const causes[])(const struct xds_pair *p) = {
        say_rejected, xds_name_difference, say_ignored,
        say_error,    say_session_reason,  say_balancing};
    struct xds_slice why = {NULL, 0};

    if (differs == 1u << XDS_DIFFERS_SECURITY)
        return xds_security_reason(p);
    for (size_t i = 0; i < XDS_ARRAY_LEN(causes) && why.len == 0; i++)
        why = causes[i](p);
    return why;
}

/* ---- the whole ---- */

void xds_explain_compare(const struct xds_options *options, struct xds_decision *d,
                         const struct xds_decision *other, struct xds_arena *arena,
                         struct xds_arena *scratch)
{
    const struct xds_pair pair = {options, d, other, scratch};
    const unsigned differs = differences(&pair);

    if (!differs)
        return;
    const struct xds_slice what = say_what(&pair, differs), why = say_why(&pair, differs);
    struct xds_other *list =
        XDS_NEW_ARRAY(arena, struct xds_other, d->asked.n_others + 1);

    if (d->asked.n_others)
        memcpy(list, d->asked.others, d->asked.n_others * sizeof(*list));
    d->asked.others = list;

    struct xds_other *out = &list[d->asked.n_others++];
    *out = (struct xds_other){
        .client = other->client,
        .outcome = other->outcome,
        .has_route = other->route != NULL,
        .route = other->route ? other->route->index : 0,
        .differs = differs,
        .note = xds_arena_printf(arena, "%s %.*s%s%.*s", xds_client_name(other->client),
                                 XDS_FMT(what), why.len ? ": " : "", XDS_FMT(why)),
    };
    if (other->cluster)
        out->cluster = xds_arena_dup(arena, other->cluster->name);
}
