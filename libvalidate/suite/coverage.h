/*
 * coverage.h - which routes and weighted targets the RPCs of the cases have taken.
 *
 * A route is covered by an RPC that certainly takes it. A weighted target is covered by
 * an RPC that certainly goes to it - by its random numbers, by its cookie, or because
 * there is only this one - and by an RPC that may go to it, in a case that expects this
 * cluster.
 */
#ifndef XDS_SUITE_COVERAGE_H
#define XDS_SUITE_COVERAGE_H

#include "base/strmap.h"
#include "explain/decision.h"
#include "model/snapshot.h"

/* The route configurations of one snapshot, for all files of tests that read it. */
struct xds_coverage_table {
    struct xds_coverage told;
    struct xds_covered_config **configs; /* those of `told` */
};

/* The same while the snapshot is in memory. */
struct xds_coverage_map {
    struct xds_arena *run_arena;
    struct xds_coverage_table *table;
    struct xds_strmap by_model; /* struct xds_covered_config */
};

/* Note the route configuration of a resource that was just read, if it has one. */
void xds_coverage_add(struct xds_coverage_map *map, const struct xds_resource *in,
                      const struct xds_snapshot_entry *entry, struct xds_slice file,
                      struct xds_arena *scratch);
/* The routes that this client uses count from now on. */
void xds_coverage_use(struct xds_coverage_map *map, const struct xds_snapshot *snapshot,
                      enum xds_client client);
/* An RPC of a case, which lasts, and what the case expects. */
void xds_coverage_mark(struct xds_coverage_map *map, const struct xds_decision *d,
                       const struct xds_tree *expect, const struct xds_covering_case *by);
/* Count what is covered. */
void xds_coverage_sum(struct xds_coverage *coverage);

#endif
