/* findings.c - what all formats of findings share. */
#include "print/inner.h"

struct xds_place xds_place_or_start(struct xds_place place)
{
    if (place.line > 0)
        return place;
    return (struct xds_place){place.file, 1, 1, 1, 1};
}

struct xds_slice xds_file_from_root(struct xds_slice file)
{
    while (xds_slice_starts(file, XDS_S("./")))
        file = xds_slice_from(file, 2);
    return file;
}

struct xds_slice xds_type_short(struct xds_slice type)
{
    size_t from = type.len;

    while (from > 0 && type.data[from - 1] != '.')
        from--;
    return xds_slice_from(type, from);
}

const struct xds_resource_result *xds_finding_resource(const struct xds_report *report,
                                                       const struct xds_finding *finding)
{
    if (finding->resource == XDS_NO_RESOURCE)
        return NULL;
    return xds_report_resource(report, finding->resource);
}

static void print_start(struct xds_out *out, const struct xds_report *report,
                        struct xds_place at, enum xds_level level)
{
    static const enum xds_style styles[] = {
        [XDS_LEVEL_NOTE] = XDS_STYLE_CYAN,
        [XDS_LEVEL_WARNING] = XDS_STYLE_YELLOW,
        [XDS_LEVEL_ERROR] = XDS_STYLE_RED,
    };

    at = xds_place_or_start(at);
    xds_out_clean(out,
                  xds_report_file(report, at.file)); /* in pieces: of many findings */
    xds_out_char(out, ':');
    xds_out_u64(out, at.line);
    xds_out_char(out, ':');
    xds_out_u64(out, at.column);
    xds_out_text(out, ": ");
    xds_out_styled(out, styles[level], xds_level_name(level));
}

void xds_out_finding_line(struct xds_out *out, const struct xds_report *report,
                          const struct xds_finding *finding)
{
    print_start(out, report, finding->at, finding->level);
    xds_out_line(out, ": %.*s [%s]", XDS_FMT(finding->message), finding->rule->slug);
}

void xds_out_related_line(struct xds_out *out, const struct xds_report *report,
                          const struct xds_finding *finding)
{
    const struct xds_related *related = finding->related;

    if (!related)
        return;
    print_start(out, report, related->at, XDS_LEVEL_NOTE);
    xds_out_line(out, ": %.*s", XDS_FMT(related->message));
}

void xds_out_clients(struct xds_out *out, unsigned clients)
{
    xds_out_text(out, xds_client_list(clients, ", ").text);
}

void xds_json_clients(struct xds_out *out, const char *key, unsigned clients)
{
    xds_json_key_array(out, key);
    for (enum xds_client c = 0; c < XDS_CLIENTS; c++)
        if (clients & XDS_CLIENT_BIT(c))
            xds_json_text(out, xds_client_name(c));
    xds_json_end_array(out);
}

static struct xds_slice text_or_null(struct xds_slice text)
{
    return text.len > 0 ? text : (struct xds_slice){NULL, 0};
}

void xds_json_held(struct xds_out *out, const struct xds_held *held)
{
    xds_json_key_object(out, "held");
    xds_json_key_text(
        out, "status",
        held->status == XDS_HELD_UNKNOWN ? NULL : xds_held_status_name(held->status));
    xds_json_key_string_or_null(out, "version", text_or_null(held->version));
    xds_json_key_string_or_null(out, "updated", text_or_null(held->updated));
    if (held->error.len > 0 || held->error_version.len > 0 || held->error_time.len > 0) {
        xds_json_key_object(out, "error");
        xds_json_members(out, "details: %.*s, version: %.*s, time: %.*s",
                         XDS_FMT_OR_NULL(text_or_null(held->error)),
                         XDS_FMT_OR_NULL(text_or_null(held->error_version)),
                         XDS_FMT_OR_NULL(text_or_null(held->error_time)));
        xds_json_end_object(out);
    }
    xds_json_key_string_or_null(out, "node", text_or_null(held->node));
    xds_json_key_bool(out, "in_use", !held->is_rejected && !held->is_absent);
    xds_json_end_object(out);
}

