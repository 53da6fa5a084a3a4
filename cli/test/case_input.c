/*
 * case_input.c - write the input files of a text case.
 *
 * Takes:  the sections of the case, in their order.
 * Gives:  files in the folder that the program runs in.
 */
#include "cli/test/case_input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char *copy_of(const char *text)
{
    char *copy = strdup(text);

    if (!copy)
        abort();
    return copy;
}

bool case_is_output(const char *name)
{
    static const char *const names[] = {"args",   "stdin",  "env",
                                        "stdout", "stderr", "exit"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static size_t unhex(char *text)
{
    size_t n = 0;
    int digits = 0, value = 0;

    for (const char *c = text; *c; c++) {
        const char *at = strchr("0123456789abcdef", *c);

        if (!at)
            continue;
        value = value * 16 + (int)(at - "0123456789abcdef");
        if (++digits % 2 == 0) {
            text[n++] = (char)value;
            value = 0;
        }
    }
    return n;
}

static bool make_parents(char *path)
{
    for (char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        const bool ok = mkdir(path, 0777) == 0 || errno == EEXIST;
        *slash = '/';
        if (!ok)
            return false;
    }
    return true;
}

/* The number on the first line; text moves behind it. */
static unsigned long take_count(const char **text)
{
    char *end;
    const unsigned long count = strtoul(*text, &end, 10);

    end += strcspn(end, "\n");
    *text = *end ? end + 1 : end;
    return count;
}

static bool ends_with(const char *name, const char *ending)
{
    const size_t n = strlen(name), m = strlen(ending);

    return n > m && strcmp(name + n - m, ending) == 0;
}

/* Puts what a section says behind what its file has already. */
static bool append_section(FILE *file, const struct case_section *s)
{
    const char *text = s->text;
    const unsigned long times = ends_with(s->name, ".repeat") ? take_count(&text) : 1;
    char *data = copy_of(text);
    const bool is_hex = ends_with(s->name, ".hex") || ends_with(s->name, ".hex.repeat");
    const size_t len = is_hex ? unhex(data) : strlen(data);
    bool ok = true;

    for (unsigned long i = 0; i < times && ok; i++)
        ok = fwrite(data, 1, len, file) == len;
    free(data);
    return ok;
}

bool case_write_input(const struct case_section *s)
{
    char *name = copy_of(s->name);

    if (ends_with(name, ".repeat"))
        *strrchr(name, '.') = '\0';
    if (ends_with(name, ".hex"))
        *strrchr(name, '.') = '\0';
    FILE *file = make_parents(name) ? fopen(name, "ab") : NULL;
    bool ok = file && append_section(file, s);
    ok = file && fclose(file) == 0 && ok;
    free(name);
    return ok;
}
