/*
 * cmd_completion.c - xdscope completion: shell scripts made from the tables of options.
 *
 * Takes:  bash, zsh or fish.
 * Gives:  a script that knows the commands, their options and what options accept.
 */
#include "cli/cmd.h"
#include "cli/output.h"

#include <string.h>

struct completion_settings {
    struct common common;
};

/* One option of a command, told to a shell. */
typedef void (*option_fn)(FILE *to, const struct command *command,
                          const struct option *option);

static void each_option(FILE *to, const struct command *command, option_fn tell)
{
    for (const struct option_group *const *g = command->groups; *g; g++)
        for (size_t i = 0; i < (*g)->n; i++)
            if (!(*g)->options[i].hidden)
                tell(to, command, &(*g)->options[i]);
}

static void print_words(FILE *to, const char *const *words)
{
    for (size_t i = 0; words[i]; i++)
        (void)fprintf(to, "%s%s", i > 0 ? " " : "", words[i]);
}

static void print_commands(FILE *to)
{
    for (const struct command *const *c = commands; *c; c++)
        (void)fprintf(to, "%s%s", c == commands ? "" : " ", (*c)->name);
}

#define LIST_RULES "$(xdscope rule -q 2>/dev/null | cut -d' ' -f1)"

/* ---- bash ---------------------------------------------------------------------- */

static void bash_name(FILE *to, const struct command *command,
                      const struct option *option)
{
    (void)command;
    if (option->letter != '\0')
        (void)fprintf(to, "-%c ", option->letter);
    (void)fprintf(to, "--%s ", option->name);
}

/* What may stand behind the option. */
static void bash_argument(FILE *to, const struct command *command,
                          const struct option *option)
{
    if (option->kind == OPTION_FLAG)
        return;
    (void)fprintf(to, "    %s:--%s", command->name, option->name);
    if (option->letter != '\0')
        (void)fprintf(to, " | %s:-%c", command->name, option->letter);
    (void)fputs(") ", to);
    if (option->words) {
        (void)fputs("words='", to);
        print_words(to, option->words);
        (void)fputs("'", to);
    } else if (option->argument == ARGUMENT_RULE) {
        (void)fputs("words=\"" LIST_RULES "\"", to);
    } else {
        (void)fputs(option->argument == ARGUMENT_FILE ? "files=1" : ":", to);
    }
    (void)fputs(" ;;\n", to);
}

static void bash_operands(FILE *to, const struct command *command)
{
    switch (command->operand_kind) {
    case OPERANDS_PATHS:
        (void)fputs("files=1", to);
        return;
    case OPERANDS_WORDS:
        (void)fputs("words='", to);
        print_words(to, command->operand_words);
        (void)fputc('\'', to);
        return;
    case OPERANDS_RULES:
        (void)fputs("words=\"" LIST_RULES "\"", to);
        return;
    }
}

static void print_bash(FILE *to)
{
    (void)fputs(
        "# bash completion for xdscope\n"
        "_xdscope()\n{\n"
        "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
        "    local command=${COMP_WORDS[1]} words='' files=''\n"
        "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
        "        words='",
        to);
    print_commands(to);
    (void)fputs(" --help --version'\n"
                "    elif [[ $cur == -* ]]; then\n        case $command in\n",
                to);
    for (const struct command *const *c = commands; *c; c++) {
        (void)fprintf(to, "        %s) words='", (*c)->name);
        each_option(to, *c, bash_name);
        (void)fputs("' ;;\n", to);
    }
    (void)fputs("        esac\n    else\n        case $command:$prev in\n", to);
    for (const struct command *const *c = commands; *c; c++)
        each_option(to, *c, bash_argument);
    for (const struct command *const *c = commands; *c; c++) {
        (void)fprintf(to, "    %s:*) ", (*c)->name);
        bash_operands(to, *c);
        (void)fputs(" ;;\n", to);
    }
    (void)fputs("        esac\n    fi\n"
                "    COMPREPLY=($(compgen ${files:+-f} -W \"$words\" -- \"$cur\"))\n"
                "}\n"
                "complete -o filenames -F _xdscope xdscope\n",
                to);
}

/* ---- zsh ----------------------------------------------------------------------- */

/* Text inside '...[HERE]...' of _arguments. */
static void zsh_text(FILE *to, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            (void)fputs("'\\''", to);
        else if (strchr("[]:\\", *text))
            (void)fprintf(to, "\\%c", *text);
        else
            (void)fputc(*text, to);
    }
}

static void zsh_argument(FILE *to, const struct option *option)
{
    if (option->kind == OPTION_FLAG)
        return;
    (void)fprintf(to, ":%s:", option->argument_name);
    if (option->words) {
        (void)fputc('(', to);
        print_words(to, option->words);
        (void)fputc(')', to);
    } else if (option->argument == ARGUMENT_FILE) {
        (void)fputs("_files", to);
    } else if (option->argument == ARGUMENT_RULE) {
        (void)fputs("_xdscope_rules", to);
    } else {
        (void)fputc(' ', to);
    }
}

static void zsh_option(FILE *to, const struct command *command,
                       const struct option *option)
{
    const char *repeat = option->kind == OPTION_LIST ? "*" : "";
    const char *equals = option->kind == OPTION_FLAG ? "" : "=";

    (void)command;
    (void)fprintf(to, "        '%s--%s%s[", repeat, option->name, equals);
    zsh_text(to, option->help);
    (void)fputc(']', to);
    zsh_argument(to, option);
    (void)fputs("' \\\n", to);
    if (option->letter == '\0')
        return;
    (void)fprintf(to, "        '%s-%c[", repeat, option->letter);
    zsh_text(to, option->help);
    (void)fputc(']', to);
    zsh_argument(to, option);
    (void)fputs("' \\\n", to);
}

