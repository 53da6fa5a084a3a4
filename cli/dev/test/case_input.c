/* case_input.c - the input files of a text case, from its sections and from fixtures. */
#include "cli/dev/test/case_input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FIXTURES "testdata/fixtures/"

static void *must(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

static char *copy_of(const char *text)
{
    return must(strdup(text));
}

char *case_read_text(const char *path, size_t *len)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t n = 0, cap = 0, got;

    if (!file)
        return NULL;
    do {
        if (cap - n < 4096)
            text = must(realloc(text, cap = cap * 2 + 8192));
        got = fread(text + n, 1, cap - n - 1, file);
        n += got;
    } while (got);
    fclose(file);
    text[n] = '\0';
    if (len)
        *len = n;
    return text;
}

bool case_is_expected(const char *name)
{
    return strcmp(name, "stdout") == 0 || strcmp(name, "stderr") == 0 ||
           strcmp(name, "exit") == 0 || strcmp(name, "findings") == 0 ||
           strcmp(name, "played") == 0;
}

bool case_is_output(const char *name)
{
    return strcmp(name, "args") == 0 || strcmp(name, "stdin") == 0 ||
           strcmp(name, "env") == 0 || strcmp(name, "after") == 0 ||
           strcmp(name, "terminal") == 0 || strcmp(name, "plays") == 0 ||
           case_is_expected(name);
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

/* The number on the first line; text moves to the next. */
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

bool case_append_input(FILE *file, const struct case_section *s)
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

/* ---- fixtures -------------------------------------------------------------------- */

/* The lines from *at on that begin with the mark and a blank, without both; *at moves
 * after them. */
static char *take_lines(const char **at, char mark)
{
    char *lines = must(calloc(1, strlen(*at) + 1));

    while ((*at)[0] == mark && ((*at)[1] == ' ' || (*at)[1] == '\n')) {
        const char *line = *at + ((*at)[1] == ' ' ? 2 : 1);
        const size_t len = strcspn(line, "\n");

        strncat(lines, line, len);
        strcat(lines, "\n");
        *at = line + len + (line[len] == '\n');
    }
    return lines;
}

/* The place of whole lines in a text; NULL when they are not there exactly once. */
static char *find_lines(char *text, const char *lines)
{
    char *found = NULL;

    for (char *at = text; *lines && (at = strstr(at, lines)); at++) {
        if (at != text && at[-1] != '\n')
            continue;
        if (found)
            return NULL;
        found = at;
    }
    return found;
}

static char *replace_lines(char *text, const char *old, const char *new)
{
    char *at = find_lines(text, old);

    if (!at)
        return NULL;
    char *out = must(malloc(strlen(text) + strlen(new) + 1));

    memcpy(out, text, (size_t)(at - text));
    strcpy(out + (at - text), new);
    strcat(out, at + strlen(old));
    return out;
}

/* Each pair of "< LINES" and "> LINES"; NULL when one does not fit. */
static char *apply_changes(char *text, const char *changes)
{
    while (text && *changes) {
        const char *start = changes;
        char *old = take_lines(&changes, '<'), *new = take_lines(&changes, '>');
        char *changed = changes > start ? replace_lines(text, old, new) : NULL;

        free(old);
        free(new);
        free(text);
        text = changed;
    }
    return text;
}

static bool read_fixture(const char *path, const char *name, struct case_section *s)
{
    char file[512];

    snprintf(file, sizeof file, FIXTURES "%s", name);
    char *text = case_read_text(file, NULL);
    if (!text) {
        fprintf(stderr, "%s: fixture %s cannot be read\n", path, file);
        return false;
    }
    text = apply_changes(text, s->text);
    if (!text) {
        fprintf(stderr, "%s: a change of %s does not fit: %s\n", path, file, s->text);
        return false;
    }
    free(s->text);
    s->text = text;
    s->len = strlen(text);
    return true;
}

bool case_use_fixture(const char *path, struct case_section *s)
{
    if (strncmp(s->name, "use ", 4) != 0)
        return true;
    char *fixture = copy_of(s->name + 4);
    char *as = strstr(fixture, " as ");
    const char *base = strrchr(fixture, '/') ? strrchr(fixture, '/') + 1 : fixture;
    char *name = copy_of(as ? as + 4 : base);

    if (as)
        *as = '\0';
    const bool ok = read_fixture(path, fixture, s);
    free(fixture);
    free(s->name);
    s->name = name;
    return ok;
}

bool case_same_file(const struct case_section *first, const struct case_section *second)
{
    return strcmp(first->name, second->name) == 0 && !case_is_output(first->name) &&
           !ends_with(first->name, ".hex") && !ends_with(first->name, ".repeat");
}

/* ---- writing --------------------------------------------------------------------- */

char *case_input_name(const struct case_section *s)
{
    char *name = copy_of(s->name);

    if (ends_with(name, ".repeat"))
        *strrchr(name, '.') = '\0';
    if (ends_with(name, ".hex"))
        *strrchr(name, '.') = '\0';
    return name;
}

bool case_write_input(const struct case_section *s)
{
    char *name = case_input_name(s);
    FILE *file = make_parents(name) ? fopen(name, "ab") : NULL;
    bool ok = file && case_append_input(file, s);
    ok = file && fclose(file) == 0 && ok;
    free(name);
    return ok;
}
