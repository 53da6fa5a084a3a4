/* findings_junit.c - findings as test results, for CI systems that read JUnit's XML. */
#include "print/findings.h"
#include "print/xml.h"

/* The findings [from, to) are those of one file. */
struct suite {
    const struct xds_report *report;
    uint32_t file;
    size_t from, to;
};

static size_t count(const struct suite *suite, bool notes)
{
    size_t n = 0;

    for (size_t i = suite->from; i < suite->to; i++)
        n += (xds_report_finding(suite->report, i)->level == XDS_LEVEL_NOTE) == notes;
    return n;
}

static void put_counts(struct xds_out *out, size_t tests, size_t failures, size_t skipped)
{
    xds_xml_attribute_u64(out, "tests", tests);
    xds_xml_attribute_u64(out, "failures", failures);
    xds_xml_attribute_u64(out, "errors", 0);
    xds_xml_attribute_u64(out, "skipped", skipped);
    xds_xml_attribute(out, "time", XDS_S("0"));
}

static void put_details(struct xds_out *out, const struct suite *suite,
                        const struct xds_finding *finding)
{
    const struct xds_resource_result *resource =
        xds_finding_resource(suite->report, finding);

    if (resource) {
        xds_xml_text(out, xds_type_short(resource->type));
        xds_out_text(out, " \"");
        xds_xml_text(out, resource->name);
        xds_out_text(out, "\"\n");
    }
    if (finding->path.len > 0) {
        xds_xml_text(out, finding->path);
        xds_out_char(out, '\n');
    }
    if (finding->rule->effect != XDS_EFFECT_HYGIENE) {
        xds_out_verdicts(out, suite->report, finding);
        xds_out_char(out, '\n');
    }
    xds_out_text(out, "source: ");
    xds_xml_text(out, xds_slice_of(finding->rule->source));
}

static void put_result(struct xds_out *out, const struct suite *suite,
                       const struct xds_finding *finding)
{
    const char *element = finding->level == XDS_LEVEL_NOTE ? "skipped" : "failure";

    xds_out_text(out, "      <");
    xds_out_text(out, element);
    xds_xml_attribute(out, "message", finding->message);
    if (finding->level != XDS_LEVEL_NOTE)
        xds_xml_attribute(out, "type", xds_slice_of(xds_level_name(finding->level)));
    xds_out_char(out, '>');
    put_details(out, suite, finding);
    xds_out_text(out, "</");
    xds_out_text(out, element);
    xds_out_text(out, ">\n");
}

/* Names of cases tell findings of one rule apart by their places. */
static void put_case(struct xds_out *out, const struct suite *suite,
                     const struct xds_finding *finding)
{
    const struct xds_place at = xds_place_or_start(finding->at);

    xds_out_text(out, "    <testcase name=\"");
    xds_out_text(out, finding->rule->slug);
    xds_out_char(out, '_');
    xds_out_u64(out, at.line);
    xds_out_char(out, '_');
    xds_out_u64(out, at.column);
    xds_out_char(out, '"');
    xds_xml_attribute(out, "classname", xds_report_file(suite->report, suite->file));
    xds_xml_attribute(out, "time", XDS_S("0"));
    xds_out_text(out, ">\n");
    put_result(out, suite, finding);
    xds_out_text(out, "    </testcase>\n");
}

static void put_clean_case(struct xds_out *out, struct xds_slice file)
{
    xds_out_text(out, "    <testcase name=\"xdscope\"");
    xds_xml_attribute(out, "classname", file);
    xds_xml_attribute(out, "time", XDS_S("0"));
    xds_out_text(out, "/>\n");
}

static void put_suite(struct xds_out *out, const struct suite *suite)
{
    const size_t n = suite->to - suite->from;
    const struct xds_slice file = xds_report_file(suite->report, suite->file);

    xds_out_text(out, "  <testsuite");
    xds_xml_attribute(out, "name", file);
    put_counts(out, n > 0 ? n : 1, count(suite, false), count(suite, true));
    xds_out_text(out, ">\n");
    for (size_t i = suite->from; i < suite->to && !out->failed; i++)
        put_case(out, suite, xds_report_finding(suite->report, i));
    if (n == 0)
        put_clean_case(out, file);
    xds_out_text(out, "  </testsuite>\n");
}

/* Findings are in the order of their files. */
static struct suite next_suite(const struct xds_report *report, uint32_t file,
                               size_t from)
{
    struct suite suite = {.report = report, .file = file, .from = from, .to = from};

    while (suite.to < xds_report_findings(report) &&
           xds_report_finding(report, suite.to)->at.file == file)
        suite.to++;
    return suite;
}

static void put_head(struct xds_out *out, const struct xds_report *report)
{
    struct suite suite = {.to = 0};
    size_t tests = 0, failures = 0, skipped = 0;

    for (uint32_t file = 0; file < report->n_files; file++) {
        suite = next_suite(report, file, suite.to);
        tests += suite.to > suite.from ? suite.to - suite.from : 1;
        failures += count(&suite, false);
        skipped += count(&suite, true);
    }
    xds_out_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
    xds_xml_attribute(out, "name", XDS_S("xdscope"));
    put_counts(out, tests, failures, skipped);
    xds_out_text(out, ">\n");
}

enum xds_status xds_print_findings_junit(const struct xds_printer *to,
                                         const struct xds_report *report)
{
    struct suite suite = {.to = 0};
    struct xds_out out;

    xds_out_init(&out, to);
    put_head(&out, report);
    for (uint32_t file = 0; file < report->n_files && !out.failed; file++) {
        suite = next_suite(report, file, suite.to);
        put_suite(&out, &suite);
    }
    xds_out_text(&out, "</testsuites>\n");
    return xds_out_finish(&out);
}
