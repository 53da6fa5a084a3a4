/*
 * yaml_chunk.c - a YAML input cut at its document markers.
 *
 * Fails:  when libyaml asks for more than one resource may have without an event.
 */
#include "source/yaml/yaml.h"

#include "base/limits.h"
#include "source/json/scan.h"

/* libyaml reads ahead by less than this; a fault it finds can still be placed. */
#define STILL_NEEDED ((size_t)64 << 10)

/* A parser may be needed for a few lines only, and reads all it is given at once. */
#define FIRST_READ ((size_t)256)

void xds_yaml_chunk_open(struct xds_yaml_chunk *chunk, struct xds_buffer *in)
{
    *chunk =
        (struct xds_yaml_chunk){.in = in, .pos = xds_buffer_skip_mark(in), .ended = true};
}

static void keep_back_from(struct xds_yaml_chunk *chunk, size_t at)
{
    const size_t back = at - chunk->in->begin;

    chunk->in->keep = at - (back < STILL_NEEDED ? back : STILL_NEEDED);
}

static bool have(struct xds_yaml_chunk *chunk, size_t n)
{
    keep_back_from(chunk, chunk->pos);
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

/* At the begin of a line: what may be a comment in it. */
static void look_for_comment(struct xds_yaml_chunk *chunk)
{
    if (!chunk->comments.report || chunk->lines < chunk->looked)
        return;
    chunk->looked = chunk->lines + 1;
    (void)have(chunk, XDS_COMMENT_REACH);
    xds_comments_line(&chunk->comments, chunk->in->file, chunk->lines + 1,
                      xds_buffer_from(chunk->in, chunk->pos));
}

/* ---- lines with nothing but content ---- */

/* A line that begins so may be more than content: a marker, a directive, blank. */
static bool is_plain_line(struct xds_slice line)
{
    if (line.data[0] == '-')
        return line.len > 3 && memcmp(line.data, "---", 3) != 0;
    return !memchr("%#\r\n", line.data[0], 4);
}

/* The lines in front of the first one with a '#'. */
static struct xds_slice without_comments(struct xds_slice text)
{
    text.len = xds_slice_find(text, '#');
    while (text.len && text.data[text.len - 1] != '\n')
        text.len--;
    return text;
}

/* At the begin of a line: most lines can be handed out together, as each of them would
 * be. Empty when the first one needs a closer look. */
static struct xds_slice plain_lines(struct xds_yaml_chunk *chunk, size_t most)
{
    struct xds_slice text = xds_buffer_from(chunk->in, chunk->pos);
    size_t n = 0;

    if (text.len > most)
        text.len = most;
    if (chunk->comments.report)
        text = xds_comments_want_line(&chunk->comments) ? xds_slice_make(text.data, 0)
                                                        : without_comments(text);
    while (n < text.len && is_plain_line(xds_slice_from(text, n))) {
        const char *end = memchr(text.data + n, '\n', text.len - n);

        if (!end)
            break;
        n = (size_t)(end + 1 - text.data);
        chunk->lines++;
    }
    if (n > 0)
        chunk->directive = false;
    return xds_slice_make(text.data, n);
}

/* ---- pieces ---- */

static struct xds_slice next_line(struct xds_yaml_chunk *chunk, size_t most)
{
    if (!chunk->in_line)
        look_for_comment(chunk);

    /* Up to and with the end of the line, or as much as there is room for. */
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

/* The next piece of the chunk; empty at its end. */
static struct xds_slice next_piece(struct xds_yaml_chunk *chunk, size_t most)
{
    const struct xds_slice nothing = {NULL, 0};
    const bool new_line = !chunk->in_line;

    if (chunk->ended || !have(chunk, 1) || (new_line && next_begins(chunk))) {
        chunk->ended = true;
        return nothing;
    }
    struct xds_slice piece = new_line ? plain_lines(chunk, most) : nothing;
    if (piece.len == 0)
        piece = next_line(chunk, most);
    chunk->pos += piece.len;
    return piece;
}

/* ---- where characters are ---- */

static bool begins_character(char c)
{
    return ((unsigned char)c & 0xC0) != 0x80;
}

static size_t count_characters(const unsigned char *text, size_t len)
{
    size_t n = 0;

    for (size_t i = 0; i < len; i++)
        n += begins_character((char)text[i]);
    return n;
}

/* Move the begin of a block on to a character in it: the next one that is asked for
 * is after that, as a rule. */
static void move_block(const struct xds_yaml_chunk *chunk, struct xds_yaml_block *block,
                       size_t index)
{
    const struct xds_slice text = xds_buffer_from(chunk->in, block->offset);
    size_t i = 0;

    for (; i < text.len; i++)
        if (begins_character(text.data[i]) && block->index++ == index)
            break;
    block->offset += i;
    block->index = index;
}

size_t xds_yaml_chunk_offset(struct xds_yaml_chunk *chunk, size_t index)
{
    struct xds_yaml_block end = {chunk->pos, chunk->characters};
    size_t i = 0;

    while (i < XDS_YAML_BLOCKS && chunk->block[i].index > index)
        end = chunk->block[i++];
    if (i == XDS_YAML_BLOCKS)
        return XDS_YAML_NOWHERE;
    struct xds_yaml_block *block = &chunk->block[i];
    if (end.offset - block->offset == end.index - block->index) /* nothing but ASCII */
        return block->offset + (index - block->index);
    if (block->offset < chunk->in->begin)
        return XDS_YAML_NOWHERE;
    move_block(chunk, block, index);
    return block->offset;
}

/* ---- without the parser ---- */

struct xds_slice xds_yaml_chunk_from(struct xds_yaml_chunk *chunk, size_t at, size_t n)
{
    struct xds_buffer *in = chunk->in;

    if (in->end - at < n && !in->eof) {
        keep_back_from(chunk, at);
        (void)xds_buffer_need(in, at, n);
    }
    return xds_buffer_from(in, at);
}

bool xds_yaml_chunk_ends_at(const struct xds_yaml_chunk *chunk, size_t at)
{
    return at > chunk->begin && is_marker(xds_buffer_from(chunk->in, at));
}

uint32_t xds_yaml_chunk_line_at(const struct xds_yaml_chunk *chunk, size_t at)
{
    const struct xds_scan_lines lines =
        xds_scan_lines(xds_buffer_part(chunk->in, at, chunk->pos));

    return chunk->lines - (uint32_t)lines.newlines;
}

void xds_yaml_chunk_pass(struct xds_yaml_chunk *chunk, uint32_t line, size_t to,
                         uint32_t lines)
{
    if (line >= chunk->looked && chunk->comments.report &&
        xds_comments_want_line(&chunk->comments))
        xds_comments_content(&chunk->comments, line + 1);
    chunk->pos = to;
    chunk->lines = lines;
    chunk->ended = chunk->in_line = chunk->directive = false;
}

void xds_yaml_chunk_restart(struct xds_yaml_chunk *chunk, size_t prefix_len, size_t lines)
{
    chunk->first_line = chunk->lines - lines;
    chunk->fed = chunk->pos - prefix_len;
    chunk->prefix_len = prefix_len;
    chunk->most = FIRST_READ;
    chunk->unanswered = chunk->characters = 0;
    for (size_t i = 0; i < XDS_YAML_BLOCKS; i++)
        chunk->block[i] = (struct xds_yaml_block){chunk->pos, prefix_len};
}

/* ---- for libyaml ---- */

int xds_yaml_chunk_read(void *data, unsigned char *buffer, size_t size, size_t *length)
{
    struct xds_yaml_chunk *chunk = data;
    const size_t begin = chunk->pos;
    const size_t most = size < chunk->most ? size : chunk->most;
    size_t n = 0;

    if (chunk->prefix_len > 0) {
        /* libyaml has room for it, and more. */
        *length = chunk->prefix_len < size ? chunk->prefix_len : size;
        memcpy(buffer, chunk->prefix, *length);
        chunk->characters = *length;
        chunk->prefix_len = 0;
        return 1;
    }
    if (chunk->most < size)
        chunk->most *= 2;
    while (n < most) {
        const struct xds_slice piece = next_piece(chunk, most - n);

        if (piece.len == 0)
            break;
        memcpy(buffer + n, piece.data, piece.len);
        n += piece.len;
    }
    *length = n;
    if (n > 0) {
        memmove(chunk->block + 1, chunk->block,
                sizeof chunk->block - sizeof chunk->block[0]);
        chunk->block[0] = (struct xds_yaml_block){begin, chunk->characters};
    }
    chunk->characters += count_characters(buffer, n);
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
    chunk->ended = chunk->in_line = chunk->directive = chunk->too_large = false;
    xds_yaml_chunk_restart(chunk, 0, 0);
    return true;
}
