/*
 * fetch_ads.c - asking control planes as a client does: connections and clocks for
 * xdscope/ads.h, and what is said of what did not come.
 *
 * Servers are asked one after the other, each until nothing of its own is missing; again,
 * if what another one served since names more.
 *
 * Source: gRFC A27 (time-outs, retries), A47 (authorities), A65 (channel_creds "tls").
 */
#include "cli/fetch.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    RESOURCE_SECONDS = 15,
    /* A control plane may answer a NACK with what is better. */
    CORRECTION_MS = 1000,
    LEAVE_MS = 500, /* for a server to read what was sent, and to end the call */
    TRIES = 4,      /* calls to one server; a client goes on for ever */
    ROUNDS = 32,    /* of all servers */
    WHOLE_MS = 300000,
    MOST_TOLD = 20,
    /* Requests, and bytes, that a server may be behind with. */
    MOST_BEHIND = 1000,
    MOST_UNSENT = 64 << 20,
    /* Times that a control plane may send again what was rejected. */
    MOST_AGAIN = 3,
};

/* What is rejected, and when that came last. */
struct rejection {
    uint64_t hash; /* of its bytes; 0: nothing is */
    int64_t at;
};

struct session {
    struct fetch *f;
    struct xds_ads *ads;
    int64_t begun, wall; /* the same moment by both clocks */
    int64_t last;        /* when the last message came */
    unsigned resource_ms;
    size_t stream;
    struct live_call *call;
    size_t behind;              /* requests since the server has read all */
    size_t came;                /* messages of all calls */
    struct rejection rejection; /* of this server */
    int64_t rejected;           /* when it became what it is */
    size_t again;               /* times that it came once more */
    char fault[500]; /* the first message, or nameless resource, that is not taken */
};

static int64_t wall_now(const struct session *s)
{
    return s->wall + live_now() - s->begun;
}

/* ---- what is missing ---- */

static int shown(size_t len)
{
    return len > 200 ? 200 : (int)len;
}

/* Listener "a"; type URLs are of the schema. */
static void name_resource(const struct xds_ads_resource *r, char *out, size_t size)
{
    size_t at = r->type_url.len;

    while (at > 0 && r->type_url.data[at - 1] != '.')
        at--;
    const struct xds_slice kind = {r->type_url.data + at, r->type_url.len - at};

    (void)snprintf(out, size, "%.*s \"%.*s\"", shown(kind.len), kind.data,
                   shown(r->name.len), r->name.len > 0 ? r->name.data : "");
}

/* The first one of this server that is waited for; false: there is none. */
static bool find_awaited(const struct session *s, struct xds_ads_resource *r)
{
    for (size_t i = 0; xds_ads_resource_at(s->ads, i, r); i++)
        if (r->stream == s->stream && r->status == XDS_HELD_REQUESTED)
            return true;
    return false;
}

static uint64_t hash_bytes(uint64_t hash, struct xds_slice bytes)
{
    for (size_t i = 0; i < bytes.len; i++) /* FNV-1a */
        hash = (hash ^ (unsigned char)bytes.data[i]) * 0x100000001b3;
    return hash;
}

static struct rejection find_rejection(const struct session *s)
{
    struct rejection found = {0, 0};
    struct xds_ads_resource r;

    for (size_t i = 0; xds_ads_resource_at(s->ads, i, &r); i++)
        if (r.stream == s->stream && r.rejected.data) {
            found.hash = hash_bytes(found.hash + i + 1, r.rejected) | 1;
            found.at = r.rejected_at > found.at ? r.rejected_at : found.at;
        }
    return found;
}

/* Some control planes send at once again what was rejected, and so for ever: that is no
 * corrected version. */
static void note_rejection(struct session *s)
{
    const struct rejection now = find_rejection(s);

    if (now.hash != s->rejection.hash)
        s->rejected = s->last;
    else if (now.at > s->rejection.at)
        s->again++;
    s->rejection = now;
}

/* ---- a call ---- */

