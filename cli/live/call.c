/*
 * call.c - one gRPC call on a connection: headers, messages, trailers.
 *
 * States: asked, answering (headers have come), ended (with a grpc-status).
 * Fails:  with the words of the server where it has any.
 * Source: gRPC over HTTP/2: Requests, Responses, HTTP2 Transport Mapping.
 */
#include "cli/live/inner.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NO_CODE = -1 };

struct live_call {
    struct live_connection *connection;
    int32_t stream; /* 0: it has none, or no longer */
    struct frames frames;
    /* What is to be sent. */
    char *out;
    size_t out_at, out_len;
    bool half_closed;
    /* What came. */
    int http_status, code;
    bool is_grpc, has_headers;
    bool is_closed; /* nothing more will come, */
    uint32_t why;   /* by this code of HTTP/2 */
    bool ended;     /* and error says why */
    char content_type[80], encoding[40];
    size_t arrived;
    struct live_error error;
};

/* ---- ending ---- */

/* The first reason counts. */
__attribute__((format(printf, 3, 4))) static void end(struct live_call *call, int code,
                                                      const char *format, ...)
{
    va_list args;

    if (call->ended)
        return;
    call->ended = true;
    call->error.code = code;
    va_start(args, format);
    (void)vsnprintf(call->error.text, sizeof call->error.text, format, args);
    va_end(args);
}

static void reset(struct live_call *call, uint32_t why)
{
    if (call->stream > 0)
        (void)nghttp2_submit_rst_stream(call->connection->http, NGHTTP2_FLAG_NONE,
                                        call->stream, why);
}

/* ---- headers ---- */

static bool is_name(const uint8_t *name, size_t len, const char *text)
{
    return strlen(text) == len && memcmp(name, text, len) == 0;
}

static int hex(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A grpc-message; what is not well-formed in it stays as it is. */
static void decode_percent(const uint8_t *value, size_t len, char *out, size_t size)
{
    size_t n = 0;

    for (size_t i = 0; i < len && n < size - 1; i++) {
        const bool coded = value[i] == '%' && i + 2 < len && hex(value[i + 1]) >= 0 &&
                           hex(value[i + 2]) >= 0;

        out[n++] = (char)(coded ? hex(value[i + 1]) << 4 | hex(value[i + 2]) : value[i]);
        i += coded ? 2 : 0;
    }
    out[n] = '\0';
    /* One line stays one; a NUL is none of its text. */
    for (size_t i = 0; i < n; i++)
        if (out[i] == '\n' || out[i] == '\r' || out[i] == '\0')
            out[i] = ' ';
}

/* A small number; anything else is one that no status has. */
static int number(const uint8_t *value, size_t len)
{
    int n = 0;

    if (len == 0 || len > 4)
        return LIVE_GRPC_UNKNOWN;
    for (size_t i = 0; i < len; i++) {
        if (value[i] < '0' || value[i] > '9')
            return LIVE_GRPC_UNKNOWN;
        n = n * 10 + value[i] - '0';
    }
    return n;
}

static void keep_text(char *out, size_t size, const uint8_t *value, size_t len)
{
    (void)snprintf(out, size, "%.*s", (int)(len < size ? len : size - 1),
                   (const char *)value);
}

static struct live_call *call_of(nghttp2_session *http, int32_t stream)
{
    return nghttp2_session_get_stream_user_data(http, stream);
}

static int on_header(nghttp2_session *http, const nghttp2_frame *frame,
                     const uint8_t *name, size_t name_len, const uint8_t *value,
                     size_t len, uint8_t flags, void *user)
{
    struct live_call *call = call_of(http, frame->hd.stream_id);

    (void)flags;
    (void)user;
    if (!call)
        return 0;
    if (is_name(name, name_len, ":status"))
        call->http_status = number(value, len);
    else if (is_name(name, name_len, "content-type"))
        keep_text(call->content_type, sizeof call->content_type, value, len);
    else if (is_name(name, name_len, "grpc-encoding"))
        keep_text(call->encoding, sizeof call->encoding, value, len);
    else if (is_name(name, name_len, "grpc-status"))
        call->code = number(value, len);
    else if (is_name(name, name_len, "grpc-message") && !call->ended)
        decode_percent(value, len, call->error.text, 400);
    return 0;
}

/* Is the answer one of gRPC? One that is none is not read any further. */
static void judge_headers(struct live_call *call)
{
    static const char grpc[] = "application/grpc";
    const char next = call->content_type[strlen(call->content_type) < strlen(grpc)
                                             ? strlen(call->content_type)
                                             : strlen(grpc)];

    if (call->http_status < 200 && call->http_status >= 100)
        return; /* the real ones are yet to come */
    call->has_headers = true;
    call->is_grpc = strncmp(call->content_type, grpc, strlen(grpc)) == 0 &&
                    (next == '\0' || next == '+' || next == ';');
    call->frames.gzip = strcmp(call->encoding, "gzip") == 0;
    if (call->code != NO_CODE || (call->http_status == 200 && call->is_grpc))
        return;
    if (call->http_status != 200)
        end(call, LIVE_GRPC_UNKNOWN, "not gRPC: the server answered with HTTP status %d",
            call->http_status);
    else
        end(call, LIVE_GRPC_UNKNOWN,
            "not gRPC: the server answered with content-type '%s'", call->content_type);
    reset(call, NGHTTP2_CANCEL);
}

/* ---- messages ---- */

static int on_data(nghttp2_session *http, uint8_t flags, int32_t stream,
                   const uint8_t *data, size_t len, void *user)
{
    struct live_call *call = call_of(http, stream);

    (void)flags;
    (void)user;
    if (!call || call->ended)
        return 0;
    call->arrived += len;
    return frames_add(&call->frames, (const char *)data, len) ? 0 : NGHTTP2_ERR_NOMEM;
}

static int on_close(nghttp2_session *http, int32_t stream, uint32_t why, void *user)
{
    struct live_call *call = call_of(http, stream);

    (void)user;
    if (!call)
        return 0;
    call->stream = 0;
    call->is_closed = true;
    call->why = why;
    return 0;
}

void call_on_frame(nghttp2_session *http, const nghttp2_frame *frame)
{
    struct live_call *call = call_of(http, frame->hd.stream_id);

    if (frame->hd.type == NGHTTP2_HEADERS && call && !call->has_headers)
        judge_headers(call);
}

/* What breaks the rules of HTTP is refused by nghttp2, which resets the stream. */
static int on_invalid(nghttp2_session *http, const nghttp2_frame *frame, int code,
                      void *user)
{
    struct live_call *call = call_of(http, frame->hd.stream_id);

    (void)user;
    if (call)
        end(call, 13, "broken HTTP/2: %s", nghttp2_strerror(code));
    return 0;
}

void call_set_callbacks(nghttp2_session_callbacks *callbacks)
{
    nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data);
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_close);
    nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks, on_invalid);
}

