/*
 * failover.c - which leaf and which of its priorities the LB policies use, and why not
 *              another. The policies decide (priority.c); this reads what they did.
 *
 * Source: gRFC A42, A56, A75, spec routing 7.4, 9.1, 9.6, 10 and 12, spec cluster 2.3.
 */
#include "lb/tree.h"

/* ---- reasons ---- */

static size_t count_in_state(const struct xds_candidates *c, enum xds_connectivity state)
{
    size_t n = 0;

    for (size_t i = 0; i < c->n; i++)
        n += c->hosts[i].state == state;
    return n;
}

/* next: what is tried when the timer of failover fires, or NULL. */
static struct xds_slice reason_of(const struct xds_lb *lb,
                                  const struct xds_lb_policy *policy,
                                  const struct xds_candidates *c,
                                  enum xds_connectivity state, const char *next)
{
    const size_t ready = count_in_state(c, XDS_STATE_READY);

    switch (state) {
    case XDS_STATE_READY:
        if (c->n == 1)
            return XDS_S("its endpoint is connected");
        if (ready == c->n)
            return xds_arena_printf(lb->rpc->arena, "all its %zu endpoints are connected",
                                    c->n);
        return xds_arena_printf(lb->rpc->arena, "%zu of its %zu endpoints %s connected",
                                ready, c->n, ready == 1 ? "is" : "are");
    case XDS_STATE_CONNECTING:
        if (!next)
            return XDS_S("a connection is being made: RPCs wait for it");
        return xds_arena_printf(
            lb->rpc->arena,
            "a connection is being made: RPCs wait for it, for up to 10 "
            "seconds before the next %s is tried%s",
            next,
            XDS_DIFFERS(lb->rpc, XDS_DIFF_PRIORITY_TIMED_AGAIN)
                ? ", and again if it reports CONNECTING after that"
                : "");
    case XDS_STATE_IDLE:
        return XDS_S("no endpoint is connected and none was asked to connect: the RPC "
                     "connects one and waits for it");
    case XDS_STATE_TRANSIENT_FAILURE:
        break;
    }

    const size_t failed = count_in_state(c, XDS_STATE_TRANSIENT_FAILURE);

    if (c->n == 0)
        return XDS_S("it has no endpoint whose health status allows RPCs");
    if (failed == c->n && failed == 1)
        return XDS_S("its only endpoint cannot be reached");
    if (failed == c->n)
        return xds_arena_printf(lb->rpc->arena,
                                "none of its %zu endpoints can be reached", c->n);
    if (xds_ring_is_refused(lb, policy, (struct xds_host_group){c->hosts, c->n}))
        return xds_arena_printf(lb->rpc->arena,
                                "two of its endpoints have the same addresses, which %s "
                                "of this client rejects",
                                xds_lb_traits(policy)->title);
    return xds_arena_printf(lb->rpc->arena,
                            "%zu of its %zu endpoints cannot be reached and none is "
                            "connected: %s gives up at two",
                            failed, c->n, xds_lb_traits(policy)->title);
}

/* ---- the priorities that were looked at ---- */

struct search {
    const struct xds_lb *lb;
    struct xds_failover *out;
    struct xds_priority_try *tries;
    size_t cap;
    bool last_leaf;   /* the one at work */
    bool leaf_in_use; /* by the policy above, if there is one */
};

static void add_try(struct search *s, const struct xds_priority_try *try)
{
    struct xds_failover *out = s->out;

    s->tries = xds_arena_room(s->lb->rpc->arena, s->tries, out->n_tries, &s->cap,
                              sizeof *s->tries);
    s->tries[out->n_tries++] = *try;
    out->tries = s->tries;
}

static void add_failing_leaf(struct search *s, struct xds_slice why, bool chosen)
{
    add_try(s, &(struct xds_priority_try){.leaf = s->out->leaf->name,
                                          .state = XDS_STATE_TRANSIENT_FAILURE,
                                          .chosen = chosen,
                                          .reason = why});
}

/* The priority policy above the priorities of a leaf; NULL: there is none. */
static const struct xds_policy *priorities_of(const struct search *s)
{
    const struct xds_tree_root *root = s->out->root;
    const struct xds_tree_cluster *leaf = s->out->leaf;

    if (root->is_aggregate && root->is_flat)
        return root->priority;
    return leaf->begun ? leaf->priority : NULL;
}

