/*
 * checks.c - the lists of checks, and who is shown to them.
 *
 * Takes:  the model of one resource, or the graph of all.
 * Gives:  whatever the checks of the lists report, in their order.
 */
#include "lint/checks.h"

#include "lint/places.h"

static xds_graph_check *const of_graph[] = {
    xds_check_dangling,
    xds_check_unused,
};

void xds_checks_of_resource(const struct xds_inspection *in,
                            const struct xds_snapshot_entry *entry)
{
    (void)in;
    (void)entry;
}

void xds_checks_of_graph(struct xds_inspection *in, const struct xds_graph *graph)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(of_graph); i++)
        of_graph[i](in, graph);
}
