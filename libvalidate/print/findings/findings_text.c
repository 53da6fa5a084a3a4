/*
 * findings_text.c - findings for people: as text, and as an HTML page, grouped by cause.
 * With verbose each in full, in the order of the input, and after the last one of a
 * resource, what C-core would log.
 */
#include <stdlib.h>

#include "base/text.h"
#include "print/findings/findings.h"
#include "print/findings/nack.h"
#include "print/rule/rule.h"
#include "print/write/document.h"
#include "print/write/markup.h"

struct job {
    const struct xds_report *report;
    bool seen[XDS_RULES]; /* rules that a finding was printed of */
    bool *hit_told;       /* resources of which it was said what they hit */
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

    if (!out->to->verbose && !xds_doc_of(out)) {
        xds_out_line(out, "    -v lists them");
        return;
    }
    for (size_t i = 0; i < report->input.n_foreign && !out->failed; i++) {
        const struct xds_foreign *foreign = &report->input.foreign[i];

        xds_out_line(out, "    %.*s:%u: %.*s",
                     XDS_FMT(xds_report_file(report, foreign->at.file)), foreign->at.line,
                     XDS_FMT(foreign->what));
    }
}

static void print_owner(struct xds_out *out, const struct xds_resource_result *resource)
{
    const struct xds_slice type = xds_type_short(resource->type);

    xds_out_format(out, "%.*s", XDS_FMT(type.len > 0 ? type : XDS_S("resource")));
    if (resource->name.len > 0) {
        xds_out_char(out, ' ');
        xds_doc_quoted(out, resource->name);
        if (resource->held && resource->held->is_rejected)
            xds_out_text(out, " (not in use)");
    }
}

static void print_verdicts(struct job *job, const struct xds_finding *finding)
{
    if (finding->rule->effect == XDS_EFFECT_HYGIENE)
        return;
    xds_out_text(&job->out, ": ");
    xds_out_verdicts(&job->out, job->report, finding);
}

static void print_finding(struct job *job, const struct xds_finding *finding)
{
    const struct xds_report *report = job->report;
    const struct xds_resource_result *resource = xds_finding_resource(report, finding);
    struct xds_out *out = &job->out;

    xds_out_finding_line(out, report, finding);
    if (finding->path.len > 0 && !xds_report_is_answer(report, finding->at.file)) {
        xds_out_text(out, "    ");
        xds_doc_code(out, finding->path);
        xds_out_char(out, '\n');
    }
    if (finding->rule == report->input.counts_foreign)
        list_foreign(job);
    else
        xds_out_excerpt(out, xds_report_file(report, finding->at.file), finding->at);
    if (resource) {
        xds_out_text(out, "    ");
        print_owner(out, resource);
        print_verdicts(job, finding);
        xds_out_char(out, '\n');
    }
    if (finding->related)
        xds_out_text(out, "    ");
    xds_out_related_line(out, report, finding);
    if (finding->level == XDS_LEVEL_ERROR && resource &&
        !job->hit_told[finding->resource]) {
        job->hit_told[finding->resource] = true;
        xds_out_impact(out, report, finding->resource);
    }
    if (is_first(job, finding->rule)) {
        const struct xds_rule *rule = finding->rule;
        const struct xds_rule_url url = xds_rule_url(rule);

        if (out->to->verbose)
            xds_out_line(out, "    %s", rule->text);
        xds_out_text(out, "    see: ");
        xds_doc_command(out, true);
        xds_out_format(out, "xdscope rule %s", rule->slug);
        xds_doc_command(out, false);
        xds_out_line(out, "%s%s", *url.text ? ", " : "", url.text);
    }
}

/* ---- causes ---- */

/* So many findings are shown in full, and of so many causes the first finding is; of a
 * cause so many more are a line. */
enum { WHOLE = 2, BRIEF = 3 };

/* Bytes of a line that list fields. */
enum { NAMES = 50 };

/* What is different in another finding of the same cause. */
static void print_brief(struct job *job, const struct xds_finding *first,
                        const struct xds_finding *finding)
{
    const struct xds_resource_result *resource =
        xds_finding_resource(job->report, finding);
    const struct xds_place at = xds_place_or_start(finding->at);
    const bool is_same = xds_slice_eq(first->message, finding->message);
    struct xds_out *out = &job->out;

    xds_out_format(out, "%.*s:", XDS_FMT(xds_report_file(job->report, at.file)));
    if (!xds_report_is_answer(job->report, at.file))
        xds_out_format(out, "%u:%u:", at.line, at.column);
    xds_out_char(out, ' ');
    if (resource)
        print_owner(out, resource);
    if (!is_same || !resource)
        xds_out_format(out, "%s%.*s", resource ? ": " : "", XDS_FMT(finding->message));
    xds_out_char(out, '\n');
}

