/*
 * references.c - names that nothing in the input has, and resources that nothing names.
 *
 * Source: gRFC A27, A37, A57; go-control-plane and Envoy check some of these by count.
 *
 * A type of which the input holds nothing at all is not looked up: then the input is a
 * part of a snapshot, such as the routes alone. The same holds for leaves where all
 * clusters are aggregates. Where something could not be read, it may be what is named,
 * or may name what is not.
 */
#include "lint/checks.h"
#include "lint/compare.h"

/* ---- what is named and is not there ---- */

static const struct missing {
    enum xds_resource_type type; /* of what is missing */
    bool in_cluster;             /* a Cluster names it; else a route or a listener does */
    enum xds_rule_id rule;
    const char *name, *effect;
} missing_rows[] = {
    {XDS_TYPE_ROUTE, false, XDS_R_LINT_MISSING_ROUTE_CONFIG, "RouteConfiguration",
     "the channel waits 15 s for it, then its RPCs fail with UNAVAILABLE"},
    {XDS_TYPE_CLUSTER, false, XDS_R_LINT_MISSING_CLUSTER, "Cluster",
     "RPCs that go there fail with UNAVAILABLE"},
    {XDS_TYPE_CLUSTER, true, XDS_R_LINT_MISSING_LEAF, "Cluster",
     "the aggregate cluster treats it as failed and uses the next one"},
    {XDS_TYPE_ENDPOINT, true, XDS_R_LINT_MISSING_ENDPOINTS, "ClusterLoadAssignment",
     "the cluster has no hosts, and its RPCs fail with UNAVAILABLE"},
};

static const struct missing *row_of(const struct xds_node *from,
                                    const struct xds_ref *ref)
{
    const bool in_cluster = xds_node_type(from) == XDS_TYPE_CLUSTER;

    for (size_t i = 0; i < XDS_ARRAY_LEN(missing_rows); i++)
        if (missing_rows[i].type == ref->name->type &&
            missing_rows[i].in_cluster == in_cluster)
            return &missing_rows[i];
    return NULL;
}

static struct xds_slice and_more(const struct xds_inspection *in,
                                 const struct xds_ref *ref)
{
    if (ref->times == 1)
        return XDS_S("");
    return xds_arena_printf(in->scratch, "; %u more field%s of this resource name%s it",
                            ref->times - 1, ref->times == 2 ? "" : "s",
                            ref->times == 2 ? "s" : "");
}

static void report_missing(const struct xds_inspection *in, const struct missing *row,
                           const struct xds_ref *ref)
{
    struct xds_site_frames frames;
    const struct xds_path *at = xds_site_path(ref->site, XDS_S(""), &frames);
    const bool partial = in->report->options.partial;

    (partial ? xds_lint_fire_note : xds_lint_fire)(
        in, at, row->rule, "no %s \"%.*s\" in the input: %s%.*s", row->name,
        XDS_FMT(ref->name->text), row->effect, XDS_FMT(and_more(in, ref)));
}

static bool is_missing(const struct xds_graph *graph, const struct missing *row,
                       const struct xds_ref *ref)
{
    if (ref->name->text.len == 0)
        return false;
    return row->type == XDS_TYPE_CLUSTER && row->in_cluster
               ? graph->holds_leaves
               : xds_graph_holds(graph, row->type);
}

/* Servers can only take listeners and clusters away from a client (spec cluster 10.1). */
static const char *effect_of_removal(const struct missing *row)
{
    return row->type == XDS_TYPE_CLUSTER
               ? row->effect
               : "clients that have it keep it as it is, and RPCs of all others fail";
}

/* The old snapshot had it: then it is missed even where nothing of its type is left. */
static void report_removed(const struct xds_inspection *in, const struct xds_graph *graph,
                           const struct missing *row, const struct xds_ref *ref,
                           const struct xds_node *old)
{
    struct xds_site_frames frames;

    if (xds_lint_fire(in, xds_site_path(ref->site, XDS_S(""), &frames),
                      XDS_R_LINT_REMOVED_IN_USE,
                      "this change removes %s \"%.*s\" while it is still referenced "
                      "here: %s%.*s; remove the reference first",
                      row->name, XDS_FMT(ref->name->text), effect_of_removal(row),
                      XDS_FMT(and_more(in, ref))))
        xds_before_relate(in, graph->before, old);
}

static void check_ref(const struct xds_inspection *in, const struct xds_graph *graph,
                      const struct xds_node *from, const struct xds_ref *ref)
{
    const struct missing *row = row_of(from, ref);
    const struct xds_node *old = xds_before_find(graph, ref->name);

    if (row && old)
        report_removed(in, graph, row, ref, old);
    else if (row && is_missing(graph, row, ref))
        report_missing(in, row, ref);
}

void xds_check_dangling(struct xds_inspection *in, const struct xds_graph *graph)
{
    if (graph->has_gaps)
        return;
    for (size_t type = 0; type < XDS_ARRAY_LEN(graph->first); type++) {
        for (const struct xds_node *node = graph->first[type]; node; node = node->next) {
            in->resource = node->resource;
            for (const struct xds_ref *ref = node->refs; ref < xds_refs_end(node); ref++)
                if (!xds_ref_to(ref))
                    check_ref(in, graph, node, ref);
        }
    }
}

/* ---- what is there and is not named ---- */

static const struct unused {
    enum xds_resource_type type;
    enum xds_rule_id rule;
    const char *named_by;
} unused_rows[] = {
    {XDS_TYPE_ROUTE, XDS_R_LINT_UNUSED_ROUTE_CONFIG, "listener"},
    {XDS_TYPE_CLUSTER, XDS_R_LINT_UNUSED_CLUSTER, "route"},
    {XDS_TYPE_ENDPOINT, XDS_R_LINT_UNUSED_ENDPOINTS, "cluster"},
};

static void report_unused(struct xds_inspection *in, const struct xds_graph *graph,
                          const struct unused *row)
{
    for (const struct xds_node *n = graph->first[row->type]; n; n = n->next) {
        in->resource = n->resource;
        if (!n->reached)
            (void)xds_lint_fire(in, NULL, row->rule,
                                "resource \"%.*s\" is not used by any %s that a client "
                                "reaches; is its name misspelled there or here?",
                                XDS_FMT(n->name->text), row->named_by);
    }
}

void xds_check_unused(struct xds_inspection *in, const struct xds_graph *graph)
{
    if (in->report->options.partial || xds_graph_is_open(graph))
        return;
    for (size_t i = 0; i < XDS_ARRAY_LEN(unused_rows); i++)
        report_unused(in, graph, &unused_rows[i]);
}
