/* suite_text.c - what came of a suite, for people: as text, or as a page. */
#include "print/findings/findings.h"
#include "print/suite/suite.h"
#include "print/write/document.h"
#include "print/write/markup.h"

#include <stdio.h>
#include <string.h>

#define MARGIN "        "

/* ---- pieces of all reports ---- */

void xds_out_more_mismatches(struct xds_out *out, const struct xds_suite_case *c)
{
    xds_out_line(out, "and %zu more value%s that differ%s", c->n_more_mismatches,
                 xds_plural(c->n_more_mismatches), c->n_more_mismatches == 1 ? "s" : "");
}

struct xds_short_text xds_tenths(double percent)
{
    const unsigned tenths = (unsigned)(percent * 10 + 1e-9);
    struct xds_short_text out;

    if (tenths % 10 == 0)
        (void)snprintf(out.text, sizeof(out.text), "%u", tenths / 10);
    else
        (void)snprintf(out.text, sizeof(out.text), "%u.%u", tenths / 10, tenths % 10);
    return out;
}

/* "3 cases: 2 passed, 1 failed, 1 not run; 1 fault in files of tests". */
static void out_cases(struct xds_out *out, const struct xds_suite_results *results)
{
    xds_out_format(out, "%zu case%s: %zu passed, %zu failed", results->cases,
                   xds_plural(results->cases), results->cases - results->failed,
                   results->failed);
    if (results->not_run)
        xds_out_format(out, ", %zu not run", results->not_run);
    if (results->n_faults)
        xds_out_format(out, "; %zu fault%s in test files", results->n_faults,
                       xds_plural(results->n_faults));
}

void xds_out_covered(struct xds_out *out, const struct xds_suite_results *results)
{
    xds_out_format(out, "routes %zu/%zu, weighted targets %zu/%zu",
                   results->routes_covered, results->routes, results->targets_covered,
                   results->targets);
    if (results->chains.all > 0)
        xds_out_format(out, ", filter chains %zu/%zu, policies %zu/%zu",
                       results->chains.covered, results->chains.all,
                       results->policies.covered, results->policies.all);
    xds_out_format(out, ": %s%%", xds_tenths(results->percent).text);
    if (results->unreached > 0)
        xds_out_format(out, "; %zu route%s cannot be reached", results->unreached,
                       xds_plural(results->unreached));
}

/* "filter chain #0 \"shop\"", "the default filter chain". */
static void put_chain(struct xds_out *out, const struct xds_covered_chain *chain)
{
    if (chain->index == XDS_COVERED_DEFAULT) {
        xds_out_text(out, "the default filter chain");
        return;
    }
    xds_out_format(out, "filter chain #%zu", chain->index);
    if (chain->name.len > 0)
        xds_out_format(out, " \"%.*s\"", XDS_FMT(chain->name));
}

bool xds_suite_under_limit(const struct xds_suite_results *results,
                           const struct xds_suite_view *view)
{
    return view->has_limit && results->percent < view->limit;
}

/* ---- cases ---- */

static void print_case(struct xds_out *out, const struct xds_suite_file *file,
                       const struct xds_suite_case *c)
{
    xds_out_text(out, "  ");
    xds_out_styled(out, c->ok ? XDS_STYLE_GREEN : XDS_STYLE_RED, c->ok ? "ok" : "FAIL");
    xds_out_line(out, "%s%.*s", c->ok ? "    " : "  ", XDS_FMT(c->name));
    for (size_t i = 0; i < c->n_mismatches; i++) {
        const struct xds_suite_mismatch *m = &c->mismatches[i];

        xds_out_line(out, MARGIN "%.*s:%u:%u: %.*s", XDS_FMT(file->name), m->line,
                     m->column, XDS_FMT(m->text));
    }
    if (c->n_more_mismatches) {
        xds_out_text(out, MARGIN);
        xds_out_more_mismatches(out, c);
    }
    if (c->ending.data)
        xds_out_line(out, "        the RPC ends: %.*s", XDS_FMT(c->ending));

    /* The answer of explain as it is, moved to the right. */
    struct xds_slice text = c->explanation;
    struct xds_slice line;

    if (text.len == 0)
        return;
    xds_doc_block(out, true);
    while (text.len > 0) {
        text = xds_slice_cut(text, '\n', &line);
        if (line.len > 0 && !xds_doc_of(out))
            xds_out_text(out, MARGIN);
        xds_out_raw(out, line);
        xds_out_char(out, '\n');
    }
    xds_doc_block(out, false);
}

/* ---- files ---- */

