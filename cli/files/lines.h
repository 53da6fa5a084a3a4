/* lines.h - a file line by line, of any size, in bounded memory. */
#ifndef XDS_CLI_LINES_H
#define XDS_CLI_LINES_H

#include "include/xdscope.h"

#include <stdio.h>

/* A longer line is skipped, unless struct lines says otherwise. */
#define LINE_MAX_BYTES ((size_t)1 << 20)

struct lines {
    int fd;
    size_t most; /* bytes of a line; may be set before the first one */
    /* NULL, or called before each read, which may wait for the writer. */
    void (*before_read)(void *user);
    void *user;
    char *buffer; /* the unread bytes are [begin, end) */
    size_t cap, begin, end;
    size_t looked; /* how many of them are known to be no end of a line */
    size_t number; /* of the line given last, from 1 */
};

enum line_status { LINE_READ, LINE_TOO_LONG, LINE_END, LINE_ERROR /* see errno */ };

/* False when there is no memory. The file stays the caller's; nothing was read of it. */
bool lines_open(struct lines *lines, FILE *file);
void lines_close(struct lines *lines);
/* The next line without its end, with a NUL after it; it lives until the next call. */
enum line_status lines_next(struct lines *lines, struct xds_slice *line);

#endif
