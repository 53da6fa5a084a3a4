/*
 * cmd_completion.c - xdscope completion: shell scripts made from the tables of options.
 *
 * Source: bash(1), Programmable Completion; zshcompsys(1); complete(1) of fish 3.
 */
#include "cli/files/output.h"

#include <string.h>

/* ---- what all scripts are made from ---- */

/* What a shell offers for an argument. */
enum offer {
    OFFER_NOTHING,
    OFFER_FILES,
    OFFER_WORDS,
    OFFER_RULES,
    OFFER_RULE_WORDS, /* RULE=WORD */
    OFFER_NAMES,      /* of what is in the input */
};

static const enum offer operand_offers[] = {
    [OPERANDS_PATHS] = OFFER_FILES,
    [OPERANDS_WORDS] = OFFER_WORDS,
    [OPERANDS_RULES] = OFFER_RULES,
};

/* One option of a command, told to a shell. */
typedef void (*option_fn)(FILE *to, const struct command *command,
                          const struct option *option);

/* For all three shells: one slug per line. */
#define COMPLETION_RULES "xdscope rule -q 2>/dev/null | cut -d' ' -f1"
/* One name per line of the paths that follow; a large input is not waited for. */
#define COMPLETION_NAMES "timeout 2 xdscope show -q -f names"

/* Which names, as options of show; in front of those of a target stands TARGET_PREFIX. */
static const char *const names[] = {
    [ARGUMENT_NAME] = "--listeners --routes --clusters --endpoints",
    [ARGUMENT_TARGET] = "target --listeners",
    [ARGUMENT_LISTENER] = "--listeners",
    [ARGUMENT_ROUTE_CONFIG] = "--routes",
    [ARGUMENT_CLUSTER] = "--clusters",
    [ARGUMENT_ADDRESS] = "--endpoints",
};
#define TARGET_PREFIX "xds:///"

static enum offer offer_of(const struct option *option)
{
    if (option->kind == OPTION_FLAG)
        return OFFER_NOTHING;
    switch (option->argument) {
    case ARGUMENT_FILE:
    case ARGUMENT_GLOB:
        return OFFER_FILES;
    case ARGUMENT_RULE:
        return strchr(option->argument_name, '=') ? OFFER_RULE_WORDS : OFFER_RULES;
    case ARGUMENT_NAME:
    case ARGUMENT_TARGET:
    case ARGUMENT_LISTENER:
    case ARGUMENT_ROUTE_CONFIG:
    case ARGUMENT_CLUSTER:
    case ARGUMENT_ADDRESS:
        return OFFER_NAMES;
    case ARGUMENT_PATTERN:
    case ARGUMENT_ANY:
        break;
    }
    return option->words ? OFFER_WORDS : OFFER_NOTHING;
}

/* The argument holds several, separated by commas, and the last is completed. */
static bool is_list_option(const struct option *option)
{
    return option->kind == OPTION_LIST && offer_of(option) >= OFFER_WORDS;
}

/* In the order of --help, without the hidden ones. */
static void each_option(FILE *to, const struct command *command, option_fn tell)
{
    const struct option *option;

    for (size_t i = 0; (option = command_option(command, i)); i++)
        if (!option->hidden)
            tell(to, command, option);
}

/* Separated by blanks; NULL is none. */
static void print_words(FILE *to, const char *const *words)
{
    for (size_t i = 0; words && words[i]; i++)
        (void)fprintf(to, "%s%s", i > 0 ? " " : "", words[i]);
}

/* How a shell writes an offer, before and after its words. */
struct phrase {
    const char *before, *after;
};

static void print_offer(FILE *to, const struct phrase *phrase, const char *const *words)
{
    (void)fputs(phrase->before, to);
    print_words(to, words);
    (void)fputs(phrase->after, to);
}

/* What an option's argument may be. */
static void print_argument(FILE *to, const struct phrase *phrase,
                           const struct option *option)
{
    if (offer_of(option) == OFFER_NAMES)
        print_offer(to, phrase, (const char *const[]){names[option->argument], NULL});
    else
        print_offer(to, phrase, option->words);
}

static void print_commands(FILE *to)
{
    for (const struct command *const *c = commands; *c; c++)
        (void)fprintf(to, "%s%s", c == commands ? "" : " ", (*c)->name);
}

