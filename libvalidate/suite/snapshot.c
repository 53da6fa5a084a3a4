/*
 * snapshot.c - the snapshot of a file of tests, and what clients make of it.
 *
 * Fails:  with the path that cannot be read, and errno.
 */
#include "suite/inner.h"

#include <errno.h>

#include "check/check.h"

static bool add_paths(struct xds_suite *s, struct xds_suite_snapshot *w)
{
    struct xds_text all = {.arena = &s->run_arena};
    const struct xds_tree *snapshot = s->head.snapshot;

    if (s->settings.held.data) {
        s->file->snapshot = xds_slice_of(s->settings.held_name);
        if (xds_source_add_bytes(w->source, s->settings.held_name, s->settings.held) !=
            XDS_OK)
            s->status = XDS_ERR_NO_MEMORY;
        return s->status == XDS_OK;
    }
    const bool is_list = snapshot->kind == XDS_TREE_ARRAY;
    const struct xds_tree *paths = is_list ? snapshot->items : snapshot;

    for (size_t i = 0; i < (is_list ? snapshot->n : 1); i++) {
        const struct xds_slice path =
            s->settings.snapshots ? paths[i].text : xds_suite_path(s, paths[i].text);

        if (xds_source_add(w->source, path.data) != XDS_OK)
            return xds_suite_cannot_read(s, path, xds_slice_of(strerror(errno)));
        xds_text_printf(&all, "%s%.*s", i > 0 ? ", " : "", XDS_FMT(path));
    }
    s->file->snapshot = xds_slice_make(all.data, all.len);
    return true;
}

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

/* The first of those that are named and have no resource. */
static struct xds_slice empty_file(const struct xds_report *report)
{
    size_t i = 0;

    while ((report->files.marks[i] & (XDS_FILE_NAMED | XDS_FILE_SAYS)) != XDS_FILE_NAMED)
        i++;
    return report->files.names[i];
}

/* Of a snapshot of which a part is missing no test says anything. */
static bool is_whole(struct xds_suite *s, const struct xds_suite_snapshot *w)
{
    const struct xds_read_sum sum = xds_source_sum(w->source);
    const struct xds_report *report = w->report;

    if (xds_read_is_whole(&sum))
        return true;
    for (size_t i = 0; i < report->n_findings; i++) {
        const struct xds_finding *finding = &report->findings[i];

        if (finding->rule->effect != XDS_EFFECT_SYNTAX)
            continue;
        return xds_suite_cannot_read(
            s,
            xds_arena_printf(&s->run_arena, "%.*s:%u:%u",
                             XDS_FMT(xds_report_file(report, finding->at.file)),
                             finding->at.line, finding->at.column),
            finding->message);
    }
    return xds_suite_cannot_read(s,
                                 sum.empty > 0 ? empty_file(report) : s->file->snapshot,
                                 XDS_S("it has no resource that gRPC reads"));
}

/* The resource that was just read. */
static void add_coverage(struct xds_suite *s, struct xds_suite_snapshot *w,
                         const struct xds_resource *resource,
                         const struct xds_snapshot_entry *entry)
{
    const struct xds_slice file = xds_report_file(w->report, resource->at.file);

    xds_coverage_add(&w->coverage, resource, entry, file, &s->resource);
    if (entry->type == XDS_TYPE_LISTENER && entry->model)
        xds_coverage_add_server(&w->coverage, resource, entry->model, file, &s->resource);
}

static bool read_resources(struct xds_suite *s, struct xds_suite_snapshot *w)
{
    struct xds_resource resource;
    enum xds_status status;

    while ((status = xds_source_next(w->source, &resource)) == XDS_OK) {
        status = xds_check_resource(w->check, &resource);
        if (status != XDS_OK)
            break;
        if (s->settings.coverage) {
            const struct xds_report *report = w->report;
            const struct xds_snapshot *snapshot = &w->check->snapshot;

            for (unsigned type = XDS_TYPE_LISTENER; type <= XDS_TYPE_ROUTE; type++) {
                const struct xds_snapshot_entry *newest = snapshot->last[type];

                if (newest && newest->resource + 1 == report->n_resources)
                    add_coverage(s, w, &resource, newest);
            }
            xds_arena_reset(&s->resource);
        }
    }
    if (status == XDS_ERR_IO)
        return xds_suite_cannot_read(s, xds_slice_of(xds_source_path(w->source)),
                                     xds_slice_of(strerror(errno)));
    if (status != XDS_END)
        s->status = XDS_ERR_NO_MEMORY;
    return status == XDS_END && is_whole(s, w);
}