void xds_json_tool(struct xds_out *out)
{
    xds_json_key(out, "tool");
    xds_json_object(out, "name: %s, version: %s", "xdscope", xds_version());
}

void xds_out_levels(struct xds_out *out, struct xds_summary sum)
{
    xds_out_format(out, "%zu error%s, %zu warning%s, %zu note%s", sum.errors,
                   xds_plural(sum.errors), sum.warnings, xds_plural(sum.warnings),
                   sum.notes, xds_plural(sum.notes));
}

struct xds_folder *xds_folders_of(struct xds_arena *arena,
                                  const struct xds_report *report, size_t *n)
{
    const unsigned asked = report->options.clients;
    size_t *of_file = XDS_NEW_ARRAY(arena, size_t, report->n_files);
    struct xds_folder *folders = XDS_NEW_ARRAY(arena, struct xds_folder, report->n_files);

    *n = 0;
    for (size_t i = 0; i < report->n_files; i++) {
        struct xds_slice path = report->files[i];

        while (path.len > 1 && path.data[path.len - 1] != '/')
            path.len--;
        if (path.len > 0 && path.data[path.len - 1] != '/')
            path = XDS_S("./");
        if (*n == 0 || !xds_slice_eq(folders[*n - 1].path, path))
            folders[(*n)++] = (struct xds_folder){.path = path};
        of_file[i] = *n - 1;
    }
    for (size_t i = 0; i < report->n_resources; i++) {
        const struct xds_resource_result *resource = &report->resources[i];
        struct xds_summary *sum = &folders[of_file[resource->at.file]].sum;

        sum->resources++;
        sum->nacked += (resource->nacked_by & asked) != 0;
        sum->crashing += (resource->crashed_by & asked) != 0;
    }
    for (size_t i = 0; i < report->n_findings; i++) {
        const struct xds_finding *finding = &report->findings[i];
        struct xds_summary *sum = &folders[of_file[finding->at.file]].sum;

        sum->errors += finding->level == XDS_LEVEL_ERROR;
        sum->warnings += finding->level == XDS_LEVEL_WARNING;
        sum->notes += finding->level == XDS_LEVEL_NOTE;
    }
    return folders;
}

/* The most important line, so it comes last. */
void xds_out_summary(struct xds_out *out, struct xds_summary sum)
{
    if (sum.resources == 0 && sum.errors > 0) {
        xds_out_text(out, "the input could not be read: ");
    } else if (sum.resources == 0) {
        xds_out_text(out, "no resource was judged: ");
    } else {
        xds_out_format(out, "%zu of %zu resource%s would be rejected", sum.nacked,
                       sum.resources, xds_plural(sum.resources));
        if (sum.crashing)
            xds_out_format(out, ", %zu would kill a client", sum.crashing);
        xds_out_text(out, ": ");
    }
    xds_out_levels(out, sum);
    if (sum.suppressed)
        xds_out_format(out, "; %zu suppressed", sum.suppressed);
    if (sum.dropped) {
        xds_out_format(out, "; not shown: %zu more finding%s", sum.dropped,
                       xds_plural(sum.dropped));
    }
    xds_out_char(out, '\n');
}

void xds_json_summary(struct xds_out *out, struct xds_summary sum)
{
    xds_json_key(xds_json_line(out), "summary");
    xds_json_object(out,
                    "resources: %zu, nacked: %zu, crashing: %zu, errors: %zu, "
                    "warnings: %zu, notes: %zu, dropped: %zu, suppressed: %zu",
                    sum.resources, sum.nacked, sum.crashing, sum.errors, sum.warnings,
                    sum.notes, sum.dropped, sum.suppressed);
}

void xds_json_brief_finding(struct xds_out *out, const struct xds_report *report,
                            const struct xds_finding *finding)
{
    xds_json_row(out,
                 "rule: %s, file: %.*s, line: %u, column: %u, path: %.*s, message: %.*s",
                 finding->rule->slug, XDS_FMT(xds_report_file(report, finding->at.file)),
                 finding->at.line, finding->at.column, XDS_FMT(finding->path),
                 XDS_FMT(finding->message));
}