/* One that sends and does not read would have us keep answers without end. */
static bool is_deaf(struct session *s)
{
    const size_t unsent = live_unsent(s->call);

    s->behind = unsent > 0 ? s->behind + 1 : 0;
    if (s->behind <= MOST_BEHIND && unsent <= MOST_UNSENT)
        return false;
    (void)snprintf(s->f->error.text, sizeof s->f->error.text,
                   "the server sends without end, and reads no answer");
    return true;
}

static enum live_status send_due(struct session *s)
{
    struct xds_slice message;
    enum xds_status status;

    while ((status = xds_ads_request(s->ads, s->stream, wall_now(s), &message)) ==
           XDS_OK) {
        if (is_deaf(s))
            return LIVE_TIMED_OUT;
        if (live_send(s->call, message) != LIVE_OK)
            return LIVE_NO_MEMORY;
    }
    return status == XDS_END ? LIVE_OK : LIVE_NO_MEMORY;
}

static enum live_status take(struct session *s, const struct live_message *message)
{
    s->last = live_now();
    s->came++;
    switch (
        xds_ads_response(s->ads, s->stream, wall_now(s), message->data, message->len)) {
    case XDS_OK:
    case XDS_ERR_USAGE:
        if (s->fault[0] == '\0')
            (void)snprintf(s->fault, sizeof s->fault, "%s", xds_ads_fault(s->ads));
        return LIVE_OK;
    case XDS_END:
    case XDS_ERR_IO:
    case XDS_ERR_NO_MEMORY:
        break;
    }
    return LIVE_NO_MEMORY;
}

/* Until when the next message is waited for. */
static int64_t deadline_of(const struct session *s, bool is_settled)
{
    if (is_settled)
        return s->rejection.hash ? s->rejected + CORRECTION_MS : live_now();

    const int64_t first = xds_ads_deadline(s->ads), end = s->begun + WHOLE_MS;

    /* first is by the wall clock */
    return first < s->wall + WHOLE_MS ? first - s->wall + s->begun : end;
}

static enum live_status wait_for_more(struct session *s, bool *is_settled)
{
    struct live_message message = {NULL, 0};
    struct xds_ads_resource awaited;
    char what[480];

    *is_settled = !find_awaited(s, &awaited);
    if (*is_settled)
        note_rejection(s);
    else
        name_resource(&awaited, what, sizeof what);
    const enum live_status status =
        fetch_wait_until(s->f, s->call, deadline_of(s, *is_settled), s->last,
                         *is_settled ? "a corrected version" : what, &message);

    return status == LIVE_OK ? take(s, &message) : status;
}

/* Until nothing is missing, or the call ends. */
static enum live_status drive(struct session *s)
{
    bool is_settled;

    for (;;) {
        enum live_status status = send_due(s);

        if (status == LIVE_OK)
            status = wait_for_more(s, &is_settled);
        else
            return status;
        if (status != LIVE_OK && status != LIVE_TIMED_OUT)
            return is_settled && status != LIVE_STOPPED && status != LIVE_NO_MEMORY
                       ? LIVE_OK
                       : status;
        if (status == LIVE_TIMED_OUT && is_settled)
            return LIVE_OK;
        if (live_now() >= s->begun + WHOLE_MS) {
            (void)snprintf(s->f->error.text, sizeof s->f->error.text,
                           "still changing after %d s", WHOLE_MS / 1000);
            return LIVE_TIMED_OUT;
        }
    }
}

/* What was sent has come once the server ends the call; what it sends meanwhile is too
 * late. */
static void leave(struct session *s)
{
    const int64_t deadline = live_now() + LEAVE_MS;
    enum live_status status = LIVE_OK;

    live_close_send(s->call);
    while (status == LIVE_OK && live_now() < deadline) {
        struct live_message message = {NULL, 0};

        status = live_receive(s->call, deadline, &message);
        free(message.data);
    }
}

static enum live_status call_once(struct session *s)
{
    enum live_status status = fetch_connect(s->f);

