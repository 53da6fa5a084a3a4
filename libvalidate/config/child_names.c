/*
 * child_names.c - the name of a cluster's priority by its number, as each client spells
 *                 it.
 *
 * Takes:  the cluster and the number.
 * Gives:  the name, in the maker's arena.
 * Source: spec routing 7.8, spec cluster 5.4.
 */
#include "config/child_names.h"

#include <inttypes.h>

struct xds_slice xds_child_name(const struct xds_maker *maker,
                                const struct xds_cluster *cluster, size_t mechanism,
                                uint64_t number)
{
    struct xds_arena *arena = maker->arena;

    switch (maker->client) {
    case XDS_CLIENT_GRFC:
    case XDS_CLIENT_CORE:
        break;
    case XDS_CLIENT_GO:
        return cluster->kind == XDS_CLUSTER_LOGICAL_DNS
                   ? xds_arena_printf(arena, "priority-%zu", mechanism)
                   : xds_arena_printf(arena, "priority-%zu-%" PRIu64, mechanism, number);
    case XDS_CLIENT_JAVA:
        return xds_arena_printf(arena, "%.*s[child%" PRIu64 "]", XDS_FMT(cluster->name),
                                number);
    case XDS_CLIENT_NODE:
        return xds_arena_printf(arena, "cluster=%.*s, child_number=%" PRIu64,
                                XDS_FMT(cluster->name), number);
    case XDS_CLIENTS:
        break;
    }
    return xds_arena_printf(arena, "{cluster=%.*s, child_number=%" PRIu64 "}",
                            XDS_FMT(cluster->name), number);
}
