/*
 * buffer.c - the window on an input.
 *
 * Fails:  with .error on a failed read or no memory, with .full when the stretch is
 *         larger than XDS_MAX_RESOURCE_BYTES.
 */
#include "source/reader.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "source/json/scan.h"
#include "source/unpack.h"

#define FIRST_ROOM ((size_t)256 << 10)
#define LARGEST_READ FIRST_ROOM

void xds_buffer_open(struct xds_buffer *in, int fd, uint32_t file)
{
    char *room = in->room;
    const size_t cap = in->cap;

    xds_unpack_free(in->unpack);
    *in = (struct xds_buffer){.fd = fd,
                              .data = room,
                              .room = room,
                              .cap = cap,
                              .file = file,
                              .has_lines = true,
                              .line = 1,
                              .column = 1};
}

void xds_buffer_open_bytes(struct xds_buffer *in, struct xds_slice bytes, uint32_t file)
{
    xds_buffer_open(in, -1, file);
    in->data = bytes.data;
    in->end = bytes.len;
    in->eof = true;
}

void xds_buffer_release(struct xds_buffer *in)
{
    xds_unpack_free(in->unpack);
    free(in->room);
    *in = (struct xds_buffer){.fd = -1};
}

bool xds_buffer_unpack(struct xds_buffer *in)
{
    const struct xds_slice begin = xds_buffer_from(in, 0);

    if (!xds_unpack_is_packed(begin))
        return true;
    in->unpack = xds_unpack_new(in->fd, begin);
    if (!in->unpack)
        return false;
    in->data = in->room;
    in->end = 0;
    in->eof = false;
    return true;
}

struct xds_slice xds_buffer_part(const struct xds_buffer *in, size_t at, size_t end)
{
    if (!in->data)
        return (struct xds_slice){NULL, 0};
    return xds_slice_make(in->data + (at - in->begin), end - at);
}

struct xds_slice xds_buffer_from(const struct xds_buffer *in, size_t at)
{
    return xds_buffer_part(in, at, in->end);
}

static uint32_t add_count(uint32_t to, size_t n)
{
    return n > UINT32_MAX - to ? UINT32_MAX : to + (uint32_t)n;
}

/* Move the counted line and column on to an offset. */
static void count_to(struct xds_buffer *in, size_t at)
{
    if (at <= in->counted || !in->has_lines)
        return;
    const struct xds_scan_lines lines =
        xds_scan_lines(xds_buffer_part(in, in->counted, at));

    if (lines.newlines)
        in->column = 1;
    in->line = add_count(in->line, lines.newlines);
    in->column = add_count(in->column, lines.code_points);
    in->counted = at;
}

struct xds_place xds_buffer_count(struct xds_buffer *in, size_t at)
{
    count_to(in, at);
    return (struct xds_place){in->file, in->line, in->column, in->line,
                              add_count(in->column, 1)};
}

struct xds_place xds_buffer_place(const struct xds_buffer *in, size_t at)
{
    struct xds_buffer copy = *in;

    return xds_buffer_count(&copy, at);
}

static bool grow(struct xds_buffer *in)
{
    const size_t cap = in->cap ? in->cap * 2 : FIRST_ROOM;
    char *room = realloc(in->room, cap);

    if (!room) {
        in->error = ENOMEM;
        in->eof = true;
        return false;
    }
    in->data = in->room = room;
    in->cap = cap;
    return true;
}

/* Free room at the end of the window. It is moved as soon as that frees as much as it
 * copies, and half a read: the bytes are near the processor then, and few pages are in
 * use. */
static bool make_room(struct xds_buffer *in)
{
    const size_t kept = in->end - in->keep, freed = in->keep - in->begin;

    if (kept > XDS_MAX_RESOURCE_BYTES) {
        in->full = true;
        return false;
    }
    if (freed >= kept && freed >= LARGEST_READ / 2) {
        /* Give up what is before keep. */
        count_to(in, in->keep);
        if (in->keep < in->end)
            memmove(in->room, in->room + (in->keep - in->begin), in->end - in->keep);
        in->begin = in->keep;
        return true;
    }
    return in->end - in->begin < in->cap || grow(in);
}

bool xds_buffer_more(struct xds_buffer *in)
{
    if (in->eof || !make_room(in))
        return false;
    const size_t used = in->end - in->begin, room = in->cap - used;
    const size_t most = room < LARGEST_READ ? room : LARGEST_READ;
    ssize_t n;

    do {
        n = in->unpack ? xds_unpack_read(in->unpack, in->room + used, most, &in->fault)
                       : read(in->fd, in->room + used, most);
    } while (n < 0 && errno == EINTR);
    if (n < 0)
        in->error = errno;
    if (n <= 0) {
        in->eof = true;
        return false;
    }
    in->end += (size_t)n;
    return true;
}

bool xds_buffer_need(struct xds_buffer *in, size_t at, size_t n)
{
    while (in->end - at < n) {
        if (!xds_buffer_more(in))
            return false;
    }
    return true;
}

size_t xds_buffer_skip_mark(struct xds_buffer *in)
{
    const struct xds_slice mark = XDS_S("\xEF\xBB\xBF");

    if (!xds_buffer_need(in, 0, mark.len) ||
        !xds_slice_starts(xds_buffer_from(in, 0), mark))
        return 0;
    in->counted = mark.len;
    return mark.len;
}
