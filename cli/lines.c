/*
 * lines.c - a file line by line, of any size, in bounded memory.
 *
 * Takes:  an open file.
 * Gives:  one line after the other, in one buffer.
 * Fails:  with LINE_ERROR when the file cannot be read; the lines before it were given.
 */
#include "cli/lines.h"

#include <stdlib.h>
#include <string.h>

#define BUFFER_BYTES (LINE_MAX_BYTES + 4096)

bool lines_open(struct lines *lines, FILE *file)
{
    *lines = (struct lines){.file = file, .buffer = malloc(BUFFER_BYTES + 1)};
    return lines->buffer != NULL;
}

void lines_close(struct lines *lines)
{
    free(lines->buffer);
}

/* More bytes behind the unread ones, which move to the front. False at the end. */
static bool fill(struct lines *lines)
{
    const size_t kept = lines->end - lines->begin;

    memmove(lines->buffer, lines->buffer + lines->begin, kept);
    lines->begin = 0;
    lines->end = kept;
    const size_t n = fread(lines->buffer + kept, 1, BUFFER_BYTES - kept, lines->file);
    lines->end += n;
    return n > 0;
}

/* The line's length without its end, or all unread bytes when there is no end yet. */
static size_t measure(const struct lines *lines, bool *complete)
{
    const char *from = lines->buffer + lines->begin;
    const size_t left = lines->end - lines->begin;
    const char *end = left > 0 ? memchr(from, '\n', left) : NULL;

    *complete = end != NULL;
    return end ? (size_t)(end - from) : left;
}

static enum line_status give(struct lines *lines, size_t len, bool complete,
                             struct xds_slice *line)
{
    char *text = lines->buffer + lines->begin;

    lines->begin += complete ? len + 1 : len;
    lines->number++;
    if (len > LINE_MAX_BYTES)
        return LINE_TOO_LONG;
    if (len > 0 && text[len - 1] == '\r')
        len--;
    text[len] = '\0';
    *line = (struct xds_slice){text, len};
    return LINE_READ;
}

/* The rest of a line that does not fit. */
static enum line_status skip(struct lines *lines)
{
    bool complete;

    lines->number++;
    do {
        const size_t len = measure(lines, &complete);
        lines->begin += complete ? len + 1 : len;
    } while (!complete && fill(lines));
    return LINE_TOO_LONG;
}

enum line_status lines_next(struct lines *lines, struct xds_slice *line)
{
    for (;;) {
        bool complete;
        const size_t len = measure(lines, &complete);

        if (complete)
            return give(lines, len, true, line);
        if (len > LINE_MAX_BYTES)
            return skip(lines);
        if (fill(lines))
            continue;
        if (ferror(lines->file))
            return LINE_ERROR;
        return len > 0 ? give(lines, len, false, line) : LINE_END;
    }
}
