/* case_text.c - text that grows, and words of a command line, for cases. */
#include "cli/dev/test/case_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void case_text_add(struct case_text *out, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    const int len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    out->data = realloc(out->data, out->len + (size_t)len + 1);
    if (!out->data)
        abort();
    va_start(args, format);
    (void)vsnprintf(out->data + out->len, (size_t)len + 1, format, args);
    va_end(args);
    out->len += (size_t)len;
}

char *case_copy(const char *text)
{
    char *copy = strdup(text);

    if (!copy)
        abort();
    return copy;
}

size_t case_split_words(char *text, char **word, size_t most)
{
    size_t n = 0;
    char *from = text, *to = text;

    while (n + 1 < most) {
        while (*from == ' ' || *from == '\n')
            from++;
        if (!*from)
            break;
        word[n++] = to;
        for (char quote = 0; *from && (quote || (*from != ' ' && *from != '\n'));
             from++) {
            if (quote ? *from == quote : (*from == '\'' || *from == '"'))
                quote = quote ? 0 : *from;
            else
                *to++ = *from;
        }
        if (*from)
            from++;
        *to++ = '\0';
    }
    word[n] = NULL;
    return n;
}