/* The first word of the line. */
static void print_first_words(FILE *to)
{
    print_commands(to);
    (void)fputc(' ', to);
    print_words(to, other_words);
}

/* ---- bash ---- */

/* The words of the line: bash cuts them at = and :, which options and addresses have
 * inside. What bash does not know of a word may not stand in its answer. */
static const char find_words[] =
    "    local words=() joined='' options='' takes='' option='' operands=0\n"
    "    local offer='' list='' files='' levels='' rules='' names='' head='' i\n"
    "    local paths=() found=()\n"
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
    "            paths+=(\"${words[i]/#\\~\\//$HOME/}\")\n"
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
    "    if [[ $names ]]; then\n" /* compgen -W would run what is in a name */
    "        mapfile -t found < <(" COMPLETION_NAMES
    " ${names#target } -- \"${paths[@]}\" \\\n"
    "            2>/dev/null)\n"
    "        [[ $names == target* ]] && found=(\"${found[@]/#/" TARGET_PREFIX "}\")\n"
    "        for i in \"${found[@]}\"; do\n"
    "            [[ $i == \"$value\"* ]] && COMPREPLY+=(\"$(printf %q \"$i\")\")\n"
    "        done\n"
    "        COMPREPLY=(\"${COMPREPLY[@]/#/$head}\")\n"
    "        COMPREPLY=(\"${COMPREPLY[@]#\"$known\"}\")\n"
    "        return\n"
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

static const struct phrase bash_phrases[] = {
    [OFFER_NOTHING] = {":", ""},
    [OFFER_FILES] = {"files=1", ""},
    [OFFER_WORDS] = {"offer='", "'"},
    [OFFER_RULES] = {"rules=1", ""},
    [OFFER_RULE_WORDS] = {"rules=1 levels=' ", "'"},
    [OFFER_NAMES] = {"names='", "'"},
};

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
    print_argument(to, &bash_phrases[offer_of(option)], option);
    (void)fprintf(to, "%s ;;\n", is_list_option(option) ? " list=1" : "");
}

/* One script each, made from the tables of options. */
static void completion_bash(FILE *to)
{
    (void)fputs("# bash completion for xdscope\n_xdscope()\n{\n", to);
    (void)fputs(find_words, to);
    (void)fputs("    case $command in\n", to);
    for (const struct command *const *c = commands; *c; c++) {
        (void)fprintf(to, "    %s)\n        options='", (*c)->name);
        each_option(to, *c, tell_names);
        (void)fputs("'\n        takes=' ", to);
        each_option(to, *c, tell_names_with_argument);
        (void)fputs("' ;;\n", to);
    }
    (void)fputs("    esac\n", to);
    (void)fputs(find_option, to);
    (void)fputs("    if ((${#words[@]} == 1)) && [[ $cur == -* ]]; then\n"
                "        offer='-h --help -V --version'\n"
                "    elif ((${#words[@]} == 1)); then\n        offer='",
                to);
    print_first_words(to);
    (void)fputs("'\n"
                "    elif [[ $option ]]; then\n    case $command:$option in\n",
                to);
    for (const struct command *const *c = commands; *c; c++)
        each_option(to, *c, tell_argument);
    (void)fputs("    esac\n"
                "    elif [[ $cur == -* ]]; then\n        offer=$options\n"
                "    else\n    case $command:$operands in\n",
                to);
    for (const struct command *const *c = commands; *c; c++) {
        const enum operand_kind kind = (*c)->operand_kind;

        (void)fprintf(to, "    %s:%s) ", (*c)->name, kind == OPERANDS_PATHS ? "*" : "0");
        print_offer(to, &bash_phrases[operand_offers[kind]], (*c)->operand_words);
        (void)fputs(" ;;\n", to);
    }
    (void)fputs("    help:0) offer='", to);
    print_commands(to);
    (void)fputs("' ;;\n    esac\n    fi\n", to);
    (void)fputs(answer, to);
}

/* ---- zsh ---- */

