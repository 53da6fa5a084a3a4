/* simulate.h - scenarios: LB policies and channels over virtual time. */
#ifndef XDSCOPE_SIMULATE_H
#define XDSCOPE_SIMULATE_H

#include "options.h"

/* Plays scenarios, see xdscope-scenario(5): LB policies and channels over virtual time.
 * Nothing waits, and random numbers are those of the scenario. */
struct xds_simulation;

struct xds_simulation_summary {
    size_t scenarios, failed; /* failed: with a fault or a mismatch */
    size_t unread; /* of the failed: whose text or snapshot cannot be read, or whose
                      snapshot holds nothing */
    size_t steps, expectations, mismatches;
};

/* options are copied; their clients are those of the scenarios. client NULL: the one
 * that a scenario names, else core. What options and client set goes before what a
 * scenario sets. NULL when there is no memory. */
XDS_API struct xds_simulation *xds_simulation_new(const struct xds_options *options,
                                                  const enum xds_client *client);
XDS_API void xds_simulation_free(struct xds_simulation *simulation);
/* A file, or "-" for standard input; JSON or YAML, with one scenario or several. The path
 * is copied. XDS_ERR_IO with errno set when it cannot be read; it is not added then. */
XDS_API XDS_MUST_USE enum xds_status xds_simulation_add(struct xds_simulation *simulation,
                                                        const char *path);
/* Bytes in memory under a name; they must outlive the simulation. Their scenarios read no
 * files. */
XDS_API XDS_MUST_USE enum xds_status
xds_simulation_add_bytes(struct xds_simulation *simulation, const char *name,
                         struct xds_slice bytes);
/* A snapshot in memory, in place of those that scenarios name; bytes and name must
 * outlive the simulation. */
XDS_API void xds_simulation_set_snapshot(struct xds_simulation *simulation,
                                         const char *name, struct xds_slice bytes);
/* Counts of what was played: xds_print_simulation_* plays. */
XDS_API struct xds_simulation_summary
xds_simulation_summary(const struct xds_simulation *simulation);
/* The first file whose reading failed while it was played, with errno set; or NULL. */
XDS_API const char *xds_simulation_unread(const struct xds_simulation *simulation);

#endif
