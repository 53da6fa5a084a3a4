/*
 * all.c - every resource of a source, judged by one thread or by some.
 *
 * Fails:  with what is reported of files and resources; the others are judged, unless
 * memory runs out or the run is full.
 *
 *   this thread: source -> batch ......................... -> merge -> report, lint
 *   workers:                    \-> decode, rules, lint, places -/
 *
 * One thread reads, and merges in the order of the input; all that depends on that order
 * is decided there. What is copied and not yet merged is bounded, so memory is as well.
 */
#include "check/all.h"

#include <errno.h>
#include <stdlib.h>

#include "base/limits.h"
#include "check/batch.h"
#include "check/workers.h"
#include "source/source.h"

/* Batches on their way: one in work and one waiting for each worker. */
#define BATCHES_PER_JOB 2
/* Findings of the source that wait for their turn, so that the limit of the run is seen
 * even where files hold no resources. */
#define MOST_EARLY XDS_MAX_FINDINGS_PER_RESOURCE

struct run {
    struct xds_check *check;
    struct xds_source *source;
    const struct xds_check_plan *plan;
    xds_check_tell tell;
    void *user;
    enum xds_status result;
    size_t passed; /* bytes, while this thread judges alone */
    bool alone;    /* there will be no workers */
    /* With workers: */
    struct xds_worker_pool *pool;
    void **workers; /* struct xds_check */
    struct xds_batch **batches;
    size_t n_workers, n_batches;
    size_t filled;          /* batches so far; the one that is being filled comes next */
    struct xds_batch *open; /* that one */
    size_t pending;         /* resources that are not merged */
};

/* ---- trouble ---- */

/* Nothing more is read. */
static bool is_over(const struct run *run)
{
    return run->result == XDS_ERR_NO_MEMORY || run->result == XDS_END;
}

static void report_trouble(struct run *run, struct xds_check_trouble trouble)
{
    if (is_over(run))
        return;
    run->result = trouble.status;
    if (run->tell)
        run->tell(run->user, &trouble);
}

static void tell_of_file(struct run *run, enum xds_status status, int error)
{
    const char *path = xds_source_path(run->source);

    report_trouble(run, (struct xds_check_trouble){.status = status,
                                                   .path = xds_slice_of(path),
                                                   .error = error});
}

/* in: NULL when it is about what the source found in the file. */
static void tell_of_resource(void *user, const struct xds_resource *in,
                             enum xds_status status)
{
    struct run *run = user;

    if (!in) {
        tell_of_file(run, status, 0);
        return;
    }
    report_trouble(run, (struct xds_check_trouble){
                            .status = status,
                            .path = xds_report_file(run->check->report, in->at.file),
                            .line = in->at.line,
                        });
}

/* ---- workers ---- */

static void work(void *worker, void *task)
{
    xds_batch_judge(worker, task);
}

static bool make_workers(struct run *run)
{
    struct xds_report *report = run->check->report;
    const size_t n = run->plan->jobs;

    run->workers = calloc(n, sizeof *run->workers);
    run->batches = calloc(n * BATCHES_PER_JOB + 1, sizeof *run->batches);
    if (!run->workers || !run->batches)
        return false;
    for (; run->n_workers < n; run->n_workers++)
        if (!(run->workers[run->n_workers] = xds_check_new_worker(run->check)))
            return false;
    for (; run->n_batches < n * BATCHES_PER_JOB + 1; run->n_batches++)
        if (!(run->batches[run->n_batches] =
                  xds_batch_new(&report->options, run->plan->batch_resources)))
            return false;
    return true;
}

/* What does not start leaves this thread alone, as before. */
static void start_workers(struct run *run)
{
    run->alone = true;
    if (!make_workers(run))
        return;
    run->pool =
        xds_worker_pool_new(run->workers, run->n_workers, run->n_batches - 1, work);
    if (!run->pool)
        return;
    run->alone = false;
    run->open = run->batches[0];
    xds_batch_empty(run->open);
}

/* What the workers have kept of the resources belongs to the check and its report. */
static void end_workers(struct run *run)
{
    xds_worker_pool_free(run->pool);
    for (size_t i = 0; i < run->n_batches; i++)
        xds_batch_free(run->batches[i], run->check->report);
    for (size_t i = 0; i < run->n_workers; i++) {
        struct xds_check *worker = run->workers[i];

        worker->report = worker->lint.report = run->check->report;
        xds_report_adopt_texts(run->check->report, &worker->texts);
        xds_arena_release(&worker->decode);
        worker->next = run->check->next;
        run->check->next = worker;
    }
    free(run->batches);
    free(run->workers);
}

/* ---- batches ---- */

