/*
 * findings_text.c - findings for people: as text, and as an HTML page, grouped by rule.
 * With verbose, after the last one of a resource, what C-core would log.
 */
#include "print/inner.h"

#include <stdlib.h>

struct job {
    const struct xds_report *report;
    bool seen[XDS_RULES]; /* rules that a finding was printed of */
    struct xds_arena arena;
    struct xds_out out;
};

static bool is_first(struct job *job, const struct xds_rule *rule)
{
    size_t n;
    bool *seen = &job->seen[rule - xds_rules(&n)];
    const bool first = !*seen;

    *seen = true;
    return first;
}

/* The files that are counted as no xDS. */
static void list_foreign(struct job *job)
{
    const struct xds_report *report = job->report;
    struct xds_out *out = &job->out;

    if (!out->to->verbose && !xds_doc_of(out->to)) {
        xds_out_line(out, "    -v lists them");
        return;
    }
    for (size_t i = 0; i < report->n_foreign && !out->failed; i++) {
        const struct xds_foreign *foreign = &report->foreign[i];

        xds_out_line(out, "    %.*s:%u: %.*s",
                     XDS_FMT(xds_report_file(report, foreign->at.file)), foreign->at.line,
                     XDS_FMT(foreign->what));
    }
}

static void print_finding(struct job *job, const struct xds_finding *finding)
{
    const struct xds_report *report = job->report;
    const struct xds_resource_result *resource = xds_finding_resource(report, finding);
    struct xds_out *out = &job->out;

    xds_out_finding_line(out, report, finding);
    if (finding->path.len > 0) {
        xds_out_text(out, "    ");
        xds_doc_code(out, finding->path);
        xds_out_char(out, '\n');
    }
    if (finding->rule == report->counts_foreign)
        list_foreign(job);
    else
        xds_out_excerpt(out, xds_report_file(report, finding->at.file), finding->at);
    if (resource) {
        const struct xds_slice type = xds_type_short(resource->type);

        xds_out_format(out, "    %.*s", XDS_FMT(type.len > 0 ? type : XDS_S("resource")));
        if (resource->name.len > 0) {
            xds_out_char(out, ' ');
            xds_doc_quoted(out, resource->name);
            if (resource->held && resource->held->is_rejected)
                xds_out_text(out, " (not in use)");
        }
        if (finding->rule->effect != XDS_EFFECT_HYGIENE) {
            xds_out_text(out, ": ");
            xds_out_verdicts(out, report, finding);
        }
        xds_out_char(out, '\n');
    }
    if (finding->related)
        xds_out_text(out, "    ");
    xds_out_related_line(out, report, finding);
    if (is_first(job, finding->rule)) {
        const struct xds_rule *rule = finding->rule;
        const struct xds_grfc *grfc = xds_grfc_of(rule->source);

        if (out->to->verbose)
            xds_out_line(out, "    %s", rule->text);
        xds_out_text(out, "    see: ");
        xds_doc_command(out, true);
        xds_out_format(out, "xdscope rule %s", rule->slug);
        xds_doc_command(out, false);
        xds_out_line(out, "%s%s", grfc ? ", " : "", grfc ? grfc->url : "");
    }
}

/* ---- C-core's log ---- */

/* For each finding whether it is the last one shown of its resource. */
static const bool *find_last(struct job *job)
{
    bool *is_last = XDS_NEW_ARRAY(&job->arena, bool, job->report->n_findings);
    bool *seen = XDS_NEW_ARRAY(&job->arena, bool, job->report->n_resources);

    for (size_t i = job->report->n_findings; i-- > 0;) {
        const uint32_t resource = job->report->findings[i].resource;

        if (resource == XDS_NO_RESOURCE)
            continue;
        is_last[i] = !seen[resource];
        seen[resource] = true;
    }
    return is_last;
}

/* Before the sum of all. */
static void print_folders(struct job *job)
{
    size_t n;
    const struct xds_folder *folders = xds_folders_of(&job->arena, job->report, &n);

    for (size_t i = 0; i < n && !job->out.failed; i++) {
        xds_out_format(&job->out, "%.*s: ", XDS_FMT(folders[i].path));
        xds_out_summary(&job->out, folders[i].sum);
    }
}

static void print_all(void *arg)
{
    struct job *job = arg;
    const struct xds_summary sum = xds_report_summary(job->report);
    const struct xds_report *report = job->report;
    const bool nacks_too = job->out.to->verbose;
    const bool *is_last = nacks_too ? find_last(job) : NULL;
    struct xds_nacks nacks;

    if (nacks_too)
        xds_nacks_init(&nacks, &job->arena, report);
    for (size_t i = 0; i < report->n_findings && !job->out.failed; i++) {
        print_finding(job, &report->findings[i]);
        if (!nacks_too || !is_last[i])
            continue;
        const struct xds_nack nack = xds_nack_of(&nacks, report->findings[i].resource);

        if (nack.n > 0) {
            xds_out_text(&job->out, "    C-core's log: ");
            xds_out_nack(&job->out, nack);
            xds_out_char(&job->out, '\n');
        }
    }
    if (job->out.to->quiet || (job->report->n_findings == 0 && sum.nacked == 0))
        return;
    if (report->options.each)
        print_folders(job);
    xds_out_summary(&job->out, sum);
}

