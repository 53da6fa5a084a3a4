/* regex_harness.c - a hostile regular expression, read, rewritten and matched. */
#include "base/limits.h"
#include "regex/re2.h"
#include "fuzz/harness.h"
#include "fuzz/memory.h"

enum { MANY = 70 }; /* matches that make any pattern hot */

struct trial {
    struct xds_regex_cache *cache;
    struct xds_arena arena;
    struct xds_slice pattern, subject, substitution;
};

/* ---- rewriting ---- */

/* What is good for RE2 may still be too much for PCRE2, and is never matched then. */
static bool is_a_limit(int error)
{
    static const int limits[] = {
        PCRE2_ERROR_PARENTHESES_NEST_TOO_DEEP,
        PCRE2_ERROR_PATTERN_TOO_LARGE,
        PCRE2_ERROR_PATTERN_TOO_COMPLICATED,
        PCRE2_ERROR_LOOKBEHIND_TOO_COMPLICATED,
        PCRE2_ERROR_HEAP_FAILED,
        PCRE2_ERROR_TOO_MANY_NAMED_SUBPATTERNS,
        PCRE2_ERROR_PATTERN_STRING_TOO_LONG,
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(limits); i++)
        if (error == limits[i])
            return true;
    return false;
}

static void compile_for(struct trial *t, enum xds_re2_subjects subjects)
{
    struct xds_re2_writer out = {.arena = &t->arena, .subjects = subjects};
    struct xds_re2_pattern read;

    if (!xds_re2_read(&t->arena, t->pattern, &out, &read) || !read.is_whole ||
        out.moved > XDS_RE2_MOST_MOVED)
        return;
    for (int purpose = 0; purpose < XDS_REGEX_PURPOSES; purpose++) {
        int error = 0;
        pcre2_code *code =
            xds_regex_compile(t->cache, &out, (enum xds_regex_purpose)purpose, &error);

        if (!code && !is_a_limit(error))
            xds_fuzz_fail("PCRE2 says %d to \"%.*s\", which is \"%.*s\"", error,
                          (int)out.len, out.text, XDS_FMT(t->pattern));
        pcre2_code_free(code);
    }
}

static void compile(void *arg)
{
    compile_for(arg, XDS_RE2_ASCII_SUBJECTS);
    compile_for(arg, XDS_RE2_ALL_SUBJECTS);
}

/* ---- matching ---- */

static void match_often(const struct trial *t, const struct xds_regex *regex)
{
    const enum xds_match first = xds_regex_full_match(regex, t->subject);

    for (unsigned i = 0; i < MANY; i++) {
        const enum xds_match again = xds_regex_full_match(regex, t->subject);

        if (again != first && again != XDS_MATCH_UNDECIDED &&
            first != XDS_MATCH_UNDECIDED)
            xds_fuzz_fail("\"%.*s\" answers %d to \"%.*s\", and then %d",
                          XDS_FMT(t->pattern), (int)first, XDS_FMT(t->subject),
                          (int)again);
    }
}

static void match(void *arg)
{
    struct trial *t = arg;
    struct xds_slice error, out;
    const struct xds_regex *regex = xds_regex_get(t->cache, t->pattern, &error);

    if (!regex)
        return;
    (void)xds_regex_ungrouped_match(regex, t->subject, &t->arena);
    (void)xds_regex_in_wasm(regex, &t->arena);
    for (int after_match = 0; after_match <= 1; after_match++)
        if (xds_regex_replace_all(regex, t->subject, t->substitution, after_match,
                                  &t->arena, &out) &&
            out.len > XDS_MAX_RESOURCE_BYTES)
            xds_fuzz_fail("a replacement is beyond its limit");
    match_often(t, regex);
}

void xds_fuzz_regex(const uint8_t *data, size_t size)
{
    struct trial t = {.cache = xds_regex_cache_new()};
    struct xds_arena *const arenas[] = {&t.arena};
    struct xds_slice rest = xds_slice_make((const char *)data, size);

    rest = xds_slice_cut(rest, '\n', &t.pattern);
    if (rest.data)
        t.substitution = xds_slice_cut(rest, '\n', &t.subject);
    xds_arena_init(&t.arena, 0);
    if (t.cache) {
        (void)!xds_arena_guard(arenas, 1, compile, &t);
        xds_arena_reset(&t.arena);
        (void)!xds_arena_guard(arenas, 1, match, &t);
    }
    xds_arena_release(&t.arena);
    xds_regex_cache_free(t.cache);
}
