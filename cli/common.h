/* common.h - what every command shares: options, exit codes, messages. */
#ifndef XDS_CLI_COMMON_H
#define XDS_CLI_COMMON_H

#include <stdio.h>

#include "cli/options.h"
#include "include/xdscope.h"

/* The highest that applies wins. */
enum exit_code {
    EXIT_CLEAN = 0,
    EXIT_FINDINGS = 1, /* findings at or above --fail-on, or an RPC that goes nowhere */
    EXIT_USAGE = 2,    /* bad usage or configuration */
    EXIT_TROUBLE = 3,  /* input unreadable, output not writable, internal error */
};

enum color_choice { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* What the settings of every command begin with. */
struct common {
    bool help, version, quiet, verbose;
    unsigned color; /* enum color_choice */
    const char *output;
    const char *const *words; /* the command line from the name of the program on */
};

extern const struct option_group common_options;

/* "xdscope: lint: MESSAGE" on standard error; EXIT_USAGE. */
__attribute__((format(printf, 2, 3))) int usage_error(const struct command *command,
                                                      const char *format, ...);
/* "no WHAT 'WORD'; did you mean 'HINT'?", or, without a hint, "...; OTHERWISE". */
int unknown_error(const struct command *command, const char *what, struct xds_slice word,
                  const char *hint, const char *otherwise);
/* The same as usage_error(); EXIT_TROUBLE. */
__attribute__((format(printf, 2, 3))) int trouble(const struct command *command,
                                                  const char *format, ...);
/* The same as usage_error(), and the command goes on. */
__attribute__((format(printf, 2, 3))) void warning(const struct command *command,
                                                   const char *format, ...);
/* trouble() with "NAME: " and what errno says. */
int trouble_errno(const struct command *command, const char *name);

static inline int worse(int a, int b)
{
    return a > b ? a : b;
}

/* Text of whatever origin, for a terminal: each control character as '?'. */
void put_safely(FILE *file, const char *text, size_t len);
/* NULL gives an absent slice. */
struct xds_slice slice_of(const char *text);
/* "a,b,c" piece by piece: false after the last one. *rest is NULL then, and begins as
 * the whole text. An empty text is one empty piece. */
bool next_piece(const char **rest, struct xds_slice *piece);

#endif
