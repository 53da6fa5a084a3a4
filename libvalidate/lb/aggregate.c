/*
 * aggregate.c - flatten an aggregate cluster into its leaves.
 *
 * Fails:  no such cluster, a graph that is too deep, no leaf at all; each in the client's
 *         own words.
 * Source: gRFC A37, A74, A75, spec routing 12, spec cluster 6.
 */
#include "lb/lb.h"

#include <inttypes.h>

#include "base/limits.h"

/* What becomes of the aggregate through a child that is missing, of a cycle, too deep. */
enum fault { SKIP_CHILD, FAIL_ALL, FAILING_LEAF };

/* A cluster that the walk has met. */
struct met {
    bool open;         /* the walk is below it: meeting it again closes a cycle */
    bool is_forgotten; /* it was below one that fails: elsewhere it counts as new */
    unsigned height;   /* of what hangs below it, once it is closed */
    struct xds_failed failed; /* a cycle returns to it: it fails, with all below it */
};

struct walk {
    const struct xds_lb *lb;
    enum fault missing, cycle, too_deep;
    unsigned most; /* clusters above one that is still read */
    bool rewalks;  /* a cluster that it has met is walked again, maybe too deep */
    struct xds_strmap met;
    struct met **order; /* in which they were met */
    size_t n_order, cap_order;
    size_t again; /* times that one was met anew after it was forgotten */
    struct xds_leaf *list;
    size_t n, cap;
    struct xds_failed *skipped;
    size_t n_skipped, cap_skipped;
    const struct xds_rule *killed_by;
    struct xds_slice path[XDS_MAX_AGGREGATE_DEPTH + 2]; /* from the root down */
    struct xds_failed error;
};

static void add_leaf(struct walk *w, const struct xds_leaf *leaf)
{
    struct xds_arena *arena = w->lb->rpc->arena;

    w->list = xds_arena_room(arena, w->list, w->n, &w->cap, sizeof *w->list);
    w->list[w->n++] = *leaf;
}

static void suffer(struct walk *w, enum fault fault, struct xds_slice name,
                   struct xds_failed failed)
{
    switch (fault) {
    case SKIP_CHILD:
        return;
    case FAIL_ALL:
        w->error = failed;
        return;
    case FAILING_LEAF:
        add_leaf(w, &(struct xds_leaf){.name = name, .missing = failed});
        return;
    }
}

/* "a, b, c": the way from the root down to this depth. */
static struct xds_slice path_text(const struct walk *w, unsigned depth)
{
    struct xds_arena *arena = w->lb->rpc->arena;
    struct xds_slice text = w->path[0];

    for (unsigned i = 1; i <= depth; i++)
        text = xds_arena_printf(arena, "%.*s, %.*s", XDS_FMT(text), XDS_FMT(w->path[i]));
    return text;
}

static struct xds_failed depth_failure(const struct xds_rpc *rpc)
{
    struct xds_failed failed =
        xds_failure_text(rpc, XDS_FAILURE_AGGREGATE_DEPTH, XDS_S(""));

    if (XDS_DIFFERS(rpc, XDS_DIFF_AGGREGATE_DEPTH_SAID_16))
        failed.text = xds_arena_concat(rpc->arena, failed.text, XDS_S(" (16)"));
    else if (XDS_DIFFERS(rpc, XDS_DIFF_AGGREGATE_DEPTH_SAID_15))
        failed.text = xds_arena_concat(rpc->arena, failed.text, XDS_S(" of 15"));
    return failed;
}

