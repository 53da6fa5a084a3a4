/* findings_json.c - one JSON document: the resources, the findings, the counts. */
#include "print/findings/findings.h"
#include "print/findings/nack.h"
#include "print/write/json.h"

struct job {
    const struct xds_report *report;
    const struct xds_line *line; /* of a stream; NULL: the report is about all input */
    struct xds_arena arena;
    struct xds_out out;
};

/* What is wrong here may be less than the worst that the rule allows for. */
static const char *effect_name(const struct xds_finding *finding)
{
    static const char *const names[] = {
        [XDS_ACCEPT] = "ignore", [XDS_IGNORE] = "ignore", [XDS_SKIP] = "skip",
        [XDS_NACK] = "nack",     [XDS_CRASH] = "crash",
    };
    unsigned char worst = XDS_ACCEPT;

    if (finding->rule->effect == XDS_EFFECT_SYNTAX)
        return "syntax";
    if (finding->rule->effect == XDS_EFFECT_HYGIENE)
        return "hygiene";
    for (unsigned c = 0; c < XDS_CLIENTS; c++)
        if (finding->verdict[c] > worst)
            worst = finding->verdict[c];
    return names[worst];
}

static void write_start(struct xds_out *out, const struct xds_report *report,
                        struct xds_place at)
{
    xds_json_key_string(out, "file", xds_report_file(report, at.file));
    xds_json_key_u64(out, "line", at.line);
    xds_json_key_u64(out, "column", at.column);
    if (xds_report_is_answer(report, at.file))
        xds_json_key_bool(out, "is_file", false);
}

static void write_identity(struct xds_out *out,
                           const struct xds_resource_result *resource)
{
    xds_json_key_string(out, "type", resource->type);
    xds_json_key_string(out, "name", resource->name);
}

static void write_owner(struct xds_out *out, const struct xds_resource_result *resource)
{
    if (!xds_json_object_or_null(out, "resource", resource) || !resource)
        return;
    const struct xds_slice version = xds_version_of(resource);

    write_identity(out, resource);
    if (version.len > 0)
        xds_json_key_string(out, "version", version);
    if (resource->held && resource->held->is_rejected)
        xds_json_key_bool(out, "in_use", false);
    xds_json_end_object(out);
}

static void write_place(struct xds_out *out, const struct xds_report *report,
                        struct xds_place at)
{
    write_start(out, report, at);
    xds_json_key_u64(out, "end_line", at.end_line);
    xds_json_key_u64(out, "end_column", at.end_column);
}

static const char *const suppressors[] = {
    [XDS_SUPPRESSED_BY_COMMENT] = "comment",
    [XDS_SUPPRESSED_BY_BASELINE] = "baseline",
    [XDS_SUPPRESSED_BY_SETTINGS] = "settings",
};

static void write_finding(struct xds_out *out, const struct xds_report *report,
                          const struct xds_finding *finding)
{
    xds_json_begin_object(out);
    xds_json_key_text(out, "rule", finding->rule->slug);
    xds_json_key_text(out, "level", xds_level_name(finding->level));
    xds_json_key_string(out, "message", finding->message);
    xds_json_key_string(out, "path", finding->path);
    write_owner(out, xds_finding_resource(report, finding));
    write_place(out, report, xds_place_or_start(finding->at));
    xds_json_key_text(out, "effect", effect_name(finding));
    xds_json_verdicts(out, report, finding);
    xds_json_key_text(out, "source", finding->rule->source);
    xds_json_key_array(out, "related");
    if (finding->related) {
        const struct xds_related *related = finding->related;

        xds_json_begin_object(out);
        xds_json_members(out, "message: %.*s, path: %.*s", XDS_FMT(related->message),
                         XDS_FMT(related->path));
        write_owner(out, related->resource == XDS_NO_RESOURCE
                             ? NULL
                             : xds_report_resource(report, related->resource));
        write_place(out, report, xds_place_or_start(related->at));
        xds_json_end_object(out);
    }
    xds_json_end_array(out);
    if (finding->repeats > 0)
        xds_json_key_u64(out, "repeats", finding->repeats);
    if (finding->suppressed != XDS_NOT_SUPPRESSED) {
        xds_json_key(out, "suppression");
        xds_json_object(out, "by: %s, reason: %.*s", suppressors[finding->suppressed],
                        XDS_FMT_OR_NULL(finding->reason.len > 0
                                            ? finding->reason
                                            : xds_slice_make(NULL, 0)));
    }
    xds_json_end_object(out);
}

