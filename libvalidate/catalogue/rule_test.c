/* rule_test.c - the verdict of a release. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "catalogue/rule.h"

/* Readers are left out where there are too many: they would be answered as others. */
static void expect_room(const struct xds_options *options, const char *what)
{
    struct xds_report *report = xds_report_new(options);
    struct xds_judges judges;

    cr_assert_not_null(report);
    cr_expect(xds_judges_init(&judges, report), "%s: see XDS_MAX_READERS", what);
    xds_report_free(report);
}

Test(rule, all_known_releases_fit_into_one_run)
{
    enum { UNSET, FALSE, TRUE };
    struct xds_options options;
    struct xds_ask_note note;

    xds_options_init(&options);
    cr_assert_eq(xds_options_ask(&options, XDS_S("all@1.0+"), &note), XDS_OK);
    expect_room(&options, "no variable");
    for (size_t set = FALSE; set <= TRUE; set++)
        for (size_t env = 0; env < XDS_ENVS; env++) {
            options.env_set[env] = set;
            expect_room(&options, set == TRUE ? "true" : "false");
            options.env_set[env] = UNSET;
        }
}

/* Of the release that is asked for. */
static enum xds_verdict verdict(enum xds_rule_id rule, const char *reader)
{
    enum xds_verdict out = XDS_CRASH;
    struct xds_options options;
    struct xds_ask_note note;
    struct xds_judges judges;
    size_t r = 0;

    xds_options_init(&options);
    options.clients = 0;
    cr_assert_eq(xds_options_ask(&options, xds_slice_of(reader), &note), XDS_OK);
    struct xds_report *report = xds_report_new(&options);
    cr_assert_not_null(report);
    cr_assert(xds_judges_init(&judges, report));
    while (r < judges.panel.n && judges.panel.reader[r].release.major == 0)
        r++;
    cr_assert(r < judges.panel.n, "%s", reader);
    while (out > XDS_ACCEPT && !(judges.of_rule[rule].of[out] >> r & 1u))
        out--;
    xds_report_free(report);
    return out;
}

/* Rows of the catalogue, on both sides of a release; of several the oldest counts that
 * the release is before. */
Test(rule, a_row_of_the_history_holds_before_its_release)
{
    static const struct row {
        enum xds_rule_id rule;
        const char *reader;
        enum xds_verdict verdict;
    } rows[] = {
        {XDS_R_ADDRESS_PORT, "java@1.78", XDS_CRASH},
        {XDS_R_ADDRESS_PORT, "java@1.79", XDS_NACK},
        {XDS_R_ADDRESS_PORT, "core@1.78", XDS_NACK},
        {XDS_R_RBAC_PREFIX_LEN_ABSENT, "go@1.79", XDS_CRASH},
        {XDS_R_RBAC_PREFIX_LEN_ABSENT, "go@1.80", XDS_NACK},
        {XDS_R_RBAC_PREFIX_LEN_ABSENT, "go@1.84", XDS_ACCEPT},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_expect_eq(verdict(rows[i].rule, rows[i].reader), rows[i].verdict, "%zu", i);
}
