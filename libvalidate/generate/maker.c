/*
 * maker.c - names, notes and the smallest pieces of generated configs.
 *
 * Source: spec routing 14.7, G-b, spec cluster 5.2 to 5.4.
 */
#include "generate/config.h"

static enum xds_written written_by(const struct xds_options *options,
                                   enum xds_client client)
{
    if (xds_differs(options, client, XDS_DIFF_LB_NONZERO_WRITTEN))
        return XDS_WRITES_NONZERO;
    return xds_differs(options, client, XDS_DIFF_LB_SET_WRITTEN) ? XDS_WRITES_SET
                                                                 : XDS_WRITES_ALL;
}

struct xds_dialect xds_dialect_of(const struct xds_options *options,
                                  enum xds_client client)
{
    const bool java = xds_differs(options, client, XDS_DIFF_LB_MANAGER_IN_JAVA);
    const bool snake = xds_differs(options, client, XDS_DIFF_LB_SNAKE_CASE);
    const char *child = snake ? "child_policy" : "childPolicy";

    return (struct xds_dialect){
        .manager_children = java ? "childPolicy" : "children",
        .manager_child = java ? "lbPolicy" : child,
        .bare_clusters = xds_differs(options, client, XDS_DIFF_CLUSTER_KEY_BARE),
        .child_policy = child,
        .cluster_name = xds_differs(options, client, XDS_DIFF_LB_CLUSTER_IMPL_CLUSTER)
                            ? "cluster"
                            : "clusterName",
        .ignore_reresolution =
            xds_differs(options, client, XDS_DIFF_LB_RERESOLUTION_CAMEL_CASE)
                ? "ignoreReresolutionRequests"
                : "ignore_reresolution_requests",
        .drop_share = xds_differs(options, client, XDS_DIFF_LB_DROPS_IN_CAMEL_CASE)
                          ? "requestsPerMillion"
                          : "requests_per_million",
        .written = written_by(options, client),
        .always_reresolution =
            xds_differs(options, client, XDS_DIFF_LB_RERESOLUTION_WRITTEN),
        .snake_case = snake,
    };
}

static bool has_note(const struct xds_notes *notes, struct xds_slice text)
{
    for (size_t i = 0; i < notes->n; i++)
        if (xds_slice_eq(notes->list[i], text))
            return true;
    return false;
}

/* Notes are few: one per thing that a route holds. */
enum { MAX_NOTES = 1000 };

void xds_note(struct xds_maker *maker, const char *format, ...)
{
    struct xds_notes *notes = &maker->notes;
    struct xds_slice text;
    va_list args;

    if (notes->n == MAX_NOTES)
        return;
    va_start(args, format);
    text = xds_arena_vprintf(maker->arena, format, args);
    va_end(args);
    if (has_note(notes, text))
        return;
    if (!notes->list)
        notes->list = XDS_NEW_ARRAY(maker->arena, struct xds_slice, MAX_NOTES);
    notes->list[notes->n++] = text;
}

struct xds_tree xds_time_tree(const struct xds_maker *maker, int64_t ns)
{
    const int64_t ms = 1000000;

    return xds_tree_ns(maker->arena,
                       XDS_DIFFERS(maker, XDS_DIFF_DURATION_IN_MS) ? ns / ms * ms : ns);
}

struct xds_tree xds_policy_list(const struct xds_maker *maker, enum xds_lb_named named,
                                struct xds_tree config)
{
    const char *name = xds_lb_name_in(maker->options, maker->client, named);

    return xds_tree_list(maker->arena, xds_tree_pair(maker->arena, name, config));
}

struct xds_tree xds_cds_policy(const struct xds_maker *maker, struct xds_slice cluster)
{
    return xds_policy_list(
        maker, XDS_NAMED_CDS,
        xds_tree_pair(maker->arena, "cluster", xds_tree_string(cluster)));
}
