/* case_text.h - text that grows, and words of a command line, for cases. */
#ifndef CLI_DEV_TEST_CASE_TEXT_H
#define CLI_DEV_TEST_CASE_TEXT_H

#include <stddef.h>

struct case_text {
    char *data;
    size_t len;
};

__attribute__((format(printf, 2, 3))) void case_text_add(struct case_text *out,
                                                         const char *format, ...);
/* A copy, to be freed. */
char *case_copy(const char *text);
/* Words as a shell splits them: blanks, '...' and "...", no expansion. They are in text;
 * NULL comes after the last. */
size_t case_split_words(char *text, char **word, size_t most);

#endif
