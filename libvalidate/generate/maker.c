/*
 * maker.c - names, notes and the smallest pieces of generated configs.
 *
 * Source: spec routing 14.7, G-b, spec cluster 5.2 to 5.4.
 */
#include "generate/config.h"

#define CORE                                                                             \
    {                                                                                    \
        .manager_children = "children", .manager_child = "childPolicy",                  \
        .child_policy = "childPolicy", .cluster_name = "clusterName",                    \
        .ignore_reresolution = "ignore_reresolution_requests",                           \
        .drop_share = "requests_per_million"                                             \
    }

static const struct xds_dialect dialects[XDS_CLIENTS] = {
    [XDS_CLIENT_GRFC] = CORE,
    [XDS_CLIENT_CORE] = CORE,
    [XDS_CLIENT_GO] = {.manager_children = "children",
                       .manager_child = "childPolicy",
                       .child_policy = "childPolicy",
                       .cluster_name = "cluster",
                       .ignore_reresolution = "ignoreReresolutionRequests",
                       .drop_share = "requestsPerMillion",
                       .written = XDS_WRITES_NONZERO},
    [XDS_CLIENT_JAVA] = {.manager_children = "childPolicy",
                         .manager_child = "lbPolicy",
                         .child_policy = "childPolicy",
                         .cluster_name = "cluster",
                         .ignore_reresolution = "ignoreReresolutionRequests",
                         .drop_share = "requests_per_million",
                         .written = XDS_WRITES_SET,
                         .outlier_if_set = true},
    [XDS_CLIENT_NODE] = {.manager_children = "children",
                         .manager_child = "child_policy",
                         .bare_clusters = true,
                         .child_policy = "child_policy",
                         .cluster_name = "cluster",
                         .ignore_reresolution = "ignore_reresolution_requests",
                         .drop_share = "requests_per_million",
                         .written = XDS_WRITES_ALL,
                         .always_reresolution = true,
                         .snake_case = true},
};

const struct xds_dialect *xds_dialect_of(enum xds_client client)
{
    return &dialects[xds_client_as(client)];
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
    const char *name = xds_name_in(maker->client, named);

    return xds_tree_list(maker->arena, xds_tree_pair(maker->arena, name, config));
}

struct xds_tree xds_cds_policy(const struct xds_maker *maker, struct xds_slice cluster)
{
    return xds_policy_list(
        maker, XDS_NAMED_CDS,
        xds_tree_pair(maker->arena, "cluster", xds_tree_string(cluster)));
}