static void merge(struct run *run, struct xds_batch *batch)
{
    if (!is_over(run))
        xds_batch_merge(batch, run->check, tell_of_resource, run);
    run->pending -= batch->n;
}

/* The oldest one on its way; false when there is none. */
static bool merge_oldest(struct run *run)
{
    struct xds_batch *batch = xds_worker_pool_collect(run->pool);

    if (batch)
        merge(run, batch);
    return batch != NULL;
}

/* Hand over the open batch. The ring has one batch more than may be on their way. */
static void submit(struct run *run)
{
    if (xds_worker_pool_load(run->pool) == run->n_batches - 1)
        (void)merge_oldest(run);
    if (run->check->report->n_findings >= XDS_MAX_FINDINGS)
        xds_batch_only_count(run->open);
    xds_worker_pool_submit(run->pool, run->open);
    run->open = run->batches[++run->filled % run->n_batches];
    xds_batch_empty(run->open);
}

/* Everything that was read so far is merged. */
static void settle(struct run *run)
{
    if (!run->pool)
        return;
    if (run->open->n > 0)
        submit(run);
    while (merge_oldest(run))
        ;
    merge(run, run->open);
    xds_batch_empty(run->open);
}

/* ---- one resource ---- */

static void judge_here(struct run *run, const struct xds_resource *in)
{
    if (is_over(run))
        return;
    const enum xds_status status = xds_check_resource(run->check, in);

    if (status != XDS_OK)
        tell_of_resource(run, in, status);
}

/* At a limit of the run the order decides what is reported; and what is large is rare. */
static bool is_for_workers(const struct run *run, size_t bytes)
{
    return bytes <= run->plan->alone_bytes &&
           run->check->report->n_resources + run->pending < XDS_MAX_RESOURCES;
}

static bool is_full(const struct run *run, size_t bytes)
{
    return run->open->n == run->plan->batch_resources ||
           (run->open->n > 0 && run->open->bytes + bytes > run->plan->batch_bytes);
}

static void hand_over(struct run *run, const struct xds_resource *in)
{
    const size_t bytes = xds_resource_size(in);

    if (is_for_workers(run, bytes)) {
        if (is_full(run, bytes))
            submit(run);
        if (xds_batch_add(run->open, in, bytes) == XDS_OK) {
            run->pending++;
            return;
        }
    }
    settle(run);
    judge_here(run, in);
}

static void pass(struct run *run, const struct xds_resource *in)
{
    if (run->pool) {
        hand_over(run, in);
        return;
    }
    judge_here(run, in);
    if (run->alone)
        return;
    run->passed += xds_resource_size(in);
    if (run->passed >= run->plan->serial_bytes)
        start_workers(run);
}

/* ---- the source ---- */

/* While batches are on their way, what the source finds waits for its turn as well. The
 * findings of a resource that are counted are those of the one merged last. */
static enum xds_status read_ahead(struct run *run, struct xds_resource *in)
{
    struct xds_report *report = run->check->report;
    const size_t findings = report->n_findings, of_resource = report->of_resource;

    report->of_resource = 0;
    const enum xds_status status = xds_source_next(run->source, in);
    const int error = errno;

    xds_batch_take_early(run->open, report, findings);
    report->of_resource = of_resource;
    if (run->open->n_early >= MOST_EARLY)
        settle(run);
    errno = error;
    return status;
}

/* False when there is nothing more to read. */
static bool read_one(struct run *run)
{
    struct xds_resource in;
    const enum xds_status status =
        run->pool ? read_ahead(run, &in) : xds_source_next(run->source, &in);
    const int error = errno;

    if (status == XDS_OK) {
        pass(run, &in);
        return !is_over(run);
    }
    settle(run);
    if (status != XDS_END)
        tell_of_file(run, status, error);
    return status == XDS_ERR_IO;
}

enum xds_status xds_check_all_by(struct xds_check *check, struct xds_source *source,
                                 const struct xds_check_plan *plan, xds_check_tell tell,
                                 void *user)
{
    struct run run = {.check = check,
                      .source = source,
                      .plan = plan,
                      .tell = tell,
                      .user = user,
                      .result = XDS_OK,
                      .alone = plan->jobs < 2};

    while (read_one(&run))
        ;
    end_workers(&run);
    return run.result;
}

enum xds_status xds_check_all(struct xds_check *check, struct xds_source *source,
                              unsigned jobs, xds_check_tell tell, void *user)
{
    const struct xds_check_plan plan = {
        .serial_bytes = (size_t)512 << 10,
        .batch_bytes = (size_t)256 << 10,
        .batch_resources = 64,
        .alone_bytes = (size_t)1 << 20,
        .jobs = jobs < XDS_MAX_JOBS ? jobs : XDS_MAX_JOBS,
    };

    return xds_check_all_by(check, source, &plan, tell, user);
}
