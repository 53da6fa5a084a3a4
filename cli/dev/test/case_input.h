/* case_input.h - the sections of a text case that are files. */
#ifndef CLI_DEV_TEST_CASE_INPUT_H
#define CLI_DEV_TEST_CASE_INPUT_H

#include "cli/dev/test/case.h"
#include <stdio.h>

/* Is it not a file, but what is run or what must come out? */
bool case_is_output(const char *name);
/* Is it what must come out? */
bool case_is_expected(const char *name);
/* Make a "use" section the file that it names; other sections stay as they are. False,
 * with a reason on stderr, when there is no such fixture or a line to replace. */
bool case_use_fixture(const char *path, struct case_section *s);
/* May the second be joined to the first, as one text of one file? */
bool case_same_file(const struct case_section *first, const struct case_section *second);
/* The name of a section's file, to be freed. */
char *case_input_name(const struct case_section *s);
/* Append what a section holds to a file. */
bool case_append_input(FILE *file, const struct case_section *s);
/* Append what a section holds to its file in the current folder. */
bool case_write_input(const struct case_section *s);
/* The whole file, ended by NUL; NULL when it cannot be read. */
char *case_read_text(const char *path, size_t *len);

#endif
