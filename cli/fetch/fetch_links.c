/*
 * fetch_links.c - calls to control planes: opened, kept, made again, ended.
 *
 * Source: gRFC A27 (time-outs, retries), A47 (authorities), A57 (when a call counts as
 * failed), A71 (lists of servers).
 */
#include "cli/fetch/fetch_ads.h"

#include <stdlib.h>
#include <string.h>

enum {
    TRIES = 4,      /* calls to one server; a client goes on for ever */
    LEAVE_MS = 500, /* for a server to read what was sent, and to end the call */
    TICK_MS = 1000,
    /* Requests, and bytes, that a server may leave unread. */
    MOST_BEHIND = 1000,
    MOST_UNSENT = 64 << 20,
    /* As clients wait before they call again, without their chance. */
    FIRST_PAUSE_MS = 1000,
    MOST_PAUSE_MS = 120000,
    MOST_ROUNDS = 64, /* of reading, while another server was connected */
};

/* ---- the end of a call ---- */

static void close_link(struct link *link)
{
    if (link->call)
        xds_ads_end(link->session->ads, link->stream);
    live_call_free(link->call);
    live_close(link->connection);
    peer_release(&link->peer);
    link->call = NULL;
    link->connection = NULL;
    link->peer = (struct peer){.answer_ms = 0};
}

/* The exit code of what stops all of it. */
static int give_up(struct link *link, enum live_status status)
{
    const char *name = link->peer.live.name;

    close_link(link);
    return fetch_tell(link->session->f, name, status);
}

static int64_t pause_of(unsigned calls)
{
    int64_t pause = FIRST_PAUSE_MS;

    for (unsigned i = 1; i < calls && pause < MOST_PAUSE_MS; i++)
        pause = pause * 8 / 5;
    return least(pause, MOST_PAUSE_MS);
}

static bool has_next(const struct link *link)
{
    return !(link->stream == 0 && link->session->f->request->address) &&
           xds_ads_next_server(link->session->ads, link->stream);
}

/* A server that has answered, and now takes no connection any more. */
static void explain_death(const struct link *link, enum live_status status)
{
    struct live_error *error = &link->session->f->error;
    const struct live_error now = *error;

    if (link->came_before == 0 || (status != LIVE_FAILED && status != LIVE_TIMED_OUT))
        return;
    (void)snprintf(error->text, sizeof error->text,
                   "it closed the connection after it answered %zu request%s; it may "
                   "have crashed. Now: %.400s",
                   link->came_before, link->came_before == 1 ? "" : "s", now.text);
}

/* Nothing has come of the call: the next server of the list is asked, and after the last
 * one, if it is worth it, the first one again. */
static int try_another(struct link *link, enum live_status status)
{
    struct session *s = link->session;
    const char *name = link->peer.live.name, *why = s->f->error.text;

    explain_death(link, status);
    if (has_next(link)) {
        link->server++;
        if (s->watch)
            watch_tell(s->watch, "%s: %s; the next server of the list is asked", name,
                       why);
        else
            warning(s->f->command, "%s: %s; the next server of the list is asked", name,
                    why);
        close_link(link);
        return EXIT_CLEAN;
    }
    if (!s->watch || link->came_before == 0)
        return give_up(link, status);
    const int64_t pause = pause_of(++link->calls);

    watch_tell(s->watch, "%s: %s; again in %u s", name, why, (unsigned)(pause / 1000));
    link->again = live_now() + pause;
    link->server = 0;
    xds_ads_first_server(s->ads, link->stream);
    close_link(link);
    return EXIT_CLEAN;
}

/* A call that had an answer and then ends is made again, as clients do. */
static int call_again(struct link *link, enum live_status status)
{
    struct session *s = link->session;
    struct live_error *error = &s->f->error;
    struct xds_ads_resource r;

    link->came_before += link->came;
    if (s->watch) {
        watch_tell(s->watch, "%s: the call ends: %s", link->peer.live.name,
                   error->text[0] != '\0' ? error->text : "OK");
        link->calls = 0;
        link->again = link->begun + FIRST_PAUSE_MS;
    } else if (session_awaits(s, link->stream, &r) && ++link->calls >= TRIES) {
        if (status == LIVE_ENDED && error->code == LIVE_GRPC_OK)
            (void)snprintf(error->text, sizeof error->text,
                           "the server ended the call before all had come");
        return give_up(link, status);
    }
    link->server = 0;
    xds_ads_first_server(s->ads, link->stream);
    close_link(link);
    return EXIT_CLEAN;
}

static int end_link(struct link *link, enum live_status status)
{
    struct live_error *error = &link->session->f->error;

    if (status == LIVE_STOPPED || status == LIVE_NO_MEMORY)
        return give_up(link, status);
    if (status == LIVE_ENDED && link->came == 0 && error->code == LIVE_GRPC_OK)
        (void)snprintf(error->text, sizeof error->text,
                       "the server ended the call before all had come");
    return link->came > 0 ? call_again(link, status) : try_another(link, status);
}

