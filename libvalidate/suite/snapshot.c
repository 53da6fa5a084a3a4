/*
 * snapshot.c - the snapshot of a file of tests, and what clients make of it.
 *
 * Fails:  with the path that cannot be read, and errno.
 */
#include "suite/snapshot.h"

#include <errno.h>

#include "base/text.h"
#include "check/check.h"
#include "suite/head.h"
#include "suite/list.h"

static bool cannot_read(struct xds_suite *s, struct xds_slice path, int error)
{
    s->file->unread = xds_arena_dup(&s->run_arena, path);
    s->file->error = error;
    return false;
}

/* ---- paths ---- */

static const struct xds_tree *paths_of(const struct xds_tree *snapshot, size_t *n)
{
    const bool list = snapshot->kind == XDS_TREE_ARRAY;

    *n = list ? snapshot->n : 1;
    return list ? snapshot->items : snapshot;
}

static bool add_paths(struct xds_suite *s)
{
    struct xds_text all = {.arena = &s->run_arena};
    size_t n;
    const struct xds_tree *paths = paths_of(s->head.snapshot, &n);

    for (size_t i = 0; i < n; i++) {
        const struct xds_slice path = xds_suite_path(s, paths[i].text);

        if (xds_source_add(s->loaded.source, path.data) != XDS_OK)
            return cannot_read(s, path, errno);
        if (i > 0)
            xds_text_add(&all, XDS_S(", "));
        xds_text_add(&all, path);
    }
    s->file->snapshot = xds_slice_make(all.data, all.len);
    return true;
}

/* ---- coverage ---- */

/* Other files of tests may have read the same snapshot. */
static struct xds_coverage_table *table_of(struct xds_suite *s)
{
    struct xds_suite_results *results = &s->results;

    for (size_t i = 0; i < results->n_coverages; i++)
        if (xds_slice_eq(s->coverages[i]->told.snapshot, s->file->snapshot))
            return s->coverages[i];
    s->coverages = xds_list_room(&s->run_arena, s->coverages, results->n_coverages,
                                 sizeof(struct xds_coverage_table *));
    struct xds_coverage_table *table = XDS_NEW(&s->run_arena, struct xds_coverage_table);

    table->told.snapshot = s->file->snapshot;
    s->coverages[results->n_coverages++] = table;
    return table;
}

static void begin_coverage(struct xds_suite *s)
{
    struct xds_coverage_map *map = &s->loaded.coverage;

    map->run_arena = &s->run_arena;
    map->table = table_of(s);
    xds_strmap_init(&map->by_model, &s->document);
}

/* ---- resources ---- */

static void note_routes(struct xds_suite *s, const struct xds_resource *resource)
{
    const struct xds_report *report = s->loaded.report;
    const struct xds_snapshot *snapshot = &s->loaded.check->snapshot;

    for (unsigned type = XDS_TYPE_LISTENER; type <= XDS_TYPE_ROUTE; type++) {
        const struct xds_snapshot_entry *newest = snapshot->last[type];

        if (newest && newest->resource + 1 == report->n_resources)
            xds_coverage_add(&s->loaded.coverage, resource, newest,
                             xds_report_file(report, resource->at.file), &s->case_arena);
    }
    xds_arena_reset(&s->case_arena);
}

static bool read_resources(struct xds_suite *s)
{
    struct xds_suite_snapshot *w = &s->loaded;
    struct xds_resource resource;
    enum xds_status status;

    while ((status = xds_source_next(w->source, &resource)) == XDS_OK) {
        status = xds_check_resource(w->check, &resource);
        if (status != XDS_OK)
            break;
        if (s->settings.coverage)
            note_routes(s, &resource);
    }
    if (status == XDS_ERR_IO)
        return cannot_read(s, xds_slice_of(xds_source_path(w->source)), errno);
    if (status != XDS_END)
        s->status = XDS_ERR_NO_MEMORY;
    return status == XDS_END;
}

bool xds_suite_read_snapshot(struct xds_suite *suite)
{
    struct xds_suite_snapshot *w = &suite->loaded;

    w->report = xds_report_new(&suite->head.options);
    if (w->report)
        w->source = xds_source_new(w->report, suite->head.type);
    if (w->source)
        w->check = xds_check_new(w->report, true);
    if (!w->check) {
        suite->status = XDS_ERR_NO_MEMORY;
        return false;
    }
    if (!add_paths(suite))
        return false;
    if (suite->settings.coverage)
        begin_coverage(suite);
    return read_resources(suite);
}

struct xds_explainer *xds_suite_explainer(struct xds_suite *suite, enum xds_client client)
{
    struct xds_suite_snapshot *w = &suite->loaded;

    if (w->explainers[client])
        return w->explainers[client];
    w->explainers[client] = xds_explainer_new(w->check, client);
    w->clients |= XDS_CLIENT_BIT(client);
    if (suite->settings.coverage)
        xds_coverage_use(&w->coverage, &w->check->snapshot, client);
    return w->explainers[client];
}

void xds_suite_end_snapshot(struct xds_suite *suite)
{
    struct xds_suite_snapshot *w = &suite->loaded;

    for (size_t i = 0; i < XDS_CLIENTS; i++)
        xds_explainer_free(w->explainers[i]);
    xds_check_free(w->check);
    xds_source_free(w->source);
    xds_report_free(w->report);
    *w = (struct xds_suite_snapshot){0};
}

/* ---- what clients reject ---- */

static bool is_rejection(const struct xds_finding *finding, unsigned clients)
{
    for (unsigned c = 0; c < XDS_CLIENTS; c++)
        if (clients & XDS_CLIENT_BIT(c) && finding->verdict[c] >= XDS_NACK)
            return true;
    return finding->rule->effect == XDS_EFFECT_SYNTAX;
}

static void list_one(struct xds_suite *s, const struct xds_finding *finding)
{
    const struct xds_report *report = s->loaded.report;
    struct xds_suite_file *file = s->file;
    const bool known = finding->resource != XDS_NO_RESOURCE;
    const struct xds_resource_result *r =
        known ? &report->resources[finding->resource] : NULL;

    s->rejected =
        xds_list_room(&s->run_arena, s->rejected, file->n_rejected, sizeof *s->rejected);
    file->rejected = s->rejected;
    s->rejected[file->n_rejected++] = (struct xds_suite_rejected){
        .type = xds_arena_dup(&s->run_arena, r ? r->type : XDS_S("")),
        .name = xds_arena_dup(&s->run_arena, r ? r->name : XDS_S("")),
        .file = xds_arena_dup(&s->run_arena, xds_report_file(report, finding->at.file)),
        .line = finding->at.line,
        .column = finding->at.column,
        .clients = r ? (r->nacked_by | r->crashed_by) & s->loaded.clients : 0,
        .dying = r ? r->crashed_by & s->loaded.clients : 0,
        .message = xds_arena_dup(&s->run_arena, finding->message),
        .rule = xds_slice_of(finding->rule->slug),
    };
}

/* One line for each resource: its first finding. Findings come in the order of resources.
 */
void xds_suite_list_rejected(struct xds_suite *suite)
{
    const struct xds_report *report = suite->loaded.report;
    uint32_t told = XDS_NO_RESOURCE;

    for (size_t i = 0; i < report->n_findings; i++) {
        const struct xds_finding *finding = &report->findings[i];
        const bool again =
            finding->resource == told && finding->resource != XDS_NO_RESOURCE;

        if (again || !is_rejection(finding, suite->loaded.clients))
            continue;
        told = finding->resource;
        list_one(suite, finding);
    }
}
