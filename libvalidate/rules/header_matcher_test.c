/* header_matcher_test.c - the model of each specifier, and who rejects what. */
#include <criterion/criterion.h>

#include "rules/kit_test.h"

#define PB_HDRM(member)                                                                  \
    ENVOY__CONFIG__ROUTE__V3__HEADER_MATCHER__HEADER_MATCH_SPECIFIER_##member
#define AT XDS_AT_I(NULL, "headers", 0)

static pb_header_matcher matcher(unsigned specifier)
{
    static char name[] = "X-User";
    pb_header_matcher pb;

    envoy__config__route__v3__header_matcher__init(&pb);
    pb.name = name;
    pb.header_match_specifier_case = specifier;
    return pb;
}

static struct row {
    unsigned specifier;
    char text[4];
    const char *field;
    enum xds_match_kind kind;
    const char *findings;
} rows[] = {
    {PB_HDRM(EXACT_MATCH), "", "exact_match", XDS_MATCH_EXACT, ""},
    {PB_HDRM(PREFIX_MATCH), "a", "prefix_match", XDS_MATCH_PREFIX, ""},
    {PB_HDRM(PREFIX_MATCH), "", "prefix_match", XDS_MATCH_PREFIX,
     "headers[0].prefix_match header-matcher-empty-pattern AANAA"},
    {PB_HDRM(SUFFIX_MATCH), "", "suffix_match", XDS_MATCH_SUFFIX,
     "headers[0].suffix_match header-matcher-empty-pattern AANAA"},
    {PB_HDRM(CONTAINS_MATCH), "a", "contains_match", XDS_MATCH_CONTAINS,
     "headers[0].contains_match header-matcher-contains AAAAN"},
    {PB_HDRM(CONTAINS_MATCH), "", "contains_match", XDS_MATCH_CONTAINS,
     "headers[0].contains_match header-matcher-contains AAAAN\n"
     "headers[0].contains_match header-matcher-empty-pattern AANAA"},
};

Test(header_matcher, each_text_specifier_fires_what_it_lists)
{
    for (struct row *r = rows; r < rows + XDS_ARRAY_LEN(rows); r++) {
        struct kit *kit = kit_new();
        pb_header_matcher in = matcher(r->specifier);
        struct xds_header_matcher out;

        in.exact_match = r->text; /* the slot of all text members */
        cr_expect(xds_header_matcher_read(&kit->ctx, AT, &in, &out));
        cr_expect(xds_slice_is(out.name, "X-User"));
        cr_expect_str_eq(out.specifier, r->field);
        cr_expect_eq(out.kind, XDS_HEADER_STRING);
        cr_expect_eq(out.string.kind, r->kind);
        cr_expect(xds_slice_is(out.string.text, r->text));
        cr_expect_str_eq(kit_findings(kit), r->findings);
        kit_free(kit);
    }
}

static const struct range_row {
    int64_t start, end;
    const char *findings;
} ranges[] = {
    {0, 1, ""},
    {5, 5, ""}, /* empty, and accepted by all */
    {INT64_MIN, INT64_MAX, ""},
    {1, 0, "headers[0] header-matcher-range-reversed NNAAA"},
    {INT64_MAX, INT64_MIN, "headers[0] header-matcher-range-reversed NNAAA"},
};

Test(header_matcher, only_a_reversed_range_is_rejected)
{
    for (const struct range_row *r = ranges; r < ranges + XDS_ARRAY_LEN(ranges); r++) {
        struct kit *kit = kit_new();
        pb_header_matcher in = matcher(PB_HDRM(RANGE_MATCH));
        pb_int64_range range;
        struct xds_header_matcher out;

        envoy__type__v3__int64_range__init(&range);
        range.start = r->start;
        range.end = r->end;
        in.range_match = &range;
        cr_expect(xds_header_matcher_read(&kit->ctx, AT, &in, &out));
        cr_expect_eq(out.kind, XDS_HEADER_RANGE);
        cr_expect_eq(out.start, r->start);
        cr_expect_eq(out.end, r->end);
        cr_expect_str_eq(kit_findings(kit), r->findings);
        kit_free(kit);
    }
}

Test(header_matcher, presence_keeps_its_bool_and_its_inversion)
{
    struct kit *kit = kit_new();
    pb_header_matcher in = matcher(PB_HDRM(PRESENT_MATCH));
    struct xds_header_matcher out;

    in.present_match = false;
    in.invert_match = true;
    cr_assert(xds_header_matcher_read(&kit->ctx, AT, &in, &out));
    cr_expect_eq(out.kind, XDS_HEADER_PRESENT);
    cr_expect_not(out.present);
    cr_expect(out.invert);
    cr_expect_str_eq(kit_findings(kit), "");
    kit_free(kit);
}

Test(header_matcher, without_a_specifier_it_never_matches_for_node)
{
    static const unsigned specifiers[] = {PB_HDRM(_NOT_SET), 5, 8, 4711};

    for (size_t i = 0; i < XDS_ARRAY_LEN(specifiers); i++) {
        struct kit *kit = kit_new();
        pb_header_matcher in = matcher(specifiers[i]);
        struct xds_header_matcher out;

        cr_expect(xds_header_matcher_read(&kit->ctx, AT, &in, &out));
        cr_expect_eq(out.kind, XDS_HEADER_NEVER);
        cr_expect_str_eq(kit_findings(kit),
                         "headers[0] header-matcher-no-specifier NNNNA");
        kit_free(kit);
    }
}

Test(header_matcher, a_string_match_without_pattern_never_matches_for_node)
{
    struct kit *kit = kit_new();
    pb_header_matcher in = matcher(PB_HDRM(STRING_MATCH));
    pb_string_matcher string;
    struct xds_header_matcher out;

    envoy__type__matcher__v3__string_matcher__init(&string);
    in.string_match = &string;
    cr_assert(xds_header_matcher_read(&kit->ctx, AT, &in, &out));
    cr_expect_eq(out.kind, XDS_HEADER_NEVER);
    cr_expect_str_eq(kit_findings(kit),
                     "headers[0].string_match string-matcher-no-pattern NNNNA");
    kit_free(kit);
}

Test(header_matcher, a_bad_regex_is_reported_at_the_matcher)
{
    struct kit *kit = kit_new();
    pb_header_matcher in = matcher(PB_HDRM(SAFE_REGEX_MATCH));
    pb_regex_matcher regex;
    struct xds_header_matcher out;
    char pattern[] = "a(";

    envoy__type__matcher__v3__regex_matcher__init(&regex);
    regex.regex = pattern;
    in.safe_regex_match = &regex;
    cr_assert(xds_header_matcher_read(&kit->ctx, AT, &in, &out));
    cr_expect_null(out.string.regex);
    cr_expect_str_eq(kit_findings(kit), "headers[0] regex-invalid NNNNC");
    cr_expect(xds_slice_starts(xds_report_finding(kit->ctx.report, 0)->core,
                               XDS_S("cannot create header matcher: Invalid regex string "
                                     "specified in matcher: ")));
    kit_free(kit);
}
