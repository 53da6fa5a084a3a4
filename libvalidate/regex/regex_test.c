/* regex_test.c - matching and replacing as RE2 does, the cache, and the limits. */
#include <criterion/criterion.h>

#include "base/limits.h"
#include "regex/regex.h"

static struct xds_regex_cache *cache;

static void set_up(void)
{
    cache = xds_regex_cache_new();
    cr_assert_not_null(cache);
}

static void tear_down(void)
{
    xds_regex_cache_free(cache);
}

TestSuite(regex, .init = set_up, .fini = tear_down);

static const struct xds_regex *get(const char *pattern)
{
    struct xds_slice error;
    const struct xds_regex *regex = xds_regex_get(cache, xds_slice_of(pattern), &error);

    cr_assert_not_null(regex, "%s: %.*s", pattern, XDS_FMT(error));
    return regex;
}

static const struct match_row {
    const char *pattern, *subject;
    bool matches;
} match_rows[] = {
    /* all of the subject, and leftmost alternatives do not get in the way */
    {"a", "ab", false},
    {"a|ab", "ab", true},
    {"", "", true},
    {"", "a", false},
    {"a*?", "aaa", true},
    /* ends of text and of lines */
    {"a$", "a\n", false},
    {"a$\\n", "a\n", false},
    {"(?m)a$\\n^", "a\n", true},
    {"(?m)a\\n^$", "a\n", true},
    {"a\\z", "a", true},
    /* the dot, newlines, negated classes */
    {".", "\n", false},
    {".", "\r", true},
    {".", "\xe2\x80\xa8", true},
    {"(?s).", "\n", true},
    {"(?s:.).", "\n\n", false},
    {"[^a]", "\n", true},
    {"[^\\x00-\\x{10FFFF}]", "a", false},
    {"[^\\x00-\\x{10FFFF}]*", "", true},
    /* ASCII classes */
    {"\\d", "\xd9\xa3", false},
    {"\\w", "\xc3\xa9", false},
    {"\\W", "\xc3\xa9", true},
    {"\\s", "\v", false},
    {"[[:space:]]", "\v", true},
    {"\\v", "\v", true},
    {"\\v", "\n", false},
    {"[[:word:]-]+", "a_1-", true},
    {"[[:^digit:]]", "\xc3\xa9", true},
    {"a\\b\xc3\xa9", "a\xc3\xa9", true},
    /* Unicode groups */
    {"\\pL+", "a\xc3\xa9\xe6\x97\xa5", true},
    {"\\PL", "\xe6\x97\xa5", false},
    {"\\p{Greek}", "\xce\xb1", true},
    {"\\p{^Greek}", "\xce\xb1", false},
    {"\\P{^Greek}", "\xce\xb1", true},
    {"\\pN", "\xd9\xa3", true},
    {"[\\pL\\pN_-]{1,63}", "\xc3\xa9t\xc3\xa9-2024", true},
    /* case folding goes through whole orbits */
    {"(?i)k", "K", true},
    {"(?i)k", "\xe2\x84\xaa", true},
    {"(?i)\xe2\x84\xaa", "k", true},
    {"(?i)\xcf\x82", "\xce\xa3", true},
    {"(?i)\xc3\xa9", "\xc3\x89", true},
    {"(?i)\xc3\x9f", "SS", false},
    {"(?i)[j-l]", "\xe2\x84\xaa", true},
    {"(?i)[^k]", "\xe2\x84\xaa", false},
    {"(?i)\\p{Lu}", "a", true},
    {"(?i:a)b", "AB", false},
    {"a(?i)b|c", "C", true},
    {"(a(?i)b)c", "aBC", false},
    {"(?i)\\Qa.\\E", "A.", true},
    {"[a-z]", "K", false},
    /* RE2 merges branches of one character, and takes [Kk] for a folded k, which folds to
     * all of its orbit, or not at all when k is there already */
    {"[Kk]", "\xe2\x84\xaa", false},
    {"[Kk]|x", "\xe2\x84\xaa", true},
    {"(?:x|[Ss])+", "xS\xc5\xbf", true},
    {"k|[Kk]", "K", false},
    {"(?:[a-z]|[Bb])", "B", false},
    {"[Bb]|[a-z]", "B", true},
    {"(?:[Kk]|x)y|z", "Ky", true},
    {"([Kk])|x", "\xe2\x84\xaa", false},
    {"[Kk]b|x", "Kb", true},
    {"\xe2\x84\xaa|[Kk]", "K", false},
    {"[^\xc3\xa9]|\xc3\xa9", "\xe0\x80\x80", true},
    {"(?:[^\xc3\xa9])|b", "\xe0\x80\x80", false},
    /* escapes and quoting */
    {"\\x41\\x{e9}\\101\\a",
     "A\xc3\xa9"
     "A\a",
     true},
    {"\\Q(*\\E+", "(***", true},
    {"\\Q\\d\\E", "\\d", true},
    {"a{,2}", "a{,2}", true},
    {"a{1001", "a{1001", true},
    {"[a\\]b]+", "]a", true},
    {"[]-a]+", "^_", true},
    {"#", "#", true},
    {"a b", "a b", true},
    /* bytes: \C takes any, other things take what is well-formed */
    {"\\C\\C", "\xc3\xa9", true},
    {".", "\xff", false},
    {"\\C", "\xff", true},
    {"[^a]", "\xc3", false},
    {"\\x{D800}", "\xed\xa0\x80", true},
    {".*", "a\xff", false},
    /* repetition */
    {"a{2,3}", "aaaa", false},
    {"(?:a?){3}b", "ab", true},
    {"(|a)+", "aaa", true},
    {"(a*)*b", "aab", true},
    {"x{0}", "", true},
    {"(?:\\b)*a", "a", true},
    {"a*(?i)*", "aA", false},
};

