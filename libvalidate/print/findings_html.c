/* findings_html.c - findings as a page for a browser. */
#include "print/findings_html.h"

#include "print/excerpt.h"

/* ---- heading ---- */

/* "at least one of core, go", or "any of core, go" after a "no". */
static void write_selected(struct xds_out *out, unsigned clients, const char *which)
{
    const bool several = (clients & (clients - 1)) != 0;

    xds_out_text(out, " by ");
    if (several)
        xds_out_text(out, which);
    if (clients == XDS_ALL_CLIENTS) {
        xds_out_text(out, " client");
        return;
    }
    if (several)
        xds_out_text(out, " of ");
    xds_out_clients(out, clients);
}

static void write_sentence(struct xds_out *out, struct xds_summary sum, unsigned clients)
{
    if (sum.resources == 0) {
        xds_out_text(out, "No resource was found");
    } else if (sum.nacked == 0) {
        xds_out_text(out, "No resource would be rejected");
        write_selected(out, clients, "any");
    } else {
        xds_out_u64(out, sum.nacked);
        xds_out_text(out, " of ");
        xds_out_count(out, sum.resources, "resource");
        xds_out_text(out, " would be rejected");
        write_selected(out, clients, "at least one");
    }
    if (sum.nacked == 0 && sum.errors > 0)
        xds_out_text(out, ", but not all of the input can be read as xDS");
}

static void write_counts(struct xds_out *out, struct xds_summary sum)
{
    xds_out_text(out, "<p class=\"sum\">");
    xds_out_count(out, sum.resources, "resource");
    xds_out_text(out, ": ");
    xds_out_levels(out, sum);
    if (sum.dropped > 0) {
        xds_out_text(out, "; over the limit and not shown: ");
        xds_out_count(out, sum.dropped, "more finding");
    }
    xds_out_text(out, "</p>\n");
}

static void write_heading(struct xds_findings_page *page)
{
    const struct xds_summary sum = xds_report_summary(page->report);
    struct xds_out *out = &page->out;

    xds_out_text(out, "<header>\n<p class=\"tool\">xdscope lint</p>\n<h1 class=\"");
    xds_out_text(out, sum.errors + sum.nacked > 0 ? "bad\"><span>" : "good\"><span>");
    write_sentence(out, sum, xds_report_options(page->report)->clients);
    xds_out_text(out, "</span></h1>\n");
    write_counts(out, sum);
    xds_out_text(out, "</header>\n");
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
        xds_out_text(out, separator);
        xds_out_text(out, xds_client_name((enum xds_client)c));
        separator = " ";
    }
    xds_out_char(out, '"');
}

static void begin_finding(struct xds_out *out, const struct xds_finding *finding,
                          const struct xds_resource_result *resource, size_t number)
{
    const char *level = xds_level_name(finding->level);

    xds_out_text(out, "<article class=\"finding ");
    xds_out_text(out, level);
    xds_out_text(out, "\" id=\"f");
    xds_out_u64(out, number);
    xds_out_text(out, "\" data-item=\"\"");
    xds_html_attribute(out, "data-level", xds_slice_of(level));
    xds_html_attribute(out, "data-rule", xds_slice_of(finding->rule->slug));
    if (resource && resource->type.len > 0)
        xds_html_attribute(out, "data-type", xds_type_short(resource->type));
    write_unhappy_clients(out, finding);
    xds_out_text(out, ">\n");
}

static void write_message(struct xds_out *out, const struct xds_finding *finding)
{
    xds_out_text(out, "<p><span class=\"level\">");
    xds_out_text(out, xds_level_name(finding->level));
    xds_out_text(out, "</span> <span class=\"message\">");
    xds_html_text(out, finding->message);
    xds_out_text(out, "</span></p>\n");
}

static void write_place(struct xds_out *out, const struct xds_report *report,
                        const struct xds_finding *finding, size_t number)
{
    const struct xds_place at = xds_place_or_start(finding->at);

    xds_out_text(out, "<p class=\"path\"><a href=\"#f");
    xds_out_u64(out, number);
    xds_out_text(out, "\">");
    xds_html_text(out, xds_report_file(report, at.file));
    xds_out_char(out, ':');
    xds_out_u64(out, at.line);
    xds_out_char(out, ':');
    xds_out_u64(out, at.column);
    xds_out_text(out, finding->path.len > 0 ? "</a> " : "</a>");
    if (finding->path.len > 0)
        xds_html_code(out, finding->path);
    xds_out_text(out, "</p>\n");
}

