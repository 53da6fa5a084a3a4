/* match_test.c - paths, headers, fractions, weights, and where the clients disagree. */
#include <criterion/criterion.h>

#include "clients/clients.h"
#include "route/route.h"
#include "route/rpc_test.h"

enum { GRFC = 1, CORE = 2, GO = 4, JAVA = 8, NODE = 16, ALL = 31 };

/* ---- paths ---- */

static const struct path_row {
    enum xds_match_kind kind;
    const char *text;
    bool case_set, case_sensitive;
    const char *path;
    unsigned matches; /* clients */
} path_rows[] = {
    {XDS_MATCH_PREFIX, "", false, true, "/a.B/M", ALL},
    {XDS_MATCH_PREFIX, "/a.", false, true, "/a.B/M", ALL},
    {XDS_MATCH_PREFIX, "/a.B/M/", false, true, "/a.B/M", 0},
    {XDS_MATCH_EXACT, "/a.B/M", false, true, "/a.B/M", ALL},
    {XDS_MATCH_EXACT, "/a.B/M", false, true, "/a.B/Mx", 0},
    {XDS_MATCH_EXACT, "/A.b/m", false, true, "/a.B/M", JAVA},
    {XDS_MATCH_EXACT, "/A.b/m", true, true, "/a.B/M", 0},
    {XDS_MATCH_EXACT, "/A.b/m", true, false, "/a.B/M", ALL},
    {XDS_MATCH_PREFIX, "/A.", true, false, "/a.B/M", ALL},
    {XDS_MATCH_PREFIX, "/\xc3\x89", true, false, "/\xc3\xa9", GO | JAVA | NODE},
    {XDS_MATCH_PREFIX, "/\xc3\x89", true, true, "/\xc3\xa9", 0},
    {XDS_MATCH_EXACT, "/\xc3\x89", false, true, "/\xc3\xa9", JAVA},
    {XDS_MATCH_EXACT, "/k", true, false, "/\xe2\x84\xaa", GO | JAVA | NODE},
    {XDS_MATCH_EXACT, "/\xff", true, false, "/\xff", ALL},
    {XDS_MATCH_EXACT, "/\xff", true, false, "/\xfe", 0},
};

Test(match, a_path_matches_as_each_client_reads_it)
{
    for (const struct path_row *r = path_rows; r < path_rows + XDS_ARRAY_LEN(path_rows);
         r++) {
        for (unsigned c = 0; c < XDS_CLIENTS; c++) {
            const struct xds_path_matcher m = {.kind = r->kind,
                                               .text = xds_slice_of(r->text),
                                               .case_set = r->case_set,
                                               .case_sensitive = r->case_sensitive};
            struct test_rpc t;
            struct xds_slice reason;

            test_rpc_init(&t, (enum xds_client)c);
            t.request.path = xds_slice_of(r->path);
            cr_expect_eq(xds_path_matches(&t.rpc, &m, &reason),
                         r->matches >> xds_client_as((enum xds_client)c) & 1,
                         "%s against %s for %s", r->path, r->text,
                         xds_client_name((enum xds_client)c));
            test_rpc_release(&t);
        }
    }
}

Test(match, a_regex_matches_the_whole_path_and_never_folds_case)
{
    static const struct {
        const char *pattern, *path;
        bool matches;
    } cases[] = {
        {"/a.B/M", "/a.B/M", true},   {"/a.B", "/a.B/M", false},
        {"a.B/M", "/a.B/M", false},   {"/x|/a.B/M", "/a.B/M", true},
        {"/a|/a.B", "/a.B/M", false}, {"^/a.B/M$", "/a.B/M", true},
        {"/A.b/m", "/a.B/M", false},  {"(?i)/A.b/m", "/a.B/M", true},
    };
    struct xds_regex_cache *cache = xds_regex_cache_new();

    for (size_t i = 0; i < XDS_ARRAY_LEN(cases); i++) {
        struct xds_slice error, reason;
        const struct xds_slice pattern = xds_slice_of(cases[i].pattern);
        const struct xds_path_matcher m = {.kind = XDS_MATCH_REGEX,
                                           .text = pattern,
                                           .regex =
                                               xds_regex_get(cache, pattern, &error)};
        struct test_rpc t;

        test_rpc_init(&t, XDS_CLIENT_CORE);
        t.request.path = xds_slice_of(cases[i].path);
        cr_assert_not_null(m.regex);
        cr_expect_eq(xds_path_matches(&t.rpc, &m, &reason), cases[i].matches, "%s",
                     cases[i].pattern);
        test_rpc_release(&t);
    }
    xds_regex_cache_free(cache);
}

