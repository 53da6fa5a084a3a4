/* lines.h - a file line by line, of any size, in bounded memory. */
#ifndef XDS_CLI_LINES_H
#define XDS_CLI_LINES_H

#include "include/xdscope.h"

#include <stdio.h>

/* A longer line is passed over. */
#define LINE_MAX_BYTES ((size_t)1 << 20)

struct lines {
    FILE *file;
    char *buffer; /* the unread bytes are [begin, end) */
    size_t begin, end;
    size_t number; /* of the line given last, from 1 */
};

enum line_status { LINE_READ, LINE_TOO_LONG, LINE_END, LINE_ERROR /* see errno */ };

/* False when there is no memory. The file stays the caller's. */
bool lines_open(struct lines *lines, FILE *file);
void lines_close(struct lines *lines);
/* The next line without its end, with a NUL behind it; it lives until the next call. */
enum line_status lines_next(struct lines *lines, struct xds_slice *line);

#endif
