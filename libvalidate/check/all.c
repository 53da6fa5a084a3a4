/*
 * all.c - every resource of a source, judged by one thread or by some; or of a line.
 *
 * Fails:  with what is reported of files and resources; the others are judged, unless
 * memory runs out or the run is full.
 *
 *   this thread: source -> batch ......................... -> merge -> report, lint
 *   workers:                    \-> decode, rules, lint, places -/
 *
 * One thread reads, and merges in the order of the input; all that depends on that order
 * is decided there. What is copied and not yet merged is bounded, so memory is as well.
 * With a memo everything goes by batches, which this thread judges while there are no
 * workers: what is judged is kept in them.
 */
#include "check/memo.h"

#include <errno.h>
#include <stdlib.h>

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
    size_t passed;   /* bytes, while this thread judges alone */
    bool alone;      /* there will be no workers */
    bool any;        /* a resource was judged */
    uint32_t file;   /* of that one */
    uint32_t config; /* ClientConfig of a dump, of that one */
    /* With workers: */
    struct xds_worker_pool *pool;
    void **workers; /* struct xds_check */
    struct xds_batch **batches;
    size_t n_workers, n_batches;
    size_t filled;          /* batches so far; the one that is being filled comes next */
    struct xds_batch *open; /* that one */
    size_t pending;         /* resources that are not merged */
    size_t most_pending;    /* findings that these have at most */
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

static struct xds_check *new_worker(const struct run *run)
{
    return run->check->store ? xds_store_worker(run->check->store, run->check)
                             : xds_check_new_worker(run->check);
}

static bool make_workers(struct run *run, size_t n)
{
    const struct xds_options *options = &run->check->report->options;
    const size_t n_batches = n * BATCHES_PER_JOB + 1;

    run->n_workers = run->n_batches = 0;
    run->workers = calloc(n, sizeof *run->workers);
    run->batches = calloc(n_batches, sizeof(struct xds_batch *));
    if (!run->workers || !run->batches)
        return false;
    for (; run->n_workers < n; run->n_workers++)
        if (!(run->workers[run->n_workers] = new_worker(run)))
            return false;
    for (; run->n_batches < n_batches; run->n_batches++)
        if (!(run->batches[run->n_batches] =
                  xds_batch_new(options, run->plan->batch_resources)))
            return false;
    return true;
}

static void open_next(struct run *run)
{
    run->open = run->batches[run->filled % run->n_batches];
    xds_batch_empty(run->open);
}

/* What the workers have kept of the resources belongs to the check and its report, or to
 * the memo. */
static void end_workers(struct run *run)
{
    struct xds_report *report = run->check->report;

    xds_worker_pool_free(run->pool);
    run->pool = NULL;
    for (size_t i = 0; i < run->n_batches; i++)
        xds_batch_free(run->batches[i], run->check->store ? NULL : report);
    for (size_t i = 0; i < run->n_workers; i++) {
        struct xds_check *worker = run->workers[i];

        worker->report = worker->lint.report = report;
        if (run->check->store) {
            xds_store_give_back(run->check->store, worker);
            continue;
        }
        xds_report_adopt_texts(report, &worker->texts);
        xds_arena_release(&worker->decode);
        worker->next = run->check->next;
        run->check->next = worker;
    }
    free(run->batches);
    free(run->workers);
    run->batches = NULL;
    run->workers = NULL;
    run->open = NULL;
    run->n_batches = run->n_workers = 0;
}

/* ---- merging and handing over ---- */

/* A batch that the memo keeps makes room for another one. */
static void keep_batch(struct run *run, size_t slot)
{
    struct xds_batch *batch = run->batches[slot];

    if (!run->check->store || !batch->has_new || batch->part->part.only_counts ||
        is_over(run))
        return;
    struct xds_batch *fresh =
        xds_batch_new(&run->check->report->options, run->plan->batch_resources);

    if (!fresh)
        return;
    xds_store_keep(run->check->store, batch);
    run->batches[slot] = fresh;
}

