/*
 * affinity.c - session affinity and the clusters it leads to.
 *
 * Takes:  the linked graph.
 * Gives:  findings at the cluster.
 * Fires:  LINT_SESSION_DRAIN, LINT_SESSION_STATUS_UNUSED.
 * Source: gRFC A55, A75; spec routing 5.1, 8.2; spec cluster 1.10.
 */
#include "lint/checks.h"

#define DRAINING XDS_HEALTH_BIT(XDS_HEALTH_DRAINING)

/* ---- which clusters -----------------------------------------------------------------
 */

/* Mark the cluster, and what is below an aggregate; session_from is the mark. Each is
 * pushed once: the stack runs through walk.parent. */
static void mark_below(const struct xds_ref *from)
{
    struct xds_node *stack = NULL;

    if (!from->to || from->to->session_from)
        return;
    from->to->session_from = from;
    from->to->walk.parent = NULL;
    stack = from->to;
    while (stack) {
        const struct xds_node *at = stack;

        stack = at->walk.parent;
        for (const struct xds_ref *ref = at->refs; ref; ref = ref->next) {
            if (ref->type != XDS_TYPE_CLUSTER || !ref->to || ref->to->session_from)
                continue;
            ref->to->session_from = from;
            ref->to->walk.parent = stack;
            stack = ref->to;
        }
    }
}

static bool has_affinity(const struct xds_ref *ref, enum xds_sessions sessions)
{
    return ref->routes.session_on ||
           (ref->routes.session_as_listener && sessions == XDS_SESSIONS_ON);
}

static void mark_from(const struct xds_node *routes, enum xds_sessions sessions)
{
    for (const struct xds_ref *ref = routes->refs; ref; ref = ref->next)
        if (ref->type == XDS_TYPE_CLUSTER && has_affinity(ref, sessions))
            mark_below(ref);
}

/* Route configurations may be shared by many listeners: each is looked at once for the
 * listeners whose filter is on, and once for those where it is off. */
static void mark_from_listener(const struct xds_node *listener)
{
    const enum xds_sessions sessions = listener->sessions;

    if (sessions == XDS_SESSIONS_NONE)
        return;
    mark_from(listener, sessions);
    for (const struct xds_ref *ref = listener->refs; ref; ref = ref->next) {
        if (ref->type != XDS_TYPE_ROUTE || !ref->to || ref->to->sessions >= sessions)
            continue;
        ref->to->sessions = sessions;
        mark_from(ref->to, sessions);
    }
}

/* ---- findings -----------------------------------------------------------------------
 */

static void report_drain(const struct xds_inspection *in, const struct xds_node *cluster)
{
    const struct xds_ref *from = cluster->session_from;
    const struct xds_path *at =
        cluster->has_override_host_status
            ? XDS_AT(NULL, "common_lb_config.override_host_status")
            : NULL;

    if (!xds_lint_fire(
            in, at, XDS_R_LINT_SESSION_DRAIN,
            cluster->override_host_status == 0
                ? "override_host_status names no state that gRPC knows: no RPC "
                  "ever goes to the host of its cookie"
                : "routes with session affinity lead here, but "
                  "override_host_status lacks DRAINING: as soon as a host "
                  "drains, its sessions move to other hosts"))
        return;
    xds_report_relate(in->report, from->from->resource,
                      &from->path.step[from->path.n - 1], NULL,
                      "named here by a route with session affinity");
}

static void report_unused(const struct xds_inspection *in)
{
    (void)xds_lint_fire(in, XDS_AT(NULL, "common_lb_config.override_host_status"),
                        XDS_R_LINT_SESSION_STATUS_UNUSED,
                        "no route with session affinity leads here, and "
                        "override_host_status is for nothing else");
}

static void check_cluster(struct xds_inspection *in, const struct xds_node *cluster,
                          bool open)
{
    in->resource = cluster->resource;
    if (cluster->session_from && !(cluster->override_host_status & DRAINING))
        report_drain(in, cluster);
    else if (!cluster->session_from && cluster->has_override_host_status &&
             cluster->reached && !open)
        report_unused(in);
}

void xds_check_affinity(struct xds_inspection *in, const struct xds_graph *graph)
{
    const unsigned with_sessions =
        XDS_CLIENT_BIT(XDS_CLIENT_GRFC) | XDS_CLIENT_BIT(XDS_CLIENT_CORE);
    const bool open = in->report->options.partial || xds_graph_is_open(graph);

    if (!(in->report->options.clients & with_sessions))
        return;
    for (const struct xds_node *n = graph->first[XDS_TYPE_LISTENER]; n; n = n->next)
        mark_from_listener(n);
    for (const struct xds_node *n = graph->first[XDS_TYPE_CLUSTER]; n; n = n->next)
        if (n->cluster_kind == XDS_CLUSTER_EDS)
            check_cluster(in, n, open);
}
