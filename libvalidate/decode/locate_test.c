/* locate_test.c - from a field's path to its line and columns. */
#include <criterion/criterion.h>

#include "catalogue/rule.h"
#include "decode/decode.h"

static const char text[] = "{\"name\": \"é\", \"virtualHosts\": [\n"
                           "  {\"domains\": [\"*\", \"a\"]},\n"
                           "  {\"typed_per_filter_config\": {\"my.Filter\": {\"@type\": \"t/x\",\n"
                           "     \"config\": {\"@type\": \"t/y\", \"maxAge\": 1}}}}\n"
                           "]}";

static const unsigned char nack[XDS_CLIENTS] = {XDS_NACK, XDS_NACK, XDS_NACK, XDS_NACK,
                                                XDS_NACK};

struct stage {
    struct xds_report *report;
    struct xds_arena scratch;
};

static void fire(struct stage *stage, const struct xds_path *path)
{
    xds_report_add(stage->report, xds_rule_row(XDS_R_LINT_DUPLICATE_RESOURCE), 0, path,
                   NULL, nack, XDS_S("m"));
}

static void locate_all(void *arg)
{
    struct stage *stage = arg;
    const struct xds_resource in = {
        .format = XDS_FORMAT_JSON,
        .bytes = {text, sizeof text - 1},
        .at = {0, 10, 5, 10, 6},
    };
    const struct xds_path *host = XDS_AT_I(NULL, "virtual_hosts", 1);
    const struct xds_path *filter =
        XDS_AT_KEY(host, "typed_per_filter_config", XDS_S("my.Filter"));
    const struct xds_path *config = XDS_AT_VALUE(
        XDS_AT(XDS_AT_VALUE(filter, XDS_S("x")), "config"), XDS_S("y"));

    xds_report_add_resource(stage->report, XDS_S("t"), XDS_S("n"), in.at);
    fire(stage, NULL);
    fire(stage, XDS_AT(NULL, "name"));
    fire(stage, XDS_AT_I(XDS_AT_I(NULL, "virtual_hosts", 0), "domains", 1));
    fire(stage, filter);
    fire(stage, XDS_AT(config, "max_age.seconds"));
    fire(stage, XDS_AT(host, "retry_policy.num_retries"));
    fire(stage, XDS_AT_I(NULL, "virtual_hosts", 7));
    fire(stage, XDS_AT(NULL, "internal_only_headers"));
    xds_locate(&in, stage->report, &stage->scratch);
}

static const struct xds_place places[] = {
    {0, 10, 5, 10, 6},   /* the resource */
    {0, 10, 6, 10, 12},  /* "name" in the first line, which begins at column 5 */
    {0, 11, 21, 11, 24}, /* the list's item */
    {0, 12, 32, 12, 43}, /* the key of the map entry */
    {0, 13, 33, 13, 41}, /* camelCase, through two Any, the last step does not show */
    {0, 12, 3, 12, 4},   /* not written: the virtual host itself */
    {0, 10, 19, 10, 33}, /* not written: the list's key */
    {0, 10, 5, 10, 6},   /* not written: the resource */
};

Test(locate, a_path_leads_to_the_key_or_to_the_nearest_part_that_was_written)
{
    struct xds_options options;
    struct stage stage;

    xds_options_init(&options);
    stage.report = xds_report_new(&options);
    xds_arena_init(&stage.scratch, 0);
    struct xds_arena *const arenas[] = {&stage.report->arena, &stage.scratch};
    cr_assert_eq(xds_arena_guard(arenas, 2, locate_all, &stage), XDS_OK);
    cr_assert_eq(xds_report_findings(stage.report), XDS_ARRAY_LEN(places));
    for (size_t i = 0; i < XDS_ARRAY_LEN(places); i++) {
        const struct xds_place *at = &xds_report_finding(stage.report, i)->at;

        cr_expect_eq(at->line, places[i].line, "row %zu: line %u", i, at->line);
        cr_expect_eq(at->column, places[i].column, "row %zu: column %u", i, at->column);
        cr_expect_eq(at->end_line, places[i].end_line, "row %zu", i);
        cr_expect_eq(at->end_column, places[i].end_column, "row %zu: end column %u", i,
                     at->end_column);
    }
    xds_arena_release(&stage.scratch);
    xds_report_free(stage.report);
}