/* Only where there are some. */
static void write_suppressed(struct xds_out *out, const struct xds_report *report)
{
    if (!xds_report_suppressed(report, 0))
        return;
    xds_json_key_array(xds_json_line(out), "suppressed");
    for (size_t i = 0; xds_report_suppressed(report, i) && !out->failed; i++)
        write_finding(xds_json_line(out), report, xds_report_suppressed(report, i));
    xds_json_end_array(out);
}

static void write_errors(struct xds_out *out, const struct xds_report *report)
{
    if (report->input.n_errors == 0)
        return;
    xds_json_key_array(xds_json_line(out), "errors");
    for (size_t i = 0; i < report->input.n_errors && !out->failed; i++) {
        const struct xds_input_error *error = &report->input.errors[i];

        xds_json_begin_row(out);
        xds_json_key_string(out, "file", error->file);
        if (error->line > 0)
            xds_json_key_u64(out, "line", error->line);
        xds_json_key_string(out, "message", error->message);
        xds_json_end_object(out);
    }
    xds_json_end_array(out);
}

static void write_foreign(struct xds_out *out, const struct xds_report *report)
{
    if (report->input.n_foreign == 0)
        return;
    xds_json_key_array(xds_json_line(out), "not_xds");
    for (size_t i = 0; i < report->input.n_foreign && !out->failed; i++)
        xds_json_row(out, "file: %.*s, line: %u, what: %.*s",
                     XDS_FMT(xds_report_file(report, report->input.foreign[i].at.file)),
                     report->input.foreign[i].at.line,
                     XDS_FMT(report->input.foreign[i].what));
    xds_json_end_array(out);
}

static void write_folders(struct job *job)
{
    struct xds_out *out = &job->out;
    size_t n;
    const struct xds_folder *folders = xds_folders_of(&job->arena, job->report, &n);

    xds_json_key_array(xds_json_line(out), "folders");
    for (size_t i = 0; i < n && !out->failed; i++)
        xds_json_row(out,
                     "folder: %.*s, resources: %zu, nacked: %zu, crashing: %zu, "
                     "errors: %zu, warnings: %zu, notes: %zu",
                     XDS_FMT(folders[i].path), folders[i].sum.resources,
                     folders[i].sum.nacked, folders[i].sum.crashing,
                     folders[i].sum.errors, folders[i].sum.warnings,
                     folders[i].sum.notes);
    xds_json_end_array(out);
}

static void write_dependents(struct xds_out *out, const char *key,
                             const struct xds_dependents *of)
{
    xds_json_key(out, key);
    xds_json_begin_object(out);
    xds_json_key_u64(out, "count", of->n);
    xds_json_key_array(out, "names");
    for (size_t i = 0; i < of->n_names; i++)
        xds_json_string(out, of->names[i]);
    xds_json_end_array(out);
    xds_json_end_object(out);
}

/* Only of what is rejected. */
static void write_impact(struct xds_out *out, const struct xds_report *report,
                         uint32_t resource)
{
    const struct xds_impact *impact = xds_report_impact(report, resource);
    const struct xds_resource_result *result = xds_report_resource(report, resource);

    if (!impact)
        return;
    xds_json_key(out, "impact");
    xds_json_begin_object(out);
    xds_json_clients(out, "clients",
                     (result->nacked_by | result->crashed_by) & report->options.clients);
    write_dependents(out, "listeners", &impact->listeners);
    write_dependents(out, "route_configs", &impact->route_configs);
    xds_json_key_u64(out, "routes", impact->routes);
    write_dependents(out, "clusters", &impact->clusters);
    if (impact->is_open) {
        xds_json_key(out, "at_least");
        xds_json_bool(out, true);
    }
    xds_json_end_object(out);
}

