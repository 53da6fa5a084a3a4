/* usage.c - help texts, made from the tables of options. */
#include "cli/options/common.h"

#include <string.h>

const char *const other_words[] = {"help", "version", NULL};

enum { WIDTH = 79, HELP_COLUMN = 30 };

/* After the program's own version, one per line. */
static const char *const sources[] = {
#ifdef XDS_COMMIT
    "commit " XDS_COMMIT,
#endif
    "protos go-control-plane 2b88c161 (2026-08-21), cncf/xds 5cf4b194 (2025-10-31)",
};

static void print_spaces(FILE *to, size_t n)
{
    (void)fprintf(to, "%*s", (int)n, "");
}

/* Words from `column` on, broken between words, which a blank parts. */
static void print_wrapped(FILE *to, const char *text, size_t column)
{
    for (;;) {
        size_t end = strcspn(text, " "), next;

        while (text[end] != '\0' &&
               column + (next = end + 1 + strcspn(text + end + 1, " ")) <= WIDTH)
            end = next;
        (void)fprintf(to, "%.*s\n", (int)end, text);
        if (text[end] == '\0')
            return;
        text += end + 1;
        print_spaces(to, column);
    }
}

static void print_examples(FILE *to, const char *lines)
{
    (void)fputs("\nExamples:\n", to);
    while (lines) {
        const int len = (int)strcspn(lines, "\n");

        (void)fprintf(to, "  xdscope %.*s\n", len, lines);
        lines = lines[len] != '\0' ? lines + len + 1 : NULL;
    }
}

static void print_option(FILE *to, const struct option *option)
{
    /* "  -f, --format NAME" */
    int n = option->letter != '\0' ? fprintf(to, "  -%c, --", option->letter)
                                   : fprintf(to, "      --");

    n += fprintf(to, "%s", option->name);
    if (option->argument_name)
        n += fprintf(to, " %s", option->argument_name);

    size_t at = n > 0 ? (size_t)n : 0;

    if (at + 2 > HELP_COLUMN) {
        (void)fputc('\n', to);
        at = 0;
    }
    print_spaces(to, HELP_COLUMN - at);
    print_wrapped(to, option_help(option).text, HELP_COLUMN);
}

/* A command that is about nothing else has them in its help. */
bool has_help_of_live(const struct command *command)
{
    bool has = false;

    for (const struct option_group *const *g = command->groups; *g; g++)
        has = has || (*g)->is_live;
    return has && !command->groups[0]->is_live;
}

/* Groups that follow each other under the same title have it once. */
static void print_groups(FILE *to, const struct command *command, bool live)
{
    const bool apart = has_help_of_live(command);
    const char *last = "";

    for (const struct option_group *const *g = command->groups; *g; g++) {
        const bool is_live = (*g)->is_live && apart;
        const char *title =
            (*g)->title && (*g)->is_live == is_live ? (*g)->title : "Options";

        if (live != is_live)
            continue;
        if (strcmp(title, last) != 0)
            (void)fprintf(to, "\n%s:\n", title);
        last = title;
        for (size_t i = 0; i < (*g)->n; i++)
            if (!(*g)->options[i].hidden)
                print_option(to, &(*g)->options[i]);
    }
}

void usage_of_live(FILE *to, const struct command *command)
{
    (void)fprintf(to,
                  "Usage: xdscope %s --from csds://HOST:PORT [options]\n"
                  "       xdscope %s --from ads://HOST:PORT --target URI [options]\n",
                  command->name, command->name);
    print_groups(to, command, true);
    (void)fputs("\nSee xdscope-fetch(1).\n", to);
}

void usage_of_command(FILE *to, const struct command *command)
{
    (void)fprintf(to, "Usage: xdscope %s [options]%s%s\n\n", command->name,
                  *command->operands != '\0' ? " " : "", command->operands);
    print_wrapped(to, command->summary, 0);
    print_examples(to, command->examples);
    print_groups(to, command, false);
    if (has_help_of_live(command))
        (void)fprintf(to, "\nLive systems, in place of files: xdscope help %s live\n",
                      command->name);
    (void)fprintf(to,
                  "\nAn option without a value has a --no- form. See xdscope-%s(1).\n",
                  command->name);
}

void usage_of_program(FILE *to, const struct command *const *all)
{
    (void)fputs("Usage: xdscope COMMAND [options] ...\n\n"
                "What gRPC clients make of an xDS snapshot.\n\nCommands:\n",
                to);
    for (const struct command *const *c = all; *c; c++)
        print_wrapped(to, (*c)->summary, (size_t)fprintf(to, "  %-14s ", (*c)->name));
    (void)fputs("\nOptions:\n"
                "  -h, --help     print this help; xdscope help COMMAND for a command\n"
                "  -V, --version  print the version and the clients it knows\n"
                "\nExit status: 0 nothing found, 1 findings, 2 bad usage, 3 cannot read "
                "or write.\n",
                to);
    if (*xds_site_url() != '\0')
        (void)fprintf(to, "Rules and manual: %s\n", xds_site_url());
}

void print_readers(FILE *to)
{
    print_clients(to);
    (void)fputs("Python, Ruby, PHP, C++ and what else is built on C-core: core. "
                "tonic-xds, Kitex,\nArmeria and Dubbo read xDS by rules of their own: "
                "xdscope-limits(7).\n",
                to);
}

void print_version(FILE *to)
{
    (void)fprintf(to, "xdscope %s\n", xds_version());
    for (size_t i = 0; i < ARRAY_LEN(sources); i++)
        (void)fprintf(to, "%s\n", sources[i]);
    print_clients(to);
}