    if (status == LIVE_OK) {
        s->last = live_now();
        s->behind = 0;
        s->rejection = (struct rejection){0, 0};
        s->call = live_call(s->f->connection, xds_ads_method(s->ads));
        status = LIVE_NO_MEMORY;
    }
    if (s->call) {
        xds_ads_begin(s->ads, s->stream);
        status = drive(s);
        if (status == LIVE_OK)
            leave(s);
        xds_ads_end(s->ads, s->stream);
    }
    live_call_free(s->call);
    s->call = NULL;
    live_close(s->f->connection);
    s->f->connection = NULL;
    return status;
}

/* A call that had an answer and then ends is made again, as clients do. */
static enum live_status call_server(struct session *s)
{
    enum live_status status = LIVE_OK;

    for (unsigned i = 0; i < TRIES; i++) {
        const size_t before = s->came;

        status = call_once(s);
        if ((status != LIVE_ENDED && status != LIVE_FAILED) || s->came == before)
            break;
    }
    if (status == LIVE_ENDED && s->f->error.code == LIVE_GRPC_OK)
        (void)snprintf(s->f->error.text, sizeof s->f->error.text,
                       "the server ended the call before all had come");
    if (status != LIVE_OK || s->came > 0)
        return status;
    (void)snprintf(s->f->error.text, sizeof s->f->error.text,
                   "no answer within %u s: the control plane serves nothing of what is "
                   "asked for",
                   s->resource_ms / 1000);
    return LIVE_TIMED_OUT;
}

/* ---- servers ---- */

static const struct xds_tree *member(const struct xds_tree *object, const char *name)
{
    const struct xds_tree *found = NULL;

    for (size_t i = 0; object && object->kind == XDS_TREE_OBJECT && i < object->n; i++)
        if (is_text(object->items[i].key, name))
            found = &object->items[i];
    return found;
}

/* Texts of a tree end with NUL. */
static const char *text_member(const struct xds_tree *object, const char *name)
{
    const struct xds_tree *found = member(object, name);

    return found && found->kind == XDS_TREE_STRING ? found->text.data : NULL;
}

/* The first of channel_creds that we have, as clients choose. False: there is none. */
static bool read_creds(const struct xds_tree *server, struct peer_settings *peer)
{
    const struct xds_tree *list = member(server, "channel_creds");

    for (size_t i = 0; list && list->kind == XDS_TREE_ARRAY && i < list->n; i++) {
        const char *type = text_member(&list->items[i], "type");
        const struct xds_tree *config = member(&list->items[i], "config");

        if (type && strcmp(type, "insecure") == 0)
            return true;
        if (!type || strcmp(type, "tls") != 0)
            continue;
        peer->tls = true;
        peer->ca = text_member(config, "ca_certificate_file");
        peer->cert = text_member(config, "certificate_file");
        peer->key = text_member(config, "private_key_file");
        return true;
    }
    return false;
}

/* Headers go to the first server alone: they may be secrets. */
static int read_server(const struct session *s, struct peer *peer)
{
    const struct fetch *f = s->f;
    const struct xds_ads_server server = xds_ads_server(s->ads, s->stream);
    struct peer_settings settings = f->settings->peer;
    const char *address = s->stream == 0 ? f->request->address : NULL;

    *peer = (struct peer){.answer_ms = 0};
    if (s->stream > 0) {
        settings = (struct peer_settings){.connect_timeout = settings.connect_timeout,
                                          .answer_timeout = settings.answer_timeout,
                                          .message_limit = settings.message_limit};
    }
    if (!address && server.uri.len == 0)
        return usage_error(f->command, "needs HOST:PORT or a bootstrap");
    if (!address && !peer_asks_for_tls(&settings) &&
        !read_creds(server.config, &settings))
        return usage_error(f->command,
                           "bootstrap: no channel_creds of %s are supported: insecure "
                           "and tls are; give HOST:PORT, and --tls",
                           server.uri.data);
    return peer_read(peer, f->command, &settings, address ? address : server.uri.data);
}

