/* findings_html_tables.c - who rejects which resource, and the rules that fired. */
#include "catalogue/spec.h"
#include "print/findings_html.h"
#include "print/rules.h"

#include <stdlib.h>

/* Rows that are seen at once where there are not just a few more, and resources that are
 * all listed though nothing was found in most of them. */
enum { OPEN = 10, SLACK = 5, FEW = 40 };

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
static struct row *sort_resources(struct xds_findings_page *page, size_t *shown)
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

static void write_name(struct xds_out *out, const struct xds_resource_result *resource,
                       const struct row *row)
{
    if (row->findings > 0) {
        xds_out_text(out, "<a href=\"#f");
        xds_out_u64(out, row->first);
        xds_out_text(out, "\">");
    }
    xds_html_resource(out, resource);
    if (row->findings > 0)
        xds_out_text(out, "</a>");
}

static void write_row(struct xds_html_table *table, const struct xds_report *report,
                      const struct row *row)
{
    const struct xds_resource_result *resource =
        xds_report_resource(report, row->resource);
    const struct xds_place at = xds_place_or_start(resource->at);

    xds_html_row(table);
    xds_html_cell(table, NULL);
    write_name(table->out, resource, row);
    for (unsigned c = 0; c < XDS_CLIENTS; c++) {
        const bool crash = resource->crashed_by & XDS_CLIENT_BIT(c);
        const bool nack = resource->nacked_by & XDS_CLIENT_BIT(c);

        xds_html_cell(table, crash || nack ? "nack" : "ack");
        xds_out_text(table->out, crash ? "CRASH" : nack ? "NACK" : "ACK");
    }
    xds_html_cell(table, NULL);
    xds_out_u64(table->out, row->findings);
    xds_html_cell(table, NULL);
    xds_html_text(table->out, xds_report_file(report, at.file));
    xds_out_char(table->out, ':');
    xds_out_u64(table->out, at.line);
}

static void write_rows(struct xds_findings_page *page, const struct row *rows, size_t n)
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

static void write_fold(struct xds_findings_page *page, const struct row *rows, size_t n)
{
    if (n == 0)
        return;
    xds_out_text(&page->out, "<details><summary>");
    xds_out_count(&page->out, n, "more resource");
    xds_out_text(&page->out, "</summary>\n");
    write_rows(page, rows, n);
    xds_out_text(&page->out, "</details>\n");
}

static void write_clean(struct xds_out *out, size_t n)
{
    if (n == 0)
        return;
    xds_out_text(out, "<p class=\"quiet\">Not listed: ");
    xds_out_count(out, n, "resource");
    xds_out_text(out, " that every client accepts and in which nothing was found.</p>\n");
}

void xds_html_matrix(struct xds_findings_page *page)
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

static size_t count_of_rule(const struct xds_report *report, const struct xds_rule *rule)
{
    size_t n = 0;

    for (size_t i = 0; i < xds_report_findings(report); i++)
        n += xds_report_finding(report, i)->rule == rule;
    return n;
}

/* To the document that the rule is from. */
static void write_link(struct xds_out *out, const struct xds_rule *rule)
{
    const struct xds_grfc *grfc = xds_grfc_of(rule->source);

    if (!grfc)
        return;
    xds_out_text(out, ". See <a rel=\"noreferrer\" href=\"");
    xds_out_text(out, grfc->url);
    xds_out_text(out, "\">gRFC A");
    xds_out_u64(out, grfc->number);
    xds_out_text(out, "</a>");
}

static void write_rule(struct xds_out *out, const struct xds_rule *rule, size_t findings)
{
    xds_out_text(out, "<dt id=\"rule-");
    xds_out_text(out, rule->slug);
    xds_out_text(out, "\">");
    xds_html_text(out, xds_slice_of(rule->slug));
    xds_out_text(out, " <span class=\"quiet\">");
    xds_out_count(out, findings, "finding");
    xds_out_text(out, "</span></dt>\n<dd>");
    xds_html_text(out, xds_slice_of(rule->text));
    xds_out_text(out, "</dd>\n<dd class=\"quiet\">");
    xds_out_rule_effect(out, rule);
    xds_out_text(out, ". Source: ");
    xds_html_text(out, xds_slice_of(rule->source));
    write_link(out, rule);
    xds_out_text(out, "</dd>\n");
}

void xds_html_rules(struct xds_findings_page *page)
{
    const struct xds_rule **rules =
        XDS_NEW_ARRAY(&page->arena, const struct xds_rule *, XDS_RULES);

    if (xds_report_findings(page->report) == 0)
        return;
    xds_rules_by_slug(rules);
    xds_out_text(&page->out,
                 "<section id=\"rules\">\n<h2>Rules</h2>\n<dl class=\"rules\">\n");
    for (size_t i = 0; i < XDS_RULES; i++) {
        const size_t n = count_of_rule(page->report, rules[i]);

        if (n > 0)
            write_rule(&page->out, rules[i], n);
    }
    xds_out_text(&page->out, "</dl>\n</section>\n");
}
