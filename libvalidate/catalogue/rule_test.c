/* rule_test.c - the verdict of a release. */
#include <criterion/criterion.h>

#include "catalogue/rule.h"

/* core and go have changed; of go there are two rows, the oldest release first. */
static const struct xds_rule_before history[] = {
    {XDS_R_ADDRESS_NOT_IP, XDS_CLIENT_GO, {1, 60, 0}, XDS_NACK, "run of go 1.56.3"},
    {XDS_R_ADDRESS_NOT_IP, XDS_CLIENT_GO, {1, 64, 2}, XDS_SKIP, "run of go 1.60.1"},
    {XDS_R_ADDRESS_PORT, XDS_CLIENT_CORE, {1, 68, 0}, XDS_ACCEPT, "run of core 1.60.1"},
};

static enum xds_verdict verdict(enum xds_rule_id rule, enum xds_client client,
                                struct xds_release release)
{
    return xds_rule_verdict_at(history, sizeof history / sizeof *history,
                               xds_rule_row(rule), client, release);
}

Test(rule, the_oldest_row_that_a_release_is_before_counts)
{
    static const struct row {
        struct xds_release release;
        enum xds_verdict verdict;
    } rows[] = {
        {{1, 56, 3}, XDS_NACK},  {{1, 60, 0}, XDS_SKIP}, /* exactly at the release: it has
                                                            changed */
        {{1, 64, 1}, XDS_SKIP},  {{1, 64, 2}, XDS_ACCEPT}, {{1, 85, 0}, XDS_ACCEPT},
        {{0, 0, 0}, XDS_ACCEPT}, /* the newest one */
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_expect_eq(verdict(XDS_R_ADDRESS_NOT_IP, XDS_CLIENT_GO, rows[i].release),
                     rows[i].verdict, "%zu", i);
}

Test(rule, the_newest_release_has_the_verdict_of_the_row)
{
    for (enum xds_rule_id id = 0; id < XDS_RULES; id++)
        for (enum xds_client c = 0; c < XDS_CLIENTS; c++)
            cr_expect_eq(
                xds_rule_verdict_of(xds_rule_row(id), c, (struct xds_release){0, 0, 0}),
                xds_rule_verdict(xds_rule_row(id), c), "%s", xds_rule_row(id)->id);
}

Test(rule, all_known_releases_fit_into_one_run)
{
    struct xds_options options;
    struct xds_ask_note note;
    struct xds_judges judges;

    xds_options_init(&options);
    cr_assert_eq(xds_options_ask(&options, XDS_S("all@1.0+"), &note), XDS_OK);
    struct xds_report *report = xds_report_new(&options);
    cr_assert_not_null(report);
    cr_expect(xds_judges_init(&judges, report), "see XDS_MAX_READERS");
    xds_report_free(report);
}

Test(rule, rows_are_of_one_rule_and_one_client)
{
    const struct xds_release old = {1, 50, 0}, newest = {0, 0, 0};

    cr_expect_eq(verdict(XDS_R_ADDRESS_NOT_IP, XDS_CLIENT_CORE, old), XDS_NACK);
    cr_expect_eq(verdict(XDS_R_ADDRESS_PORT, XDS_CLIENT_CORE, old), XDS_ACCEPT);
    cr_expect_eq(verdict(XDS_R_ADDRESS_PORT, XDS_CLIENT_CORE, newest), XDS_NACK);
    cr_expect_eq(verdict(XDS_R_ADDRESS_PORT, XDS_CLIENT_GRFC, old), XDS_NACK);
}

/* Rows of the catalogue itself, on both sides of a release. */
Test(rule, a_row_of_the_history_holds_before_its_release)
{
    static const struct row {
        enum xds_rule_id rule;
        struct xds_client_release reader;
        enum xds_verdict verdict;
    } rows[] = {
        {XDS_R_ADDRESS_PORT, {XDS_CLIENT_JAVA, {1, 78, 0}}, XDS_CRASH},
        {XDS_R_ADDRESS_PORT, {XDS_CLIENT_JAVA, {1, 79, 0}}, XDS_NACK},
        {XDS_R_ADDRESS_PORT, {XDS_CLIENT_CORE, {1, 78, 2}}, XDS_NACK},
        {XDS_R_RBAC_PREFIX_LEN_ABSENT, {XDS_CLIENT_GO, {1, 79, 3}}, XDS_CRASH},
        {XDS_R_RBAC_PREFIX_LEN_ABSENT, {XDS_CLIENT_GO, {1, 80, 0}}, XDS_NACK},
        {XDS_R_RBAC_PREFIX_LEN_ABSENT, {XDS_CLIENT_GO, {1, 84, 0}}, XDS_ACCEPT},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_expect_eq(xds_rule_verdict_of(xds_rule_row(rows[i].rule),
                                         rows[i].reader.client, rows[i].reader.release),
                     rows[i].verdict, "%zu", i);
}
