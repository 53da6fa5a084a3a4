/*
 * fetch_csds.c - what a client holds, by the Client Status Discovery Service.
 *
 * Source: envoy.service.status.v3 (csds.proto), gRFC A40.
 */
#include "cli/fetch/fetch.h"

#include <stdlib.h>
#include <string.h>

#define SERVICE "/envoy.service.status.v3.ClientStatusDiscoveryService/"

enum {
    TICK_MS = 1000,
    /* A server that always sends a little is given up all the same, after so many times
     * the time-out. */
    WHOLE_ANSWER = 20,
};

struct asking {
    struct fetch *f;
    struct peer peer;
    struct live_connection *connection;
};

/* ---- the request ---- */

/* text becomes field 1 of a message; out has 11 bytes more room than text. */
static size_t wrap(char *out, const char *text, size_t len)
{
    enum { FIELD_1 = 1 << 3 | 2 };
    char head[11] = {FIELD_1};
    size_t n = 1, left = len;

    for (; left >= 0x80; left >>= 7)
        head[n++] = (char)(left | 0x80);
    head[n++] = (char)left;
    memmove(out + n, text, len);
    memcpy(out, head, n);
    return n + len;
}

/* A ClientStatusRequest; without a node id it is empty. With one it is
 * node_matchers.node_id.exact, each of them field 1. False when there is no memory. */
static bool make_request(const char *node, struct xds_slice *request)
{
    enum { DEPTH = 3, HEAD = 11 };
    size_t len = node ? strlen(node) : 0;
    char *out = node ? malloc(len + (size_t)DEPTH * HEAD) : NULL;

    *request = (struct xds_slice){out, 0};
    if (!node)
        return true;
    if (!out)
        return false;
    memcpy(out, node, len);
    for (unsigned i = 0; i < DEPTH; i++)
        len = wrap(out, out, len);
    request->len = len;
    return true;
}

/* ---- the call ---- */

static void say_timed_out(struct asking *a, size_t arrived, int64_t waited)
{
    struct live_error *e = &a->f->error;

    if (arrived == 0)
        (void)snprintf(e->text, sizeof e->text, "no answer within %u s",
                       a->peer.answer_ms / 1000);
    else
        (void)snprintf(e->text, sizeof e->text,
                       "no whole answer within %u s: only %zu bytes of it",
                       (unsigned)(waited / 1000), arrived);
}

/* The next message of a call, with the time-outs of the options; or why there is none,
 * also in the error. */
static enum live_status wait_for(struct asking *a, struct live_call *call,
                                 struct live_message *out)
{
    const int64_t begun = live_now(), answer_ms = a->peer.answer_ms;
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
            say_timed_out(a, arrived, now - begun);
            break;
        }
        fetch_show_progress(a->f, a->peer.live.name, NULL, now - begun, arrived);
    }
    fetch_clear_progress(a->f);
    if (status == LIVE_ENDED || status == LIVE_FAILED)
        a->f->error = *live_error(call);
    return status;
}

/* The first message of the answer, once the call has ended well. */
static enum live_status take_answer(struct asking *a, struct live_call *call,
                                    struct live_message *out)
{
    struct live_message more = {NULL, 0};
    struct live_error *error = &a->f->error;
    enum live_status status = wait_for(a, call, out);

    if (status == LIVE_ENDED && error->code == LIVE_GRPC_OK)
        (void)snprintf(error->text, sizeof error->text,
                       "the server ended the call without a message");
    if (status != LIVE_OK)
        return status;
    status = wait_for(a, call, &more);
    free(more.data);
    if (status == LIVE_ENDED && error->code == LIVE_GRPC_OK)
        return LIVE_OK;
    if (status == LIVE_OK)
        (void)snprintf(error->text, sizeof error->text,
                       "the server answers one request with several messages");
    return status == LIVE_OK ? LIVE_FAILED : status;
}

static enum live_status ask(struct asking *a, const char *path, struct xds_slice request,
                            struct live_message *out)
{
    struct live_call *call = live_call(a->connection, path);
    enum live_status status = LIVE_NO_MEMORY;

    if (call && live_send(call, request) == LIVE_OK) {
        live_close_send(call);
        status = take_answer(a, call, out);
    }
    live_call_free(call);
    return status;
}

static enum live_status ask_any(struct asking *a, struct live_message *out)
{
    /* Some control planes have only the stream. */
    static const char *const paths[] = {SERVICE "FetchClientStatus",
                                        SERVICE "StreamClientStatus"};
    struct xds_slice request;
    struct live_error *error = &a->f->error;
    enum live_status status = LIVE_NO_MEMORY;

    if (!make_request(a->peer.node, &request))
        return status;
    for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
        free(out->data);
        *out = (struct live_message){NULL, 0};
        status = ask(a, paths[i], request, out);
        if (status != LIVE_ENDED || error->code != LIVE_GRPC_UNIMPLEMENTED)
            break;
    }
    free((void *)(uintptr_t)request.data);
    if (status == LIVE_ENDED && error->code == LIVE_GRPC_UNIMPLEMENTED) {
        const size_t used = strlen(error->text);

        (void)snprintf(
            error->text + used, sizeof error->text - used,
            "; the server has no Client Status Discovery Service: gRPC programs "
            "have it once they register the admin services; of a control "
            "plane ask with fetch ads");
    }
    return status;
}

int fetch_csds(struct fetch *f, struct xds_slice *out)
{
    struct asking a = {.f = f};
    struct live_message answer = {NULL, 0};
    int status = peer_read(&a.peer, f->command, &f->settings->peer, f->request->address);

    if (status == EXIT_CLEAN) {
        enum live_status done = fetch_connect(f, &a.peer, &a.connection);

        if (done == LIVE_OK)
            done = ask_any(&a, &answer);
        live_close(a.connection);
        status = fetch_tell(f, a.peer.live.name, done);
    }
    peer_release(&a.peer);
    *out = (struct xds_slice){answer.data, answer.len};
    return status;
}