/* "timeout" in a RouteAction; "RetryPolicy.retry_on" in anything else. */
static struct xds_slice name_unread(struct xds_slice type, struct xds_slice field)
{
    if (xds_slice_starts(field, type) && field.data[type.len] == '.')
        return xds_slice_from(field, type.len + 1);
    return field;
}

/* The fields of one type of resource that no client reads, as a line. */
static void print_unread(struct job *job, const struct xds_caused *list, size_t n)
{
    const struct xds_finding *first = list->finding;
    const struct xds_slice type =
        xds_type_short(xds_finding_resource(job->report, first)->type);
    struct xds_out *out = &job->out;
    struct xds_text text = {.arena = &job->arena};
    size_t i = 0;

    xds_text_printf(&text, "%.*s: %zu field%s that no gRPC client reads: ", XDS_FMT(type),
                    n, xds_plural(n));
    const size_t most = text.len + NAMES;

    for (; i < n; i++) {
        const struct xds_slice name = name_unread(type, list[i].finding->unread);

        if (i > 0 && text.len + name.len > most)
            break;
        xds_text_printf(&text, "%s%.*s", i > 0 ? ", " : "", XDS_FMT(name));
    }
    if (n > 1)
        xds_text_printf(&text, "%s (-v lists them)", i < n ? ", ..." : "");
    struct xds_finding line = *first;

    line.message = xds_slice_make(text.data, text.len);
    xds_out_finding_line(out, job->report, &line);
}

static void print_others(struct job *job, const struct xds_caused *list, size_t n)
{
    const size_t others = n - 1, brief = others > BRIEF + 1 ? BRIEF : others;

    for (size_t i = 1; i <= brief; i++)
        print_brief(job, list->finding, list[i].finding);
    if (brief < others)
        xds_out_line(&job->out, "and %zu more (-v lists them)", others - brief);
}

/* "Cluster "a" and 5 more", or "Cluster "a", 6 times". */
static void print_owners(struct job *job, const struct xds_caused *list, size_t n)
{
    const struct xds_finding *first = list->finding;
    size_t others = 0;

    for (size_t i = 1; i < n; i++)
        others += list[i].finding->resource != list[i - 1].finding->resource;
    print_owner(&job->out, xds_finding_resource(job->report, first));
    if (others > 0)
        xds_out_format(&job->out, " and %zu more", others);
    else if (n > 1)
        xds_out_format(&job->out, ", %zu times", n);
}

/* Two lines on a cause that is one of many. */
static void print_short(struct job *job, const struct xds_caused *list, size_t n)
{
    const struct xds_finding *first = list->finding;
    struct xds_out *out = &job->out;
    size_t same = 1;

    xds_out_finding_line(out, job->report, first);
    while (same < n && xds_slice_eq(list[same].finding->message, first->message))
        same++;
    if (xds_finding_resource(job->report, first)) {
        xds_out_text(out, "    ");
        print_owners(job, list, same < n ? 1 : n);
        print_verdicts(job, first);
        xds_out_char(out, '\n');
    } else if (first->rule == job->report->input.counts_foreign)
        list_foreign(job);
    if (first->level == XDS_LEVEL_ERROR && first->related) {
        xds_out_text(out, "    ");
        xds_out_related_line(out, job->report, first);
    }
    if (same < n || first->resource == XDS_NO_RESOURCE)
        print_others(job, list, n);
}

static void print_causes(struct job *job)
{
    const size_t n = job->report->n_findings;
    const struct xds_caused *list = xds_by_cause(&job->arena, job->report);
    size_t causes = 0;

    for (size_t i = 0; i < n; i += xds_cause_size(list + i, n - i))
        causes += list[i].finding->unread.len == 0;
    for (size_t i = 0, same; i < n && !job->out.failed; i += same) {
        same = xds_cause_size(list + i, n - i);
        if (list[i].finding->unread.len > 0)
            print_unread(job, list + i, same);
        else if (causes > WHOLE)
            print_short(job, list + i, same);
        else {
            print_finding(job, list[i].finding);
            print_others(job, list + i, same);
        }
    }
    if (causes > WHOLE && !job->out.to->quiet)
        xds_out_line(&job->out, "-v shows each finding and line; xdscope rule NAME "
                                "explains the name in brackets");
}

/* ---- C-core's log ---- */

/* For each finding whether the NACK of its resource comes after it: the last one that is
 * part of the text, or, where none of these is shown, the last one. */