/* False: the client has no such priority, or has not needed it. */
static bool find_priority(const struct search *s, uint32_t priority,
                          struct xds_priority_child *out)
{
    const struct xds_tree_cluster *leaf = s->out->leaf;

    for (size_t i = 0; leaf->names && i < leaf->numbers.n; i++) {
        const struct xds_config_priority *p = &leaf->numbers.priorities[i];

        if ((p->n ? p->localities[0]->priority : 0) == priority)
            return xds_priority_find(priorities_of(s), leaf->names[i], out);
    }
    return false;
}

/* Absent: UNAVAILABLE. */
static struct xds_slice code_of(const struct xds_rpc *rpc,
                                const struct xds_rpc_failure *reason)
{
    const bool is_internal = reason == xds_failure_row(XDS_FAILURE_AGGREGATE_LOOP) &&
                             XDS_DIFFERS(rpc, XDS_DIFF_AGGREGATE_CYCLE_INTERNAL);

    return is_internal ? XDS_S("INTERNAL") : xds_slice_make(NULL, 0);
}

/* NULL: the cluster cannot be used, `why` says why. */
static const struct xds_endpoints *endpoints_of(const struct search *s)
{
    const struct xds_ring_fault fault = xds_ring_fault_of(s->lb, s->out->policy);
    const struct xds_leaf *leaf = &s->out->leaf->leaf;

    if (!fault.text.data) {
        s->out->why.reason = leaf->cluster
                                 ? xds_absence_reason(s->lb->snapshot, XDS_TYPE_ENDPOINT,
                                                      leaf->cluster->eds_name)
                                 : leaf->missing.reason;
        s->out->code = code_of(s->lb->rpc, leaf->missing.reason);
        return xds_leaf_endpoints(s->lb, leaf, &s->out->why.text);
    }
    s->out->why = (struct xds_failed){fault.text, xds_failure_row(XDS_FAILURE_LB_CONFIG)};
    s->out->holds = fault.holds;
    if (fault.waits)
        s->out->code = XDS_S("DEADLINE_EXCEEDED");
    return NULL;
}

static void enter_leaf(struct search *s, const struct xds_tree_cluster *leaf)
{
    struct xds_failover *out = s->out;

    out->leaf = leaf;
    out->code = (struct xds_slice){NULL, 0};
    out->holds = false;
    out->policy = xds_leaf_policy(s->lb, &leaf->leaf);
    out->endpoints = endpoints_of(s);
    out->used = NULL;
    out->candidates = (struct xds_candidates){.n = 0};
}

/* A priority that was looked at; child: NULL if the client has none for it. True: it is
 * the one in use. */
static bool add_priority(struct search *s, uint32_t priority,
                         const struct xds_priority_child *child, struct xds_slice reason)
{
    struct xds_failover *out = s->out;
    const struct xds_priority_try try = {
        .leaf = out->leaf->name,
        .priority = priority,
        .state = child ? child->report.state : XDS_STATE_TRANSIENT_FAILURE,
        .chosen = child && child->in_use && s->leaf_in_use,
        .reason = reason};

    add_try(s, &try);
    if (!try.chosen)
        return false;
    out->used = (const struct xds_tree_priority *)(const void *)child->policy;
    out->candidates = out->used->candidates;
    out->works = try.state != XDS_STATE_TRANSIENT_FAILURE;
    return true;
}

static bool is_flat(const struct search *s)
{
    return s->out->root->is_aggregate && s->out->root->is_flat;
}

/* Does the client use this leaf, or could it be one of its priorities? */
static bool is_leaf_in_use(const struct search *s, const struct xds_tree_cluster *leaf)
{
    const struct xds_tree_root *root = s->out->root;
    struct xds_priority_child child;

    return !root->is_aggregate || root->is_flat ||
           (xds_priority_find(root->priority, leaf->name, &child) && child.in_use);
}

/* ---- at rest ---- */

