/* scalar_test.c - numbers, bytes and times, through the fields that hold them. */
#include <criterion/criterion.h>
#include <math.h>

#include "decode/builder_test.h"

Test(scalar, whole_numbers_are_exact)
{
    static const struct {
        const char *text;
        uint64_t due;
    } rows[] = {
        {"0", 0},
        {"-0", 0},
        {"18446744073709551615", UINT64_MAX},
        {"\"18446744073709551615\"", UINT64_MAX},
        {"9007199254740993", 9007199254740993u},
        {"1e3", 1000},
        {"1.0", 1},
        {"1.8446744073709551615e19", UINT64_MAX},
        {"1200e-2", 12},
        {"0.00012E+5", 12},
        {"0e999999999999", 0},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        char json[128];
        struct decoded d;

        snprintf(json, sizeof json, "{\"ringHashLbConfig\":{\"minimumRingSize\":%s}}",
                 rows[i].text);
        const pb_cluster *pb = decode_good(&d, CLUSTER, json);
        cr_expect_eq(pb->ring_hash_lb_config->minimum_ring_size->value, rows[i].due, "%s",
                     rows[i].text);
        release(&d);
    }
}

Test(scalar, numbers_that_do_not_fit_64_bits_are_refused)
{
    static const struct {
        const char *text, *slug;
    } rows[] = {
        {"18446744073709551616", "number-out-of-range"},
        {"-1", "number-out-of-range"},
        {"1e20", "number-out-of-range"},
        {"1e999999999999", "number-out-of-range"},
        {"123456789012345678901234567890", "number-out-of-range"},
        {"1e-1", "not-a-whole-number"},
        {"0.1", "not-a-whole-number"},
        {"123456789012345678901.5", "number-out-of-range"},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        char json[128];
        struct decoded d;

        snprintf(json, sizeof json, "{\"ringHashLbConfig\":{\"minimumRingSize\":%s}}",
                 rows[i].text);
        decode_json(&d, CLUSTER, xds_slice_of(json));
        cr_expect_not_null(strstr(d.findings, rows[i].slug), "%s: %s", rows[i].text,
                           d.findings);
        release(&d);
    }
}

Test(scalar, doubles_are_the_nearest_ones)
{
    static const struct {
        const char *text;
        double due;
    } rows[] = {
        {"0.1", 0.1},
        {"-2.5e-3", -2.5e-3},
        {"\"1.5\"", 1.5},
        {"1e22", 1e22},
        {"1e23", 1e23},
        {"123456789012345678901234567890", 123456789012345678901234567890.0},
        {"2.2250738585072011e-308", 2.2250738585072011e-308},
        {"1.7976931348623157e308", 1.7976931348623157e308},
        {"1e-400", 0.0},
        {"\"-Infinity\"", -(double)INFINITY},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        char json[128];
        struct decoded d;

        snprintf(json, sizeof json, "{\"cpuUtilization\":%s}", rows[i].text);
        const pb_orca_load_report *pb = decode_good(&d, ORCA, json);
        cr_expect(memcmp(&pb->cpu_utilization, &rows[i].due, sizeof(double)) == 0,
                  "%s: %.17g", rows[i].text, pb->cpu_utilization);
        release(&d);
    }
}

Test(scalar, durations_have_three_forms)
{
    static const struct {
        const char *json;
        int64_t seconds;
        int32_t nanos;
    } rows[] = {
        {"\"1.5s\"", 1, 500000000},
        {"\"-0.000000001s\"", 0, -1},
        {"\"-3s\"", -3, 0},
        {"\"400000000000s\"", 400000000000, 0},
        {"\"9223372036854775807s\"", INT64_MAX, 0},
        {"{\"seconds\":-1,\"nanos\":2}", -1, 2},
        {"{\"seconds\":\"7\"}", 7, 0},
        {"{}", 0, 0},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        char json[128];
        struct decoded d;

        snprintf(json, sizeof json, "{\"connectTimeout\":%s}", rows[i].json);
        const pb_cluster *pb = decode_good(&d, CLUSTER, json);
        cr_expect_eq(pb->connect_timeout->seconds, rows[i].seconds, "%s", rows[i].json);
        cr_expect_eq(pb->connect_timeout->nanos, rows[i].nanos, "%s", rows[i].json);
        release(&d);
    }
}

