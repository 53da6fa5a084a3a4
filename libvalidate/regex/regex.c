/*
 * regex.c - the regular expressions of one run: each is read once.
 *
 * Source: RE2 re2.cc.
 */
#include "regex/regex_match.h"

#include <stdlib.h>

#include "base/limits.h"
#include "regex/re2_size.h"

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

/* Runs under the guard of both arenas. */
static void read_pattern(void *arg)
{
    struct get_job *job = arg;
    struct xds_regex_cache *cache = job->cache;
    struct xds_regex *regex = XDS_NEW(&cache->arena, struct xds_regex);
    struct xds_re2_pattern read;

    regex->pattern = xds_arena_dup(&cache->arena, job->pattern);
    if (xds_re2_read(&cache->scratch, job->pattern, NULL, &read)) {
        regex->matcher = new_matcher(cache);
        regex->fault = fault_of(&read);
        regex->any_byte = read.any_byte;
        regex->over_wasm = read.least > XDS_RE2_WASM_INSTRUCTIONS + read.head.len;
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

static struct xds_regex *add_pattern(struct xds_regex_cache *cache,
                                     struct xds_slice pattern)
{
    struct xds_arena *const arenas[] = {&cache->arena, &cache->scratch};
    struct get_job job = {.cache = cache, .pattern = pattern};
    const enum xds_status status =
        xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), read_pattern, &job);

    xds_arena_reset(&cache->scratch);
    cache->failed |= status != XDS_OK;
    return status == XDS_OK ? job.regex : NULL;
}

bool xds_regex_cache_failed(const struct xds_regex_cache *cache)
{
    return cache->failed;
}

const struct xds_regex *xds_regex_get(struct xds_regex_cache *cache,
                                      struct xds_slice pattern, struct xds_slice *error)
{
    const struct xds_regex *regex = xds_strmap_get(&cache->by_pattern, pattern);

    if (!regex)
        regex = add_pattern(cache, pattern);
    *error = regex ? regex->error : XDS_S("out of memory");
    return regex && regex->matcher ? regex : NULL;
}

unsigned xds_regex_groups(const struct xds_regex *regex)
{
    return regex->groups;
}

struct xds_slice xds_regex_pattern(const struct xds_regex *regex)
{
    return regex->pattern;
}

struct xds_slice xds_regex_head(const struct xds_regex *regex)
{
    return regex->head;
}

bool xds_regex_go_refuses(const struct xds_regex *regex)
{
    return regex->strict_go;
}

bool xds_regex_not_grouped(const struct xds_regex *regex)
{
    return regex->not_grouped;
}

bool xds_regex_java_refuses(const struct xds_regex *regex)
{
    return regex->strict_java;
}

bool xds_regex_node_refuses(const struct xds_regex *regex)
{
    return regex->strict_node;
}

bool xds_regex_over_wasm(const struct xds_regex *regex)
{
    return regex->over_wasm;
}

bool xds_regex_any_byte(const struct xds_regex *regex)
{
    return regex->any_byte;
}

enum xds_regex_fault xds_regex_fault(const struct xds_regex *regex)
{
    return regex->fault;
}
