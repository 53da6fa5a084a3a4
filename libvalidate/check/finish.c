/*
 * finish.c - the checks across resources, and the lines of what they find.
 *
 * Takes:  what lint/ kept of all resources; the source, to read some files once more.
 * Gives:  findings with the place of the field that they speak of; where a file cannot be
 *         read twice, or has changed since, the place where its resource begins.
 *
 * Nothing of a resource's text is kept while it passes, so that memory does not grow with
 * the input; only files with a finding pay for the second look.
 */
#include <stdlib.h>

#include "check/check.h"
#include "decode/decode.h"
#include "lint/suppress.h"

struct job {
    struct xds_check *check;
    const struct xds_source *source;
    struct xds_report *echo; /* what the second look finds is known already */
    size_t first;            /* finding that has no place */
};

/* ---- a second look at one file ------------------------------------------------------
 */

struct look {
    struct job *job;
    struct xds_source *source;
    const bool *wanted; /* by resource */
    uint32_t resource;  /* of the report, the next one of the file */
    struct xds_resource in;
};

static bool is_the_same(const struct xds_place *a, const struct xds_place *b)
{
    return a->line == b->line && a->column == b->column;
}

static void locate_one(void *arg)
{
    struct look *look = arg;
    struct xds_report *report = look->job->check->report;
    const struct xds_place before = report->resources[look->resource].at;

    if (!look->wanted[look->resource] || !is_the_same(&look->in.at, &before))
        return;
    look->in.at.file = before.file;
    xds_locate_again(&look->in, look->resource, report, &look->job->check->decode);
}

/* False when the file holds no more of the resources that the report has. */
static bool look_at_next(struct look *look, uint32_t file)
{
    struct xds_check *check = look->job->check;
    struct xds_arena *const arenas[] = {&check->report->arena, &check->decode};

    if (look->resource >= check->report->n_resources ||
        check->report->resources[look->resource].at.file != file ||
        xds_source_next(look->source, &look->in) != XDS_OK)
        return false;
    xds_arena_reset(&check->decode);
    const enum xds_status status =
        xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), locate_one, look);
    look->resource++;
    return status == XDS_OK;
}

static void look_at_file(struct job *job, uint32_t first_resource, const bool *wanted)
{
    const uint32_t file = job->check->report->resources[first_resource].at.file;
    struct look look = {.job = job,
                        .source = xds_source_again(job->source, file, job->echo),
                        .wanted = wanted,
                        .resource = first_resource};

    if (look.source)
        while (look_at_next(&look, file))
            ;
    xds_source_free(look.source);
}

/* ---- all files ----------------------------------------------------------------------
 */

static void mark_wanted(const struct job *job, bool *wanted)
{
    const struct xds_report *report = job->check->report;

    for (size_t i = job->first; i < report->n_findings; i++)
        if (report->findings[i].resource != XDS_NO_RESOURCE)
            wanted[report->findings[i].resource] = true;
    for (const struct xds_relation *r = report->relations; r; r = r->next)
        if (r->shown.resource != XDS_NO_RESOURCE)
            wanted[r->shown.resource] = true;
}

static void look_again(struct job *job, const bool *wanted)
{
    const struct xds_report *report = job->check->report;
    uint32_t file = UINT32_MAX, first = 0;

    for (uint32_t i = 0; i < report->n_resources; i++) {
        if (i == 0 || report->resources[i].at.file != report->resources[i - 1].at.file)
            first = i;
        if (wanted[i] && report->resources[i].at.file != file) {
            file = report->resources[i].at.file;
            look_at_file(job, first, wanted);
        }
    }
}

/* What no second look could place stands where its resource begins. */
static void place_the_rest(const struct job *job)
{
    struct xds_report *report = job->check->report;

    for (size_t i = job->first; i < report->n_findings; i++) {
        struct xds_finding *finding = &report->findings[i];

        if (finding->at.line == 0 && finding->resource != XDS_NO_RESOURCE)
            finding->at = report->resources[finding->resource].at;
    }
    for (struct xds_relation *r = report->relations; r; r = r->next)
        if (r->shown.at.line == 0 && r->shown.resource != XDS_NO_RESOURCE)
            r->shown.at = report->resources[r->shown.resource].at;
    report->first_unlocated = report->n_findings;
    report->relations = NULL;
}

static void check_across(void *arg)
{
    struct job *job = arg;

    job->check->report->of_resource = 0;
    job->first = job->check->report->n_findings;
    job->check->report->first_unlocated = job->first;
    xds_lint_finish(&job->check->lint);
}

static enum xds_status place_findings(struct job *job)
{
    const size_t n = job->check->report->n_resources;
    bool *wanted = calloc(n + 1, sizeof *wanted);

    job->echo = xds_report_new(&job->check->report->options);
    const bool ok = wanted && job->echo;
    if (ok && job->check->report->n_findings > job->first) {
        mark_wanted(job, wanted);
        look_again(job, wanted);
    }
    if (ok)
        place_the_rest(job);
    xds_report_free(job->echo);
    free(wanted);
    return ok ? XDS_OK : XDS_ERR_NO_MEMORY;
}

void xds_check_against(struct xds_check *check, const struct xds_check *old)
{
    xds_lint_against(&check->lint, &old->lint);
}

static void suppress(void *arg)
{
    const struct job *job = arg;

    xds_suppress(job->check->report, &job->check->lint.arena);
}

enum xds_status xds_check_finish(struct xds_check *check, const struct xds_source *source)
{
    struct xds_arena *const arenas[] = {&check->report->arena, &check->lint.arena};
    struct job job = {.check = check, .source = source};

    if (check->keep)
        return XDS_OK;
    enum xds_status status =
        xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), check_across, &job);

    if (status == XDS_OK)
        status = place_findings(&job);
    if (status == XDS_OK)
        status = xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), suppress, &job);
    return status;
}
