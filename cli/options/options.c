/*
 * options.c - a parser of GNU options, driven by tables.
 *
 * Fails:  on an unknown option, a missing or needless argument, a word that is none.
 */
#include "cli/options/options.h"

#include "cli/options/common.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct parser {
    const struct command *command;
    char **argv;
    size_t argc, next;
    char *settings;
    const char **room; /* for lists: what is left of it */
    unsigned char *given;
    const char *dashes; /* before names in messages */
    char *error;
};

/* An error without a text: the caller knows no better. */
static bool no_memory(struct parser *p)
{
    p->error[0] = '\0';
    return false;
}

/* A row, and the member of the settings that it fills. */
struct target {
    const struct option *option;
    void *member;
};

__attribute__((format(printf, 2, 3))) static bool fail(struct parser *p,
                                                       const char *format, ...)
{
    va_list args;

    va_start(args, format);
    (void)vsnprintf(p->error, OPTIONS_ERROR_SIZE, format, args);
    va_end(args);
    return false;
}

static bool has_name(const struct option *option, const char *name, size_t len,
                     char letter)
{
    if (letter != '\0')
        return option->letter == letter;
    return strlen(option->name) == len && memcmp(option->name, name, len) == 0;
}

const struct option *command_option(const struct command *command, size_t i)
{
    for (const struct option_group *const *g = command->groups; *g; i -= (*g++)->n)
        if (i < (*g)->n)
            return &(*g)->options[i];
    return NULL;
}

/* By name, or by letter when that is not 0; or NULL. */
static const struct option *find_option(const struct command *command, const char *name,
                                        size_t len, char letter)
{
    const struct option *option;

    for (size_t i = 0; (option = command_option(command, i)); i++)
        if (has_name(option, name, len, letter))
            break;
    return option;
}

static struct target find(const struct parser *p, const char *name, size_t len,
                          char letter)
{
    const struct option *option = find_option(p->command, name, len, letter);

    return (struct target){option, option ? p->settings + option->offset : NULL};
}

static bool has_negative(const struct option *option)
{
    return (option->kind == OPTION_FLAG && strncmp(option->name, "no-", 3) != 0) ||
           option->undo;
}

/* The option's place among those of its command. */
static size_t index_of(const struct command *command, const struct option *option)
{
    size_t i = 0;

    while (command_option(command, i) != option)
        i++;
    return i;
}

static const char *nearest_option(const struct parser *p, const char *name, size_t len,
                                  bool only_flags)
{
    struct hint hint = hint_for(name, len);
    const struct option *option;

    for (size_t i = 0; (option = command_option(p->command, i)); i++)
        if (!option->hidden && (!only_flags || has_negative(option)))
            hint_offer(&hint, option->name);
    return hint.best;
}

static bool unknown_option(struct parser *p, const char *name, size_t len)
{
    const bool negative = len > 3 && memcmp(name, "no-", 3) == 0;
    const size_t from = negative ? 3 : 0;
    const char *flag = negative ? nearest_option(p, name + 3, len - 3, true) : NULL;
    const char *any = nearest_option(p, name + from, len - from, false);

    if (flag)
        return fail(p, "unknown option '--%.*s'; did you mean '--no-%s'?", (int)len, name,
                    flag);
    if (any)
        return fail(p, "unknown option '--%.*s'; did you mean '--%s'?", (int)len, name,
                    any);
    return fail(p, "unknown option '--%.*s'", (int)len, name);
}

static bool set_word(struct parser *p, struct target target, const char *value)
{
    const char *const *words = target.option->words;
    char known[200] = "";
    size_t used = 0;

    for (unsigned i = 0; words[i]; i++) {
        if (strcmp(words[i], value) == 0) {
            *(unsigned *)target.member = i;
            return true;
        }
        if (used < sizeof known)
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s",
                                     i > 0 ? ", " : "", words[i]);
    }
    return fail(p, "option '%s%s' must be one of %s, not '%s'", p->dashes,
                target.option->name, known, value);
}

