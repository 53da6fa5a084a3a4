/* findings_html.c - findings as a page for a browser. */
#include "catalogue/spec.h"
#include "print/inner.h"

#include <stdlib.h>

/* Rows that are seen at once where there are not just a few more, and resources that are
 * all listed though nothing was found in most of them. */
enum { OPEN = 10, SLACK = 5, FEW = 40 };

/* Finding number i is the element "fI", a rule the element "rule-SLUG". */
struct page {
    const struct xds_report *report;
    struct xds_arena arena;
    struct xds_out out;
};

/* ---- heading ---- */

/* "at least one of core, go", or "any of core, go" after a "no". */
static void write_selected(struct xds_out *out, unsigned clients, const char *which)
{
    const bool several = (clients & (clients - 1)) != 0;

    if (clients == XDS_ALL_CLIENTS)
        xds_html_format(out, " by %s client", which);
    else
        xds_html_format(out, " by %s%s%s", several ? which : "", several ? " of " : "",
                        xds_client_list(clients, ", ").text);
}

static void write_sentence(struct xds_out *out, struct xds_summary sum, unsigned clients)
{
    if (sum.resources == 0) {
        xds_out_text(out, "No resource was found");
    } else if (sum.nacked == 0) {
        xds_out_text(out, "No resource would be rejected");
        write_selected(out, clients, "any");
    } else {
        xds_html_format(out, "%zu of %zu resource%s would be rejected", sum.nacked,
                        sum.resources, xds_plural(sum.resources));
        write_selected(out, clients, "at least one");
    }
    if (sum.nacked == 0 && sum.errors > 0)
        xds_out_text(out, ", but not all of the input can be read as xDS");
}

static void write_heading(struct page *page)
{
    const struct xds_summary sum = xds_report_summary(page->report);
    struct xds_out *out = &page->out;

    xds_out_text(out, "<header>\n<p class=\"tool\">xdscope lint</p>\n<h1 class=\"");
    xds_out_text(out, sum.errors + sum.nacked > 0 ? "bad\"><span>" : "good\"><span>");
    write_sentence(out, sum, xds_report_options(page->report)->clients);
    xds_out_text(out, "</span></h1>\n");
    xds_html_format(out, "<p class=\"sum\">%zu resource%s: ", sum.resources,
                    xds_plural(sum.resources));
    xds_out_levels(out, sum);
    if (sum.dropped > 0)
        xds_html_format(out, "; over the limit and not shown: %zu more finding%s",
                        sum.dropped, xds_plural(sum.dropped));
    xds_out_text(out, "</p>\n</header>\n");
}

/* ---- filters ---- */

static void write_filters(struct xds_out *out)
{
    static const struct xds_html_option levels[] = {
        {"error", "errors"}, {"warning", "warnings"}, {"note", "notes"}};
    struct xds_html_option clients[XDS_CLIENTS];

    for (unsigned c = 0; c < XDS_CLIENTS; c++) {
        const char *name = xds_client_name((enum xds_client)c);

        clients[c] = (struct xds_html_option){name, name};
    }
    xds_html_filters_begin(out, "finding");
    xds_html_filter_boxes(out, "level", "Level", levels, XDS_ARRAY_LEN(levels));
    xds_html_filter_list(out, "client", "Not accepted by", clients, XDS_CLIENTS);
    xds_html_filter_list(out, "rule", "Rule", NULL, 0);
    xds_html_filter_list(out, "type", "Type", NULL, 0);
    xds_html_filters_end(out);
}

/* ---- findings ---- */

/* Names of clients are plain words, and so may be in an attribute. */
static void write_unhappy_clients(struct xds_out *out, const struct xds_finding *finding)
{
    const char *separator = "";

    xds_out_text(out, " data-client=\"");
    for (unsigned c = 0; c < XDS_CLIENTS; c++) {
        if (finding->verdict[c] == XDS_ACCEPT)
            continue;
        xds_html_format(out, "%s%s", separator, xds_client_name((enum xds_client)c));
        separator = " ";
    }
    xds_out_char(out, '"');
}

