/*
 * child_names.c - the name of a cluster's priority by its number, as each client spells
 *                 it.
 *
 * Source: spec routing 7.8, spec cluster 5.4.
 */
#include "config/child_names.h"

#include <inttypes.h>

struct xds_slice xds_child_name(const struct xds_maker *maker,
                                const struct xds_cluster *cluster, size_t mechanism,
                                uint64_t number)
{
    struct xds_arena *arena = maker->arena;

    switch (maker->dialect->child_names) {
    case XDS_CHILD_IN_BRACES:
        break;
    case XDS_CHILD_OF_MECHANISM:
        return cluster->kind == XDS_CLUSTER_LOGICAL_DNS
                   ? xds_arena_printf(arena, "priority-%zu", mechanism)
                   : xds_arena_printf(arena, "priority-%zu-%" PRIu64, mechanism, number);
    case XDS_CHILD_IN_BRACKETS:
        return xds_arena_printf(arena, "%.*s[child%" PRIu64 "]", XDS_FMT(cluster->name),
                                number);
    case XDS_CHILD_BARE:
        return xds_arena_printf(arena, "cluster=%.*s, child_number=%" PRIu64,
                                XDS_FMT(cluster->name), number);
    }
    return xds_arena_printf(arena, "{cluster=%.*s, child_number=%" PRIu64 "}",
                            XDS_FMT(cluster->name), number);
}
