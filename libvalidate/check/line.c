/*
 * line.c - one line of a stream, judged as if it were all there is.
 *
 * Fails:  as xds_check_all() does.
 *
 * What one line needed is used again for the next one: memory is that of the largest
 * line, however many there are. What is kept for speed is invisible outside: names of
 * fields, which are few, and regexes, up to a limit.
 */
#include "check/check.h"

#include "base/limits.h"
#include "source/source.h"

/* Nothing points into the cache between two lines. */
static void bound_regexes(struct xds_check *check)
{
    if (xds_regex_cache_size(check->regexes) <= XDS_MAX_KEPT_REGEXES)
        return;
    struct xds_regex_cache *fresh = xds_regex_cache_new();

    if (!fresh)
        return;
    xds_regex_cache_free(check->regexes);
    check->regexes = fresh;
}

static void forget(struct xds_check *check)
{
    xds_report_reset(check->report);
    check->report->is_line = true;
    xds_lint_reset(&check->lint);
    bound_regexes(check);
    memset(check->n_of_type, 0, sizeof check->n_of_type);
}

static enum xds_status lacks_memory(const struct xds_line *line, xds_check_tell tell,
                                    void *user)
{
    const struct xds_check_trouble trouble = {.status = XDS_ERR_NO_MEMORY,
                                              .path = xds_slice_of(line->file)};

    if (tell)
        tell(user, &trouble);
    return XDS_ERR_NO_MEMORY;
}

enum xds_status xds_check_line(struct xds_check *check, struct xds_source *source,
                               const struct xds_line *line, xds_check_tell tell,
                               void *user)
{
    forget(check);
    if (xds_source_restart(source, line) != XDS_OK)
        return lacks_memory(line, tell, user);
    const enum xds_status status = xds_check_all(check, source, 1, tell, user);

    if (status == XDS_ERR_NO_MEMORY)
        return status;
    if (xds_check_finish(check, source) != XDS_OK)
        return lacks_memory(line, tell, user);
    xds_report_sort(check->report);
    return status;
}
