/*
 * junit.c - findings, and what came of a suite, as test results for CI systems that read
 * JUnit's XML. Nothing is measured: time is 0.
 *
 * Source: the schema that Jenkins reads.
 */
#include "print/findings/findings.h"
#include "print/suite/suite.h"
#include "print/write/markup.h"

#include <stdio.h>
#include <string.h>

/* ---- elements ---- */

struct counts {
    size_t tests, failures, errors, skipped;
};

/* <testsuites> or <testsuite>, up to its cases. */
static void begin_suite(struct xds_out *out, const char *element, struct xds_slice name,
                        struct counts n)
{
    xds_out_text(out, element);
    xds_xml_attribute(out, "name", name);
    xds_xml_format(out,
                   " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" "
                   "time=\"0\">\n",
                   n.tests, n.failures, n.errors, n.skipped);
}

static const char all[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites";
static const char of_file[] = "  <testsuite", end_file[] = "  </testsuite>\n";
static const char end_all[] = "</testsuites>\n";
/* A case without a result has passed. */
static const char end_passed[] = " time=\"0\"/>\n";
static const char end_empty_result[] = "/>\n    </testcase>\n";

/* <failure>, <error> or <skipped>, up to its text; its end is that of the case, too. */
static void begin_result(struct xds_out *out, const char *element,
                         struct xds_slice message, const char *type)
{
    xds_xml_format(out, " time=\"0\">\n      <%s", element);
    xds_xml_attribute(out, "message", message);
    if (type)
        xds_xml_attribute(out, "type", xds_slice_of(type));
}

static void end_result(struct xds_out *out, const char *element)
{
    xds_xml_format(out, "</%s>\n    </testcase>\n", element);
}

/* ---- findings ---- */

/* The findings [from, to) are those of one file. */
struct findings {
    const struct xds_report *report;
    uint32_t file;
    size_t from, to;
};

/* A file without findings is a case that has passed. */
static struct counts count(const struct findings *f)
{
    struct counts n = {.tests = f->to > f->from ? f->to - f->from : 1};

    for (size_t i = f->from; i < f->to; i++)
        if (xds_report_finding(f->report, i)->level == XDS_LEVEL_NOTE)
            n.skipped++;
        else
            n.failures++;
    return n;
}

/* Findings are in the order of their files. */
static struct findings next_file(const struct xds_report *report, uint32_t file,
                                 size_t from)
{
    struct findings f = {.report = report, .file = file, .from = from, .to = from};

    while (f.to < xds_report_findings(report) &&
           xds_report_finding(report, f.to)->at.file == file)
        f.to++;
    return f;
}

/* Names of cases tell findings of one rule apart by their places. */
static void put_case_name(struct xds_out *out, const struct xds_report *report,
                          const struct xds_finding *finding)
{
    const struct xds_resource_result *resource = xds_finding_resource(report, finding);
    const struct xds_place at = xds_place_or_start(finding->at);
    const char *slug = finding->rule->slug;

    if (!xds_report_is_answer(report, at.file))
        xds_xml_format(out, "    <testcase name=\"%s_%u_%u\"", slug, at.line, at.column);
    else if (!resource)
        xds_xml_format(out, "    <testcase name=\"%s\"", slug);
    else
        xds_xml_in_attribute(out, "    <testcase name=\"%s %.*s/%.*s%s%.*s\"", slug,
                             XDS_FMT(xds_type_short(resource->type)),
                             XDS_FMT(resource->name), finding->path.len > 0 ? "/" : "",
                             XDS_FMT(finding->path));
}

static void put_file(struct xds_out *out, const struct findings *f)
{
    const struct xds_slice file = xds_report_file(f->report, f->file);

    begin_suite(out, of_file, file, count(f));
    for (size_t i = f->from; i < f->to && !out->failed; i++) {
        const struct xds_finding *finding = xds_report_finding(f->report, i);
        const bool note = finding->level == XDS_LEVEL_NOTE;
        const char *element = note ? "skipped" : "failure";

        put_case_name(out, f->report, finding);
        xds_xml_attribute(out, "classname", xds_report_file(f->report, finding->at.file));
        begin_result(out, element, finding->message,
                     note ? NULL : xds_level_name(finding->level));
        xds_out_char(out, '>');

        const struct xds_resource_result *resource =
            xds_finding_resource(f->report, finding);

        const struct xds_slice version = xds_version_of(resource);

        if (resource)
            xds_xml_format(out, "%.*s \"%.*s\"%s%.*s%s\n",
                           XDS_FMT(xds_type_short(resource->type)),
                           XDS_FMT(resource->name), version.len > 0 ? " (version " : "",
                           XDS_FMT(version), version.len > 0 ? ")" : "");
        if (finding->path.len > 0)
            xds_xml_format(out, "%.*s\n", XDS_FMT(finding->path));
        if (finding->rule->effect != XDS_EFFECT_HYGIENE) {
            xds_out_verdicts(out, f->report, finding);
            xds_out_char(out, '\n');
        }
        xds_xml_format(out, "source: %s", finding->rule->source);
        end_result(out, element);
    }
    if (f->from == f->to) {
        xds_out_text(out, "    <testcase name=\"xdscope\"");
        xds_xml_attribute(out, "classname", file);
        xds_out_text(out, end_passed);
    }
    xds_out_text(out, end_file);
}

enum xds_status xds_print_findings_junit(const struct xds_printer *to,
                                         const struct xds_report *report)
{
    struct findings f = {.to = 0};
    struct counts sum = {0};
    struct xds_out out;

    for (uint32_t file = 0; file < report->files.n; file++) {
        f = next_file(report, file, f.to);
        const struct counts n = count(&f);

        sum.tests += n.tests;
        sum.failures += n.failures;
        sum.skipped += n.skipped;
    }
    xds_out_init(&out, to);
    begin_suite(&out, all, XDS_S("xdscope"), sum);
    f.to = 0;
    for (uint32_t file = 0; file < report->files.n && !out.failed; file++) {
        f = next_file(report, file, f.to);
        put_file(&out, &f);
    }
    xds_out_text(&out, end_all);
    return xds_out_finish(&out);
}

/* ---- a suite ---- */

static void begin_case(struct xds_out *out, struct xds_slice class_name,
                       struct xds_slice name)
{
    xds_out_text(out, "    <testcase");
    xds_xml_attribute(out, "classname", class_name);
    xds_xml_attribute(out, "name", name);
}

/* What is no case, but wrong. */
static void put_error(struct xds_out *out, struct xds_slice class_name,
                      struct xds_slice name, struct xds_slice message, const char *type)
{
    begin_case(out, class_name, name);
    begin_result(out, "error", message, type);
    xds_out_text(out, end_empty_result);
}

static void put_suite_file(struct xds_out *out, const struct xds_suite_file *file)
{
    const bool unread = file->unread.data != NULL;

    begin_suite(out, of_file, file->name,
                (struct counts){file->n_cases + unread, file->n_failed, unread, 0});
    for (size_t i = 0; i < file->n_cases; i++) {
        begin_case(out, file->name, file->cases[i].name);
        if (file->cases[i].ok)
            xds_out_text(out, end_passed);
        else {
            const struct xds_suite_case *c = &file->cases[i];

            begin_result(out, "failure", c->mismatches[0].text, "expectation");
            xds_out_char(out, '>');
            for (size_t k = 0; k < c->n_mismatches; k++) {
                const struct xds_suite_mismatch *m = &c->mismatches[k];

                xds_xml_format(out, "%.*s:%u:%u: %.*s\n", XDS_FMT(file->name), m->line,
                               m->column, XDS_FMT(m->text));
            }
            if (c->n_more_mismatches)
                xds_out_more_mismatches(out, c);
            if (c->ending.data)
                xds_xml_format(out, "the RPC ends: %.*s\n", XDS_FMT(c->ending));
            xds_xml_text(out, c->explanation);
            end_result(out, "failure");
        }
    }
    if (unread)
        put_error(out, file->unread, XDS_S("unreadable"), file->why, "unreadable");
    xds_out_text(out, end_file);
}

static void put_faults(struct xds_out *out, const struct xds_suite_results *results)
{
    const size_t n = results->n_faults;

    if (n == 0)
        return;
    begin_suite(out, of_file, XDS_S("test files"), (struct counts){n, 0, n, 0});
    for (size_t i = 0; i < n; i++) {
        const struct xds_finding *f = xds_report_finding(results->faults, i);
        char place[32];

        (void)snprintf(place, sizeof place, "%u:%u", f->at.line, f->at.column);
        put_error(out, xds_report_file(results->faults, f->at.file), xds_slice_of(place),
                  f->message, f->rule->slug);
    }
    xds_out_text(out, end_file);
}

static void put_coverage(struct xds_out *out, const struct xds_suite_results *results,
                         const struct xds_suite_view *view)
{
    const struct {
        const char *name;
        size_t value;
    } rows[] = {
        {"routes", results->routes},
        {"routes_covered", results->routes_covered},
        {"weighted_targets", results->targets},
        {"weighted_targets_covered", results->targets_covered},
        {"filter_chains", results->chains.all},
        {"filter_chains_covered", results->chains.covered},
        {"policies", results->policies.all},
        {"policies_covered", results->policies.covered},
    };
    const bool under = xds_suite_under_limit(results, view);

    begin_suite(out, of_file, XDS_S("coverage"),
                (struct counts){view->has_limit, under, 0, 0});
    xds_out_text(out, "    <properties>\n");
    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++)
        xds_xml_format(out, "      <property name=\"%s\" value=\"%zu\"/>\n", rows[i].name,
                       rows[i].value);
    xds_xml_format(out,
                   "      <property name=\"percent\" value=\"%s\"/>\n"
                   "    </properties>\n",
                   xds_tenths(results->percent).text);
    if (view->has_limit)
        begin_case(out, XDS_S("coverage"), XDS_S("limit"));
    if (under) {
        xds_out_text(out, " time=\"0\">\n      <failure message=\"");
        xds_out_covered(out, results);
        xds_out_text(out, ", under the limit of ");
        xds_out_double(out, view->limit);
        xds_out_text(out, "%\" type=\"coverage\"");
        xds_out_text(out, end_empty_result);
    } else if (view->has_limit) {
        xds_out_text(out, end_passed);
    }
    xds_out_text(out, end_file);
}

enum xds_status xds_print_suite_junit(const struct xds_printer *to,
                                      const struct xds_suite_results *results,
                                      const struct xds_suite_view *view)
{
    struct counts sum = {results->cases + results->n_faults + view->has_limit,
                         results->failed + xds_suite_under_limit(results, view),
                         results->n_faults, 0};
    struct xds_out out;

    for (size_t i = 0; i < results->n_files; i++) {
        sum.tests += results->files[i].unread.data != NULL;
        sum.errors += results->files[i].unread.data != NULL;
    }
    xds_out_init(&out, to);
    begin_suite(&out, all, XDS_S("xdscope test"), sum);
    for (size_t i = 0; i < results->n_files; i++)
        put_suite_file(&out, &results->files[i]);
    put_faults(&out, results);
    if (view->coverage)
        put_coverage(&out, results, view);
    xds_out_text(&out, end_all);
    return xds_out_finish(&out);
}
