/* diff.h - what changes for whom between two snapshots, or between two readers of one. */
#ifndef XDSCOPE_DIFF_H
#define XDSCOPE_DIFF_H

#include "explain.h"

/* One of the two snapshots, or one of two readers of the same snapshot. */
struct xds_diff_side {
    struct xds_check *check;         /* made with keep, has seen all resources */
    const struct xds_report *report; /* of the check */
    /* A fresh source over the same input, which tells its faults to `report`. Called
     * several times; the comparison frees it. NULL when it cannot be opened. */
    struct xds_source *(*open)(void *user, struct xds_report *report);
    void *user;
    enum xds_client client;   /* whose RPCs are compared; its release is in the options of
                                 the report */
    struct xds_slice operand; /* of the new side: what its commands to paste end with, a
                                 file or a folder; borrowed; absent: nothing */
    const struct xds_source *source; /* that the check has read to its end: of files only
                                        the resources that changed are read again; or
                                        NULL */
};

struct xds_diff;

/* The sides are copied, what they point to is borrowed. NULL when there is no memory. */
XDS_API struct xds_diff *xds_diff_new(const struct xds_diff_side *old,
                                      const struct xds_diff_side *now);
XDS_API void xds_diff_free(struct xds_diff *diff);
/* What was added, removed and changed, field by field, and who would reject it. Messages
 * are decoded one at a time once more, and those that changed side by side. XDS_ERR_IO
 * when the input cannot be read again or is another one by now. */
XDS_API XDS_MUST_USE enum xds_status xds_diff_resources(struct xds_diff *diff);
/* Another client compares the same sides: what is printed leaves out the resources and
 * verdicts, which the first comparison has. Before all others. */
XDS_API void xds_diff_again(struct xds_diff *diff);
/* Instead of xds_diff_resources(): both sides are the same input, read by two clients or
 * releases. Compares their verdicts on each resource and, for two releases of one client,
 * the LB policies of each cluster. */
XDS_API XDS_MUST_USE enum xds_status xds_diff_readers(struct xds_diff *diff);
/* After xds_diff_readers(): what lint warns of for one of the two and not for the other.
 * The reports are of checks of the same input that keep nothing, and outlive diff. */
XDS_API XDS_MUST_USE enum xds_status xds_diff_warnings(struct xds_diff *diff,
                                                       const struct xds_report *old,
                                                       const struct xds_report *now);
/* Compare what becomes of one RPC, and of the session cookies that it may carry.
 * XDS_ERR_USAGE when it names no target and a snapshot has several listeners. */
XDS_API XDS_MUST_USE enum xds_status xds_diff_request(struct xds_diff *diff,
                                                      const struct xds_request *request);
/* The same for an RPC to every route of both sides; route_config: only from there, as if
 * an API listener named it, or absent. */
XDS_API XDS_MUST_USE enum xds_status xds_diff_derive(struct xds_diff *diff,
                                                     struct xds_slice route_config);
/* Has any difference been found? */
XDS_API bool xds_diff_found(const struct xds_diff *diff);

#endif