Test(regex, a_full_match_is_what_re2_says)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(match_rows); i++) {
        const struct match_row *r = &match_rows[i];

        cr_expect_eq(xds_regex_full_match(get(r->pattern), xds_slice_of(r->subject)),
                     r->matches ? XDS_MATCH : XDS_NO_MATCH, "/%s/ on \"%s\"", r->pattern,
                     r->subject);
    }
}

Test(regex, a_hot_pattern_answers_as_before)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(match_rows); i++) {
        const struct match_row *r = &match_rows[i];
        const struct xds_regex *regex = get(r->pattern);

        for (int use = 0; use < 100; use++)
            cr_assert_eq(xds_regex_full_match(regex, xds_slice_of(r->subject)),
                         r->matches ? XDS_MATCH : XDS_NO_MATCH, "/%s/ use %d", r->pattern,
                         use);
    }
}

Test(regex, a_nul_byte_is_a_byte_like_others)
{
    const struct xds_slice pattern = {"a\0b", 3};
    struct xds_slice error;
    const struct xds_regex *regex = xds_regex_get(cache, pattern, &error);

    cr_assert_not_null(regex);
    cr_expect_eq(xds_regex_full_match(regex, pattern), XDS_MATCH);
    cr_expect_eq(xds_regex_full_match(regex, XDS_S("a")), XDS_NO_MATCH);
    cr_expect_null(xds_regex_get(cache, (struct xds_slice){"[\0", 2}, &error));
    cr_expect(xds_slice_eq(error, (struct xds_slice){"missing ]: [\0", 13}));
}

/* ---- cache ---- */

Test(regex, a_pattern_is_read_once_whatever_comes_of_it)
{
    char text[] = "a[b";
    struct xds_slice first, second;

    cr_expect_eq(get("a+"), get("a+"));
    cr_expect_neq(get("a+"), get("a*"));
    cr_expect(xds_slice_is(get("a+")->pattern, "a+"));

    cr_expect_null(xds_regex_get(cache, xds_slice_of(text), &first));
    cr_expect_null(xds_regex_get(cache, XDS_S("a[b"), &second));
    cr_expect_eq(first.data, second.data);
    text[0] = 'x';
    cr_expect(xds_slice_is(first, "missing ]: [b"));
}

Test(regex, an_absent_pattern_is_the_empty_one)
{
    struct xds_slice error;
    const struct xds_slice absent = {NULL, 0};
    const struct xds_regex *regex = xds_regex_get(cache, absent, &error);

    cr_assert_not_null(regex);
    cr_expect_eq(regex, get(""));
    cr_expect_eq(xds_regex_full_match(regex, absent), XDS_MATCH);
}

