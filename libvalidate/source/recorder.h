/*
 * recorder.h - a reader over tokens that come one by one: YAML and text proto.
 *
 * Tokens that were seen after a mark come again, and those of a resource are kept
 * together, with their text.
 */
#ifndef XDS_SOURCE_RECORDER_H
#define XDS_SOURCE_RECORDER_H

#include "source/buffer.h"
#include "source/reader.h"
#include "source/token_list.h"

struct xds_recorder;

/* Where the tokens come from. */
struct xds_recorder_ops {
    /* To the next document; false when there is none. */
    bool (*begin)(struct xds_recorder *);
    /* The next token. An XDS_TOKEN_ERROR, whose `begin` is the enum xds_rule_id, stands
     * for one value, unless `over` is set with it. Text lives until the next call. */
    void (*next)(struct xds_recorder *, struct xds_token *out);
    /* What is read now is another resource: limits of one begin anew. */
    void (*renew)(struct xds_recorder *);
    /* The offset of what was not read yet. */
    size_t (*pos)(const struct xds_recorder *);
};

struct xds_recorder {
    struct xds_reader reader; /* first member */
    const struct xds_recorder_ops *ops;
    struct xds_buffer *in;
    bool over;     /* an error ended the document; the same token comes again */
    bool oversize; /* the error is that the value in work is too large */
    struct xds_arena queued, tokens;
    struct xds_token_list queue; /* seen ahead: from `next` on they come again */
    size_t queued_text;          /* bytes */
    size_t next, marked;
    bool recording;
    struct xds_token_list taken; /* of the resource taken last; the first has its end */
};

/* The first time, all zero. */
void xds_recorder_open(struct xds_recorder *recorder, const struct xds_recorder_ops *ops,
                       struct xds_buffer *in, struct xds_arena *scratch);
void xds_recorder_release(struct xds_recorder *recorder);

#endif
