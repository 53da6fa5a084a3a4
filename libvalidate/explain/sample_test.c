/* sample_test.c - the texts that are made from patterns match them. */
#include <criterion/criterion.h>

#include "regex/regex.h"
#include "explain/explain.h"

static struct row {
    const char *pattern;
    const char *most, *least; /* NULL: none is made */
} rows[] = {
    {"/shop\\.Cart/(Get|Put)", "/shop.Cart/Get", "/shop.Cart/Get"},
    {".*", "a", ""},
    {"a+b?c*", "abc", "a"},
    {"(?:x|y){2,3}z", "xxz", "xxz"},
    {"(?P<name>[0-9]{3})", "000", "000"},
    {"(?i)abc", "abc", "abc"},
    {"[^a-z]", "0", "0"},
    {"[^0-9_a]+", "-", "-"},
    {"[]x]", "]", "]"},
    {"[[:alpha:]]", "a", "a"},
    {"[\\d]\\w\\s", "0a ", "0a "},
    {"^/a$", "/a", "/a"},
    {"\\bword\\b", "word", "word"},
    {"a(|b)c", "ac", "ac"},
    {"(ab){0}c", "c", "c"},
    {"\\p{Greek}", NULL, NULL},
    {"\\x41", NULL, NULL},
    {"a{1001}", NULL, NULL},
    {"(aaaaaaaaaa){1000}", NULL, NULL},
    {"", "", ""},
};

static void expect(struct xds_arena *arena, const char *pattern, bool optional,
                   const char *wanted)
{
    const struct xds_slice got = xds_regex_sample(arena, xds_slice_of(pattern), optional);

    if (!wanted)
        cr_expect_null(got.data, "%s", pattern);
    else
        cr_expect(got.data && xds_slice_is(got, wanted), "%s: %.*s", pattern,
                  XDS_FMT(got));
}

static void check_rows(void *arg)
{
    for (struct row *r = rows; r < rows + XDS_ARRAY_LEN(rows); r++) {
        expect(arg, r->pattern, true, r->most);
        expect(arg, r->pattern, false, r->least);
    }
}

Test(sample, takes_the_first_alternative_and_the_least_repetition)
{
    struct xds_arena arena;
    struct xds_arena *const arenas[] = {&arena};

    xds_arena_init(&arena, 0);
    cr_assert_eq(xds_arena_guard(arenas, 1, check_rows, &arena), XDS_OK);
    xds_arena_release(&arena);
}

static void check_matches(void *arg)
{
    struct xds_regex_cache *cache = xds_regex_cache_new();

    for (struct row *r = rows; r < rows + XDS_ARRAY_LEN(rows); r++) {
        const struct xds_slice pattern = xds_slice_of(r->pattern);
        const struct xds_slice text = xds_regex_sample(arg, pattern, true);
        struct xds_slice error;
        const struct xds_regex *regex = xds_regex_get(cache, pattern, &error);

        if (regex && text.data)
            cr_expect_eq(xds_regex_full_match(regex, text), XDS_MATCH, "%s", r->pattern);
    }
    xds_regex_cache_free(cache);
}

Test(sample, matches_its_pattern)
{
    struct xds_arena arena;
    struct xds_arena *const arenas[] = {&arena};

    xds_arena_init(&arena, 0);
    cr_assert_eq(xds_arena_guard(arenas, 1, check_matches, &arena), XDS_OK);
    xds_arena_release(&arena);
}

static void check_nesting(void *arg)
{
    char deep[2001];

    memset(deep, '(', 1000);
    memset(deep + 1000, ')', 1000);
    deep[2000] = '\0';
    expect(arg, deep, true, NULL);
}

Test(sample, gives_up_at_groups_that_nest_too_deep)
{
    struct xds_arena arena;
    struct xds_arena *const arenas[] = {&arena};

    xds_arena_init(&arena, 0);
    cr_assert_eq(xds_arena_guard(arenas, 1, check_nesting, &arena), XDS_OK);
    xds_arena_release(&arena);
}
