/* duration_test.c - the edges of the range, and the cut to 64 bits. */
#include <criterion/criterion.h>

#include "rules/kit_test.h"

static const struct row {
    int64_t seconds;
    int32_t nanos;
    int64_t ns;
    const char *findings;
} rows[] = {
    {0, 0, 0, ""},
    {1, 500000000, 1500000000, ""},
    {9223372036, 854775807, INT64_MAX, ""},
    {9223372036, 854775808, INT64_MAX, "d duration-overflow AAANA"},
    {9223372037, 0, INT64_MAX, "d duration-overflow AAANA"},
    {-9223372036, -854775808, INT64_MIN,
     "d.seconds duration-seconds-range NNAAA\nd.nanos duration-nanos-range NNAAA"},
    {-9223372036, -854775809, INT64_MIN,
     "d.seconds duration-seconds-range NNAAA\nd.nanos duration-nanos-range NNAAA\n"
     "d duration-overflow AAANA"},
    {9223372037, -1000000000, INT64_MAX,
     "d.nanos duration-nanos-range NNAAA\nd duration-overflow AAANA"},
    {0, 999999999, 999999999, ""},
    {0, -1, -1, "d.nanos duration-nanos-range NNAAA"},
    {-1, 0, -1000000000, "d.seconds duration-seconds-range NNAAA"},
    {1, -1, 999999999, "d.nanos duration-nanos-range NNAAA\nd duration-overflow AAANA"},
    {-1, 1, -999999999,
     "d.seconds duration-seconds-range NNAAA\nd duration-overflow AAANA"},
    {0, -1000000000, -1000000000,
     "d.nanos duration-nanos-range NNAAA\nd duration-overflow AAANA"},
    {0, 1000000000, 1000000000,
     "d.nanos duration-nanos-range NNAAA\nd duration-overflow AAANA"},
    {315576000000, 0, INT64_MAX, "d duration-overflow AAANA"},
    {315576000001, 0, INT64_MAX,
     "d.seconds duration-seconds-range NNAAA\nd duration-overflow AAANA"},
    {INT64_MAX, INT32_MAX, INT64_MAX,
     "d.seconds duration-seconds-range NNAAA\nd.nanos duration-nanos-range NNAAA\n"
     "d duration-overflow AAANA"},
    {INT64_MIN, INT32_MIN, INT64_MIN,
     "d.seconds duration-seconds-range NNAAA\nd.nanos duration-nanos-range NNAAA\n"
     "d duration-overflow AAANA"},
};

Test(duration, each_row_gives_its_nanoseconds_and_findings)
{
    for (const struct row *r = rows; r < rows + XDS_ARRAY_LEN(rows); r++) {
        struct kit *kit = kit_new();
        pb_duration in = GOOGLE__PROTOBUF__DURATION__INIT;
        int64_t ns = 0;

        in.seconds = r->seconds;
        in.nanos = r->nanos;
        cr_expect(
            xds_duration_read(&kit->ctx, XDS_AT(NULL, "d"), &in, XDS_ALL_CLIENTS, &ns));
        cr_expect_eq(ns, r->ns);
        cr_expect_str_eq(kit_findings(kit), r->findings);
        kit_free(kit);
    }
}

Test(duration, only_the_clients_that_read_it_check_it)
{
    struct kit *kit = kit_new();
    pb_duration in = GOOGLE__PROTOBUF__DURATION__INIT;
    int64_t ns;

    in.seconds = INT64_MAX;
    cr_expect(
        xds_duration_read(&kit->ctx, XDS_AT(NULL, "d"), &in, XDS_GO | XDS_NODE, &ns));
    cr_expect_not(xds_duration_read(&kit->ctx, XDS_AT(NULL, "d"), NULL, XDS_CORE, &ns));
    cr_expect_str_eq(kit_findings(kit), "");
    kit_free(kit);
}
