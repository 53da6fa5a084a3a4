/* snapshot.h - the snapshot of a file of tests, and what clients make of it. */
#ifndef XDS_SUITE_SNAPSHOT_H
#define XDS_SUITE_SNAPSHOT_H

#include "suite/suite.h"

/* Read the snapshot that the head names. False when something cannot be read:
 * suite->file->unread says so then. */
bool xds_suite_read_snapshot(struct xds_suite *suite);
/* The snapshot as a client at a release reads it, or as its newest; NULL when it cannot
 * be read again, as above, or suite->status says why. */
struct xds_suite_snapshot *xds_suite_snapshot(struct xds_suite *suite,
                                              struct xds_client_release reader);
/* The explainer of a client that reads it; NULL when there is no memory. */
struct xds_explainer *xds_suite_explainer(struct xds_suite *suite,
                                          struct xds_suite_snapshot *snapshot,
                                          enum xds_client client);
/* List the resources that the clients of the cases reject in suite->file. */
void xds_suite_list_rejected(struct xds_suite *suite);
void xds_suite_end_snapshots(struct xds_suite *suite);

#endif
