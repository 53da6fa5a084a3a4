/* case.c - read, run, compare and rewrite text cases. */
#include "cli/dev/test/case.h"

#include "cli/dev/test/case_findings.h"
#include "cli/dev/test/case_input.h"
#include "cli/dev/test/case_names.h"
#include "cli/dev/test/case_played.h"
#include "cli/dev/test/case_process.h"
#include "cli/dev/test/case_text.h"
#include "cli/dev/test/sample.h"

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

static bool is_case(const char *path)
{
    const size_t len = strlen(path);

    return len > 5 && strcmp(path + len - 5, ".case") == 0;
}

static void walk(struct list *list, const char *folder)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    struct stat info;

    while (dir && (entry = readdir(dir))) {
        char *path;

        if (entry->d_name[0] == '.')
            continue;
        path = must(malloc(strlen(folder) + strlen(entry->d_name) + 2));
        sprintf(path, "%s/%s", folder, entry->d_name);
        if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
            walk(list, path);
        else if (is_case(path)) {
            list_push(list, path);
            continue;
        }
        free(path);
    }
    if (dir)
        closedir(dir);
}

static void sort_once(struct list *list)
{
    size_t n = 0;

    if (list->n)
        qsort(list->path, list->n, sizeof *list->path, by_name);
    for (size_t i = 0; i < list->n; i++) {
        if (n && strcmp(list->path[n - 1], list->path[i]) == 0)
            free(list->path[i]);
        else
            list->path[n++] = list->path[i];
    }
    list->n = n;
}

char **case_list(const char *places)
{
    struct list list = {0};

    for (const char *at = places; *at;) {
        const size_t len = strcspn(at, " \n");
        char *place = text_of(at, len);

        if (is_case(place))
            list_push(&list, text_of(at, len));
        else if (len)
            walk(&list, place);
        free(place);
        at += len + (at[len] != '\0');
    }
    sort_once(&list);
    list_push(&list, NULL);
    return list.path;
}

char **case_sample(const char *places)
{
    char **paths = case_list(places);
    size_t kept = 0;

    for (size_t i = 0; paths[i]; i++)
        if (i % SAMPLE_ONE_IN == 0)
            paths[kept++] = paths[i];
        else
            free(paths[i]);
    paths[kept] = NULL;
    return paths;
}

/* "-- name --" gives name, else NULL. */
static char *heading(const char *line, size_t len)
{
    if (len < 7 || strncmp(line, "-- ", 3) != 0 || strncmp(line + len - 3, " --", 3) != 0)
        return NULL;
    return text_of(line + 3, len - 6);
}

/* Text from start to end as the next section, false when there are too many. */
static bool add_section(struct case_file *c, char *name, const char *start, size_t len)
{
    if (c->n == CASE_SECTIONS) {
        fprintf(stderr, "%s: more than %d sections\n", c->path, CASE_SECTIONS);
        free(name);
        return false;
    }
    c->section[c->n++] = (struct case_section){name, text_of(start, len), len};
    return true;
}

/* Keeps the heading and the text of a section that is not expected output. */
static void keep(struct case_file *c, const char *name, const char *from, size_t len)
{
    if (!case_is_expected(name))
        strncat(c->given, from, len);
}

/* The start of the next heading, or the end. */
static const char *next_heading(const char *line, char **name)
{
    while (*line && !(*name = heading(line, strcspn(line, "\n")))) {
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    return line;
}

static bool split_sections(struct case_file *c, const char *text)
{
    char *name = NULL, *next = NULL;
    const char *at = next_heading(text, &name);

    c->given = must(calloc(1, strlen(text) + 1));
    strncat(c->given, text, (size_t)(at - text));
    while (*at) {
        const char *start = at + strcspn(at, "\n");

        start += *start == '\n';
        next = NULL;
        const char *end = next_heading(start, &next);

        keep(c, name, at, (size_t)(end - at));
        if (!add_section(c, name, start, (size_t)(end - start))) {
            free(next);
            return false;
        }
        name = next;
        at = end;
    }
    return true;
}

static void join(struct case_section *first, struct case_section *second)
{
    first->text = must(realloc(first->text, first->len + second->len + 1));
    memcpy(first->text + first->len, second->text, second->len + 1);
    first->len += second->len;
    free(second->name);
    free(second->text);
}

/* Fixtures are read, then the texts of one file made one. */
static bool assemble(struct case_file *c)
{
    size_t n = 0;

    for (size_t i = 0; i < c->n; i++)
        if (!case_use_fixture(c->path, &c->section[i]))
            return false;
    for (size_t i = 0; i < c->n; i++) {
        if (n && case_same_file(&c->section[n - 1], &c->section[i]))
            join(&c->section[n - 1], &c->section[i]);
        else
            c->section[n++] = c->section[i];
    }
    c->n = n;
    return true;
}

bool case_read(const char *path, struct case_file *out)
{
    char *text = case_read_text(path, NULL);

    *out = (struct case_file){.path = text_of(path, strlen(path))};
    if (!text) {
        fprintf(stderr, "%s: cannot be read\n", path);
        return false;
    }
    const bool ok = split_sections(out, text) && assemble(out);

    free(text);
    if (ok && !case_find(out, "args"))
        fprintf(stderr, "%s: no section args\n", path);
    return ok && case_find(out, "args");
}

const struct case_section *case_find(const struct case_file *c, const char *name)
{
    for (size_t i = 0; i < c->n; i++)
        if (strcmp(c->section[i].name, name) == 0)
            return &c->section[i];
    return NULL;
}

void case_release_result(struct case_result *got)
{
    free(got->out);
    free(got->err);
    free(got->played);
}

void case_release(struct case_file *c)
{
    for (size_t i = 0; i < c->n; i++) {
        free(c->section[i].name);
        free(c->section[i].text);
    }
    free(c->given);
    free(c->path);
}

/* ---- running --------------------------------------------------------------------- */

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
    leave_out(page, "'sha256-", "'");
    leave_out(page, "<style>", "</style>");
    leave_out(page, "<script>", "</script>");
}

