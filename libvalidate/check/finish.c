/*
 * finish.c - the checks across resources, and the lines of what they find.
 *
 * Nothing of a resource's text is kept while it passes, so that memory does not grow with
 * the input; only files with a finding pay for the second look.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "bootstrap/bootstrap.h"
#include "check/check.h"
#include "source/source.h"
#include "source/held.h"

struct job {
    struct xds_check *check;
    const struct xds_source *source;
    struct xds_report *echo; /* what the second look finds is known already */
    struct xds_reread *reread;
    bool no_memory; /* for a second look */
};

struct look {
    struct job *job;
    struct xds_source *source;
    const struct xds_unplaced *list; /* of this file, by resource */
    size_t n;
    uint32_t resource; /* of the report, that is looked at */
    struct xds_resource in;
    struct xds_token_stream *stream; /* of its tokens, or NULL: it has them */
    bool is_known;                   /* it could be read alone */
};

/* Cut off the front of the list what is in the resource; gives how many. */
static size_t take_of_resource(struct look *look)
{
    size_t n = 0;

    while (n < look->n && look->list[n].resource == look->resource)
        n++;
    look->list += n;
    look->n -= n;
    return n;
}

/* The resource itself, as it was, is at hand. */
static void locate_in_it(struct look *look)
{
    struct xds_report *report = look->job->check->report;
    const struct xds_unplaced *some = look->list;
    const size_t n = take_of_resource(look);

    look->in.at.file = report->resources[look->resource].at.file;
    xds_locate_some(&look->in, look->stream, report, some, n, &look->job->check->decode);
}

static enum xds_status guarded(struct look *look, void (*body)(void *))
{
    struct xds_check *check = look->job->check;
    struct xds_arena *const arenas[] = {&check->report->arena, &check->decode,
                                        &look->job->reread->yaml.document};

    xds_arena_reset(&check->decode);
    const enum xds_status status =
        xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), body, look);

    look->job->no_memory |= status == XDS_ERR_NO_MEMORY && !check->decode.full;
    return status;
}

static void reread_next(void *arg)
{
    struct look *look = arg;
    struct xds_check *check = look->job->check;
    const struct look before = *look;

    look->resource = look->list->resource;
    look->is_known = xds_reread_stream_at(look->job->reread,
                                          &check->report->resources[look->resource].at,
                                          &check->decode, &look->in, &look->stream);
    if (look->is_known)
        locate_in_it(look);
    if (look->stream && look->stream->broke) {
        *look = before;
        look->is_known = false;
    }
}

static void locate_one(void *arg)
{
    struct look *look = arg;
    const struct xds_report *report = look->job->check->report;

    if (look->list->resource != look->resource)
        return;
    const struct xds_place *at = &report->resources[look->resource].at;

    if (look->in.at.line == at->line && look->in.at.column == at->column)
        locate_in_it(look);
    else
        (void)take_of_resource(look);
}

/* False when nothing is left to place, or the file holds no more resources. */
static bool look_at_next(struct look *look)
{
    if (look->n == 0)
        return false;
    enum xds_status status = xds_source_next(look->source, &look->in);

    look->job->no_memory |= status == XDS_ERR_NO_MEMORY;
    if (status == XDS_OK)
        status = guarded(look, locate_one);
    look->resource++;
    return status == XDS_OK;
}

static uint32_t file_of(const struct xds_report *report, uint32_t resource)
{
    return report->resources[resource].at.file;
}

static void look_from_start(struct look *look)
{
    struct job *job = look->job;
    const struct xds_report *report = job->check->report;

    /* The resources of one file follow each other. */
    uint32_t resource = look->list->resource;
    const uint32_t file = file_of(report, resource);

    while (resource > 0 && file_of(report, resource - 1) == file)
        resource--;
    look->resource = resource;
    look->stream = NULL;
    look->source =
        xds_source_again(job->source, file_of(report, look->resource), job->echo);
    job->no_memory |= !look->source && errno == ENOMEM;
    while (look->source && look_at_next(look))
        ;
    xds_source_free(look->source);
}

