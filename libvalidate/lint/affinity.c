/*
 * affinity.c - session affinity and the clusters it leads to.
 *
 * Source: gRFC A55, A75; spec routing 5.1, 8.2; spec cluster 1.10.
 */
#include "clients/readers.h"
#include "lint/checks.h"

#define DRAINING XDS_HEALTH_BIT(XDS_HEALTH_DRAINING)

/* ---- which clusters ---- */

/* Push what the reference means to the stack, unless it was there before: session_from is
 * the mark, and the stack runs through walk.parent. */
static struct xds_node *mark(const struct xds_node *routes, const struct xds_ref *from,
                             const struct xds_ref *ref, struct xds_node *stack)
{
    struct xds_node *to = xds_ref_to(ref);

    if (!to || to->cluster->session_from)
        return stack;
    to->cluster->session_from = from;
    to->cluster->session_node = routes;
    to->cluster->walk.parent = stack;
    return to;
}

/* Mark the cluster, and what is below an aggregate. */
static void mark_below(const struct xds_node *routes, const struct xds_ref *from)
{
    struct xds_node *stack = mark(routes, from, from, NULL);

    while (stack) {
        const struct xds_node *at = stack;

        stack = at->cluster->walk.parent;
        for (const struct xds_ref *ref = at->refs; ref < xds_refs_end(at); ref++)
            if (ref->name->type == XDS_TYPE_CLUSTER)
                stack = mark(routes, from, ref, stack);
    }
}

static bool has_affinity(const struct xds_ref *ref, enum xds_sessions sessions)
{
    return ref->session_on || (ref->session_as_listener && sessions == XDS_SESSIONS_ON);
}

static void mark_from(const struct xds_node *routes, enum xds_sessions sessions)
{
    for (const struct xds_ref *ref = routes->refs; ref < xds_refs_end(routes); ref++)
        if (ref->name->type == XDS_TYPE_CLUSTER && has_affinity(ref, sessions))
            mark_below(routes, ref);
}

/* Route configurations may be shared by many listeners: each is looked at once for the
 * listeners whose filter is on, and once for those where it is off. */
static void mark_from_listener(const struct xds_node *listener)
{
    const enum xds_sessions sessions = listener->listener->sessions;

    if (sessions == XDS_SESSIONS_NONE)
        return;
    mark_from(listener, sessions);
    for (const struct xds_ref *ref = listener->refs; ref < xds_refs_end(listener);
         ref++) {
        struct xds_node *to = xds_ref_to(ref);

        if (ref->name->type != XDS_TYPE_ROUTE || !to || to->routes->sessions >= sessions)
            continue;
        to->routes->sessions = sessions;
        mark_from(to, sessions);
    }
}

/* ---- findings ---- */

static void report_drain(const struct xds_inspection *in,
                         const struct xds_cluster_facts *cluster)
{
    struct xds_site_frames frames;
    const struct xds_path *at =
        cluster->has_override_host_status
            ? XDS_AT(NULL, "common_lb_config.override_host_status")
            : NULL;

    if (!xds_lint_fire(in, at, XDS_R_LINT_SESSION_DRAIN,
                       cluster->override_host_status == 0
                           ? "override_host_status has no status that gRPC knows: RPCs "
                             "never go to the host of their cookie"
                           : "override_host_status lacks DRAINING, and routes with "
                             "session affinity lead to this cluster: as soon as a host "
                             "drains, its sessions move to other hosts"))
        return;
    xds_report_relate(in->report, cluster->session_node->resource,
                      xds_site_path(cluster->session_from->site, XDS_S(""), &frames),
                      NULL, "named here by a route with session affinity");
}

static void report_unused(const struct xds_inspection *in)
{
    (void)xds_lint_fire(in, XDS_AT(NULL, "common_lb_config.override_host_status"),
                        XDS_R_LINT_SESSION_STATUS_UNUSED,
                        "override_host_status has no effect: no route with session "
                        "affinity leads to this cluster");
}

static void check_cluster(struct xds_inspection *in, const struct xds_node *node,
                          bool open)
{
    const struct xds_cluster_facts *cluster = node->cluster;

    in->resource = node->resource;
    if (cluster->session_from && !(cluster->override_host_status & DRAINING))
        report_drain(in, cluster);
    else if (!cluster->session_from && cluster->has_override_host_status &&
             node->reached && !open)
        report_unused(in);
}

void xds_check_affinity(struct xds_inspection *in, const struct xds_graph *graph)
{
    const unsigned with_sessions = ~xds_differing(XDS_DIFF_SESSION_NONE);
    const bool open = in->report->options.partial || xds_graph_is_open(graph);

    if (!(in->report->options.clients & with_sessions))
        return;
    for (const struct xds_node *n = graph->first[XDS_TYPE_LISTENER]; n; n = n->next)
        mark_from_listener(n);
    for (const struct xds_node *n = graph->first[XDS_TYPE_CLUSTER]; n; n = n->next)
        if (n->cluster->kind == XDS_CLUSTER_EDS)
            check_cluster(in, n, open);
}
