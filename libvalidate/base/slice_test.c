/* slice_test.c - numbers, UTF-8 and distances at their edges. */
#include <criterion/criterion.h>

#include "base/slice.h"

static const struct number {
    const char *text;
    bool ok;
    int64_t value;
} numbers[] = {
    {"0", true, 0},
    {"-0", true, 0},
    {"+7", true, 7},
    {"9223372036854775807", true, INT64_MAX},
    {"-9223372036854775808", true, INT64_MIN},
    {"9223372036854775808", false, 0},
    {"-9223372036854775809", false, 0},
    {"99999999999999999999", false, 0},
    {"", false, 0},
    {"-", false, 0},
    {"1 ", false, 0},
    {"0x1", false, 0},
};

Test(slice, an_int64_is_read_exactly_or_not_at_all)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(numbers); i++) {
        int64_t value = 0;

        cr_expect_eq(xds_slice_to_i64(xds_slice_of(numbers[i].text), &value),
                     numbers[i].ok, "%s", numbers[i].text);
        cr_expect_eq(value, numbers[i].value, "%s", numbers[i].text);
    }
}

static const struct utf8 {
    const char *bytes;
    size_t len;
    bool valid;
} texts[] = {
    {"", 0, true},
    {"plain ascii, longer than a stride", 33, true},
    {"\xC3\xA9", 2, true},
    {"\xE2\x82\xAC", 3, true},
    {"\xF0\x9F\x98\x80", 4, true},
    {"\xF4\x8F\xBF\xBF", 4, true},
    {"\xC0\xAF", 2, false},         /* overlong */
    {"\xE0\x80\xAF", 3, false},     /* overlong */
    {"\xED\xA0\x80", 3, false},     /* surrogate */
    {"\xF4\x90\x80\x80", 4, false}, /* above U+10FFFF */
    {"\xC3", 1, false},             /* cut off */
    {"12345678\x80", 9, false},     /* after a stride */
    {"\xFF", 1, false},
};

Test(slice, only_well_formed_utf8_is_valid)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(texts); i++)
        cr_expect_eq(xds_utf8_valid(xds_slice_make(texts[i].bytes, texts[i].len)),
                     texts[i].valid, "row %zu", i);
}

Test(slice, distance_counts_edits_and_stops_at_its_limit)
{
    cr_expect_eq(xds_slice_distance(XDS_S("virtual_host"), XDS_S("virtual_hosts"), 3), 1);
    cr_expect_eq(xds_slice_distance(XDS_S("Name"), XDS_S("name"), 3), 0);
    cr_expect_eq(xds_slice_distance(XDS_S("abc"), XDS_S("xyz"), 2), 3);
    cr_expect_eq(xds_slice_distance(XDS_S(""), XDS_S("ab"), 3), 2);
}

Test(slice, cutting_without_the_character_leaves_no_rest)
{
    struct xds_slice head;

    cr_expect_null(xds_slice_cut(XDS_S("a"), ';', &head).data);
    cr_expect(xds_slice_is(head, "a"));
    const struct xds_slice rest = xds_slice_cut(XDS_S("a;"), ';', &head);
    cr_expect_not_null(rest.data);
    cr_expect_eq(rest.len, 0);
}