Test(match, a_path_that_fails_says_so)
{
    const struct xds_path_matcher m = {
        .kind = XDS_MATCH_PREFIX, .text = XDS_S("/pkg.A/"), .case_sensitive = true};
    struct test_rpc t;
    struct xds_slice reason;

    test_rpc_init(&t, XDS_CLIENT_CORE);
    cr_assert_not(xds_path_matches(&t.rpc, &m, &reason));
    cr_expect(xds_slice_is(reason, "prefix \"/pkg.A/\" does not match"));
    test_rpc_release(&t);
}

/* ---- headers ---- */

static struct xds_header_matcher string_is(enum xds_match_kind kind, const char *text,
                                           bool invert)
{
    return (struct xds_header_matcher){
        .name = XDS_S("th"),
        .kind = XDS_HEADER_STRING,
        .specifier = "exact_match",
        .invert = invert,
        .string = {.kind = kind, .text = xds_slice_of(text)}};
}

static struct xds_header_matcher present(bool wanted, bool invert)
{
    return (struct xds_header_matcher){.name = XDS_S("th"),
                                       .kind = XDS_HEADER_PRESENT,
                                       .specifier = "present_match",
                                       .present = wanted,
                                       .invert = invert};
}

static struct xds_header_matcher range(int64_t start, int64_t end, bool invert)
{
    return (struct xds_header_matcher){.name = XDS_S("th"),
                                       .kind = XDS_HEADER_RANGE,
                                       .specifier = "range_match",
                                       .start = start,
                                       .end = end,
                                       .invert = invert};
}

static void expect_header(const struct xds_header_matcher *m, const char *value,
                          unsigned matches)
{
    for (unsigned c = 0; c < XDS_CLIENTS; c++) {
        struct test_rpc t;
        struct xds_slice reason;

        test_rpc_init(&t, (enum xds_client)c);
        if (value)
            test_rpc_header(&t, "TH", value);
        cr_expect_eq(xds_header_matches(&t.rpc, m, &reason),
                     matches >> xds_client_as((enum xds_client)c) & 1,
                     "%s \"%s\" invert %d, value %s, %s", m->specifier,
                     m->string.text.data, m->invert, value,
                     xds_client_name((enum xds_client)c));
        test_rpc_release(&t);
    }
}

Test(match, a_string_matcher_sees_the_value_and_never_an_absent_header)
{
    static const struct {
        enum xds_match_kind kind;
        const char *text;
        bool invert;
        const char *value;
        unsigned matches;
    } cases[] = {
        {XDS_MATCH_EXACT, "tv", false, "tv", ALL},
        {XDS_MATCH_EXACT, "tv", true, "tv", 0},
        {XDS_MATCH_EXACT, "tv", true, "xy", ALL},
        {XDS_MATCH_EXACT, "", false, "", ALL},
        {XDS_MATCH_EXACT, "", false, NULL, 0},
        {XDS_MATCH_EXACT, "tv", true, NULL, NODE},
        {XDS_MATCH_PREFIX, "pre", false, "prefix", ALL},
        {XDS_MATCH_PREFIX, "prefix", false, "pre", 0},
        {XDS_MATCH_SUFFIX, "fix", false, "suffix", ALL},
        {XDS_MATCH_SUFFIX, "FIX", false, "suffix", 0},
        {XDS_MATCH_CONTAINS, "ffi", false, "suffix", ALL},
        {XDS_MATCH_CONTAINS, "ffix!", false, "suffix", 0},
        {XDS_MATCH_CONTAINS, "", false, "", ALL},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(cases); i++) {
        const struct xds_header_matcher m =
            string_is(cases[i].kind, cases[i].text, cases[i].invert);
        expect_header(&m, cases[i].value, cases[i].matches);
    }
}

Test(match, folding_reaches_every_kind_of_string)
{
    static const struct {
        enum xds_match_kind kind;
        const char *text;
    } cases[] = {{XDS_MATCH_EXACT, "My-SUFFIX"},
                 {XDS_MATCH_PREFIX, "MY"},
                 {XDS_MATCH_SUFFIX, "FFix"},
                 {XDS_MATCH_CONTAINS, "Y-S"}};

    for (size_t i = 0; i < XDS_ARRAY_LEN(cases); i++) {
        struct xds_header_matcher m = string_is(cases[i].kind, cases[i].text, false);
        m.string.fold_case = true;
        expect_header(&m, "my-suffix", ALL);
    }
}

