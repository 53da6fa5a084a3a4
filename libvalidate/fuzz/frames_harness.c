/*
 * frames_harness.c - the bytes of a gRPC stream, at once and in pieces: the messages are
 * the same, and no buffer is larger than what has come allows.
 */
#include "cli/live/frames.h"
#include "fuzz/harness.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz/memory.h"

enum { LIMIT = 1 << 16, SLACK = 4096 };

/* What came of a stream: the messages with their lengths, and how it ended. */
struct outcome {
    struct xds_memory messages;
    enum frames_status status;
};

static void take_all(struct frames *f, struct outcome *o)
{
    struct live_message message;
    struct live_error fault;

    while (o->status == FRAMES_MORE) {
        const enum frames_status status = frames_next(f, &message, &fault);

        if (status == FRAMES_MORE)
            return;
        if (status == FRAMES_BROKEN || status == FRAMES_NO_MEMORY) {
            o->status = status;
            return;
        }
        if (message.len > LIMIT)
            xds_fuzz_fail("a message of %zu bytes is over the limit", message.len);
        xds_memory_print(&o->messages, "%zu:", message.len);
        (void)xds_memory_write(&o->messages, message.data, message.len);
        free(message.data);
    }
}

static void check_room(const struct frames *f, size_t came)
{
    if (f->cap > 2 * came + SLACK || f->rest_cap > 2 * came + SLACK)
        xds_fuzz_fail("after %zu bytes there is room for %zu and %zu", came, f->cap,
                      f->rest_cap);
}

/* Pieces of 1 to `most` bytes, whose lengths follow from the seed; 0: all at once. */
static struct outcome read_stream(const uint8_t *data, size_t size, bool gzip,
                                  size_t most, unsigned seed)
{
    struct frames f = {.limit = LIMIT, .gzip = gzip};
    struct outcome o = {.status = FRAMES_MORE};

    for (size_t at = 0; at < size;) {
        seed = seed * 1103515245u + 12345u;

        const size_t wanted = most ? 1 + (seed >> 8) % most : size;
        const size_t n = wanted < size - at ? wanted : size - at;

        if (!frames_add(&f, (const char *)data + at, n))
            abort();
        at += n;
        check_room(&f, at);
        take_all(&f, &o);
    }
    frames_release(&f);
    return o;
}

void xds_fuzz_frames(const uint8_t *data, size_t size)
{
    if (size < 2)
        return;

    const bool gzip = data[0] & 1;
    const size_t most = 1u << (data[0] >> 4);
    struct outcome whole = read_stream(data + 2, size - 2, gzip, 0, 0);
    struct outcome pieces = read_stream(data + 2, size - 2, gzip, most, data[1]);

    if (whole.status != pieces.status || whole.messages.len != pieces.messages.len ||
        (whole.messages.len > 0 &&
         memcmp(whole.messages.data, pieces.messages.data, whole.messages.len) != 0))
        xds_fuzz_fail("pieces of up to %zu bytes make other messages", most);
    free(whole.messages.data);
    free(pieces.messages.data);
}