/* The priority of list[*at], which moves after it. True: it is the one in use. */
static bool tell_resting(struct search *s, size_t *at)
{
    struct xds_failover *out = s->out;
    const struct xds_locality_list *localities = &out->leaf->localities;
    const uint32_t priority = localities->list[*at]->priority;
    struct xds_priority_child child;
    const bool exists = find_priority(s, priority, &child);
    const struct xds_candidates candidates =
        exists
            ? ((const struct xds_tree_priority *)(const void *)child.policy)->candidates
            : xds_candidates_of(s->lb, localities, priority);

    while (*at < localities->n && localities->list[*at]->priority == priority)
        ++*at;
    const char *leaf = s->last_leaf ? NULL : "cluster";
    const char *next = *at < localities->n ? "priority" : leaf;

    return add_priority(
        s, priority, exists ? &child : NULL,
        reason_of(s->lb, out->policy, &candidates,
                  exists ? child.report.state : XDS_STATE_TRANSIENT_FAILURE, next));
}

/* True: the client has gone no further. */
static bool tell_resting_leaf(struct search *s, const struct xds_tree_cluster *leaf)
{
    struct xds_failover *out = s->out;
    bool found = false;

    enter_leaf(s, leaf);
    s->leaf_in_use = is_leaf_in_use(s, leaf);
    if (!out->endpoints)
        add_failing_leaf(s, out->why.text, false);
    else if (leaf->localities.n == 0)
        add_failing_leaf(s, XDS_S("its EDS resource has no locality with a weight"),
                         false);
    for (size_t at = 0; out->endpoints && at < leaf->localities.n && !out->works;)
        found = tell_resting(s, &at) || found;
    out->holds =
        out->holds || (!s->last_leaf && !out->works && leaf->stand_in.held_ready);
    return is_flat(s) ? found : s->leaf_in_use;
}

/* Leaf after leaf, to the one in use. With every priority failing, the picker of the last
 * one is used (A56). */
static void tell_resting_leaves(struct search *s)
{
    struct xds_failover *out = s->out;
    const struct xds_tree_root *root = out->root;
    bool found = false;

    for (size_t i = 0; i < root->n_leaves && !found; i++) {
        s->last_leaf = i + 1 == root->n_leaves;
        found = tell_resting_leaf(s, root->leaves[i]);
    }
    out->ready = out->works;
    if (!out->used && s->tries)
        s->tries[out->n_tries - 1].chosen = true;
}

/* ---- a client that runs ---- */

/* Not in the words for a client at rest: those count endpoints by assumed states, and a
 * running client has no assumed states; it knows what the policy reports, and its timer.
 */
static const char *reason_of_running(const struct xds_priority_child *child)
{
    switch (child->report.state) {
    case XDS_STATE_READY:
        return "it has connections";
    case XDS_STATE_IDLE:
        return "it connects when an RPC comes";
    case XDS_STATE_CONNECTING:
        return child->failover_pending ? "it is connecting and still has time"
                                       : "it is connecting, but its time is over";
    case XDS_STATE_TRANSIENT_FAILURE:
        break;
    }
    return "it cannot connect";
}

/* A leaf that the client does not have is a priority that fails; of others those
 * priorities that exist. True: one is in use. */
static bool tell_running_leaf(struct search *s, const struct xds_tree_cluster *leaf)
{
    struct xds_priority_child child;
    bool found = false;

    enter_leaf(s, leaf);
    s->leaf_in_use = is_leaf_in_use(s, leaf);
    if (!leaf->leaf.cluster && !is_flat(s)) {
        add_failing_leaf(s, leaf->leaf.missing.text, s->leaf_in_use);
        return s->leaf_in_use;
    }
    for (size_t i = 0; leaf->leaf.cluster && i < leaf->numbers.n; i++) {
        const struct xds_config_priority *p = &leaf->numbers.priorities[i];

        if (xds_priority_find(priorities_of(s), leaf->names[i], &child) &&
            add_priority(s, p->n ? p->localities[0]->priority : 0, &child,
                         xds_slice_of(reason_of_running(&child)))) {
            found = true;
            s->out->ready = child.report.state == XDS_STATE_READY;
        }
    }
    return found;
}

static void tell_running_leaves(struct search *s)
{
    struct xds_failover *out = s->out;
    struct xds_failover chosen = {.leaf = NULL};

    for (size_t i = 0; i < out->root->n_leaves; i++)
        if (tell_running_leaf(s, out->root->leaves[i]))
            chosen = *out;
    const bool has_fault =
        out->root->n_leaves == 1 && xds_ring_fault_of(s->lb, out->policy).text.data;

    if (chosen.leaf || has_fault) {
        chosen = chosen.leaf ? chosen : *out;
        chosen.tries = out->tries;
        chosen.n_tries = out->n_tries;
        *out = chosen;
        return;
    }
    out->leaf = NULL;
    out->error.text = XDS_S("the LB policy of the cluster has chosen no priority");
}