Test(regex, what_depends_on_how_re2_merges_branches_is_undecided)
{
    /* "ak|a[Kk]" is a(?:k|[Kk]) to RE2. */
    cr_expect_eq(xds_regex_full_match(get("ak|a[Kk]"), XDS_S("aK")), XDS_MATCH_UNDECIDED);
    cr_expect_eq(xds_regex_full_match(get("ak|a[Kk]"), XDS_S("ak")), XDS_MATCH);
    cr_expect_eq(xds_regex_full_match(get("ak|a[Kk]"), XDS_S("a\xe2\x84\xaa")),
                 XDS_MATCH_UNDECIDED);
    cr_expect_eq(xds_regex_full_match(get("[Gg]et|[Gg]ot"), XDS_S("Get")), XDS_MATCH);
    cr_expect_eq(xds_regex_full_match(get("(?i)(?:get|gem)"), XDS_S("GET")), XDS_MATCH);
    cr_expect_eq(xds_regex_full_match(get("(?:ge[Tt]|ge[Mm])x"), XDS_S("geTx")),
                 XDS_MATCH);
    /* "a[^e]|ae" is a(?:[^e]|e), and takes what is no UTF-8 then. */
    cr_expect_eq(
        xds_regex_full_match(get("a[^\xc3\xa9]|a\xc3\xa9"), XDS_S("a\xe0\x80\x80")),
        XDS_MATCH_UNDECIDED);
    cr_expect_eq(
        xds_regex_full_match(get("a[^\xc3\xa9]|a\xc3\xa9"), XDS_S("a\xe0\xa0\x80")),
        XDS_MATCH);
}

/* ---- limits ---- */

Test(regex, a_catastrophic_pattern_is_undecided_and_never_wrong)
{
    static const char *const patterns[] = {"([a-z]+/?)+[0-9]", "(a*)*b", "(a|aa)+$b",
                                           "(?:a?){40}a{40}b"};
    char subject[40];

    memset(subject, 'a', sizeof subject);
    for (size_t i = 0; i < XDS_ARRAY_LEN(patterns); i++)
        for (int use = 0; use < 70; use++) /* hot in the end */
            cr_expect_neq(
                xds_regex_full_match(get(patterns[i]), (struct xds_slice){subject, 40}),
                XDS_MATCH, "%s", patterns[i]);
    cr_expect_eq(xds_regex_full_match(get(patterns[0]),
                                      (struct xds_slice){subject, sizeof subject}),
                 XDS_MATCH_UNDECIDED);
}

Test(regex, what_is_too_large_for_pcre2_alone_is_good_but_undecided)
{
    const struct xds_regex *regex = get("(?:[a-z]+[0-9]+[A-Z]+){1000}");

    cr_expect_eq(xds_regex_full_match(regex, XDS_S("a")), XDS_MATCH_UNDECIDED);
    cr_expect_eq(xds_regex_full_match(regex, XDS_S("a")), XDS_MATCH_UNDECIDED);
}

Test(regex, operators_stacked_without_end_take_no_time_without_end)
{
    enum { LEVELS = 50000, STEP = 5 };
    static char text[1 + STEP * LEVELS];
    struct xds_slice error;

    text[0] = 'x';
    for (size_t i = 0; i < LEVELS; i++)
        memcpy(text + 1 + i * STEP, "*(?i)", STEP);
    const struct xds_regex *regex =
        xds_regex_get(cache, xds_slice_make(text, sizeof text), &error);
    cr_assert_not_null(regex);
    cr_expect_eq(xds_regex_full_match(regex, XDS_S("y")), XDS_MATCH_UNDECIDED);
}

/* ---- replacing ---- */

struct replacing {
    const struct xds_regex *regex;
    struct xds_slice subject, substitution, out;
    struct xds_arena arena;
    bool after_match, decided;
};

static void replace(void *arg)
{
    struct replacing *r = arg;

    r->decided = xds_regex_replace_all(r->regex, r->subject, r->substitution,
                                       r->after_match, &r->arena, &r->out);
}

static bool run(struct replacing *r)
{
    struct xds_arena *const arenas[] = {&r->arena};

    xds_arena_init(&r->arena, 0);
    cr_assert_eq(xds_arena_guard(arenas, 1, replace, r), XDS_OK);
    return r->decided;
}

