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
 */
#include "check/check.h"

#include <errno.h>
#include <stdlib.h>

#include "check/workers.h"
#include "source/source.h"

/* ---- batches ----
 *
 * Some resources that follow each other, judged apart and merged in order. A batch goes
 * round: who reads the source fills it, a worker judges it, and who reads merges what
 * came out. It has a part of the report, whose texts stay until the end.
 */

/* A resource, and how far the arrays of the batch and of its part go with it. */
struct batch_item {
    struct xds_resource in;
    size_t n_early; /* findings of the source in front of it */
    /* Once it is judged: */
    enum xds_status status;
    struct xds_check_result result;
    size_t resource, findings, repeats; /* of the part: the first ones of this item ... */
    size_t end_findings, end_repeats;   /* ... and the first ones after it */
    size_t of_resource;
};

struct batch {
    struct xds_arena texts; /* of the copies; reset for the next round */
    struct xds_arena names; /* that resources have and refer to; the same */
    struct xds_report *part;
    struct batch_item *items;
    size_t n, most; /* items */
    size_t bytes;
    struct xds_finding *early; /* what the source found while it read */
    size_t n_early, cap_early;
};

/* What to do about a resource that could not be judged, or, with NULL, about what the
 * source found after the last one. The rest is not merged. */
typedef void (*batch_trouble)(void *user, const struct xds_resource *in,
                              enum xds_status status);

/* What a worker cannot know is left to the merge: numbers, what was reported before,
 * names that were defined before. Where that could change more than this - a limit was
 * reached, memory ran out - the resource is judged again, there and then. */

/* Nothing in it. */
static void batch_empty(struct batch *batch)
{
    xds_arena_reset(&batch->texts);
    xds_arena_reset(&batch->names);
    xds_report_begin_part(batch->part);
    batch->n = batch->bytes = 0;
    batch->early = NULL;
    batch->n_early = batch->cap_early = 0;
}

/* False when there is no memory; to be released all the same. */
static bool batch_init(struct batch *batch, const struct xds_options *options,
                       struct batch_item *items, size_t most)
{
    xds_arena_init(&batch->texts, 0);
    xds_arena_init(&batch->names, 0);
    batch->most = most;
    batch->items = items;
    batch->part = xds_report_new(options);
    return batch->part;
}

/* ---- filling ---- */

struct filling {
    struct batch *batch;
    const struct xds_resource *in;
    const struct xds_finding *findings;
    size_t n;
};

static void copy_resource(void *arg)
{
    const struct filling *filling = arg;
    struct batch *batch = filling->batch;
    struct batch_item *item = &batch->items[batch->n];

    *item = (struct batch_item){.n_early = batch->n_early};
    xds_resource_copy(&batch->texts, filling->in, &item->in);
    batch->n++;
}

static enum xds_status fill(struct filling *filling, void (*body)(void *))
{
    struct xds_arena *const arenas[] = {&filling->batch->texts};

    return xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), body, filling);
}

static void copy_findings(void *arg)
{
    const struct filling *filling = arg;
    struct batch *batch = filling->batch;
    const size_t n = batch->n_early + filling->n;
    struct xds_finding *all = batch->early;

    if (n > batch->cap_early) {
        all = XDS_NEW_ARRAY(&batch->texts, struct xds_finding, n * 2);
        if (batch->n_early > 0)
            memcpy(all, batch->early, batch->n_early * sizeof *all);
        batch->early = all;
        batch->cap_early = n * 2;
    }
    memcpy(all + batch->n_early, filling->findings, filling->n * sizeof *all);
    batch->n_early = n;
}

/* Move the findings from `first` on out of the report, to come in front of the next
 * resource. Without memory they stay. */
static void batch_take_early(struct batch *batch, struct xds_report *report, size_t first)
{
    struct filling filling = {.batch = batch, .n = report->n_findings - first};

    if (filling.n == 0)
        return;
    filling.findings = report->findings + first;
    if (fill(&filling, copy_findings) == XDS_OK)
        report->n_findings = first;
}

