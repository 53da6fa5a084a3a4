/* build_any_test.c - messages with a JSON form of their own, bare and inside an Any. */
#include <criterion/criterion.h>

#include "decode/builder_test.h"

#define WKT(name) "google.protobuf." name
#define IN_ANY(name) "{\"@type\":\"t/google.protobuf." name "\""

/* A resource is read as an Any whose type is known. */
static const void *decode_wkt(struct decoded *d, const char *type, const char *value)
{
    char json[512];

    snprintf(json, sizeof json, "{\"value\":%s}", value);
    return decode_good(d, type, json);
}

/* ---- FieldMask ---- */

static void join_paths(const pb_field_mask *mask, char *out, size_t size)
{
    size_t n = 0;

    *out = '\0';
    for (size_t i = 0; i < mask->n_paths; i++)
        n += (size_t)snprintf(out + n, size - n, "%s|", mask->paths[i]);
}

Test(well_known, a_field_mask_is_one_text_of_camel_case_paths)
{
    static const struct {
        const char *json, *paths;
    } rows[] = {
        {"\"\"", ""},
        {"\"a\"", "a|"},
        {"\"a.b,fooBar\"", "a.b|foo_bar|"},
        {"\"fooBar.bazQux.x2Y\"", "foo_bar.baz_qux.x2_y|"},
        {"\"aBC\"", "a_b_c|"},
        {"\"a,a\"", "a|a|"},
        {"\"f\\u006foBar\"", "foo_bar|"},
        {"{}", ""},
        {"{\"paths\":[\"a.b\",\"foo_bar\"]}", "a.b|foo_bar|"},
        {"{\"paths\":[\"fooBar\"]}", "fooBar|"},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        struct decoded d;
        char paths[128];

        join_paths(decode_wkt(&d, WKT("FieldMask"), rows[i].json), paths, sizeof paths);
        cr_expect_str_eq(paths, rows[i].paths, "%s: %s", rows[i].json, paths);
        release(&d);
    }
}

Test(well_known, a_text_that_is_no_list_of_paths_is_no_field_mask)
{
    static const char *const rows[] = {",",   "a,",  ",a",      "a,,b", "a, b",    " a",
                                       ".",   "a.",  ".a",      "a..b", "a.,b",    "1a",
                                       "a.1", "a-b", "foo_bar", "a*",   "\xC3\xA9"};

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        char json[64], due[160];
        struct decoded d;

        snprintf(json, sizeof json, "{\"value\":\"%s\"}", rows[i]);
        snprintf(due, sizeof due,
                 "invalid-field-mask: \"value\": \"%s\" is not a list of paths such as "
                 "\"name,fooBar.baz\"",
                 rows[i]);
        decode_json(&d, WKT("FieldMask"), xds_slice_of(json));
        cr_expect_not(d.ok, "%s", rows[i]);
        cr_expect_not_null(strstr(d.findings, due), "%s: %s", rows[i], d.findings);
        release(&d);
    }
}

/* ---- wrappers and Empty ---- */

Test(well_known, signed_wrappers_hold_their_whole_range)
{
    static const struct {
        const char *json;
        int64_t due;
    } rows[] = {{"0", 0},
                {"-2147483648", INT32_MIN},
                {"2147483647", INT32_MAX},
                {"\"-7\"", -7},
                {"1e3", 1000},
                {"{\"value\":-1}", -1}};
    static const struct {
        const char *json;
        int64_t due;
    } wide[] = {{"\"-9223372036854775808\"", INT64_MIN},
                {"9223372036854775807", INT64_MAX}};
    struct decoded d;

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        const pb_int32_value *narrow = decode_wkt(&d, WKT("Int32Value"), rows[i].json);
        cr_expect_eq(narrow->value, rows[i].due, "%s", rows[i].json);
        release(&d);
        const pb_int64_value *same = decode_wkt(&d, WKT("Int64Value"), rows[i].json);
        cr_expect_eq(same->value, rows[i].due, "%s", rows[i].json);
        release(&d);
    }
    for (size_t i = 0; i < XDS_ARRAY_LEN(wide); i++) {
        const pb_int64_value *pb = decode_wkt(&d, WKT("Int64Value"), wide[i].json);
        cr_expect_eq(pb->value, wide[i].due, "%s", wide[i].json);
        release(&d);
    }
}