/* Each rule that is added moves those after it. */
static void leave_out_rules(char *log)
{
    static const char index[] = "\"ruleIndex\":";

    leave_out(log, "\"rules\":[", "]}},");
    while ((log = strstr(log, index))) {
        log += sizeof index - 1;
        const size_t n = strspn(log, "0123456789");

        if (n == 0)
            continue;
        *log = '0';
        memmove(log + 1, log + n, strlen(log + n) + 1);
    }
}

/* What is the same in every output of a format, and changes for reasons of its own. */
static void leave_out_same(char *out)
{
    static const struct {
        const char *begin;
        void (*leave_out)(char *out);
    } formats[] = {
        {"<!DOCTYPE html>", leave_out_assets},
        {"{\"$schema\":\"https://json.schemastore.org/sarif", leave_out_rules},
    };

    for (size_t i = 0; out && i < sizeof formats / sizeof *formats; i++)
        if (strncmp(out, formats[i].begin, strlen(formats[i].begin)) == 0)
            formats[i].leave_out(out);
}

bool case_write_files(const struct case_file *c)
{
    const struct case_section *in = case_find(c, "stdin");

    for (size_t i = 0; i < c->n; i++)
        if (!case_is_output(c->section[i].name) && !case_write_input(&c->section[i]))
            return false;
    return !in || write_file(".stdin", in->text, in->len);
}

/* As the first options after the command. */
static void ask_for_json(char **words)
{
    static char option[] = "-f", json[] = "json";
    size_t n = 0;

    while (words[n])
        n++;
    memmove(words + 2, words, (n + 1) * sizeof *words);
    words[0] = option;
    words[1] = json;
}

/* What became of the files that the section names, after what was printed. */
static void show_files(const struct case_section *names, char **out)
{
    char path[256];

    for (const char *at = names->text; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        snprintf(path, sizeof path, "%.*s", (int)strcspn(at, "\n"), at);
        char *text = case_read_text(path, NULL);
        const size_t len = strlen(*out);
        const size_t n = text ? strlen(text) : 0, size = len + strlen(path) + n + 32;
        const bool open = n > 0 && text[n - 1] != '\n';

        *out = must(realloc(*out, size));
        snprintf(*out + len, size - len, "==== %s%s\n%s%s", path, text ? "" : ": none",
                 text ? text : "", open ? "\n====\n" : "");
        free(text);
    }
}

/* SLUG of testdata/rules/SLUG/NAME.case: the case is about this rule. To be freed; NULL:
 * it is about none. */
static char *rule_of(const char *path)
{
    static const char folder[] = "testdata/rules/";
    const char *in = strstr(path, folder);
    const char *slug = in ? in + sizeof folder - 1 : "";
    const size_t len = strcspn(slug, "/");

    return slug[len] == '/' ? text_of(slug, len) : NULL;
}

struct player {
    const struct case_file *c;
    const struct case_program *program;
};

static void run_play(void *user, char **words)
{
    const struct player *player = user;

    (void)case_process_run(player->c, player->program, words, "/dev/null");
}

/* A function is not asked: it is no explain. */
static char *played(const struct case_file *c, const struct case_program *program)
{
    struct player player = {c, program};

    return program->path && case_find(c, "plays") ? case_play(c, run_play, &player)
                                                  : NULL;
}