static const bool *find_last(struct job *job)
{
    bool *is_last = XDS_NEW_ARRAY(&job->arena, bool, job->report->n_findings);
    bool *seen = XDS_NEW_ARRAY(&job->arena, bool, job->report->n_resources);

    for (unsigned pass = 0; pass < 2; pass++)
        for (size_t i = job->report->n_findings; i-- > 0;) {
            const struct xds_finding *finding = &job->report->findings[i];

            if (finding->resource == XDS_NO_RESOURCE || seen[finding->resource] ||
                (pass == 0 && !finding->core.data))
                continue;
            is_last[i] = seen[finding->resource] = true;
        }
    return is_last;
}

/* As the input has them. */
static void print_each(struct job *job)
{
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
}

/* Before the sum of all. */
static void print_folders(struct job *job)
{
    size_t n;
    const struct xds_folder *folders = xds_folders_of(&job->arena, job->report, &n);

    for (size_t i = 0; i < n && !job->out.failed; i++)
        xds_out_folder(&job->out, &job->arena, job->report, &folders[i]);
}

static void print_all(void *arg)
{
    struct job *job = arg;
    const struct xds_summary sum = xds_report_summary(job->report);
    const struct xds_report *report = job->report;

    job->hit_told = XDS_NEW_ARRAY(&job->arena, bool, report->n_resources);
    /* A config and a file of tests have no resources, and few findings. */
    if (job->out.to->verbose || report->n_findings <= WHOLE || report->n_resources == 0)
        print_each(job);
    else
        print_causes(job);
    if (job->out.to->quiet || (job->report->n_findings == 0 && sum.nacked == 0))
        return;
    if (report->options.each)
        print_folders(job);
    xds_out_unjudged(&job->out, &job->arena, report);
    xds_out_impact_sum(&job->out, report);
    xds_out_summary(&job->out, &job->arena, report);
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
        if (!xds_report_resource(job->report, i)->unjudged &&
            (n <= FEW || rows[i].rejecting > 0 || rows[i].findings > 0))
            rows[kept++] = rows[i];
    if (kept > 0)
        qsort(rows, kept, sizeof(*rows), by_rejections);
    *shown = kept;
    return rows;
}

/* The clients that have a column: a mask. The documents have one where no other client
 * rejects what they do, too. */
static unsigned find_columns(const struct job *job)
{
    const unsigned documents = XDS_CLIENT_BIT(XDS_CLIENT_GRFC);

    if (xds_names_documents(&job->out, job->report))
        return XDS_ALL_CLIENTS;
    for (size_t i = 0; i < xds_report_resources(job->report); i++)
        if (xds_report_resource(job->report, i)->nacked_by == documents)
            return XDS_ALL_CLIENTS;
    return XDS_ALL_CLIENTS & ~documents;
}

/* "NACK"; where only some of the releases that were asked for do, with these. */
static void print_cell(struct job *job, const struct xds_resource_result *resource,
                       enum xds_client client)
{
    const bool crash = resource->crashed_by & XDS_CLIENT_BIT(client);
    const bool nack = resource->nacked_by & XDS_CLIENT_BIT(client);
    struct xds_reader_list asked;
    size_t of_client = 0, rejecting = 0;

    xds_readers_asked(&job->out, job->report, &asked);
    for (size_t i = 0; i < asked.n; i++) {
        asked.in[i] = asked.who[i].client == client;
        of_client += asked.in[i];
        asked.in[i] = asked.in[i] && xds_resource_verdict(job->report, resource,
                                                          asked.who[i]) != XDS_ACCEPT;
        rejecting += asked.in[i];
    }
    xds_doc_cell(&job->out, "");
    xds_doc_span(&job->out, crash || nack ? "nack" : "ack",
                 crash  ? "CRASH"
                 : nack ? "NACK"
                        : "ACK");
    if (rejecting > 0 && rejecting < of_client) {
        xds_out_char(&job->out, ' ');
        xds_out_readers(&job->out, &asked, ", ");
    }
}

static void print_rows(struct job *job, const struct row *rows, size_t n)
{
    enum { COLUMNS = XDS_CLIENTS + 3 };
    const unsigned clients = find_columns(job);
    struct xds_column columns[COLUMNS] = {{"Resource", "name"}};
    struct xds_table table = {"Resources and clients", columns, 1, NULL};
    struct xds_out *out = &job->out, *page;

    for (unsigned c = 0; c < XDS_CLIENTS; c++)
        if (clients & XDS_CLIENT_BIT(c))
            columns[table.n++].title = xds_client_name((enum xds_client)c);
    columns[table.n++] = (struct xds_column){"Findings", "number"};
    columns[table.n++] = (struct xds_column){"Place", NULL};
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
        for (unsigned c = 0; c < XDS_CLIENTS; c++)
            if (clients & XDS_CLIENT_BIT(c))
                print_cell(job, resource, (enum xds_client)c);
        xds_doc_cell(out, "");
        xds_out_u64(out, rows[i].findings);
        xds_doc_cell(out, "");
        xds_out_format(out, "%.*s", XDS_FMT(xds_report_file(job->report, at.file)));
        if (!xds_report_is_answer(job->report, at.file))
            xds_out_format(out, ":%u", at.line);
        xds_out_char(out, '\n');
    }
    (void)xds_doc_markup(out); /* the columns end here */
}

