/* readings_test.c - the table of readings, and one reading turned round. */
#include <criterion/criterion.h>

#include "route/route.h"
#include "route/rpc_test.h"

static const char *const ids[] = {
#define XDS_READING(id, clients, source, text) #id,
#include "clients/differences.def"
};

static bool has_history(enum xds_difference difference)
{
    size_t n;
    const struct xds_difference_before *row = xds_difference_history(&n);

    for (size_t i = 0; i < n; i++)
        if (row[i].difference == difference)
            return true;
    return false;
}

Test(readings, rows_are_sorted_and_say_what_some_client_does)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(ids); i++) {
        const struct xds_reading_row *row = &xds_readings[i];
        const unsigned clients = xds_differing(row->difference);

        cr_expect(i == 0 || strcmp(ids[i - 1], ids[i]) < 0, "%s", ids[i]);
        cr_expect((clients != 0 || has_history(row->difference)) &&
                      clients < XDS_ALL_CLIENTS,
                  "%s", ids[i]);
        cr_expect_gt(strlen(row->text), 0, "%s", ids[i]);
    }
}

Test(readings, a_client_has_those_of_its_rows)
{
    struct xds_options options;

    xds_options_init(&options);
    const uint64_t java = xds_readings_of(&options, XDS_CLIENT_JAVA);

    cr_expect(java & XDS_READING_BIT(XDS_READS_PATH_UNSET_CASE));
    cr_expect_not(java & XDS_READING_BIT(XDS_READS_HEADER_INVERT_ABSENT));
}

Test(readings, a_release_has_those_of_its_time)
{
    struct xds_options options;

    xds_options_init(&options);
    cr_expect(xds_reads_as(&options, XDS_CLIENT_GO, XDS_READS_HEADER_NAME_CASE));
    options.release[XDS_CLIENT_GO] = (struct xds_release){1, 84, 0};
    cr_expect_not(xds_reads_as(&options, XDS_CLIENT_GO, XDS_READS_HEADER_NAME_CASE));
}

Test(readings, a_reading_can_be_turned_round_for_one_rpc)
{
    struct test_rpc t;

    test_rpc_init(&t, XDS_CLIENT_JAVA);
    cr_expect(xds_reads(&t.rpc, XDS_READS_PATH_UNSET_CASE));
    t.rpc.flipped = XDS_READING_BIT(XDS_READS_PATH_UNSET_CASE);
    cr_expect_not(xds_reads(&t.rpc, XDS_READS_PATH_UNSET_CASE));
    t.rpc.client = XDS_CLIENT_CORE;
    cr_expect(xds_reads(&t.rpc, XDS_READS_PATH_UNSET_CASE));
    test_rpc_release(&t);
}