static void merge_next(struct run *run, size_t slot)
{
    struct xds_batch *batch = run->batches[slot];

    if (!is_over(run))
        xds_batch_merge(batch, run->check, tell_of_resource, run);
    run->pending -= batch->n;
    if (run->pending == 0)
        run->most_pending = 0;
    keep_batch(run, slot);
}

/* The oldest one on its way; false when there is none. */
static bool merge_oldest(struct run *run)
{
    const size_t load = xds_worker_pool_load(run->pool);

    if (!xds_worker_pool_collect(run->pool))
        return false;
    merge_next(run, (run->filled - load) % run->n_batches);
    return true;
}

/* Hand over the open batch, or judge it. The ring has one batch more than may be on their
 * way. */
static void submit(struct run *run)
{
    if (run->pool && xds_worker_pool_load(run->pool) == run->n_batches - 1)
        (void)merge_oldest(run);
    if (run->check->report->n_findings >= XDS_MAX_FINDINGS) {
        /* What has no room in the report needs no texts and no place. */
        run->open->part->part.only_counts = true;
    }
    if (run->pool) {
        xds_worker_pool_submit(run->pool, run->open);
    } else {
        xds_batch_judge(run->workers[0], run->open);
        merge_next(run, run->filled % run->n_batches);
    }
    run->filled++;
    open_next(run);
}

/* Everything that was read so far is merged. */
static void settle(struct run *run)
{
    if (!run->open)
        return;
    if (run->open->n > 0)
        submit(run);
    while (run->pool && merge_oldest(run))
        ;
    /* What the source found since then. */
    merge_next(run, run->filled % run->n_batches);
    xds_batch_empty(run->open);
}

/* What does not start leaves this thread alone, as before. */
static void start_workers(struct run *run)
{
    const size_t n = run->plan->jobs;

    run->alone = true;
    settle(run);
    end_workers(run); /* that of this thread, where there is a memo */
    if (!make_workers(run, n))
        return;
    run->pool = xds_worker_pool_new(run->workers, run->n_workers, run->n_batches - 1,
                                    xds_batch_judge);
    if (!run->pool)
        return;
    run->alone = false;
    open_next(run);
}

/* ---- one resource ---- */

/* The path of the folder that a file is in. */
static struct xds_slice folder_of(const struct xds_report *report, uint32_t file)
{
    struct xds_slice path = xds_report_file(report, file);

    while (path.len > 0 && path.data[path.len - 1] != '/')
        path.len--;
    return path;
}

/* Each xDS client of a dump has a snapshot of its own; what is in no dump is one with
 * what the first one has. */
static bool is_of_another_client(const struct run *run, const struct xds_resource *in)
{
    const uint32_t config = in->held ? in->held->config : 0;

    return config != run->config && (config > 1 || run->config > 1);
}

/* Where each folder is a snapshot, the next one begins with its first resource. */
static void begin_snapshot(struct run *run, const struct xds_resource *in)
{
    const struct xds_report *report = run->check->report;
    const bool is_new =
        run->any &&
        (is_of_another_client(run, in) ||
         (report->options.each &&
          !xds_slice_eq(folder_of(report, in->at.file), folder_of(report, run->file))));

    if (is_new && xds_check_end_snapshot(run->check) != XDS_OK)
        tell_of_resource(run, in, XDS_ERR_NO_MEMORY);
    run->any = true;
    run->file = in->at.file;
    run->config = in->held ? in->held->config : 0;
}

static void judge_here(struct run *run, const struct xds_resource *in)
{
    begin_snapshot(run, in);
    if (is_over(run))
        return;
    const enum xds_status status = xds_check_resource(run->check, in);

    if (status != XDS_OK)
        tell_of_resource(run, in, status);
}

/* Add it to the open batch. key, known: as those of struct xds_batch_item. False when
 * there is no memory for that. */
static bool put_in_batch(struct run *run, const struct xds_resource *in,
                         struct xds_memo_key key, const struct xds_batch_item *known)
{
    const size_t bytes = known ? 0 : xds_resource_size(in);

    if (run->open->n == run->plan->batch_resources ||
        (run->open->n > 0 && run->open->bytes + bytes > run->plan->batch_bytes))
        submit(run);
    run->open->bytes += bytes;
    if (xds_batch_add(run->open, in, key, known) != XDS_OK)
        return false;
    run->any = true;
    run->pending++;
    run->most_pending += known ? known->of_resource : XDS_MAX_FINDINGS_PER_RESOURCE;
    return true;
}

