/*
 * text.c - positions of a text: as offsets, as the protocol counts, as places do.
 *
 * Source: LSP 3.17, "Text Documents" and "Position": lines end with \n, \r\n or \r, and a
 *         character is a unit of UTF-16 unless the client asks for another encoding.
 */
#include "cli/lsp/lsp.h"

#include <stdlib.h>
#include <string.h>

static bool is_tail(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* Bytes of the character at the offset: of valid UTF-8, as all text here. */
static size_t char_len(const struct lsp_text *text, size_t at, size_t end)
{
    size_t n = 1;

    while (at + n < end && n < 4 && is_tail(text->data[at + n]))
        n++;
    return n;
}

static uint32_t units(size_t bytes, enum lsp_encoding encoding)
{
    switch (encoding) {
    case LSP_UTF8:
        return (uint32_t)bytes;
    case LSP_UTF16:
        return bytes == 4 ? 2 : 1;
    case LSP_UTF32:
        break;
    }
    return 1;
}

static bool ends_line(const char *data, size_t len, size_t i)
{
    return data[i] == '\n' || (data[i] == '\r' && (i + 1 == len || data[i + 1] != '\n'));
}

/* Where the next line begins; beyond the text after the last one. Few texts have a \r. */
static size_t next_line(const char *data, size_t len, size_t i, bool has_return)
{
    if (!has_return) {
        const char *end = memchr(data + i, '\n', len - i);

        return end ? (size_t)(end - data) + 1 : len + 1;
    }
    while (i < len && !ends_line(data, len, i))
        i++;
    return i + 1;
}

/* Offsets of the first bytes of all lines. */
static size_t *find_lines(const char *data, size_t len, size_t *n)
{
    const bool has_return = memchr(data, '\r', len) != NULL;
    size_t count = 0;

    for (size_t i = 0; i <= len; i = next_line(data, len, i, has_return))
        count++;
    size_t *lines = lsp_alloc(count * sizeof *lines);

    if (!lines)
        return NULL;
    *n = 0;
    for (size_t i = 0; i <= len; i = next_line(data, len, i, has_return))
        lines[(*n)++] = i;
    return lines;
}

bool lsp_text_set(struct lsp_text *text, char *data, size_t len)
{
    lsp_text_release(text);
    text->data = data;
    text->len = len;
    text->lines = find_lines(data, len, &text->n_lines);
    if (text->lines)
        return true;
    lsp_text_release(text);
    return false;
}

void lsp_text_release(struct lsp_text *text)
{
    free(text->lines);
    free(text->data);
    *text = (struct lsp_text){.data = NULL};
}

/* The last of the lines that begins at the offset or in front of it. */
static size_t line_of(const size_t *lines, size_t n, size_t offset)
{
    size_t low = 0, high = n;

    while (high - low > 1) {
        const size_t mid = low + (high - low) / 2;

        if (lines[mid] <= offset)
            low = mid;
        else
            high = mid;
    }
    return low;
}

/* Without what ends it. */
static size_t end_of_line(const struct lsp_text *text, size_t line)
{
    size_t end = line + 1 < text->n_lines ? text->lines[line + 1] : text->len;

    while (end > text->lines[line] &&
           (text->data[end - 1] == '\n' || text->data[end - 1] == '\r'))
        end--;
    return end;
}

size_t lsp_text_offset(const struct lsp_text *text, struct lsp_position at,
                       enum lsp_encoding encoding)
{
    uint32_t passed = 0;

    if (text->n_lines == 0 || at.line >= text->n_lines)
        return text->len;
    size_t offset = text->lines[at.line];
    const size_t end = end_of_line(text, at.line);

    while (offset < end && passed < at.character) {
        const size_t len = char_len(text, offset, end);

        passed += units(len, encoding);
        offset += len;
    }
    return offset;
}

struct lsp_position lsp_text_position(const struct lsp_text *text, size_t offset,
                                      enum lsp_encoding encoding)
{
    if (text->n_lines == 0)
        return (struct lsp_position){0, 0};
    const size_t line = line_of(text->lines, text->n_lines, offset);
    struct lsp_position at = {(uint32_t)line, 0};

    /* Of valid UTF-8 the first byte says how long a character is. Lines may be long. */
    for (size_t i = text->lines[line]; i < offset && i < text->len; i++)
        at.character += encoding == LSP_UTF8 ? 1
                                             : (uint32_t)!is_tail(text->data[i]) +
                                                   (encoding == LSP_UTF16 &&
                                                    (unsigned char)text->data[i] >= 0xF0);
    return at;
}

/* A byte order mark has no column. */
static size_t begin_of_line(const struct lsp_text *text, size_t line)
{
    const bool has_mark =
        line == 0 && text->len >= 3 && memcmp(text->data, "\xEF\xBB\xBF", 3) == 0;

    return text->lines[line] + (has_mark ? 3 : 0);
}

size_t lsp_text_place(const struct lsp_text *text, uint32_t line, uint32_t column)
{
    if (line == 0 || line > text->n_lines)
        return line == 0 ? 0 : text->len;
    size_t offset = begin_of_line(text, line - 1);

    for (uint32_t i = 0; offset < text->len && text->data[offset] != '\n'; offset++) {
        i += !is_tail(text->data[offset]);
        if (i >= column)
            break;
    }
    return offset;
}

void lsp_text_find_place(const struct lsp_text *text, size_t offset, uint32_t *line,
                         uint32_t *column)
{
    *line = *column = 1;
    if (text->n_lines == 0)
        return;
    const size_t at = line_of(text->lines, text->n_lines, offset);

    *line = (uint32_t)at + 1;
    for (size_t i = begin_of_line(text, at); i < offset && i < text->len; (*column)++)
        i += char_len(text, i, text->len);
}

size_t lsp_text_line(const struct lsp_text *text, size_t offset)
{
    return text->n_lines ? text->lines[line_of(text->lines, text->n_lines, offset)] : 0;
}
