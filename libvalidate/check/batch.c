/*
 * batch.c - some resources that follow each other, judged apart and merged in order.
 *
 * What a worker cannot know is left to the merge: numbers, what was reported before,
 * names that were defined before. Where that could change more than this - a limit was
 * reached, memory ran out - the resource is judged again, there and then.
 */
#include "check/batch.h"

#include <stdlib.h>

#include "base/limits.h"
#include "source/source.h"

struct xds_batch *xds_batch_new(const struct xds_options *options, size_t most)
{
    struct xds_batch *batch = calloc(1, sizeof *batch);

    if (!batch)
        return NULL;
    xds_arena_init(&batch->texts, 0);
    xds_arena_init(&batch->names, 0);
    batch->most = most;
    batch->items = calloc(most, sizeof *batch->items);
    batch->part = xds_report_new(options);
    if (batch->items && batch->part)
        return batch;
    xds_batch_free(batch, NULL);
    return NULL;
}

void xds_batch_free(struct xds_batch *batch, struct xds_report *report)
{
    if (!batch)
        return;
    if (report)
        xds_report_end_part(report, batch->part);
    else
        xds_report_free(batch->part);
    xds_arena_release(&batch->texts);
    xds_arena_release(&batch->names);
    free(batch->items);
    free(batch);
}

void xds_batch_empty(struct xds_batch *batch)
{
    xds_arena_reset(&batch->texts);
    xds_arena_reset(&batch->names);
    xds_report_begin_part(batch->part);
    batch->n = batch->bytes = 0;
    batch->early = NULL;
    batch->n_early = batch->cap_early = 0;
}

/* ---- filling ---- */

struct filling {
    struct xds_batch *batch;
    const struct xds_resource *in;
    const struct xds_finding *findings;
    size_t n;
};

static void copy_resource(void *arg)
{
    const struct filling *filling = arg;
    struct xds_batch *batch = filling->batch;
    struct xds_batch_item *item = &batch->items[batch->n];

    *item = (struct xds_batch_item){.n_early = batch->n_early};
    xds_resource_copy(&batch->texts, filling->in, &item->in);
    batch->n++;
}

static enum xds_status fill(struct filling *filling, void (*body)(void *))
{
    struct xds_arena *const arenas[] = {&filling->batch->texts};

    return xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), body, filling);
}

enum xds_status xds_batch_add(struct xds_batch *batch, const struct xds_resource *in,
                              size_t bytes)
{
    struct filling filling = {.batch = batch, .in = in};

    batch->bytes += bytes;
    return fill(&filling, copy_resource);
}

static void copy_findings(void *arg)
{
    const struct filling *filling = arg;
    struct xds_batch *batch = filling->batch;
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

void xds_batch_take_early(struct xds_batch *batch, struct xds_report *report,
                          size_t first)
{
    struct filling filling = {.batch = batch, .n = report->n_findings - first};

    if (filling.n == 0)
        return;
    filling.findings = report->findings + first;
    if (fill(&filling, copy_findings) == XDS_OK)
        report->n_findings = first;
}

/* ---- judging ---- */

static void judge_item(struct xds_check *worker, struct xds_batch_item *item)
{
    const struct xds_report *part = worker->report;

    worker->result = &item->result;
    worker->lint.part = &item->result.lint;
    item->resource = part->n_resources;
    item->findings = part->n_findings;
    item->repeats = part->n_repeats;
    item->status = xds_check_resource(worker, &item->in);
    item->end_findings = part->n_findings;
    item->end_repeats = part->n_repeats;
    item->of_resource = part->of_resource;
}

/* What has no room in the report needs no texts and no place. */
void xds_batch_only_count(struct xds_batch *batch)
{
    batch->part->only_counts = true;
}

void xds_batch_judge(struct xds_check *worker, struct xds_batch *batch)
{
    worker->report = worker->lint.report = batch->part;
    xds_judges_attach(worker->judges, batch->part);
    xds_graph_rename(&worker->lint.graph, &batch->names);
    xds_report_swap_texts(batch->part, &worker->texts);
    for (size_t i = 0; i < batch->n; i++)
        judge_item(worker, &batch->items[i]);
    xds_report_swap_texts(batch->part, &worker->texts);
}

/* ---- merging ---- */

struct merging {
    struct xds_batch *batch;
    struct xds_check *check;
    struct xds_batch_item *item;
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
static bool is_plain(const struct xds_report *report, const struct xds_batch_item *item)
{
    const bool has_room = report->n_findings + item->of_resource < XDS_MAX_FINDINGS;

    return item->status == XDS_OK && item->of_resource < XDS_MAX_FINDINGS_PER_RESOURCE &&
           (has_room || report->n_findings >= XDS_MAX_FINDINGS);
}

/* What was found when there was no more room in the report. */
static void count_dropped(const struct merging *m)
{
    const struct xds_batch_item *item = m->item;
    const size_t n = item->of_resource - (item->end_findings - item->findings);

    m->check->report->of_resource += n;
    m->check->report->dropped += n;
}

static void merge_item(void *arg)
{
    const struct merging *m = arg;
    const struct xds_batch_item *item = m->item;
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
    count_dropped(m);
    for (size_t i = item->repeats; i < item->end_repeats; i++)
        xds_report_take_repeat(report, &m->batch->part->repeats[i]);
    entry.resource = resource;
    if (entry.type != XDS_TYPE_UNKNOWN)
        xds_snapshot_add(&check->snapshot, &entry);
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

static enum xds_status take_item(struct merging *m)
{
    const enum xds_status status = take_early(m, m->item->n_early);

    if (status != XDS_OK)
        return status;
    return is_plain(m->check->report, m->item)
               ? merge(m, merge_item)
               : xds_check_resource(m->check, &m->item->in);
}

void xds_batch_merge(struct xds_batch *batch, struct xds_check *check,
                     xds_batch_trouble trouble, void *user)
{
    struct merging m = {.batch = batch, .check = check};
    enum xds_status status = XDS_OK;

    for (size_t i = 0; i < batch->n && status == XDS_OK; i++) {
        m.item = &batch->items[i];
        status = take_item(&m);
        if (status != XDS_OK)
            trouble(user, &m.item->in, status);
    }
    if (status == XDS_OK && take_early(&m, batch->n_early) != XDS_OK)
        trouble(user, NULL, XDS_ERR_NO_MEMORY);
}
