/*
 * frame.c - messages with headers, as the Language Server Protocol has them.
 *
 * Takes:  "Content-Length: N", other headers, an empty line, N bytes.
 * Gives:  one body after the other. A message that is too large is read past, what is no
 *         header is skipped up to the next empty line: each is one fault.
 */
#include "cli/lsp/lsp.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define LONGEST_HEADER ((size_t)4096)
#define PART ((size_t)64 << 10)

/* Room for at least PART more bytes. */
static bool make_room(struct lsp_frames *f)
{
    if (f->data && f->begin > 0) {
        memmove(f->data, f->data + f->begin, f->end - f->begin);
        f->end -= f->begin;
        f->begin = 0;
    }
    if (f->cap - f->end >= PART)
        return true;
    const size_t more = f->cap ? 2 * f->cap : 2 * PART;
    char *larger = realloc(f->data, more);

    if (!larger)
        lsp_lack();
    if (!larger)
        return false;
    f->data = larger;
    f->cap = more;
    return true;
}

/* What a large message needed is given back. */
static void shrink(struct lsp_frames *f)
{
    if (f->begin < f->end || f->cap <= 16 * PART)
        return;
    free(f->data);
    f->data = NULL;
    f->begin = f->end = f->cap = 0;
}

static bool is_waiting(const struct lsp_frames *f)
{
    struct pollfd in = {.fd = f->in, .events = POLLIN};

    return poll(&in, 1, 0) > 0;
}

/* More bytes, after those that are there. */
static enum lsp_frame_result fill(struct lsp_frames *f, bool waits)
{
    ssize_t n;

    if (!waits && !is_waiting(f))
        return LSP_FRAME_NONE;
    if (!make_room(f))
        return LSP_FRAME_NO_MEMORY;
    do
        n = read(f->in, f->data + f->end, f->cap - f->end);
    while (n < 0 && errno == EINTR);
    if (n <= 0)
        return LSP_FRAME_END;
    f->end += (size_t)n;
    return LSP_FRAME;
}

/* The number of a header's value; false when it is none. */
static bool read_length(struct xds_slice value, uint64_t *out)
{
    *out = 0;
    while (value.len > 0 && (*value.data == ' ' || *value.data == '\t'))
        value = (struct xds_slice){value.data + 1, value.len - 1};
    while (value.len > 0 && (value.data[value.len - 1] == ' '))
        value.len--;
    for (size_t i = 0; i < value.len; i++) {
        if (value.data[i] < '0' || value.data[i] > '9' || *out > UINT64_MAX / 10 - 1)
            return false;
        *out = *out * 10 + (uint64_t)(value.data[i] - '0');
    }
    return value.len > 0;
}

/* One line of the headers without its end. */
static void read_header(struct lsp_frames *f, struct xds_slice line)
{
    static const char name[] = "content-length";
    const char *colon = memchr(line.data, ':', line.len);
    const size_t len = colon ? (size_t)(colon - line.data) : 0;
    uint64_t length;

    if (!colon) {
        f->is_bad = true;
        return;
    }
    if (len != sizeof name - 1 || strncasecmp(line.data, name, len) != 0)
        return;
    if (read_length((struct xds_slice){colon + 1, line.len - len - 1}, &length) &&
        (!f->has_length || length == f->length))
        f->length = length;
    else
        f->is_bad = true;
    f->has_length = true;
}

/* The empty line after the headers: a body comes, or a fault is there. */
static enum lsp_frame_result end_headers(struct lsp_frames *f, const char **fault)
{
    const bool good = f->has_length && !f->is_bad;
    const uint64_t length = f->length;

    *fault = f->is_bad ? "the headers are not valid; expected Content-Length: N"
                       : "there is no Content-Length";
    f->has_length = f->is_bad = false;
    f->length = 0;
    if (!good)
        return LSP_FRAME_FAULT;
    if (length > LSP_MAX_MESSAGE) {
        *fault = "the message is larger than 128 MiB; it is skipped";
        f->drop = length;
        return LSP_FRAME_FAULT;
    }
    f->in_body = true;
    f->body = (size_t)length;
    return LSP_FRAME;
}

/* One line of what was read; LSP_FRAME_NONE when it is not whole. */
static enum lsp_frame_result take_line(struct lsp_frames *f, const char **fault)
{
    const size_t left = f->end - f->begin;

    if (left == 0)
        return LSP_FRAME_NONE;
    const char *text = f->data + f->begin;
    const char *end = memchr(text, '\n', left);

    if (!end && left > LONGEST_HEADER) {
        f->skips_line = f->is_bad = true;
        f->begin = f->end;
    }
    if (!end)
        return LSP_FRAME_NONE;
    size_t len = (size_t)(end - text);

    f->begin += len + 1;
    if (len > 0 && text[len - 1] == '\r')
        len--;
    if (f->skips_line)
        f->skips_line = false;
    else if (len > 0)
        read_header(f, (struct xds_slice){text, len});
    else
        return end_headers(f, fault);
    return LSP_FRAME;
}

static void drop(struct lsp_frames *f)
{
    const size_t left = f->end - f->begin;
    const size_t n = f->drop < left ? (size_t)f->drop : left;

    f->begin += n;
    f->drop -= n;
}

enum lsp_frame_result lsp_frame_next(struct lsp_frames *f, bool waits,
                                     struct xds_slice *body, const char **fault)
{
    enum lsp_frame_result result = LSP_FRAME;

    shrink(f);
    while (result == LSP_FRAME) {
        drop(f);
        if (f->in_body && f->end - f->begin >= f->body) {
            *body = (struct xds_slice){f->data + f->begin, f->body};
            f->begin += f->body;
            f->in_body = false;
            return LSP_FRAME;
        }
        result = f->in_body || f->drop > 0 ? LSP_FRAME_NONE : take_line(f, fault);
        if (result == LSP_FRAME_NONE)
            result = fill(f, waits);
    }
    return result;
}

void lsp_frames_release(struct lsp_frames *f)
{
    free(f->data);
}

void lsp_send(cJSON *message)
{
    static unsigned lacks; /* when the last one was sent */
    const bool is_whole = lacks == lsp_lacks();
    char *text = message && is_whole ? cJSON_PrintUnformatted(message) : NULL;
    static const char lost[] =
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32603,"
        "\"message\":\"out of memory\"}}";
    const char *body = text ? text : lost;

    /* The line break is one of JSON: logs of both sides have lines. */
    (void)fprintf(stdout, "Content-Length: %zu\r\n\r\n%s\n", strlen(body) + 1, body);
    (void)fflush(stdout);
    lacks = lsp_lacks();
    cJSON_free(text);
    cJSON_Delete(message);
}
