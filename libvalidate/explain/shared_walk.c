/*
 * shared_walk.c - warn of leaves that core may leave out of an aggregate cluster.
 *
 * Source: spec routing 12, A-d, spec cluster 6.1.
 *
 * core walks the clusters of all routes in the order of their names and keeps one table
 * for all of them: a cluster that is in it already adds nothing to an aggregate that is
 * walked later.
 */
#include "explain/explain.h"

#include <stdlib.h>

#include "base/limits.h"
#include "base/order.h"

/* A cluster in core's table. */
struct entry {
    struct xds_slice root;     /* below which it was met first */
    struct xds_slice missing;  /* of an aggregate: a child that was there before it */
    struct xds_slice taken_by; /* the root of that child */
    size_t met;                /* how many were met before */
};

struct walk {
    const struct xds_lb *lb;
    struct xds_strmap table;
    struct xds_slice root;
    struct entry *open[XDS_MAX_AGGREGATE_DEPTH]; /* the aggregates above */
};

static const struct xds_cluster *find(const struct xds_lb *lb, struct xds_slice name)
{
    return xds_accepted(lb->snapshot, lb->rpc->client, XDS_TYPE_CLUSTER, name, NULL);
}

static void visit(struct walk *w, struct xds_slice name, unsigned depth)
{
    if (depth == XDS_MAX_AGGREGATE_DEPTH)
        return;
    void **slot = xds_strmap_at(&w->table, name);

    if (*slot) {
        /* The child lacks in each aggregate above that was begun after the child was met.
         */
        const struct entry *child = *slot;

        for (unsigned i = 0; i < depth; i++)
            if (child->met < w->open[i]->met && !w->open[i]->missing.data) {
                w->open[i]->missing = name;
                w->open[i]->taken_by = child->root;
            }
        return;
    }
    struct entry *entry = XDS_NEW(w->lb->rpc->arena, struct entry);
    const struct xds_cluster *cluster = find(w->lb, name);

    *slot = entry;
    *entry = (struct entry){.root = w->root, .met = w->table.n};
    w->open[depth] = entry;
    for (size_t i = 0; cluster && i < cluster->n_children; i++)
        visit(w, cluster->children[i], depth + 1);
}

/* go keeps what the walk from any of the routes' clusters has found, in random order. */
static void note_missing(const struct walk *w, struct xds_decision *d, bool one_walk)
{
    const struct xds_rpc *rpc = w->lb->rpc;

    for (size_t i = 0; i < d->n_clusters; i++) {
        const struct xds_slice name = d->clusters[i].name;
        const struct entry *e = xds_strmap_get(&w->table, name);

        if (e && e->missing.data)
            xds_explain_note(
                rpc, d,
                one_walk
                    ? "%s may leave cluster \"%.*s\" out of aggregate \"%.*s\": one walk "
                      "serves all routes, and it has met that cluster before, through "
                      "cluster \"%.*s\" of a route"
                    : "%s may leave cluster \"%.*s\" out of aggregate \"%.*s\", which is "
                      "random: its walk from cluster \"%.*s\" of a route meets that "
                      "cluster before, and may be the one that counts",
                xds_asked_label(rpc->options, rpc->client).text, XDS_FMT(e->missing),
                XDS_FMT(name), XDS_FMT(e->taken_by));
    }
}

/* Without one there is nothing to note, however many clusters the routes have. */
static bool has_aggregate(const struct xds_lb *lb, const struct xds_decision *d)
{
    for (size_t i = 0; i < d->n_clusters; i++) {
        const struct xds_cluster *cluster = find(lb, d->clusters[i].name);

        if (cluster && cluster->n_children > 0)
            return true;
    }
    return false;
}

void xds_explain_shared_walk(const struct xds_lb *lb, struct xds_decision *d)
{
    const struct xds_rpc *rpc = lb->rpc;
    const bool one_walk = XDS_DIFFERS(rpc, XDS_DIFF_WALK_OF_ALL_ROUTES);
    struct walk w = {.lb = lb};

    if (!one_walk && !XDS_DIFFERS(rpc, XDS_DIFF_WALKS_OVERWRITE))
        return;
    if (!has_aggregate(lb, d))
        return;

    const struct xds_virtual_host *host = d->virtual_host.host;
    size_t cap = host->n_routes, n = 0;

    for (size_t i = 0; i < host->n_routes; i++)
        cap += host->routes[i].n_weighted;
    struct xds_slice *roots = XDS_NEW_ARRAY(rpc->arena, struct xds_slice, cap);

    for (size_t i = 0; i < host->n_routes; i++) {
        const struct xds_route *route = &host->routes[i];

        if (route->skipped_by & XDS_CLIENT_BIT(rpc->client))
            continue;
        if (route->action == XDS_ACTION_CLUSTER)
            roots[n++] = route->cluster;
        for (size_t k = 0; k < route->n_weighted; k++)
            if (route->weighted[k].weight > 0 ||
                XDS_DIFFERS(rpc, XDS_DIFF_CLUSTER_WEIGHT_0_KEPT))
                roots[n++] = route->weighted[k].name;
    }
    if (n > 1)
        qsort(roots, n, sizeof(*roots), xds_slice_order);

    for (size_t i = 0; i < n; i++) {
        if (i == 0 || !one_walk)
            xds_strmap_init(&w.table, rpc->arena);
        w.root = roots[i];
        visit(&w, w.root, 0);
        if (!one_walk || i + 1 == n)
            note_missing(&w, d, one_walk);
    }
}
