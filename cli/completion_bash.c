/*
 * completion_bash.c - the completion script for bash.
 *
 * Source: bash(1), Programmable Completion.
 */
#include "cli/completion.h"

#include "cli/cmd.h"

/* The words of the line: bash cuts them at = and :, which options and addresses have
 * inside. What bash does not know of a word may not stand in its answer. */
static const char find_words[] =
    "    local words=() joined='' options='' takes='' option='' operands=0\n"
    "    local offer='' list='' files='' levels='' rules='' head='' i\n"
    "    COMPREPLY=()\n"
    "    for ((i = 1; i <= COMP_CWORD; i++)); do\n"
    "        if ((i > 1)) && [[ $joined || ${COMP_WORDS[i]} =~ ^[=:]+$ ]]; then\n"
    "            words[-1]+=${COMP_WORDS[i]}\n"
    "        else\n"
    "            words+=(\"${COMP_WORDS[i]}\")\n"
    "        fi\n"
    "        [[ ${COMP_WORDS[i]} =~ ^[=:]+$ ]] && joined=1 || joined=''\n"
    "    done\n"
    "    local command=${words[0]} cur=${words[-1]} last=${COMP_WORDS[COMP_CWORD]}\n"
    "    [[ $joined ]] && last=''\n"
    "    local known=${cur%\"$last\"} value=$cur\n";

/* Which option the word under the cursor belongs to, or which operand it is. */
static const char find_option[] =
    "    for ((i = 1; i < ${#words[@]} - 1; i++)); do\n"
    "        if [[ $option ]]; then\n"
    "            option=''\n"
    "        elif [[ $takes == *\" ${words[i]} \"* ]]; then\n"
    "            option=${words[i]}\n"
    "        elif [[ ${words[i]} != -?* ]]; then\n"
    "            operands=$((operands + 1))\n"
    "        fi\n"
    "    done\n"
    "    if [[ ! $option && $cur == --*=* ]]; then\n"
    "        option=${cur%%=*} head=$option= value=${cur#*=}\n"
    "    fi\n";

/* From what the option may be to COMPREPLY. Files are left to bash, which knows how to
 * quote them. */
static const char answer[] =
    "    if [[ $files ]]; then\n"
    "        compopt -o default\n"
    "        return\n"
    "    fi\n"
    "    if [[ $list && $value == *,* ]]; then\n"
    "        head+=${value%,*}, value=${value##*,}\n"
    "    fi\n"
    "    [[ $rules ]] && offer=$(" COMPLETION_RULES ")\n"
    "    if [[ $levels && $value == *=* ]]; then\n"
    "        head+=${value%%=*}= value=${value#*=} offer=$levels\n"
    "    elif [[ $levels ]]; then\n"
    "        compopt -o nospace\n"
    "        offer=${offer//$'\\n'/=$'\\n'}=\n"
    "    fi\n"
    "    mapfile -t COMPREPLY < <(compgen -W \"$offer\" -- \"$value\")\n"
    "    COMPREPLY=(\"${COMPREPLY[@]/#/$head}\")\n"
    "    COMPREPLY=(\"${COMPREPLY[@]#\"$known\"}\")\n"
    "}\n"
    "complete -F _xdscope xdscope\n";

static void tell_names(FILE *to, const struct command *command,
                       const struct option *option)
{
    (void)command;
    if (option->letter != '\0')
        (void)fprintf(to, "-%c ", option->letter);
    (void)fprintf(to, "--%s ", option->name);
}

static void tell_names_with_argument(FILE *to, const struct command *command,
                                     const struct option *option)
{
    if (option->kind != OPTION_FLAG)
        tell_names(to, command, option);
}

static void print_options(FILE *to)
{
    (void)fputs("    case $command in\n", to);
    for (const struct command *const *c = commands; *c; c++) {
        (void)fprintf(to, "    %s)\n        options='", (*c)->name);
        completion_each_option(to, *c, tell_names);
        (void)fputs("'\n        takes=' ", to);
        completion_each_option(to, *c, tell_names_with_argument);
        (void)fputs("' ;;\n", to);
    }
    (void)fputs("    esac\n", to);
}

static void print_offer(FILE *to, enum offer offer, const char *const *words)
{
    switch (offer) {
    case OFFER_NOTHING:
        (void)fputc(':', to);
        return;
    case OFFER_FILES:
        (void)fputs("files=1", to);
        return;
    case OFFER_RULES:
        (void)fputs("rules=1", to);
        return;
    case OFFER_WORDS:
        (void)fputs("offer='", to);
        break;
    case OFFER_RULE_WORDS:
        (void)fputs("rules=1 levels=' ", to);
        break;
    }
    completion_words(to, words);
    (void)fputc('\'', to);
}

/* What may stand behind the option. */
static void tell_argument(FILE *to, const struct command *command,
                          const struct option *option)
{
    if (option->kind == OPTION_FLAG)
        return;
    (void)fprintf(to, "    %s:--%s", command->name, option->name);
    if (option->letter != '\0')
        (void)fprintf(to, " | %s:-%c", command->name, option->letter);
    (void)fputs(") ", to);
    print_offer(to, completion_offer(option), option->words);
    (void)fprintf(to, "%s ;;\n", completion_is_list(option) ? " list=1" : "");
}

static void print_operands(FILE *to, const struct command *command)
{
    static const enum offer offers[] = {
        [OPERANDS_PATHS] = OFFER_FILES,
        [OPERANDS_WORDS] = OFFER_WORDS,
        [OPERANDS_RULES] = OFFER_RULES,
    };
    const bool any = command->operand_kind == OPERANDS_PATHS;

    (void)fprintf(to, "    %s:%s) ", command->name, any ? "*" : "0");
    print_offer(to, offers[command->operand_kind], command->operand_words);
    (void)fputs(" ;;\n", to);
}

static void print_answers(FILE *to)
{
    (void)fputs("    if ((${#words[@]} == 1)) && [[ $cur == -* ]]; then\n"
                "        offer='-h --help -V --version'\n"
                "    elif ((${#words[@]} == 1)); then\n        offer='",
                to);
    completion_commands(to);
    (void)fputs("'\n"
                "    elif [[ $option ]]; then\n    case $command:$option in\n",
                to);
    for (const struct command *const *c = commands; *c; c++)
        completion_each_option(to, *c, tell_argument);
    (void)fputs("    esac\n"
                "    elif [[ $cur == -* ]]; then\n        offer=$options\n"
                "    else\n    case $command:$operands in\n",
                to);
    for (const struct command *const *c = commands; *c; c++)
        print_operands(to, *c);
    (void)fputs("    esac\n    fi\n", to);
}

void completion_bash(FILE *to)
{
    (void)fputs("# bash completion for xdscope\n_xdscope()\n{\n", to);
    (void)fputs(find_words, to);
    print_options(to);
    (void)fputs(find_option, to);
    print_answers(to);
    (void)fputs(answer, to);
}