/* worker: a check of its own with the same options; task: a batch. */
static void judge_batch(void *worker_of_pool, void *task)
{
    struct xds_check *worker = worker_of_pool;
    struct batch *batch = task;

    worker->report = worker->lint.report = batch->part;
    xds_judges_attach(worker->judges, batch->part);
    xds_graph_rename(&worker->lint.graph, &batch->names);
    xds_report_swap_texts(batch->part, &worker->texts);
    for (size_t i = 0; i < batch->n; i++) {
        struct batch_item *item = &batch->items[i];
        const struct xds_report *part = worker->report;

        worker->result = &item->result;
        worker->lint.part = &item->result.lint;
        item->resource = part->n_resources;
        item->findings = part->n_findings;
        item->repeats = part->repeats.n;
        item->status = xds_check_resource(worker, &item->in);
        item->end_findings = part->n_findings;
        item->end_repeats = part->repeats.n;
        item->of_resource = part->of_resource;
    }
    xds_report_swap_texts(batch->part, &worker->texts);
}

/* ---- merging ---- */

struct merging {
    struct batch *batch;
    struct xds_check *check;
    struct batch_item *item;
    size_t early; /* the next one */
};

static void take_findings(const struct merging *m, uint32_t resource, size_t from,
                          size_t to)
{
    for (size_t i = from; i < to; i++)
        xds_report_take(m->check->report, &m->batch->part->findings[i], resource);
}

/* Does all of it have room, with a finding about its name, or nothing? Then no limit has
 * changed what the worker found, and none will. */
static bool is_plain(const struct xds_report *report, const struct batch_item *item)
{
    const bool has_room = report->n_findings + item->of_resource < XDS_MAX_FINDINGS;

    return item->status == XDS_OK && item->of_resource < XDS_MAX_FINDINGS_PER_RESOURCE &&
           (has_room || report->n_findings >= XDS_MAX_FINDINGS);
}

static void merge_item(void *arg)
{
    const struct merging *m = arg;
    const struct batch_item *item = m->item;
    struct xds_check *check = m->check;
    struct xds_report *report = check->report;
    struct xds_node *node = item->result.lint.node;
    struct xds_snapshot_entry entry = item->result.entry;
    const size_t middle = node ? item->result.lint.n_findings : item->end_findings;
    const uint32_t resource =
        xds_report_take_resource(report, &m->batch->part->resources[item->resource]);

    report->resources[resource].index = xds_check_next_index(check, &item->in);
    take_findings(m, resource, item->findings, middle);
    if (node) {
        node->resource = resource;
        xds_lint_enter(&check->lint, node);
    }
    take_findings(m, resource, middle, item->end_findings);
    /* What was found when there was no more room in the report. */
    const size_t n = item->of_resource - (item->end_findings - item->findings);

    m->check->report->of_resource += n;
    m->check->report->dropped += n;
    for (size_t i = item->repeats; i < item->end_repeats; i++)
        xds_report_take_repeat(report, &m->batch->part->repeats.list[i]);
    entry.resource = resource;
    if (entry.type != XDS_TYPE_UNKNOWN)
        xds_snapshot_keep(&check->snapshot, &entry);
}

static void merge_early(void *arg)
{
    const struct merging *m = arg;

    xds_report_take(m->check->report, &m->batch->early[m->early], XDS_NO_RESOURCE);
}

static enum xds_status merge(struct merging *m, void (*body)(void *))
{
    struct xds_arena *const arenas[] = {&m->check->report->arena, &m->check->lint.arena,
                                        &m->check->model};

    return xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), body, m);
}

static enum xds_status take_early(struct merging *m, size_t end)
{
    for (; m->early < end; m->early++)
        if (merge(m, merge_early) != XDS_OK)
            return XDS_ERR_NO_MEMORY;
    return XDS_OK;
}

/* Put everything into the check, as if its resources had come there one by one. */
static void batch_merge(struct batch *batch, struct xds_check *check,
                        batch_trouble trouble, void *user)
{
    struct merging m = {.batch = batch, .check = check};
    enum xds_status status = XDS_OK;

    for (size_t i = 0; i < batch->n && status == XDS_OK; i++) {
        m.item = &batch->items[i];
        status = take_early(&m, m.item->n_early);
        if (status == XDS_OK)
            status = is_plain(check->report, m.item)
                         ? merge(&m, merge_item)
                         : xds_check_resource(check, &m.item->in);
        if (status != XDS_OK)
            trouble(user, &m.item->in, status);
    }
    if (status == XDS_OK && take_early(&m, batch->n_early) != XDS_OK)
        trouble(user, NULL, XDS_ERR_NO_MEMORY);
}

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
    bool any;        /* a resource was judged here */
    uint32_t file;   /* of that one */
    uint32_t config; /* ClientConfig of a dump, of that one */
    /* With workers: */
    struct xds_worker_pool *pool;
    void **workers; /* struct xds_check */
    struct batch *batches;
    struct batch_item *items; /* of all batches */
    size_t n_workers, n_batches;
    size_t filled;      /* batches so far; the one that is being filled comes next */
    struct batch *open; /* that one */
    size_t pending;     /* resources that are not merged */
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