/* ---- both ---- */

/* A leaf without its endpoints, or that is missing itself. */
static struct xds_failed absence_in(const struct xds_lb *lb, const struct xds_leaf *leaf)
{
    const struct xds_cluster *cluster = leaf->cluster;
    const char *why;

    if (!cluster)
        return leaf->missing;
    if (cluster->kind != XDS_CLUSTER_EDS ||
        xds_accepted(lb->snapshot, lb->rpc->client, XDS_TYPE_ENDPOINT, cluster->eds_name,
                     &why))
        return (struct xds_failed){.reason = NULL};
    return (struct xds_failed){
        xds_arena_printf(lb->rpc->arena, "EDS resource %.*s %s",
                         XDS_FMT(cluster->eds_name), why),
        xds_absence_reason(lb->snapshot, XDS_TYPE_ENDPOINT, cluster->eds_name)};
}

/* Does the client wait for what is missing, or was rejected, until the RPC's deadline? */
static bool is_awaited(const struct xds_lb *lb, const struct xds_rpc_failure *reason,
                       bool below_aggregate)
{
    const struct xds_rpc *rpc = lb->rpc;

    if (reason == xds_failure_row(XDS_FAILURE_CLUSTER_REJECTED))
        return below_aggregate ? XDS_DIFFERS(rpc, XDS_DIFF_REJECTED_LEAF_AWAITED)
                               : XDS_DIFFERS(rpc, XDS_DIFF_REJECTED_CLUSTER_AWAITED);
    if (reason == xds_failure_row(XDS_FAILURE_AGGREGATE_LOOP))
        return XDS_DIFFERS(rpc, XDS_DIFF_AGGREGATE_CYCLE_AWAITED);
    if (XDS_DIFFERS(rpc, XDS_DIFF_ABSENT_AWAITED))
        return true;
    return reason == xds_failure_row(XDS_FAILURE_ENDPOINTS_REJECTED) &&
           XDS_DIFFERS(rpc, XDS_DIFF_REJECTED_ENDPOINTS_AWAITED);
}

/* The first of a cluster, of its leaves and of the endpoints of each that the RPC waits
 * for; absent: it waits for none. An RPC that fails because a cluster was rejected waits
 * for nothing else. */
static struct xds_failed awaited_of(const struct xds_lb *lb,
                                    const struct xds_leaves *leaves,
                                    struct xds_failed error)
{
    const struct xds_rpc_failure *rejected =
        xds_failure_row(XDS_FAILURE_CLUSTER_REJECTED);
    const bool below = leaves->root && leaves->root->kind == XDS_CLUSTER_AGGREGATE;

    const struct xds_rpc_failure *loop = xds_failure_row(XDS_FAILURE_AGGREGATE_LOOP);

    if (error.text.data && (!leaves->root || error.reason == loop))
        return is_awaited(lb, error.reason, false) ? error
                                                   : (struct xds_failed){.reason = NULL};
    for (size_t i = 0; i < leaves->n_skipped; i++)
        if (is_awaited(lb, leaves->skipped[i].reason, below))
            return leaves->skipped[i];
    for (size_t i = 0; i < leaves->n; i++) {
        const struct xds_failed absent = absence_in(lb, &leaves->list[i]);

        if (absent.text.data && is_awaited(lb, absent.reason, below))
            return absent;
        if (absent.reason == rejected)
            break;
    }
    return (struct xds_failed){.reason = NULL};
}

static bool is_awaiting(const struct xds_lb *lb, const struct xds_leaves *leaves,
                        struct xds_failover *out)
{
    const struct xds_failed awaited = awaited_of(lb, leaves, out->error);

    if (!awaited.text.data)
        return false;
    out->error = (struct xds_failed){
        xds_arena_printf(lb->rpc->arena, "the RPC waits until its deadline: %.*s",
                         XDS_FMT(awaited.text)),
        awaited.reason};
    out->code = XDS_S("DEADLINE_EXCEEDED");
    return true;
}