/* ---- sending ---- */

static ssize_t read_out(nghttp2_session *http, int32_t stream, uint8_t *buffer,
                        size_t size, uint32_t *flags, nghttp2_data_source *source,
                        void *user)
{
    struct live_call *call = call_of(http, stream);

    (void)source;
    (void)user;
    if (!call) /* it was freed, and its stream is about to be reset */
        return NGHTTP2_ERR_DEFERRED;

    const size_t left = call->out_len - call->out_at, n = left < size ? left : size;

    if (n > 0)
        memcpy(buffer, call->out + call->out_at, n);
    call->out_at += n;
    if (call->out_at < call->out_len)
        return (ssize_t)n;
    if (call->half_closed)
        *flags |= NGHTTP2_DATA_FLAG_EOF;
    else if (n == 0)
        return NGHTTP2_ERR_DEFERRED;
    return (ssize_t)n;
}

enum live_status live_send(struct live_call *call, struct xds_slice message)
{
    const unsigned char head[FRAME_HEAD] = {
        0, (unsigned char)(message.len >> 24), (unsigned char)(message.len >> 16),
        (unsigned char)(message.len >> 8), (unsigned char)message.len};
    const size_t left = call->out_len - call->out_at;
    const size_t len = left + sizeof head + message.len;
    char *out = malloc(len);

    if (!out)
        return LIVE_NO_MEMORY;
    if (left > 0)
        memcpy(out, call->out + call->out_at, left);
    memcpy(out + left, head, sizeof head);
    if (message.len > 0)
        memcpy(out + left + sizeof head, message.data, message.len);
    free(call->out);
    call->out = out;
    call->out_at = 0;
    call->out_len = len;
    if (call->stream > 0)
        (void)nghttp2_session_resume_data(call->connection->http, call->stream);
    return LIVE_OK;
}

size_t live_unsent(const struct live_call *call)
{
    return call->out_len - call->out_at;
}

void live_close_send(struct live_call *call)
{
    call->half_closed = true;
    if (call->stream > 0)
        (void)nghttp2_session_resume_data(call->connection->http, call->stream);
}

/* ---- the call ---- */

enum { OWN_HEADERS = 8 };

static nghttp2_nv pair(const char *name, size_t name_len, const char *value)
{
    return (nghttp2_nv){.name = (uint8_t *)(uintptr_t)name,
                        .namelen = name_len,
                        .value = (uint8_t *)(uintptr_t)value,
                        .valuelen = strlen(value)};
}

/* How many; what the user adds is "name: value" of lower case. */
static size_t fill_headers(const struct live_connection *c, const char *path,
                           nghttp2_nv *out)
{
    const char *const own[OWN_HEADERS][2] = {
        {":method", "POST"},
        {":scheme", c->scheme},
        {":path", path},
        {":authority", c->authority},
        {"te", "trailers"},
        {"content-type", "application/grpc"},
        {"user-agent", "xdscope/" XDS_VERSION},
        {"grpc-accept-encoding", "identity,gzip"},
    };

    for (size_t i = 0; i < OWN_HEADERS; i++)
        out[i] = pair(own[i][0], strlen(own[i][0]), own[i][1]);
    for (size_t i = 0; i < c->n_headers; i++) {
        const size_t len = strcspn(c->headers[i], ":");

        out[OWN_HEADERS + i] = pair(c->headers[i], len, c->headers[i] + len + 2);
    }
    return OWN_HEADERS + c->n_headers;
}

