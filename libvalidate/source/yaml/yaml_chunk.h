/*
 * yaml_chunk.h - a YAML input cut at its document markers.
 *
 * libyaml cannot continue after an error, so each document gets a parser of its own. A
 * line that begins with "---" is a document marker wherever it is (YAML 1.2.2, 9.1.2).
 */
#ifndef XDS_SOURCE_YAML_YAML_CHUNK_H
#define XDS_SOURCE_YAML_YAML_CHUNK_H

#include "source/buffer.h"
#include "source/comments.h"

#define XDS_YAML_BLOCKS 4 /* libyaml reads ahead by less than so many of them */
#define XDS_YAML_NOWHERE SIZE_MAX
#define XDS_YAML_PREFIX 8192

/* Where a read of the parser began: a byte of the input, and a character of the chunk. */
struct xds_yaml_block {
    size_t offset, index;
};

struct xds_yaml_chunk {
    struct xds_buffer *in;
    size_t begin;      /* of the chunk in the input */
    size_t pos;        /* what was handed out */
    uint32_t lines;    /* complete lines in front of pos */
    size_t first_line; /* lines in front of what the parser reads; may be "negative" */
    size_t fed;        /* where its first byte is: before the input, maybe */
    uint32_t looked;   /* the last line that was looked at for a comment */
    bool in_line;      /* pos is not the begin of a line */
    bool directive;    /* the last line was a directive: its "---" belongs to it */
    bool ended;
    size_t unanswered; /* bytes handed out since the parser last gave an event */
    bool too_large;    /* ... were too many */
    size_t characters; /* handed out */
    size_t most;       /* that may be handed out at once: more and more */
    size_t prefix_len; /* handed out before anything else */
    char prefix[XDS_YAML_PREFIX];
    struct xds_yaml_block block[XDS_YAML_BLOCKS]; /* the latest first */
    struct xds_comments comments;
};

void xds_yaml_chunk_open(struct xds_yaml_chunk *chunk, struct xds_buffer *in);
/* A yaml_read_handler_t; data is the chunk. */
int xds_yaml_chunk_read(void *data, unsigned char *buffer, size_t size, size_t *length);
/* The byte of the input at which a character of the chunk is that was handed out
 * lately; else XDS_YAML_NOWHERE. */
size_t xds_yaml_chunk_offset(struct xds_yaml_chunk *chunk, size_t index);

/* ---- for a reader that does without the parser ---- */

/* The text from an offset of the chunk on: so many bytes of it, or up to the end of the
 * input. */
struct xds_slice xds_yaml_chunk_from(struct xds_yaml_chunk *chunk, size_t at, size_t n);
/* At the begin of a line: does the next chunk begin there? */
bool xds_yaml_chunk_ends_at(const struct xds_yaml_chunk *chunk, size_t at);
/* Lines in front of an offset that was handed out. */
uint32_t xds_yaml_chunk_line_at(const struct xds_yaml_chunk *chunk, size_t at);
/* A line of content was read; what is handed out next begins after `lines` lines. */
void xds_yaml_chunk_pass(struct xds_yaml_chunk *chunk, uint32_t line, size_t to,
                         uint32_t lines);
/* A new parser is to read on, after a prefix of so many bytes and lines. */
void xds_yaml_chunk_restart(struct xds_yaml_chunk *chunk, size_t prefix_len,
                            size_t lines);

/* Drop what is left of the chunk and begin the next one; false at the end. */
bool xds_yaml_chunk_next(struct xds_yaml_chunk *chunk);

#endif
