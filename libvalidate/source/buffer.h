/*
 * buffer.h - a window that rolls over one input.
 *
 * Places in the input are byte offsets from its begin; they stay true while the window
 * moves. What is before `keep` may be given up by any call that reads on; pointers
 * into the window do not outlive such a call.
 */
#ifndef XDS_SOURCE_BUFFER_H
#define XDS_SOURCE_BUFFER_H

#include "base/slice.h"

struct xds_buffer {
    int fd; /* -1: bytes in memory, which are all there from the first */
    const char *data;
    char *room; /* what data points to, unless the bytes are the caller's */
    size_t cap;
    size_t begin, end; /* offsets of the window */
    size_t keep;       /* begin <= keep <= end */
    bool eof;          /* nothing comes after end */
    bool full;         /* a read was refused: keep holds XDS_MAX_RESOURCE_BYTES back */
    int error;         /* errno of a failed read, or 0; eof is set then too */
    uint32_t file;     /* of the places */
    bool has_lines;    /* false: no place will be asked for */
    size_t counted;    /* line and column are those of this offset */
    uint32_t line, column;
};

/* fd is borrowed. Room of an earlier input is used again: the first time, all zero. */
void xds_buffer_open(struct xds_buffer *in, int fd, uint32_t file);
void xds_buffer_open_bytes(struct xds_buffer *in, struct xds_slice bytes, uint32_t file);
void xds_buffer_release(struct xds_buffer *in);

/* Read on. False at the end of the input, after a failed read, or when full. */
bool xds_buffer_more(struct xds_buffer *in);
/* Read on until n bytes are after offset `at` or no more come; true when they do. */
bool xds_buffer_need(struct xds_buffer *in, size_t at, size_t n);
/* The size of a byte order mark at the begin of the input, or 0. It is no part of the
 * text: the first column is after it. */
size_t xds_buffer_skip_mark(struct xds_buffer *in);
/* The window from an offset on. */
struct xds_slice xds_buffer_from(const struct xds_buffer *in, size_t at);
/* The window between two offsets. */
struct xds_slice xds_buffer_part(const struct xds_buffer *in, size_t at, size_t end);
/* Line and column of an offset in the window. Offsets before one that was passed to
 * xds_buffer_count() are not known any longer. */
struct xds_place xds_buffer_place(const struct xds_buffer *in, size_t at);
/* The same, and begin the next count there. */
struct xds_place xds_buffer_count(struct xds_buffer *in, size_t at);

#endif