static struct xds_failover *find(const struct xds_lb *lb, struct xds_slice cluster,
                                 bool sessions)
{
    struct xds_failover *out = XDS_NEW(lb->rpc->arena, struct xds_failover);
    struct search s = {.lb = lb, .out = out};
    const struct xds_live *live = lb->live;
    const struct xds_leaves leaves = xds_aggregate_leaves(lb, cluster);

    out->error = leaves.error;
    if (!leaves.root)
        out->error = xds_cluster_failure(lb, cluster, leaves.error);
    if (!live && is_awaiting(lb, &leaves, out))
        return out;
    if (out->error.text.data) {
        out->code = code_of(lb->rpc, out->error.reason);
        return out;
    }
    out->root =
        live ? live->root(live->user, cluster) : xds_tree_rest(lb, cluster, sessions);
    if (!live)
        tell_resting_leaves(&s);
    else if (out->root)
        tell_running_leaves(&s);
    else
        out->error =
            (struct xds_failed){XDS_S("the client has no LB policy for this cluster"),
                                xds_failure_row(XDS_FAILURE_CLUSTER_UNKNOWN)};
    return out;
}

const struct xds_failover *xds_failover_of(const struct xds_lb *lb,
                                           struct xds_slice cluster, bool sessions)
{
    struct xds_lb_kept kept;

    if (!lb->memory || lb->states.n > 0 || lb->live)
        return find(lb, cluster, sessions);
    struct xds_strmap_entry *entry =
        xds_strmap_entry_at(&lb->memory->failovers[sessions], cluster);

    /* The name at hand may be in a cookie; that of the entry lasts. */
    if (!entry->value)
        entry->value = find(xds_lb_for_memory(lb, &kept), entry->key, sessions);
    return entry->value;
}

/* ---- core's note on the resources ---- */

static bool has_endpoint(const struct xds_locality *locality)
{
    for (size_t i = 0; i < locality->n_endpoints; i++)
        if (xds_endpoint_usable(&locality->endpoints[i]) ||
            locality->endpoints[i].health == XDS_HEALTH_DRAINING)
            return true;
    return false;
}

/* "A; B", those without endpoints; empty if each has some. */
static struct xds_slice empty_localities(const struct xds_lb *lb,
                                         const struct xds_endpoints *endpoints)
{
    struct xds_arena *arena = lb->rpc->arena;
    struct xds_slice text = XDS_S("");

    for (size_t i = 0; i < endpoints->n_localities; i++) {
        const struct xds_locality *locality = &endpoints->localities[i];

        if (has_endpoint(locality))
            continue;
        const struct xds_slice name = xds_locality_name(arena, locality);
        text = text.len == 0
                   ? name
                   : xds_arena_printf(arena, "%.*s; %.*s", XDS_FMT(text), XDS_FMT(name));
    }
    return text;
}

/* Empty where core would name its node id, which no snapshot tells. */
static struct xds_slice resolution_note(const struct xds_lb *lb,
                                        const struct xds_failover *f)
{
    const struct xds_slice name = f->leaf->leaf.cluster->eds_name;
    struct xds_arena *arena = lb->rpc->arena;

    if (f->leaf->leaf.cluster->kind == XDS_CLUSTER_LOGICAL_DNS)
        return XDS_S("");
    if (!f->endpoints)
        return xds_failure_resource(lb->rpc, lb->snapshot, XDS_TYPE_ENDPOINT, name, "")
            .text;
    if (f->endpoints->n_localities == 0)
        return xds_arena_printf(arena, "EDS resource %.*s: contains no localities",
                                XDS_FMT(name));
    const struct xds_slice empty = empty_localities(lb, f->endpoints);

    if (empty.len == 0)
        return empty;
    return xds_arena_printf(arena, "EDS resource %.*s: contains empty localities: [%.*s]",
                            XDS_FMT(name), XDS_FMT(empty));
}

/* ---- the whole ---- */

/* What clients that do not speak as core say of a cluster without a usable endpoint:
 * where nothing names the cluster it is the policy above the endpoints that fails. */
