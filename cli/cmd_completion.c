/*
 * cmd_completion.c - xdscope completion: a script for a shell, and what the script asks
 * each time: completion --complete WORDS, with the words of the line after "xdscope" up
 * to the cursor.
 *
 * The answer is a line for each word that can come next, or ":files". What a word may
 * be follows from the tables of options, so the scripts know of none.
 * Source: bash(1), Programmable Completion; zshcompsys(1); complete(1) of fish 3.
 */
#include "cli/files/output.h"
#include "cli/show.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct completion_settings {
    struct common common;
    bool complete;
};

/* ---- the scripts ---- */

/* Bash cuts the words of the line at = and :, which options and addresses have inside,
 * and puts an answer in place of what follows the last of them. Files are left to bash,
 * which knows how to quote them. */
static const char bash[] =
    "# bash completion for xdscope\n"
    "_xdscope()\n{\n"
    "    local words=() joined='' i\n"
    "    COMPREPLY=()\n"
    "    for ((i = 1; i <= COMP_CWORD; i++)); do\n"
    "        if ((i > 1)) && [[ $joined || ${COMP_WORDS[i]} =~ ^[=:]+$ ]]; then\n"
    "            words[-1]+=${COMP_WORDS[i]}\n"
    "        else\n"
    "            words+=(\"${COMP_WORDS[i]}\")\n"
    "        fi\n"
    "        [[ ${COMP_WORDS[i]} =~ ^[=:]+$ ]] && joined=1 || joined=''\n"
    "    done\n"
    "    local cur=${words[-1]} last=${COMP_WORDS[COMP_CWORD]}\n"
    "    [[ $joined ]] && last=''\n"
    "    local known=${cur%\"$last\"} before=(\"${words[@]:0:${#words[@]}-1}\") "
    "found=()\n"
    "    mapfile -t found < <(xdscope completion --complete -- \\\n"
    "        \"${before[@]/#\\~\\//$HOME/}\" \"$cur\" 2>/dev/null)\n"
    "    if [[ ${found[0]} == :files ]]; then\n"
    "        compopt -o default\n"
    "        return\n"
    "    fi\n"
    "    for i in \"${found[@]%%$'\\t'*}\"; do\n"
    "        [[ $i == *= ]] && compopt -o nospace\n"
    "        i=${i#\"$known\"}\n" /* what is in a name is not run */
    "        [[ $i == *[!a-zA-Z0-9_.,:=/@%+-]* ]] && printf -v i %q \"$i\"\n"
    "        COMPREPLY+=(\"$i\")\n"
    "    done\n"
    "}\n"
    "complete -F _xdscope xdscope\n";

static const char zsh[] =
    "#compdef xdscope\n"
    "_xdscope()\n{\n"
    "    local line word\n    local -a before found shown open\n"
    "    before=(\"${(@Q)words[2,CURRENT-1]}\")\n"
    "    for line in ${(f)\"$(xdscope completion --complete -- \\\n"
    "        ${before/#\\~\\//$HOME/} \"${(Q)PREFIX}\" 2>/dev/null)\"}; do\n"
    "        if [[ $line = :files ]]; then\n"
    "            compset -P '--*='\n            _files\n            return\n"
    "        fi\n"
    "        word=${line%%$'\\t'*}\n"
    "        if [[ $word = *= ]]; then\n            open+=($word)\n"
    "        else\n"
    "            found+=($word)\n            shown+=(\"${line/$'\\t'/  -- }\")\n"
    "        fi\n"
    "    done\n"
    "    (($#open)) && compadd -S '' -- $open\n"
    "    (($#found)) && compadd -l -d shown -- $found\n"
    "}\n"
    "if [[ $funcstack[1] = _xdscope ]]; then\n"
    "    _xdscope \"$@\"\n"
    "else\n    compdef _xdscope xdscope\nfi\n";

