/* usage.h - help texts, made from the tables of options. */
#ifndef XDS_CLI_USAGE_H
#define XDS_CLI_USAGE_H

#include "cli/options.h"

#include <stdio.h>

/* "Usage: xdscope lint [options] PATH...", what it does, every option. */
void usage_of_command(FILE *to, const struct command *command);
/* The commands. */
void usage_of_program(FILE *to);
/* The version, and the clients whose rules are known. */
void print_version(FILE *to);

#endif