/* A label of a release names that release. */
static bool set_reader(struct xds_options *options, struct xds_client_release reader)
{
    const struct xds_client_label label = xds_client_label(reader);
    struct xds_ask_note note;

    if (reader.release.major == 0)
        return true;
    options->clients = XDS_CLIENT_BIT(reader.client);
    return xds_options_ask_one(options, xds_slice_of(label.text), &reader.client,
                               &note) == XDS_OK;
}

static bool begin(struct xds_suite *s, struct xds_suite_snapshot *w)
{
    struct xds_options options = s->head.options;

    if (set_reader(&options, w->reader))
        w->report = xds_report_new(&options);
    if (w->report)
        w->source = xds_source_new(w->report, s->head.type);
    if (w->source)
        w->check = xds_check_new(w->report, true);
    if (!w->check)
        s->status = XDS_ERR_NO_MEMORY;
    return w->check;
}

/* What a dump says of the bootstrap that it was made with. */
static bool read_dumped_bootstrap(struct xds_suite *s, struct xds_suite_snapshot *w)
{
    struct xds_options options = w->report->options;
    const char *fault;

    if (options.bootstrap.is_set)
        return true;
    const struct xds_slice text = xds_source_bootstrap(w->source);

    if (text.len == 0)
        return true;
    enum xds_status status = xds_parse(XDS_FORMAT_JSON, text, &w->bootstrap);

    if (status == XDS_OK)
        status = xds_options_set_bootstrap(&options, w->bootstrap, &fault);
    if (status == XDS_OK)
        xds_check_set_options(w->check, &options);
    if (status == XDS_ERR_NO_MEMORY)
        s->status = status;
    return status != XDS_ERR_NO_MEMORY;
}

static struct xds_suite_snapshot *read_as(struct xds_suite *s,
                                          struct xds_client_release reader)
{
    struct xds_suite_snapshot **last = &s->snapshots;
    struct xds_suite_snapshot *w = XDS_NEW(&s->document, struct xds_suite_snapshot);

    w->reader = reader;
    while (*last)
        last = &(*last)->next;
    *last = w;

    if (!begin(s, w) || !add_paths(s, w) || !read_dumped_bootstrap(s, w))
        return NULL;
    if (s->settings.coverage) {
        struct xds_coverage_map *map = &w->coverage;

        map->run_arena = &s->run_arena;
        map->table = table_of(s);
        xds_strmap_init(&map->by_model, &s->document);
        xds_strmap_init(&map->by_server, &s->document);
        xds_strmap_init(&map->by_policy, &s->document);
    }
    return read_resources(s, w) ? w : NULL;
}

struct xds_suite_snapshot *xds_suite_snapshot(struct xds_suite *suite,
                                              struct xds_client_release reader)
{
    for (struct xds_suite_snapshot *w = suite->snapshots; w; w = w->next)
        /* The newest releases of all clients read it at once. */
        if (w->reader.release.major == reader.release.major &&
            w->reader.release.minor == reader.release.minor &&
            w->reader.release.patch == reader.release.patch &&
            (w->reader.client == reader.client || w->reader.release.major == 0))
            return w;
    return read_as(suite, reader);
}

