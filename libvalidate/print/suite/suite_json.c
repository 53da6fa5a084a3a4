/* suite_json.c - what came of a suite, as one JSON document. */
#include "print/findings/findings.h"
#include "print/write/json.h"

#include <math.h>
#include <string.h>

/* A value that is JSON already. */
static void key_value(struct xds_out *out, const char *key, struct xds_slice json)
{
    xds_json_key(out, key);
    if (json.data)
        xds_json_value(out, json);
    else
        xds_json_null(out);
}

static void write_case(struct xds_out *out, const struct xds_suite_case *c)
{
    xds_json_begin_row(out);
    xds_json_members(
        out, "name: %.*s, client: %s, ok: %d, line: %u, column: %u",
        XDS_FMT_OR_NULL(c->name),
        xds_client_label((struct xds_client_release){c->client, c->release}).text, c->ok,
        c->line, c->column);
    xds_json_key_array(out, "mismatches");
    for (size_t i = 0; i < c->n_mismatches; i++) {
        const struct xds_suite_mismatch *m = &c->mismatches[i];

        xds_json_begin_row(out);
        xds_json_key_string_or_null(out, "path", m->path);
        key_value(out, "want", m->want);
        key_value(out, "got", m->got);
        xds_json_members(out, "exists: %d, line: %u, column: %u", m->exists, m->line,
                         m->column);
        xds_json_end_object(out);
    }
    xds_json_end_array(out);
    xds_json_members(out, "more_mismatches: %zu, ending: %.*s, explanation: %.*s",
                     c->n_more_mismatches, XDS_FMT_OR_NULL(c->ending),
                     XDS_FMT_OR_NULL(c->explanation));
    xds_json_end_object(out);
}

static void write_file(struct xds_out *out, const struct xds_suite_file *file,
                       const struct xds_suite_view *view)
{
    xds_json_begin_row(out);
    xds_json_members(out, "file: %.*s, snapshot: %.*s, client: %.*s",
                     XDS_FMT_OR_NULL(file->name), XDS_FMT_OR_NULL(file->snapshot),
                     XDS_FMT_OR_NULL(file->client));
    if (xds_json_object_or_null(out, "error", file->unread.data)) {
        xds_json_members(out, "path: %.*s, message: %.*s", XDS_FMT_OR_NULL(file->unread),
                         XDS_FMT_OR_NULL(file->why));
        xds_json_end_object(out);
    }
    if (file->n_unjudged > 0) {
        xds_json_key_array(out, "not_judged");
        for (size_t i = 0; i < file->n_unjudged; i++) {
            const struct xds_suite_unjudged *u = &file->unjudged[i];

            xds_json_object(out, "member: %.*s, reason: %s, line: %u, count: %zu",
                            XDS_FMT(u->member), u->why, u->line, u->times);
        }
        xds_json_end_array(out);
    }
    xds_json_key_array(out, "rejected");
    for (size_t i = 0; i < file->n_rejected; i++) {
        const struct xds_suite_rejected *r = &file->rejected[i];

        xds_json_begin_row(out);
        xds_json_members(out, "type: %.*s, name: %.*s", XDS_FMT_OR_NULL(r->type),
                         XDS_FMT_OR_NULL(r->name));
        xds_json_key_array(out, "clients");
        for (enum xds_client c = 0; c < XDS_CLIENTS; c++)
            if (r->clients & XDS_CLIENT_BIT(c))
                xds_json_text(
                    out,
                    xds_client_label((struct xds_client_release){c, r->release}).text);
        xds_json_end_array(out);
        xds_json_members(out,
                         "rule: %.*s, message: %.*s, file: %.*s, line: %u, column: %u",
                         XDS_FMT_OR_NULL(r->rule), XDS_FMT_OR_NULL(r->message),
                         XDS_FMT_OR_NULL(r->file), r->line, r->column);
        xds_json_end_object(out);
    }
    xds_json_end_array(out);
    xds_json_key_array(out, "cases");
    for (size_t i = 0; i < file->n_cases; i++)
        if (!view->only_failures || !file->cases[i].ok)
            write_case(out, &file->cases[i]);
    xds_json_end_array(out);
    xds_json_end_object(out);
}

static void write_counts(struct xds_out *out, const char *key, size_t covered, size_t all)
{
    xds_json_key(out, key);
    xds_json_object(out, "total: %zu, covered: %zu", all, covered);
}

static void write_config(struct xds_out *out, const struct xds_covered_config *config)
{
    xds_json_begin_row(out);
    xds_json_members(out, "name: %.*s, inline: %d, file: %.*s", XDS_FMT(config->name),
                     config->is_inline, XDS_FMT(config->file));
    xds_json_key_array(out, "routes");
    for (size_t i = 0; i < config->n_routes; i++)
        if (config->routes[i].clients) {
            const struct xds_covered_route *route = &config->routes[i];

            xds_json_begin_row(out);
            xds_json_members(out,
                             "path: %.*s, virtual_host: %.*s, name: %.*s, line: %u, "
                             "column: %u, takes: %.*s, "
                             "times: %zu",
                             XDS_FMT(route->path), XDS_FMT(route->virtual_host_name),
                             XDS_FMT(route->name), route->line, route->column,
                             XDS_FMT(route->reach), route->times);
            if (!route->reached_by) {
                xds_json_key_bool(out, "reachable", false);
                xds_json_key_u64_or_null(out, "shadowed_by",
                                         route->shadowed_by != XDS_NOT_SHADOWED,
                                         route->shadowed_by);
            }
            xds_json_key_array(out, "weighted_targets");
            for (size_t k = 0; k < route->n_targets; k++) {
                const struct xds_covered_target *target = &route->targets[k];

                xds_json_row(
                    out,
                    "path: %.*s, cluster: %.*s, weight: %u, line: %u, column: %u, "
                    "times: %zu",
                    XDS_FMT(target->path), XDS_FMT(target->cluster), target->weight,
                    target->line, target->column, target->times);
            }
            xds_json_end_array(out);
            xds_json_end_object(out);
        }
    xds_json_end_array(out);
    xds_json_end_object(out);
}

