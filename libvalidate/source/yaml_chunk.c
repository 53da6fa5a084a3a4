/*
 * yaml_chunk.c - a YAML input cut at its document markers.
 *
 * Takes:  a buffer that rolls over the text.
 * Gives:  bytes to libyaml, up to the next marker.
 * Fails:  when libyaml asks for more than one resource may have without an event.
 */
#include "source/yaml_chunk.h"

#include "base/limits.h"

/* libyaml reads ahead by less than this; a fault it finds can still be placed. */
#define STILL_NEEDED ((size_t)64 << 10)

void xds_yaml_chunk_open(struct xds_yaml_chunk *chunk, struct xds_buffer *in)
{
    *chunk =
        (struct xds_yaml_chunk){.in = in, .pos = xds_buffer_skip_mark(in), .ended = true};
}

static bool have(struct xds_yaml_chunk *chunk, size_t n)
{
    const size_t back = chunk->pos - chunk->in->begin;

    chunk->in->keep = chunk->pos - (back < STILL_NEEDED ? back : STILL_NEEDED);
    return xds_buffer_need(chunk->in, chunk->pos, n);
}

static bool is_marker(struct xds_slice line)
{
    return xds_slice_starts(line, XDS_S("---")) &&
           (line.len == 3 || line.data[3] == ' ' || line.data[3] == '\t' ||
            line.data[3] == '\n' || line.data[3] == '\r');
}

/* At the begin of a line: does the next document begin here? */
static bool next_begins(struct xds_yaml_chunk *chunk)
{
    have(chunk, 4);
    const struct xds_slice line = xds_buffer_from(chunk->in, chunk->pos);
    const bool marker = is_marker(line);
    const bool cut = marker && chunk->pos > chunk->begin && !chunk->directive;
    const bool blank =
        line.len && (line.data[0] == '#' || line.data[0] == '\n' || line.data[0] == '\r');

    if (!blank)
        chunk->directive = line.len && line.data[0] == '%';
    return cut;
}

/* Up to and with the end of the line, or as much as there is room for. */
static struct xds_slice rest_of_line(struct xds_yaml_chunk *chunk, size_t most)
{
    struct xds_slice text = xds_buffer_from(chunk->in, chunk->pos);

    if (text.len > most)
        text.len = most;
    const size_t newline = xds_slice_find(text, '\n');
    if (newline < text.len) {
        text.len = newline + 1;
        chunk->lines++;
    }
    chunk->in_line = newline >= text.len;
    return text;
}

/* At the begin of a line: what may be a comment in it. */
static void look_for_comment(struct xds_yaml_chunk *chunk)
{
    if (!chunk->comments.report)
        return;
    (void)have(chunk, XDS_COMMENT_REACH);
    xds_comments_line(&chunk->comments, chunk->in->file, chunk->lines + 1,
                      xds_buffer_from(chunk->in, chunk->pos));
}

/* The next piece of the chunk; empty at its end. */
static struct xds_slice next_piece(struct xds_yaml_chunk *chunk, size_t most)
{
    const struct xds_slice nothing = {NULL, 0};
    const bool new_line = !chunk->in_line;

    if (chunk->ended || !have(chunk, 1) || (new_line && next_begins(chunk))) {
        chunk->ended = true;
        return nothing;
    }
    if (new_line)
        look_for_comment(chunk);
    const struct xds_slice piece = rest_of_line(chunk, most);
    chunk->pos += piece.len;
    return piece;
}

int xds_yaml_chunk_read(void *data, unsigned char *buffer, size_t size, size_t *length)
{
    struct xds_yaml_chunk *chunk = data;
    size_t n = 0;

    while (n < size) {
        const struct xds_slice piece = next_piece(chunk, size - n);

        if (piece.len == 0)
            break;
        memcpy(buffer + n, piece.data, piece.len);
        n += piece.len;
    }
    *length = n;
    chunk->unanswered += n;
    chunk->too_large = chunk->unanswered > XDS_MAX_RESOURCE_BYTES;
    return !chunk->too_large;
}

bool xds_yaml_chunk_next(struct xds_yaml_chunk *chunk)
{
    while (next_piece(chunk, SIZE_MAX).len)
        continue;
    if (!have(chunk, 1))
        return false;
    chunk->begin = chunk->pos;
    chunk->first_line = chunk->lines;
    chunk->ended = chunk->in_line = chunk->directive = false;
    chunk->unanswered = 0;
    chunk->too_large = false;
    return true;
}
