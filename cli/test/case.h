/*
 * case.h - one text case: what to run, what must come out.
 *
 *   why this case exists, in a line or two
 *   -- args --            words of the command line, quoted as in a shell
 *   -- stdin --           optional
 *   -- env --             NAME=VALUE on each line; $PWD there is the folder of the case
 *   -- NAME --            an input file; sections of one NAME are put behind each other
 *   -- NAME.hex --        the same, from hex digits
 *   -- NAME.repeat --     the same, as many times as the first line says; NAME.hex.repeat
 *   -- stdout --          compared whole, as are stderr (absent = empty) and exit
 *   -- stderr --
 *   -- exit --
 *
 * Of an HTML page the style, the script and their hashes are left out of stdout: they are
 * the same on every page, and a test in a browser looks at what they do.
 */
#ifndef CLI_TEST_CASE_H
#define CLI_TEST_CASE_H

#include <stdbool.h>
#include <stddef.h>

struct case_section {
    char *name, *text;
    size_t len;
};

struct case_file {
    char *path, *intro;
    struct case_section section[32];
    size_t n;
};

struct case_result {
    char *out, *err;
    int status; /* exit status, or 128 + signal */
};

/* Paths of all *.case files below a folder, sorted; ends with NULL. */
char **case_list(const char *folder);
/* False, with a reason on stderr, when it is no case file. */
bool case_read(const char *path, struct case_file *out);
bool case_run(const struct case_file *c, const char *program, struct case_result *out);
/* The same; look(user) is called in the folder of the run before it goes. */
bool case_run_and_look(const struct case_file *c, const char *program,
                       void (*look)(void *user), void *user, struct case_result *out);
/* "" when all is as expected, else a text that shows the difference. */
char *case_compare(const struct case_file *c, const struct case_result *got);
/* Write what came out into the case file. */
bool case_rewrite(const struct case_file *c, const struct case_result *got);
const struct case_section *case_find(const struct case_file *c, const char *name);
void case_release(struct case_file *c);

#endif