static void hand_over(struct run *run, const struct xds_resource *in,
                      struct xds_memo_key key)
{
    const size_t size = run->pool ? xds_resource_size(in) : 0;

    /* At a limit of the run the order decides what is reported; and what is large is
     * rare. */
    if (size <= run->plan->alone_bytes && !is_of_another_client(run, in) &&
        run->check->report->n_resources + run->pending < XDS_MAX_RESOURCES &&
        put_in_batch(run, in, key, NULL))
        return;
    settle(run);
    judge_here(run, in);
}

/* As it was judged before. False where a limit may be reached that was not then. */
static bool recall(struct run *run, const struct xds_resource *in,
                   struct xds_memo_key key)
{
    const struct xds_report *report = run->check->report;
    const struct xds_batch_item *known = xds_store_find(run->check->store, in, key);

    if (!known || is_of_another_client(run, in))
        return false;
    if (!xds_batch_is_plain(known, report->n_findings + run->most_pending))
        settle(run);
    return xds_batch_is_plain(known, report->n_findings + run->most_pending) &&
           report->n_resources + run->pending < XDS_MAX_RESOURCES &&
           put_in_batch(run, in, key, known);
}

/* This thread judges batches, so that they can be kept. */
static bool has_batch(struct run *run)
{
    if (run->open)
        return true;
    if (make_workers(run, 1))
        open_next(run);
    else
        end_workers(run);
    return run->open;
}

/* False where the memo knew it. */
static bool pass_remembering(struct run *run, const struct xds_resource *in)
{
    if (xds_resource_size(in) > run->check->largest || !has_batch(run)) {
        settle(run);
        judge_here(run, in);
        return true;
    }
    const struct xds_memo_key key = xds_memo_key(run->check->store, in);

    if (recall(run, in, key))
        return false;
    hand_over(run, in, key);
    return true;
}

static void pass(struct run *run, const struct xds_resource *in)
{
    static const struct xds_memo_key none = {0, 0, 0};

    if (run->check->store) {
        if (!pass_remembering(run, in))
            return;
    } else if (run->pool) {
        hand_over(run, in, none);
    } else {
        judge_here(run, in);
    }
    if (run->alone || run->pool)
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
        run->open ? read_ahead(run, &in) : xds_source_next(run->source, &in);
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
        .jobs = check->report->options.each ? 1
                : jobs < XDS_MAX_JOBS       ? jobs
                                            : XDS_MAX_JOBS,
    };

    return xds_check_all_by(check, source, &plan, tell, user);
}

/* ---- one line after the other ----
 *
 * What one line needed is used again for the next one: memory is that of the largest
 * line, however many there are. What is kept for speed is invisible outside: names of
 * fields, which are few, and regexes, up to a limit.
 */

static enum xds_status lacks_memory(const struct xds_line *line, xds_check_tell tell,
                                    void *user)
{
    const struct xds_check_trouble trouble = {.status = XDS_ERR_NO_MEMORY,
                                              .path = xds_slice_of(line->file)};

    if (tell)
        tell(user, &trouble);
    return XDS_ERR_NO_MEMORY;
}

void xds_check_forget(struct xds_check *check)
{
    xds_report_reset(check->report);
    xds_lint_reset(&check->lint);
    memset(check->n_of_type, 0, sizeof check->n_of_type);
}

enum xds_status xds_check_line(struct xds_check *check, struct xds_source *source,
                               const struct xds_line *line, xds_check_tell tell,
                               void *user)
{
    xds_check_forget(check);
    check->report->is_line = true;
    if (xds_source_restart(source, line) != XDS_OK)
        return lacks_memory(line, tell, user);
    const enum xds_status status = xds_check_all(check, source, 1, tell, user);

    if (status == XDS_ERR_NO_MEMORY)
        return status;
    if (xds_check_finish(check, source) != XDS_OK)
        return lacks_memory(line, tell, user);
    xds_report_sort(check->report);
    return status;
}