static bool make_workers(struct run *run)
{
    struct xds_report *report = run->check->report;
    const size_t n = run->plan->jobs, most = run->plan->batch_resources;
    const size_t n_batches = n * BATCHES_PER_JOB + 1;

    run->workers = calloc(n, sizeof *run->workers);
    run->batches = calloc(n_batches, sizeof *run->batches);
    run->items = calloc(n_batches * most, sizeof *run->items);
    if (!run->workers || !run->batches || !run->items)
        return false;
    for (; run->n_workers < n; run->n_workers++)
        if (!(run->workers[run->n_workers] = xds_check_new_worker(run->check)))
            return false;
    for (size_t i = 0; i < n_batches; i++) {
        run->n_batches++;
        if (!batch_init(&run->batches[i], &report->options, &run->items[i * most], most))
            return false;
    }
    return true;
}

/* What does not start leaves this thread alone, as before. */
static void start_workers(struct run *run)
{
    run->alone = true;
    if (!make_workers(run))
        return;
    run->pool = xds_worker_pool_new(run->workers, run->n_workers, run->n_batches - 1,
                                    judge_batch);
    if (!run->pool)
        return;
    run->alone = false;
    run->open = run->batches;
    batch_empty(run->open);
}

/* What the workers have kept of the resources belongs to the check and its report. */
static void end_workers(struct run *run)
{
    xds_worker_pool_free(run->pool);
    for (size_t i = 0; i < run->n_batches; i++) {
        /* The report takes over the texts of all that was merged. */
        struct batch *batch = &run->batches[i];

        if (run->check->report && batch->part)
            xds_report_end_part(run->check->report, batch->part);
        else
            xds_report_free(batch->part);
        xds_arena_release(&batch->texts);
        xds_arena_release(&batch->names);
    }
    for (size_t i = 0; i < run->n_workers; i++) {
        struct xds_check *worker = run->workers[i];

        worker->report = worker->lint.report = run->check->report;
        xds_report_adopt_texts(run->check->report, &worker->texts);
        xds_arena_release(&worker->decode);
        worker->next = run->check->next;
        run->check->next = worker;
    }
    free(run->items);
    free(run->batches);
    free(run->workers);
}

/* ---- merging and handing over ---- */

static void merge_next(struct run *run, struct batch *batch)
{
    if (!is_over(run))
        batch_merge(batch, run->check, tell_of_resource, run);
    run->pending -= batch->n;
}

/* The oldest one on its way; false when there is none. */
static bool merge_oldest(struct run *run)
{
    struct batch *batch = xds_worker_pool_collect(run->pool);

    if (batch)
        merge_next(run, batch);
    return batch != NULL;
}

/* Hand over the open batch. The ring has one batch more than may be on their way. */
static void submit(struct run *run)
{
    if (xds_worker_pool_load(run->pool) == run->n_batches - 1)
        (void)merge_oldest(run);
    if (run->check->report->n_findings >= XDS_MAX_FINDINGS) {
        /* What has no room in the report needs no texts and no place. */
        run->open->part->only_counts = true;
    }
    xds_worker_pool_submit(run->pool, run->open);
    run->open = &run->batches[++run->filled % run->n_batches];
    batch_empty(run->open);
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
    merge_next(run, run->open);
    batch_empty(run->open);
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

static void hand_over(struct run *run, const struct xds_resource *in)
{
    const size_t bytes = xds_resource_size(in);

    /* At a limit of the run the order decides what is reported; and what is large is
     * rare. */
    if (bytes <= run->plan->alone_bytes && !is_of_another_client(run, in) &&
        run->check->report->n_resources + run->pending < XDS_MAX_RESOURCES) {
        if (run->open->n == run->plan->batch_resources ||
            (run->open->n > 0 && run->open->bytes + bytes > run->plan->batch_bytes))
            submit(run);
        run->open->bytes += bytes;
        if (fill(&(struct filling){.batch = run->open, .in = in}, copy_resource) ==
            XDS_OK) {
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

    batch_take_early(run->open, report, findings);
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
