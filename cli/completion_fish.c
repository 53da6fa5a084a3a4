/*
 * completion_fish.c - the completion script for fish.
 *
 * Source: complete(1) of fish 3.
 */
#include "cli/completion.h"

#include "cli/cmd.h"

/* fish replaces whole words, so what stands before the last piece of a list is said
 * again. */
static const char helpers[] =
    "# fish completion for xdscope\n"
    "function __xdscope_command\n"
    "    set -l words (commandline -opc)\n"
    "    test \"$words[2]\" = \"$argv[1]\"\n"
    "end\n"
    "function __xdscope_rules\n"
    "    " COMPLETION_RULES "\n"
    "end\n"
    "function __xdscope_list\n"
    "    set -l value (commandline -ct | string replace -r -- '^(--[^=]*=|-[a-zA-Z])' "
    "'')\n"
    "    set -l head (string match -r -- '^.*,' \"$value\")\n"
    "    set -l rule (string match -r -g -- '^(?:.*,)?([^,=]*)=' \"$value\")\n"
    "    $argv[1] \"$rule\" $argv[2..] | string replace -r -- '^' \"$head\"\n"
    "end\n"
    "function __xdscope_rule_words\n"
    "    if test -n \"$argv[1]\"\n"
    "        printf '%s\\n' $argv[1]=$argv[2..]\n"
    "    else\n"
    "        __xdscope_rules | string replace -r '$' =\n"
    "    end\n"
    "end\n"
    "function __xdscope_words\n"
    "    printf '%s\\n' $argv[2..]\n"
    "end\n"
    "complete -c xdscope -f\n"
    "complete -c xdscope -n '__xdscope_command \"\"' -s h -l help -d 'print a short "
    "help'\n"
    "complete -c xdscope -n '__xdscope_command \"\"' -s V -l version -d 'print the "
    "version'\n";

/* Text inside '...'. */
static void print_text(FILE *to, const char *text)
{
    for (; *text != '\0'; text++)
        (void)fprintf(to, "%s%c", *text == '\'' || *text == '\\' ? "\\" : "", *text);
}

static void print_condition(FILE *to, const struct command *command)
{
    (void)fprintf(to, "complete -c xdscope -n '__xdscope_command %s", command->name);
}

static void print_offer(FILE *to, enum offer offer, bool is_list,
                        const char *const *words)
{
    switch (offer) {
    case OFFER_NOTHING:
    case OFFER_FILES:
        return;
    case OFFER_WORDS:
        (void)fputs(is_list ? " -a '(__xdscope_list __xdscope_words " : " -a '", to);
        break;
    case OFFER_RULES:
        (void)fputs(is_list ? " -a '(__xdscope_list __xdscope_rules"
                            : " -a '(__xdscope_rules",
                    to);
        break;
    case OFFER_RULE_WORDS:
        (void)fputs(" -a '(__xdscope_list __xdscope_rule_words ", to);
        break;
    }
    completion_words(to, words);
    (void)fputs(is_list || offer == OFFER_RULES ? ")'" : "'", to);
}

static void tell_option(FILE *to, const struct command *command,
                        const struct option *option)
{
    const enum offer offer = completion_offer(option);

    print_condition(to, command);
    (void)fprintf(to, "' -l %s", option->name);
    if (option->letter != '\0')
        (void)fprintf(to, " -s %c", option->letter);
    if (option->kind != OPTION_FLAG)
        (void)fputs(offer == OFFER_FILES ? " -rF" : " -x", to);
    print_offer(to, offer, completion_is_list(option), option->words);
    (void)fputs(" -d '", to);
    print_text(to, option_help(option).text);
    (void)fputs("'\n", to);
}

static void print_operands(FILE *to, const struct command *command)
{
    print_condition(to, command);
    switch (command->operand_kind) {
    case OPERANDS_PATHS:
        (void)fputs("' -F\n", to);
        return;
    case OPERANDS_WORDS:
        (void)fputs("; and not __fish_seen_subcommand_from ", to);
        completion_words(to, command->operand_words);
        (void)fputs("' -a '", to);
        completion_words(to, command->operand_words);
        (void)fputs("'\n", to);
        return;
    case OPERANDS_RULES:
        (void)fputs("' -a '(__xdscope_rules)'\n", to);
        return;
    }
}

void completion_fish(FILE *to)
{
    (void)fputs(helpers, to);
    for (const struct command *const *c = commands; *c; c++) {
        (void)fprintf(to, "complete -c xdscope -n '__xdscope_command \"\"' -a %s -d '",
                      (*c)->name);
        print_text(to, (*c)->summary);
        (void)fputs("'\n", to);
        print_operands(to, *c);
        completion_each_option(to, *c, tell_option);
    }
}
