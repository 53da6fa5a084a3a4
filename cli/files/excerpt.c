/* excerpt.c - lines of input files, read once more for the excerpts below findings, and
 * results that show them. */
#include "cli/files/excerpt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Columns are counted in steps of so many bytes, a block at a time, and one by one where
 * the place is. */
enum { STEP = 512, BLOCK = 64 };

void excerpt_init(struct excerpt *excerpt)
{
    excerpt->name = NULL;
    excerpt->file = NULL;
    excerpt->secrets = NULL;
    excerpt->stdin_name = "-";
    excerpt->no_memory = false;
    excerpt->one_too_many = NULL;
}

static void close_file(struct excerpt *e)
{
    if (e->file)
        (void)fclose(e->file);
    e->file = NULL;
}

void excerpt_release(struct excerpt *excerpt)
{
    close_file(excerpt);
    xds_secrets_free(excerpt->secrets);
    excerpt->secrets = NULL;
    free(excerpt->name);
    excerpt->name = NULL;
}

/* ---- the window over the file ---- */

/* The bytes at hand, at least n unless the file ends before. */
static size_t have(struct excerpt *e, size_t n)
{
    if (e->len - e->at < n) {
        memmove(e->buffer, e->buffer + e->at, e->len - e->at);
        e->len -= e->at;
        e->at = 0;
        e->len += fread(e->buffer + e->len, 1, sizeof e->buffer - e->len, e->file);
    }
    return e->len - e->at;
}

/* A pipe was used up when it was judged, and opening it again could wait for ever. */
static FILE *open_regular(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISREG(info.st_mode) ? fopen(path, "rb") : NULL;
}

static bool is_named(const struct excerpt *e, struct xds_slice name)
{
    return e->name && is_text(name, e->name);
}

/* What may be shown is not known: nothing is. */
static bool find_secrets(struct excerpt *e)
{
    const enum xds_status status =
        xds_secrets_of_file(e->name, fileno(e->file), &e->secrets);

    e->no_memory |= status == XDS_ERR_NO_MEMORY;
    return status == XDS_OK && fseek(e->file, (long)e->len, SEEK_SET) == 0;
}

/* Of files that cannot be opened for other reasons there are no excerpts. */
static void note_limit(struct excerpt *e, int reason)
{
    e->no_memory |= reason == ENOMEM;
    if ((reason == EMFILE || reason == ENFILE) && !e->one_too_many) {
        e->one_too_many = strdup(e->name);
        e->no_memory |= !e->one_too_many;
    }
}

static void open_file(struct excerpt *e, struct xds_slice name)
{
    excerpt_release(e);
    e->name = strndup(name.data, name.len);
    e->no_memory |= !e->name;

    /* Standard input is never a file, whatever its name. */
    const bool is_input = is_text(name, "-") || is_text(name, e->stdin_name);

    if (is_input || !e->name)
        return;
    errno = 0;
    e->file = open_regular(e->name);
    if (!e->file) {
        note_limit(e, errno);
        return;
    }
    (void)setvbuf(e->file, NULL, _IONBF, 0); /* straight into ours */
}

static void start(struct excerpt *e, struct xds_slice name)
{
    const bool is_new = !is_named(e, name);

    if (is_new)
        open_file(e, name);
    e->line = e->column = 0;
    e->at = e->len = 0;
    e->at_line = e->at_column = 1;
    if (!e->file)
        return;
    rewind(e->file);
    if (have(e, 3) >= 3 && memcmp(e->buffer + e->at, "\xEF\xBB\xBF", 3) == 0)
        e->at += 3;
    if (memchr(e->buffer, '\0', e->len) ||
        is_packed((struct xds_slice){e->buffer, e->len}) || (is_new && !find_secrets(e)))
        close_file(e);
}

/* ---- places ---- */

