/* report_coverage.c - which routes and weighted targets no case covers. */
#include <math.h>

#include "print/findings.h"
#include "print/json_member.h"
#include "suite/report.h"

/* ---- text ---- */

static void print_route_name(struct xds_out *out, const struct xds_covered_route *route)
{
    xds_out_text(out, "route ");
    if (route->name.len)
        xds_out_format(out, "\"%.*s\" ", XDS_FMT(route->name));
}

static void print_route(struct xds_out *out, const struct xds_covered_config *config,
                        const struct xds_covered_route *route)
{
    char path[128];

    xds_covered_path(route, NULL, path, sizeof path);
    xds_out_format(out, "  %.*s:%u:%u: ", XDS_FMT(config->file), route->line,
                   route->column);
    print_route_name(out, route);
    xds_out_line(out, "of \"%.*s\", %s", XDS_FMT(config->name), path);
    xds_out_line(out, "      takes: %.*s", XDS_FMT(route->reach));
}

static void print_target(struct xds_out *out, const struct xds_covered_config *config,
                         const struct xds_covered_route *route,
                         const struct xds_covered_target *target)
{
    char path[128];

    xds_covered_path(route, target, path, sizeof path);
    xds_out_format(out, "  %.*s:%u:%u: weighted target \"%.*s\" of ",
                   XDS_FMT(config->file), target->line, target->column,
                   XDS_FMT(target->cluster));
    print_route_name(out, route);
    xds_out_line(out, "with weight %u, %s", target->weight, path);
}

/* A route that is not covered takes its targets with it. */
static void print_uncovered(struct xds_out *out, const struct xds_covered_config *config,
                            const struct xds_covered_route *route)
{
    if (!route->clients)
        return;
    if (route->times == 0)
        print_route(out, config, route);
    for (size_t i = 0; i < route->n_targets; i++)
        if (route->targets[i].times == 0)
            print_target(out, config, route, &route->targets[i]);
}

static void print_list(struct xds_out *out, const struct xds_coverage *coverage)
{
    if (coverage->routes_covered == coverage->routes &&
        coverage->targets_covered == coverage->targets)
        return;
    xds_out_line(out, "not covered in %.*s:", XDS_FMT(coverage->snapshot));
    for (size_t i = 0; i < coverage->n_configs; i++)
        for (size_t k = 0; k < coverage->configs[i]->n_routes; k++)
            print_uncovered(out, coverage->configs[i], &coverage->configs[i]->routes[k]);
}

void xds_text_coverage(struct xds_out *out, const struct xds_suite_results *results,
                       const struct xds_suite_view *view)
{
    for (size_t i = 0; i < results->n_coverages; i++)
        print_list(out, results->coverages[i]);
    xds_out_text(out, "coverage: ");
    xds_out_covered(out, results);
    if (xds_suite_under_limit(results, view)) {
        xds_out_text(out, ", ");
        xds_out_styled(out, XDS_STYLE_RED, "under the limit");
        xds_out_text(out, " of ");
        xds_out_double(out, view->limit);
        xds_out_char(out, '%');
    }
    xds_out_char(out, '\n');
}

/* ---- JSON ---- */

static void write_counts(struct xds_out *out, const char *key, size_t covered, size_t all)
{
    xds_json_key_object(out, key);
    xds_json_members(out, "total: %zu, covered: %zu", all, covered);
    xds_json_end_object(out);
}

static void write_path(struct xds_out *out, const struct xds_covered_route *route,
                       const struct xds_covered_target *target)
{
    char path[128];

    xds_covered_path(route, target, path, sizeof path);
    xds_json_key_string(out, "path", xds_slice_of(path));
}

static void write_target(struct xds_out *out, const struct xds_covered_route *route,
                         const struct xds_covered_target *target)
{
    xds_json_line(out);
    xds_json_begin_object(out);
    write_path(out, route, target);
    xds_json_members(out,
                     "cluster: %.*s, weight: %u, line: %u, column: %u, times: %zu",
                     XDS_FMT(target->cluster), target->weight, target->line,
                     target->column, target->times);
    xds_json_end_object(out);
}

static void write_route(struct xds_out *out, const struct xds_covered_route *route)
{
    xds_json_line(out);
    xds_json_begin_object(out);
    write_path(out, route, NULL);
    xds_json_members(
        out,
        "virtual_host: %.*s, name: %.*s, line: %u, column: %u, takes: %.*s, times: %zu",
        XDS_FMT(route->virtual_host_name), XDS_FMT(route->name), route->line,
        route->column, XDS_FMT(route->reach), route->times);
    xds_json_key_array(out, "weighted_targets");
    for (size_t i = 0; i < route->n_targets; i++)
        write_target(out, route, &route->targets[i]);
    xds_json_end_array(out);
    xds_json_end_object(out);
}

static void write_config(struct xds_out *out, const struct xds_covered_config *config)
{
    xds_json_line(out);
    xds_json_begin_object(out);
    xds_json_members(out, "name: %.*s, inline: %d, file: %.*s", XDS_FMT(config->name),
                     config->is_inline, XDS_FMT(config->file));
    xds_json_key_array(out, "routes");
    for (size_t i = 0; i < config->n_routes; i++)
        if (config->routes[i].clients)
            write_route(out, &config->routes[i]);
    xds_json_end_array(out);
    xds_json_end_object(out);
}

static void write_snapshot(struct xds_out *out, const struct xds_coverage *coverage)
{
    xds_json_line(out);
    xds_json_begin_object(out);
    xds_json_key_string(out, "snapshot", coverage->snapshot);
    write_counts(out, "routes", coverage->routes_covered, coverage->routes);
    write_counts(out, "weighted_targets", coverage->targets_covered, coverage->targets);
    xds_json_key_array(out, "route_configs");
    for (size_t i = 0; i < coverage->n_configs; i++)
        write_config(out, coverage->configs[i]);
    xds_json_end_array(out);
    xds_json_end_object(out);
}

void xds_json_coverage(struct xds_out *out, const struct xds_suite_results *results,
                       const struct xds_suite_view *view)
{
    xds_json_line(out);
    if (!xds_json_object_or_null(out, "coverage", view->coverage))
        return;
    write_counts(out, "routes", results->routes_covered, results->routes);
    write_counts(out, "weighted_targets", results->targets_covered, results->targets);
    xds_json_key_double(out, "percent", xds_suite_percent(results));
    xds_json_key_double(out, "limit", view->has_limit ? view->limit : (double)NAN);
    xds_json_key_array(out, "snapshots");
    for (size_t i = 0; i < results->n_coverages; i++)
        write_snapshot(out, results->coverages[i]);
    xds_json_end_array(out);
    xds_json_end_object(out);
}
