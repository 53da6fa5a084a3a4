/*
 * batch.c - some resources that follow each other, judged apart and merged in order.
 *
 * Called by all.c, which hands batches round, and by memo.c, which keeps them.
 */
#include "check/batch.h"

#include <stdlib.h>

#include "source/held.h"
#include "source/source.h"

void xds_batch_empty(struct xds_batch *batch)
{
    xds_arena_reset(&batch->texts);
    xds_arena_reset(&batch->names);
    xds_report_begin_part(batch->part);
    batch->n = batch->bytes = 0;
    batch->has_new = false;
    batch->early = NULL;
    batch->n_early = batch->cap_early = 0;
}

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
    if (batch->part && report)
        xds_report_end_part(report, batch->part);
    else
        xds_report_free(batch->part);
    xds_arena_release(&batch->texts);
    xds_arena_release(&batch->names);
    free(batch->items);
    free(batch);
}

void xds_batch_strip(struct xds_batch *batch)
{
    static const struct xds_slice none = {NULL, 0};

    for (size_t i = 0; i < batch->n; i++) {
        struct xds_resource *in = &batch->items[i].in;

        in->type_url = in->expected = in->name = in->bytes = none;
        in->tokens = NULL;
        in->held = NULL;
    }
    xds_arena_release(&batch->texts);
    batch->early = NULL;
    batch->n_early = batch->cap_early = 0;

    struct xds_batch_item *fewer =
        realloc(batch->items, (batch->n + 1) * sizeof *batch->items);

    if (fewer) {
        batch->items = fewer;
        batch->most = batch->n;
    }
}

/* ---- filling ---- */

struct filling {
    struct xds_batch *batch;
    struct xds_resource in;
    const struct xds_finding *findings;
    size_t n;
};

static void copy_resource(void *arg)
{
    const struct filling *filling = arg;
    struct xds_batch *batch = filling->batch;
    struct xds_batch_item *item = &batch->items[batch->n];

    *item = (struct xds_batch_item){.n_early = batch->n_early, .part = batch->part};
    xds_resource_copy(&batch->texts, &filling->in, &item->in);
    batch->n++;
}

static enum xds_status fill(struct filling *filling, void (*body)(void *))
{
    struct xds_arena *const arenas[] = {&filling->batch->texts};

    return xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), body, filling);
}

enum xds_status xds_batch_add(struct xds_batch *batch, const struct xds_resource *in,
                              struct xds_memo_key key, const struct xds_batch_item *known)
{
    struct filling filling = {.batch = batch, .in = *in};

    if (known) {
        filling.in.bytes = (struct xds_slice){NULL, 0};
        filling.in.tokens = NULL;
    }
    const enum xds_status status = fill(&filling, copy_resource);

