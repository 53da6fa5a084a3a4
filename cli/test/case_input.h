/* case_input.h - the sections of a text case that are files. */
#ifndef CLI_TEST_CASE_INPUT_H
#define CLI_TEST_CASE_INPUT_H

#include "cli/test/case.h"

/* Is it no file, but what is run and what must come out? */
bool case_is_output(const char *name);
/* Put what a section holds behind what its file has already, in the current folder. */
bool case_write_input(const struct case_section *s);

#endif
