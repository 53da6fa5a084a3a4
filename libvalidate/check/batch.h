/*
 * batch.h - some resources that follow each other, judged apart and merged in order.
 *
 * Who reads the source fills a batch, a worker judges it, and who reads merges what came
 * out: as if its resources had come to the check one by one. It has a part of the report.
 *
 * What a worker cannot know is left to the merge: numbers, what was reported before,
 * names that were defined before. Where that could change more than this - a limit was
 * reached, memory ran out - the resource is judged again, there and then.
 */
#ifndef XDS_CHECK_BATCH_H
#define XDS_CHECK_BATCH_H

#include "check/check.h"

/* A resource, and how far the arrays of the batch and of its part go with it. */
struct xds_batch_item {
    struct xds_resource in;
    size_t n_early; /* findings of the source in front of it */
    struct xds_memo_key key;
    const struct xds_batch_item *known; /* the same, judged before; or NULL */
    /* Once it is judged: */
    enum xds_status status;
    struct xds_check_result result;
    const struct xds_report *part;      /* that holds this: */
    size_t resource, findings, repeats; /* the first ones of this item ... */
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
    bool has_new;              /* an item that was not judged before */
    struct xds_finding *early; /* what the source found while it read */
    size_t n_early, cap_early;
    struct xds_batch *next; /* of those that a memo keeps */
};

/* For so many items; NULL when there is no memory. */
struct xds_batch *xds_batch_new(const struct xds_options *options, size_t most);
/* The report, which may be NULL, takes over the texts of all that was merged. */
void xds_batch_free(struct xds_batch *batch, struct xds_report *report);
/* Nothing in it. */
void xds_batch_empty(struct xds_batch *batch);
/* Only what a memo keeps: no text of the input. */
void xds_batch_strip(struct xds_batch *batch);

/* Add a copy of a resource; of one that is known without its text. */
enum xds_status xds_batch_add(struct xds_batch *batch, const struct xds_resource *in,
                              struct xds_memo_key key,
                              const struct xds_batch_item *known);
/* Move the findings from `first` on out of the report, to come in front of the next
 * resource. Without memory they stay. */
void xds_batch_take_early(struct xds_batch *batch, struct xds_report *report,
                          size_t first);

/* worker: a check of its own with the same options; task: a batch. */
void xds_batch_judge(void *worker, void *task);

/* What to do about a resource that could not be judged, or, with NULL, about what the
 * source found after the last one. The rest is not merged. */
typedef void (*xds_batch_trouble)(void *user, const struct xds_resource *in,
                                  enum xds_status status);
/* Put everything into the check, as if its resources had come there one by one. */
void xds_batch_merge(struct xds_batch *batch, struct xds_check *check,
                     xds_batch_trouble trouble, void *user);

/* Does all of it have room, with a finding about its name, or nothing? Then no limit has
 * changed what the worker found, and none will. n_findings: those that are in front. */
static inline bool xds_batch_is_plain(const struct xds_batch_item *item,
                                      size_t n_findings)
{
    return item->status == XDS_OK && item->of_resource < XDS_MAX_FINDINGS_PER_RESOURCE &&
           (n_findings + item->of_resource < XDS_MAX_FINDINGS ||
            n_findings >= XDS_MAX_FINDINGS);
}

#endif
