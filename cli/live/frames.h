/*
 * frames.h - bytes of a gRPC stream to messages.
 *
 * Takes:  bytes in pieces as they come.
 * Gives:  whole messages, inflated.
 * Source: gRPC over HTTP/2: Length-Prefixed-Message, Message-Encoding.
 *
 * Nothing is allocated by a length that has not arrived: a buffer is at most twice as
 * large as what is in it.
 */
#ifndef XDS_CLI_LIVE_FRAMES_H
#define XDS_CLI_LIVE_FRAMES_H

#include "cli/live/live.h"

enum { FRAME_HEAD = 5 }; /* compressed or not, and the length */

struct frames {
    size_t limit; /* of a message, as it comes and inflated */
    bool gzip;    /* what compressed messages are in; else nothing is */
    unsigned char head[FRAME_HEAD];
    size_t n_head;
    struct live_message body; /* what has come of it */
    size_t cap;
    /* What came after a whole message that was not taken yet. */
    char *rest;
    size_t rest_at, rest_len, rest_cap;
};

enum frames_status {
    FRAMES_MORE, /* no message is whole yet */
    FRAMES_MESSAGE,
    FRAMES_BROKEN, /* for good; *fault says why */
    FRAMES_NO_MEMORY,
};

/* Some more bytes. False when there is no memory. What is refused is said by
 * frames_next(). */
bool frames_add(struct frames *frames, const char *data, size_t len);
/* The next message, which is the caller's. */
enum frames_status frames_next(struct frames *frames, struct live_message *out,
                               struct live_error *fault);
/* Has a message begun that is not whole? Then *have of *want bytes are there. */
bool frames_is_inside(const struct frames *frames, size_t *have, size_t *want);
void frames_release(struct frames *frames);

#endif