/* depth: of the cluster that closes it, whose name is given. */
static struct xds_slice cycle_text(const struct walk *w, struct xds_slice name,
                                   unsigned depth)
{
    const struct xds_rpc *rpc = w->lb->rpc;

    if (XDS_DIFFERS(rpc, XDS_DIFF_AGGREGATE_CYCLE_AWAITED))
        return xds_arena_printf(rpc->arena,
                                "the cycle of aggregate clusters %.*s is followed "
                                "without end",
                                XDS_FMT(path_text(w, depth)));
    if (XDS_DIFFERS(rpc, XDS_DIFF_AGGREGATE_CYCLE_NAMED))
        return xds_arena_printf(rpc->arena,
                                "CDS error: circular aggregate clusters directly under "
                                "%.*s for root cluster %.*s, named [%.*s]",
                                XDS_FMT(w->path[depth - 1]), XDS_FMT(w->path[0]),
                                XDS_FMT(name));
    return xds_arena_printf(rpc->arena, "Aggregate cluster cycle detected: [%.*s]",
                            XDS_FMT(path_text(w, depth - 1)));
}

static void end_too_deep(struct walk *w, struct xds_slice name, unsigned depth)
{
    struct xds_failed failed = depth_failure(w->lb->rpc);

    failed.reason = xds_failure_row(XDS_FAILURE_AGGREGATE_DEPTH);
    if (w->too_deep == FAILING_LEAF)
        failed.text =
            xds_arena_printf(w->lb->rpc->arena, "Recursion limit reached: [%.*s]",
                             XDS_FMT(path_text(w, depth - 1)));
    suffer(w, w->too_deep, name, failed);
}

/* FAILING_LEAF is the cluster that the cycle returns to, once the walk leaves it. */
static void close_cycle(struct walk *w, struct met *met, struct xds_slice name,
                        unsigned depth)
{
    const struct xds_failed failed = {
        .text = w->rewalks ? depth_failure(w->lb->rpc).text : cycle_text(w, name, depth),
        .reason = xds_failure_row(XDS_FAILURE_AGGREGATE_LOOP)};

    if (w->cycle != FAILING_LEAF)
        suffer(w, w->cycle, name, failed);
    else if (!met->failed.text.data)
        met->failed = failed;
}

static unsigned visit(struct walk *w, struct xds_slice name, unsigned depth);

static unsigned visit_children(struct walk *w, const struct xds_cluster *cluster,
                               unsigned depth)
{
    unsigned height = 0;

    for (size_t i = 0; i < cluster->n_children && !w->error.text.data; i++) {
        const unsigned below = 1 + visit(w, cluster->children[i], depth + 1);
        height = below > height ? below : height;
    }
    return height;
}

/* The rule of which the client dies at this cluster, NULL where it is not accepted, or at
 * its endpoints; or NULL. */
static const struct xds_rule *killed_by(const struct xds_lb *lb, struct xds_slice name,
                                        const struct xds_cluster *cluster)
{
    const enum xds_client client = lb->rpc->client;

    if (!lb->snapshot->has_killing)
        return NULL;
    if (!cluster)
        return xds_killed_by(lb->snapshot, client, XDS_TYPE_CLUSTER, name);

    const struct xds_rule *rule =
        xds_killing_rule(&cluster->killing, XDS_CLIENT_BIT(client));

    if (rule)
        return rule;
    return cluster->kind == XDS_CLUSTER_EDS
               ? xds_killed_by(lb->snapshot, client, XDS_TYPE_ENDPOINT, cluster->eds_name)
               : NULL;
}

struct xds_failed xds_cluster_failure(const struct xds_lb *lb, struct xds_slice cluster,
                                      struct xds_failed otherwise)
{
    const bool is_there = xds_snapshot_find(lb->snapshot, XDS_TYPE_CLUSTER, cluster) ||
                          xds_snapshot_held(lb->snapshot, XDS_TYPE_CLUSTER, cluster);

    if (xds_speaks_as_core(lb->rpc))
        return xds_failure_resource(lb->rpc, lb->snapshot, XDS_TYPE_CLUSTER, cluster, "");
    const struct xds_failed missing =
        xds_failure_text(lb->rpc, XDS_FAILURE_CLUSTER_MISSING, cluster);

    return is_there || !missing.text.data ? otherwise : missing;
}

/* In our own words. */
static struct xds_failed without_cluster(const struct xds_lb *lb, struct xds_slice name,
                                         const char *why)
{
    return (struct xds_failed){
        .text = xds_arena_printf(lb->rpc->arena, "cluster %.*s %s", XDS_FMT(name), why),
        .reason = xds_absence_reason(lb->snapshot, XDS_TYPE_CLUSTER, name)};
}

