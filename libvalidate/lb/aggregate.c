/*
 * aggregate.c - flatten an aggregate cluster into its leaves.
 *
 * Takes:  the name of a cluster; the clusters in force for the client.
 * Gives:  leaves depth first, in the decision's arena; a cluster met again (also through
 *         a cycle) counts at its first place only.
 * Fails:  no such cluster, a graph deeper than XDS_MAX_AGGREGATE_DEPTH, no leaf at all.
 * Source: gRFC A37, A74, A75, spec routing 12, differences A-a and A-b.
 */
#include "lb/aggregate.h"

#include "base/limits.h"
#include "route/in_force.h"

/* A-a: what becomes of the aggregate when a child is missing. */
enum missing_child { SKIP_CHILD, FAIL_ALL, FAILING_LEAF };

/* Where the clients differ. */
static const struct reading {
    enum missing_child missing;
    bool policy_of_aggregate; /* A-b */
} readings[XDS_CLIENTS] = {
    [XDS_CLIENT_GRFC] = {SKIP_CHILD, false},   [XDS_CLIENT_CORE] = {SKIP_CHILD, false},
    [XDS_CLIENT_GO] = {FAIL_ALL, true},        [XDS_CLIENT_JAVA] = {FAILING_LEAF, false},
    [XDS_CLIENT_NODE] = {FAILING_LEAF, false},
};

struct walk {
    const struct xds_lb *lb;
    struct xds_strmap seen;
    struct xds_leaf *list;
    size_t n, cap;
    struct xds_slice error;
};

static void add_leaf(struct walk *w, const struct xds_leaf *leaf)
{
    struct xds_arena *arena = w->lb->rpc->arena;

    if (w->n == w->cap) {
        const size_t cap = w->cap ? 2 * w->cap : 4;
        struct xds_leaf *list = XDS_NEW_ARRAY(arena, struct xds_leaf, cap);
        if (w->n)
            memcpy(list, w->list, w->n * sizeof(*list));
        w->list = list;
        w->cap = cap;
    }
    w->list[w->n++] = *leaf;
}

static void visit_missing(struct walk *w, struct xds_slice name, const char *why)
{
    struct xds_arena *arena = w->lb->rpc->arena;
    const struct xds_slice text =
        xds_arena_printf(arena, "cluster %.*s %s", XDS_FMT(name), why);

    switch (readings[w->lb->rpc->client].missing) {
    case SKIP_CHILD:
        return;
    case FAIL_ALL:
        w->error = text;
        return;
    case FAILING_LEAF:
        add_leaf(w, &(struct xds_leaf){.name = name, .missing = text});
        return;
    }
}

static bool first_visit(struct walk *w, struct xds_slice name)
{
    void **slot = xds_strmap_at(&w->seen, name);
    const bool first = *slot == NULL;

    *slot = w;
    return first;
}

/* Recursion ends at the depth limit. */
static void visit(struct walk *w, struct xds_slice name, unsigned depth)
{
    const struct xds_rpc *rpc = w->lb->rpc;
    const char *why;

    if (depth == XDS_MAX_AGGREGATE_DEPTH) {
        w->error = XDS_S("aggregate cluster graph exceeds max depth");
        return;
    }
    if (!first_visit(w, name))
        return;
    const struct xds_cluster *cluster =
        xds_in_force(w->lb->snapshot, rpc->client, XDS_TYPE_CLUSTER, name, &why);
    if (!cluster) {
        visit_missing(w, name, why);
        return;
    }
    if (cluster->kind != XDS_CLUSTER_AGGREGATE) {
        add_leaf(w, &(struct xds_leaf){name, cluster, &cluster->lb, {NULL, 0}});
        return;
    }
    for (size_t i = 0; i < cluster->n_children && !w->error.data; i++)
        visit(w, cluster->children[i], depth + 1);
}

static bool uses_policy_of_aggregate(const struct xds_rpc *rpc)
{
    return readings[rpc->client].policy_of_aggregate ||
           xds_env_on(rpc->options, XDS_ENV_AGGREGATE_CLUSTER_BACKWARD_COMPAT,
                      rpc->client);
}

struct xds_leaves xds_aggregate_leaves(const struct xds_lb *lb, struct xds_slice name)
{
    struct walk w = {.lb = lb};
    struct xds_leaves out = {.n = 0};
    const char *why;

    out.root = xds_in_force(lb->snapshot, lb->rpc->client, XDS_TYPE_CLUSTER, name, &why);
    if (!out.root) {
        out.error =
            xds_arena_printf(lb->rpc->arena, "cluster %.*s %s", XDS_FMT(name), why);
        return out;
    }
    xds_strmap_init(&w.seen, lb->rpc->arena);
    visit(&w, name, 0);
    if (!w.error.data && w.n == 0)
        w.error = xds_arena_printf(
            lb->rpc->arena,
            "aggregate cluster dependency graph for %.*s has no leaf clusters",
            XDS_FMT(name));
    for (size_t i = 0; i < w.n && uses_policy_of_aggregate(lb->rpc); i++)
        w.list[i].policy = &out.root->lb;
    out.list = w.list;
    out.n = w.n;
    out.error = w.error;
    return out;
}
