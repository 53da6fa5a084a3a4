/* frames.c - bytes of a gRPC stream to messages. */
#include "cli/live/frames.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { FIRST_BUFFER = 4096 };

static size_t length_of(const struct frames *f)
{
    return (size_t)f->head[1] << 24 | (size_t)f->head[2] << 16 | (size_t)f->head[3] << 8 |
           f->head[4];
}

static bool is_too_long(const struct frames *f)
{
    return f->n_head == FRAME_HEAD && length_of(f) > f->limit;
}

/* Neither whole nor refused: the next bytes belong to it. */
static bool is_open(const struct frames *f)
{
    return f->n_head < FRAME_HEAD || (!is_too_long(f) && f->body.len < length_of(f));
}

/* Room for so many bytes, twice as much as is needed now, but at most `most`. */
static bool reserve(char **data, size_t *cap, size_t need, size_t most)
{
    size_t more = need > most / 2 ? most : 2 * need;

    if (need <= *cap)
        return true;
    if (more < FIRST_BUFFER)
        more = FIRST_BUFFER;
    char *larger = realloc(*data, more);

    if (!larger)
        return false;
    *data = larger;
    *cap = more;
    return true;
}

/* Takes what belongs to the message; *len is what is left of the bytes. */
static bool take(struct frames *f, const char **data, size_t *len)
{
    while (*len > 0 && f->n_head < FRAME_HEAD) {
        f->head[f->n_head++] = (unsigned char)*(*data)++;
        (*len)--;
    }
    if (*len == 0 || !is_open(f))
        return true;
    const size_t want = length_of(f) - f->body.len, n = want < *len ? want : *len;

    if (!reserve(&f->body.data, &f->cap, f->body.len + n, length_of(f)))
        return false;
    memcpy(f->body.data + f->body.len, *data, n);
    f->body.len += n;
    *data += n;
    *len -= n;
    return true;
}

bool frames_add(struct frames *frames, const char *data, size_t len)
{
    if (frames->rest_at == frames->rest_len && !take(frames, &data, &len))
        return false;
    if (len == 0 || is_too_long(frames))
        return true;
    if (frames->rest_at == frames->rest_len)
        frames->rest_at = frames->rest_len = 0;
    if (!reserve(&frames->rest, &frames->rest_cap, frames->rest_len + len, SIZE_MAX))
        return false;
    memcpy(frames->rest + frames->rest_len, data, len);
    frames->rest_len += len;
    return true;
}

/* ---- inflating ---- */

static enum frames_status broken(struct live_error *fault, const char *text)
{
    (void)snprintf(fault->text, sizeof fault->text, "%s", text);
    return FRAMES_BROKEN;
}

static enum frames_status too_long(const struct frames *f, size_t len,
                                   struct live_error *fault)
{
    if (len > f->limit)
        (void)snprintf(fault->text, sizeof fault->text,
                       "sends a message of %zu bytes; the limit is %zu", len, f->limit);
    else
        (void)snprintf(fault->text, sizeof fault->text,
                       "sends a message that inflates to more than %zu bytes, the limit",
                       f->limit);
    return FRAMES_BROKEN;
}

/* Into *out, whose room grows by what comes. */
static enum frames_status inflate_all(const struct frames *f, z_stream *z,
                                      struct live_message *out, struct live_error *fault)
{
    static const char bad[] = "sends a compressed message that is not gzip";
    size_t cap = 0;
    int code = Z_OK;

    while (code == Z_OK) {
        /* One byte over the limit shows that there is more. */
        if (out->len > f->limit)
            return too_long(f, 0, fault);
        if (out->len == cap && !reserve(&out->data, &cap, cap + 1, f->limit + 1))
            return FRAMES_NO_MEMORY;

        const size_t room = cap - out->len;

        z->next_out = (unsigned char *)out->data + out->len;
        z->avail_out = (uInt)room;
        code = inflate(z, Z_NO_FLUSH);
        out->len += room - z->avail_out;
    }
    if (code == Z_MEM_ERROR)
        return FRAMES_NO_MEMORY;
    if (out->len > f->limit)
        return too_long(f, 0, fault);
    return code == Z_STREAM_END && z->avail_in == 0 ? FRAMES_MESSAGE : broken(fault, bad);
}

static enum frames_status inflate_body(const struct frames *f,
                                       const struct live_message *body,
                                       struct live_message *out, struct live_error *fault)
{
    enum { GZIP = 16 };
    z_stream z = {.next_in = (unsigned char *)body->data, .avail_in = (uInt)body->len};

    if (inflateInit2(&z, MAX_WBITS + GZIP) != Z_OK)
        return FRAMES_NO_MEMORY;
    const enum frames_status status = inflate_all(f, &z, out, fault);

    (void)inflateEnd(&z);
    return status;
}

/* The body that is whole, out of its buffer. */
static enum frames_status give(struct frames *f, struct live_message *out,
                               struct live_error *fault)
{
    struct live_message body = f->body;
    enum frames_status status = FRAMES_MESSAGE;

    f->body = (struct live_message){NULL, 0};
    f->cap = f->n_head = 0;
    if (f->head[0] == 0) {
        *out = body;
        return status;
    }
    status = inflate_body(f, &body, out, fault);
    free(body.data);
    if (status != FRAMES_MESSAGE) {
        free(out->data);
        *out = (struct live_message){NULL, 0};
    }
    return status;
}

enum frames_status frames_next(struct frames *frames, struct live_message *out,
                               struct live_error *fault)
{
    const char *data = frames->rest ? frames->rest + frames->rest_at : "";
    size_t len = frames->rest ? frames->rest_len - frames->rest_at : 0;

    *out = (struct live_message){NULL, 0};
    if (len > 0 && is_open(frames) && !take(frames, &data, &len))
        return FRAMES_NO_MEMORY;
    frames->rest_at = frames->rest_len - len;
    if (frames->n_head > 0 && frames->head[0] > 1)
        return broken(fault, "sends what is not a gRPC message");
    if (frames->n_head > 0 && frames->head[0] == 1 && !frames->gzip)
        return broken(fault, "sends a compressed message without grpc-encoding: gzip");
    if (is_too_long(frames))
        return too_long(frames, length_of(frames), fault);
    return is_open(frames) ? FRAMES_MORE : give(frames, out, fault);
}

bool frames_is_inside(const struct frames *frames, size_t *have, size_t *want)
{
    *have = frames->body.len;
    *want = frames->n_head == FRAME_HEAD ? length_of(frames) : 0;
    return frames->n_head > 0;
}

void frames_release(struct frames *frames)
{
    free(frames->body.data);
    free(frames->rest);
    *frames = (struct frames){.limit = frames->limit};
}