Test(match, presence_is_judged_by_the_bool_except_by_node)
{
    static const struct {
        bool wanted, invert;
        const char *value;
        unsigned matches;
    } cases[] = {
        {true, false, "x", ALL},
        {true, false, "", ALL & ~GO},
        {false, false, "", GO | NODE},
        {true, true, "", GO},
        {true, false, NULL, 0},
        {true, true, "x", 0},
        {true, true, NULL, ALL},
        {false, false, "x", NODE},
        {false, false, NULL, ALL & ~NODE},
        {false, true, "x", ALL & ~NODE},
        {false, true, NULL, NODE},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(cases); i++) {
        const struct xds_header_matcher m = present(cases[i].wanted, cases[i].invert);
        expect_header(&m, cases[i].value, cases[i].matches);
    }
}

Test(match, a_range_is_half_open_and_wants_a_whole_number)
{
    static const struct {
        const char *value;
        bool invert;
        unsigned matches;
    } cases[] = {
        {"0", false, ALL},
        {"99", false, ALL},
        {"100", false, JAVA},
        {"-1", false, 0},
        {"+5", false, ALL & ~NODE},
        {"5.0", false, 0},
        {" 5", false, CORE},
        {"5,6", false, 0},
        {"", false, 0},
        {"x", true, ALL},
        {NULL, true, NODE},
        {"99999999999999999999", false, 0},
        {"-", false, 0},
        {"00012", false, ALL},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(cases); i++) {
        const struct xds_header_matcher m = range(0, 100, cases[i].invert);
        expect_header(&m, cases[i].value, cases[i].matches);
    }
}

Test(match, a_header_that_fails_says_what_it_saw)
{
    const struct xds_header_matcher m = string_is(XDS_MATCH_EXACT, "prod", false);
    struct test_rpc t;
    struct xds_slice reason;

    test_rpc_init(&t, XDS_CLIENT_CORE);
    cr_assert_not(xds_header_matches(&t.rpc, &m, &reason));
    cr_expect(xds_slice_is(reason, "header th: absent"));
    test_rpc_header(&t, "th", "dev");
    cr_assert_not(xds_header_matches(&t.rpc, &m, &reason));
    cr_expect(xds_slice_is(reason, "header th: exact_match \"prod\" != \"dev\""));
    test_rpc_release(&t);
}

Test(metadata, some_names_are_never_or_always_seen)
{
    static const struct {
        const char *name;
        unsigned sees;
        const char *value;
    } cases[] = {
        {"x-multi", ALL, "1,2,"},
        {"X-Multi", GO | JAVA | NODE, "1,2,"},
        {"x-data-bin", 0, NULL},
        {":path", CORE, "/pkg.Svc/Get"},
        {":method", 0, NULL},
        {":authority", CORE, "h"},
        {"te", ALL & ~CORE, "trailers"},
        {"", 0, NULL},
        {"content-type", ALL & ~GO, "application/grpc"},
        {"content-type", GO, "application/grpc+proto"},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(cases); i++) {
        for (unsigned c = 0; c < XDS_CLIENTS; c++) {
            struct test_rpc t;
            struct xds_slice value = {NULL, 0};

            test_rpc_init(&t, (enum xds_client)c);
            test_rpc_header(&t, "x-multi", "1");
            test_rpc_header(&t, "content-type", "application/grpc+proto");
            test_rpc_header(&t, "x-multi", "2");
            test_rpc_header(&t, "x-data-bin", "AA");
            test_rpc_header(&t, ":path", "/");
            test_rpc_header(&t, "host", "h");
            test_rpc_header(&t, "te", "trailers");
            test_rpc_header(&t, "X-MULTI", "");
            const bool sees =
                xds_metadata_get(&t.rpc, xds_slice_of(cases[i].name), &value);
            const bool same = sees && xds_slice_is(value, cases[i].value);
            cr_expect_eq(same, cases[i].sees >> xds_client_as((enum xds_client)c) & 1,
                         "%s for %s", cases[i].name, xds_client_name((enum xds_client)c));
            test_rpc_release(&t);
        }
    }
}

/* ---- fractions ---- */

static enum xds_chance drawn(enum xds_client client, uint32_t numerator,
                             uint32_t denominator, double number)
{
    const struct xds_route_match match = {.has_fraction = true,
                                          .fraction_is_set = true,
                                          .fraction = {numerator, denominator}};
    struct test_rpc t;

    test_rpc_init(&t, client);
    test_rpc_random(&t, &number, 1);
    const struct xds_fraction_result r = xds_fraction_test(&t.rpc, &match);
    cr_expect(r.drawn);
    test_rpc_release(&t);
    return r.chance;
}