static const struct replace_row {
    const char *pattern, *subject, *substitution, *want;
} replace_rows[] = {
    {"a", "banana", "o", "bonono"},
    {"x", "banana", "o", "banana"},
    {"^/v(\\d+)/(.*)$", "/v1/get", "/\\2/\\1", "/get/1"},
    {"^/old", "/old/old", "/new", "/new/old"},
    {"an", "banana", "<\\0>", "b<an><an>a"},
    {"a*", "baac", "x", "xbxcx"},
    {"", "ab", "-", "-a-b-"},
    {"", "\xc3\xa9", "-", "-\xc3\xa9-"},
    {"", "\xff", "-", "-\xff-"},
    {"\\B", "a\xc3\xa9", "-", "a\xc3-\xa9-"},
    {"", "", "x", "x"},
    {"(a)|(b)", "ab", "[\\1\\2]", "[a][b]"},
    {"((?:|^b){0}a)(c)", "xac", "\\2\\1", "xca"},
    {"a|ab", "ab", "x", "xb"},
    {"(?m)^", "a\nb\n", ">", ">a\n>b\n>"},
    {"a", "a", "\\\\0", "\\0"},
    /* a group that is not there: RE2 leaves all alone; a bad escape: it stops */
    {"a", "aa", "\\1", "aa"},
    {"a", "ba", "x\\q", "bx"},
    {"a", "ba", "x\\", "bx"},
    {"(x)(x)(x)(x)(x)(x)(x)(x)(y)(z)", "xxxxxxxxyz", "\\9", "y"},
};

Test(regex, every_match_is_replaced_as_re2_does)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(replace_rows); i++) {
        const struct replace_row *row = &replace_rows[i];
        struct replacing r = {.regex = get(row->pattern),
                              .subject = xds_slice_of(row->subject),
                              .substitution = xds_slice_of(row->substitution)};

        cr_expect(run(&r), "/%s/", row->pattern);
        cr_expect(xds_slice_is(r.out, row->want), "/%s/ on \"%s\": %.*s", row->pattern,
                  row->subject, XDS_FMT(r.out));
        xds_arena_release(&r.arena);
    }
}

Test(regex, an_empty_match_after_another_is_replaced_where_that_is_wanted)
{
    static const struct replace_row rows[] = {
        {"x*", "xyz", "2", "22y2z2"}, {"x*", "yx", "-", "-y--"}, {"x", "xyx", "-", "-y-"},
        {"", "ab", "-", "-a-b-"},     {"x|$", "xx", "-", "---"},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        struct replacing r = {.regex = get(rows[i].pattern),
                              .subject = xds_slice_of(rows[i].subject),
                              .substitution = xds_slice_of(rows[i].substitution),
                              .after_match = true};

        cr_expect(run(&r), "/%s/", rows[i].pattern);
        cr_expect(xds_slice_is(r.out, rows[i].want), "/%s/ on \"%s\": %.*s",
                  rows[i].pattern, rows[i].subject, XDS_FMT(r.out));
        xds_arena_release(&r.arena);
    }
}

Test(regex, a_slash_gets_a_backslash_where_a_quote_would_keep_that)
{
    static const struct {
        const char *pattern, *subject;
        bool matches;
    } rows[] = {
        {"\\Q/a\\E", "/a", false},  {"\\Q/a\\E", "\\/a", true},
        {"/a\\Qb\\E", "/ab", true}, {"\\Q\\\\E/a", "\\/a", true},
        {"/a", "/a", true},
    };
    struct xds_arena arena;

    xds_arena_init(&arena, 0);
    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++)
        cr_expect_eq(xds_regex_full_match(xds_regex_in_wasm(get(rows[i].pattern), &arena),
                                          xds_slice_of(rows[i].subject)),
                     rows[i].matches ? XDS_MATCH : XDS_NO_MATCH, "/%s/", rows[i].pattern);
    xds_arena_release(&arena);
}

Test(regex, the_library_of_node_reads_escapes_of_javascript)
{
    static const struct {
        const char *pattern, *read;
    } rows[] = {
        {"a/b", "a\\/b"},
        {"a\\/b", "a\\/b"},
        {"\\cA\\cZ", "\\x01\\x1a"},
        {"\\ca", "\\x00"},
        {"\\c\u00e9x", "\\x00x"},
        {"\\c", "\\c"},
        {"\\u0041", "\\x{0041}"},
        {"\\u00412", "\\x{0041}2"},
        {"\\uag", "\\x{a}g"},
        {"\\u{41}", "\\x{41}"},
        {"\\ug", "\\ug"},
        {"\\\\cA", "\\\\cA"},
        {"\\", "\\"},
        {"", ""},
    };
    struct xds_arena arena;

    xds_arena_init(&arena, 0);
    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++)
        cr_expect(
            xds_slice_is(xds_regex_text_in_wasm(xds_slice_of(rows[i].pattern), &arena),
                         rows[i].read),
            "/%s/", rows[i].pattern);
    xds_arena_release(&arena);
}

