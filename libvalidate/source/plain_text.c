/* plain_text.c - the white space between the tokens of JSON. */
#include "source/plain_text.h"

/* Lines are mostly indented by many spaces. */
static size_t spaces_end(const char *text, size_t pos, size_t len)
{
    static const char eight[8] = {' ', ' ', ' ', ' ', ' ', ' ', ' ', ' '};

    while (len - pos >= sizeof eight && memcmp(text + pos, eight, sizeof eight) == 0)
        pos += sizeof eight;
    while (pos < len && text[pos] == ' ')
        pos++;
    return pos;
}

size_t xds_blanks_end(const char *text, size_t pos, size_t len)
{
    while (pos < len && xds_is_blank(text[pos]))
        pos = spaces_end(text, pos + 1, len);
    return pos;
}
