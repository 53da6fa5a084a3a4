/* completion.c - what the completion scripts of all shells are made from. */
#include "cli/completion.h"

#include "cli/cmd.h"

#include <string.h>

enum offer completion_offer(const struct option *option)
{
    if (option->kind == OPTION_FLAG)
        return OFFER_NOTHING;
    switch (option->argument) {
    case ARGUMENT_FILE:
        return OFFER_FILES;
    case ARGUMENT_RULE:
        return strchr(option->argument_name, '=') ? OFFER_RULE_WORDS : OFFER_RULES;
    case ARGUMENT_PATTERN:
    case ARGUMENT_ANY:
        break;
    }
    return option->words ? OFFER_WORDS : OFFER_NOTHING;
}

bool completion_is_list(const struct option *option)
{
    return option->kind == OPTION_LIST && completion_offer(option) >= OFFER_WORDS;
}

void completion_each_option(FILE *to, const struct command *command, completion_fn tell)
{
    for (const struct option_group *const *g = command->groups; *g; g++)
        for (size_t i = 0; i < (*g)->n; i++)
            if (!(*g)->options[i].hidden)
                tell(to, command, &(*g)->options[i]);
}

void completion_words(FILE *to, const char *const *words)
{
    for (size_t i = 0; words && words[i]; i++)
        (void)fprintf(to, "%s%s", i > 0 ? " " : "", words[i]);
}

void completion_commands(FILE *to)
{
    for (const struct command *const *c = commands; *c; c++)
        (void)fprintf(to, "%s%s", c == commands ? "" : " ", (*c)->name);
}
