/*
 * completion_zsh.c - the completion script for zsh.
 *
 * Source: zshcompsys(1).
 */
#include "cli/completion.h"

#include "cli/cmd.h"

#include <string.h>

/* _arguments runs an action that begins with a blank as it stands. */
static const char helpers[] =
    "#compdef xdscope\n"
    "_xdscope_rules()\n{\n"
    "    compadd \"$@\" -- ${(f)\"$(" COMPLETION_RULES ")\"}\n}\n"
    "# The last piece of a list, by the function that follows.\n"
    "_xdscope_list()\n{\n"
    "    compset -P '*,'\n    compset -S ',*'\n    \"$@\"\n}\n"
    "# RULE=WORD; the arguments are the words.\n"
    "_xdscope_rule_words()\n{\n"
    "    if compset -P '*='; then\n        compadd -- \"$@\"\n"
    "    else\n        _xdscope_rules -qS=\n    fi\n}\n";

static const char loader[] = "if [[ $funcstack[1] = _xdscope ]]; then\n"
                             "    _xdscope \"$@\"\n"
                             "else\n    compdef _xdscope xdscope\nfi\n";

/* Text inside '...' and between the brackets or colons of _arguments. */
static void print_text(FILE *to, const char *text)
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

static void print_action(FILE *to, enum offer offer, bool is_list,
                         const char *const *words)
{
    (void)fputs(is_list ? " _xdscope_list" : "", to);
    switch (offer) {
    case OFFER_NOTHING:
        (void)fputc(' ', to);
        return;
    case OFFER_FILES:
        (void)fputs("_files", to);
        return;
    case OFFER_RULES:
        (void)fputs(" _xdscope_rules", to);
        return;
    case OFFER_WORDS:
        (void)fputs(" compadd -- ", to);
        break;
    case OFFER_RULE_WORDS:
        (void)fputs(" _xdscope_rule_words ", to);
        break;
    }
    completion_words(to, words);
}

/* Both names of an option that may be given once keep each other away. */
static void print_names(FILE *to, const struct option *option)
{
    const bool is_flag = option->kind == OPTION_FLAG;
    const char *equals = is_flag ? "" : "=";

    if (option->letter == '\0')
        (void)fprintf(to, "        '%s--%s%s", option->kind == OPTION_LIST ? "*" : "",
                      option->name, equals);
    else if (option->kind == OPTION_LIST)
        (void)fprintf(to, "        '*'{-%c+,--%s=}'", option->letter, option->name);
    else
        (void)fprintf(to, "        '(-%c --%s)'{-%c%s,--%s%s}'", option->letter,
                      option->name, option->letter, is_flag ? "" : "+", option->name,
                      equals);
}

static void tell_option(FILE *to, const struct command *command,
                        const struct option *option)
{
    (void)command;
    print_names(to, option);
    (void)fputc('[', to);
    print_text(to, option_help(option).text);
    (void)fputc(']', to);
    if (option->kind != OPTION_FLAG) {
        (void)fputc(':', to);
        print_text(to, option->argument_name);
        (void)fputc(':', to);
        print_action(to, completion_offer(option), completion_is_list(option),
                     option->words);
    }
    (void)fputs("' \\\n", to);
}

static void print_operands(FILE *to, const struct command *command)
{
    static const struct {
        const char *which;
        enum offer offer;
        const char *others; /* nothing, rather than the options */
    } operands[] = {
        [OPERANDS_PATHS] = {"*:path", OFFER_FILES, ""},
        [OPERANDS_WORDS] = {"1:word", OFFER_WORDS, " '*: : '"},
        [OPERANDS_RULES] = {"1:rule", OFFER_RULES, " '*: : '"},
    };

    (void)fprintf(to, "        '%s:", operands[command->operand_kind].which);
    print_action(to, operands[command->operand_kind].offer, false,
                 command->operand_words);
    (void)fprintf(to, "'%s ;;\n", operands[command->operand_kind].others);
}

static void print_command(FILE *to, const struct command *command)
{
    (void)fprintf(to, "    %s)\n        _arguments -s \\\n", command->name);
    completion_each_option(to, command, tell_option);
    print_operands(to, command);
}

void completion_zsh(FILE *to)
{
    (void)fputs(helpers, to);
    (void)fputs("_xdscope()\n{\n"
                "    if ((CURRENT == 2)) && [[ $PREFIX == -* ]]; then\n"
                "        compadd -- -h --help -V --version\n        return\n"
                "    elif ((CURRENT == 2)); then\n        compadd -- ",
                to);
    completion_commands(to);
    (void)fputs("\n        return\n    fi\n"
                "    local command=$words[2]\n"
                "    shift words\n    ((CURRENT--))\n    case $command in\n",
                to);
    for (const struct command *const *c = commands; *c; c++)
        print_command(to, *c);
    (void)fputs("    esac\n}\n", to);
    (void)fputs(loader, to);
}