/* What was taken back once stays so, whatever follows. */
static void tell(struct parser *p, const struct option *option, enum option_given how)
{
    unsigned char *given = &p->given[index_of(p->command, option)];

    if (*given != TAKEN_BACK)
        *given = (unsigned char)how;
}

static bool set_value(struct parser *p, struct target target, const char *value)
{
    tell(p, target.option, GIVEN);
    switch (target.option->kind) {
    case OPTION_FLAG:
        *(bool *)target.member = true;
        return true;
    case OPTION_TEXT:
        *(const char **)target.member = value;
        return true;
    case OPTION_WORD:
        return set_word(p, target, value);
    case OPTION_LIST:
        break;
    }
    /* No list can be longer than the command line, so each takes that much of the room.
     */
    struct text_list *list = target.member;

    if (!list->items) {
        list->items = p->room;
        p->room += p->argc;
    }
    list->items[list->n++] = value;
    return true;
}

static void take_back(struct parser *p, struct target target)
{
    switch (target.option->kind) {
    case OPTION_FLAG:
        tell(p, target.option, GIVEN);
        *(bool *)target.member = false;
        return;
    case OPTION_TEXT:
        tell(p, target.option, TAKEN_BACK);
        *(const char **)target.member = NULL;
        return;
    case OPTION_LIST:
        tell(p, target.option, TAKEN_BACK);
        ((struct text_list *)target.member)->n = 0;
        return;
    case OPTION_WORD:
        return;
    }
}

/* Sets the option from value, or from the next word when value is NULL. */
static bool set_or_take(struct parser *p, struct target target, const char *value)
{
    if (!value && p->next == p->argc)
        return fail(p, "option '--%s' needs a value: %s", target.option->name,
                    target.option->argument_name);
    return set_value(p, target, value ? value : p->argv[p->next++]);
}

/* "--no-NAME" of a flag, or of what can be taken back. */
static bool parse_negative(struct parser *p, const char *name, size_t len, bool *is_one)
{
    if (len <= 3 || memcmp(name, "no-", 3) != 0)
        return true;
    const struct target target = find(p, name + 3, len - 3, '\0');

    if (!target.option || !has_negative(target.option))
        return true;
    *is_one = true;
    if (name[len] == '=')
        return fail(p, "option '--%.*s' takes no value", (int)len, name);
    take_back(p, target);
    return true;
}

/* What follows "--". */
static bool parse_long(struct parser *p, const char *word)
{
    const size_t len = strcspn(word, "=");
    const char *value = word[len] == '=' ? word + len + 1 : NULL;
    const struct target target = find(p, word, len, '\0');
    bool negative = false;

    if (!target.option) {
        if (!parse_negative(p, word, len, &negative))
            return false;
        return negative || unknown_option(p, word, len);
    }
    if (target.option->kind != OPTION_FLAG)
        return set_or_take(p, target, value);
    if (value)
        return fail(p, "option '--%s' takes no value", target.option->name);
    return set_value(p, target, "");
}

/* What follows "-": flags in a row, the last may be an option with its value. */
static bool parse_letters(struct parser *p, const char *letters)
{
    for (; *letters != '\0'; letters++) {
        const struct target target = find(p, "", 0, *letters);

        if (!target.option)
            return fail(p, "unknown option '-%c'", *letters);
        if (target.option->kind != OPTION_FLAG)
            return set_or_take(p, target, letters[1] != '\0' ? letters + 1 : NULL);
        (void)set_value(p, target, "");
    }
    return true;
}

static size_t count_options(const struct command *command, bool only_lists)
{
    const struct option *option;
    size_t n = 0;

    for (size_t i = 0; (option = command_option(command, i)); i++)
        n += !only_lists || option->kind == OPTION_LIST;
    return n;
}

bool options_parse(const struct command *command, int argc, char **argv, void *settings,
                   struct operands *operands, char error[OPTIONS_ERROR_SIZE])
{
    struct parser p = {.command = command,
                       .argv = argv,
                       .argc = (size_t)argc,
                       .settings = settings,
                       .dashes = "--",
                       .error = error};