static unsigned visit_first(struct walk *w, struct xds_slice name, unsigned depth)
{
    const struct xds_rpc *rpc = w->lb->rpc;
    const char *why;
    const struct xds_cluster *cluster =
        xds_accepted(w->lb->snapshot, rpc->client, XDS_TYPE_CLUSTER, name, &why);

    if (!w->killed_by)
        w->killed_by = killed_by(w->lb, name, cluster);
    if (!cluster) {
        const struct xds_failed failed = without_cluster(w->lb, name, why);

        suffer(w, w->missing, name,
               xds_speaks_as_core(rpc) ? failed
                                       : xds_cluster_failure(w->lb, name, failed));
        if (w->missing == SKIP_CHILD) {
            w->skipped = xds_arena_room(w->lb->rpc->arena, w->skipped, w->n_skipped,
                                        &w->cap_skipped, sizeof *w->skipped);
            w->skipped[w->n_skipped++] = failed;
        }
        return 0;
    }
    if (cluster->kind == XDS_CLUSTER_AGGREGATE)
        return visit_children(w, cluster, depth);
    add_leaf(w, &(struct xds_leaf){.name = name,
                                   .cluster = cluster,
                                   .policy = xds_cluster_policy(cluster, rpc->client)});
    return 0;
}

static void meet(struct walk *w, struct met *met)
{
    w->order = xds_arena_room(w->lb->rpc->arena, w->order, w->n_order, &w->cap_order,
                              sizeof *w->order);
    w->order[w->n_order++] = met;
    met->is_forgotten = false;
}

/* A cycle returns to it: what was met since then has added nothing. */
static void fail_cluster(struct walk *w, struct met *met, struct xds_slice name,
                         size_t n_before, size_t n_met_before, unsigned depth)
{
    w->n = n_before;
    while (w->n_order > n_met_before)
        w->order[--w->n_order]->is_forgotten = true;
    meet(w, met);
    if (depth == 0)
        w->error = met->failed;
    else
        suffer(w, FAILING_LEAF, name, met->failed);
}

/* Many cycles above one large part meet all of it again and again. What the client would
 * do then is not known; an error says so wherever the leaves are asked for. */
static bool is_worn_out(struct walk *w)
{
    if (++w->again <= XDS_MAX_AGGREGATE_STEPS)
        return false;
    w->error.text = XDS_S("not known: cycles of aggregate clusters take too many steps");
    return true;
}

/* Recursion ends at the depth limit. Returns the height of what hangs below. */
static unsigned visit(struct walk *w, struct xds_slice name, unsigned depth)
{
    const size_t n = w->n, n_order = w->n_order;

    w->path[depth] = name;
    if (depth > w->most) {
        end_too_deep(w, name, depth);
        return 0;
    }
    void **slot = xds_strmap_at(&w->met, name);
    struct met *met = *slot;

    if (met && !met->is_forgotten) {
        /* It adds nothing, but node walks it again, and may then get too deep. */
        if (met->open)
            close_cycle(w, met, name, depth);
        else if (w->rewalks && depth + met->height > w->most)
            end_too_deep(w, name, depth);
        return met->height;
    }
    if (!met)
        *slot = met = XDS_NEW(w->lb->rpc->arena, struct met);
    else if (is_worn_out(w))
        return met->height;
    meet(w, met);
    if (!met->failed.text.data) {
        met->open = true;
        met->height = visit_first(w, name, depth);
        met->open = false;
    }
    if (met->failed.text.data)
        fail_cluster(w, met, name, n, n_order, depth);
    return met->height;
}

/* Where the clients differ: spec A-a, A-b, cluster 6.2. */
static struct walk walk_of(const struct xds_lb *lb)
{
    const struct xds_rpc *rpc = lb->rpc;