/* ---- opening ---- */

static int open_link(struct link *link)
{
    struct session *s = link->session;
    char why[sizeof s->f->error.text];
    const int read = server_read(link, why, sizeof why);

    if (read != EXIT_CLEAN) {
        close_link(link);
        return read;
    }
    link->came = link->behind = 0;
    if (why[0] != '\0') {
        memcpy(s->f->error.text, why, sizeof why);
        return end_link(link, LIVE_FAILED);
    }
    link->peer.live.has_answered = link->came_before > 0;
    enum live_status status = fetch_connect(s->f, &link->peer, &link->connection);

    if (status == LIVE_OK) {
        link->begun = link->last = live_now();
        link->call = live_call(link->connection, xds_ads_method(s->ads));
        status = LIVE_NO_MEMORY;
    }
    if (!link->call)
        return end_link(link, status);
    xds_ads_begin(s->ads, link->stream);
    return EXIT_CLEAN;
}

static bool is_wanted(struct link *link)
{
    struct session *s = link->session;
    struct xds_ads_resource r;

    if (link->call || link->again > live_now())
        return false;
    link->again = 0;
    return s->watch ? xds_ads_is_needed(s->ads, link->stream)
                    : session_awaits(s, link->stream, &r);
}

/* What has come of the others meanwhile is not late. */
static int read_others(struct session *s)
{
    int status = EXIT_CLEAN;

    for (unsigned i = 0; i < MOST_ROUNDS && status == EXIT_CLEAN; i++)
        if (links_wait(s, live_now() + 1, &status) != LIVE_OK)
            break;
    return status;
}

int links_open(struct session *s, bool *opened)
{
    int status = EXIT_CLEAN;

    *opened = false;
    for (size_t i = 0; i < s->n_links && status == EXIT_CLEAN; i++) {
        if (!is_wanted(&s->links[i]))
            continue;
        status = open_link(&s->links[i]);
        *opened = true;
        if (status == EXIT_CLEAN && s->n_links > 1)
            status = read_others(s);
    }
    return status;
}

/* ---- sending and taking ---- */

/* One that sends and does not read would have us keep answers without end. */
static bool is_deaf(struct link *link)
{
    struct live_error *error = &link->session->f->error;
    const size_t unsent = live_unsent(link->call);

    link->behind = unsent > 0 ? link->behind + 1 : 0;
    if (link->behind <= MOST_BEHIND && unsent <= MOST_UNSENT)
        return false;
    (void)snprintf(error->text, sizeof error->text,
                   "the server sends without end, and reads no answer");
    return true;
}

static int send_due(struct link *link)
{
    struct session *s = link->session;
    struct xds_slice message;
    enum xds_status status;

    while ((status = xds_ads_request(s->ads, link->stream, session_wall(s), &message)) ==
           XDS_OK) {
        if (is_deaf(link))
            return give_up(link, LIVE_TIMED_OUT);
        if (live_send(link->call, message) != LIVE_OK)
            return give_up(link, LIVE_NO_MEMORY);
    }
    if (status == XDS_END)
        return EXIT_CLEAN;
    return trouble(s->f->command, "out of memory");
}

int links_send(struct session *s)
{
    int status = EXIT_CLEAN;

    for (size_t i = 0; i < s->n_links && status == EXIT_CLEAN; i++)
        status = send_due(&s->links[i]);
    return status;
}

/* The first message, or resource without a name, that is not taken is kept. */
static void tell_fault(const struct link *link)
{
    struct session *s = link->session;
    const char *fault = xds_ads_fault(s->ads);

    if (s->watch && *fault != '\0')
        watch_tell(s->watch, "%s: %s", link->peer.live.name, fault);
    if (s->fault[0] == '\0')
        (void)snprintf(s->fault, sizeof s->fault, "%s", fault);
}

static int take(struct link *link, const struct live_message *message)
{
    struct session *s = link->session;

    link->last = live_now();
    link->came++;
    switch (xds_ads_response(s->ads, link->stream, session_wall(s), message->data,
                             message->len)) {
    case XDS_OK:
        if (s->watch)
            watch_tell_verdict(s->watch, s, link);
        tell_fault(link);
        return EXIT_CLEAN;
    case XDS_ERR_USAGE:
        tell_fault(link);
        return EXIT_CLEAN;
    case XDS_END: /* links_wait() stops */
        return EXIT_CLEAN;
    case XDS_ERR_IO: /* what a client makes of it is not known */
        return trouble(s->f->command, "%s: %s", link->peer.live.name,
                       xds_ads_fault(s->ads));
    case XDS_ERR_NO_MEMORY:
        break;
    }
    return trouble(s->f->command, "out of memory");
}