    *operands = (struct operands){.items = argv};
    operands->lists =
        calloc(count_options(command, true) * p.argc + 1, sizeof *operands->lists);
    operands->given = calloc(count_options(command, false) + 1, sizeof *operands->given);
    if (!operands->lists || !operands->given)
        return no_memory(&p);
    p.room = operands->lists;
    p.given = operands->given;

    bool only_operands = false, ok = true;

    while (ok && p.next < p.argc) {
        char *word = p.argv[p.next++];

        if (only_operands || word[0] != '-' || word[1] == '\0')
            operands->items[operands->n++] = word;
        else if (strcmp(word, "--") == 0)
            only_operands = true;
        else
            ok = word[1] == '-' ? parse_long(&p, word + 2) : parse_letters(&p, word + 1);
    }
    return ok;
}

/* ---- help ---- */

static void add_text(struct option_help *help, const char *text, size_t len)
{
    const size_t used = strlen(help->text), room = sizeof help->text - 1 - used;

    memcpy(help->text + used, text, len < room ? len : room);
}

struct option_help option_help(const struct option *option)
{
    static const char hole[] = "{words}";
    const char *const *words = option->words, *at = strstr(option->help, hole);
    struct option_help help = {.text = ""};

    if (!at) {
        add_text(&help, option->help, strlen(option->help));
        return help;
    }
    add_text(&help, option->help, (size_t)(at - option->help));
    for (size_t i = 0; words[i]; i++) {
        const char *separator = i == 0 ? "" : words[i + 1] ? ", " : " or ";

        add_text(&help, separator, strlen(separator));
        add_text(&help, words[i], strlen(words[i]));
    }
    at += strlen(hole);
    add_text(&help, at, strlen(at));
    return help;
}

/* ---- from elsewhere ---- */

bool options_given(const struct command *command, const struct operands *operands,
                   const char *name)
{
    const struct option *option = find_option(command, name, strlen(name), '\0');

    return option && operands->given[index_of(command, option)] != NOT_GIVEN;
}

struct list_room {
    struct list_room *next;
    const char *items[];
};

/* The values, and after them what the list has already. */
static bool put_before(struct list_room **rooms, struct text_list *list,
                       const char *const *values, size_t n)
{
    const size_t all = n + list->n;
    struct list_room *room = malloc(sizeof *room + all * sizeof room->items[0]);

    if (!room)
        return false;
    room->next = *rooms;
    *rooms = room;
    for (size_t i = 0; i < all; i++)
        room->items[i] = i < n ? values[i] : list->items[i - n];
    *list = (struct text_list){room->items, all};
    return true;
}

static bool set_flag(struct parser *p, struct target target, const char *value)
{
    const bool on = strcmp(value, "true") == 0;

    if (!on && strcmp(value, "false") != 0)
        return fail(p, "'%s' must be true or false, not '%s'", target.option->name,
                    value);
    *(bool *)target.member = on;
    return true;
}

bool options_offer(const struct command *command, void *settings,
                   const struct operands *operands, const struct option *option,
                   const char *const *values, size_t n, struct list_room **room,
                   char error[OPTIONS_ERROR_SIZE])
{
    struct parser p = {.command = command,
                       .settings = settings,
                       .given = operands->given,
                       .dashes = "",
                       .error = error};
    const struct target target = {option, p.settings + option->offset};
    unsigned char *given = &operands->given[index_of(command, option)];

    if (*given == TAKEN_BACK || (*given == GIVEN && !option->adds))
        return true;
    *given = GIVEN;
    if (n != 1 && target.option->kind != OPTION_LIST)
        return fail(&p, "'%s' takes one value", target.option->name);
    switch (target.option->kind) {
    case OPTION_FLAG:
        return set_flag(&p, target, values[0]);
    case OPTION_TEXT:
        *(const char **)target.member = values[0];
        return true;
    case OPTION_WORD:
        return set_word(&p, target, values[0]);
    case OPTION_LIST:
        break;
    }
    return put_before(room, target.member, values, n) || no_memory(&p);
}

void options_free_room(struct list_room *room)
{
    while (room) {
        struct list_room *next = room->next;

        free(room);
        room = next;
    }
}

void options_release(struct operands *operands)
{
    free(operands->given);
    free(operands->lists);
}