static const char fish[] =
    "# fish completion for xdscope\n"
    "function __xdscope\n"
    "    set -l before (commandline -opc | string replace -r '^~/' \"$HOME/\")\n"
    "    set -l word (commandline -ct)\n"
    "    set -l found (xdscope completion --complete -- $before[2..] \"$word\" "
    "2>/dev/null)\n"
    "    if test \"$found[1]\" = :files\n"
    "        set -l head (string match -r -- '^--[^=]*=' \"$word\")\n"
    "        __fish_complete_path (string replace -- \"$head\" '' \"$word\") |\n"
    "            string replace -r -- '^' \"$head\"\n"
    "    else\n"
    "        printf '%s\\n' $found\n"
    "    end\n"
    "end\n"
    "complete -c xdscope -f -a '(__xdscope)'\n";

static const struct shell {
    const char *name, *script;
} shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};

/* ---- what may stand in a place ---- */

/* The word under the cursor: what is before the part that is completed, what any answer
 * begins with, and that part. */
struct place {
    FILE *to;
    const char *head, *lead, *part;
    size_t head_len, part_len;
    bool failed; /* after a message */
};

/* The word with this text in place of the part, if that begins it. */
static void offer(const struct place *place, const char *text, const char *end,
                  const char *help)
{
    if (strncmp(text, place->part, place->part_len) == 0)
        (void)fprintf(place->to, "%.*s%s%s%s%s%s\n", (int)place->head_len, place->head,
                      place->lead, text, end, help ? "\t" : "", help ? help : "");
}

static void offer_words(const struct place *place, const char *const *words)
{
    for (size_t i = 0; words && words[i]; i++)
        offer(place, words[i], "", NULL);
}

static void offer_files(const struct place *place)
{
    (void)fputs(":files\n", place->to);
}

static void offer_rules(const struct place *place, const char *end)
{
    size_t n;
    const struct xds_rule *rules = xds_rules(&n);

    for (size_t i = 0; i < n; i++)
        offer(place, rules[i].slug, end, NULL);
}

static void offer_commands(const struct place *place, const struct command *const *all)
{
    for (; *all; all++)
        offer(place, (*all)->name, "", (*all)->summary);
}

static void offer_options(const struct place *place, const struct command *command)
{
    const struct option *option;

    for (size_t i = 0; (option = command_option(command, i)); i++) {
        if (option->hidden)
            continue;
        const struct option_help help = option_help(option);
        char name[64];

        (void)snprintf(name, sizeof name, "--%s", option->name);
        offer(place, name, "", help.text);
        if (option->letter != '\0')
            offer(place, (const char[]){'-', option->letter, '\0'}, "", help.text);
    }
}

/* Makes what follows the last such character the part that is completed. */
static bool cut_after(struct place *place, char c)
{
    const char *cut = strrchr(place->part, c);

    if (cut) {
        const size_t len = (size_t)(cut + 1 - place->part);

        place->head_len += len;
        place->part += len;
        place->part_len -= len;
    }
    return cut;
}

/* Whether an answer that begins so can be one; what follows is completed then. */
static bool take_lead(struct place *place, const char *lead)
{
    const size_t len = strlen(lead);
    const size_t n = place->part_len < len ? place->part_len : len;

    if (strncmp(place->part, lead, n) != 0)
        return false;
    place->lead = lead;
    place->part += n;
    place->part_len -= n;
    return true;
}

/* A large input is not waited for. */
enum { PATIENCE_SECONDS = 2 };

static void leave(int signal)
{
    (void)signal;
    _exit(EXIT_CLEAN);
}

/* The words before, and how many of them are paths, which come first. */
struct words {
    char **items;
    size_t n, n_paths;
};