/* _arguments runs an action that begins with a blank as it stands. */
static const char zsh_helpers[] =
    "#compdef xdscope\n"
    "_xdscope_rules()\n{\n"
    "    compadd \"$@\" -- ${(f)\"$(" COMPLETION_RULES ")\"}\n}\n"
    "# The lists of the files and folders on the line.\n"
    "_xdscope_names()\n{\n"
    "    local prefix='' word\n    local -a paths offered\n"
    "    [[ $1 = target ]] && { prefix=" TARGET_PREFIX "; shift }\n"
    "    for word in \"${(@Q)words[2,CURRENT-1]}\"; do\n"
    "        word=${word/#\\~\\//$HOME/}\n"
    "        [[ -e $word ]] && paths+=($word)\n"
    "    done\n"
    "    offered=(${(f)\"$(" COMPLETION_NAMES " $@ -- $paths 2>/dev/null)\"})\n"
    "    compadd -- $prefix$^offered\n}\n"
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

static const struct phrase zsh_phrases[] = {
    [OFFER_NOTHING] = {" ", ""},
    [OFFER_FILES] = {"_files", ""},
    [OFFER_WORDS] = {" compadd -- ", ""},
    [OFFER_RULES] = {" _xdscope_rules", ""},
    [OFFER_RULE_WORDS] = {" _xdscope_rule_words ", ""},
    [OFFER_NAMES] = {" _xdscope_names ", ""},
};

static void zsh_option(FILE *to, const struct command *command,
                       const struct option *option)
{
    (void)command;

    /* Both names of an option that may be given once keep each other away. */
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
    (void)fputc('[', to);
    zsh_text(to, option_help(option).text);
    (void)fputc(']', to);
    if (option->kind != OPTION_FLAG) {
        (void)fputc(':', to);
        zsh_text(to, option->argument_name);
        (void)fputs(is_list_option(option) ? ": _xdscope_list" : ":", to);
        print_argument(to, &zsh_phrases[offer_of(option)], option);
    }
    (void)fputs("' \\\n", to);
}

static void completion_zsh(FILE *to)
{
    (void)fputs(zsh_helpers, to);
    (void)fputs("_xdscope()\n{\n"
                "    if ((CURRENT == 2)) && [[ $PREFIX == -* ]]; then\n"
                "        compadd -- -h --help -V --version\n        return\n"
                "    elif ((CURRENT == 2)); then\n        compadd -- ",
                to);
    print_first_words(to);
    (void)fputs("\n        return\n    fi\n"
                "    local command=$words[2]\n"
                "    shift words\n    ((CURRENT--))\n    case $command in\n",
                to);
    for (const struct command *const *c = commands; *c; c++) {
        const struct command *command = *c;

        (void)fprintf(to, "    %s)\n        _arguments -s \\\n", command->name);
        each_option(to, command, zsh_option);

        /* After a word or a rule come no options. */
        static const struct phrase operands[] = {
            [OPERANDS_PATHS] = {"        '*:path:", "' ;;\n"},
            [OPERANDS_WORDS] = {"        '1:word:", "' '*: : ' ;;\n"},
            [OPERANDS_RULES] = {"        '1:rule:", "' '*: : ' ;;\n"},
        };
        const enum operand_kind kind = command->operand_kind;

        (void)fputs(operands[kind].before, to);
        print_offer(to, &zsh_phrases[operand_offers[kind]], command->operand_words);
        (void)fputs(operands[kind].after, to);
    }
    (void)fputs("    help)\n        _arguments '1:command:(", to);
    print_commands(to);
    (void)fputs(")' '*: : ' ;;\n    esac\n}\n", to);
    (void)fputs(loader, to);
}

/* ---- fish ---- */

/* fish replaces whole words, so what stands before the last piece of a list is said
 * again. */
static const char fish_helpers[] =
    "# fish completion for xdscope\n"
    "function __xdscope_command\n"
    "    set -l words (commandline -opc)\n"
    "    test \"$words[2]\" = \"$argv[1]\"\n"
    "end\n"
    "function __xdscope_rules\n"
    "    " COMPLETION_RULES "\n"
    "end\n"
    "function __xdscope_names\n"
    "    set -l prefix ''\n"
    "    set -l lists $argv\n"
    "    set -l paths\n"
    "    if test \"$lists[1]\" = target\n"
    "        set prefix " TARGET_PREFIX "\n"
    "        set -e lists[1]\n"
    "    end\n"
    "    for word in (commandline -opc | string replace -r '^~/' \"$HOME/\")[3..]\n"
    "        test -e \"$word\"; and set -a paths $word\n"
    "    end\n"
    "    " COMPLETION_NAMES
    " $lists -- $paths 2>/dev/null | string replace -r '^' $prefix\n"
    "end\n"
    "function __xdscope_name_list\n"
    "    __xdscope_names $argv[2..]\n"
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
static void fish_text(FILE *to, const char *text)
{
    for (; *text != '\0'; text++)
        (void)fprintf(to, "%s%c", *text == '\'' || *text == '\\' ? "\\" : "", *text);
}

