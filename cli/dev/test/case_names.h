/* case_names.h - the newest release of a client by name, for cases that are not about it.
 */
#ifndef CLI_DEV_TEST_CASE_NAMES_H
#define CLI_DEV_TEST_CASE_NAMES_H

/* The text with {core}, {go}, {java} and {node} for their newest releases, and {C-core}
 * for the version that goes with that of core. A release that `given` writes out, which
 * is what the case asks for, stays as it is. To be freed. */
char *case_put_names(const char *text, const char *given);

#endif