static const struct own_words {
    enum xds_failure empty, missing; /* XDS_FAILURES: not known */
    bool below_localities;           /* only where the policy is below wrr_locality */
} own_words[XDS_CLIENTS] = {
    [XDS_CLIENT_GRFC] = {XDS_FAILURES, XDS_FAILURES, false},
    [XDS_CLIENT_CORE] = {XDS_FAILURES, XDS_FAILURES, false},
    [XDS_CLIENT_GO] = {XDS_FAILURE_LOCALITIES_EMPTY, XDS_FAILURE_LOCALITIES_EMPTY, true},
    [XDS_CLIENT_JAVA] = {XDS_FAILURE_ENDPOINTS_EMPTY, XDS_FAILURE_ENDPOINTS_MISSING,
                         false},
    [XDS_CLIENT_NODE] = {XDS_FAILURE_PRIORITIES_EMPTY, XDS_FAILURES, false},
};

/* Absent where they are not known, and where an endpoint is there that cannot be reached:
 * what is said then is the error of its last connection. */
static struct xds_slice words_of(const struct xds_lb *lb, const struct xds_failover *f)
{
    const struct own_words *as = &own_words[xds_client_as(lb->rpc->client)];
    const struct xds_cluster *cluster = f->leaf->leaf.cluster;
    const bool is_empty =
        f->endpoints || XDS_DIFFERS(lb->rpc, XDS_DIFF_ENDPOINTS_MISSING_AS_EMPTY);
    const enum xds_failure failure = is_empty ? as->empty : as->missing;

    if (failure == XDS_FAILURES || !cluster || f->candidates.n > 0 ||
        (as->below_localities && !f->policy->wrr_locality) ||
        (!f->endpoints &&
         xds_snapshot_find(lb->snapshot, XDS_TYPE_ENDPOINT, cluster->eds_name)))
        return (struct xds_slice){NULL, 0};
    return xds_failure_text(lb->rpc, failure,
                            failure == XDS_FAILURE_ENDPOINTS_MISSING ? cluster->eds_name
                                                                     : f->leaf->name)
        .text;
}

/* The same for all clients, whatever their words. */
static const struct xds_rpc_failure *failing_reason(const struct xds_failover *f)
{
    if (!f->endpoints)
        return f->why.reason;
    return xds_failure_row(f->candidates.n == 0 ? XDS_FAILURE_ENDPOINTS_EMPTY
                                                : XDS_FAILURE_NOT_CONNECTED);
}

static struct xds_slice failing_words(const struct xds_lb *lb,
                                      const struct xds_failover *f)
{
    const bool no_endpoint = f->candidates.n == 0 && f->leaf->leaf.cluster;

    if (xds_speaks_as_core(lb->rpc) && no_endpoint && !xds_lb_traits(f->policy)->open) {
        const struct xds_slice note = resolution_note(lb, f);
        const struct xds_lb_policy *policy = f->policy;
        const char *text = policy->wrr_locality ? "no children in weighted_target policy"
                                                : "empty address list";

        const bool has_colon = policy->wrr_locality
                                   ? XDS_DIFFERS(lb->rpc, XDS_DIFF_RESOLUTION_NOTE_COLON)
                                   : xds_lb_traits(policy)->hashes;

        if (note.len == 0)
            return xds_slice_of(text);
        return xds_arena_printf(lb->rpc->arena, has_colon ? "%s: %.*s" : "%s (%.*s)",
                                text, XDS_FMT(note));
    }
    const struct xds_slice words = words_of(lb, f);

    if (words.data)
        return words;
    if (!f->endpoints)
        return f->why.text;
    return xds_arena_printf(lb->rpc->arena, "no usable endpoint in cluster %.*s",
                            XDS_FMT(f->leaf->name));
}

/* Its picker has no subchannel to name, and is asked all the same. */
static bool dies_unconnected(const struct xds_lb *lb, const struct xds_failover *f)
{
    return f->candidates.n > 0 && f->policy->kind == XDS_LB_WEIGHTED_ROUND_ROBIN &&
           XDS_DIFFERS(lb->rpc, XDS_DIFF_WRR_UNCONNECTED_PANICS);
}

struct xds_failed xds_failing_text(const struct xds_lb *lb, const struct xds_failover *f)
{
    if (dies_unconnected(lb, f))
        return (struct xds_failed){XDS_S("Panic! This is a bug!"),
                                   xds_failure_row(XDS_FAILURE_CLIENT_FAULT)};
    return (struct xds_failed){failing_words(lb, f), failing_reason(f)};
}