/* One message, or the end of the call. *moved: something has come. */
static int receive(struct link *link, bool *moved)
{
    struct live_message message = {NULL, 0};
    const enum live_status status = live_receive(link->call, 0, &message);

    if (status == LIVE_TIMED_OUT)
        return EXIT_CLEAN;
    *moved = true;
    if (status == LIVE_OK)
        return take(link, &message);
    link->session->f->error = *live_error(link->call);
    return end_link(link, status);
}

static size_t gather(struct session *s, struct live_call **calls)
{
    size_t n = 0;

    for (size_t i = 0; i < s->n_links; i++)
        if (s->links[i].call)
            calls[n++] = s->links[i].call;
    return n;
}

static void show_progress(struct session *s)
{
    char what[480];

    for (size_t i = 0; i < s->n_links; i++) {
        struct link *link = &s->links[i];
        struct xds_ads_resource r;

        if (!link->call || !session_awaits(s, link->stream, &r))
            continue;
        session_name(&r, what, sizeof what);
        fetch_show_progress(s->f, link->peer.live.name, what, live_now() - link->last,
                            live_arrived(link->call));
        return;
    }
}

/* Without a call there is only the time to wait for. */
static enum live_status wait_once(struct session *s, int64_t deadline)
{
    struct live_call *calls[LIVE_MOST_CONNECTIONS];
    const size_t n = gather(s, calls);
    const enum live_status status =
        n > 0 ? live_wait(calls, n, deadline) : live_sleep(deadline);

    fetch_clear_progress(s->f);
    return status;
}

static bool receive_all(struct session *s, int *status)
{
    bool moved = false;

    for (size_t i = 0; i < s->n_links && *status == EXIT_CLEAN && !live_stopped(); i++)
        if (s->links[i].call)
            *status = receive(&s->links[i], &moved);
    return moved;
}

enum live_status links_wait(struct session *s, int64_t deadline, int *status)
{
    /* What was sent together with the last message is there already. */
    while (!receive_all(s, status)) {
        const int64_t tick = live_now() + TICK_MS;
        const enum live_status waited = wait_once(s, least(tick, deadline));

        if (waited == LIVE_STOPPED)
            return waited;
        if (waited == LIVE_TIMED_OUT && live_now() >= deadline)
            return waited;
        if (waited == LIVE_TIMED_OUT)
            show_progress(s);
    }
    return live_stopped() ? LIVE_STOPPED : LIVE_OK;
}

/* ---- times ---- */

/* Until the first byte of an answer. */
static int64_t answer_deadline(const struct link *link)
{
    if (!link->call || link->came + link->came_before > 0 || live_arrived(link->call) > 0)
        return INT64_MAX;
    return link->begun + link->peer.answer_ms;
}

int64_t links_deadline(const struct session *s)
{
    int64_t first = INT64_MAX;

    for (size_t i = 0; i < s->n_links; i++) {
        const struct link *link = &s->links[i];

        first = least(first, answer_deadline(link));
        if (!link->call && link->again > 0)
            first = least(first, link->again);
    }
    return first;
}

/* Of a server that has not answered at all there is nothing to say about resources. */
int links_check(struct session *s, bool is_settled)
{
    for (size_t i = 0; i < s->n_links; i++) {
        struct link *link = &s->links[i];
        const bool silent = link->call && link->came + link->came_before == 0;
        const bool late = answer_deadline(link) <= live_now();

        if (!silent || (!late && (!is_settled || s->watch)))
            continue;
        (void)snprintf(s->f->error.text, sizeof s->f->error.text,
                       "no answer within %u s: the control plane serves nothing of what "
                       "is asked for",
                       (late ? link->peer.answer_ms : s->resource_ms) / 1000);
        return give_up(link, LIVE_TIMED_OUT);
    }
    return EXIT_CLEAN;
}

/* ---- leaving ---- */

/* What was sent has come once the server ends the call; what it sends meanwhile is too
 * late. */
static void drain(struct link *link)
{
    enum live_status status = LIVE_OK;

    while (status == LIVE_OK) {
        struct live_message message = {NULL, 0};

        status = live_receive(link->call, 0, &message);
        free(message.data);
    }
    if (status != LIVE_TIMED_OUT)
        close_link(link);
}

void links_leave(struct session *s)
{
    const int64_t deadline = live_now() + LEAVE_MS;
    struct live_call *calls[LIVE_MOST_CONNECTIONS];
    enum live_status status = LIVE_OK;

    for (size_t i = 0; i < s->n_links; i++)
        if (s->links[i].call)
            live_close_send(s->links[i].call);
    while (status == LIVE_OK && live_now() < deadline) {
        const size_t n = gather(s, calls);

        status = n > 0 ? live_wait(calls, n, deadline) : LIVE_TIMED_OUT;
        for (size_t i = 0; i < s->n_links; i++)
            if (s->links[i].call)
                drain(&s->links[i]);
    }
    for (size_t i = 0; i < s->n_links; i++)
        close_link(&s->links[i]);
}