static void zsh_operands(FILE *to, const struct command *command)
{
    switch (command->operand_kind) {
    case OPERANDS_PATHS:
        (void)fputs("        '*:path:_files'", to);
        return;
    case OPERANDS_WORDS:
        (void)fputs("        '1:word:(", to);
        print_words(to, command->operand_words);
        (void)fputs(")'", to);
        return;
    case OPERANDS_RULES:
        (void)fputs("        '1:rule:_xdscope_rules'", to);
        return;
    }
}

static void zsh_command(FILE *to, const struct command *command)
{
    (void)fprintf(to, "    %s)\n        _arguments -s \\\n", command->name);
    each_option(to, command, zsh_option);
    zsh_operands(to, command);
    (void)fputs(" ;;\n", to);
}

static void print_zsh(FILE *to)
{
    (void)fputs("#compdef xdscope\n"
                "_xdscope_rules()\n{\n"
                "    compadd -- ${(f)\"" LIST_RULES "\"}\n}\n"
                "_xdscope()\n{\n"
                "    if ((CURRENT == 2)); then\n"
                "        compadd -- ",
                to);
    print_commands(to);
    (void)fputs(" --help --version\n        return\n    fi\n"
                "    local command=$words[2]\n"
                "    shift words\n    ((CURRENT--))\n"
                "    case $command in\n",
                to);
    for (const struct command *const *c = commands; *c; c++)
        zsh_command(to, *c);
    (void)fputs("    esac\n}\n_xdscope \"$@\"\n", to);
}

/* ---- fish ---------------------------------------------------------------------- */

/* Text inside '...'. */
static void fish_text(FILE *to, const char *text)
{
    for (; *text != '\0'; text++)
        (void)fprintf(to, "%s%c", *text == '\'' || *text == '\\' ? "\\" : "", *text);
}

static void fish_option(FILE *to, const struct command *command,
                        const struct option *option)
{
    (void)fprintf(to, "complete -c xdscope -n '__fish_seen_subcommand_from %s' -l %s",
                  command->name, option->name);
    if (option->letter != '\0')
        (void)fprintf(to, " -s %c", option->letter);
    if (option->kind != OPTION_FLAG)
        (void)fputs(option->argument == ARGUMENT_FILE ? " -rF" : " -x", to);
    if (option->words) {
        (void)fputs(" -a '", to);
        print_words(to, option->words);
        (void)fputc('\'', to);
    } else if (option->argument == ARGUMENT_RULE) {
        (void)fputs(" -a '(xdscope rule -q 2>/dev/null | cut -d\" \" -f1)'", to);
    }
    (void)fputs(" -d '", to);
    fish_text(to, option->help);
    (void)fputs("'\n", to);
}

static void fish_operands(FILE *to, const struct command *command)
{
    (void)fprintf(to, "complete -c xdscope -n '__fish_seen_subcommand_from %s' ",
                  command->name);
    switch (command->operand_kind) {
    case OPERANDS_PATHS:
        (void)fputs("-F\n", to);
        return;
    case OPERANDS_WORDS:
        (void)fputs("-f -a '", to);
        print_words(to, command->operand_words);
        (void)fputs("'\n", to);
        return;
    case OPERANDS_RULES:
        (void)fputs("-f -a '(xdscope rule -q 2>/dev/null | cut -d\" \" -f1)'\n", to);
        return;
    }
}

static void print_fish(FILE *to)
{
    (void)fputs("# fish completion for xdscope\n", to);
    for (const struct command *const *c = commands; *c; c++) {
        (void)fprintf(to, "complete -c xdscope -n __fish_use_subcommand -f -a %s -d '",
                      (*c)->name);
        fish_text(to, (*c)->summary);
        (void)fputs("'\n", to);
        fish_operands(to, *c);
        each_option(to, *c, fish_option);
    }
}

/* ---- the command ---------------------------------------------------------------- */

static const struct shell {
    const char *name;
    void (*print)(FILE *to);
} shells[] = {
    {"bash", print_bash},
    {"zsh", print_zsh},
    {"fish", print_fish},
};

static int run(const struct command *self, void *arg, const struct operands *operands)
{
    const struct completion_settings *settings = arg;
    const char *name = operands->n == 1 ? operands->items[0] : "";
    struct output out;

    for (size_t i = 0; i < ARRAY_LEN(shells); i++) {
        if (strcmp(shells[i].name, name) != 0)
            continue;
        const int status = output_open(&out, self, &settings->common, false);

        if (status != EXIT_CLEAN)
            return status;
        shells[i].print(out.file);
        return output_close(&out, ferror(out.file) ? XDS_ERR_IO : XDS_OK);
    }
    return usage_error(self, "takes one shell: bash, zsh or fish");
}

const struct command cmd_completion = {
    .name = "completion",
    .operands = "bash|zsh|fish",
    .summary = "print a completion script for a shell",
    .operand_kind = OPERANDS_WORDS,
    .operand_words = (const char *const[]){"bash", "zsh", "fish", NULL},
    .groups = (const struct option_group *const[]){&common_options, NULL},
    .settings_size = sizeof(struct completion_settings),
    .run = run,
};
