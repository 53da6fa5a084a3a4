/*
 * case.c - read, run, compare and rewrite text cases.
 *
 * Takes:  a .case file and the program under test.
 * Gives:  what came out, and where it differs from what was expected.
 */
#include "cli/test/case.h"

#include "cli/test/case_input.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- text ------------------------------------------------------------------------ */

static void *must(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

static char *text_of(const char *data, size_t len)
{
    char *copy = must(malloc(len + 1));

    memcpy(copy, data, len);
    copy[len] = '\0';
    return copy;
}

static char *read_file(const char *path, size_t *len)
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

static bool write_file(const char *path, const char *data, size_t len)
{
    FILE *file = fopen(path, "wb");

    if (!file)
        return false;
    const bool ok = fwrite(data, 1, len, file) == len;
    return fclose(file) == 0 && ok;
}

/* ---- reading --------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

struct list {
    char **path;
    size_t n, cap;
};

static void list_push(struct list *list, char *path)
{
    if (list->n + 1 >= list->cap)
        list->path = must(
            realloc(list->path, (list->cap = list->cap * 2 + 64) * sizeof *list->path));
    list->path[list->n++] = path;
}

static void walk(struct list *list, const char *folder)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    struct stat info;

    while (dir && (entry = readdir(dir))) {
        const size_t len = strlen(entry->d_name);
        char *path;

        if (entry->d_name[0] == '.')
            continue;
        path = must(malloc(strlen(folder) + len + 2));
        sprintf(path, "%s/%s", folder, entry->d_name);
        if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
            walk(list, path);
        else if (len > 5 && strcmp(path + strlen(path) - 5, ".case") == 0) {
            list_push(list, path);
            continue;
        }
        free(path);
    }
    if (dir)
        closedir(dir);
}

char **case_list(const char *folder)
{
    struct list list = {0};

    walk(&list, folder);
    list_push(&list, NULL);
    qsort(list.path, list.n - 1, sizeof *list.path, by_name);
    return list.path;
}

/* "-- name --" gives name, else NULL. */
static char *heading(const char *line, size_t len)
{
    if (len < 7 || strncmp(line, "-- ", 3) != 0 || strncmp(line + len - 3, " --", 3) != 0)
        return NULL;
    return text_of(line + 3, len - 6);
}

bool case_read(const char *path, struct case_file *out)
{
    char *text = read_file(path, NULL);
    const char *start = text;

    *out = (struct case_file){.path = text_of(path, strlen(path))};
    if (!text)
        return false;
    for (const char *line = text; *line;) {
        const size_t len = strcspn(line, "\n");
        char *name = heading(line, len);

        if (name && out->n < 32) {
            if (out->n)
                out->section[out->n - 1].len = (size_t)(line - start);
            else
                out->intro = text_of(text, (size_t)(line - text));
            start = line + len + (line[len] == '\n');
            out->section[out->n++] = (struct case_section){name, NULL, 0};
            out->section[out->n - 1].text = text_of(start, strlen(start));
        }
        line += len + (line[len] == '\n');
    }
    if (out->n)
        out->section[out->n - 1].len = strlen(start);
    for (size_t i = 0; i < out->n; i++)
        out->section[i].text[out->section[i].len] = '\0';
    free(text);
    return out->n > 0 && case_find(out, "args");
}

const struct case_section *case_find(const struct case_file *c, const char *name)
{
    for (size_t i = 0; i < c->n; i++)
        if (strcmp(c->section[i].name, name) == 0)
            return &c->section[i];
    return NULL;
}

void case_release(struct case_file *c)
{
    for (size_t i = 0; i < c->n; i++) {
        free(c->section[i].name);
        free(c->section[i].text);
    }
    free(c->intro);
    free(c->path);
}

/* ---- running --------------------------------------------------------------------- */

/* Words as a shell splits them: blanks, '...' and "...", no expansion. */
static size_t split_words(char *text, char **word, size_t most)
{
    size_t n = 0;
    char *from = text, *to = text;

    while (n + 1 < most) {
        while (*from == ' ' || *from == '\n')
            from++;
        if (!*from)
            break;
        word[n++] = to;
        for (char quote = 0; *from && (quote || (*from != ' ' && *from != '\n'));
             from++) {
            if (quote ? *from == quote : (*from == '\'' || *from == '"'))
                quote = quote ? 0 : *from;
            else
                *to++ = *from;
        }
        if (*from)
            from++;
        *to++ = '\0';
    }
    word[n] = NULL;
    return n;
}

static void redirect(int fd, const char *path, int flags)
{
    const int opened = open(path, flags, 0666);

    if (opened < 0 || dup2(opened, fd) < 0)
        _exit(126);
}

extern char **environ;

/* The settings of whoever runs the tests are not those of the case. */
static void clear_environment(void)
{
    for (char **variable = environ; *variable;) {
        const size_t len = strcspn(*variable, "=");
        char name[64];

        if (strncmp(*variable, "XDSCOPE_", 8) != 0 || len >= sizeof name) {
            variable++;
            continue;
        }
        memcpy(name, *variable, len);
        name[len] = '\0';
        unsetenv(name);
    }
    unsetenv("FORCE_COLOR");
    unsetenv("CLICOLOR_FORCE");
    setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
}

static void set_environment(const struct case_section *s)
{
    char *text = s ? text_of(s->text, s->len) : NULL;
    char *home = getcwd(NULL, 0), value[4096];

    for (char *line = text; line && *line;) {
        char *end = line + strcspn(line, "\n"), *next = *end ? end + 1 : end;
        char *equals = strchr(line, '=');

        *end = '\0';
        if (equals && home) {
            const bool here = strncmp(equals + 1, "$PWD", 4) == 0;

            *equals = '\0';
            snprintf(value, sizeof value, "%s%s", here ? home : "",
                     equals + 1 + (here ? 4 : 0));
            setenv(line, value, 1);
        }
        line = next;
    }
    free(home);
    free(text);
}

static int run_program(const char *program, char **words, const char *in,
                       const struct case_section *variables)
{
    int status;
    const pid_t child = fork();

    if (child == 0) {
        clear_environment();
        set_environment(variables);
        redirect(0, in, O_RDONLY);
        redirect(1, ".stdout", O_WRONLY | O_CREAT | O_TRUNC);
        redirect(2, ".stderr", O_WRONLY | O_CREAT | O_TRUNC);
        execv(program, words);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Takes out what stands between any two of these texts. */
static void leave_out(char *text, const char *begin, const char *end)
{
    char *from, *to;

    while ((from = strstr(text, begin)) && (to = strstr(from += strlen(begin), end))) {
        memmove(from, to, strlen(to) + 1);
        text = from;
    }
}

static void leave_out_assets(char *page)
{
    if (!page || strncmp(page, "<!DOCTYPE html>", 15) != 0)
        return;
    leave_out(page, "'sha256-", "'");
    leave_out(page, "<style>", "</style>");
    leave_out(page, "<script>", "</script>");
}

static bool run_here(const struct case_file *c, const char *program,
                     struct case_result *out)
{
    const struct case_section *line = case_find(c, "args");
    char *args = line ? text_of(line->text, line->len) : text_of("", 0);
    const struct case_section *in = case_find(c, "stdin");
    char *words[128] = {text_of("xdscope", 7)};
    bool ok = true;

    for (size_t i = 0; i < c->n && ok; i++)
        ok = case_is_output(c->section[i].name) || case_write_input(&c->section[i]);
    if (in)
        ok = ok && write_file(".stdin", in->text, in->len);
    split_words(args, words + 1, 126);
    if (ok)
        out->status =
            run_program(program, words, in ? ".stdin" : "/dev/null", case_find(c, "env"));
    out->out = read_file(".stdout", NULL);
    leave_out_assets(out->out);
    out->err = read_file(".stderr", NULL);
    free(words[0]);
    free(args);
    return ok && out->out && out->err;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    (void)info, (void)kind, (void)at;
    return remove(path);
}

bool case_run_and_look(const struct case_file *c, const char *program,
                       void (*look)(void *user), void *user, struct case_result *out)
{
    char folder[] = "/tmp/xdscope-case-XXXXXX";
    char *tool = realpath(program, NULL);
    char *home = getcwd(NULL, 0);
    bool ok = tool && home && mkdtemp(folder) && chdir(folder) == 0;

    *out = (struct case_result){.status = -1};
    if (ok) {
        ok = run_here(c, tool, out);
        if (look)
            look(user);
        ok = chdir(home) == 0 && nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS) == 0 &&
             ok;
    }
    free(home);
    free(tool);
    return ok;
}

bool case_run(const struct case_file *c, const char *program, struct case_result *out)
{
    return case_run_and_look(c, program, NULL, NULL, out);
}

/* ---- comparing ------------------------------------------------------------------- */

static const char *wanted(const struct case_file *c, const char *name)
{
    const struct case_section *s = case_find(c, name);

    return s ? s->text : "";
}

static char *difference(const char *what, const char *want, const char *got)
{
    const size_t size = strlen(want) + strlen(got) + 128;
    char *text = must(malloc(size));

    snprintf(text, size, "%s differs\n---- want\n%s---- got\n%s----\n", what, want, got);
    return text;
}

char *case_compare(const struct case_file *c, const struct case_result *got)
{
    char status[16];

    if (strcmp(wanted(c, "stdout"), got->out) != 0)
        return difference("stdout", wanted(c, "stdout"), got->out);
    if (strcmp(wanted(c, "stderr"), got->err) != 0)
        return difference("stderr", wanted(c, "stderr"), got->err);
    snprintf(status, sizeof status, "%d\n", got->status);
    if (strcmp(wanted(c, "exit"), status) != 0)
        return difference("exit", wanted(c, "exit"), status);
    return text_of("", 0);
}

bool case_rewrite(const struct case_file *c, const struct case_result *got)
{
    FILE *file = fopen(c->path, "wb");

    if (!file)
        return false;
    fputs(c->intro ? c->intro : "", file);
    for (size_t i = 0; i < c->n; i++) {
        const char *name = c->section[i].name;

        if (strcmp(name, "stdout") == 0 || strcmp(name, "stderr") == 0 ||
            strcmp(name, "exit") == 0)
            continue;
        fprintf(file, "-- %s --\n%s", name, c->section[i].text);
    }
    fprintf(file, "-- stdout --\n%s", got->out);
    if (*got->err)
        fprintf(file, "-- stderr --\n%s", got->err);
    fprintf(file, "-- exit --\n%d\n", got->status);
    return fclose(file) == 0;
}