static bool submit(struct live_call *call, const char *path)
{
    const struct live_connection *c = call->connection;
    nghttp2_nv *headers = calloc(OWN_HEADERS + c->n_headers, sizeof *headers);
    const nghttp2_data_provider provider = {.read_callback = read_out};

    if (!headers)
        return false;
    call->stream = nghttp2_submit_request(
        c->http, NULL, headers, fill_headers(c, path, headers), &provider, call);
    free(headers);
    return call->stream > 0;
}

struct live_call *live_call(struct live_connection *connection, const char *path)
{
    struct live_call *call = calloc(1, sizeof *call);

    if (!call)
        return NULL;
    call->connection = connection;
    call->frames.limit = connection->message_bytes;
    call->code = NO_CODE;
    if (!submit(call, path)) {
        free(call);
        return NULL;
    }
    return call;
}

void live_call_free(struct live_call *call)
{
    if (!call)
        return;
    if (call->stream > 0) {
        (void)nghttp2_session_set_stream_user_data(call->connection->http, call->stream,
                                                   NULL);
        reset(call, NGHTTP2_CANCEL);
    }
    frames_release(&call->frames);
    free(call->out);
    free(call);
}

/* ---- the end ---- */

static void end_with_failure(struct live_call *call)
{
    const struct live_error *error = &call->connection->error;
    size_t have, want;

    if (frames_is_inside(&call->frames, &have, &want))
        end(call, NO_CODE, "%.400s, after %zu of the %zu bytes of a message", error->text,
            have, want);
    else
        end(call, NO_CODE, "%s", error->text);
}

/* The text of a status that came from the server is in error.text already. */
static void end_with_status(struct live_call *call)
{
    size_t have, want;

    if (call->code != LIVE_GRPC_OK) {
        const char *name =
            call->code >= 0 ? xds_status_code_name((uint32_t)call->code) : NULL;
        char words[400];

        (void)snprintf(words, sizeof words, "%.399s", call->error.text);
        end(call, call->code, "%s%s%s",
            name ? name : xds_status_code_name(LIVE_GRPC_UNKNOWN),
            words[0] != '\0' ? ": " : "", words);
    } else if (frames_is_inside(&call->frames, &have, &want)) {
        end(call, LIVE_GRPC_UNKNOWN,
            "the server ended the call after %zu of the %zu bytes of a message", have,
            want);
    } else {
        end(call, LIVE_GRPC_OK, "%s", "");
    }
}

static void end_without_status(struct live_call *call)
{
    const struct live_connection *c = call->connection;

    if (call->why == NGHTTP2_REFUSED_STREAM && c->goaway[0] != '\0')
        end(call, 14, "the server takes no calls: %s", c->goaway);
    else if (call->why != NGHTTP2_NO_ERROR)
        end(call, 13, "the server reset the call: %s", nghttp2_http2_strerror(call->why));
    else
        end(call, LIVE_GRPC_UNKNOWN, "the server ended the call without a grpc-status");
}

/* All messages that came whole were taken: is that the end? */
static bool has_ended(struct live_call *call)
{
    if (call->is_closed && call->code != NO_CODE)
        end_with_status(call);
    else if (call->is_closed)
        end_without_status(call);
    else if (call->connection->failed)
        end_with_failure(call);
    return call->ended;
}

enum live_status live_receive(struct live_call *call, int64_t deadline,
                              struct live_message *out)
{
    enum live_status status = LIVE_OK;
    struct live_error fault = {.code = LIVE_GRPC_UNKNOWN};

    while (status == LIVE_OK) {
        switch (frames_next(&call->frames, out, &fault)) {
        case FRAMES_MESSAGE:
            return LIVE_OK;
        case FRAMES_NO_MEMORY:
            return LIVE_NO_MEMORY;
        case FRAMES_BROKEN:
            end(call, LIVE_GRPC_UNKNOWN, "the server %s", fault.text);
            reset(call, NGHTTP2_CANCEL);
            return LIVE_ENDED;
        case FRAMES_MORE:
            break;
        }
        if (has_ended(call))
            return call->error.code == NO_CODE ? LIVE_FAILED : LIVE_ENDED;
        status = connection_turn(call->connection, deadline);
        if (status == LIVE_FAILED)
            status = LIVE_OK; /* what came before is read all the same */
    }
    return status;
}

enum live_status live_wait(struct live_call *const *calls, size_t n, int64_t deadline)
{
    struct live_connection *list[LIVE_MOST_CONNECTIONS];

    for (size_t i = 0; i < n; i++)
        list[i] = calls[i]->connection;
    return connection_turn_any(list, n, deadline);
}

size_t live_arrived(const struct live_call *call)
{
    return call->arrived;
}

const struct live_error *live_error(const struct live_call *call)
{
    return &call->error;
}