static int ask_server(struct session *s)
{
    int status = read_server(s, &s->f->peer);

    if (status == EXIT_CLEAN)
        status = fetch_tell(s->f, call_server(s));
    peer_release(&s->f->peer);
    return status;
}

/* All servers that something is waited for of. *asked: there was one. */
static int ask_round(struct session *s, bool *asked)
{
    struct xds_ads_resource r;
    int status = EXIT_CLEAN;

    *asked = false;
    for (s->stream = 0; s->stream < xds_ads_streams(s->ads); s->stream++) {
        if (!find_awaited(s, &r))
            continue;
        *asked = true;
        status = ask_server(s);
        if (status != EXIT_CLEAN)
            break;
    }
    return status;
}

/* ---- what is said of it ---- */

static bool tell_resource(const struct session *s, const struct xds_ads_resource *r)
{
    const struct command *command = s->f->command;
    char what[480];

    name_resource(r, what, sizeof what);
    if (r->rejected.data || r->status == XDS_HELD_NACKED)
        warning(command, "%s: version \"%.*s\" is rejected (NACK): %.*s", what,
                shown(r->rejected_version.len),
                r->rejected_version.len > 0 ? r->rejected_version.data : "",
                (int)r->error.len, r->error.len > 0 ? r->error.data : "");
    else if (r->is_late && !r->bytes.data)
        warning(command, "%s: no answer within %u s: the client would report it as %s",
                what, s->resource_ms / 1000,
                r->status == XDS_HELD_TIMEOUT ? "timed out" : "not existing");
    else if (r->status == XDS_HELD_DOES_NOT_EXIST)
        warning(command, "%s: the control plane does not have it", what);
    else if (r->error.len > 0)
        warning(command, "%s: %.*s", what, (int)r->error.len, r->error.data);
    else if (r->status == XDS_HELD_REQUESTED)
        warning(command, "%s: it has not come", what);
    else
        return false;
    return true;
}

static int tell_all(const struct session *s)
{
    struct xds_ads_resource r;
    size_t told = 0, more = 0;

    for (size_t i = 0; xds_ads_resource_at(s->ads, i, &r); i++) {
        if (told < MOST_TOLD)
            told += tell_resource(s, &r);
        else
            more += r.status != XDS_HELD_ACKED || r.rejected.data || r.error.len > 0;
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

/* ---- what is held ---- */

static bool count(void *user, const char *data, size_t len)
{
    struct live_message *m = user;

    (void)data;
    m->len += len;
    return true;
}

static bool append(void *user, const char *data, size_t len)
{
    struct live_message *m = user;

    if (len > 0)
        memcpy(m->data + m->len, data, len);
    m->len += len;
    return true;
}

static int write_dump(const struct session *s, struct live_message *out)
{
    struct xds_printer printer = {.write = count, .user = out};

    if (xds_ads_write_dump(s->ads, &printer) == XDS_OK)
        out->data = malloc(out->len + 1);
    out->len = 0;
    printer.write = append;
    if (!out->data || xds_ads_write_dump(s->ads, &printer) != XDS_OK)
        return trouble(s->f->command, "out of memory");
    return EXIT_CLEAN;
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
    if (s->resource_ms == 0 || !read_as(f, &settings.as))
        return EXIT_USAGE;
    settings.resource_ms = s->resource_ms;
    if (given->targets.n + given->server_listeners.n == 0)
        return usage_error(f->command, "ads: needs --target or --server-listener");
    switch (xds_ads_new(&settings, f->request->options, &s->ads, &note)) {
    case XDS_OK:
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

int fetch_ads(struct fetch *f, struct live_message *out)
{
    struct session s = {.f = f, .begun = live_now(), .wall = (int64_t)time(NULL) * 1000};
    int status = make_client(&s);
    bool asked = true;

    for (unsigned i = 0; i < ROUNDS && asked && status == EXIT_CLEAN; i++)
        status = ask_round(&s, &asked);
    if (status == EXIT_CLEAN)
        status = write_dump(&s, out);
    if (status == EXIT_CLEAN)
        status = tell_all(&s);
    xds_ads_free(s.ads);
    return status;
}
