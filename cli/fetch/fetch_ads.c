/*
 * fetch_ads.c - asking control planes as a client does: what it asks for, until when, and
 * what is said of what did not come.
 *
 * Source: gRFC A27 (time-outs).
 */
#include "cli/fetch/fetch_ads.h"

#include "cli/files/bootstrap.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    RESOURCE_SECONDS = 15,
    /* A control plane may answer a NACK with what is better. */
    CORRECTION_MS = 1000,
    WHOLE_MS = 300000,
    MOST_TOLD = 20,
    MOST_AGAIN = 3, /* times that a control plane may send again what was rejected */
    /* --watch: what changes together is printed once nothing has come for so long, */
    QUIET_MS = 100,
    MOST_UNTOLD_MS = 2000, /* but not later than that, */
    PARTIAL_MS = 3000,     /* or, while something is missing, than that */
};

/* ---- asking ---- */

static uint64_t hash_bytes(uint64_t hash, struct xds_slice bytes)
{
    for (size_t i = 0; i < bytes.len; i++) /* FNV-1a */
        hash = (hash ^ (unsigned char)bytes.data[i]) * 0x100000001b3;
    return hash;
}

/* Of servers that may still send a corrected version. */
static struct rejection find_rejection(const struct session *s)
{
    struct rejection found = {0, 0};
    struct xds_ads_resource r;

    for (size_t i = 0; xds_ads_resource_at(s->ads, i, &r); i++)
        if (r.rejected.data && r.stream < s->n_links && s->links[r.stream].call) {
            found.hash = hash_bytes(found.hash + i + 1, r.rejected) | 1;
            found.at = r.rejected_at > found.at ? r.rejected_at : found.at;
        }
    return found;
}

static int64_t last_message(const struct session *s)
{
    int64_t last = 0;

    for (size_t i = 0; i < s->n_links; i++)
        if (s->links[i].last > last)
            last = s->links[i].last;
    return last;
}

/* Some control planes send at once again what was rejected, and so for ever: that is no
 * corrected version. */
static void note_rejection(struct session *s)
{
    const struct rejection now = find_rejection(s);

    if (now.hash != s->rejection.hash)
        s->rejected = last_message(s);
    else if (now.at > s->rejection.at)
        s->again++;
    s->rejection = now;
}

static bool is_done(struct session *s)
{
    note_rejection(s);
    return !s->rejection.hash || live_now() >= s->rejected + CORRECTION_MS;
}

/* Until when the next message is waited for. */
static int64_t deadline_of(const struct session *s, bool is_settled)
{
    const int64_t first = xds_ads_deadline(s->ads);
    int64_t deadline = links_deadline(s);

    if (!s->watch)
        deadline = least(deadline, s->begun + WHOLE_MS);
    if (first != INT64_MAX)
        deadline = least(deadline, first - s->wall + s->begun);
    if (is_settled && !s->watch)
        deadline = least(deadline, s->rejected + CORRECTION_MS);
    if (s->watch && !is_settled && s->untold)
        deadline = least(deadline, s->untold + PARTIAL_MS);
    if (is_settled && s->untold)
        deadline = least(deadline,
                         least(last_message(s) + QUIET_MS, s->untold + MOST_UNTOLD_MS));
    return deadline;
}

static int tell_changes(struct session *s, bool is_settled)
{
    const int64_t now = live_now();
    const bool is_quiet = is_settled && now >= last_message(s) + QUIET_MS;

    if (!s->untold ||
        (!is_quiet && now < s->untold + (is_settled ? MOST_UNTOLD_MS : PARTIAL_MS)))
        return EXIT_CLEAN;
    s->untold = 0;
    return watch_tell_state(s->watch, s);
}

/* What is sent and opened leads to more, until there is nothing of either. */
static int ask(struct session *s)
{
    bool opened = true;
    int status = EXIT_CLEAN;

    while (opened && status == EXIT_CLEAN) {
        status = links_send(s);
        opened = false;
        if (status == EXIT_CLEAN)
            status = links_open(s, &opened);
    }
    return status;
}

static int stop(struct session *s)
{
    links_leave(s);
    if (s->watch)
        return EXIT_CLEAN;
    return fetch_tell(s->f, "", LIVE_STOPPED);
}

