/*
 * report_junit.c - what came of a suite, as JUnit's XML.
 *
 * is an error of a testcase of its own, and coverage below its limit a failure. Source:
 * the schema that Jenkins reads. Nothing is measured: time is 0.
 */
#include "print/findings.h"
#include "print/xml.h"
#include "suite/report.h"

#include <stdio.h>
#include <string.h>

struct counts {
    size_t tests, failures, errors;
};

static void attribute_text(struct xds_out *out, const char *name, const char *value)
{
    xds_xml_attribute(out, name, xds_slice_of(value));
}

static void attribute_counts(struct xds_out *out, struct counts counts)
{
    xds_xml_attribute_u64(out, "tests", counts.tests);
    xds_xml_attribute_u64(out, "failures", counts.failures);
    xds_xml_attribute_u64(out, "errors", counts.errors);
    xds_xml_attribute_u64(out, "skipped", 0);
    attribute_text(out, "time", "0");
}

static void begin_case(struct xds_out *out, struct xds_slice class_name,
                       struct xds_slice name)
{
    xds_out_text(out, "    <testcase");
    xds_xml_attribute(out, "classname", class_name);
    xds_xml_attribute(out, "name", name);
    attribute_text(out, "time", "0");
}

/* ---- cases ---- */

static void print_mismatch(struct xds_out *out, struct xds_slice file,
                           const struct xds_suite_mismatch *m)
{
    xds_xml_text(out, file);
    xds_out_char(out, ':');
    xds_out_u64(out, m->line);
    xds_out_char(out, ':');
    xds_out_u64(out, m->column);
    xds_out_text(out, ": ");
    xds_xml_text(out, m->text);
    xds_out_char(out, '\n');
}

static void print_failure(struct xds_out *out, const struct xds_suite_file *file,
                          const struct xds_suite_case *c)
{
    xds_out_text(out, ">\n      <failure");
    xds_xml_attribute(out, "message", c->mismatches[0].text);
    attribute_text(out, "type", "expectation");
    xds_out_char(out, '>');
    for (size_t i = 0; i < c->n_mismatches; i++)
        print_mismatch(out, file->name, &c->mismatches[i]);
    if (c->n_more_mismatches)
        xds_out_more_mismatches(out, c);
    if (c->ending.data) {
        xds_out_text(out, "the RPC ends: ");
        xds_xml_text(out, c->ending);
        xds_out_char(out, '\n');
    }
    xds_xml_text(out, c->explanation);
    xds_out_text(out, "</failure>\n    </testcase>\n");
}

static void print_case(struct xds_out *out, const struct xds_suite_file *file,
                       const struct xds_suite_case *c)
{
    begin_case(out, file->name, c->name);
    if (c->ok)
        xds_out_text(out, "/>\n");
    else
        print_failure(out, file, c);
}

static void print_error(struct xds_out *out, struct xds_slice class_name,
                        const char *type, struct xds_slice message)
{
    begin_case(out, class_name, xds_slice_of(type));
    xds_out_text(out, ">\n      <error");
    xds_xml_attribute(out, "message", message);
    attribute_text(out, "type", type);
    xds_out_text(out, "/>\n    </testcase>\n");
}

/* ---- files ---- */

static void print_file(struct xds_out *out, const struct xds_suite_file *file)
{
    const bool unread = file->unread.data != NULL;

    xds_out_text(out, "  <testsuite");
    xds_xml_attribute(out, "name", file->name);
    attribute_counts(out,
                     (struct counts){file->n_cases + unread, file->n_failed, unread});
    xds_out_text(out, ">\n");
    for (size_t i = 0; i < file->n_cases; i++)
        print_case(out, file, &file->cases[i]);
    if (unread)
        print_error(out, file->unread, "unreadable", xds_slice_of(strerror(file->error)));
    xds_out_text(out, "  </testsuite>\n");
}

