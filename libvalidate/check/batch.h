/*
 * batch.h - some resources that follow each other, to be judged apart and merged in
 * order.
 *
 * A batch goes round: who reads the source fills it, a worker judges it, and who reads
 * merges what came out. It has a part of the report, whose texts stay until the end.
 */
#ifndef XDS_CHECK_BATCH_H
#define XDS_CHECK_BATCH_H

#include "check/check.h"

/* A resource, and how far the arrays of the batch and of its part go with it. */
struct xds_batch_item {
    struct xds_resource in;
    size_t n_early; /* findings of the source in front of it */
    /* Once it is judged: */
    enum xds_status status;
    struct xds_check_result result;
    size_t resource, findings, repeats; /* of the part: the first ones of this item ... */
    size_t end_findings, end_repeats;   /* ... and the first ones after it */
    size_t of_resource;
};

struct xds_batch {
    struct xds_arena texts; /* of the copies; reset for the next round */
    struct xds_arena names; /* that resources have and refer to; the same */
    struct xds_report *part;
    struct xds_batch_item *items;
    size_t n, most; /* items */
    size_t bytes;
    struct xds_finding *early; /* what the source found while it read */
    size_t n_early, cap_early;
};

/* NULL when there is no memory. */
struct xds_batch *xds_batch_new(const struct xds_options *options, size_t most);
/* report: takes over the texts of all that was merged. */
void xds_batch_free(struct xds_batch *batch, struct xds_report *report);
/* Nothing in it. */
void xds_batch_empty(struct xds_batch *batch);

/* ---- filling ---- */

/* A copy of the resource; XDS_ERR_NO_MEMORY: it is not in the batch. */
enum xds_status xds_batch_add(struct xds_batch *batch, const struct xds_resource *in,
                              size_t bytes) XDS_MUST_USE;
/* Move the findings from `first` on out of the report, to come in front of the next
 * resource. Without memory they stay. */
void xds_batch_take_early(struct xds_batch *batch, struct xds_report *report,
                          size_t first);

/* ---- judging and merging ---- */

/* The report is full already. */
void xds_batch_only_count(struct xds_batch *batch);
/* worker: a check of its own with the same options. */
void xds_batch_judge(struct xds_check *worker, struct xds_batch *batch);

/* What to do about a resource that could not be judged, or, with NULL, about what the
 * source found after the last one. The rest is not merged. */
typedef void (*xds_batch_trouble)(void *user, const struct xds_resource *in,
                                  enum xds_status status);
/* Put everything into the check, as if its resources had come there one by one. */
void xds_batch_merge(struct xds_batch *batch, struct xds_check *check,
                     xds_batch_trouble trouble, void *user);

#endif