static int by_resource(const void *left, const void *right)
{
    const struct xds_unplaced *a = left, *b = right;

    return (a->resource > b->resource) - (a->resource < b->resource);
}

/* How many in front of the list, which is sorted, are in the same file. */
static size_t count_of_file(const struct xds_report *report,
                            const struct xds_unplaced *list, size_t n)
{
    size_t same = 0;

    while (same < n && list[same].resource != XDS_NO_RESOURCE &&
           file_of(report, list[same].resource) == file_of(report, list->resource))
        same++;
    return same;
}

/* Nothing was judged, and no fault says why. */
static bool is_barren(const struct xds_report *report)
{
    if (report->files.n == 0 || report->input.n_errors + report->input.n_unread > 0 ||
        report->is_line)
        return false;
    for (size_t i = 0; i < report->n_resources; i++)
        if (report->resources[i].nacked_by || report->resources[i].crashed_by ||
            xds_slice_is(report->resources[i].type, XDS_BOOTSTRAP_TYPE) ||
            (!report->resources[i].unjudged &&
             xds_resource_type_from_name(report->resources[i].type) != XDS_TYPE_UNKNOWN))
            return false;
    return true;
}

/* Of the first resource that is left out, or NULL. */
static const char *why_unjudged(const struct xds_report *report)
{
    for (size_t i = 0; i < report->n_resources; i++)
        if (report->resources[i].unjudged)
            return xds_unjudged_reason((enum xds_unjudged)report->resources[i].unjudged);
    return NULL;
}

/* Who names a file expects something in it; a folder may be empty. */
static void report_without(struct xds_report *report, uint32_t file, bool is_error,
                           const char *message)
{
    const size_t before = report->n_findings;

    xds_report_at(report, xds_rule_row(XDS_R_SRC_BARREN), XDS_NO_RESOURCE,
                  (struct xds_place){file, 1, 1, 1, 1}, "%s", message);
    if (is_error && report->n_findings > before)
        report->findings[before].level = XDS_LEVEL_ERROR;
}

static const char no_snapshot_file[] = "folder has no snapshot file";

static const char *none_found(struct xds_report *report, size_t file, const char *rest)
{
    return xds_arena_printf(&report->arena,
                            "no xDS resource that gRPC reads was found in \"%.*s\"%s",
                            XDS_FMT(report->files.names[file]), rest)
        .data;
}

/* Or the first of all. */
static size_t first_named(const struct xds_report *report, size_t n_files)
{
    for (size_t i = 0; i < n_files; i++)
        if (report->files.marks[i] & XDS_FILE_NAMED)
            return i;
    return 0;
}

/* What is named, or a folder, has nothing that gRPC reads. n_files: without those of an
 * older snapshot. */
static void report_barren(struct xds_report *report, const struct xds_source *source,
                          size_t n_files)
{
    const struct xds_read_sum sum = xds_source_sum(source);
    const size_t more = n_files - 1, file = first_named(report, n_files);
    const char *why = why_unjudged(report), *message;
    char rest[64] = "";

    if (more > 0)
        (void)snprintf(rest, sizeof rest, " and %zu more file%s", more,
                       more == 1 ? "" : "s");
    if (why)
        message = xds_arena_printf(&report->arena,
                                   "all that gRPC reads in \"%.*s\"%s is %s; --role all "
                                   "judges it",
                                   XDS_FMT(report->files.names[file]), rest, why)
                      .data;
    else if (more == 0 && report->files.marks[file] & XDS_FILE_FOLDER)
        message = no_snapshot_file;
    else
        message = none_found(report, file, rest);
    report_without(report, (uint32_t)file, sum.is_named && (why || sum.clients == 0),
                   message);
}

/* Beside others that have resources. */
static void report_empty_files(struct xds_report *report, const struct xds_source *source,
                               size_t n_files)
{
    const bool looks = !report->is_line && xds_source_sum(source).clients == 0;

    for (size_t i = 0; looks && i < n_files; i++) {
        const unsigned marks = report->files.marks[i];

        if (marks & XDS_FILE_FOLDER)
            report_without(report, (uint32_t)i, false, no_snapshot_file);
        else if (marks & XDS_FILE_NAMED && !(marks & XDS_FILE_SAYS))
            report_without(report, (uint32_t)i, true, none_found(report, i, ""));
    }
}

