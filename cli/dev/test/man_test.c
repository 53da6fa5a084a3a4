/* man_test.c - the man pages, which are written by hand, name the options of the tables.
 */
#define _POSIX_C_SOURCE 200809L
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/common.h"

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
    char *options = strstr(text, ".SH OPTIONS");

    cr_assert_not_null(options, "%s", path);
    char *end = strstr(options + 1, ".SH ");

    cr_assert_not_null(end, "%s", path);
    *end = '\0';
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

/* ---- the keys of explain's document ---- */

#ifndef XDS_PROGRAM
#define XDS_PROGRAM "build/release/xdscope"
#endif

/* What stands behind .SH JSON, up to the next section. */
static void read_keys(char *text, size_t size)
{
    FILE *file = fopen("man/xdscope-explain.1", "rb");

    cr_assert_not_null(file);
    const size_t n = fread(text, 1, size - 1, file);

    (void)fclose(file);
    text[n] = '\0';
    char *begin = strstr(text, "\n.SH JSON\n");

    cr_assert_not_null(begin);
    memmove(text, begin, strlen(begin) + 1);
    begin = strstr(text + 1, "\n.SH ");
    cr_assert_not_null(begin);
    *begin = '\0';
}

/* As a word in bold: behind .B or .BR, or in parentheses. */
static bool has_word(const char *text, const char *word, size_t len)
{
    for (const char *at = text; (at = strstr(at, word)); at++)
        if (at > text && strchr(" \"(", at[-1]) && strchr(" \"\n", at[len]))
            return true;
    return false;
}

Test(man, every_key_of_a_decision_stands_in_the_page_of_explain)
{
    static char page[65536];
    char line[1 << 15], key[64];
    size_t n = 0;
    FILE *answer = popen(XDS_PROGRAM
                         " explain -f json --path /shop.Cart/Get testdata/snapshots/shop",
                         "r"); // NOLINT(bugprone-command-processor)

    cr_assert_not_null(answer);
    read_keys(page, sizeof page);
    while (fgets(line, sizeof line, answer)) {
        /* Keys of the document itself begin a line; those about drops share one. */
        const char *at = line + (*line == '{');

        for (; at && sscanf(at, "\"%63[a-z_]\":", key) == 1; n++) {
            cr_expect(has_word(page, key, strlen(key)), "%s", key);
            at = strstr(at, ",\"drop_");
            at += at != NULL;
        }
    }
    (void)pclose(answer);
    cr_expect_gt(n, 30);
}
