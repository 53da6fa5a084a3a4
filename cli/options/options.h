/*
 * options.h - command-line options as tables: parsed, explained and completed from them.
 *
 * A command's settings are a struct of its own, zeroed; every row of a table says where
 * in it the value goes. Rows come in groups, and settings that share a group begin with
 * the same struct. What the command line leaves open may be set from elsewhere, by the
 * same rows: options_offer().
 */
#ifndef XDS_CLI_OPTIONS_H
#define XDS_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

/* What the member of an option is. */
enum option_kind {
    OPTION_FLAG, /* bool; "--no-NAME" switches it off */
    OPTION_TEXT, /* const char *, the last one given, NULL when none was */
    OPTION_WORD, /* unsigned: an index into words; 0 is the default */
    OPTION_LIST, /* struct text_list: all that were given, in order */
};

/* What a shell offers for an argument. ARGUMENT_RULE with an argument_name such as
 * "RULE=LEVEL" is a rule, and after the = one of the option's words. */
enum argument_kind {
    ARGUMENT_ANY,
    ARGUMENT_FILE,
    ARGUMENT_RULE,
    ARGUMENT_PATTERN, /* of paths, in front of a = */
    ARGUMENT_GLOB,    /* of paths, alone */
    /* Of what is in the input. */
    ARGUMENT_NAME,
    ARGUMENT_TARGET,
    ARGUMENT_LISTENER,
    ARGUMENT_ROUTE_CONFIG,
    ARGUMENT_CLUSTER,
    ARGUMENT_ADDRESS,
};

/* Who may set an option. */
enum option_reach {
    ANYWHERE,          /* the command line, the environment, a configuration file */
    NOT_IN_A_FILE,     /* not the file: it is about the file, or about this run alone */
    COMMAND_LINE_ONLY, /* not the environment either */
};

struct text_list {
    const char **items;
    size_t n;
};

struct command;

struct option {
    const char *name; /* without dashes */
    char letter;      /* 0: none */
    enum option_kind kind;
    enum argument_kind argument;
    const char *argument_name;
    const char *const *words; /* what the argument may be, up to NULL; or NULL */
    const char *help;         /* {words} in it: see option_help() */
    size_t offset;            /* of the member in the settings */
    bool hidden;              /* works, but is not in the help */
    bool undo;                /* TEXT and LIST: "--no-NAME" takes back what was set */
    bool adds; /* LIST of KEY=VALUE: what is set elsewhere goes before, not away */
    enum option_reach reach;
    /* NULL, or whether a value can be used; false after a message. */
    bool (*check)(const struct command *command, const char *value);
};

/* How a row begins: the name, and the member of the settings; with an argument, its kind
 * and what the help calls it. */
#define FLAG_ROW(settings, member, name_)                                                \
    .name = (name_), .offset = offsetof(struct settings, member)
#define VALUE_ROW(kind_, settings, member, name_, argument)                              \
    FLAG_ROW(settings, member, name_), .kind = OPTION_##kind_, .argument_name = (argument)

struct option_group {
    const struct option *options;
    size_t n;
    const char *title; /* above them in the help; NULL: "Options" */
    bool is_live;      /* only of interest for live systems */
};

/* What a shell offers for an operand. */
enum operand_kind { OPERANDS_PATHS, OPERANDS_WORDS, OPERANDS_RULES };

enum option_given { NOT_GIVEN, GIVEN, TAKEN_BACK };

/* The lists that were set from elsewhere; NULL before the first. */
struct list_room;

struct operands {
    char **items;
    size_t n;
    const char **lists;   /* what the lists of the settings hold */
    unsigned char *given; /* enum option_given, one for each option of the command */
};

struct command {
    const char *name;
    const char *operands; /* "PATH..." */
    const char *summary;  /* one line */
    enum operand_kind operand_kind;
    const char *const *operand_words;         /* the first operand, up to NULL; or NULL */
    const struct option_group *const *groups; /* up to NULL */
    const char *examples;                     /* operands and options, one a line */
    size_t settings_size;                     /* settings begin with struct common */
    int (*run)(const struct command *self, void *settings,
               const struct operands *operands);
};

/* Number i of all groups, in the order of --help; NULL after the last one. */
const struct option *command_option(const struct command *command, size_t i);

struct option_help {
    char text[512];
};

/* The help of an option; {words} in it are its words: "grfc, core or go". */
struct option_help option_help(const struct option *option);

/* Longest message of the parser; longer arguments are cut in it. */
#define OPTIONS_ERROR_SIZE 512

/* Reads argv[0..argc) into settings. Operands are moved to the front of argv. False on
 * bad usage: error then says what is wrong, on one line without a line break, and is
 * empty when there was no memory. */
bool options_parse(const struct command *command, int argc, char **argv, void *settings,
                   struct operands *operands, char error[OPTIONS_ERROR_SIZE]);
/* Set an option from elsewhere than the command line, unless that was done before: the
 * first one wins. n is 1 unless it is a list; values and room must outlive the settings.
 * A flag takes "true" and "false". False with an error as above. */
bool options_offer(const struct command *command, void *settings,
                   const struct operands *operands, const struct option *option,
                   const char *const *values, size_t n, struct list_room **room,
                   char error[OPTIONS_ERROR_SIZE]);
void options_free_room(struct list_room *room);
/* Was it set, on the command line or from elsewhere? */
bool options_given(const struct command *command, const struct operands *operands,
                   const char *name);
/* Frees what options_parse() allocated: the settings' lists end here. */
void options_release(struct operands *operands);

#endif
