/*
 * poll_portable.c - waiting in short parts, for systems without ppoll(): a signal that
 * comes just before one of them is seen after it.
 */
#include "cli/live/inner.h"

#include <poll.h>

enum { PART_MS = 100 };

int socket_poll(struct pollfd *polled, size_t n, int64_t ms, const sigset_t *mask)
{
    (void)sigprocmask(SIG_SETMASK, mask, NULL);
    return poll(polled, (nfds_t)n, ms < PART_MS ? (int)ms : PART_MS);
}
