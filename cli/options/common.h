/* common.h - what every command shares: options, exit codes, messages. */
#ifndef XDS_CLI_COMMON_H
#define XDS_CLI_COMMON_H

#include "cli/options/options.h"
#include "include/xdscope.h"
#include <stddef.h>
#include <stdio.h>

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
    const char *stdin_name;   /* of commands that read snapshots, or NULL */
    const char *const *words; /* the command line from the name of the program on */
    const struct command *const *commands; /* all there are, up to NULL */
};

extern const struct option_group common_options;

/* Where the messages below go from now on, NULL: standard error; where they went. */
FILE *messages_to(FILE *file);
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

/* A line without the name of the program. */
__attribute__((format(printf, 2, 3))) void put_remark(FILE *to, const char *format, ...);
/* Text of whatever origin, for a terminal, as xds_print_clean() writes it. */
void put_safely(FILE *file, const char *text, size_t len);
/* NULL gives an absent slice. */
struct xds_slice slice_of(const char *text);
bool is_text(struct xds_slice slice, const char *text);
/* "a,b,c" piece by piece: false after the last one. *rest is NULL then, and begins as
 * the whole text. An empty text is one empty piece. */
bool next_piece(const char **rest, struct xds_slice *piece);

extern const struct command cmd_lint;
extern const struct command cmd_show;
extern const struct command cmd_explain;
extern const struct command cmd_service_config;
extern const struct command cmd_lb_config;
extern const struct command cmd_simulate;
extern const struct command cmd_diff;
extern const struct command cmd_test;
extern const struct command cmd_rule;
extern const struct command cmd_cookie;
extern const struct command cmd_convert;
extern const struct command cmd_fetch;
extern const struct command cmd_lsp;
extern const struct command cmd_completion;

/* In the order of --help, up to NULL; main.c has them. */
extern const struct command *const commands[];
/* What else may be in their place, up to NULL. */
extern const char *const other_words[];

/* "Usage: xdscope lint [options] PATH...", what it does, its options by groups. */
void usage_of_command(FILE *to, const struct command *command);
/* Whether options for live systems are left to usage_of_live(). */
bool has_help_of_live(const struct command *command);
void usage_of_live(FILE *to, const struct command *command);
/* The commands, up to NULL. */
void usage_of_program(FILE *to, const struct command *const *all);
/* The version, and the clients whose rules are known. */
void print_version(FILE *to);
/* Those clients, and which of them other programs read xDS as. */
void print_readers(FILE *to);

/* The names of all clients, and the same and "all"; up to NULL. */
extern const char *const client_words[];
extern const char *const client_or_all_words[];

/* Whom an option asks, see xds_options_ask(): lists of clients and releases; without any,
 * all clients. False after a message. */
bool ask_clients(const struct command *command, const struct text_list *lists,
                 struct xds_options *asked);
/* The same of one client at one release; without a name, C-core. What else is in *asked
 * stays. */
bool ask_client(const struct command *command, const char *name,
                struct xds_options *asked, enum xds_client *client);

/* A line for each client: its name, what it was judged from, the newest release run. */
void print_clients(FILE *to);

struct hint {
    const char *word;
    size_t len;
    size_t distance;  /* of best */
    const char *best; /* NULL: nothing is near */
};

struct hint hint_for(const char *word, size_t len);
/* best becomes candidate if it is nearer: it begins with the word, or few edits part
 * them. */
void hint_offer(struct hint *hint, const char *candidate);

/* The bytes of a file with a NUL after them, "-" is standard input; EXIT_CLEAN, or
 * EXIT_TROUBLE after a message. Free text->data with slurp_free() in any case. */
int slurp(const struct command *command, const char *path, struct xds_slice *text);
/* The same for a file that should be one JSON document and nothing else; *json, which the
 * caller frees, is NULL when EXIT_CLEAN was not the answer. */
int slurp_json(const struct command *command, const char *path, struct xds_parsed **json);
void slurp_free(struct xds_slice text);
/* Is it a pipe or a device, which may not give the same again? */
bool is_read_once(const char *path);
/* Of a file that cannot be taken, on standard error: "PATH is a scenario for xdscope
 * simulate, not WANTED", and EXIT_TROUBLE; nothing where its kind is not known. */
int tell_kind(const struct command *command, const char *path, const char *wanted);
int tell_kind_of_each(const struct command *command, const struct operands *operands,
                      const char *wanted);
/* Does the text begin as gzip and zstd do? */
bool is_packed(struct xds_slice text);

#endif