static void write_excerpt(struct xds_findings_page *page,
                          const struct xds_finding *finding)
{
    const struct xds_slice file = xds_report_file(page->report, finding->at.file);
    struct xds_out *out = &page->out;
    struct xds_excerpt excerpt;

    if (!xds_excerpt_parts(&page->arena, out->to, file, finding->at, &excerpt))
        return;
    xds_out_text(out, "<pre class=\"excerpt\"><span>");
    xds_out_u64(out, finding->at.line);
    xds_out_text(out, excerpt.cut_before ? "  ...</span>" : "  </span>");
    xds_html_text(out, excerpt.before);
    xds_out_text(out, "<mark>");
    xds_html_text(out, excerpt.marked);
    xds_out_text(out, "</mark>");
    xds_html_text(out, excerpt.behind);
    xds_out_text(out, excerpt.cut_behind ? "<span>...</span></pre>\n" : "</pre>\n");
}

void xds_html_resource(struct xds_out *out, const struct xds_resource_result *resource)
{
    const struct xds_slice type = xds_type_short(resource->type);

    xds_html_text(out, type.len > 0 ? type : XDS_S("resource"));
    if (resource->name.len == 0)
        return;
    xds_out_text(out, " <code>");
    xds_html_text(out, resource->name);
    xds_out_text(out, "</code>");
}

static void write_verdicts(struct xds_out *out, const struct xds_report *report,
                           const struct xds_finding *finding,
                           const struct xds_resource_result *resource)
{
    xds_out_text(out, "<p class=\"verdicts\">");
    if (resource) {
        xds_html_resource(out, resource);
        xds_out_text(out, ": ");
        if (finding->rule->effect == XDS_EFFECT_HYGIENE)
            xds_out_text(out, "accepted by every client");
        else
            xds_out_verdicts(out, report, finding);
        xds_out_text(out, " \xc2\xb7 ");
    }
    xds_out_text(out, "rule <a href=\"#rule-");
    xds_out_text(out, finding->rule->slug);
    xds_out_text(out, "\">");
    xds_out_text(out, finding->rule->slug);
    xds_out_text(out, "</a></p>\n");
}

static void write_finding(struct xds_findings_page *page, size_t i)
{
    const struct xds_finding *finding = xds_report_finding(page->report, i);
    const struct xds_resource_result *resource =
        xds_finding_resource(page->report, finding);
    struct xds_out *out = &page->out;

    begin_finding(out, finding, resource, i);
    write_message(out, finding);
    write_place(out, page->report, finding, i);
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

static size_t write_file(struct xds_findings_page *page, size_t from)
{
    const struct xds_finding *first = xds_report_finding(page->report, from);
    const size_t end = end_of_file(page->report, from);
    struct xds_out *out = &page->out;

    xds_out_text(out, "<section class=\"file\" data-group=\"\">\n<h3>");
    xds_html_code(out, xds_report_file(page->report, first->at.file));
    xds_out_text(out, " <span data-count=\"\">");
    xds_out_count(out, end - from, "finding");
    xds_out_text(out, "</span></h3>\n");
    for (size_t i = from; i < end && !out->failed; i++)
        write_finding(page, i);
    xds_out_text(out, "</section>\n");
    return end;
}

static void write_findings(struct xds_findings_page *page)
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

/* ---- the whole ---- */

static void write_page(void *arg)
{
    struct xds_findings_page *page = arg;

    xds_html_begin(&page->out, "xdscope lint", true);
    write_heading(page);
    xds_html_matrix(page);
    write_findings(page);
    xds_html_rules(page);
    xds_html_end(&page->out, true);
}

enum xds_status xds_print_findings_html(const struct xds_printer *to,
                                        const struct xds_report *report)
{
    struct xds_findings_page page = {.report = report};

    return xds_out_run(&page.out, &page.arena, to, write_page, &page);
}