static const char *verb_of(const struct xds_suite_rejected *r)
{
    const bool several = r->clients & (r->clients - 1);

    if (!r->dying)
        return several ? " reject " : " rejects ";
    if (r->dying != r->clients)
        return " reject or crash of ";
    return several ? " crash of " : " crashes of ";
}

static void print_clients(struct xds_out *out, const struct xds_suite_rejected *r)
{
    const char *comma = "";

    for (enum xds_client c = 0; c < XDS_CLIENTS; c++)
        if (r->clients & XDS_CLIENT_BIT(c)) {
            const struct xds_client_release who = {c, r->release};

            xds_out_format(out, "%s%s", comma, xds_client_label(who).text);
            comma = ", ";
        }
}

static void print_file(struct xds_out *out, const struct xds_suite_file *file,
                       const struct xds_suite_view *view)
{
    if (view->only_failures && file->n_failed == 0)
        return;
    xds_doc_heading(out);
    xds_out_clean(out, file->name);
    if (file->snapshot.data) {
        xds_out_format(out, ": %.*s, client %.*s", XDS_FMT(file->snapshot),
                       XDS_FMT(file->client));
    }
    xds_out_char(out, '\n');
    if (file->unread.data) {
        xds_out_line(out, "  not run: %.*s: %.*s", XDS_FMT(file->unread),
                     XDS_FMT(file->why));
    }
    for (size_t i = 0; i < file->n_rejected && !out->to->quiet; i++) {
        const struct xds_suite_rejected *r = &file->rejected[i];

        xds_out_text(out, "  note: ");
        print_clients(out, r);
        xds_out_format(out, "%s%.*s \"%.*s\": ", verb_of(r),
                       XDS_FMT(xds_type_short(r->type)), XDS_FMT(r->name));
        xds_out_line(out, "%.*s:%u:%u: %.*s [%.*s]", XDS_FMT(r->file), r->line, r->column,
                     XDS_FMT(r->message), XDS_FMT(r->rule));
    }
    for (size_t i = 0; i < file->n_unjudged && !out->to->quiet; i++) {
        const struct xds_suite_unjudged *u = &file->unjudged[i];

        xds_out_line(out, "  note: %.*s is not judged (%zu time%s, first in line %u): %s",
                     XDS_FMT(u->member), u->times, xds_plural(u->times), u->line, u->why);
    }
    for (size_t i = 0; i < file->n_cases; i++)
        if (!view->only_failures || !file->cases[i].ok)
            print_case(out, file, &file->cases[i]);
}

/* ---- coverage ---- */

static void print_route_name(struct xds_out *out, const struct xds_covered_route *route)
{
    xds_out_text(out, "route ");
    if (route->name.len)
        xds_out_format(out, "\"%.*s\" ", XDS_FMT(route->name));
}

/* A route that is not covered takes its targets with it. */
static void print_uncovered(struct xds_out *out, const struct xds_covered_config *config,
                            const struct xds_covered_route *route)
{
    if (!route->clients || !route->reached_by)
        return;
    if (route->times == 0) {
        xds_out_format(out, "  %.*s:%u:%u: ", XDS_FMT(config->file), route->line,
                       route->column);
        print_route_name(out, route);
        xds_out_line(out, "of \"%.*s\", %.*s", XDS_FMT(config->name),
                     XDS_FMT(route->path));
        xds_out_line(out, "      takes: %.*s", XDS_FMT(route->reach));
    }
    for (size_t i = 0; i < route->n_targets; i++)
        if (route->targets[i].times == 0) {
            const struct xds_covered_target *target = &route->targets[i];

            xds_out_format(out, "  %.*s:%u:%u: weighted target \"%.*s\" of ",
                           XDS_FMT(config->file), target->line, target->column,
                           XDS_FMT(target->cluster));
            print_route_name(out, route);
            xds_out_line(out, "with weight %u, %.*s", target->weight,
                         XDS_FMT(target->path));
        }
}

/* Does not count, as no case can cover it. */
static void print_unreached(struct xds_out *out, const struct xds_covered_config *config,
                            const struct xds_covered_route *route)
{
    if (!route->clients || route->reached_by)
        return;
    xds_out_format(out, "  %.*s:%u:%u: ", XDS_FMT(config->file), route->line,
                   route->column);
    print_route_name(out, route);
    xds_out_format(out, "of \"%.*s\", %.*s: ", XDS_FMT(config->name),
                   XDS_FMT(route->path));
    if (route->shadowed_by == XDS_NOT_SHADOWED)
        xds_out_line(out, "no RPC was found that it matches");
    else
        xds_out_line(out, "shadowed by #%u, which takes its RPCs", route->shadowed_by);
}

