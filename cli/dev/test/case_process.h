/* case_process.h - a program that a case runs: a file, or a function of this one. */
#ifndef CLI_DEV_TEST_CASE_PROCESS_H
#define CLI_DEV_TEST_CASE_PROCESS_H

#include <stdbool.h>

#include "cli/dev/test/case.h"

enum { CASE_WORDS = 128 };

struct case_program {
    const char *path; /* NULL: the function alone */
    int (*call)(int argc, char **argv);
    bool here; /* call it in this process where that can be */
};

/* Writes .stdout and .stderr into the current folder. Returns the exit status, 128 + the
 * signal that ended it, or -1: it could not be started. words: fewer than CASE_WORDS. */
int case_process_run(const struct case_file *c, const struct case_program *program,
                     char **words, const char *in);

#endif
