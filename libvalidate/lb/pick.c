/*
 * pick.c - drops, circuit breaker, override host, priority, locality, endpoint.
 *
 * Takes:  a cluster's name, the request hash, what the session filter found.
 * Gives:  the leaf and its hosts with probabilities, or the error of the RPC.
 * Source: spec routing 0 (step 5), 8.6, 10, 11 and 12.
 */
#include "lb/pick.h"

#include "route/failure.h"

struct stage {
    const struct xds_lb *lb;
    struct xds_request_key key;
    const struct xds_session *session;
    struct xds_candidates candidates;
    bool works; /* some priority of the leaf does */
};

/* The first leaf with a priority that works, else the last leaf, as priority does. */
static struct xds_slice choose_leaf(struct stage *s, const struct xds_leaves *leaves,
                                    struct xds_pick *out)
{
    struct xds_slice why = {NULL, 0};

    for (size_t i = 0; i < leaves->n && !s->works; i++) {
        out->leaf = &leaves->list[i];
        out->endpoints = xds_leaf_endpoints(s->lb, out->leaf, &why);
        s->works =
            out->endpoints && xds_candidates_of(s->lb, out->endpoints,
                                                out->leaf->policy->kind, &s->candidates);
    }
    return why;
}

static void fail(const struct stage *s, struct xds_pick *out, const char *what,
                 struct xds_slice name)
{
    out->error = xds_arena_printf(s->lb->rpc->arena, "%s%.*s", what, XDS_FMT(name));
}

/* True when the RPC ends here. */
static bool refused(const struct stage *s, struct xds_pick *out)
{
    out->drops = xds_drops_test(s->lb->rpc, out->endpoints);
    if (out->drops.dropped == XDS_CHANCE_YES)
        out->error =
            xds_failure_text(s->lb->rpc, XDS_FAILURE_DROP, out->drops.cause->category);
    else if (out->leaf->cluster->max_requests == 0)
        fail(s, out, "circuit breaker drop", XDS_S(""));
    return out->error.data != NULL;
}

static void use_override(struct xds_pick *out, const struct xds_override_pick *pick,
                         struct xds_arena *arena)
{
    struct xds_host *host = XDS_NEW(arena, struct xds_host);

    *host = pick->host;
    out->host = out->hosts = host;
    out->n_hosts = 1;
    out->why = XDS_HOST_OVERRIDE;
    out->waits = pick->waits;
    out->has_priority = true;
    out->priority = host->locality->priority;
}

static bool overridden(const struct stage *s, struct xds_pick *out)
{
    if (!s->session || s->session->cookie.n_addresses == 0)
        return false;
    const struct xds_override_pick pick =
        xds_override_host_pick(s->lb, out->leaf->cluster, out->endpoints,
                               s->works ? &s->candidates : NULL, &s->session->cookie);

    out->affinity_tried = true;
    out->affinity = pick.code;
    out->affinity_reason = pick.reason;
    if (pick.found)
        use_override(out, &pick, s->lb->rpc->arena);
    return pick.found;
}

/* Only those that can be picked stay in the list. */
static void keep_possible(struct xds_candidates *c)
{
    size_t n = 0;

    for (size_t i = 0; i < c->n; i++)
        if (c->hosts[i].probability > 0 || c->hosts[i].probability == XDS_NOT_COMPUTABLE)
            c->hosts[n++] = c->hosts[i];
    c->n = n;
}

static void balance(struct stage *s, struct xds_pick *out)
{
    const struct xds_host *host =
        xds_hosts_decide(s->lb, out->leaf->policy, s->key, &s->candidates, &out->why);
    const bool certain = host != NULL;

    keep_possible(&s->candidates);
    out->has_priority = true;
    out->priority = s->candidates.priority;
    out->hosts = s->candidates.hosts;
    out->n_hosts = s->candidates.n;
    out->host = certain ? &out->hosts[0] : NULL;
    out->waits = certain && out->host->state != XDS_ASSUME_READY;
}

static void fail_without_host(const struct stage *s, struct xds_pick *out)
{
    fail(s, out, "no usable endpoint in cluster ", out->leaf->name);
}

/* A refused RPC has no host; the list of hosts is that of the others. */
static void forget_host(struct xds_pick *out)
{
    out->host = NULL;
    out->why = XDS_HOST_OPEN;
    out->waits = false;
    out->affinity_tried = false;
}

struct xds_pick xds_pick_host(const struct xds_lb *lb, struct xds_slice cluster,
                              struct xds_request_key key,
                              const struct xds_session *session)
{
    struct stage s = {.lb = lb, .key = key, .session = session};
    struct xds_pick out = {.error = {NULL, 0}};
    const struct xds_leaves leaves = xds_aggregate_leaves(lb, cluster);

    out.error = leaves.error;
    if (out.error.data)
        return out;
    const struct xds_slice why = choose_leaf(&s, &leaves, &out);
    if (!out.endpoints) {
        out.error = why;
        return out;
    }
    const bool ends_here = refused(&s, &out);
    if (ends_here)
        lb->rpc->random->next = lb->rpc->random->n; /* no host is drawn any more */
    if (!overridden(&s, &out)) {
        if (s.works)
            balance(&s, &out);
        else if (!ends_here)
            fail_without_host(&s, &out);
    }
    if (ends_here)
        forget_host(&out);
    return out;
}
