/* findings.c - what all formats of findings share. */
#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

#include "print/findings/findings.h"
#include "print/write/document.h"
#include "print/write/json.h"

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

struct xds_slice xds_version_of(const struct xds_resource_result *resource)
{
    if (!resource || !resource->held)
        return XDS_S("");
    return resource->held->is_rejected ? resource->held->error_version
                                       : resource->held->version;
}

/* "Cluster "a" (version 3), lb_policy": where something is that has no lines; nothing of
 * no resource. */
static void put_in_answer(struct xds_out *out, const struct xds_report *report,
                          struct xds_where where)
{
    const struct xds_resource_result *resource =
        where.resource == XDS_NO_RESOURCE ? NULL
                                          : xds_report_resource(report, where.resource);
    const struct xds_slice version = xds_version_of(resource);

    if (!resource)
        return;
    const struct xds_slice type = xds_type_short(resource->type);

    xds_out_format(out, "%.*s ", XDS_FMT(type.len > 0 ? type : XDS_S("resource")));
    xds_doc_quoted(out, resource->name);
    if (version.len > 0)
        xds_out_format(out, " (version %.*s)", XDS_FMT(version));
    if (where.path.len > 0)
        xds_out_format(out, ", %.*s", XDS_FMT(where.path));
}

/* "in.yaml:3:7: error"; of what a server has sent, "ads://host:443: Cluster "a" (version
 * 3), lb_policy: error". */
static void print_start(struct xds_out *out, const struct xds_report *report,
                        struct xds_where where, enum xds_level level)
{
    static const enum xds_style styles[] = {
        [XDS_LEVEL_NOTE] = XDS_STYLE_CYAN,
        [XDS_LEVEL_WARNING] = XDS_STYLE_YELLOW,
        [XDS_LEVEL_ERROR] = XDS_STYLE_RED,
    };
    const struct xds_place at = xds_place_or_start(where.at);

    xds_out_clean(out,
                  xds_report_file(report, at.file)); /* in pieces: of many findings */
    if (!xds_report_is_answer(report, at.file)) {
        xds_out_char(out, ':');
        xds_out_u64(out, at.line);
        xds_out_char(out, ':');
        xds_out_u64(out, at.column);
    } else if (where.resource != XDS_NO_RESOURCE) {
        xds_out_text(out, ": ");
        put_in_answer(out, report, where);
    }
    xds_out_text(out, ": ");
    xds_out_styled(out, styles[level], xds_level_name(level));
}

struct xds_where xds_where_of(const struct xds_finding *finding)
{
    return (struct xds_where){finding->at, finding->resource, finding->path};
}

struct xds_where xds_where_related(const struct xds_related *related)
{
    return (struct xds_where){related->at, related->resource, related->path};
}

void xds_out_finding_line(struct xds_out *out, const struct xds_report *report,
                          const struct xds_finding *finding)
{
    print_start(out, report, xds_where_of(finding), finding->level);
    xds_out_line(out, ": %.*s [%s]", XDS_FMT(finding->message), finding->rule->slug);
}

void xds_out_related_line(struct xds_out *out, const struct xds_report *report,
                          const struct xds_finding *finding)
{
    const struct xds_related *related = finding->related;

    if (!related)
        return;
    print_start(out, report, xds_where_related(related), XDS_LEVEL_NOTE);
    xds_out_line(out, ": %.*s", XDS_FMT(related->message));
}

void xds_json_key_message(struct xds_out *out, const char *key,
                          const struct xds_report *report,
                          const struct xds_finding *finding)
{
    const struct xds_resource_result *resource = xds_finding_resource(report, finding);
    const struct xds_slice version = xds_version_of(resource);

    /* What shows in a list is the first sentence; the rest is read on the page. */
    xds_json_key(out, key);
    xds_json_begin_string(out);
    xds_json_part(out, finding->message);
    if (resource && finding->rule->effect != XDS_EFFECT_HYGIENE) {
        xds_json_parts(out, ". %.*s \\\"%.*s\\\"",
                       XDS_FMT(xds_type_short(resource->type)), XDS_FMT(resource->name));
        if (version.len > 0)
            xds_json_parts(out, " (version %.*s)", XDS_FMT(version));
        xds_out_text(out, ": ");
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

void xds_out_people(struct xds_out *out, unsigned clients)
{
    const unsigned documents = XDS_CLIENT_BIT(XDS_CLIENT_GRFC);

    if ((clients | documents) == XDS_ALL_CLIENTS)
        xds_out_text(out, "all clients");
    else if (clients == documents)
        xds_out_text(out, "the documents only");
    else
        xds_out_clients(out, out->to->verbose ? clients : clients & ~documents);
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

void xds_json_held(struct xds_out *out, const struct xds_held *held,
                   struct xds_slice scope)
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
    if (scope.len > 0)
        xds_json_key_string(out, "client_scope", scope);
    xds_json_key_bool(out, "in_use", !held->is_rejected && !held->is_absent);
    if (held->against)
        xds_json_members(out, "against: %s", held->against);
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
    size_t *of_file = XDS_NEW_ARRAY(arena, size_t, report->files.n);
    struct xds_folder *folders = XDS_NEW_ARRAY(arena, struct xds_folder, report->files.n);

    *n = 0;
    for (size_t i = 0; i < report->files.n; i++) {
        struct xds_slice path = report->files.names[i];

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

        if (xds_result_is_bootstrap(resource)) {
            sum->bootstraps++;
            sum->refused_bootstraps += (resource->nacked_by & asked) != 0;
            sum->killing_bootstraps += (resource->crashed_by & asked) != 0;
            continue;
        }
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

/* Of those that were asked for, who rejects the resource or dies of it; false: only the
 * documents do. */
static bool find_hit(const struct xds_out *out, const struct xds_report *report,
                     const struct xds_resource_result *resource,
                     struct xds_reader_list *asked)
{
    size_t n = 0;

    xds_readers_asked(out, report, asked);
    for (size_t i = 0; i < asked->n; i++) {
        asked->in[i] =
            xds_resource_verdict(report, resource, asked->who[i]) != XDS_ACCEPT;
        n += asked->in[i];
    }
    asked->all = n == asked->n;
    return n > 0;
}

void xds_out_impact(struct xds_out *out, const struct xds_report *report,
                    uint32_t resource)
{
    const struct xds_impact *impact = xds_report_impact(report, resource);
    const char *separator = "";

    if (!impact || !hits_others(report, impact))
        return;
    const struct xds_resource_result *result = xds_report_resource(report, resource);
    struct xds_reader_list asked;

    if (!find_hit(out, report, result, &asked))
        return;
    xds_out_text(out, "    affects");
    if (!asked.all) {
        xds_out_text(out, " in ");
        xds_out_readers(out, &asked, ", ");
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
                 result->crashed_by & report->options.clients
                     ? ": each client that reads it dies"
                     : ": the old version stays, or UNAVAILABLE where there is none");
}

static bool hits_client(const struct xds_out *out, const struct xds_report *report,
                        const struct xds_impact *impact)
{
    struct xds_reader_list asked;

    return hits_others(report, impact) &&
           find_hit(out, report, xds_report_resource(report, impact->resource), &asked);
}

void xds_out_impact_sum(struct xds_out *out, const struct xds_report *report)
{
    const struct xds_impact_sum sum = xds_report_impact_sum(report);
    size_t i = 0;

    while (i < report->impact.n && !hits_client(out, report, &report->impact.list[i]))
        i++;
    if (i < report->impact.n)
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