/* What is in the files and folders of the line. */
static void offer_names(struct place *place, const struct words *words,
                        enum argument_kind kind)
{
    static const unsigned tables[] = {
        [ARGUMENT_TARGET] = 1u << XDS_TYPE_LISTENER,
        [ARGUMENT_LISTENER] = 1u << XDS_TYPE_LISTENER,
        [ARGUMENT_ROUTE_CONFIG] = 1u << XDS_TYPE_ROUTE,
        [ARGUMENT_CLUSTER] = 1u << XDS_TYPE_CLUSTER,
        [ARGUMENT_ADDRESS] = 1u << XDS_TYPE_ENDPOINT,
        [ARGUMENT_NAME] = 1u << XDS_TYPE_LISTENER | 1u << XDS_TYPE_ROUTE |
                          1u << XDS_TYPE_CLUSTER | 1u << XDS_TYPE_ENDPOINT,
    };
    char *text = NULL, *rest = NULL;
    size_t size = 0;
    FILE *names;

    if (words->n_paths == 0 || (kind == ARGUMENT_TARGET && !take_lead(place, "xds:///")))
        return;
    names = open_memstream(&text, &size);
    if (!names) {
        place->failed = trouble(&cmd_completion, "out of memory");
        return;
    }
    (void)signal(SIGALRM, leave);
    (void)alarm(PATIENCE_SECONDS);
    const int status = show_names(words->items, words->n_paths, tables[kind], names);

    (void)alarm(0);
    if (fclose(names) != 0 || !text)
        place->failed = trouble(&cmd_completion, "out of memory");
    else /* of a broken input there may be names */
        place->failed = status == EXIT_TROUBLE && size == 0;
    for (char *name = place->failed ? NULL : strtok_r(text, "\n", &rest); name;
         name = strtok_r(NULL, "\n", &rest))
        offer(place, name, "", NULL);
    free(text);
}

/* What the argument of an option may be. */
static void offer_argument(struct place *place, const struct option *option,
                           const struct words *words)
{
    const bool is_file =
        option->argument == ARGUMENT_FILE || option->argument == ARGUMENT_GLOB;

    /* A list holds several, separated by commas; the last is completed. */
    if (option->kind == OPTION_LIST && !is_file)
        (void)cut_after(place, ',');
    switch (option->argument) {
    case ARGUMENT_FILE:
    case ARGUMENT_GLOB:
        offer_files(place);
        return;
    case ARGUMENT_RULE:
        if (!strchr(option->argument_name, '='))
            offer_rules(place, "");
        else if (cut_after(place, '='))
            offer_words(place, option->words);
        else
            offer_rules(place, "=");
        return;
    case ARGUMENT_NAME:
    case ARGUMENT_TARGET:
    case ARGUMENT_LISTENER:
    case ARGUMENT_ROUTE_CONFIG:
    case ARGUMENT_CLUSTER:
    case ARGUMENT_ADDRESS:
        offer_names(place, words, option->argument);
        return;
    case ARGUMENT_PATTERN:
    case ARGUMENT_ANY:
        offer_words(place, option->words);
        return;
    }
}

static void offer_operand(const struct place *place, const struct command *command,
                          const struct words *words)
{
    switch (command->operand_kind) {
    case OPERANDS_PATHS:
        offer_files(place);
        return;
    case OPERANDS_WORDS:
        if (words->n_paths == 0)
            offer_words(place, command->operand_words);
        return;
    case OPERANDS_RULES:
        if (words->n_paths == 0)
            offer_rules(place, "");
        return;
    }
}

/* ---- which place it is ---- */

/* The option of a word such as "--client", "--client=go" or "-f"; or NULL. */
static const struct option *option_of(const struct command *command, const char *word)
{
    const struct xds_slice name = {word + 2, strcspn(word, "=") - 2};
    const struct option *option;

    for (size_t i = 0; (option = command_option(command, i)); i++)
        if (word[1] == '-'
                ? is_text(name, option->name)
                : option->letter != '\0' && option->letter == word[1] && word[2] == '\0')
            return option;
    return NULL;
}

