/* case_played.h - what servers do with the configuration that a case lints. */
#ifndef CLI_DEV_TEST_CASE_PLAYED_H
#define CLI_DEV_TEST_CASE_PLAYED_H

#include "cli/dev/test/case.h"

/* Runs the program with these words, the first is its name, in the current folder:
 * its output is in .stdout and .stderr. */
typedef void (*case_runner)(void *user, char **words);

/* The section "played" of a case that has a section "plays", see case.h; to be freed. */
char *case_play(const struct case_file *c, case_runner run, void *user);
/* Is it a rule case with filter chains, server TLS or RBAC, whose plays are missing? */
bool case_lacks_plays(const struct case_file *c);

#endif