static void print_condition(FILE *to, const struct command *command)
{
    (void)fprintf(to, "complete -c xdscope -n '__xdscope_command %s", command->name);
}

/* RULE=WORD is in lists only. */
static const struct phrase fish_phrases[] = {
    [OFFER_NOTHING] = {"", ""},     [OFFER_FILES] = {"", ""},
    [OFFER_WORDS] = {" -a '", "'"}, [OFFER_RULES] = {" -a '(__xdscope_rules", ")'"},
    [OFFER_RULE_WORDS] = {"", ""},  [OFFER_NAMES] = {" -a '(__xdscope_names ", ")'"},
};

static const struct phrase fish_list_phrases[] = {
    [OFFER_WORDS] = {" -a '(__xdscope_list __xdscope_words ", ")'"},
    [OFFER_RULES] = {" -a '(__xdscope_list __xdscope_rules", ")'"},
    [OFFER_RULE_WORDS] = {" -a '(__xdscope_list __xdscope_rule_words ", ")'"},
    [OFFER_NAMES] = {" -a '(__xdscope_list __xdscope_name_list ", ")'"},
};

static void fish_option(FILE *to, const struct command *command,
                        const struct option *option)
{
    const enum offer offer = offer_of(option);

    print_condition(to, command);
    (void)fprintf(to, "' -l %s", option->name);
    if (option->letter != '\0')
        (void)fprintf(to, " -s %c", option->letter);
    if (option->kind != OPTION_FLAG)
        (void)fputs(offer == OFFER_FILES ? " -rF" : " -x", to);
    print_argument(
        to, is_list_option(option) ? &fish_list_phrases[offer] : &fish_phrases[offer],
        option);
    (void)fputs(" -d '", to);
    fish_text(to, option_help(option).text);
    (void)fputs("'\n", to);
}

static void fish_operands(FILE *to, const struct command *command)
{
    print_condition(to, command);
    switch (command->operand_kind) {
    case OPERANDS_PATHS:
        (void)fputs("' -F\n", to);
        return;
    case OPERANDS_WORDS:
        (void)fputs("; and not __fish_seen_subcommand_from ", to);
        print_words(to, command->operand_words);
        (void)fputs("' -a '", to);
        print_words(to, command->operand_words);
        (void)fputs("'\n", to);
        return;
    case OPERANDS_RULES:
        (void)fputs("' -a '(__xdscope_rules)'\n", to);
        return;
    }
}

static void completion_fish(FILE *to)
{
    (void)fputs(fish_helpers, to);
    for (const struct command *const *c = commands; *c; c++) {
        (void)fprintf(to, "complete -c xdscope -n '__xdscope_command \"\"' -a %s -d '",
                      (*c)->name);
        fish_text(to, (*c)->summary);
        (void)fputs("'\n", to);
        fish_operands(to, *c);
        each_option(to, *c, fish_option);
    }
    (void)fputs("complete -c xdscope -n '__xdscope_command \"\"' -a '", to);
    print_words(to, other_words);
    (void)fputs("'\ncomplete -c xdscope -f -n '__xdscope_command help' -a '", to);
    print_commands(to);
    (void)fputs("'\n", to);
}

static const struct shell {
    const char *name;
    void (*print)(FILE *to);
} shells[] = {
    {"bash", completion_bash},
    {"zsh", completion_zsh},
    {"fish", completion_fish},
};

static int run(const struct command *self, void *arg, const struct operands *operands)
{
    const char *name = operands->n == 1 ? operands->items[0] : "";
    struct output out;

    for (size_t i = 0; i < ARRAY_LEN(shells); i++) {
        if (strcmp(shells[i].name, name) != 0)
            continue;
        const int status = output_open(&out, self, arg, false);

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
    .settings_size = sizeof(struct common),
    .examples = "completion bash",
    .run = run,
};
