/* suite_html.c - route coverage as a page for a browser. */
#include "print/inner.h"

static void write_totals(struct xds_out *out, size_t routes_covered, size_t routes,
                         size_t targets_covered, size_t targets)
{
    xds_out_format(out, "%zu of %zu route%s", routes_covered, routes, xds_plural(routes));
    if (targets > 0)
        xds_out_format(out, " and %zu of %zu weighted target%s", targets_covered, targets,
                       xds_plural(targets));
}

/* Words for the filter: of some routes only a part is covered. */
static const char *covered_words(const struct xds_covered_route *route)
{
    if (!route->clients || !route->reached_by)
        return "unused";
    if (route->times == 0)
        return "no";
    for (size_t i = 0; i < route->n_targets; i++)
        if (route->targets[i].times == 0)
            return "yes no";
    return "yes";
}

static const char not_covered[] = "<span class=\"nack\">not covered</span>";

/* A cluster, weighted clusters, or the field that says something else. */
static void write_action(struct xds_out *out, const struct xds_covered_route *route)
{
    if (route->n_targets > 0) {
        xds_out_text(out, "<ul>");
        for (size_t i = 0; i < route->n_targets; i++) {
            const struct xds_covered_target *target = &route->targets[i];

            xds_html_format(out, "<li><code>%.*s</code> weight %u",
                            XDS_FMT(target->cluster), target->weight);
            if (route->clients && target->times > 0) {
                xds_html_format(out, ": %zu case%s", target->times,
                                xds_plural(target->times));
            } else if (route->clients && route->reached_by) {
                xds_out_text(out, ": ");
                xds_out_text(out, not_covered);
                xds_html_format(out, ", line %u", target->line);
            }
            xds_out_text(out, "</li>");
        }
        xds_out_text(out, "</ul>");
        return;
    }
    if (!xds_slice_is(route->action, "cluster"))
        xds_html_format(out, "%.*s ", XDS_FMT(route->action));
    if (route->cluster.data)
        xds_html_code(out, route->cluster);
}

static void write_cover(struct xds_out *out, const struct xds_covered_route *route)
{
    if (!route->clients) {
        xds_out_text(out, "<span class=\"quiet\">does not count: no client of the cases "
                          "uses it</span>");
    } else if (!route->reached_by && route->shadowed_by == XDS_NOT_SHADOWED) {
        xds_out_text(out, "<span class=\"quiet\">does not count: no RPC was found that "
                          "it matches</span>");
    } else if (!route->reached_by) {
        xds_html_format(out,
                        "<span class=\"quiet\">does not count: shadowed by #%u</span>",
                        route->shadowed_by);
    } else if (route->times > 0) {
        xds_html_format(out, "<details><summary>%zu case%s</summary><ul>", route->times,
                        xds_plural(route->times));
        for (size_t i = 0; i < route->n_cases; i++) {
            const struct xds_covering_case *by = &route->cases[i];

            xds_html_format(out, "<li>%.*s%s, <span class=\"quiet\">%.*s:%u</span></li>",
                            XDS_FMT(by->name), by->ok ? "" : " (failed)",
                            XDS_FMT(by->file), by->line);
        }
        if (route->times > route->n_cases)
            xds_html_format(out, "<li>and %zu more</li>", route->times - route->n_cases);
        xds_out_text(out, "</ul></details>");
    } else {
        xds_out_text(out, not_covered);
        xds_html_format(out, "<br/>takes: %.*s", XDS_FMT(route->reach));
    }
}

