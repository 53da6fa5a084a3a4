/* completion.h - the scripts that teach a shell the commands and their options. */
#ifndef XDS_CLI_COMPLETION_H
#define XDS_CLI_COMPLETION_H

#include <stdio.h>

#include "cli/options.h"

/* One script each, made from the tables of options. */
void completion_bash(FILE *to);
void completion_zsh(FILE *to);
void completion_fish(FILE *to);

/* What a shell offers for an argument. */
enum offer {
    OFFER_NOTHING,
    OFFER_FILES,
    OFFER_WORDS,
    OFFER_RULES,
    OFFER_RULE_WORDS, /* RULE=WORD */
};

enum offer completion_offer(const struct option *option);
/* The argument holds several, separated by commas, and the last is completed. */
bool completion_is_list(const struct option *option);

/* One option of a command, told to a shell. */
typedef void (*completion_fn)(FILE *to, const struct command *command,
                              const struct option *option);

/* In the order of --help, without the hidden ones. */
void completion_each_option(FILE *to, const struct command *command, completion_fn tell);
/* Separated by blanks; NULL is none. */
void completion_words(FILE *to, const char *const *words);
void completion_commands(FILE *to);

/* For all three shells: one slug per line. */
#define COMPLETION_RULES "xdscope rule -q 2>/dev/null | cut -d' ' -f1"

#endif