/* The option whose argument comes after the words, or NULL; operands are put in front. */
static const struct option *read_words(const struct command *command, struct words *words)
{
    const struct option *waiting = NULL;

    for (size_t i = 0; i < words->n; i++) {
        char *word = words->items[i];

        if (waiting)
            waiting = NULL;
        else if (word[0] != '-')
            words->items[words->n_paths++] = word;
        else if (word[1] != '\0' && !strchr(word, '=')) {
            waiting = option_of(command, word);
            if (waiting && waiting->kind == OPTION_FLAG)
                waiting = NULL;
        }
    }
    return waiting;
}

static void complete_command(struct place *place, const struct command *command,
                             struct words words)
{
    const struct option *option = read_words(command, &words);

    if (!option && strncmp(place->part, "--", 2) == 0 && strchr(place->part, '=')) {
        option = option_of(command, place->part);
        if (!option || option->kind == OPTION_FLAG)
            return;
        const size_t len = strcspn(place->part, "=") + 1;

        place->head_len = len;
        place->part += len;
        place->part_len -= len;
    }
    if (option)
        offer_argument(place, option, &words);
    else if (place->part[0] == '-')
        offer_options(place, command);
    else
        offer_operand(place, command, &words);
}

static const struct command *command_of(const struct command *const *all,
                                        const char *name)
{
    while (*all && strcmp((*all)->name, name) != 0)
        all++;
    return *all;
}

/* The first word of the line. */
static void complete_first(const struct place *place, const struct command *const *all)
{
    static const char *const options[] = {"-h", "--help", "-V", "--version", NULL};

    if (place->part[0] == '-') {
        offer_words(place, options);
        return;
    }
    offer_commands(place, all);
    offer_words(place, other_words);
}

/* False after a message. */
static bool complete(const struct command *const *all, FILE *to, char **words, size_t n)
{
    const char *word = n > 0 ? words[n - 1] : "";
    struct place place = {to, word, "", word, 0, strlen(word), false};

    if (n <= 1)
        complete_first(&place, all);
    else if (strcmp(words[0], "help") == 0 && n == 2)
        offer_commands(&place, all);
    else {
        const struct command *command = command_of(all, words[0]);

        if (command)
            complete_command(&place, command, (struct words){words + 1, n - 2, 0});
    }
    return !place.failed;
}

/* ---- the command ---- */

static const char *script_of(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(shells); i++)
        if (strcmp(shells[i].name, name) == 0)
            return shells[i].script;
    return NULL;
}

static int run(const struct command *self, void *arg, const struct operands *operands)
{
    const struct completion_settings *settings = arg;
    const char *script =
        !settings->complete && operands->n == 1 ? script_of(operands->items[0]) : NULL;
    struct output out;

    if (!settings->complete && !script)
        return usage_error(self, "takes one shell: bash, zsh or fish");
    const int status = output_open(&out, self, &settings->common, false);

    if (status != EXIT_CLEAN)
        return status;
    if (script)
        (void)fputs(script, out.file);
    else if (!complete(settings->common.commands, out.file, operands->items,
                       operands->n)) {
        output_drop(&out);
        return EXIT_TROUBLE;
    }
    return output_close(&out, ferror(out.file) ? XDS_ERR_IO : XDS_OK);
}

static const struct option rows[] = {
    {FLAG_ROW(completion_settings, complete, "complete"), .hidden = true,
     .reach = COMMAND_LINE_ONLY, .help = "print what the last of the words may be"},
};

static const struct option_group completion_options = {.options = rows,
                                                       .n = ARRAY_LEN(rows)};

const struct command cmd_completion = {
    .name = "completion",
    .operands = "bash|zsh|fish",
    .summary = "print a completion script for a shell",
    .operand_kind = OPERANDS_WORDS,
    .operand_words = (const char *const[]){"bash", "zsh", "fish", NULL},
    .groups =
        (const struct option_group *const[]){&completion_options, &common_options, NULL},
    .settings_size = sizeof(struct completion_settings),
    .examples = "completion bash",
    .run = run,
};