struct xds_explainer *xds_suite_explainer(struct xds_suite *suite,
                                          struct xds_suite_snapshot *snapshot,
                                          enum xds_client client)
{
    if (snapshot->explainers[client])
        return snapshot->explainers[client];
    snapshot->explainers[client] = xds_explainer_new(snapshot->check, client);
    if (snapshot->explainers[client])
        xds_explainer_be_brief(snapshot->explainers[client]);
    snapshot->clients |= XDS_CLIENT_BIT(client);
    if (suite->settings.coverage) {
        const struct xds_snapshot *models = &snapshot->check->snapshot;

        xds_coverage_use(&snapshot->coverage, models, client);
        xds_coverage_reach(&snapshot->coverage, models, client,
                           &snapshot->report->options, &suite->resource);
        xds_arena_reset(&suite->resource);
    }
    return snapshot->explainers[client];
}

struct xds_server *xds_suite_server(struct xds_suite *suite,
                                    struct xds_suite_snapshot *snapshot,
                                    enum xds_client client)
{
    if (snapshot->servers[client])
        return snapshot->servers[client];
    snapshot->servers[client] = xds_server_new(snapshot->check, client);
    snapshot->clients |= XDS_CLIENT_BIT(client);
    if (suite->settings.coverage)
        xds_coverage_use_servers(&snapshot->coverage, &snapshot->check->snapshot, client,
                                 &snapshot->report->options, &suite->resource);
    xds_arena_reset(&suite->resource);
    return snapshot->servers[client];
}

struct xds_joiner *xds_suite_joiner(struct xds_suite *suite,
                                    struct xds_suite_snapshot *snapshot,
                                    enum xds_client client)
{
    if (!snapshot->joiners[client] && xds_suite_server(suite, snapshot, client))
        snapshot->joiners[client] = xds_joiner_new(snapshot->check, client, client);
    return snapshot->joiners[client];
}

void xds_suite_end_snapshots(struct xds_suite *suite)
{
    for (struct xds_suite_snapshot *w = suite->snapshots; w; w = w->next) {
        for (size_t i = 0; i < XDS_CLIENTS; i++)
            xds_explainer_free(w->explainers[i]);
        for (size_t i = 0; i < XDS_CLIENTS; i++)
            xds_server_free(w->servers[i]);
        for (size_t i = 0; i < XDS_CLIENTS; i++)
            xds_joiner_free(w->joiners[i]);
        xds_check_free(w->check);
        xds_source_free(w->source);
        xds_report_free(w->report);
        xds_parsed_free(w->bootstrap);
    }
    suite->snapshots = NULL;
}

static bool is_rejection(const struct xds_suite_snapshot *w,
                         const struct xds_finding *finding)
{
    for (unsigned c = 0; c < XDS_CLIENTS; c++)
        if (w->clients & XDS_CLIENT_BIT(c) && finding->verdict[c] >= XDS_NACK)
            return true;
    return false;
}

void xds_suite_list_rejected(struct xds_suite *suite)
{
    for (const struct xds_suite_snapshot *w = suite->snapshots; w; w = w->next) {
        /* One line for each resource: its first finding. They come in that order. */
        const struct xds_report *report = w->report;
        uint32_t told = XDS_NO_RESOURCE;

        for (size_t i = 0; i < report->n_findings; i++) {
            const struct xds_finding *finding = &report->findings[i];
            const bool again = finding->resource == told;

            if (again || !is_rejection(w, finding))
                continue;
            told = finding->resource;

            struct xds_suite_file *file = suite->file;
            const struct xds_resource_result *r = &report->resources[finding->resource];

            suite->rejected = xds_list_room(&suite->run_arena, suite->rejected,
                                            file->n_rejected, sizeof *suite->rejected);
            file->rejected = suite->rejected;
            suite->rejected[file->n_rejected++] = (struct xds_suite_rejected){
                .type = xds_arena_dup(&suite->run_arena, r->type),
                .name = xds_arena_dup(&suite->run_arena, r->name),
                .file = xds_arena_dup(&suite->run_arena,
                                      xds_report_file(report, finding->at.file)),
                .line = finding->at.line,
                .column = finding->at.column,
                .release = w->reader.release,
                .clients = (r->nacked_by | r->crashed_by) & w->clients,
                .dying = r->crashed_by & w->clients,
                .message = xds_arena_dup(&suite->run_arena, finding->message),
                .rule = xds_slice_of(finding->rule->slug),
            };
        }
    }
}
