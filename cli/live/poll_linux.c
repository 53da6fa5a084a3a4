/* poll_linux.c - waiting that a signal ends, whenever it comes. */
#define _GNU_SOURCE /* ppoll() */
#include "cli/live/inner.h"

#include <poll.h>
#include <time.h>

int socket_poll(struct pollfd *polled, size_t n, int64_t ms, const sigset_t *mask)
{
    const struct timespec wait = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

    return ppoll(polled, n, &wait, mask);
}