static void begin_finding(struct xds_out *out, const struct xds_finding *finding,
                          const struct xds_resource_result *resource, size_t number)
{
    const char *level = xds_level_name(finding->level);

    xds_html_format(out,
                    "<article class=\"finding %s\" id=\"f%zu\" data-item=\"\" "
                    "data-level=\"%s\" data-rule=\"%s\"",
                    level, number, level, finding->rule->slug);
    if (resource && resource->type.len > 0)
        xds_html_attribute(out, "data-type", xds_type_short(resource->type));
    write_unhappy_clients(out, finding);
    xds_out_text(out, ">\n");
}

static void write_excerpt(struct page *page, const struct xds_finding *finding)
{
    const struct xds_slice file = xds_report_file(page->report, finding->at.file);
    struct xds_out *out = &page->out;
    struct xds_excerpt excerpt;

    if (!xds_excerpt_parts(&page->arena, out->to, file, finding->at, &excerpt))
        return;
    xds_html_format(out, "<pre class=\"excerpt\"><span>%u", finding->at.line);
    xds_out_text(out, excerpt.cut_before ? "  ...</span>" : "  </span>");
    xds_html_format(out, "%.*s<mark>%.*s</mark>%.*s", XDS_FMT(excerpt.before),
                    XDS_FMT(excerpt.marked), XDS_FMT(excerpt.behind));
    xds_out_text(out, excerpt.cut_behind ? "<span>...</span></pre>\n" : "</pre>\n");
}

static void write_resource(struct xds_out *out,
                           const struct xds_resource_result *resource)
{
    const struct xds_slice type = xds_type_short(resource->type);

    xds_html_text(out, type.len > 0 ? type : XDS_S("resource"));
    if (resource->name.len == 0)
        return;
    xds_html_format(out, " <code>%.*s</code>", XDS_FMT(resource->name));
}

static void write_verdicts(struct xds_out *out, const struct xds_report *report,
                           const struct xds_finding *finding,
                           const struct xds_resource_result *resource)
{
    xds_out_text(out, "<p class=\"verdicts\">");
    if (resource) {
        write_resource(out, resource);
        xds_out_text(out, ": ");
        if (finding->rule->effect == XDS_EFFECT_HYGIENE)
            xds_out_text(out, "accepted by every client");
        else
            xds_out_verdicts(out, report, finding);
        xds_out_text(out, " \xc2\xb7 ");
    }
    xds_html_format(out, "rule <a href=\"#rule-%s\">%s</a></p>\n", finding->rule->slug,
                    finding->rule->slug);
}

static void write_finding(struct page *page, size_t i)
{
    const struct xds_finding *finding = xds_report_finding(page->report, i);
    const struct xds_resource_result *resource =
        xds_finding_resource(page->report, finding);
    const struct xds_place at = xds_place_or_start(finding->at);
    struct xds_out *out = &page->out;

    begin_finding(out, finding, resource, i);
    xds_html_format(
        out,
        "<p><span class=\"level\">%s</span> <span class=\"message\">%.*s</span></p>\n"
        "<p class=\"path\"><a href=\"#f%zu\">%.*s:%u:%u</a>",
        xds_level_name(finding->level), XDS_FMT(finding->message), i,
        XDS_FMT(xds_report_file(page->report, at.file)), at.line, at.column);
    if (finding->path.len > 0)
        xds_html_format(out, " <code>%.*s</code>", XDS_FMT(finding->path));
    xds_out_text(out, "</p>\n");
    write_excerpt(page, finding);
    write_verdicts(out, page->report, finding, resource);
    xds_out_text(out, "</article>\n");
}

/* ---- files ---- */

/* Findings of one file are together. */
static size_t end_of_file(const struct xds_report *report, size_t from)
{
    const uint32_t file = xds_report_finding(report, from)->at.file;
    const size_t n = xds_report_findings(report);
    size_t end = from + 1;

    while (end < n && xds_report_finding(report, end)->at.file == file)
        end++;
    return end;
}

static size_t write_file(struct page *page, size_t from)
{
    const struct xds_finding *first = xds_report_finding(page->report, from);
    const size_t end = end_of_file(page->report, from);
    struct xds_out *out = &page->out;

    xds_html_format(
        out,
        "<section class=\"file\" data-group=\"\">\n"
        "<h3><code>%.*s</code> <span data-count=\"\">%zu finding%s</span></h3>\n",
        XDS_FMT(xds_report_file(page->report, first->at.file)), end - from,
        xds_plural(end - from));
    for (size_t i = from; i < end && !out->failed; i++)
        write_finding(page, i);
    xds_out_text(out, "</section>\n");
    return end;
}

