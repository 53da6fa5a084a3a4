/* case_terminal.h - a terminal of so many columns, for a case that asks for one. */
#ifndef CLI_DEV_TEST_CASE_TERMINAL_H
#define CLI_DEV_TEST_CASE_TERMINAL_H

#include <stdbool.h>

struct case_terminal {
    int ours, theirs; /* ends of it; -1: closed */
};

/* False when there is none to be had; both ends are closed then. */
bool case_terminal_open(struct case_terminal *terminal, unsigned short columns);
/* What the program writes there, until it has ended; closes both ends. */
bool case_terminal_read(struct case_terminal *terminal, const char *path);

#endif
