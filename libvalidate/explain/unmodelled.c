/*
 * unmodelled.c - what the client of a dump uses and the dump does not have, or no model
 *                could be made of: what its RPCs do there is not known, which is no
 *                failure of them.
 *
 * Source: envoy.admin.v3.ClientResourceStatus; node's CSDS has no content of a resource
 *         of which it has rejected an update, or that was removed: a channel that
 *         comes later still gets it.
 */
#include "explain/explain.h"

enum { MOST_CHILDREN = 1000 }; /* of aggregates; a client has far less */

struct looking {
    const struct xds_lb *lb;
    struct xds_strmap met;
    bool found, has_content;
    enum xds_resource_type type;
    struct xds_slice name;
    const struct xds_held *held; /* what the dump says of it */
};

static bool look(struct looking *l, enum xds_resource_type type, struct xds_slice name)
{
    const struct xds_snapshot *snapshot = l->lb->snapshot;
    const struct xds_snapshot_entry *entry =
        name.data ? xds_snapshot_find(snapshot, type, name) : NULL;
    const struct xds_held *held =
        name.data ? xds_snapshot_held(snapshot, type, name) : NULL;
    const bool unknown =
        entry ? xds_snapshot_unmodelled(entry) &&
                    (held->used_by & XDS_CLIENT_BIT(l->lb->rpc->client)) != 0
              : xds_held_lacks_content(held);

    if (l->found || !unknown)
        return l->found;
    l->found = true;
    l->has_content = entry != NULL;
    l->type = type;
    l->name = name;
    l->held = held;
    return true;
}

bool xds_explain_is_unmodelled(const struct xds_lb *lb, enum xds_resource_type type,
                               struct xds_slice name)
{
    struct looking l = {.lb = lb};

    return lb->snapshot->has_unmodelled && look(&l, type, name);
}

/* Recursion ends at what was met before. */
static void look_below(struct looking *l, struct xds_slice name, bool children)
{
    const struct xds_snapshot_entry *entry =
        xds_snapshot_find(l->lb->snapshot, XDS_TYPE_CLUSTER, name);
    const struct xds_cluster *cluster = entry ? entry->model : NULL;
    void **met = xds_strmap_at(&l->met, name);

    if (*met || l->met.n > MOST_CHILDREN || look(l, XDS_TYPE_CLUSTER, name) || !cluster)
        return;
    *met = l;
    if (cluster->kind == XDS_CLUSTER_EDS)
        (void)look(l, XDS_TYPE_ENDPOINT, cluster->eds_name);
    for (size_t i = 0; children && i < cluster->n_children && !l->found; i++)
        look_below(l, cluster->children[i], children);
}

static bool end(const struct looking *l, struct xds_decision *d)
{
    static const char *const kinds[] = {
        [XDS_TYPE_UNKNOWN] = "resource",          [XDS_TYPE_LISTENER] = "listener",
        [XDS_TYPE_ROUTE] = "route configuration", [XDS_TYPE_CLUSTER] = "cluster",
        [XDS_TYPE_ENDPOINT] = "endpoints",
    };
    const struct xds_slice name = xds_excerpt(l->lb->rpc->arena, l->name);

    if (!l->found || !l->held)
        return false;

    const char *rule = l->held->against;

    if (l->has_content)
        xds_explain_end(l->lb, d, XDS_OUTCOME_UNDECIDED, NULL,
                        "the client uses %s %.*s, and xdscope does not know what it does "
                        "with it%s%s%s",
                        kinds[l->type], XDS_FMT(name), rule ? " (judged as NACK: " : "",
                        rule ? rule : "", rule ? ")" : "");
    else
        xds_explain_end(l->lb, d, XDS_OUTCOME_UNDECIDED, NULL,
                        "the client has version %.*s of %s %.*s, which the dump does "
                        "not have",
                        XDS_FMT(l->held->version), kinds[l->type], XDS_FMT(name));
    return true;
}

bool xds_explain_unmodelled(const struct xds_lb *lb, const struct xds_branches *branches,
                            struct xds_decision *d)
{
    struct looking l = {.lb = lb};

    if (!lb->snapshot->has_unmodelled)
        return false;
    xds_strmap_init(&l.met, lb->rpc->arena);
    if (!branches) {
        (void)look(&l, XDS_TYPE_LISTENER, d->start.listener_name);
        if (d->start.listener)
            (void)look(&l, XDS_TYPE_ROUTE, d->start.listener->rds_name);
    }
    for (size_t i = 0; branches && i < branches->n && !l.found; i++)
        if (branches->list[i].cluster.name.data && !branches->list[i].faults.aborts)
            look_below(&l, branches->list[i].cluster.name,
                       d->outcome == XDS_OUTCOME_UNAVAILABLE);
    return end(&l, d);
}