Test(fraction, the_boundary_belongs_to_no_match_except_by_the_letter)
{
    cr_expect_eq(drawn(XDS_CLIENT_CORE, 50, 100, 0.4999995), XDS_CHANCE_YES);
    cr_expect_eq(drawn(XDS_CLIENT_CORE, 50, 100, 0.5000005), XDS_CHANCE_NO);
    cr_expect_eq(drawn(XDS_CLIENT_GRFC, 50, 100, 0.5000005), XDS_CHANCE_YES);
    cr_expect_eq(drawn(XDS_CLIENT_GO, 50, 100, 0.5000015), XDS_CHANCE_NO);
    cr_expect_eq(drawn(XDS_CLIENT_CORE, 0, 100, 0.0), XDS_CHANCE_NO);
    cr_expect_eq(drawn(XDS_CLIENT_GRFC, 0, 100, 0.0), XDS_CHANCE_YES);
    cr_expect_eq(drawn(XDS_CLIENT_JAVA, 1, 10000, 0.00019), XDS_CHANCE_NO);
    cr_expect_eq(drawn(XDS_CLIENT_JAVA, 1, 10000, 0.00009), XDS_CHANCE_YES);
    cr_expect_eq(drawn(XDS_CLIENT_CORE, 4294967295u, 100, 0.999999), XDS_CHANCE_YES);
}

Test(fraction, without_a_number_the_probability_is_exact)
{
    static const struct {
        enum xds_client client;
        uint32_t numerator;
        double probability;
        enum xds_chance chance;
    } cases[] = {
        {XDS_CLIENT_CORE, 25, 0.25, XDS_CHANCE_OPEN},
        {XDS_CLIENT_CORE, 0, 0, XDS_CHANCE_NO},
        {XDS_CLIENT_CORE, 300, 1, XDS_CHANCE_YES},
        {XDS_CLIENT_GRFC, 0, 1e-6, XDS_CHANCE_OPEN},
        {XDS_CLIENT_GO, 25, 0.250001, XDS_CHANCE_OPEN},
        {XDS_CLIENT_JAVA, 25, 0.25, XDS_CHANCE_OPEN},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(cases); i++) {
        const struct xds_route_match match = {.has_fraction = true,
                                              .fraction_is_set = true,
                                              .fraction = {cases[i].numerator, 100}};
        struct test_rpc t;

        test_rpc_init(&t, cases[i].client);
        const struct xds_fraction_result r = xds_fraction_test(&t.rpc, &match);
        cr_expect_eq(r.chance, cases[i].chance);
        cr_expect_float_eq(r.probability, cases[i].probability, 1e-12);
        test_rpc_release(&t);
    }
}

Test(fraction, a_fraction_without_default_value_is_no_test_except_for_go_and_java)
{
    static const enum xds_chance wanted[XDS_CLIENTS] = {
        XDS_CHANCE_YES, XDS_CHANCE_YES, XDS_CHANCE_OPEN, XDS_CHANCE_NO, XDS_CHANCE_YES};
    const struct xds_route_match match = {.has_fraction = true};

    for (unsigned c = 0; c < XDS_CLIENTS; c++) {
        struct test_rpc t;

        test_rpc_init(&t, (enum xds_client)c);
        cr_expect_eq(xds_fraction_test(&t.rpc, &match).chance,
                     wanted[xds_client_as((enum xds_client)c)], "%s",
                     xds_client_name((enum xds_client)c));
        test_rpc_release(&t);
    }
}

/* ---- weighted clusters ---- */

Test(weighted, a_number_on_a_boundary_belongs_to_the_next_entry)
{
    const struct xds_weighted_cluster entries[] = {{.name = XDS_S("zero")},
                                                   {.name = XDS_S("a"), .weight = 1},
                                                   {.name = XDS_S("none")},
                                                   {.name = XDS_S("b"), .weight = 3}};
    const struct xds_route route = {.weighted = entries, .n_weighted = 4};
    static const struct {
        double number;
        const char *name;
    } cases[] = {{0, "a"}, {0.2499, "a"}, {0.25, "b"}, {0.9999, "b"}};

    for (size_t i = 0; i < XDS_ARRAY_LEN(cases); i++) {
        struct test_rpc t;

        test_rpc_init(&t, XDS_CLIENT_CORE);
        test_rpc_random(&t, &cases[i].number, 1);
        const struct xds_weighted_choices c = xds_weighted_pick(&t.rpc, &route);
        cr_assert_eq(c.n, 1);
        cr_expect(xds_slice_is(c.list[0].entry->name, cases[i].name));
        const struct xds_weighted_choices open = xds_weighted_pick(&t.rpc, &route);
        cr_assert_eq(open.n, 2, "the list has ended, so both stay open");
        cr_expect_float_eq(open.list[1].probability, 0.75, 1e-12);
        test_rpc_release(&t);
    }
}