static void print_chain(struct xds_out *out, const struct xds_covered_server *server,
                        const struct xds_covered_chain *chain)
{
    if (chain->cover.times == 0) {
        xds_out_format(out, "  %.*s:%u:%u: ", XDS_FMT(server->file), chain->cover.line,
                       chain->cover.column);
        put_chain(out, chain);
        xds_out_line(out, " of \"%.*s\"", XDS_FMT(server->name));
    }
    for (size_t i = 0; i < chain->n_policies; i++) {
        const struct xds_covered_policy *policy = &chain->policies[i];

        if (policy->cover.times > 0)
            continue;
        xds_out_format(out,
                       "  %.*s:%u:%u: policy \"%.*s\" of action %s, filter \"%.*s\", ",
                       XDS_FMT(server->file), policy->cover.line, policy->cover.column,
                       XDS_FMT(policy->name), policy->action, XDS_FMT(policy->filter));
        put_chain(out, chain);
        xds_out_line(out, " of \"%.*s\"", XDS_FMT(server->name));
    }
}

static bool is_whole(const struct xds_coverage *coverage)
{
    return coverage->routes_covered == coverage->routes &&
           coverage->targets_covered == coverage->targets &&
           coverage->chains.covered == coverage->chains.all &&
           coverage->policies.covered == coverage->policies.all;
}

static void print_list(struct xds_out *out, const struct xds_coverage *coverage)
{
    if (coverage->unreached > 0) {
        xds_out_line(out, "cannot be reached in %.*s:", XDS_FMT(coverage->snapshot));
        for (size_t i = 0; i < coverage->n_configs; i++)
            for (size_t k = 0; k < coverage->configs[i]->n_routes; k++)
                print_unreached(out, coverage->configs[i],
                                &coverage->configs[i]->routes[k]);
    }
    if (is_whole(coverage))
        return;
    xds_out_line(out, "not covered in %.*s:", XDS_FMT(coverage->snapshot));
    for (size_t i = 0; i < coverage->n_configs; i++)
        for (size_t k = 0; k < coverage->configs[i]->n_routes; k++)
            print_uncovered(out, coverage->configs[i], &coverage->configs[i]->routes[k]);
    for (size_t i = 0; i < coverage->n_servers; i++)
        for (size_t k = 0;
             coverage->servers[i]->clients && k < coverage->servers[i]->n_chains; k++)
            print_chain(out, coverage->servers[i], &coverage->servers[i]->chains[k]);
}

/* ---- coverage as a page ---- */

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

