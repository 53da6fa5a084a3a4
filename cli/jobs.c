/*
 * jobs.c - how many threads judge a snapshot.
 *
 * Fails:  with a message when it is none.
 */
#define _GNU_SOURCE /* sched_getaffinity(): what taskset and containers leave us */
#include "cli/jobs.h"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

/* More help little: one thread reads for all of them. */
#define MOST_BY_DEFAULT 16

/* Each thread reserves far more addresses than it uses memory; under "ulimit -v" those
 * would be missing elsewhere. */
static bool is_short_of_addresses(void)
{
    struct rlimit limit;

    return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

static unsigned processors(void)
{
    cpu_set_t set;

    if (is_short_of_addresses())
        return 1;
    long n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
                                                         : sysconf(_SC_NPROCESSORS_ONLN);

    if (n > MOST_BY_DEFAULT)
        n = MOST_BY_DEFAULT;
    return n > 1 ? (unsigned)n : 1;
}

/* 0 when it is no number, or too large a one. */
static unsigned number_of(const char *text)
{
    unsigned number = 0;

    for (; *text >= '0' && *text <= '9' && number <= XDS_MAX_JOBS; text++)
        number = number * 10 + (unsigned)(*text - '0');
    return *text == '\0' && number <= XDS_MAX_JOBS ? number : 0;
}

bool jobs_read(const struct command *command, const char *value, unsigned *jobs)
{
    *jobs = value ? number_of(value) : processors();
    if (*jobs > 0)
        return true;
    (void)usage_error(command, "--jobs: '%s' is not a number from 1 to %d", value,
                      XDS_MAX_JOBS);
    return false;
}