static void print_matrix(struct job *job)
{
    const struct xds_summary sum = xds_report_summary(job->report);
    const size_t all = sum.resources + sum.bootstraps;
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
    xds_out_unjudged(&job->out, &job->arena, job->report);
    if (all > n)
        xds_out_line(&job->out,
                     "Not listed: %zu resource%s that every client accepts and in which "
                     "nothing was found.",
                     all - n, xds_plural(all - n));
}

/* ---- the page ---- */

static void write_filters(struct xds_out *out, unsigned named)
{
    static const struct xds_html_option levels[] = {
        {"error", "errors"}, {"warning", "warnings"}, {"note", "notes"}};
    struct xds_html_option clients[XDS_CLIENTS];
    size_t n = 0;

    for (unsigned c = 0; c < XDS_CLIENTS; c++) {
        const char *name = xds_client_name((enum xds_client)c);

        if (named & XDS_CLIENT_BIT(c))
            clients[n++] = (struct xds_html_option){name, name};
    }
    xds_html_filters_begin(out, "finding");
    xds_html_filter_boxes(out, "level", "Level", levels, XDS_ARRAY_LEN(levels));
    xds_html_filter_list(out, "client", "Not accepted by", clients, n);
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
    const struct xds_rule_url url = xds_rule_url(rule);
    struct xds_out *page = xds_doc_markup(&job->out);
    size_t of_it = 1;

    while (of_it < n && entries[of_it].finding->level == entries->finding->level &&
           entries[of_it].finding->rule == rule)
        of_it++;
    xds_html_format(page,
                    "<section class=\"cause\" data-group=\"\">\n"
                    "<h3><span class=\"%s\">%s</span> ",
                    xds_level_name(entries->finding->level),
                    xds_level_name(entries->finding->level));
    xds_html_format(page,
                    *url.text ? "<a rel=\"noreferrer\" href=\"%s\">%s</a> " : "%s%s ",
                    url.text, rule->slug);
    xds_html_format(page,
                    "<span data-count=\"\">%zu finding%s</span></h3>\n"
                    "<p>%s</p>\n<p class=\"quiet\">",
                    of_it, xds_plural(of_it), rule->text);
    /* Who does what is below each finding: it depends on releases and settings. */
    if (rule->effect == XDS_EFFECT_HYGIENE || rule->effect == XDS_EFFECT_SYNTAX) {
        xds_out_rule_effect(page, rule);
        xds_out_text(page, ". ");
    }
    xds_html_format(page, "Source: %s", rule->source);
    xds_out_text(page, "</p>\n");
    const size_t open = of_it > OPEN + SLACK ? OPEN : of_it;

    for (size_t i = 0; i < of_it && !page->failed; i++) {
        if (i == open)
            xds_html_format(page, "<details><summary>%zu more</summary>\n", of_it - open);
        print_article(job, &entries[i], page);
    }
    xds_out_text(page, open < of_it ? "</details>\n</section>\n" : "</section>\n");
    return of_it;
}

static void print_page(void *arg)
{
    struct job *job = arg;
    const struct xds_summary sum = xds_report_summary(job->report);
    struct xds_out *out = &job->out;

    xds_doc_verdict(out,
                    sum.errors + sum.nacked == 0 && sum.resources + sum.bootstraps > 0);
    if (sum.resources + sum.bootstraps + sum.errors == 0)
        xds_out_line(out, "no resource was found");
    else
        xds_out_summary(out, &job->arena, job->report);
    print_matrix(job);
    job->hit_told = XDS_NEW_ARRAY(&job->arena, bool, job->report->n_resources);
    xds_doc_section(out, "findings", "Findings");
    if (job->report->n_findings > 0) {
        const size_t n = job->report->n_findings;
        struct entry *entries = XDS_NEW_ARRAY(&job->arena, struct entry, n);

        for (size_t i = 0; i < n; i++)
            entries[i] = (struct entry){&job->report->findings[i], i};
        qsort(entries, n, sizeof(*entries), by_cause);
        write_filters(xds_doc_markup(&job->out), find_columns(job));
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
