/* lines.c - lines of the inputs, for the excerpts below findings. */
#include "cli/bindings/wasi/lines.h"

#include <string.h>

/* An input with a NUL in so many bytes is binary. */
enum { FRONT = 16 << 10 };

static bool is_packed(struct xds_slice text)
{
    return text.len >= 4 && (memcmp(text.data, "\x1f\x8b", 2) == 0 ||
                             memcmp(text.data, "\x28\xb5\x2f\xfd", 4) == 0);
}

static bool is_text(const struct input *input)
{
    const struct xds_slice text = input->bytes;

    return !input->is_answer && !input->is_folder && text.len > 0 && !is_packed(text) &&
           !memchr(text.data, '\0', text.len < FRONT ? text.len : FRONT);
}

static const struct input *find_input(const struct inputs *inputs, struct xds_slice name)
{
    for (size_t i = 0; i < inputs->n; i++) {
        const struct input *input = &inputs->items[i];

        if (strlen(input->name) == name.len &&
            memcmp(input->name, name.data, name.len) == 0)
            return is_text(input) ? input : NULL;
    }
    return NULL;
}

static void begin(struct lines *lines)
{
    lines->at = 0;
    lines->line = lines->column = 1;
    if (lines->input && lines->input->bytes.len >= 3 &&
        memcmp(lines->input->bytes.data, "\xEF\xBB\xBF", 3) == 0)
        lines->at = 3;
}

/* What may be shown is not known where secrets are not: nothing is. */
static void open_input(struct lines *lines, struct xds_slice name)
{
    lines_release(lines);
    lines->name = name;
    lines->input = find_input(lines->inputs, name);
    if (lines->input && xds_secrets_of_text(lines->input->name, lines->input->bytes,
                                            &lines->secrets) != XDS_OK)
        lines->input = NULL;
    begin(lines);
}

static bool go_to(struct lines *lines, uint32_t line, uint32_t column)
{
    const struct xds_slice text = lines->input->bytes;

    while (lines->line < line && lines->at < text.len) {
        const char *from = text.data + lines->at;
        const char *newline = memchr(from, '\n', text.len - lines->at);

        lines->at = newline ? (size_t)(newline + 1 - text.data) : text.len;
        lines->line += newline != NULL;
        lines->column = 1;
    }
    if (lines->line != line)
        return false;
    for (; lines->at < text.len && text.data[lines->at] != '\n'; lines->at++) {
        const bool continues = ((unsigned char)text.data[lines->at] & 0xc0) == 0x80;

        if (!continues && lines->column == column)
            return true;
        lines->column += !continues;
    }
    return false;
}

bool lines_find(void *user, struct xds_slice file, uint32_t line, uint32_t column,
                struct xds_slice *out)
{
    struct lines *lines = user;

    if (file.len == 0)
        return false;
    if (file.len != lines->name.len || memcmp(file.data, lines->name.data, file.len) != 0)
        open_input(lines, file);
    if (line < lines->line || (line == lines->line && column < lines->column))
        begin(lines);
    if (!lines->input || !go_to(lines, line, column))
        return false;
    const char *text = lines->input->bytes.data + lines->at;
    const size_t rest = lines->input->bytes.len - lines->at;
    size_t len = rest < XDS_LINE_PART + 2 ? rest : XDS_LINE_PART + 2;
    const char *newline = memchr(text, '\n', len);

    if (newline)
        len = (size_t)(newline - text);
    if (newline && len > 0 && text[len - 1] == '\r')
        len--;
    out->data = lines->shown;
    return xds_secrets_hide(lines->secrets, line, column, (struct xds_slice){text, len},
                            lines->shown, &out->len);
}

void lines_release(struct lines *lines)
{
    xds_secrets_free(lines->secrets);
    lines->secrets = NULL;
    lines->input = NULL;
    lines->name = (struct xds_slice){NULL, 0};
}
