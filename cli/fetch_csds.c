/*
 * fetch_csds.c - what a client holds, by the Client Status Discovery Service.
 *
 * Source: envoy.service.status.v3 (csds.proto), gRFC A40.
 */
#include "cli/fetch.h"

#include <stdlib.h>
#include <string.h>

#define SERVICE "/envoy.service.status.v3.ClientStatusDiscoveryService/"

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

/* The first message of the answer, once the call has ended well. */
static enum live_status take_answer(struct fetch *f, struct live_call *call,
                                    struct live_message *out)
{
    struct live_message more = {NULL, 0};
    enum live_status status = fetch_wait(f, call, out);

    if (status == LIVE_ENDED && f->error.code == LIVE_GRPC_OK)
        (void)snprintf(f->error.text, sizeof f->error.text,
                       "the server ended the call without a message");
    if (status != LIVE_OK)
        return status;
    status = fetch_wait(f, call, &more);
    free(more.data);
    if (status == LIVE_ENDED && f->error.code == LIVE_GRPC_OK)
        return LIVE_OK;
    if (status == LIVE_OK)
        (void)snprintf(f->error.text, sizeof f->error.text,
                       "the server answers one request with several messages");
    return status == LIVE_OK ? LIVE_FAILED : status;
}

static enum live_status ask(struct fetch *f, const char *path, struct xds_slice request,
                            struct live_message *out)
{
    struct live_call *call = live_call(f->connection, path);
    enum live_status status = LIVE_NO_MEMORY;

    if (call && live_send(call, request) == LIVE_OK) {
        live_close_send(call);
        status = take_answer(f, call, out);
    }
    live_call_free(call);
    return status;
}

static enum live_status ask_any(struct fetch *f, struct live_message *out)
{
    /* Some control planes have only the stream. */
    static const char *const paths[] = {SERVICE "FetchClientStatus",
                                        SERVICE "StreamClientStatus"};
    struct xds_slice request;
    enum live_status status = LIVE_NO_MEMORY;

    if (!make_request(f->peer.node, &request))
        return status;
    for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
        free(out->data);
        *out = (struct live_message){NULL, 0};
        status = ask(f, paths[i], request, out);
        if (status != LIVE_ENDED || f->error.code != LIVE_GRPC_UNIMPLEMENTED)
            break;
    }
    free((void *)(uintptr_t)request.data);
    if (status == LIVE_ENDED && f->error.code == LIVE_GRPC_UNIMPLEMENTED) {
        const size_t used = strlen(f->error.text);

        (void)snprintf(f->error.text + used, sizeof f->error.text - used,
                       "; the server has no Client Status Discovery Service");
    }
    return status;
}

int fetch_csds(struct fetch *f, struct live_message *out)
{
    int status = peer_read(&f->peer, f->command, &f->settings->peer, f->request->address);

    if (status == EXIT_CLEAN) {
        enum live_status done = fetch_connect(f);

        if (done == LIVE_OK)
            done = ask_any(f, out);
        live_close(f->connection);
        status = fetch_tell(f, done);
    }
    peer_release(&f->peer);
    return status;
}
