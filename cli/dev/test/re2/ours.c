/* ours.c - the bridge from the comparison with RE2 to libxdscope. */
#include "cli/dev/test/re2/ours.h"

#include <stdlib.h>

#include "regex/re2.h"
#include "regex/regex.h"

struct ours {
    struct xds_regex_cache *cache;
    const struct xds_regex *regex;
    struct xds_arena arena;
    struct xds_slice subject, with, out;
    bool decided;
};

struct size_job {
    struct xds_arena arena;
    struct xds_slice pattern;
    struct ours_verdict *verdict;
};

static void read_size(void *arg)
{
    struct size_job *job = arg;
    struct xds_re2_pattern read;

    xds_re2_read(&job->arena, job->pattern, NULL, &read);
    job->verdict->least = read.least;
    job->verdict->most = read.most;
}

static void get_size(struct xds_slice pattern, struct ours_verdict *verdict)
{
    struct size_job job = {.pattern = pattern, .verdict = verdict};
    struct xds_arena *const arenas[] = {&job.arena};

    xds_arena_init(&job.arena, 0);
    if (xds_arena_guard(arenas, 1, read_size, &job) != XDS_OK)
        abort();
    xds_arena_release(&job.arena);
}

uint64_t ours_most_instructions(void)
{
    return XDS_RE2_MOST_INSTRUCTIONS;
}

struct ours *ours_new(const char *pattern, size_t len, struct ours_verdict *verdict)
{
    struct ours *ours = calloc(1, sizeof *ours);
    struct xds_slice error;

    if (!ours || !(ours->cache = xds_regex_cache_new()))
        abort();
    xds_arena_init(&ours->arena, 0);
    ours->regex = xds_regex_get(ours->cache, xds_slice_make(pattern, len), &error);
    const enum xds_regex_fault fault =
        ours->regex ? ours->regex->fault : XDS_REGEX_INVALID;
    *verdict = (struct ours_verdict){.accepted = fault == XDS_REGEX_GOOD ||
                                                 fault == XDS_REGEX_MAYBE_TOO_LARGE,
                                     .in_doubt = fault == XDS_REGEX_MAYBE_TOO_LARGE,
                                     .error = error.len ? error.data : "",
                                     .error_len = error.len};
    get_size(xds_slice_make(pattern, len), verdict);
    return ours;
}

void ours_free(struct ours *ours)
{
    xds_arena_release(&ours->arena);
    xds_regex_cache_free(ours->cache);
    free(ours);
}

int ours_full_match(const struct ours *ours, const char *subject, size_t len)
{
    switch (xds_regex_full_match(ours->regex, xds_slice_make(subject, len))) {
    case XDS_NO_MATCH:
        return OURS_NO_MATCH;
    case XDS_MATCH:
        return OURS_MATCH;
    case XDS_MATCH_UNDECIDED:
        break;
    }
    return OURS_UNDECIDED;
}

static void replace(void *arg)
{
    struct ours *ours = arg;

    ours->decided = xds_regex_replace_all(ours->regex, ours->subject, ours->with, false,
                                          &ours->arena, &ours->out);
}

int ours_replace(struct ours *ours, const char *subject, size_t len, const char *with,
                 size_t with_len, const char **out, size_t *out_len)
{
    struct xds_arena *const arenas[] = {&ours->arena};

    xds_arena_reset(&ours->arena);
    ours->subject = xds_slice_make(subject, len);
    ours->with = xds_slice_make(with, with_len);
    if (xds_arena_guard(arenas, 1, replace, ours) != XDS_OK || !ours->decided)
        return OURS_UNDECIDED;
    *out = ours->out.data;
    *out_len = ours->out.len;
    return OURS_MATCH;
}
