/* head.h - what a file of tests says beside its cases. */
#ifndef XDS_SUITE_HEAD_H
#define XDS_SUITE_HEAD_H

#include "suite/suite.h"

/* Read the members of the file into suite->head. False after a fault, and when the file
 * of its bootstrap cannot be read: suite->file->unread says so then. */
bool xds_suite_read_head(struct xds_suite *suite, const struct xds_tree *members);
/* The path of a file that is named in the one in work. */
struct xds_slice xds_suite_path(struct xds_suite *suite, struct xds_slice name);

/* The client and release that a value names, NULL: C-core; but a client of the settings
 * goes before it. False after a fault. */
bool xds_suite_read_client(struct xds_suite *suite, const struct xds_tree *value,
                           struct xds_client_release *out);

#endif