Test(regex, a_hot_search_overlooks_no_beginning)
{
    struct replacing r = {.regex = get("(?U:B\\w$|\\W(?s:.)|)\\s*[^\\t-\\r]"),
                          .subject = XDS_S("B_\fF"),
                          .substitution = XDS_S("a")};

    for (int use = 0; use < 70; use++) {
        cr_expect(run(&r));
        cr_expect(xds_slice_is(r.out, "aaa"), "use %d: %.*s", use, XDS_FMT(r.out));
        xds_arena_release(&r.arena);
    }
}

Test(regex, a_search_with_a_loop_over_nothing_is_undecided_but_a_full_match_is_not)
{
    struct replacing r = {
        .regex = get("(|a)*"), .subject = XDS_S("a"), .substitution = XDS_S("<\\1>")};

    cr_expect_not(run(&r));
    xds_arena_release(&r.arena);
    cr_expect_eq(xds_regex_full_match(r.regex, XDS_S("aaa")), XDS_MATCH);
}

Test(regex, a_replacement_that_reaches_a_limit_is_undecided)
{
    struct replacing r = {.regex = get("([a-z]+)+[!#]"),
                          .subject =
                              XDS_S("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa?"),
                          .substitution = XDS_S("x")};

    cr_expect_not(run(&r));
    xds_arena_release(&r.arena);
}

Test(regex, anchors_without_a_group_bind_to_one_alternative_each)
{
    static const struct {
        const char *pattern, *subject;
        bool matches;
    } rows[] = {
        {"abc", "abc", true},  {"abc", "abcd", false}, {"a|b", "a", true},
        {"a|b", "axx", true},  {"a|b", "xxb", true},   {"a|b", "xab", true},
        {"a|b", "xax", false}, {"a|x|b", "1x2", true}, {"(a|b)", "ax", false},
        {"a||b", "x", true},   {"[|]", "|x", false},   {"a|\\Qb", "axx", false},
    };
    struct xds_arena arena;

    xds_arena_init(&arena, 0);
    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        struct xds_slice error;
        const struct xds_regex *regex =
            xds_regex_get(cache, xds_slice_of(rows[i].pattern), &error);
        cr_assert_not_null(regex, "%s", rows[i].pattern);
        cr_expect_eq(xds_regex_ungrouped_match(regex, xds_slice_of(rows[i].subject),
                                               &arena) == XDS_MATCH,
                     rows[i].matches, "%s on %s", rows[i].pattern, rows[i].subject);
    }
    xds_arena_release(&arena);
}

/* What begins differently need not be matched. */
Test(regex, knows_what_all_its_matches_begin_with)
{
    static const struct {
        const char *pattern, *head;
    } cases[] = {
        {"", ""},
        {"/pkg\\.Svc/Get", "/pkg.Svc/Get"},
        {"^/pkg$", "/pkg"},
        {"^*/pkg", ""},
        {"^^/pkg", ""},
        {"/pkg.*", "/pkg"},
        {"/pkg?", "/pk"},
        {"/pkg+", "/pk"},
        {"/pkg{2}", "/pk"},
        {"/pkg{x}", "/pkg{x}"},
        {"\\Q/a.b\\E*c", "/a."},
        {"/a(b|c)", "/a"},
        {"/a(?:b)?", "/a"},
        {"/a[bc]|/d", ""},
        {"/a|", ""},
        {"|/a", ""},
        {"/a(?i)1b", "/a1"},
        {"(?i:/a)", ""},
        {"/a\\bb", "/a"},
        {"/a\\x62\\Cd", "/ab"},
        {"/a\xc3\xa4", "/a"},
        {"/pkg[.]Svc/[A-Z]", "/pkg.Svc/"},
        {"/a[.]?b", "/a"},
        {"/a[^.]b", "/a"},
        {"(/a)[.]b", ""},
        {"(?i)[.]1a", ".1"},
    };
    for (size_t i = 0; i < XDS_ARRAY_LEN(cases); i++) {
        const struct xds_slice head = get(cases[i].pattern)->head;

        cr_expect(xds_slice_is(head, cases[i].head), "%s: %.*s", cases[i].pattern,
                  XDS_FMT(head));
    }
}