static void write_impact_sum(struct xds_out *out, const struct xds_report *report)
{
    const struct xds_impact_sum sum = xds_report_impact_sum(report);

    if (sum.causes == 0)
        return;
    xds_json_key(xds_json_line(out), "impact");
    xds_json_object(out,
                    "causes: %zu, listeners: %zu, route_configs: %zu, routes: %zu, "
                    "clusters: %zu",
                    sum.causes, sum.listeners, sum.route_configs, sum.routes,
                    sum.clusters);
}

static void write_resource(struct xds_out *out, const struct xds_report *report,
                           struct xds_nacks *nacks, uint32_t i)
{
    const struct xds_resource_result *resource = xds_report_resource(report, i);

    xds_json_begin_row(out);
    write_identity(out, resource);
    if (resource->held)
        xds_json_held(out, resource->held,
                      xds_report_scope(report, resource->held->config));
    write_start(out, report, xds_place_or_start(resource->at));
    if (resource->unjudged) {
        xds_json_key(out, "judged");
        xds_json_bool(out, false);
        xds_json_key_text(out, "why",
                          xds_unjudged_reason((enum xds_unjudged)resource->unjudged));
    } else {
        xds_json_resource_verdicts(out, report, resource);
        xds_json_key(out, "nack");
        xds_json_nack(out, xds_nack_of(nacks, i));
        if (resource->unreadable) {
            xds_json_key(out, "readable");
            xds_json_bool(out, false);
        }
        write_impact(out, report, i);
    }
    xds_json_end_object(out);
}

/* Those that are gRPC bootstraps, or those that are not. */
static void write_resources(struct xds_out *out, const struct xds_report *report,
                            struct xds_nacks *nacks, bool bootstraps)
{
    const size_t n = xds_report_resources(report);

    xds_json_key_array(xds_json_line(out), bootstraps ? "bootstraps" : "resources");
    for (uint32_t i = 0; i < n && !out->failed; i++)
        if (xds_result_is_bootstrap(xds_report_resource(report, i)) == bootstraps)
            write_resource(out, report, nacks, i);
    xds_json_end_array(out);
}

static void write_document(void *arg)
{
    struct job *job = arg;
    struct xds_out *out = &job->out;
    const struct xds_report *report = job->report;
    const size_t n_findings = xds_report_findings(report);
    struct xds_nacks nacks;

    xds_json_begin_document(out);
    if (job->line) {
        const struct xds_line *line = job->line;

        xds_json_members(out, "line: %" PRIu64 ", file: %s", line->number, line->file);
    }
    xds_json_tool(out);
    xds_json_asked(out, xds_report_options(report));
    xds_nacks_init(&nacks, &job->arena, report);
    write_resources(out, report, &nacks, false);
    if (xds_report_summary(report).bootstraps > 0)
        write_resources(out, report, &nacks, true);
    xds_json_key_array(xds_json_line(out), "findings");
    for (size_t i = 0; i < n_findings && !out->failed; i++)
        write_finding(xds_json_line(out), report, xds_report_finding(report, i));
    xds_json_end_array(out);
    write_suppressed(out, report);
    write_foreign(out, report);
    write_errors(out, report);
    if (report->options.each)
        write_folders(job);
    write_impact_sum(out, report);
    xds_json_summary(out, report);
    xds_json_end_document(out);
}

enum xds_status xds_print_findings_json(const struct xds_printer *to,
                                        const struct xds_report *report)
{
    struct job job = {.report = report};

    return xds_out_run(&job.out, &job.arena, to, write_document, &job);
}

enum xds_status xds_print_line_json(const struct xds_printer *to,
                                    const struct xds_report *report,
                                    const struct xds_line *line)
{
    struct xds_printer compact = *to;
    struct job job = {.report = report, .line = line};

    compact.one_line = true;
    return xds_out_run(&job.out, &job.arena, &compact, write_document, &job);
}
