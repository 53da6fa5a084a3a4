/* all.h - the measures of xds_check_all(), which tests make small. */
#ifndef XDS_CHECK_ALL_H
#define XDS_CHECK_ALL_H

#include "check/check.h"

struct xds_check_plan {
    size_t serial_bytes;    /* that pass before a thread is worth its start */
    size_t batch_bytes;     /* of a batch; one resource alone may be larger */
    size_t batch_resources; /* at most, in a batch */
    size_t alone_bytes;     /* a larger resource is not copied for a worker */
    unsigned jobs;          /* threads that judge; 0 and 1: the calling one */
};

enum xds_status xds_check_all_by(struct xds_check *check, struct xds_source *source,
                                 const struct xds_check_plan *plan, xds_check_tell tell,
                                 void *user);

#endif