static void print_faults(struct xds_out *out, const struct xds_suite_results *results)
{
    const size_t n = results->n_faults;

    if (n == 0)
        return;
    xds_out_text(out, "  <testsuite name=\"test files\"");
    attribute_counts(out, (struct counts){n, 0, n});
    xds_out_text(out, ">\n");
    for (size_t i = 0; i < n; i++) {
        const struct xds_finding *f = xds_report_finding(results->faults, i);
        char place[32];
        const int len = snprintf(place, sizeof place, "%u:%u", f->at.line, f->at.column);

        begin_case(out, xds_report_file(results->faults, f->at.file),
                   xds_slice_make(place, len > 0 ? (size_t)len : 0));
        xds_out_text(out, ">\n      <error");
        xds_xml_attribute(out, "message", f->message);
        attribute_text(out, "type", f->rule->slug);
        xds_out_text(out, "/>\n    </testcase>\n");
    }
    xds_out_text(out, "  </testsuite>\n");
}

/* ---- coverage ---- */

static void property(struct xds_out *out, const char *name, size_t value)
{
    xds_out_text(out, "      <property");
    attribute_text(out, "name", name);
    xds_xml_attribute_u64(out, "value", value);
    xds_out_text(out, "/>\n");
}

static void print_properties(struct xds_out *out, const struct xds_suite_results *results)
{
    xds_out_text(out, "    <properties>\n");
    property(out, "routes", results->routes);
    property(out, "routes_covered", results->routes_covered);
    property(out, "weighted_targets", results->targets);
    property(out, "weighted_targets_covered", results->targets_covered);
    xds_out_text(out, "      <property name=\"percent\" value=\"");
    xds_out_text(out, xds_tenths(xds_suite_percent(results)).text);
    xds_out_text(out, "\"/>\n    </properties>\n");
}

static void print_coverage(struct xds_out *out, const struct xds_suite_results *results,
                           const struct xds_suite_view *view)
{
    const bool under = xds_suite_under_limit(results, view);

    xds_out_text(out, "  <testsuite name=\"coverage\"");
    attribute_counts(out, (struct counts){view->has_limit, under, 0});
    xds_out_text(out, ">\n");
    print_properties(out, results);
    if (view->has_limit) {
        begin_case(out, XDS_S("coverage"), XDS_S("limit"));
        if (under) {
            xds_out_text(out, ">\n      <failure message=\"");
            xds_out_covered(out, results);
            xds_out_text(out, ", under the limit of ");
            xds_out_double(out, view->limit);
            xds_out_text(out, "%\" type=\"coverage\"/>\n    </testcase>\n");
        } else {
            xds_out_text(out, "/>\n");
        }
    }
    xds_out_text(out, "  </testsuite>\n");
}

/* ---- the whole ---- */

static struct counts count_all(const struct xds_suite_results *results,
                               const struct xds_suite_view *view)
{
    struct counts sum = {results->cases + results->n_faults + view->has_limit,
                         results->failed + xds_suite_under_limit(results, view),
                         results->n_faults};

    for (size_t i = 0; i < results->n_files; i++) {
        sum.tests += results->files[i].unread.data != NULL;
        sum.errors += results->files[i].unread.data != NULL;
    }
    return sum;
}

enum xds_status xds_print_suite_junit(const struct xds_printer *to,
                                      const struct xds_suite_results *results,
                                      const struct xds_suite_view *view)
{
    struct xds_out out;

    xds_out_init(&out, to);
    xds_out_text(&out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                       "<testsuites name=\"xdscope test\"");
    attribute_counts(&out, count_all(results, view));
    xds_out_text(&out, ">\n");
    for (size_t i = 0; i < results->n_files; i++)
        print_file(&out, &results->files[i]);
    print_faults(&out, results);
    if (view->coverage)
        print_coverage(&out, results, view);
    xds_out_text(&out, "</testsuites>\n");
    return xds_out_finish(&out);
}
