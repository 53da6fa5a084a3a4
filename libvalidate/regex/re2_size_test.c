/* re2_size_test.c - RE2's instructions, as libre2 counts them when its memory is cut
 * down. */
#include <criterion/criterion.h>

#include "regex/re2.h"

static const struct row {
    const char *pattern;
    uint64_t least, most;
} rows[] = {
    /* besides each there are 4: one fails, one matches, two look for a beginning */
    {"", 5, 5},
    {"a", 5, 5},
    {"\xc3\xa9", 6, 6},
    {"(a)", 7, 7},
    {"()", 7, 7},
    {"|a", 7, 7},
    {"a|bc", 8, 8},
    /* sets */
    {".", 16, 16},
    {"(?s).", 14, 14},
    {"[\\x{80}-\\x{fffff}]", 18, 18},
    {"\\pL", 1534, 1534},
    {"(?i)\\pL", 1536, 1536},
    {"(?i)abc", 7, 7},
    /* repeats */
    {"a*", 6, 6},
    {"(?:|a)*", 9, 9},
    {"a{3}", 7, 7},
    {"a{2,}", 7, 7},
    {"a{0,3}", 10, 10},
    {"a{2,4}", 10, 10},
    {"(?:a{2}){3}", 10, 10},
    {"a{1}", 5, 5},
    /* branches that are one class */
    {"a|b|c", 5, 5},
    {"(?:a|b)|c", 5, 5},
    {"\\pL|x", 1534, 1534},
    {"k|[Kk]", 5, 5},
    {"x|[Kk]", 13, 13},
    /* what may be merged: 6, 10, 6, 9, 6, 6 and 11 */
    {"ab|ac", 5, 44},
    {"\\b|\\b|x", 7, 44},
    {"a*a+", 6, 8},
    {"a{2}a{3}", 9, 9},
    {"(?:a*)*", 6, 10},
    {"(?:a+)?", 5, 9},
    {"(?:ab*|ab+)c", 6, 47},
    /* what RE2 takes out: 5, 5 and 6 */
    {"^a", 2, 6},
    {"^abc", 2, 8},
    {"^a*", 3, 7},
    /* nothing at all: 4, 5 and 5 */
    {"[^\\x00-\\x{10ffff}]", 4, 5},
    {"([^\\x00-\\x{10ffff}])|a", 5, 9},
    {"a{0}", 4, 5},
};

struct job {
    struct xds_arena arena;
    const char *pattern;
    struct xds_re2_pattern read;
};

static void read_pattern(void *arg)
{
    struct job *job = arg;

    cr_assert(xds_re2_read(&job->arena, xds_slice_of(job->pattern), NULL, &job->read),
              "%s", job->pattern);
}

static struct xds_re2_pattern size_of(const char *pattern)
{
    struct job job = {.pattern = pattern};
    struct xds_arena *const arenas[] = {&job.arena};

    xds_arena_init(&job.arena, 0);
    cr_assert_eq(xds_arena_guard(arenas, 1, read_pattern, &job), XDS_OK);
    xds_arena_release(&job.arena);
    return job.read;
}

Test(re2_size, the_bounds_are_tight_where_re2_merges_nothing)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        const struct row *r = &rows[i];
        const struct xds_re2_pattern got = size_of(r->pattern);

        cr_expect_eq(got.least, r->least, "%s: least %lu", r->pattern,
                     (unsigned long)got.least);
        cr_expect_eq(got.most, r->most, "%s: most %lu", r->pattern,
                     (unsigned long)got.most);
    }
}

Test(re2_size, repeats_of_the_empty_text_cost_next_to_nothing)
{
    cr_expect_leq(size_of("(?:(?:a{10}){0}){100}").most, 5);
    cr_expect_leq(size_of("(?:(?:)*){1000}").most, 5);
}

Test(re2_size, sizes_end_somewhere)
{
    char pattern[40 * 9 + 1] = "";

    for (int i = 0; i < 40; i++)
        memcpy(pattern + 9 * i, "(\\pL{99})", 10);
    const struct xds_re2_pattern got = size_of(pattern);

    cr_expect_eq(got.least, XDS_RE2_MOST_SPENT + 4);
    cr_expect_eq(got.most, XDS_RE2_MOST_SPENT + 4);
}