static void write_findings(struct page *page)
{
    const size_t n = xds_report_findings(page->report);

    xds_out_text(&page->out, "<section id=\"findings\">\n<h2>Findings</h2>\n");
    if (n > 0)
        write_filters(&page->out);
    else
        xds_out_text(&page->out, "<p>Nothing to report.</p>\n");
    for (size_t i = 0; i < n && !page->out.failed;)
        i = write_file(page, i);
    xds_out_text(&page->out, "</section>\n");
}

/* ---- who rejects ---- */

struct row {
    uint32_t resource;
    unsigned rejecting; /* how many clients */
    size_t findings;
    size_t first; /* of its findings */
};

static unsigned count_clients(unsigned mask)
{
    unsigned n = 0;

    for (unsigned c = 0; c < XDS_CLIENTS; c++)
        n += (mask & XDS_CLIENT_BIT(c)) != 0;
    return n;
}

/* The order of the report among equals. */
static int by_rejections(const void *left, const void *right)
{
    const struct row *a = left, *b = right;

    if (a->rejecting != b->rejecting)
        return a->rejecting > b->rejecting ? -1 : 1;
    return (a->resource > b->resource) - (a->resource < b->resource);
}

static void count_findings(const struct xds_report *report, struct row *rows)
{
    for (size_t i = xds_report_findings(report); i-- > 0;) {
        const uint32_t resource = xds_report_finding(report, i)->resource;

        if (resource == XDS_NO_RESOURCE)
            continue;
        rows[resource].findings++;
        rows[resource].first = i;
    }
}

/* All resources as rows; *shown of them in front are worth one. */
static struct row *sort_resources(struct page *page, size_t *shown)
{
    const size_t n = xds_report_resources(page->report);
    struct row *rows = XDS_NEW_ARRAY(&page->arena, struct row, n);
    size_t kept = 0;

    for (size_t i = 0; i < n; i++)
        rows[i] = (struct row){
            .resource = (uint32_t)i,
            .rejecting = count_clients(xds_report_resource(page->report, i)->nacked_by |
                                       xds_report_resource(page->report, i)->crashed_by)};
    count_findings(page->report, rows);
    for (size_t i = 0; i < n; i++)
        if (n <= FEW || rows[i].rejecting > 0 || rows[i].findings > 0)
            rows[kept++] = rows[i];
    if (kept > 0)
        qsort(rows, kept, sizeof(*rows), by_rejections);
    *shown = kept;
    return rows;
}

static void write_row(struct xds_html_table *table, const struct xds_report *report,
                      const struct row *row)
{
    const struct xds_resource_result *resource =
        xds_report_resource(report, row->resource);
    const struct xds_place at = xds_place_or_start(resource->at);

    xds_html_row(table);
    xds_html_cell(table, NULL);
    if (row->findings > 0)
        xds_html_format(table->out, "<a href=\"#f%zu\">", row->first);
    write_resource(table->out, resource);
    if (row->findings > 0)
        xds_out_text(table->out, "</a>");
    for (unsigned c = 0; c < XDS_CLIENTS; c++) {
        const bool crash = resource->crashed_by & XDS_CLIENT_BIT(c);
        const bool nack = resource->nacked_by & XDS_CLIENT_BIT(c);

        xds_html_cell(table, crash || nack ? "nack" : "ack");
        xds_out_text(table->out, crash ? "CRASH" : nack ? "NACK" : "ACK");
    }
    xds_html_cell(table, NULL);
    xds_out_u64(table->out, row->findings);
    xds_html_cell(table, NULL);
    xds_html_format(table->out, "%.*s:%u", XDS_FMT(xds_report_file(report, at.file)),
                    at.line);
}