    return (struct walk){
        .lb = lb,
        .missing = XDS_DIFFERS(rpc, XDS_DIFF_AGGREGATE_MISSING_FAILS)  ? FAIL_ALL
                   : XDS_DIFFERS(rpc, XDS_DIFF_AGGREGATE_MISSING_LEAF) ? FAILING_LEAF
                                                                       : SKIP_CHILD,
        .cycle = XDS_DIFFERS(rpc, XDS_DIFF_AGGREGATE_CYCLE_FAILS)  ? FAIL_ALL
                 : XDS_DIFFERS(rpc, XDS_DIFF_AGGREGATE_CYCLE_LEAF) ? FAILING_LEAF
                                                                   : SKIP_CHILD,
        .rewalks = XDS_DIFFERS(rpc, XDS_DIFF_AGGREGATE_CYCLE_FAILS) &&
                   !XDS_DIFFERS(rpc, XDS_DIFF_AGGREGATE_CYCLE_NAMED),
        .too_deep =
            XDS_DIFFERS(rpc, XDS_DIFF_AGGREGATE_DEPTH_LEAF) ? FAILING_LEAF : FAIL_ALL,
        .most = XDS_MAX_AGGREGATE_DEPTH -
                (XDS_DIFFERS(rpc, XDS_DIFF_AGGREGATE_DEPTH_ONE_MORE) ? 0 : 1)};
}

struct xds_leaves xds_aggregate_leaves(const struct xds_lb *lb, struct xds_slice name)
{
    const struct xds_rpc *rpc = lb->rpc;
    struct walk w = walk_of(lb);
    struct xds_leaves out = {.n = 0};
    const char *why;

    out.root = xds_accepted(lb->snapshot, rpc->client, XDS_TYPE_CLUSTER, name, &why);
    if (!out.root) {
        out.killed_by = killed_by(lb, name, NULL);
        out.error = without_cluster(lb, name, why);
        return out;
    }
    xds_strmap_init(&w.met, rpc->arena);
    (void)visit(&w, name, 0);
    if (!w.error.text.data && w.n == 0)
        w.error = xds_failure_text(rpc, XDS_FAILURE_AGGREGATE_EMPTY, name);
    const bool by_root = XDS_DIFFERS(rpc, XDS_DIFF_LB_AGGREGATE_BY_ITS_OWN) ||
                         XDS_ENV_ON(rpc, XDS_ENV_AGGREGATE_CLUSTER_BACKWARD_COMPAT);

    for (size_t i = 0; by_root && i < w.n; i++)
        w.list[i].policy = xds_cluster_policy(out.root, rpc->client);
    out.list = w.list;
    out.n = w.n;
    out.skipped = w.skipped;
    out.n_skipped = w.n_skipped;
    out.killed_by = w.killed_by;
    out.error = w.error;
    return out;
}

bool xds_flattens_aggregates(const struct xds_options *options, enum xds_client client)
{
    return xds_differs(options, client, XDS_DIFF_AGGREGATE_FLATTENED);
}

struct xds_slice xds_child_name(struct xds_arena *arena,
                                const struct xds_options *options, enum xds_client client,
                                const struct xds_cluster *cluster, size_t mechanism,
                                uint64_t number)
{
    if (xds_differs(options, client, XDS_DIFF_CHILD_NAME_OF_MECHANISM))
        return cluster->kind == XDS_CLUSTER_LOGICAL_DNS
                   ? xds_arena_printf(arena, "priority-%zu", mechanism)
                   : xds_arena_printf(arena, "priority-%zu-%" PRIu64, mechanism, number);
    if (xds_differs(options, client, XDS_DIFF_CHILD_NAME_IN_BRACKETS))
        return xds_arena_printf(arena, "%.*s[child%" PRIu64 "]", XDS_FMT(cluster->name),
                                number);
    const bool bare = xds_differs(options, client, XDS_DIFF_CHILD_NAME_BARE);

    return xds_arena_printf(arena, "%scluster=%.*s, child_number=%" PRIu64 "%s",
                            bare ? "" : "{", XDS_FMT(cluster->name), number,
                            bare ? "" : "}");
}
