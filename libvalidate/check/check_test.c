/* check_test.c - how many resources one run takes. */
#include <criterion/criterion.h>

#include "base/limits.h"
#include "check/check.h"

/* limit: XDS_MAX_RESOURCES */
Test(check, a_run_ends_where_the_limit_of_resources_is_reached)
{
    struct xds_options options;
    const struct xds_resource route = {.format = XDS_FORMAT_JSON,
                                       .type = XDS_TYPE_ROUTE,
                                       .bytes = XDS_S("{\"name\": \"r\"}")};

    xds_options_init(&options);
    struct xds_report *report = xds_report_new(&options);
    struct xds_check *check = xds_check_new(report, false);

    cr_assert(report && check);
    cr_expect_eq(xds_check_resource(check, &route), XDS_OK);
    cr_expect_eq(report->n_resources, 1);
    report->n_resources = XDS_MAX_RESOURCES;
    cr_expect_eq(xds_check_resource(check, &route), XDS_END);
    report->n_resources = 1;
    xds_check_free(check);
    xds_report_free(report);
}

Test(check, nothing_may_be_freed)
{
    xds_check_free(NULL);
}
