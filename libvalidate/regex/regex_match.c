/*
 * regex_match.c - match subjects against a pattern with PCRE2.
 *
 * Fails:  a match that reaches a limit is undecided, and so is one of a pattern that is
 *         good for RE2 but too large for PCRE2.
 * Source: RE2 re2.cc.
 */
#include "regex/regex_match.h"

#include "base/limits.h"

/* Compiling for the machine costs as much as some dozen matches, */
#define HOT_AFTER 64
/* and as a match of so many steps, of which it makes many more in the same time. */
#define EASY_MATCH_LIMIT 10000

/* ---- programs ---- */

struct write_job {
    struct xds_slice pattern;
    struct xds_re2_writer out;
    bool ok;
};

static void write_text(void *arg)
{
    struct write_job *job = arg;
    struct xds_re2_pattern read;

    job->ok = xds_re2_read(job->out.arena, job->pattern, &job->out, &read) &&
              read.is_whole && job->out.moved <= XDS_RE2_MOST_MOVED;
}

pcre2_code *xds_regex_compile(const struct xds_regex_cache *cache,
                              const struct xds_re2_writer *text,
                              enum xds_regex_purpose purpose, int *error)
{
    /* Where PCRE2 10.42 looks for a beginning by the machine, it overlooks some. */
    static const uint32_t options[XDS_REGEX_PURPOSES] = {
        [XDS_REGEX_FULL_MATCH] =
            PCRE2_ANCHORED | PCRE2_ENDANCHORED | PCRE2_NO_AUTO_CAPTURE,
        [XDS_REGEX_SEARCH] = PCRE2_NO_START_OPTIMIZE,
    };
    PCRE2_SPTR pattern = (PCRE2_SPTR)(text->len ? text->text : "");
    PCRE2_SIZE offset;

    return pcre2_compile(pattern, text->len,
                         options[purpose] | PCRE2_DOTALL | PCRE2_NEVER_UTF, error,
                         &offset, cache->compile);
}

static pcre2_code *compile(const struct xds_regex *regex, enum xds_regex_purpose purpose,
                           enum xds_re2_subjects subjects)
{
    struct xds_regex_cache *cache = regex->matcher->cache;
    struct xds_arena *const arenas[] = {&cache->scratch};
    struct write_job job = {.pattern = regex->pattern,
                            .out = {.arena = &cache->scratch, .subjects = subjects}};
    pcre2_code *code = NULL;
    int error = 0;

    if (xds_arena_guard(arenas, 1, write_text, &job) != XDS_OK)
        cache->failed = true;
    else if (job.ok)
        code = xds_regex_compile(cache, &job.out, purpose, &error);
    cache->failed |= error == PCRE2_ERROR_HEAP_FAILED;
    xds_arena_reset(&cache->scratch);
    return code;
}

static bool is_ascii(struct xds_slice s)
{
    unsigned char all = 0;

    for (size_t i = 0; i < s.len; i++)
        all |= (unsigned char)s.data[i];
    return all < 0x80;
}

static bool has_upper_case(struct xds_slice s, uint32_t letters)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.data[i] >= 'A' && s.data[i] <= 'Z' && letters >> (s.data[i] - 'A') & 1)
            return true;
    return false;
}

/* U+212A or U+017F, to which "k" and "s" fold. */
static bool has_odd_letter(struct xds_slice s)
{
    return xds_slice_search(s, XDS_S("\xe2\x84\xaa")) <= s.len ||
           xds_slice_search(s, XDS_S("\xc5\xbf")) <= s.len;
}

/* What RE2 makes of the subject depends on how it merges classes, which is not known. */
static bool is_open(const struct xds_re2_open *open, struct xds_slice subject)
{
    return (open->letters && has_upper_case(subject, open->letters)) ||
           (open->orbits && has_odd_letter(subject)) ||
           (open->bytes && !xds_utf8_valid(subject));
}

static void compile_for_machine(struct xds_regex_program *program)
{
    pcre2_jit_compile(program->code, PCRE2_JIT_COMPLETE); /* or it stays as it is */
    program->uses = HOT_AFTER;
}

/* NULL when there is none; hotter by one use. */
static struct xds_regex_program *use_program(const struct xds_regex *regex,
                                             enum xds_regex_purpose purpose,
                                             struct xds_slice subject)
{
    const enum xds_re2_subjects subjects =
        is_ascii(subject) ? XDS_RE2_ASCII_SUBJECTS : XDS_RE2_ALL_SUBJECTS;
    struct xds_regex_program *program = &regex->matcher->programs[purpose][subjects];