enum xds_status xds_print_findings_text(const struct xds_printer *to,
                                        const struct xds_report *report)
{
    struct job job = {.report = report};

    return xds_out_run(&job.out, &job.arena, to, print_all, &job);
}

/* Findings have a writer of their own. */
enum xds_status xds_out_findings(struct xds_out *out, const struct xds_report *report)
{
    struct xds_printer to = *out->to;
    enum xds_status status;

    to.quiet = true; /* their summary counts resources */
    status = xds_out_finish(out);
    if (status == XDS_OK)
        status = xds_print_findings_text(&to, report);
    xds_out_init(out, out->to);
    return status;
}

/* ---- who rejects, on a page ---- */

/* Rows that are seen at once where there are not just a few more, and resources that are
 * all listed though nothing was found in most of them. */
enum { OPEN = 10, SLACK = 5, FEW = 40 };

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

/* All resources as rows; *shown of them in front are worth one. */
static struct row *sort_resources(struct job *job, size_t *shown)
{
    const size_t n = xds_report_resources(job->report);
    struct row *rows = XDS_NEW_ARRAY(&job->arena, struct row, n);
    size_t kept = 0;

    for (size_t i = 0; i < n; i++)
        rows[i] = (struct row){
            .resource = (uint32_t)i,
            .rejecting = count_clients(xds_report_resource(job->report, i)->nacked_by |
                                       xds_report_resource(job->report, i)->crashed_by)};
    for (size_t i = xds_report_findings(job->report); i-- > 0;) {
        const uint32_t resource = xds_report_finding(job->report, i)->resource;

        if (resource == XDS_NO_RESOURCE)
            continue;
        rows[resource].findings++;
        rows[resource].first = i;
    }
    for (size_t i = 0; i < n; i++)
        if (n <= FEW || rows[i].rejecting > 0 || rows[i].findings > 0)
            rows[kept++] = rows[i];
    if (kept > 0)
        qsort(rows, kept, sizeof(*rows), by_rejections);
    *shown = kept;
    return rows;
}

static void print_rows(struct job *job, const struct row *rows, size_t n)
{
    enum { COLUMNS = XDS_CLIENTS + 3 };
    struct xds_column columns[COLUMNS] = {{"Resource", "name"}};
    const struct xds_table table = {"Resources and clients", columns, COLUMNS, NULL};
    struct xds_out *out = &job->out, *page;

    for (unsigned c = 0; c < XDS_CLIENTS; c++)
        columns[1 + c].title = xds_client_name((enum xds_client)c);
    columns[COLUMNS - 2] = (struct xds_column){"Findings", "number"};
    columns[COLUMNS - 1] = (struct xds_column){"Place", NULL};
    for (size_t i = 0; i < n && !out->failed; i++) {
        const struct xds_resource_result *resource =
            xds_report_resource(job->report, rows[i].resource);
        const struct xds_place at = xds_place_or_start(resource->at);
        const struct xds_slice type = xds_type_short(resource->type);

        xds_doc_row(out, &table, NULL);
        xds_doc_cell(out, "");
        page = xds_doc_inline(out);
        if (rows[i].findings > 0)
            xds_html_format(page, "<a href=\"#f%zu\">", rows[i].first);
        xds_html_format(page, "%.*s ", XDS_FMT(type.len > 0 ? type : XDS_S("resource")));
        xds_html_code(page, resource->name);
        xds_out_text(page, rows[i].findings > 0 ? "</a>" : "");
        for (unsigned c = 0; c < XDS_CLIENTS; c++) {
            const bool crash = resource->crashed_by & XDS_CLIENT_BIT(c);
            const bool nack = resource->nacked_by & XDS_CLIENT_BIT(c);

            xds_doc_cell(out, "");
            xds_doc_span(out, crash || nack ? "nack" : "ack",
                         crash  ? "CRASH"
                         : nack ? "NACK"
                                : "ACK");
        }
        xds_doc_cell(out, "");
        xds_out_u64(out, rows[i].findings);
        xds_doc_cell(out, "");
        xds_out_line(out, "%.*s:%u", XDS_FMT(xds_report_file(job->report, at.file)),
                     at.line);
    }
    (void)xds_doc_markup(out); /* the columns end here */
}

