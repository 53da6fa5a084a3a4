/*
 * check.h - the walk of one resource through decode, rules and lint.
 *
 * Takes:  resources from source/.
 * Gives:  findings in the report; with keep, the models of the snapshot.
 */
#ifndef XDS_CHECK_CHECK_H
#define XDS_CHECK_CHECK_H

#include "decode/decode.h"
#include "lint/lint.h"
#include "model/snapshot.h"
#include "report/report.h"
#include "rules/readers.h"
#include "rules/unread.h"

/* What a worker leaves for the caller to merge, of one resource. */
struct xds_check_result {
    struct xds_lint_part lint;
    struct xds_snapshot_entry entry; /* with keep; type XDS_TYPE_UNKNOWN: there is none */
};

/* What a resource is, but for its place and for what a dump says of its version. */
struct xds_memo_key {
    uint64_t low, high;
    uint64_t held; /* what a dump says of it */
};

struct xds_check {
    struct xds_report *report;
    bool keep;
    struct xds_arena decode; /* reset per resource */
    struct xds_arena model;  /* reset per resource unless keep */
    struct xds_arena cached; /* of names and messages; never reset */
    struct xds_names names;
    struct xds_regex_cache *regexes;
    struct xds_judges own_judges;
    const struct xds_judges *judges;         /* of a worker: those of whom it works for */
    struct xds_without without[XDS_CLIENTS]; /* of the snapshot */
    struct xds_snapshot snapshot;
    struct xds_lint lint;
    struct xds_unread unread;
    bool failed;   /* for lack of memory: what is cached may be incomplete */
    uint32_t file; /* whose resources are counted */
    uint32_t n_of_type[XDS_TYPE_ENDPOINT + 1];
    struct xds_check_result *result; /* of a worker: of the resource in work; else NULL */
    struct xds_texts texts;          /* of a worker: of all that it finds */
    struct xds_check *next;          /* the workers, for the sake of what they keep */
    struct xds_store *store;         /* of what was judged before, see memo.h; or NULL */
    size_t largest;                  /* text of a resource that is kept there */
    struct xds_check *const *others; /* the workers that are the store's, or NULL */
};

/* Is a resource in use by the client that the input tells of, the first one of several?
 * True of what is in no dump. */
static inline bool xds_check_uses(const struct xds_held *held)
{
    return !held || (!held->is_rejected && !held->is_absent && held->client <= 1);
}

/* A check that works for another one on a part of its report; NULL when there is no
 * memory. */
struct xds_check *xds_check_new_worker(const struct xds_check *check);

/* The number of the next resource among those of its response type. In input order. */
uint32_t xds_check_next_index(struct xds_check *check, const struct xds_resource *in);

/* The status, unless memory was missing for a regex, also one that a worker has read, or
 * before: what was found is worth nothing then. */
enum xds_status xds_check_status(const struct xds_check *check, enum xds_status status);

/* The checks across the resources so far, which are forgotten then: what follows is
 * another snapshot. */
enum xds_status xds_check_end_snapshot(struct xds_check *check);

/* All resources so far, their findings included; the memory stays for reuse. */
void xds_check_forget(struct xds_check *check);

/* What the resources that follow are judged by. */
void xds_check_set_options(struct xds_check *check, const struct xds_options *options);

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
