/*
 * fetch_live.c - asking a live system: connecting, waiting, and what to say if it fails.
 *
 * Fails:  with one line that begins with the address.
 */
#include "cli/fetch.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    TICK_MS = 1000,
    /* A server that always sends a little is given up all the same, after so many times
     * the time-out. */
    WHOLE_ANSWER = 20,
};

static void clear_progress(struct fetch *f)
{
    if (f->has_progress)
        (void)fputs("\r\033[K", stderr);
    f->has_progress = false;
}

static void show_progress(struct fetch *f, const char *what, int64_t waited,
                          size_t arrived)
{
    if (!f->is_terminal)
        return;
    clear_progress(f);
    (void)fputs("waiting for ", stderr);
    if (what) {
        put_safely(stderr, what, strlen(what));
        (void)fputs(" of ", stderr);
    }
    put_safely(stderr, f->peer.live.name, strlen(f->peer.live.name));
    (void)fprintf(stderr, ": %u s, %zu KiB", (unsigned)(waited / 1000), arrived >> 10);
    (void)fflush(stderr);
    f->has_progress = true;
}

static void say_timed_out(struct fetch *f, size_t arrived, int64_t waited)
{
    struct live_error *e = &f->error;

    if (arrived == 0)
        (void)snprintf(e->text, sizeof e->text, "no answer within %u s",
                       f->peer.answer_ms / 1000);
    else
        (void)snprintf(e->text, sizeof e->text,
                       "no whole answer within %u s: only %zu bytes of it",
                       (unsigned)(waited / 1000), arrived);
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

enum live_status fetch_wait(struct fetch *f, struct live_call *call,
                            struct live_message *out)
{
    const int64_t begun = live_now(), answer_ms = f->peer.answer_ms;
    const int64_t end = begun + WHOLE_ANSWER * answer_ms;
    int64_t now = begun, last = begun;
    size_t arrived = live_arrived(call);
    enum live_status status;

    for (;;) {
        status =
            live_receive(call, least(now + TICK_MS, least(last + answer_ms, end)), out);
        now = live_now();
        if (status != LIVE_TIMED_OUT)
            break;
        if (live_arrived(call) != arrived)
            last = now;
        arrived = live_arrived(call);
        if (now >= end || now >= last + answer_ms) {
            say_timed_out(f, arrived, now - begun);
            break;
        }
        show_progress(f, NULL, now - begun, arrived);
    }
    clear_progress(f);
    if (status == LIVE_ENDED || status == LIVE_FAILED)
        f->error = *live_error(call);
    return status;
}

enum live_status fetch_wait_until(struct fetch *f, struct live_call *call,
                                  int64_t deadline, int64_t since, const char *what,
                                  struct live_message *out)
{
    int64_t now = live_now();
    enum live_status status;

    for (;;) {
        status = live_receive(call, least(now + TICK_MS, deadline), out);
        now = live_now();
        if (status != LIVE_TIMED_OUT || now >= deadline)
            break;
        show_progress(f, what, now - since, live_arrived(call));
    }
    clear_progress(f);
    if (status == LIVE_ENDED || status == LIVE_FAILED)
        f->error = *live_error(call);
    return status;
}

enum live_status fetch_connect(struct fetch *f)
{
    enum live_status status = LIVE_OK;

    f->connection = live_connect(&f->peer.live, &status, &f->error);
    return status;
}

int fetch_tell(const struct fetch *f, enum live_status status)
{
    switch (status) {
    case LIVE_OK:
        return EXIT_CLEAN;
    case LIVE_STOPPED:
        (void)raise(live_stopped());
        return EXIT_TROUBLE;
    case LIVE_NO_MEMORY:
        return trouble(f->command, "%s: out of memory", f->peer.live.name);
    case LIVE_TIMED_OUT:
    case LIVE_ENDED:
    case LIVE_FAILED:
        break;
    }
    return trouble(f->command, "%s: %s", f->peer.live.name, f->error.text);
}

int fetch(const struct command *command, const struct peer_common *settings,
          const struct fetch_request *request, struct xds_slice *bytes)
{
    static int (*const asks[FETCH_KINDS])(struct fetch *, struct live_message *) = {
        [FETCH_CSDS] = fetch_csds,
        [FETCH_ADS] = fetch_ads,
    };
    struct live_message message = {NULL, 0};
    struct fetch f = {
        .command = command,
        .settings = settings,
        .request = request,
        .is_terminal = !settings->common.quiet && isatty(STDERR_FILENO) == 1,
    };
    const int status = asks[request->kind](&f, &message);

    if (status > EXIT_FINDINGS) {
        free(message.data);
        message = (struct live_message){NULL, 0};
    }
    *bytes = (struct xds_slice){message.data, message.len};
    return status;
}
