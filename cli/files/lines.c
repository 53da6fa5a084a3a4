/*
 * lines.c - a file line by line, of any size, in bounded memory.
 *
 * Fails:  with LINE_ERROR when the file cannot be read, or a line needs memory that there
 *         is not; the lines before it were given.
 */
#include "cli/files/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_BYTES ((size_t)256 << 10)

bool lines_open(struct lines *lines, FILE *file)
{
    *lines = (struct lines){.fd = fileno(file),
                            .most = LINE_MAX_BYTES,
                            .buffer = malloc(FIRST_BYTES),
                            .cap = FIRST_BYTES};
    return lines->buffer != NULL;
}

void lines_close(struct lines *lines)
{
    free(lines->buffer);
}

/* Room after the unread bytes, which move to the front, and for a NUL. */
static bool make_room(struct lines *lines)
{
    const size_t kept = lines->end - lines->begin;

    if (lines->begin > 0)
        memmove(lines->buffer, lines->buffer + lines->begin, kept);
    lines->begin = 0;
    lines->end = kept;
    if (kept + 1 < lines->cap)
        return true;
    char *larger = realloc(lines->buffer, 2 * lines->cap);

    if (!larger)
        return false;
    lines->buffer = larger;
    lines->cap *= 2;
    return true;
}

/* More bytes after the unread ones: how many, 0 at the end, below 0 with errno. */
static ssize_t fill(struct lines *lines)
{
    ssize_t n;

    if (!make_room(lines))
        return -1;
    if (lines->before_read)
        lines->before_read(lines->user);
    do {
        n = read(lines->fd, lines->buffer + lines->end, lines->cap - 1 - lines->end);
    } while (n < 0 && errno == EINTR);
    if (n > 0)
        lines->end += (size_t)n;
    return n;
}

/* The line's length without its end, or all unread bytes when there is no end yet. */
static size_t measure(struct lines *lines, bool *complete)
{
    const char *from = lines->buffer + lines->begin;
    const size_t left = lines->end - lines->begin;
    const char *end = memchr(from + lines->looked, '\n', left - lines->looked);

    *complete = end != NULL;
    lines->looked = end ? 0 : left;
    return end ? (size_t)(end - from) : left;
}

static enum line_status give(struct lines *lines, size_t len, bool complete,
                             struct xds_slice *line)
{
    char *text = lines->buffer + lines->begin;

    lines->begin += complete ? len + 1 : len;
    lines->looked = 0;
    lines->number++;
    if (len > lines->most)
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
        lines->looked = 0;
    } while (!complete && fill(lines) > 0);
    return LINE_TOO_LONG;
}

enum line_status lines_next(struct lines *lines, struct xds_slice *line)
{
    for (;;) {
        bool complete;
        const size_t len = measure(lines, &complete);

        if (complete)
            return give(lines, len, true, line);
        if (len > lines->most)
            return skip(lines);
        const ssize_t n = fill(lines);

        if (n < 0)
            return LINE_ERROR;
        if (n == 0)
            return len > 0 ? give(lines, len, false, line) : LINE_END;
    }
}