static void print_matrix(struct job *job)
{
    const size_t all = xds_report_resources(job->report);
    size_t n;

    if (all == 0)
        return;
    const struct row *rows = sort_resources(job, &n);
    const size_t open = n > OPEN + SLACK ? OPEN : n;

    xds_doc_section(&job->out, "clients", "Who rejects");
    print_rows(job, rows, open);
    if (n > open && xds_doc_fold(&job->out)) {
        xds_out_line(&job->out, "%zu more resource%s", n - open, xds_plural(n - open));
        print_rows(job, rows + open, n - open);
        xds_doc_fold_end(&job->out);
    }
    if (all > n)
        xds_out_line(&job->out,
                     "Not listed: %zu resource%s that every client accepts and in which "
                     "nothing was found.",
                     all - n, xds_plural(all - n));
}

/* ---- the page ---- */

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

/* Its rule, and where it is in the report. */
struct entry {
    const struct xds_finding *finding;
    size_t index;
};

/* Errors first; then as rules are listed. */
static int by_cause(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;

    if (a->finding->level != b->finding->level)
        return a->finding->level > b->finding->level ? -1 : 1;
    if (a->finding->rule != b->finding->rule)
        return a->finding->rule < b->finding->rule ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}

static void print_article(struct job *job, const struct entry *entry,
                          struct xds_out *page)
{
    const struct xds_finding *finding = entry->finding;
    const struct xds_resource_result *resource =
        xds_finding_resource(job->report, finding);
    const char *level = xds_level_name(finding->level);

    xds_html_format(page,
                    "<article class=\"finding %s\" id=\"f%zu\" data-item=\"\" "
                    "data-level=\"%s\" data-rule=\"%s\"",
                    level, entry->index, level, finding->rule->slug);
    if (resource && resource->type.len > 0)
        xds_html_attribute(page, "data-type", xds_type_short(resource->type));

    /* Names of clients are plain words, and so may be in an attribute. */
    const char *separator = "";

    xds_out_text(page, " data-client=\"");
    for (unsigned c = 0; c < XDS_CLIENTS; c++) {
        if (finding->verdict[c] == XDS_ACCEPT)
            continue;
        xds_html_format(page, "%s%s", separator, xds_client_name((enum xds_client)c));
        separator = " ";
    }
    xds_out_char(page, '"');
    xds_out_text(page, ">\n");
    print_finding(job, finding);
    (void)xds_doc_markup(&job->out);
    xds_out_text(page, "</article>\n");
}

/* Findings of one rule and level; gives how many. */
static size_t print_cause(struct job *job, const struct entry *entries, size_t n)
{
    const struct xds_rule *rule = entries->finding->rule;
    const struct xds_grfc *grfc = xds_grfc_of(rule->source);
    struct xds_out *page = xds_doc_markup(&job->out);
    size_t of_it = 1;

    while (of_it < n && entries[of_it].finding->level == entries->finding->level &&
           entries[of_it].finding->rule == rule)
        of_it++;
    xds_html_format(page,
                    "<section class=\"cause\" data-group=\"\">\n"
                    "<h3><span class=\"%s\">%s</span> %s "
                    "<span data-count=\"\">%zu finding%s</span></h3>\n"
                    "<p>%s</p>\n<p class=\"quiet\">",
                    xds_level_name(entries->finding->level),
                    xds_level_name(entries->finding->level), rule->slug, of_it,
                    xds_plural(of_it), rule->text);
    xds_out_rule_effect(page, rule);
    xds_html_format(page, ". Source: %s", rule->source);
    if (grfc)
        xds_html_format(page, ". See <a rel=\"noreferrer\" href=\"%s\">gRFC A%u</a>",
                        grfc->url, grfc->number);
    xds_out_text(page, "</p>\n");
    for (size_t i = 0; i < of_it && !page->failed; i++)
        print_article(job, &entries[i], page);
    xds_out_text(page, "</section>\n");
    return of_it;
}

static void print_page(void *arg)
{
    struct job *job = arg;
    const struct xds_summary sum = xds_report_summary(job->report);
    struct xds_out *out = &job->out;

    xds_doc_verdict(out, sum.errors + sum.nacked == 0);
    if (sum.resources + sum.errors == 0)
        xds_out_line(out, "no resource was found");
    else
        xds_out_summary(out, sum);
    print_matrix(job);
    xds_doc_section(out, "findings", "Findings");
    if (job->report->n_findings > 0) {
        const size_t n = job->report->n_findings;
        struct entry *entries = XDS_NEW_ARRAY(&job->arena, struct entry, n);

        for (size_t i = 0; i < n; i++)
            entries[i] = (struct entry){&job->report->findings[i], i};
        qsort(entries, n, sizeof(*entries), by_cause);
        write_filters(xds_doc_markup(&job->out));
        for (size_t i = 0; i < n && !job->out.failed;)
            i += print_cause(job, entries + i, n - i);
    } else
        xds_out_line(out, "Nothing to report.");
}

enum xds_status xds_print_findings_html(const struct xds_printer *to,
                                        const struct xds_report *report)
{
    struct job job = {.report = report};
    struct xds_doc doc;

    xds_doc_begin(&doc, to, "lint");
    return xds_doc_end(&doc,
                       xds_out_run(&job.out, &job.arena, &doc.printer, print_page, &job));
}