static void write_policies(struct xds_out *out, const struct xds_covered_chain *chain)
{
    xds_json_key_array(out, "policies");
    for (size_t i = 0; i < chain->n_policies; i++) {
        const struct xds_covered_policy *policy = &chain->policies[i];

        xds_json_row(out,
                     "filter: %.*s, name: %.*s, action: %s, line: %u, column: %u, "
                     "times: %zu",
                     XDS_FMT(policy->filter), XDS_FMT(policy->name), policy->action,
                     policy->cover.line, policy->cover.column, policy->cover.times);
    }
    xds_json_end_array(out);
}

static void write_server(struct xds_out *out, const struct xds_covered_server *server)
{
    xds_json_begin_row(out);
    xds_json_members(out, "name: %.*s, address: %.*s, file: %.*s", XDS_FMT(server->name),
                     XDS_FMT_OR_NULL(server->address), XDS_FMT(server->file));
    xds_json_key_array(out, "filter_chains");
    for (size_t i = 0; i < server->n_chains; i++) {
        const struct xds_covered_chain *chain = &server->chains[i];

        xds_json_begin_row(out);
        xds_json_key_u64_or_null(out, "index", chain->index != XDS_COVERED_DEFAULT,
                                 chain->index);
        xds_json_members(out, "name: %.*s, line: %u, column: %u, times: %zu",
                         XDS_FMT(chain->name), chain->cover.line, chain->cover.column,
                         chain->cover.times);
        write_policies(out, chain);
        xds_json_end_object(out);
    }
    xds_json_end_array(out);
    xds_json_end_object(out);
}

static void write_coverage(struct xds_out *out, const struct xds_suite_results *results,
                           const struct xds_suite_view *view)
{
    if (!xds_json_object_or_null(xds_json_line(out), "coverage", view->coverage))
        return;
    write_counts(out, "routes", results->routes_covered, results->routes);
    write_counts(out, "weighted_targets", results->targets_covered, results->targets);
    write_counts(out, "filter_chains", results->chains.covered, results->chains.all);
    write_counts(out, "policies", results->policies.covered, results->policies.all);
    xds_json_key_double(out, "percent", results->percent);
    xds_json_key_double(out, "limit", view->has_limit ? view->limit : (double)NAN);
    xds_json_key_array(out, "snapshots");
    for (size_t i = 0; i < results->n_coverages; i++) {
        const struct xds_coverage *coverage = results->coverages[i];

        xds_json_begin_row(out);
        xds_json_key_string(out, "snapshot", coverage->snapshot);
        write_counts(out, "routes", coverage->routes_covered, coverage->routes);
        write_counts(out, "weighted_targets", coverage->targets_covered,
                     coverage->targets);
        write_counts(out, "filter_chains", coverage->chains.covered,
                     coverage->chains.all);
        write_counts(out, "policies", coverage->policies.covered, coverage->policies.all);
        xds_json_key_array(out, "route_configs");
        for (size_t k = 0; k < coverage->n_configs; k++)
            write_config(out, coverage->configs[k]);
        xds_json_end_array(out);
        xds_json_key_array(out, "servers");
        for (size_t k = 0; k < coverage->n_servers; k++)
            if (coverage->servers[k]->clients)
                write_server(out, coverage->servers[k]);
        xds_json_end_array(out);
        xds_json_end_object(out);
    }
    xds_json_end_array(out);
    xds_json_end_object(out);
}

enum xds_status xds_print_suite_json(const struct xds_printer *to,
                                     const struct xds_suite_results *results,
                                     const struct xds_suite_view *view)
{
    struct xds_out out;

    xds_out_init(&out, to);
    xds_json_begin_document(&out);
    xds_json_tool(&out);
    xds_json_key_array(xds_json_line(&out), "files");
    for (size_t i = 0; i < results->n_files; i++)
        write_file(&out, &results->files[i], view);
    xds_json_end_array(&out);
    xds_json_key_array(xds_json_line(&out), "findings");
    for (size_t i = 0; i < results->n_faults; i++)
        xds_json_brief_finding(&out, results->faults,
                               xds_report_finding(results->faults, i));
    xds_json_end_array(&out);
    write_coverage(&out, results, view);
    xds_json_key(xds_json_line(&out), "summary");
    xds_json_object(&out,
                    "cases: %zu, passed: %zu, failed: %zu, not_run: %zu, findings: %zu",
                    results->cases, results->cases - results->failed, results->failed,
                    results->not_run, results->n_faults);
    xds_json_end_document(&out);
    return xds_out_finish(&out);
}