Test(well_known, in_an_any_they_stand_under_value)
{
    static const struct {
        const char *json, *type;
    } rows[] = {
        {IN_ANY("Int32Value") ",\"value\":5}", WKT("Int32Value")},
        {IN_ANY("Int64Value") ",\"value\":\"5\"}", WKT("Int64Value")},
        {IN_ANY("FieldMask") ",\"value\":\"a\"}", WKT("FieldMask")},
        {"{\"value\":\"a\",\"@type\":\"t/google.protobuf.FieldMask\"}", WKT("FieldMask")},
        {IN_ANY("Empty") ",\"value\":{}}", WKT("Empty")},
        /* Not all that write JSON put an Empty under "value". */
        {IN_ANY("Empty") "}", WKT("Empty")},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        char json[256];
        struct decoded d;

        snprintf(json, sizeof json, "{\"apiListener\":{\"apiListener\":%s}}",
                 rows[i].json);
        const pb_listener *pb = decode_good(&d, LISTENER, json);
        const struct xds_any *any = xds_any_of(pb->api_listener->api_listener);
        cr_assert_eq(any->state, XDS_ANY_TYPED, "%s", rows[i].json);
        cr_expect_str_eq(any->message->descriptor->name, rows[i].type);
        release(&d);
    }
}

/* ---- what is wrong ---- */

Test(well_known, a_value_of_another_kind_is_told)
{
    static const struct {
        const char *type, *json, *findings;
    } rows[] = {
        {WKT("Int32Value"), "{\"value\":2147483648}",
         "1:10-1:20 number-out-of-range: \"value\" needs a whole number from "
         "-2147483648 to 2147483647, not 2147483648"},
        {WKT("FieldMask"), "{\"value\":[\"a\"]}",
         "1:10-1:11 wrong-type: \"value\" needs paths such as \"name,fooBar.baz\", not a "
         "list"},
        {WKT("FieldMask"), "{\"value\":\"a\\u0000\"}",
         "1:10-1:19 invalid-field-mask: \"value\": \"a\xC0\x80\" is not a list of paths "
         "such as \"name,fooBar.baz\""},
        {WKT("Empty"), "{\"value\":{\"a\":1}}",
         "1:11-1:14 unknown-field: unknown field \"a\" in google.protobuf.Empty"},
        {WKT("Empty"), "{\"a\":1}",
         "1:2-1:5 unknown-field: unknown field \"a\" in google.protobuf.Empty"},
        {WKT("Empty"), "{\"value\":\"\"}",
         "1:10-1:12 wrong-type: \"value\" needs an empty object, not a string"},
        {WKT("Duration"), "{\"value\":\"1\\u0000s\"}",
         "1:10-1:20 invalid-duration: \"value\": \"1\xC0\x80s\" is not a duration: write "
         "seconds with the suffix s, such as \"1.5s\""},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        struct decoded d;

        decode_json(&d, rows[i].type, xds_slice_of(rows[i].json));
        cr_expect_not(d.ok, "%s", rows[i].json);
        cr_expect_str_eq(d.findings, rows[i].findings, "%s: %s", rows[i].json,
                         d.findings);
        release(&d);
    }
}

Test(well_known, times_may_be_written_with_escapes)
{
    struct decoded d;

    const pb_duration *duration = decode_wkt(&d, WKT("Duration"), "\"\\u0031.5\\u0073\"");
    cr_expect_eq(duration->seconds, 1);
    cr_expect_eq(duration->nanos, 500000000);
    release(&d);
    const pb_timestamp *timestamp =
        decode_wkt(&d, WKT("Timestamp"), "\"2000-01-01T00:00:00\\u002B01:30\"");
    cr_expect_eq(timestamp->seconds, 946679400);
    release(&d);
}