static bool run_here(const struct case_file *c, const struct case_program *program,
                     struct case_result *out)
{
    const struct case_section *line = case_find(c, "args");
    char *args = line ? text_of(line->text, line->len) : text_of("", 0);
    const struct case_section *in = case_find(c, "stdin");
    char *words[CASE_WORDS] = {text_of("xdscope", 7)};
    const bool ok = case_write_files(c);

    const bool findings = case_find(c, "findings") != NULL;
    const size_t n = case_split_words(args, words + 1, CASE_WORDS - 4);

    if (findings && n > 0)
        ask_for_json(words + 2);
    if (ok)
        out->status = case_process_run(c, program, words, in ? ".stdin" : "/dev/null");
    out->out = case_read_text(".stdout", NULL);
    leave_out_same(out->out);
    if (findings && out->out) {
        char *json = out->out;

        char *rule = c->whole ? NULL : rule_of(c->path);

        out->out = case_findings(json, rule);
        free(json);
        free(rule);
    }
    out->err = case_read_text(".stderr", NULL);
    const struct case_section *after = case_find(c, "after");

    if (after && out->out)
        show_files(after, &out->out);
    if (ok)
        out->played = played(c, program);
    free(words[0]);
    free(args);
    return ok && out->out && out->err;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    (void)info, (void)kind, (void)at;
    return remove(path);
}

static bool run_in_folder(const struct case_file *c, const struct case_program *program,
                          void (*look)(void *user), void *user, struct case_result *out)
{
    char folder[] = "/tmp/xdscope-case-XXXXXX";
    char *home = getcwd(NULL, 0);
    bool ok = home && mkdtemp(folder) && chdir(folder) == 0;

    *out = (struct case_result){.status = -1};
    if (ok) {
        ok = run_here(c, program, out);
        if (look)
            look(user);
        ok = chdir(home) == 0 && nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS) == 0 &&
             ok;
    }
    free(home);
    return ok;
}

/* False where the file is missing. */
static bool run_path(const struct case_file *c, const char *path,
                     struct case_program program, void (*look)(void *user), void *user,
                     struct case_result *out)
{
    char *whole = realpath(path, NULL); /* it is run in another folder */

    program.path = whole;
    const bool ok = whole && run_in_folder(c, &program, look, user, out);

    free(whole);
    return ok;
}

bool case_run_and_look(const struct case_file *c, const char *program,
                       void (*look)(void *user), void *user, struct case_result *out)
{
    return run_path(c, program, (struct case_program){.path = NULL}, look, user, out);
}

bool case_call(const struct case_file *c, int (*program)(int argc, char **argv),
               struct case_result *out)
{
    const struct case_program function = {.call = program};

    return run_in_folder(c, &function, NULL, NULL, out);
}

bool case_call_here(const struct case_file *c, const char *program,
                    int (*main)(int argc, char **argv), struct case_result *out)
{
    return run_path(c, program, (struct case_program){.call = main, .here = true}, NULL,
                    NULL, out);
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

/* The section that holds what comes out. */
static const char *output_section(const struct case_file *c)
{
    return case_find(c, "findings") ? "findings" : "stdout";
}

/* What came out under a heading; to be freed. */
static char *came_out(const struct case_file *c, const char *name, const char *text)
{
    char *got = case_put_names(text, c->given);
    char *same = strcmp(wanted(c, name), got) == 0
                     ? text_of("", 0)
                     : difference(name, wanted(c, name), got);

    free(got);
    return same;
}

char *case_compare(const struct case_file *c, const struct case_result *got)
{
    char status[16];

    snprintf(status, sizeof status, "%d\n", got->status);
    const struct {
        const char *name, *text;
    } parts[] = {{output_section(c), got->out},
                 {"stderr", got->err},
                 {"exit", status},
                 {"played", got->played}};
    char *text = NULL;

    for (size_t i = 0; i < sizeof parts / sizeof *parts && (!text || !*text); i++) {
        free(text);
        text = parts[i].text ? came_out(c, parts[i].name, parts[i].text) : case_copy("");
    }
    return text;
}

bool case_rewrite(const struct case_file *c, const struct case_result *got)
{
    FILE *file = fopen(c->path, "wb");

    if (!file)
        return false;
    char *out = case_put_names(got->out, c->given);
    char *err = case_put_names(got->err, c->given);
    char *played = got->played ? case_put_names(got->played, c->given) : NULL;

    fputs(c->given, file);
    fprintf(file, "-- %s --\n%s", output_section(c), out);
    if (*err)
        fprintf(file, "-- stderr --\n%s", err);
    fprintf(file, "-- exit --\n%d\n", got->status);
    if (played)
        fprintf(file, "-- played --\n%s", played);
    free(played);
    free(out);
    free(err);
    return fclose(file) == 0;
}
