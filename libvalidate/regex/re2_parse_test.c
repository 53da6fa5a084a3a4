/* re2_parse_test.c - RE2's verdicts and its error texts, as libre2 gives them. */
#include <criterion/criterion.h>

#include <stdlib.h>

#include "base/limits.h"
#include "regex/re2.h"
#include "regex/regex.h"

static const struct row {
    const char *pattern;
    const char *error; /* "" when RE2 takes the pattern */
} rows[] = {
    {"", ""},
    {"/v[0-9]+/[^/]*", ""},
    {"||", ""},
    {"()", ""},
    /* repetition */
    {"*", "no argument for repetition operator: *"},
    {"a|*", "no argument for repetition operator: *"},
    {"(*ACCEPT)", "no argument for repetition operator: *"},
    {"{2}", "no argument for repetition operator: {2}"},
    {"(?i)*", "no argument for repetition operator: *"},
    {"\\Q\\E*", "no argument for repetition operator: *"},
    {"^*", ""},
    {"\\b+", ""},
    {"a**", "bad repetition operator: **"},
    {"a++", "bad repetition operator: ++"},
    {"a*??", "bad repetition operator: *??"},
    {"a{2}{3}", "bad repetition operator: {2}{3}"},
    {"a{2}*", "bad repetition operator: {2}*"},
    {"a*(?i)*", ""},
    {"a*?", ""},
    {"a{2,1}", "invalid repetition size: {2,1}"},
    {"a{1000}", ""},
    {"a{1001}", "invalid repetition size: {1001}"},
    {"a{1,1001}", "invalid repetition size: {1,1001}"},
    {"((a{10}){10}){10}", ""},
    {"((a{10}){10}){11}", "invalid repetition size: {11}"},
    {"((a{10}){10}){10}*", "bad repetition operator: {10}*"},
    {"((a{0}){1000}){1000}", "invalid repetition size: {1000}"},
    {"(a{500,}){2}", ""},
    {"(a{500,}){3}", "invalid repetition size: {3}"},
    {"(?:a{501}|b){1,}(?:c{2}){2}", ""},
    /* braces that stand for themselves */
    {"a{,2}", ""},
    {"a{", ""},
    {"a{1,2", ""},
    {"{x}", ""},
    {"a{007}", ""},
    {"a{99999999999999999999}", ""},
    /* groups */
    {"(a", "missing ): (a"},
    {"a)", "unexpected ): a)"},
    {"(a))", "unexpected ): (a))"},
    {"(?i-s:a)(?U)", ""},
    {"(?)", ""},
    {"(?-)", "invalid perl operator: (?-)"},
    {"(?i-)", "invalid perl operator: (?i-)"},
    {"(?--i)", "invalid perl operator: (?--"},
    {"(?i", "invalid perl operator: (?i"},
    {"(?x)a", "invalid perl operator: (?x"},
    {"(?P<n>a)", ""},
    {"(?<n>a)", "invalid perl operator: (?<"},
    {"(?<n", "invalid perl operator: (?<"},
    {"(?<n>a)*+", "invalid perl operator: (?<"},
    {"(?P<\xc3\xa9>a)", ""},
    {"(?P<\xd9\xa3\xe2\x80\xbf\xcc\x81>a)", ""},
    {"(?P<\xe2\x82\xac>a)", "invalid named capture group: (?P<\xe2\x82\xac>"},
    {"(?P<n>a)(?P<n>b)", ""},
    {"(?P<a b>a)", "invalid named capture group: (?P<a b>"},
    {"(?P<>a)", "invalid named capture group: (?P<>"},
    {"(?P<n", "invalid named capture group: (?P<n"},
    /* what Perl and PCRE have and RE2 has not */
    {"(?=a)", "invalid perl operator: (?="},
    {"(?!a)", "invalid perl operator: (?!"},
    {"(?<=a)", "invalid perl operator: (?<"},
    {"(?<!a)", "invalid perl operator: (?<"},
    {"(?>a)", "invalid perl operator: (?>"},
    {"(?#c)", "invalid perl operator: (?#"},
    {"(?R)", "invalid perl operator: (?R"},
    {"(?1)", "invalid perl operator: (?1"},
    {"(?(1)a)", "invalid perl operator: (?("},
    {"(?|a)", "invalid perl operator: (?|"},
    {"(?P=n)", "invalid perl operator: (?P"},
    {"(?P>n)", "invalid perl operator: (?P"},
    /* escapes */
    {"\\", "trailing \\"},
    {"[a-\\", "trailing \\"},
    {"\\1", "invalid escape sequence: \\1"},
    {"\\8", "invalid escape sequence: \\8"},
    {"\\y", "invalid escape sequence: \\y"},
    {"\\h", "invalid escape sequence: \\h"},
    {"\\Z", "invalid escape sequence: \\Z"},
    {"\\G", "invalid escape sequence: \\G"},
    {"\\K", "invalid escape sequence: \\K"},
    {"\\X", "invalid escape sequence: \\X"},
    {"\\E", "invalid escape sequence: \\E"},
    {"\\x4", "invalid escape sequence: \\x4"},
    {"\\x{110000}", "invalid escape sequence: \\x{110000"},
    {"\\x{}", "invalid escape sequence: \\x{}"},
    {"\\x{41", "invalid escape sequence: \\x{41"},
    {"\\x{10FFFF}\\x41\\777\\0\\_\\.", ""},
    {"\\C\\A\\z\\b\\B\\a\\f\\t\\n\\r\\v", ""},
    {"\\Qa*", ""},
    /* classes */
    {"[a-", "missing ]: [a-"},
    {"a[]", "missing ]: []"},
    {"[^]", "missing ]: [^]"},
    {"[]a]", ""},
    {"[a-]", ""},
    {"[b-a]", "invalid character class range: b-a"},
    {"[z-\\x41]", "invalid character class range: z-\\x41"},
    {"[a-\\d]", "invalid escape sequence: \\d"},
    {"[\\d-z]", ""},
    {"[\\b]", "invalid escape sequence: \\b"},
    {"[[:word:]]", ""},
    {"[[:^alpha:]]", ""},
    {"[[:<:]]", "invalid character class range: [:<:]"},
    {"[[:foo:]]", "invalid character class range: [:foo:]"},
    {"[[:foo]", ""},
    /* Unicode groups */
    {"\\pN\\PN\\p{Greek}\\p{^Greek}\\p{Any}\\p{Lu}", ""},
    {"\\p{greek}", "invalid character class range: \\p{greek}"},
    {"\\pX", "invalid character class range: \\pX"},
    {"\\p{L&}", "invalid character class range: \\p{L&}"},
    {"\\p{Cn}", "invalid character class range: \\p{Cn}"},
    {"\\p{Greek", "invalid character class range: \\p{Greek"},
    {"\\p", "invalid character class range: \\p"},
    {"[\\p", "invalid escape sequence: \\p"},
    /* UTF-8 */
    {"\xff", "invalid UTF-8"},
    {"[a-\xff]", "invalid UTF-8"},
    {"\\\xff", "invalid UTF-8"},
    {"\xe0\x80\x80", "invalid UTF-8"},
    {"\xf4\x90\x80\x80", "invalid UTF-8"},
    {"(?P<\xff>a)", "invalid UTF-8"},
    {"\\x{", "invalid UTF-8"},
    /* size */
    {"\\pL{456}", ""},
    {"\\pL{457}", "pattern too large - compile failed"},
    {"(?:\\pL\\pN){1000}", "pattern too large - compile failed"},
    {"(?:\\pL|x){1000}", "pattern too large - compile failed"},
};