Test(scalar, durations_of_another_form_are_refused)
{
    static const char *const rows[] = {"",    "s",     "1",    "1.s",
                                       ".5s", "1.5",   "--1s", "1.0123456789s",
                                       "+1s", "1e3s",  "1 s",  "9223372036854775808s",
                                       "-s",  "1.-5s", "1.5S", "1..5s"};

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        char json[128];
        struct decoded d;

        snprintf(json, sizeof json, "{\"connectTimeout\":\"%s\"}", rows[i]);
        decode_json(&d, CLUSTER, xds_slice_of(json));
        cr_expect_not_null(strstr(d.findings, "invalid-duration"), "%s", rows[i]);
        release(&d);
    }
}

Test(scalar, timestamps_are_rfc_3339)
{
    static const struct {
        const char *text;
        int64_t seconds; /* INT64_MAX: refused */
        int32_t nanos;
    } rows[] = {
        {"1970-01-01T00:00:00Z", 0, 0},
        {"2000-02-29T12:30:15.25Z", 951827415, 250000000},
        {"2000-01-01T00:00:00+01:30", 946679400, 0},
        {"0001-01-01T00:00:00Z", -62135596800, 0},
        {"9999-12-31T23:59:59.999999999Z", 253402300799, 999999999},
        {"2001-02-29T00:00:00Z", INT64_MAX, 0},
        {"2001-13-01T00:00:00Z", INT64_MAX, 0},
        {"0000-01-01T00:00:00Z", INT64_MAX, 0},
        {"2001-01-01T24:00:00Z", INT64_MAX, 0},
        {"2001-01-01T00:00:00", INT64_MAX, 0},
        {"2001-01-01 00:00:00Z", INT64_MAX, 0},
        {"2001-01-01T00:00:00.Z", INT64_MAX, 0},
        {"2001-01-01T00:00:00Zx", INT64_MAX, 0},
        {"2001-1-01T00:00:00Z", INT64_MAX, 0},
        {"", INT64_MAX, 0},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        char json[256];
        struct decoded d;

        snprintf(json, sizeof json,
                 "{\"@type\":\"t/google.protobuf.Timestamp\",\"value\":\"%s\"}",
                 rows[i].text);
        decode_json(&d, "t/google.protobuf.Timestamp", xds_slice_of(json));
        const pb_timestamp *pb = (const pb_timestamp *)d.root.message;
        cr_expect_eq(d.ok, rows[i].seconds != INT64_MAX, "%s", rows[i].text);
        if (d.ok) {
            cr_expect_eq(pb->seconds, rows[i].seconds, "%s", rows[i].text);
            cr_expect_eq(pb->nanos, rows[i].nanos, "%s", rows[i].text);
        }
        release(&d);
    }
}

Test(scalar, bytes_are_base64_of_either_alphabet)
{
    const struct {
        const char *text;
        struct xds_slice due; /* absent: refused */
    } rows[] = {
        {"", XDS_S("")},
        {"AA==", XDS_S("\0")},
        {"AA", XDS_S("\0")},
        {"+/+/", XDS_S("\xFB\xFF\xBF")},
        {"-_-_", XDS_S("\xFB\xFF\xBF")},
        {"YWI=", XDS_S("ab")},
        {"YWI", XDS_S("ab")},
        {"YWJj", XDS_S("abc")},
        {"A", {NULL, 0}},
        {"AA=", {NULL, 0}},
        {"A===", {NULL, 0}},
        {"AA=A", {NULL, 0}},
        {"YW J", {NULL, 0}},
        {"====", {NULL, 0}},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        char json[256];
        struct decoded d;

        snprintf(json, sizeof json, "{\"value\":\"%s\"}", rows[i].text);
        decode_json(&d, "t/google.protobuf.BytesValue", xds_slice_of(json));
        const pb_bytes_value *pb = (const pb_bytes_value *)d.root.message;
        cr_expect_eq(d.ok, rows[i].due.data != NULL, "%s", rows[i].text);
        if (d.ok)
            cr_expect(xds_slice_eq(xds_slice_make((char *)pb->value.data, pb->value.len),
                                   rows[i].due),
                      "%s", rows[i].text);
        release(&d);
    }
}
