/*
 * fetch_live.c - asking a live system: connecting, progress, and what to say if it fails.
 *
 * Fails:  with one line that begins with the address.
 */
#include "cli/fetch/fetch.h"

#include <signal.h>
#include <string.h>

void fetch_clear_progress(struct fetch *f)
{
    if (f->has_progress)
        (void)fputs("\r\033[K", stderr);
    f->has_progress = false;
}

void fetch_show_progress(struct fetch *f, const char *name, const char *what,
                         int64_t waited, size_t arrived)
{
    if (!f->is_terminal)
        return;
    fetch_clear_progress(f);
    (void)fputs("waiting for ", stderr);
    if (what) {
        put_safely(stderr, what, strlen(what));
        (void)fputs(" of ", stderr);
    }
    put_safely(stderr, name, strlen(name));
    (void)fprintf(stderr, ": %u s, %zu KiB", (unsigned)(waited / 1000), arrived >> 10);
    (void)fflush(stderr);
    f->has_progress = true;
}

enum live_status fetch_connect(struct fetch *f, const struct peer *peer,
                               struct live_connection **out)
{
    enum live_status status = LIVE_OK;

    if (peer->live.address.dns[0] != '\0' && !peer->live.has_answered &&
        !f->settings->common.quiet)
        warning(f->command,
                "%s: the name is looked up by the system, not by the DNS server %s",
                peer->live.name, peer->live.address.dns);
    *out = live_connect(&peer->live, &status, &f->error);
    return status;
}

int fetch_tell(const struct fetch *f, const char *name, enum live_status status)
{
    switch (status) {
    case LIVE_OK:
        return EXIT_CLEAN;
    case LIVE_STOPPED:
        (void)raise(live_stopped());
        return EXIT_TROUBLE;
    case LIVE_NO_MEMORY:
        return trouble(f->command, "%s: out of memory", name);
    case LIVE_TIMED_OUT:
    case LIVE_ENDED:
    case LIVE_FAILED:
        break;
    }
    return trouble(f->command, "%s: %s", name, f->error.text);
}