static void check_across(void *arg)
{
    struct job *job = arg;
    struct xds_report *report = job->check->report;
    const size_t n_files = report->files.n;

    report->of_resource = 0;
    xds_report_count_foreign(report, xds_rule_row(XDS_R_SRC_OTHER));
    xds_lint_finish(&job->check->lint); /* chooses what is judged */
    if (is_barren(report))
        report_barren(report, job->source, n_files);
    else
        report_empty_files(report, job->source, n_files);
}

/* What no second look could place is where its resource begins. */
static enum xds_status place_findings(struct job *job)
{
    struct xds_reread reread;

    job->echo = xds_report_new(&job->check->report->options);
    if (!job->echo)
        return XDS_ERR_NO_MEMORY;
    xds_reread_init(&reread, job->source);
    job->reread = &reread;

    const struct xds_report *report = job->check->report;
    struct xds_unplaced *list = report->unplaced.list;
    size_t left = report->unplaced.n, n;

    if (left > 0)
        qsort(list, left, sizeof *list, by_resource);
    for (; (n = count_of_file(report, list, left)) > 0; list += n, left -= n) {
        struct look look = {.job = job, .list = list, .n = n};

        /* What is left of the list could not be looked at in this way. */
        look.is_known = true;
        while (look.n > 0 && look.is_known && guarded(&look, reread_next) == XDS_OK)
            ;
        if (look.n > 0)
            look_from_start(&look);
    }
    xds_reread_release(&reread);
    job->reread = NULL;
    xds_report_place_rest(job->check->report);
    xds_report_free(job->echo);
    return job->no_memory ? XDS_ERR_NO_MEMORY : XDS_OK;
}

static void end_snapshot(void *arg)
{
    struct xds_check *check = arg;

    xds_lint_end_snapshot(&check->lint);
    xds_lint_reset(&check->lint);
    check->report->unplaced.n_waiting = check->report->unplaced.n;
}

enum xds_status xds_check_end_snapshot(struct xds_check *check)
{
    struct xds_arena *const arenas[] = {&check->report->arena, &check->lint.arena};

    if (check->keep)
        return XDS_OK;
    return xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), end_snapshot, check);
}

void xds_check_against(struct xds_check *check, const struct xds_check *old)
{
    xds_lint_against(&check->lint, &old->lint);
}

static void suppress(void *arg)
{
    const struct job *job = arg;

    xds_suppress(job->check->report, &job->check->lint.arena);
    xds_report_drop_unjudged(job->check->report);
}

/* Of a dump without contents beside the contents. */
static void take_version(void *user, struct xds_snapshot_entry *of,
                         const struct xds_snapshot_entry *entry)
{
    struct xds_check *check = user;
    struct xds_report *report = check->report;
    struct xds_held *held = xds_held_copy(&report->arena, entry->held);

    held->is_absent = false;
    of->held = report->resources[of->resource].held = held;
    report->resources[entry->resource].held = NULL;
    check->snapshot.n_merged++;
}

/* Where models are kept for an answer, nothing else is checked across resources. */
static void finish_kept(void *arg)
{
    const struct job *job = arg;
    struct xds_check *check = job->check;

    if (check->snapshot.has_held)
        for (struct xds_snapshot *s = &check->snapshot; s; s = s->next)
            xds_snapshot_take_versions(s, take_version, check);
    report_empty_files(check->report, job->source, check->report->files.n);
}

enum xds_status xds_check_finish(struct xds_check *check, const struct xds_source *source)
{
    struct xds_arena *const arenas[] = {&check->report->arena, &check->lint.arena};
    struct job job = {.check = check, .source = source};

    if (check->failed)
        return XDS_ERR_NO_MEMORY;
    if (check->keep)
        return xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), finish_kept, &job);
    enum xds_status status =
        xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), check_across, &job);

    if (status == XDS_OK)
        status = place_findings(&job);
    if (status == XDS_OK)
        status = xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), suppress, &job);
    return xds_check_status(check, status);
}
