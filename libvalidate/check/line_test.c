/* line_test.c - lines of a stream, each judged as if it were all there is. */
#include <criterion/criterion.h>

#include "base/limits.h"
#include "check/check.h"

#include <stdio.h>

#define CLUSTER                                                                          \
    "{\"@type\":\"type.googleapis.com/envoy.config.cluster.v3.Cluster\",\"name\":\"c\"}"

struct stream {
    struct xds_report *report;
    struct xds_source *source;
    struct xds_check *check;
};

static struct stream open_stream(void)
{
    struct xds_options options;
    struct stream s;

    xds_options_init(&options);
    options.clients = XDS_ALL_CLIENTS;
    s.report = xds_report_new(&options);
    s.source = xds_source_new(s.report, XDS_TYPE_UNKNOWN);
    s.check = xds_check_new(s.report, false);
    cr_assert(s.report && s.source && s.check);
    return s;
}

static void close_stream(struct stream *s)
{
    xds_check_free(s->check);
    xds_source_free(s->source);
    xds_report_free(s->report);
}

static void judge(struct stream *s, uint64_t number, const char *text)
{
    const struct xds_line line = {
        .file = "fleet.ndjson", .number = number, .text = xds_slice_of(text)};

    cr_assert_eq(xds_check_line(s->check, s->source, &line, NULL, NULL), XDS_OK);
}

Test(line, knows_nothing_of_the_lines_before)
{
    struct stream s = open_stream();

    for (unsigned i = 1; i <= 3; i++) {
        judge(&s, i, "[" CLUSTER "," CLUSTER "]");
        const size_t findings = xds_report_findings(s.report);

        judge(&s, i, "[" CLUSTER "," CLUSTER "]");
        cr_expect_eq(xds_report_resources(s.report), 2);
        cr_expect_gt(findings, 0);
        cr_expect_eq(xds_report_findings(s.report), findings);
    }
    judge(&s, 4, "[]");
    cr_expect_eq(xds_report_resources(s.report), 0);
    close_stream(&s);
}

Test(line, a_number_that_no_place_can_say_is_the_largest_one)
{
    struct stream s = open_stream();

    judge(&s, (uint64_t)UINT32_MAX + 7, CLUSTER);
    cr_expect_eq(xds_report_resource(s.report, 0)->at.line, UINT32_MAX);
    close_stream(&s);
}

Test(line, the_text_of_one_that_is_too_long_has_no_say)
{
    struct stream s = open_stream();
    const struct xds_line line = {.file = "fleet.ndjson",
                                  .number = 2,
                                  .text = xds_slice_of(CLUSTER),
                                  .too_long = true};

    cr_assert_eq(xds_check_line(s.check, s.source, &line, NULL, NULL), XDS_OK);
    cr_expect_eq(xds_report_resources(s.report), 0);
    cr_assert_eq(xds_report_findings(s.report), 1);
    cr_expect_str_eq(xds_report_finding(s.report, 0)->rule->slug, "line-too-long");
    cr_expect_eq(xds_report_finding(s.report, 0)->at.line, 2);
    close_stream(&s);
}

/* A route that matches a regex of its own. */
static void judge_regex(struct stream *s, unsigned i)
{
    char text[512];

    (void)snprintf(
        text, sizeof text,
        "{\"@type\":\"type.googleapis.com/envoy.config.route.v3.RouteConfiguration\","
        "\"virtualHosts\":[{\"domains\":[\"*\"],\"routes\":[{\"match\":{\"safeRegex\":"
        "{\"regex\":\"/a%u\"}},\"route\":{\"cluster\":\"c\"}}]}]}",
        i);
    judge(s, i, text);
}

/* limit: XDS_MAX_KEPT_REGEXES */
Test(line, regexes_are_kept_up_to_a_limit)
{
    struct stream s = open_stream();

    for (unsigned i = 1; i <= 3 * XDS_MAX_KEPT_REGEXES; i++) {
        judge_regex(&s, i);
        cr_assert_leq(xds_regex_cache_size(s.check->regexes), XDS_MAX_KEPT_REGEXES + 1);
    }
    cr_expect_gt(xds_regex_cache_size(s.check->regexes), 1, "they help the next lines");
    close_stream(&s);
}