Test(re2_syntax, each_pattern_gets_the_verdict_of_re2)
{
    struct xds_regex_cache *cache = xds_regex_cache_new();

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        const struct row *r = &rows[i];
        struct xds_slice error;
        const struct xds_regex *regex =
            xds_regex_get(cache, xds_slice_of(r->pattern), &error);
        const bool ok = regex && regex->fault == XDS_REGEX_GOOD;

        cr_expect_eq(ok, *r->error == '\0', "%s", r->pattern);
        cr_expect(xds_slice_is(error, r->error), "%s: %.*s", r->pattern, XDS_FMT(error));
    }
    xds_regex_cache_free(cache);
}

static void repeat(char *out, size_t *len, char c, size_t n)
{
    memset(out + *len, c, n);
    *len += n;
}

/* Groups as deep as that around nothing. */
static enum xds_match match_nested(struct xds_regex_cache *cache, size_t depth,
                                   enum xds_regex_fault fault)
{
    char *text = malloc(2 * depth);
    size_t len = 0;
    struct xds_slice error;

    cr_assert_not_null(text);
    repeat(text, &len, '(', depth);
    repeat(text, &len, ')', depth);
    const struct xds_regex *regex =
        xds_regex_get(cache, xds_slice_make(text, len), &error);
    free(text);
    cr_assert_not_null(regex);
    cr_expect_eq(regex->fault, fault);
    return xds_regex_full_match(regex, XDS_S(""));
}

/* limit: XDS_MAX_REGEX_NESTING, XDS_MAX_REGEX_DEPTH */
Test(re2_syntax, groups_nest_without_limit_but_are_not_matched_when_too_deep)
{
    struct xds_regex_cache *cache = xds_regex_cache_new();

    cr_expect_eq(match_nested(cache, XDS_MAX_REGEX_NESTING, XDS_REGEX_GOOD), XDS_MATCH);
    cr_expect_eq(match_nested(cache, 2 * XDS_MAX_REGEX_NESTING + 1, XDS_REGEX_GOOD),
                 XDS_MATCH_UNDECIDED);
    cr_expect_eq(match_nested(cache, XDS_MAX_REGEX_DEPTH, XDS_REGEX_GOOD),
                 XDS_MATCH_UNDECIDED);
    cr_expect_eq(match_nested(cache, XDS_MAX_REGEX_DEPTH + 1, XDS_REGEX_MAYBE_TOO_LARGE),
                 XDS_MATCH_UNDECIDED);
    xds_regex_cache_free(cache);
}

