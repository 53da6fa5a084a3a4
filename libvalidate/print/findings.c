/* findings.c - what all formats of findings share. */
#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

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

void xds_json_key_message(struct xds_out *out, const char *key,
                          const struct xds_report *report,
                          const struct xds_finding *finding)
{
    const struct xds_resource_result *resource = xds_finding_resource(report, finding);

    /* What shows in a list is the first sentence; the rest is read on the page. */
    xds_json_key(out, key);
    xds_json_begin_string(out);
    xds_json_part(out, finding->message);
    if (resource && finding->rule->effect != XDS_EFFECT_HYGIENE) {
        xds_json_parts(out,
                       ". %.*s \\\"%.*s\\\": ", XDS_FMT(xds_type_short(resource->type)),
                       XDS_FMT(resource->name));
        xds_out_verdicts(out, report, finding);
    }
    xds_json_end_string(out);
}

/* As GitHub makes its own: the hash, and which one of those with that hash it is. */
struct xds_short_text xds_fingerprint(struct xds_strmap *given,
                                      const struct xds_report *report,
                                      const struct xds_finding *finding)
{
    const struct xds_resource_result *resource = xds_finding_resource(report, finding);
    const struct xds_slice parts[] = {
        xds_slice_of(finding->rule->slug),
        resource ? resource->type : XDS_S(""),
        resource ? resource->name : xds_report_file(report, finding->at.file),
        finding->path,
    };
    uint64_t hash = 0;
    struct xds_short_text text;

    for (size_t i = 0; i < XDS_ARRAY_LEN(parts); i++)
        hash = XXH64(parts[i].len > 0 ? parts[i].data : "", parts[i].len, hash + i);
    void **slot = xds_strmap_at(given, xds_slice_make((const char *)&hash, sizeof hash));
    const uintptr_t times = (uintptr_t)*slot + 1;

    *slot = (void *)times;
    (void)snprintf(text.text, sizeof text.text, "%016llx:%llu", (unsigned long long)hash,
                   (unsigned long long)times);
    return text;
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

        sum->resources += !resource->unjudged;
        sum->nacked += !resource->unreadable && (resource->nacked_by & asked) != 0;
        sum->unreadable += resource->unreadable;
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

/* Resources that the same clients reject, or die of. */
struct group {
    unsigned clients;
    size_t n;
};

enum { GROUPS = 1 << XDS_CLIENTS, SHOWN = 4 };

/* The most resources first; then the most clients. */
static int by_size(const void *left, const void *right)
{
    const struct group *a = left, *b = right;

    if (a->n != b->n)
        return a->n > b->n ? -1 : 1;
    return (a->clients < b->clients) - (a->clients > b->clients);
}

static size_t group_by_clients(const struct xds_report *report, bool crashes,
                               struct group groups[GROUPS])
{
    size_t n = 0;

    for (unsigned i = 0; i < GROUPS; i++)
        groups[i] = (struct group){i, 0};
    for (size_t i = 0; i < report->n_resources; i++) {
        const struct xds_resource_result *resource = &report->resources[i];

        const unsigned clients = crashes                ? resource->crashed_by
                                 : resource->unreadable ? 0
                                                        : resource->nacked_by;

        groups[clients & report->options.clients].n++;
    }
    groups[0].n = 0;
    qsort(groups, GROUPS, sizeof *groups, by_size);
    while (n < GROUPS && groups[n].n > 0)
        n++;
    return n;
}

/* "the documents, core and go" */
static void name_clients(struct xds_out *out, const struct xds_report *report,
                         unsigned clients)
{
    const unsigned documents = clients & XDS_CLIENT_BIT(XDS_CLIENT_GRFC);
    const unsigned others = clients & ~documents;

    if (clients == XDS_ALL_CLIENTS) {
        xds_out_text(out, "all");
        return;
    }
    if (documents)
        xds_out_text(out, "the documents");
    if (documents && others)
        xds_out_text(out, others & (others - 1) ? ", " : " and ");
    else if (documents && report->options.clients != documents)
        xds_out_text(out, " only");
    xds_out_text(out, xds_client_list(others, " and ").text);
}

/* "rejected by go"; of several groups "rejected (3 by go and java, 1 by all)". */
static void out_groups(struct xds_out *out, const struct xds_report *report, bool crashes)
{
    const char *by = crashes ? "" : "by ";
    struct group groups[GROUPS];
    const size_t n = group_by_clients(report, crashes, groups);
    const size_t shown = n > SHOWN ? SHOWN - 1 : n;
    size_t rest = 0;

    if (n == 1) {
        xds_out_format(out, " %s", by);
        name_clients(out, report, groups->clients);
        return;
    }
    xds_out_text(out, crashes ? " a client (" : " (");
    for (size_t i = 0; i < shown; i++) {
        xds_out_format(out, "%s%zu %s", i > 0 ? ", " : "", groups[i].n, by);
        name_clients(out, report, groups[i].clients);
    }
    for (size_t i = shown; i < n; i++)
        rest += groups[i].n;
    if (rest > 0)
        xds_out_format(out, ", %zu %sothers", rest, by);
    xds_out_char(out, ')');
}

/* Who rejects or dies. */
static void out_verdicts(struct xds_out *out, const struct xds_report *report,
                         struct xds_summary sum, bool is_folder)
{
    const unsigned asked = report->options.clients;
    const bool is_one = !(asked & (asked - 1));

    xds_out_format(out, "%zu of %zu resource%s would be rejected", sum.nacked,
                   sum.resources, xds_plural(sum.resources));
    if (is_one) {
        xds_out_text(out, " by ");
        name_clients(out, report, asked);
    } else if (sum.nacked > 0 && !is_folder)
        out_groups(out, report, false);
    if (sum.crashing > 0) {
        xds_out_format(out, ", %zu would kill", sum.crashing);
        if (is_folder)
            xds_out_text(out, " a client");
        else
            out_groups(out, report, true);
    }
    if (sum.unreadable > 0)
        xds_out_format(out, ", %zu cannot be read", sum.unreadable);
    xds_out_text(out, ": ");
}

/* The most important line, so it comes last. */
static void out_sum(struct xds_out *out, const struct xds_report *report,
                    struct xds_summary sum, bool is_folder)
{
    if (sum.resources > 0)
        out_verdicts(out, report, sum, is_folder);
    else
        xds_out_text(out, sum.errors > 0 && sum.unjudged == 0
                              ? "the input could not be read: "
                              : "no resource was judged: ");
    xds_out_format(out, "%zu error%s, %zu warning%s, %zu note%s", sum.errors,
                   xds_plural(sum.errors), sum.warnings, xds_plural(sum.warnings),
                   sum.notes, xds_plural(sum.notes));
    if (sum.suppressed)
        xds_out_format(out, "; %zu suppressed", sum.suppressed);
    if (sum.dropped) {
        xds_out_format(out, "; not shown: %zu more finding%s", sum.dropped,
                       xds_plural(sum.dropped));
    }
    xds_out_char(out, '\n');
}

void xds_out_folder(struct xds_out *out, const struct xds_report *report,
                    const struct xds_folder *folder)
{
    xds_out_format(out, "%.*s: ", XDS_FMT(folder->path));
    out_sum(out, report, folder->sum, true);
}

void xds_out_summary(struct xds_out *out, const struct xds_report *report)
{
    out_sum(out, report, xds_report_summary(report), false);
}

static void json_groups(struct xds_out *out, const struct xds_report *report,
                        const char *key, bool crashes)
{
    struct group groups[GROUPS];
    const size_t n = group_by_clients(report, crashes, groups);

    xds_json_key_array(out, key);
    for (size_t i = 0; i < n; i++) {
        xds_json_begin_object(out);
        xds_json_clients(out, "clients", groups[i].clients);
        xds_json_key_u64(out, "resources", groups[i].n);
        xds_json_end_object(out);
    }
    xds_json_end_array(out);
}

void xds_json_summary(struct xds_out *out, const struct xds_report *report)
{
    const struct xds_summary sum = xds_report_summary(report);

    xds_json_key_object(xds_json_line(out), "summary");
    xds_json_members(out,
                     "resources: %zu, nacked: %zu, crashing: %zu, errors: %zu, "
                     "warnings: %zu, notes: %zu, dropped: %zu, suppressed: %zu",
                     sum.resources, sum.nacked, sum.crashing, sum.errors, sum.warnings,
                     sum.notes, sum.dropped, sum.suppressed);
    if (sum.unreadable > 0)
        xds_json_key_u64(out, "unreadable", sum.unreadable);
    if (sum.unjudged > 0)
        xds_json_key_u64(out, "not_judged", sum.unjudged);
    json_groups(out, report, "nacked_by", false);
    json_groups(out, report, "crashing_by", true);
    xds_json_end_object(out);
}

/* "14 listeners, 3 clusters" of the resources that are left out for one reason. */
static struct xds_slice count_types(struct xds_arena *arena,
                                    const struct xds_report *report,
                                    enum xds_unjudged why)
{
    static const char *const names[] = {
        [XDS_TYPE_LISTENER] = "listener",
        [XDS_TYPE_ROUTE] = "route configuration",
        [XDS_TYPE_CLUSTER] = "cluster",
        [XDS_TYPE_ENDPOINT] = "ClusterLoadAssignment",
    };
    size_t n[XDS_ARRAY_LEN(names)] = {0};
    struct xds_slice list = XDS_S("");

    for (size_t i = 0; i < report->n_resources; i++)
        if (report->resources[i].unjudged == why)
            n[xds_resource_type_from_name(report->resources[i].type)]++;
    for (size_t type = XDS_TYPE_LISTENER; type < XDS_ARRAY_LEN(names); type++)
        if (n[type] > 0)
            list = xds_arena_printf(arena, "%.*s%s%zu %s%s", XDS_FMT(list),
                                    list.len > 0 ? ", " : "", n[type], names[type],
                                    xds_plural(n[type]));
    return list;
}

void xds_out_unjudged(struct xds_out *out, struct xds_arena *arena,
                      const struct xds_report *report)
{
    for (enum xds_unjudged why = XDS_JUDGED + 1; why <= XDS_UNJUDGED_UNREACHED; why++) {
        const struct xds_slice list = count_types(arena, report, why);

        if (list.len > 0)
            xds_out_line(
                out, "%.*s %s, not judged%s", XDS_FMT(list), xds_unjudged_reason(why),
                why == XDS_UNJUDGED_UNREACHED ? "" : " (--role all judges them)");
    }
}

/* "listener "a", "b" and 3 more"; nothing of none. */
static const char *out_dependents(struct xds_out *out, const char *separator,
                                  const char *name, const struct xds_dependents *of)
{
    enum { SHOWN_NAMES = 3 };
    const size_t shown = of->n_names < SHOWN_NAMES ? of->n_names : SHOWN_NAMES;

    if (of->n == 0)
        return separator;
    xds_out_format(out, "%s%s%s", separator, name, xds_plural(of->n));
    for (size_t i = 0; i < shown; i++) {
        xds_out_text(out, i > 0 ? ", " : " ");
        xds_doc_quoted(out, of->names[i]);
    }
    if (of->n > shown)
        xds_out_format(out, " and %zu more", of->n - shown);
    return ", ";
}

/* More than the resource itself, which is among its dependents. */
static bool hits_others(const struct xds_report *report, const struct xds_impact *impact)
{
    const struct xds_slice type = xds_report_resource(report, impact->resource)->type;
    const size_t n = impact->listeners.n + impact->route_configs.n + impact->clusters.n;

    return n > (xds_resource_type_from_name(type) != XDS_TYPE_ENDPOINT);
}

void xds_out_impact(struct xds_out *out, const struct xds_report *report,
                    uint32_t resource)
{
    const struct xds_impact *impact = xds_report_impact(report, resource);
    const char *separator = "";

    if (!impact || !hits_others(report, impact))
        return;
    const struct xds_resource_result *result = xds_report_resource(report, resource);
    const unsigned asked = report->options.clients;
    const unsigned clients = (result->nacked_by | result->crashed_by) & asked;

    xds_out_text(out, "    hits");
    if (clients != asked) {
        xds_out_text(out, " in ");
        xds_out_clients(out, clients);
    }
    xds_out_text(out, ": ");
    if (impact->routes > 0) {
        xds_out_format(out, "RPCs of %s%zu route%s", impact->is_open ? "at least " : "",
                       impact->routes, xds_plural(impact->routes));
        separator = " of ";
    }
    separator =
        out_dependents(out, separator, "route configuration", &impact->route_configs);
    const bool aside = impact->route_configs.n > 0 && impact->listeners.n > 0;

    separator =
        out_dependents(out, aside ? " (" : separator, "listener", &impact->listeners);
    xds_out_text(out, aside ? ")" : "");
    if (impact->routes == 0)
        (void)out_dependents(out, separator, "cluster", &impact->clusters);
    xds_out_line(out, "%s",
                 result->crashed_by & asked
                     ? ": each client that reads it dies"
                     : ": the old version stays, or UNAVAILABLE where there is none");
}

void xds_out_impact_sum(struct xds_out *out, const struct xds_report *report)
{
    const struct xds_impact_sum sum = xds_report_impact_sum(report);
    size_t i = 0;

    while (i < report->n_impacts && !hits_others(report, &report->impacts[i]))
        i++;
    if (i < report->n_impacts)
        xds_out_line(out, "%zu cause%s: %zu listener%s, %zu route%s affected", sum.causes,
                     xds_plural(sum.causes), sum.listeners, xds_plural(sum.listeners),
                     sum.routes, xds_plural(sum.routes));
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