/* The cases that cover something; the first of them. */
static void write_cases(struct xds_out *out, size_t times,
                        const struct xds_covering_case *cases, size_t n)
{
    xds_html_format(out, "<details><summary>%zu case%s</summary><ul>", times,
                    xds_plural(times));
    for (size_t i = 0; i < n; i++)
        xds_html_format(out, "<li>%.*s%s, <span class=\"quiet\">%.*s:%u</span></li>",
                        XDS_FMT(cases[i].name), cases[i].ok ? "" : " (failed)",
                        XDS_FMT(cases[i].file), cases[i].line);
    if (times > n)
        xds_html_format(out, "<li>and %zu more</li>", times - n);
    xds_out_text(out, "</ul></details>");
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
        write_cases(out, route->times, route->cases, route->n_cases);
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

/* ---- servers on the page ---- */

static void write_server_row(struct xds_out *out, const struct xds_covered_server *server,
                             const struct xds_covered_chain *chain,
                             const struct xds_covered_policy *policy)
{
    static const struct xds_column columns[] = {{"Filter chain", NULL},
                                                {"Policy", "name"},
                                                {"Covered by", NULL},
                                                {"Place", "place"}};
    static const struct xds_table table = {"Filter chains", columns,
                                           XDS_ARRAY_LEN(columns), "covered"};
    const struct xds_covered_times *cover = policy ? &policy->cover : &chain->cover;

    xds_doc_row(out, &table, cover->times > 0 ? "yes" : "no");
    xds_doc_cell(out, "");
    put_chain(out, chain);
    xds_doc_cell(out, "");
    if (policy) {
        xds_doc_code(out, policy->name);
        xds_out_format(out, ", %s", policy->action);
    }
    xds_doc_cell(out, "");
    if (cover->times > 0)
        write_cases(xds_doc_inline(out), cover->times, cover->cases, cover->n_cases);
    else
        xds_out_text(xds_doc_inline(out), not_covered);
    xds_doc_cell(out, "");
    xds_out_line(out, "%.*s:%u", XDS_FMT(server->file), cover->line);
}

static void write_server(struct xds_out *out, const struct xds_covered_server *server)
{
    struct xds_out *page = xds_doc_markup(out);

    xds_html_format(page,
                    "<section class=\"file coverage\" data-group=\"\">\n"
                    "<h3>Server <code>%.*s</code> <span data-count=\"\">%zu filter "
                    "chain%s</span></h3>\n",
                    XDS_FMT(server->name), server->n_chains,
                    xds_plural(server->n_chains));
    for (size_t i = 0; i < server->n_chains && !out->failed; i++) {
        const struct xds_covered_chain *chain = &server->chains[i];

        write_server_row(out, server, chain, NULL);
        for (size_t k = 0; k < chain->n_policies; k++)
            write_server_row(out, server, chain, &chain->policies[k]);
    }
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

static void out_coverage_page(struct xds_out *out,
                              const struct xds_suite_results *results)
{
    xds_doc_section(out, "coverage", "Coverage");
    struct xds_out *page = xds_doc_markup(out);

    if (results->routes > 0)
        xds_html_format(page,
                        "<p><meter class=\"total\" min=\"0\" max=\"100\" "
                        "aria-label=\"Routes and weighted targets covered\" "
                        "value=\"%s\"></meter></p>\n",
                        xds_tenths(results->percent).text);
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
        if (coverage->chains.all > 0)
            xds_out_format(out, ", %zu of %zu filter chain%s, %zu of %zu polic%s",
                           coverage->chains.covered, coverage->chains.all,
                           xds_plural(coverage->chains.all), coverage->policies.covered,
                           coverage->policies.all,
                           coverage->policies.all == 1 ? "y" : "ies");
        xds_out_char(out, '\n');
        for (size_t k = 0; k < coverage->n_configs && !out->failed; k++)
            if (coverage->configs[k]->n_routes > 0)
                write_config(out, coverage->configs[k]);
        for (size_t k = 0; k < coverage->n_servers && !out->failed; k++)
            if (coverage->servers[k]->clients)
                write_server(out, coverage->servers[k]);
    }
}

/* ---- the whole ---- */

enum xds_status xds_print_suite_text(const struct xds_printer *to,
                                     const struct xds_suite_results *results,
                                     const struct xds_suite_view *view)
{
    struct xds_out out;

    xds_out_init(&out, to);
    if (xds_doc_of(&out)) {
        xds_doc_verdict(&out,
                        results->failed + results->not_run + results->n_faults == 0 &&
                            results->cases > 0 &&
                            !(view->coverage && xds_suite_under_limit(results, view)));
        out_cases(&out, results);
        xds_out_char(&out, '\n');
    }
    for (size_t i = 0; i < results->n_files; i++)
        print_file(&out, &results->files[i], view);
    const enum xds_status status =
        results->n_faults ? xds_out_findings(&out, results->faults) : XDS_OK;

    if (view->coverage) {
        if (xds_doc_of(&out))
            out_coverage_page(&out, results);
        for (size_t i = 0; i < results->n_coverages && !xds_doc_of(&out); i++)
            print_list(&out, results->coverages[i]);
        xds_out_text(&out, "coverage: ");
        xds_out_covered(&out, results);
        if (xds_suite_under_limit(results, view)) {
            xds_out_text(&out, ", ");
            xds_out_styled(&out, XDS_STYLE_RED, "under the limit");
            xds_out_text(&out, " of ");
            xds_out_double(&out, view->limit);
            xds_out_char(&out, '%');
        }
        xds_out_char(&out, '\n');
    }
    if (!to->quiet && !xds_doc_of(&out)) {
        out_cases(&out, results);
        xds_out_char(&out, '\n');
    }
    const enum xds_status written = xds_out_finish(&out);

    return status == XDS_OK ? written : status;
}

enum xds_status xds_print_suite_html(const struct xds_printer *to,
                                     const struct xds_suite_results *results,
                                     const struct xds_suite_view *view)
{
    struct xds_doc doc;

    xds_doc_begin(&doc, to, "test");
    return xds_doc_end(&doc, xds_print_suite_text(&doc.printer, results, view));
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
        xds_out_line(&out, ": %s%%", xds_tenths(results->percent).text);
    } else
        xds_out_line(&out, "There is no route that a client of the cases uses");
    out_cases(&out, results);
    xds_out_char(&out, '\n');
    out_coverage_page(&out, results);
    return xds_doc_end(&doc, xds_out_finish(&out));
}