static const struct fault_row {
    const char *pattern;
    enum xds_regex_fault fault;
} fault_rows[] = {
    {"(?P<n>a)", XDS_REGEX_GOOD},
    {"(?<n>a)", XDS_REGEX_NAMED_NEWLY},
    {"(?<n>a){2}(?<n>b)", XDS_REGEX_NAMED_NEWLY},
    {"(?<n>\\pL){1000}", XDS_REGEX_NAMED_NEWLY},
    {"\\pL{1000}", XDS_REGEX_TOO_LARGE},
    {"(?:\\pL|x|x){1000}", XDS_REGEX_TOO_LARGE},
    {"(?:x\\pL|x\\pL){300}", XDS_REGEX_MAYBE_TOO_LARGE},
    {"(?:\\pL*\\pL*){400}", XDS_REGEX_MAYBE_TOO_LARGE},
};

Test(re2_syntax, a_pattern_that_only_some_take_is_still_a_regex)
{
    struct xds_regex_cache *cache = xds_regex_cache_new();

    for (size_t i = 0; i < XDS_ARRAY_LEN(fault_rows); i++) {
        const struct fault_row *r = &fault_rows[i];
        struct xds_slice error;
        const struct xds_regex *regex =
            xds_regex_get(cache, xds_slice_of(r->pattern), &error);

        cr_assert_not_null(regex, "%s", r->pattern);
        cr_expect_eq(regex->fault, r->fault, "%s", r->pattern);
    }
    xds_regex_cache_free(cache);
}

/* ---- the text for PCRE2 ---- */

struct write {
    struct xds_slice pattern;
    struct xds_re2_writer out;
};

static void write_text(void *arg)
{
    struct write *w = arg;
    struct xds_re2_pattern read;

    cr_assert(xds_re2_read(w->out.arena, w->pattern, &w->out, &read));
}

static void expect_text(const char *pattern, enum xds_re2_subjects subjects,
                        const char *want)
{
    struct xds_arena arena;
    struct xds_arena *const arenas[] = {&arena};
    struct write w = {xds_slice_of(pattern), {.arena = &arena, .subjects = subjects}};

    xds_arena_init(&arena, 0);
    cr_assert_eq(xds_arena_guard(arenas, 1, write_text, &w), XDS_OK);
    cr_expect(xds_slice_is(xds_slice_make(w.out.text, w.out.len), want), "%s: %.*s",
              pattern, (int)w.out.len, w.out.text);
    xds_arena_release(&arena);
}

Test(re2_syntax, an_ascii_subject_keeps_classes_short)
{
    expect_text("[^/]+.*(?s).", XDS_RE2_ASCII_SUBJECTS, "[^\\x2f]+\\N*.");
    expect_text("[\xc3\xa9]", XDS_RE2_ASCII_SUBJECTS, "[^\\x00-\\xff]");
    expect_text("\\v\\s$", XDS_RE2_ASCII_SUBJECTS, "\\x0b[\\x09\\x0a\\x0c\\x0d\\x20]\\z");
}

Test(re2_syntax, runes_above_ascii_are_spelled_byte_by_byte)
{
    expect_text("\xc3\xa9+", XDS_RE2_ALL_SUBJECTS, "(?:\\xc3\\xa9)+");
    expect_text("[\xc3\xa8\xc3\xaa]", XDS_RE2_ALL_SUBJECTS, "(?:[\\xc3][\\xa8\\xaa])");
    expect_text("(?i)k", XDS_RE2_ALL_SUBJECTS, "(?:[\\x4b\\x6b]|[\\xe2][\\x84][\\xaa])");
}

Test(re2_syntax, what_pcre2_would_read_otherwise_is_written_otherwise)
{
    expect_text("a{,2}", XDS_RE2_ALL_SUBJECTS, "a\\x7b\\x2c2\\x7d");
    expect_text("a*(?i)*", XDS_RE2_ALL_SUBJECTS, "(?:a*)*");
    expect_text("^*(?m)^$", XDS_RE2_ALL_SUBJECTS, "(?:\\A)*(?<![^\\n])(?![^\\n])");
    expect_text("(?U)a+b+?", XDS_RE2_ALL_SUBJECTS, "a+?b+");
    expect_text("\\C", XDS_RE2_ALL_SUBJECTS, ".");
    expect_text("(?P<n>a)(?P<n>b)", XDS_RE2_ALL_SUBJECTS, "(a)(b)");
}