    if (is_open(&regex->open, subject))
        return NULL;
    if (!program->tried) {
        program->tried = true;
        program->code = compile(regex, purpose, subjects);
    }
    if (!program->code)
        return NULL;
    if (program->uses < HOT_AFTER && ++program->uses == HOT_AFTER)
        compile_for_machine(program);
    return program;
}

const pcre2_code *xds_regex_code(const struct xds_regex *regex,
                                 enum xds_regex_purpose purpose, struct xds_slice subject)
{
    const struct xds_regex_program *program = use_program(regex, purpose, subject);

    return program ? program->code : NULL;
}

/* ---- matching ---- */

enum xds_match xds_regex_run(const struct xds_regex *regex, const pcre2_code *code,
                             struct xds_slice subject, size_t from)
{
    struct xds_regex_cache *cache = regex->matcher->cache;
    PCRE2_SPTR text = (PCRE2_SPTR)(subject.len ? subject.data : "");
    int got = pcre2_match(code, text, subject.len, from, 0, cache->data, cache->match);

    if (got == PCRE2_ERROR_JIT_STACKLIMIT)
        got = pcre2_match(code, text, subject.len, from, PCRE2_NO_JIT, cache->data,
                          cache->match);
    cache->failed |= got == PCRE2_ERROR_NOMEMORY;
    if (got == PCRE2_ERROR_NOMATCH)
        return XDS_NO_MATCH;
    return got < 0 ? XDS_MATCH_UNDECIDED : XDS_MATCH;
}

static enum xds_match run_within(const struct xds_regex *regex,
                                 const struct xds_regex_program *program,
                                 struct xds_slice subject, uint32_t steps)
{
    pcre2_set_match_limit(regex->matcher->cache->match, steps);
    return xds_regex_run(regex, program->code, subject, 0);
}

/* Most subjects do, and a look at them costs much less than a run of the program. */
static bool lacks_literals(const struct xds_regex *regex, struct xds_slice subject)
{
    const struct xds_slice head = regex->head, inner = regex->inner;

    if (subject.len < head.len + inner.len)
        return true;
    if (head.len && memcmp(subject.data, head.data, head.len) != 0)
        return true;
    const size_t rest = subject.len - head.len;

    return inner.len &&
           xds_slice_search(xds_slice_make(subject.data + head.len, rest), inner) > rest;
}

enum xds_match xds_regex_full_match(const struct xds_regex *regex,
                                    struct xds_slice subject)
{
    if (lacks_literals(regex, subject))
        return XDS_NO_MATCH;
    struct xds_regex_program *program = use_program(regex, XDS_REGEX_FULL_MATCH, subject);

    if (!program)
        return XDS_MATCH_UNDECIDED;
    const bool hot = program->uses == HOT_AFTER;
    const enum xds_match easy = run_within(
        regex, program, subject, hot ? XDS_REGEX_MATCH_LIMIT : EASY_MATCH_LIMIT);

    if (hot || easy != XDS_MATCH_UNDECIDED)
        return easy;
    compile_for_machine(program);
    return run_within(regex, program, subject, XDS_REGEX_MATCH_LIMIT);
}

const struct xds_regex *xds_regex_slashed(const struct xds_regex *regex,
                                          struct xds_arena *arena)
{
    const struct xds_slice pattern = regex->pattern;
    struct xds_slice error;
    size_t n = 0;

    if (xds_slice_search(pattern, XDS_S("\\Q")) > pattern.len ||
        xds_slice_find(pattern, '/') == pattern.len)
        return regex;
    char *text = xds_arena_alloc(arena, 2 * pattern.len);

    for (size_t i = 0; i < pattern.len; i++) {
        if (pattern.data[i] == '\\' && i + 1 < pattern.len)
            text[n++] = pattern.data[i++];
        else if (pattern.data[i] == '/')
            text[n++] = '\\';
        text[n++] = pattern.data[i];
    }
    const struct xds_regex *slashed =
        xds_regex_get(regex->matcher->cache, xds_slice_make(text, n), &error);

    return slashed ? slashed : regex;
}

/* Found anywhere is what a full match with anything around it is. */
enum xds_match xds_regex_ungrouped_match(const struct xds_regex *regex,
                                         struct xds_slice subject,
                                         struct xds_arena *arena)
{
    const struct xds_slice pattern = regex->pattern;
    const struct xds_regex *wide = NULL;
    struct xds_slice error;

    if (xds_slice_find(pattern, '|') < pattern.len)
        wide = xds_regex_get(
            regex->matcher->cache,
            xds_arena_printf(arena, "(?s:.*)(?:^%.*s$)(?s:.*)", XDS_FMT(pattern)),
            &error);
    return xds_regex_full_match(wide ? wide : regex, subject);
}
