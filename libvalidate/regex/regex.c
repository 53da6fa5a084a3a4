/*
 * regex.c - the regular expressions of one run: each is read once.
 *
 * Source: RE2 re2.cc.
 */
#include <stdlib.h>

#include "base/ascii.h"
#include "base/text.h"
#include "regex/re2.h"

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
static bool is_open(const struct xds_regex_open *open, struct xds_slice subject)
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

/* The code for a subject of this kind, hotter by one use; NULL when there is none. */
static const pcre2_code *code_for(const struct xds_regex *regex,
                                  enum xds_regex_purpose purpose,
                                  struct xds_slice subject)
{
    const struct xds_regex_program *program = use_program(regex, purpose, subject);

    return program ? program->code : NULL;
}

/* ---- matching ---- */

/* One match from this offset on; its groups are in the cache's match data. */
static enum xds_match run_code(const struct xds_regex *regex, const pcre2_code *code,
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
    return run_code(regex, program->code, subject, 0);
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

/* After "\c": an upper-case letter, which gives 1 to 26; any other character gives 0. */
static size_t put_control(char *out, struct xds_slice letter)
{
    static const char digits[] = "0123456789abcdef";
    const char c = letter.data[0];
    const int number = c >= 'A' && c <= 'Z' ? c - 'A' + 1 : 0;

    memcpy(out, (const char[]){'\\', 'x', digits[number / 16], digits[number % 16]}, 4);
    return 4;
}

/* After "\u": one to four digits; gives how many. */
static size_t hex_digits(struct xds_slice text)
{
    size_t n = 0;

    while (n < 4 && n < text.len && xds_ascii_hex(text.data[n]) >= 0)
        n++;
    return n;
}

struct xds_slice xds_regex_text_in_wasm(struct xds_slice pattern, struct xds_arena *arena)
{
    char *text = xds_arena_alloc(arena, 2 * pattern.len + 1);
    size_t n = 0;

    for (size_t i = 0; i < pattern.len;) {
        const struct xds_slice escaped = xds_slice_from(pattern, i + 2);
        const size_t digits = hex_digits(escaped);

        if (pattern.data[i] != '\\' || i + 1 == pattern.len) {
            if (pattern.data[i] == '/')
                text[n++] = '\\';
            text[n++] = pattern.data[i++];
        } else if (pattern.data[i + 1] == 'c' && escaped.len > 0) {
            const size_t len = xds_utf8_first(escaped);

            n += put_control(text + n, escaped);
            i += 2 + (len ? len : 1);
        } else if (pattern.data[i + 1] == 'u' && digits > 0) {
            memcpy(text + n, "\\x{", 3);
            memcpy(text + n + 3, escaped.data, digits);
            text[n + 3 + digits] = '}';
            n += digits + 4;
            i += 2 + digits;
        } else {
            const bool braced =
                pattern.data[i + 1] == 'u' && xds_slice_starts(escaped, XDS_S("{"));

            text[n++] = '\\';
            text[n++] = braced ? 'x' : pattern.data[i + 1];
            i += 2;
        }
    }
    return xds_slice_make(text, n);
}

const struct xds_regex *xds_regex_in_wasm(const struct xds_regex *regex,
                                          struct xds_arena *arena)
{
    struct xds_slice error;

    if (xds_slice_search(regex->pattern, XDS_S("\\Q")) > regex->pattern.len)
        return regex; /* nothing in it reads otherwise, then */
    const struct xds_regex *read = xds_regex_get(
        regex->matcher->cache, xds_regex_text_in_wasm(regex->pattern, arena), &error);

    return read ? read : regex;
}

/* Found anywhere is what a full match with anything around it is. */
enum xds_match xds_regex_ungrouped_match(const struct xds_regex *regex,
                                         struct xds_slice subject,
                                         struct xds_arena *arena)
{
    const struct xds_regex *wide = NULL;
    struct xds_slice error;

    if (regex->alternatives)
        wide = xds_regex_get(
            regex->matcher->cache,
            xds_arena_printf(arena, "(?s:.*)(?:^%.*s$)(?s:.*)", XDS_FMT(regex->pattern)),
            &error);
    return xds_regex_full_match(wide ? wide : regex, subject);
}

/* Backtracking steps that a search may take at one place of however long a subject. */
#define LEAST_STEPS 1000

/* ---- replacing ---- */

struct replacement {
    const struct xds_regex *regex;
    const pcre2_code *code;
    struct xds_slice subject, substitution;
    struct xds_text out;
    bool after_match; /* an empty match right after another one is replaced too */
    bool too_long;
};

static void append(struct replacement *r, const char *text, size_t len)
{
    if (len > XDS_MAX_RESOURCE_BYTES - r->out.len)
        r->too_long = true;
    if (!r->too_long)
        xds_text_add(&r->out, xds_slice_make(text, len));
}

static const PCRE2_SIZE *bounds(const struct replacement *r)
{
    return pcre2_get_ovector_pointer(r->regex->matcher->cache->data);
}

/* Stops, as RE2 does, at a backslash in front of anything else. */
static void append_substitution(struct replacement *r)
{
    struct xds_slice rest = r->substitution;

    while (rest.len) {
        struct xds_slice plain;
        const size_t cut = xds_slice_find(rest, '\\');

        plain = xds_slice_make(rest.data, cut);
        append(r, plain.data, plain.len);
        if (cut + 1 >= rest.len)
            return;
        const char c = rest.data[cut + 1];
        if (xds_ascii_digit(c)) {
            const PCRE2_SIZE *at = bounds(r) + (size_t)2 * ((unsigned)(c - '0'));

            if (at[0] != PCRE2_UNSET)
                append(r, r->subject.data + at[0], at[1] - at[0]);
        } else if (c == '\\')
            append(r, &c, 1);
        else
            return;
        rest = xds_slice_from(rest, cut + 2);
    }
}

static unsigned last_group(struct xds_slice substitution)
{
    unsigned last = 0;

    for (size_t i = 0; i + 1 < substitution.len; i++) {
        if (substitution.data[i] != '\\')
            continue;
        const char c = substitution.data[++i];
        if (xds_ascii_digit(c) && (unsigned)(c - '0') > last)
            last = (unsigned)(c - '0');
    }
    return last;
}

/* Bytes of the character at `from`; a byte that begins none counts as one. */
static size_t step_over(struct xds_slice subject, size_t from)
{
    struct xds_slice rest = xds_slice_from(subject, from);
    uint32_t rune;

    if (rest.len == 0)
        return 1;
    return xds_utf8_next(&rest, &rune) ? subject.len - from - rest.len : 1;
}

/* Copy one character instead of replacing an empty match right after another one. */
static size_t copy_character(struct replacement *r, size_t from)
{
    const size_t step = step_over(r->subject, from);

    if (from < r->subject.len)
        append(r, r->subject.data + from, step);
    return from + step;
}

static enum xds_match replace(struct replacement *r)
{
    enum xds_match found = XDS_NO_MATCH;
    size_t at = 0, last_end = SIZE_MAX;

    while (at <= r->subject.len && !r->too_long) {
        found = run_code(r->regex, r->code, r->subject, at);
        if (found != XDS_MATCH)
            break;
        const size_t from = bounds(r)[0], to = bounds(r)[1];
        append(r, r->subject.data + at, from - at);
        if (from == to && from == last_end && !r->after_match) {
            at = copy_character(r, from);
            continue;
        }
        append_substitution(r);
        last_end = to;
        at = from == to && r->after_match ? copy_character(r, from) : to;
    }
    if (at < r->subject.len)
        append(r, r->subject.data + at, r->subject.len - at);
    return r->too_long ? XDS_MATCH_UNDECIDED : found;
}

/* PCRE2 counts anew at each place where a match may begin. */
static void limit_steps(const struct xds_regex *regex, struct xds_slice subject)
{
    pcre2_set_match_limit(regex->matcher->cache->match,
                          (uint32_t)(XDS_REGEX_MATCH_LIMIT / (subject.len + 1)) +
                              LEAST_STEPS);
}

enum xds_match xds_regex_finds(const struct xds_regex *regex, struct xds_slice subject,
                               bool empty)
{
    const struct xds_slice text = subject.data ? subject : XDS_S("");
    const pcre2_code *code = code_for(regex, XDS_REGEX_SEARCH, text);
    const struct replacement r = {.regex = regex, .code = code, .subject = text};
    enum xds_match found;
    size_t at = 0;

    if (!code || regex->nullable_loop)
        return XDS_MATCH_UNDECIDED;
    limit_steps(regex, text);
    do {
        found = run_code(regex, code, text, at);
        if (found != XDS_MATCH || !empty || bounds(&r)[0] == bounds(&r)[1])
            return found;
        at = bounds(&r)[1];
    } while (true);
}

bool xds_regex_replace_all(const struct xds_regex *regex, struct xds_slice subject,
                           struct xds_slice substitution, bool after_match,
                           struct xds_arena *arena, struct xds_slice *out)
{
    struct replacement r = {.out = {.arena = arena},
                            .regex = regex,
                            .code = code_for(regex, XDS_REGEX_SEARCH, subject),
                            .subject = subject,
                            .substitution = substitution,
                            .after_match = after_match};

    if (!subject.data)
        r.subject = XDS_S("");
    *out = r.subject;
    if (last_group(substitution) > regex->groups)
        return true; /* RE2 leaves the subject alone */
    if (!r.code || regex->nullable_loop)
        return false;
    limit_steps(regex, subject);
    if (replace(&r) == XDS_MATCH_UNDECIDED)
        return false;
    *out = xds_slice_make(r.out.data ? r.out.data : "", r.out.len);
    return true;
}

/* KiB of backtracking points. */
#define HEAP_LIMIT 32768
/* Groups of ours that wrap what RE2 takes without come on top. */
#define PCRE2_NESTING (2 * XDS_MAX_REGEX_NESTING)

/* ---- cache ---- */

static bool set_up(struct xds_regex_cache *cache)
{
    cache->compile = pcre2_compile_context_create(NULL);
    cache->match = pcre2_match_context_create(NULL);
    cache->data = pcre2_match_data_create(XDS_REGEX_GROUPS, NULL);
    if (!cache->compile || !cache->match || !cache->data)
        return false;
    pcre2_set_newline(cache->compile, PCRE2_NEWLINE_LF);
    pcre2_set_parens_nest_limit(cache->compile, PCRE2_NESTING);
    pcre2_set_heap_limit(cache->match, HEAP_LIMIT);
    return true;
}

struct xds_regex_cache *xds_regex_cache_new(void)
{
    struct xds_regex_cache *cache = calloc(1, sizeof *cache);

    if (!cache)
        return NULL;
    xds_arena_init(&cache->arena, 0);
    xds_arena_init(&cache->scratch, 0);
    xds_strmap_init(&cache->by_pattern, &cache->arena);
    if (set_up(cache))
        return cache;
    xds_regex_cache_free(cache);
    return NULL;
}

static void free_programs(struct xds_regex_matcher *matcher)
{
    for (int purpose = 0; purpose < XDS_REGEX_PURPOSES; purpose++)
        for (int subjects = 0; subjects <= XDS_RE2_ALL_SUBJECTS; subjects++)
            pcre2_code_free(matcher->programs[purpose][subjects].code);
}

void xds_regex_cache_free(struct xds_regex_cache *cache)
{
    if (!cache)
        return;
    for (struct xds_regex_matcher *m = cache->matchers; m; m = m->next)
        free_programs(m);
    pcre2_match_data_free(cache->data);
    pcre2_match_context_free(cache->match);
    pcre2_compile_context_free(cache->compile);
    xds_arena_release(&cache->scratch);
    xds_arena_release(&cache->arena);
    free(cache);
}

size_t xds_regex_cache_size(const struct xds_regex_cache *cache)
{
    return cache->by_pattern.n;
}

struct get_job {
    struct xds_regex_cache *cache;
    struct xds_slice pattern;
    struct xds_regex *regex;
};

static struct xds_regex_matcher *new_matcher(struct xds_regex_cache *cache)
{
    struct xds_regex_matcher *matcher = XDS_NEW(&cache->arena, struct xds_regex_matcher);

    matcher->cache = cache;
    return matcher;
}

static enum xds_regex_fault fault_of(const struct xds_re2_pattern *read)
{
    if (read->over_repeated)
        return XDS_REGEX_OVER_REPEATED;
    if (read->loose_class)
        return XDS_REGEX_LOOSE_CLASS;
    if (read->loose_java)
        return XDS_REGEX_LOOSE_JAVA;
    if (read->named_newly)
        return XDS_REGEX_NAMED_NEWLY;
    if (read->least > XDS_RE2_MOST_INSTRUCTIONS)
        return XDS_REGEX_TOO_LARGE;
    return read->most > XDS_RE2_MOST_INSTRUCTIONS ? XDS_REGEX_MAYBE_TOO_LARGE
                                                  : XDS_REGEX_GOOD;
}

/* It has what only Go takes, and what only re2j takes. */
static bool nobody_takes(const struct xds_re2_pattern *read)
{
    return read->loose_class && (read->loose_java || read->over_repeated);
}

/* Runs under the guard of both arenas. */
static void read_pattern(void *arg)
{
    struct get_job *job = arg;
    struct xds_regex_cache *cache = job->cache;
    struct xds_regex *regex = XDS_NEW(&cache->arena, struct xds_regex);
    struct xds_re2_pattern read;

    regex->pattern = xds_arena_dup(&cache->arena, job->pattern);
    if (xds_re2_read(&cache->scratch, job->pattern, NULL, &read) &&
        !nobody_takes(&read)) {
        regex->matcher = new_matcher(cache);
        regex->fault = fault_of(&read);
        regex->alternatives = read.alternatives;
        regex->any_byte = read.any_byte;
        regex->over_wasm = read.least > XDS_RE2_WASM_INSTRUCTIONS + read.head.len;
        regex->near_wasm =
            !regex->over_wasm && read.most > XDS_RE2_WASM_SURE_INSTRUCTIONS;
        regex->strict_go = read.strict_go;
        regex->not_grouped = read.not_grouped;
        regex->strict_java = read.strict_java;
        regex->strict_node = read.strict_node;
    } else {
        regex->fault = XDS_REGEX_INVALID;
    }
    regex->error = regex->fault == XDS_REGEX_TOO_LARGE
                       ? XDS_S("pattern too large - compile failed")
                       : xds_arena_dup(&cache->arena, read.error);
    regex->head = xds_arena_dup(&cache->arena, read.head);
    regex->inner = xds_arena_dup(&cache->arena, read.inner);
    regex->groups = read.groups;
    regex->nullable_loop = read.nullable_loop;
    regex->open = read.open;
    *xds_strmap_at(&cache->by_pattern, job->pattern) = regex;

    if (regex->matcher) {
        regex->matcher->next = cache->matchers;
        cache->matchers = regex->matcher;
    }
    job->regex = regex;
}

bool xds_regex_cache_failed(const struct xds_regex_cache *cache)
{
    return cache->failed;
}

const struct xds_regex *xds_regex_get(struct xds_regex_cache *cache,
                                      struct xds_slice pattern, struct xds_slice *error)
{
    const struct xds_regex *regex = xds_strmap_get(&cache->by_pattern, pattern);

    if (!regex) {
        struct xds_arena *const arenas[] = {&cache->arena, &cache->scratch};
        struct get_job job = {.cache = cache, .pattern = pattern};
        const enum xds_status status =
            xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), read_pattern, &job);

        xds_arena_reset(&cache->scratch);
        cache->failed |= status != XDS_OK;
        regex = status == XDS_OK ? job.regex : NULL;
    }
    *error = regex ? regex->error : XDS_S("out of memory");
    return regex && regex->matcher ? regex : NULL;
}