static void write_rows(struct page *page, const struct row *rows, size_t n)
{
    enum { COLUMNS = XDS_CLIENTS + 3 };
    struct xds_html_column columns[COLUMNS] = {{"Resource", NULL}};
    struct xds_html_table table;

    for (unsigned c = 0; c < XDS_CLIENTS; c++)
        columns[1 + c].title = xds_client_name((enum xds_client)c);
    columns[COLUMNS - 2] = (struct xds_html_column){"Findings", "number"};
    columns[COLUMNS - 1] = (struct xds_html_column){"Place", NULL};
    xds_html_table_begin(&table, &page->out, "Resources and clients", columns, COLUMNS);
    for (size_t i = 0; i < n && !page->out.failed; i++)
        write_row(&table, page->report, &rows[i]);
    xds_html_table_end(&table);
}

static void write_fold(struct page *page, const struct row *rows, size_t n)
{
    if (n == 0)
        return;
    xds_html_format(&page->out, "<details><summary>%zu more resource%s</summary>\n", n,
                    xds_plural(n));
    write_rows(page, rows, n);
    xds_out_text(&page->out, "</details>\n");
}

static void write_clean(struct xds_out *out, size_t n)
{
    if (n == 0)
        return;
    xds_html_format(out,
                    "<p class=\"quiet\">Not listed: %zu resource%s that every client "
                    "accepts and in which nothing was found.</p>\n",
                    n, xds_plural(n));
}

static void write_matrix(struct page *page)
{
    const size_t all = xds_report_resources(page->report);
    size_t n;

    if (all == 0)
        return;
    const struct row *rows = sort_resources(page, &n);
    const size_t open = n > OPEN + SLACK ? OPEN : n;

    xds_out_text(&page->out, "<section id=\"clients\">\n<h2>Who rejects</h2>\n");
    if (n > 0)
        write_rows(page, rows, open);
    write_fold(page, rows + open, n - open);
    write_clean(&page->out, all - n);
    xds_out_text(&page->out, "</section>\n");
}

/* ---- rules ---- */

static void write_rule(struct xds_out *out, const struct xds_rule *rule, size_t findings)
{
    xds_html_format(
        out,
        "<dt id=\"rule-%s\">%s <span class=\"quiet\">%zu finding%s</span></dt>\n"
        "<dd>%s</dd>\n"
        "<dd class=\"quiet\">",
        rule->slug, rule->slug, findings, xds_plural(findings), rule->text);
    xds_out_rule_effect(out, rule);
    xds_html_format(out, ". Source: %s", rule->source);
    const struct xds_grfc *grfc = xds_grfc_of(rule->source);

    if (grfc) {
        xds_html_format(out, ". See <a rel=\"noreferrer\" href=\"%s\">gRFC A%u</a>",
                        grfc->url, grfc->number);
    }
    xds_out_text(out, "</dd>\n");
}

static void write_rules(struct page *page)
{
    const struct xds_rule *all = xds_rules(&(size_t){0});
    const struct xds_rule **rules =
        XDS_NEW_ARRAY(&page->arena, const struct xds_rule *, XDS_RULES);
    size_t *counts = XDS_NEW_ARRAY(&page->arena, size_t, XDS_RULES);
    const size_t n = xds_report_findings(page->report);

    if (n == 0)
        return;
    for (size_t i = 0; i < n; i++)
        counts[xds_report_finding(page->report, i)->rule - all]++;
    xds_rules_by_slug(rules);
    xds_out_text(&page->out, "<section id=\"rules\">\n"
                             "<h2>Rules</h2>\n"
                             "<dl class=\"rules\">\n");
    for (size_t i = 0; i < XDS_RULES; i++)
        if (counts[rules[i] - all] > 0)
            write_rule(&page->out, rules[i], counts[rules[i] - all]);
    xds_out_text(&page->out, "</dl>\n</section>\n");
}

/* ---- the whole ---- */

static void write_page(void *arg)
{
    struct page *page = arg;

    xds_html_begin(&page->out, "xdscope lint", true);
    write_heading(page);
    write_matrix(page);
    write_findings(page);
    write_rules(page);
    xds_html_end(&page->out, true);
}

enum xds_status xds_print_findings_html(const struct xds_printer *to,
                                        const struct xds_report *report)
{
    struct page page = {.report = report};

    return xds_out_run(&page.out, &page.arena, to, write_page, &page);
}