static bool continues_character(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

static bool go_to_line(struct excerpt *e, uint32_t line)
{
    while (e->at_line < line && have(e, 1) > 0) {
        const char *from = e->buffer + e->at;
        const char *newline = memchr(from, '\n', e->len - e->at);

        e->at = newline ? (size_t)(newline + 1 - e->buffer) : e->len;
        e->at_line += newline != NULL;
        e->at_column = 1;
    }
    return e->at_line == line;
}

/* The next bytes of the line, a step at most; 0 at its end. */
static size_t step_length(struct excerpt *e)
{
    const size_t there = have(e, STEP);
    const size_t n = there < STEP ? there : STEP;
    const char *from = e->buffer + e->at;
    const char *newline = memchr(from, '\n', n);

    return newline ? (size_t)(newline - from) : n;
}

/* Of one block, counted in bytes: compilers make that many additions at a time. */
static size_t count_block(const char *text)
{
    uint8_t n = 0;

    for (size_t i = 0; i < BLOCK; i++)
        n = (uint8_t)(n + !continues_character(text[i]));
    return n;
}

static size_t count_columns(const char *text, size_t len)
{
    size_t sum = 0, i = 0;

    for (; len - i >= BLOCK; i += BLOCK)
        sum += count_block(text + i);
    for (; i < len; i++)
        sum += !continues_character(text[i]);
    return sum;
}

/* The offset of column number n of a text that has so many, counted from 0. */
static size_t find_column(const char *text, size_t len, size_t n)
{
    size_t at = 0;

    for (size_t columns; len - at >= BLOCK; at += BLOCK, n -= columns)
        if ((columns = count_block(text + at)) > n)
            break;
    while (continues_character(text[at]))
        at++;
    for (; n > 0; n--)
        while (continues_character(text[++at]))
            continue;
    return at;
}

static bool go_to_column(struct excerpt *e, uint32_t column)
{
    size_t len;

    while ((len = step_length(e)) > 0) {
        const size_t columns = count_columns(e->buffer + e->at, len);
        const bool is_there = column - e->at_column < columns;

        if (is_there)
            len = find_column(e->buffer + e->at, len, (size_t)(column - e->at_column));
        e->at += len;
        e->at_column = is_there ? column : e->at_column + columns;
        if (is_there)
            return true;
    }
    return false;
}

/* ---- lines ---- */

/* The part of it that somebody looks at, and what ends a line. */
static struct xds_slice rest_of_line(struct excerpt *e)
{
    const size_t part = XDS_LINE_PART + 2, at_hand = have(e, part);
    const size_t there = at_hand < part ? at_hand : part;
    const char *text = e->buffer + e->at;
    const char *newline = memchr(text, '\n', there);
    size_t len = newline ? (size_t)(newline - text) : there;

    if (newline && len > 0 && text[len - 1] == '\r')
        len--;
    return (struct xds_slice){text, len};
}

bool excerpt_line(void *user, struct xds_slice file, uint32_t line, uint32_t column,
                  struct xds_slice *out)
{
    struct excerpt *e = user;

    if (file.len == 0)
        return false;
    if (!is_named(e, file) || line < e->line || (line == e->line && column < e->column))
        start(e, file);
    e->line = line;
    e->column = column;
    if (!e->file || !go_to_line(e, line) || !go_to_column(e, column))
        return false;
    const struct xds_slice rest = rest_of_line(e);

    out->data = e->shown;
    return xds_secrets_hide(e->secrets, line, column, rest, e->shown, &out->len);
}

int excerpt_output_open(struct excerpt_output *out, const struct command *command,
                        const struct common *settings, bool color)
{
    const int status = output_open(&out->to, command, settings, color);

    excerpt_init(&out->excerpt);
    out->excerpt.stdin_name = settings->stdin_name ? settings->stdin_name : "-";
    out->to.printer.line = excerpt_line;
    out->to.printer.line_user = &out->excerpt;
    return status;
}

int excerpt_output_close(struct excerpt_output *out, enum xds_status status)
{
    struct excerpt *e = &out->excerpt;
    int result;

    if (e->one_too_many) {
        output_drop(&out->to);
        result = trouble(out->to.command, "%s: %s", e->one_too_many, strerror(EMFILE));
    } else {
        result = output_close(&out->to, e->no_memory ? XDS_ERR_NO_MEMORY : status);
    }
    excerpt_release(e);
    free(e->one_too_many);
    return result;
}
