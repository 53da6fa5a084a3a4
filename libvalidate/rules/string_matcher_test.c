/* string_matcher_test.c - the model, and rules no YAML case can reach. */
#include <criterion/criterion.h>

#include "rules/kit_test.h"

#define PB_STRM(arm) ENVOY__TYPE__MATCHER__V3__STRING_MATCHER__MATCH_PATTERN_##arm

static pb_string_matcher matcher(unsigned arm, char *text, bool fold)
{
    pb_string_matcher pb;

    envoy__type__matcher__v3__string_matcher__init(&pb);
    pb.match_pattern_case = arm;
    pb.exact = text; /* the slot of all text arms */
    pb.ignore_case = fold;
    return pb;
}

static struct row {
    const char *name;
    unsigned arm;
    char text[8];
    bool fold;
    enum xds_match_kind kind;
    const char *findings;
} rows[] = {
    {"empty exact", PB_STRM(EXACT), "", false, XDS_MATCH_EXACT, ""},
    {"folded prefix", PB_STRM(PREFIX), "/Api", true, XDS_MATCH_PREFIX, ""},
    {"suffix", PB_STRM(SUFFIX), "z", false, XDS_MATCH_SUFFIX, ""},
    {"empty prefix", PB_STRM(PREFIX), "", false, XDS_MATCH_PREFIX,
     "m.prefix string-matcher-empty-pattern AANAA"},
    {"empty suffix", PB_STRM(SUFFIX), "", false, XDS_MATCH_SUFFIX,
     "m.suffix string-matcher-empty-pattern AANAA"},
    {"empty contains", PB_STRM(CONTAINS), "", true, XDS_MATCH_CONTAINS,
     "m.contains string-matcher-empty-pattern AANAA"},
};

Test(string_matcher, each_text_arm_fires_what_it_lists)
{
    for (struct row *r = rows; r < rows + XDS_ARRAY_LEN(rows); r++) {
        struct kit *kit = kit_new();
        pb_string_matcher in = matcher(r->arm, r->text, r->fold);
        struct xds_string_matcher out;

        cr_expect(xds_string_matcher_read(&kit->ctx, XDS_AT(NULL, "m"), &in, &out));
        cr_expect_eq(out.kind, r->kind, "%s", r->name);
        cr_expect(xds_slice_is(out.text, r->text), "%s", r->name);
        cr_expect_eq(out.fold_case, r->fold, "%s", r->name);
        cr_expect_str_eq(kit_findings(kit), r->findings, "%s", r->name);
        kit_free(kit);
    }
}

Test(string_matcher, an_arm_that_grpc_does_not_implement_is_no_pattern)
{
    static const unsigned arms[] = {PB_STRM(_NOT_SET), PB_STRM(CUSTOM), 4, 4711};

    for (size_t i = 0; i < XDS_ARRAY_LEN(arms); i++) {
        struct kit *kit = kit_new();
        pb_string_matcher in = matcher(arms[i], NULL, false);
        struct xds_string_matcher out;

        cr_expect_not(xds_string_matcher_read(&kit->ctx, XDS_AT(NULL, "m"), &in, &out));
        cr_expect_str_eq(kit_findings(kit), "m string-matcher-no-pattern NNNNA");
        kit_free(kit);
    }
}

static bool read_regex(struct kit *kit, char *pattern, bool fold,
                       struct xds_string_matcher *out)
{
    pb_regex_matcher regex;
    pb_string_matcher in = matcher(PB_STRM(SAFE_REGEX), NULL, fold);

    envoy__type__matcher__v3__regex_matcher__init(&regex);
    regex.regex = pattern;
    in.safe_regex = &regex;
    return xds_string_matcher_read(&kit->ctx, XDS_AT(NULL, "m"), &in, out);
}

Test(string_matcher, a_regex_is_kept_but_never_folds_case)
{
    struct kit *kit = kit_new();
    struct xds_string_matcher out;
    char pattern[] = "v[0-9]+";

    cr_assert(read_regex(kit, pattern, true, &out));
    cr_expect_eq(out.kind, XDS_MATCH_REGEX);
    cr_expect_not(out.fold_case);
    cr_expect_not_null(out.regex);
    cr_expect_str_eq(kit_findings(kit), "m.ignore_case string-matcher-fold-regex INIII");
    kit_free(kit);
}

Test(string_matcher, a_regex_that_does_not_compile_is_kept_for_node)
{
    struct kit *kit = kit_new();
    struct xds_string_matcher out;
    char pattern[] = "a[b";

    cr_assert(read_regex(kit, pattern, false, &out));
    cr_expect_null(out.regex);
    cr_expect(xds_slice_is(out.text, pattern));
    cr_expect_str_eq(kit_findings(kit), "m regex-invalid NNNNC");
    kit_free(kit);
}

Test(string_matcher, the_model_outlives_the_message)
{
    struct kit *kit = kit_new();
    struct xds_string_matcher out;
    char text[] = "before";
    pb_string_matcher in = matcher(PB_STRM(EXACT), text, false);

    cr_assert(xds_string_matcher_read(&kit->ctx, NULL, &in, &out));
    memcpy(text, "behind", sizeof text);
    cr_expect(xds_slice_is(out.text, "before"));
    kit_free(kit);
}
