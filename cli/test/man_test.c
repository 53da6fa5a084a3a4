/* man_test.c - the man pages, which are written by hand, name the options of the tables.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cmd.h"

/* The page with its escaped dashes plain, cut behind OPTIONS. */
static char *read_options_of(const struct command *command)
{
    char path[64];
    static char text[65536];
    size_t n = 0;

    (void)snprintf(path, sizeof path, "man/xdscope-%s.1", command->name);
    FILE *file = fopen(path, "rb");

    cr_assert_not_null(file, "%s", path);
    for (int c; (c = fgetc(file)) != EOF && n < sizeof text - 1;)
        if (c != '\\')
            text[n++] = (char)c;
    fclose(file);
    text[n] = '\0';
    char *end = strstr(text, ".SH EXIT STATUS");

    cr_assert_not_null(end, "%s", path);
    *end = '\0';
    char *options = strstr(text, ".SH OPTIONS");

    cr_assert_not_null(options, "%s", path);
    return options;
}

/* The length of an option's name in front of text. */
static size_t name_length(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyz-");
}

static bool is_option(const struct command *command, const char *name, size_t len)
{
    for (const struct option_group *const *g = command->groups; *g; g++)
        for (size_t i = 0; i < (*g)->n; i++)
            if (strlen((*g)->options[i].name) == len &&
                strncmp((*g)->options[i].name, name, len) == 0)
                return !(*g)->options[i].hidden;
    return false;
}

static bool names(const char *page, const struct option *option)
{
    const size_t len = strlen(option->name);

    for (const char *at = page; (at = strstr(at, "--")); at += 2)
        if (name_length(at + 2) == len && strncmp(at + 2, option->name, len) == 0)
            return true;
    return false;
}

Test(man, every_option_stands_in_the_page_of_its_command)
{
    for (const struct command *const *c = commands; *c; c++) {
        const char *page = read_options_of(*c);

        for (const struct option_group *const *g = (*c)->groups; *g; g++)
            for (size_t i = 0; i < (*g)->n; i++)
                cr_expect_eq(names(page, &(*g)->options[i]), !(*g)->options[i].hidden,
                             "%s --%s", (*c)->name, (*g)->options[i].name);
    }
}

/* An entry is what stands behind .TP; other options may be spoken of. */
Test(man, no_page_has_an_option_that_is_none)
{
    for (const struct command *const *c = commands; *c; c++) {
        for (char *at = read_options_of(*c); (at = strstr(at, ".TP\n"));) {
            at += 4;
            char *end = strchr(at, '\n');

            cr_assert_not_null(end);
            *end = '\0';
            const char *name = strstr(at, "--");

            cr_expect(name && is_option(*c, name + 2, name_length(name + 2)), "%s: %s",
                      (*c)->name, at);
            *end = '\n';
        }
    }
}