    if (status != XDS_OK)
        return status;
    batch->items[batch->n - 1].key = key;
    batch->items[batch->n - 1].known = known;
    batch->has_new |= !known;
    return XDS_OK;
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

void xds_batch_judge(void *worker_of_pool, void *task)
{
    struct xds_check *worker = worker_of_pool;
    struct xds_batch *batch = task;

    worker->report = worker->lint.report = batch->part;
    xds_judges_attach(worker->judges, batch->part);
    xds_graph_rename(&worker->lint.graph, &batch->names);
    xds_report_swap_texts(batch->part, &worker->texts);
    for (size_t i = 0; i < batch->n; i++) {
        struct xds_batch_item *item = &batch->items[i];
        const struct xds_report *part = worker->report;

        if (item->known)
            continue;
        if (worker->store)
            xds_report_forget_told(batch->part);
        worker->result = &item->result;
        worker->lint.part = &item->result.lint;
        item->resource = part->n_resources;
        item->findings = part->n_findings;
        item->repeats = part->part.repeats.n;
        item->status = xds_check_resource(worker, &item->in);
        item->end_findings = part->n_findings;
        item->end_repeats = part->part.repeats.n;
        item->of_resource = part->of_resource;
    }
    xds_report_swap_texts(batch->part, &worker->texts);
}

/* ---- merging ---- */

struct merging {
    struct xds_batch *batch;
    struct xds_check *check;
    struct xds_batch_item *item;
    size_t early; /* the next one */
};

static void take_findings(const struct merging *m, const struct xds_batch_item *judged,
                          uint32_t resource, size_t from, size_t to)
{
    const struct xds_move move = {judged->in.at, m->item->in.at};

    for (size_t i = from; i < to; i++)
        xds_report_take(m->check->report, &judged->part->findings[i], resource,
                        m->item->known ? &move : NULL);
}

/* The result of a resource that was judged, perhaps in another place, and then of a dump
 * that may name another version. */
static uint32_t take_result(const struct merging *m, const struct xds_batch_item *judged)
{
    struct xds_report *report = m->check->report;
    const struct xds_resource *in = &m->item->in;
    const uint32_t resource = xds_report_take_resource(
        report, &judged->part->resources[judged->resource], in->at);
    struct xds_resource_result *result = &report->resources[resource];

    result->index = xds_check_next_index(m->check, in);
    result->content = m->item->key.low;
    if (m->item->known && result->held) {
        struct xds_held *held = xds_held_copy(&report->arena, in->held);

        held->against = result->held->against;
        result->held = held;
    }
    return resource;
}

/* What a memo keeps is not linked: other runs will read it. */
static void enter(struct xds_check *check, struct xds_node *judged, uint32_t resource)
{
    struct xds_node *node =
        check->store ? xds_graph_copy(&check->lint.graph, judged) : judged;

    node->resource = resource;
    xds_lint_enter(&check->lint, node);
}

static void merge_item(void *arg)
{
    const struct merging *m = arg;
    const struct xds_batch_item *judged = m->item->known ? m->item->known : m->item;
    struct xds_report *report = m->check->report;
    struct xds_node *node = judged->result.lint.node;
    struct xds_snapshot_entry entry = judged->result.entry;
    const size_t middle = node ? judged->result.lint.n_findings : judged->end_findings;
    const uint32_t resource = take_result(m, judged);

    take_findings(m, judged, resource, judged->findings, middle);
    if (node)
        enter(m->check, node, resource);
    take_findings(m, judged, resource, middle, judged->end_findings);
    /* What was found when there was no more room in the report. */
    const size_t n = judged->of_resource - (judged->end_findings - judged->findings);

    report->of_resource += n;
    report->dropped += n;
    for (size_t i = judged->repeats; i < judged->end_repeats; i++)
        xds_report_take_repeat(report, &judged->part->part.repeats.list[i]);
    entry.resource = resource;
    if (m->item->known)
        entry.held = report->resources[resource].held;
    if (entry.type != XDS_TYPE_UNKNOWN)
        xds_snapshot_keep(&m->check->snapshot, &entry);
}

static void merge_early(void *arg)
{
    const struct merging *m = arg;

    xds_report_take(m->check->report, &m->batch->early[m->early], XDS_NO_RESOURCE, NULL);
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

void xds_batch_merge(struct xds_batch *batch, struct xds_check *check,
                     xds_batch_trouble trouble, void *user)
{
    struct merging m = {.batch = batch, .check = check};
    enum xds_status status = XDS_OK;

    for (size_t i = 0; i < batch->n && status == XDS_OK; i++) {
        m.item = &batch->items[i];
        status = take_early(&m, m.item->n_early);
        if (status == XDS_OK)
            status =
                m.item->known || xds_batch_is_plain(m.item, check->report->n_findings)
                    ? merge(&m, merge_item)
                    : xds_check_resource(check, &m.item->in);
        if (status != XDS_OK)
            trouble(user, &m.item->in, status);
    }
    if (status == XDS_OK && take_early(&m, batch->n_early) != XDS_OK)
        trouble(user, NULL, XDS_ERR_NO_MEMORY);
}