static void write_route(struct xds_out *out, struct xds_slice file,
                        const struct xds_covered_route *route)
{
    static const struct xds_column columns[] = {
        {"Virtual host", "name"}, {"Route", NULL},      {"Match", NULL},
        {"Goes to", "to"},        {"Covered by", NULL}, {"Place", "place"}};
    static const struct xds_table table = {"Routes", columns, XDS_ARRAY_LEN(columns),
                                           "covered"};

    xds_doc_row(out, &table, covered_words(route));
    xds_doc_cell(out, "");
    if (route->virtual_host_name.len > 0)
        xds_doc_code(out, route->virtual_host_name);
    else
        xds_out_format(out, "#%zu", route->virtual_host);
    xds_doc_cell(out, "");
    xds_out_format(out, "#%zu", route->index);
    if (route->name.len > 0) {
        xds_out_char(out, ' ');
        xds_doc_code(out, route->name);
    }
    xds_doc_cell(out, "");
    xds_out_clean(out, route->match);
    xds_doc_cell(out, "");
    write_action(xds_doc_inline(out), route);
    xds_doc_cell(out, "");
    write_cover(xds_doc_inline(out), route);
    xds_doc_cell(out, "");
    xds_out_line(out, "%.*s:%u", XDS_FMT(file), route->line);
}

static void write_config(struct xds_out *out, const struct xds_covered_config *config)
{
    struct xds_out *page = xds_doc_markup(out);

    xds_html_format(
        page,
        "<section class=\"file coverage\" data-group=\"\">\n"
        "<h3>%.*s<code>%.*s</code> <span data-count=\"\">%zu route%s</span></h3>\n",
        XDS_FMT(config->is_inline ? XDS_S("Listener ") : XDS_S("Routes ")),
        XDS_FMT(config->name), config->n_routes, xds_plural(config->n_routes));
    for (size_t i = 0; i < config->n_routes && !out->failed; i++)
        write_route(out, config->file, &config->routes[i]);
    (void)xds_doc_markup(out);
    xds_out_text(page, "</section>\n");
}

static bool has_routes(const struct xds_suite_results *results)
{
    for (size_t i = 0; i < results->n_coverages; i++)
        for (size_t k = 0; k < results->coverages[i]->n_configs; k++)
            if (results->coverages[i]->configs[k]->n_routes > 0)
                return true;
    return false;
}

void xds_out_coverage_page(struct xds_out *out, const struct xds_suite_results *results)
{
    xds_doc_section(out, "coverage", "Coverage");
    struct xds_out *page = xds_doc_markup(out);

    if (results->routes > 0)
        xds_html_format(page,
                        "<p><meter class=\"total\" min=\"0\" max=\"100\" "
                        "aria-label=\"Routes and weighted targets covered\" "
                        "value=\"%s\"></meter></p>\n",
                        xds_tenths(xds_suite_percent(results)).text);
    if (has_routes(results)) {
        static const struct xds_html_option uncovered = {"no", "only uncovered"};

        xds_html_filters_begin(page, "route");
        xds_html_filter_only(page, "covered", uncovered);
        xds_html_filters_end(page);
    }
    for (size_t i = 0; i < results->n_coverages && !out->failed; i++) {
        const struct xds_coverage *coverage = results->coverages[i];

        xds_doc_heading(out);
        xds_doc_code(out, coverage->snapshot);
        xds_out_text(out, "\nCovered: ");
        write_totals(out, coverage->routes_covered, coverage->routes,
                     coverage->targets_covered, coverage->targets);
        xds_out_char(out, '\n');
        for (size_t k = 0; k < coverage->n_configs && !out->failed; k++)
            if (coverage->configs[k]->n_routes > 0)
                write_config(out, coverage->configs[k]);
    }
}

enum xds_status xds_print_coverage_html(const struct xds_printer *to,
                                        const struct xds_suite_results *results)
{
    struct xds_doc doc;
    struct xds_out out;

    xds_doc_begin(&doc, to, "test: coverage");
    xds_out_init(&out, &doc.printer);
    xds_doc_verdict(&out, results->routes > 0 &&
                              results->routes_covered == results->routes &&
                              results->targets_covered == results->targets);
    if (results->routes > 0) {
        xds_out_text(&out, "The cases cover ");
        write_totals(&out, results->routes_covered, results->routes,
                     results->targets_covered, results->targets);
        xds_out_line(&out, ": %s%%", xds_tenths(xds_suite_percent(results)).text);
    } else
        xds_out_line(&out, "There is no route that a client of the cases uses");
    xds_out_cases(&out, results);
    xds_out_char(&out, '\n');
    xds_out_coverage_page(&out, results);
    return xds_doc_end(&doc, xds_out_finish(&out));
}