static int wait_for_more(struct session *s, bool is_settled, bool *stopped)
{
    int status = EXIT_CLEAN;

    switch (links_wait(s, deadline_of(s, is_settled), &status)) {
    case LIVE_OK:
        if (s->watch && !s->untold)
            s->untold = live_now();
        return status;
    case LIVE_STOPPED:
        *stopped = true;
        return stop(s);
    case LIVE_TIMED_OUT:
    case LIVE_ENDED:
    case LIVE_FAILED:
    case LIVE_NO_MEMORY:
        break;
    }
    if (s->watch && !is_settled && !s->untold)
        s->untold = live_now(); /* what is late */
    if (s->watch || live_now() < s->begun + WHOLE_MS)
        return status;
    return trouble(s->f->command, "still changing after %d s", WHOLE_MS / 1000);
}

/* Until nothing is missing, or an interrupt. */
static int follow(struct session *s)
{
    struct xds_ads_resource r;
    bool stopped = false;
    int status = EXIT_CLEAN;

    while (status == EXIT_CLEAN && !stopped) {
        status = ask(s);
        const bool is_settled = !session_awaits(s, XDS_ADS_NO_STREAM, &r);

        if (status == EXIT_CLEAN)
            status = links_check(s, is_settled);
        if (status == EXIT_CLEAN && s->watch)
            status = tell_changes(s, is_settled);
        else if (status == EXIT_CLEAN && is_settled && is_done(s))
            break;
        if (status == EXIT_CLEAN)
            status = wait_for_more(s, is_settled, &stopped);
    }
    links_leave(s);
    return status;
}

/* ---- what is said of it ---- */

static bool tell_resource(const struct session *s, const struct xds_ads_resource *r)
{
    char what[1200];

    if (r->rejected.data || r->status == XDS_HELD_NACKED) {
        session_name(r, what, sizeof what);
        warning(s->f->command, "%s: version \"%.*s\" is rejected (NACK): %.*s", what,
                shown(r->rejected_version.len),
                r->rejected_version.len > 0 ? r->rejected_version.data : "",
                (int)r->error.len, r->error.len > 0 ? r->error.data : "");
        return true;
    }
    if (!session_absence(s, r, what, sizeof what))
        return false;
    warning(s->f->command, "%s", what);
    return true;
}

static bool is_good(const struct xds_ads_resource *r)
{
    return r->status == XDS_HELD_ACKED && !r->rejected.data && r->error.len == 0;
}

/* --watch has printed it when it happened. */
static int verdict_of_all(const struct session *s)
{
    struct xds_ads_resource r;

    for (size_t i = 0; xds_ads_resource_at(s->ads, i, &r); i++)
        if (!is_good(&r))
            return EXIT_FINDINGS;
    return EXIT_CLEAN;
}

static int tell_all(const struct session *s)
{
    struct xds_ads_resource r;
    size_t told = 0, more = 0;

    for (size_t i = 0; xds_ads_resource_at(s->ads, i, &r); i++) {
        if (told < MOST_TOLD)
            told += tell_resource(s, &r);
        else
            more += !is_good(&r);
    }
    if (more > 0)
        warning(s->f->command, "and %zu more of that kind", more);
    if (s->again > MOST_AGAIN)
        warning(s->f->command,
                "after each rejection the control plane sends the same again at once, "
                "%zu times so far: with a client this goes on without end",
                s->again);
    if (s->fault[0] != '\0')
        warning(s->f->command, "%s", s->fault);
    return told > 0 || s->fault[0] != '\0' ? EXIT_FINDINGS : EXIT_CLEAN;
}

/* ---- all of it ---- */

/* False after a message. */
static bool read_as(const struct fetch *f, struct xds_client_release *as)
{
    struct xds_options asked = *f->request->options;
    struct xds_client_release list[XDS_RELEASES + XDS_CLIENTS];
    const char *name = f->settings->ads.as;
    struct xds_ask_note note;
    enum xds_client client;

    if (xds_options_ask_one(&asked, slice_of(name ? name : "core"), &client, &note) !=
        XDS_OK) {
        (void)usage_error(f->command, "--as %s: %s", name, note.text);
        return false;
    }
    if (note.text[0] != '\0')
        warning(f->command, "%s", note.text);
    asked.clients = XDS_CLIENT_BIT(client);
    *as = xds_options_asked(&asked, list) > 0
              ? list[0]
              : (struct xds_client_release){.client = client};
    return true;
}

static bool is_stopped(void *user)
{
    (void)user;
    return live_stopped() != 0;
}

/* A client that refuses its bootstrap asks no server. */
static int check_bootstrap(const struct session *s)
{
    const struct fetch_request *request = s->f->request;
    const char *name = request->bootstrap_name ? request->bootstrap_name : "bootstrap";

    if (!request->bootstrap)
        return EXIT_CLEAN;
    const int status = bootstrap_is_json(s->f->command, name, request->bootstrap);

    return status != EXIT_CLEAN ? status
                                : bootstrap_check(s->f->command, name, request->bootstrap,
                                                  s->as, request->options);
}

static int make_client(struct session *s)
{
    const struct fetch *f = s->f;
    const struct ads_settings *given = &f->settings->ads;
    struct xds_ads_settings settings = {
        .targets = given->targets.items,
        .n_targets = given->targets.n,
        .server_listeners = given->server_listeners.items,
        .n_server_listeners = given->server_listeners.n,
        .bootstrap = f->request->bootstrap,
        .node_id = slice_of(f->settings->peer.node),
        .node_cluster = slice_of(given->node_cluster),
        .delta = given->delta,
        .always_ack = given->always_ack,
    };
    struct xds_ads_note note;

    s->resource_ms = peer_read_ms(f->command, given->resource_timeout, RESOURCE_SECONDS);
    if (s->resource_ms == 0 || !read_as(f, &s->as))
        return EXIT_USAGE;
    const int checked = check_bootstrap(s);

    if (checked != EXIT_CLEAN)
        return checked;
    settings.as = s->as;
    settings.resource_ms = s->resource_ms;
    if (given->targets.n + given->server_listeners.n == 0)
        return usage_error(f->command, "ads: needs --target or --server-listener");
    switch (xds_ads_new(&settings, f->request->options, &s->ads, &note)) {
    case XDS_OK:
        xds_ads_stop_when(s->ads, is_stopped, NULL);
        return EXIT_CLEAN;
    case XDS_ERR_USAGE:
        return usage_error(f->command, "%s", note.text);
    case XDS_END:
    case XDS_ERR_IO:
    case XDS_ERR_NO_MEMORY:
        break;
    }
    return trouble(f->command, "out of memory");
}

static bool make_links(struct session *s)
{
    s->n_links = xds_ads_streams(s->ads);
    s->links = calloc(s->n_links, sizeof *s->links);
    for (size_t i = 0; s->links && i < s->n_links; i++)
        s->links[i] = (struct link){.session = s, .stream = i};
    return s->links;
}

static int begin(struct session *s)
{
    const int status = make_client(s);

    if (status != EXIT_CLEAN)
        return status;
    if (xds_ads_streams(s->ads) > LIVE_MOST_CONNECTIONS)
        return usage_error(s->f->command, "bootstrap: more than %d lists of servers",
                           LIVE_MOST_CONNECTIONS);
    if (s->f->settings->ads.watch)
        s->watch = watch_new(s->f);
    if (!make_links(s) || (s->f->settings->ads.watch && !s->watch))
        return trouble(s->f->command, "out of memory");
    return EXIT_CLEAN;
}

int fetch_ads(struct fetch *f, struct xds_slice *out)
{
    struct session s = {.f = f, .begun = live_now(), .wall = (int64_t)time(NULL) * 1000};
    int status = begin(&s);

    if (f->settings->ads.watch)
        live_hold_signals();
    if (status == EXIT_CLEAN)
        status = follow(&s);
    if (f->settings->ads.watch)
        live_drop_signals();
    if (status == EXIT_CLEAN)
        status = s.watch ? worse(verdict_of_all(&s), watch_flush(s.watch)) : tell_all(&s);
    if (status <= EXIT_FINDINGS && f->request->versions)
        status = worse(status, session_versions(&s, f->request->versions));
    if (status <= EXIT_FINDINGS && !s.watch)
        status = worse(status, session_take_dump(&s, out));
    watch_free(s.watch);
    free(s.links);
    xds_ads_free(s.ads);
    return status;
}
