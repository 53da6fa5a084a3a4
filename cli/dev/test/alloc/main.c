/* main.c - each allocation of a command fails once, and nothing worse comes of it. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/dev/test/case.h"

enum { MOST_TOLD = 3, MOST_LINES = 3, MOST_RUNS = 5000, EXIT_TROUBLE = 3 };

/* What a run has left in its folder. */
struct remains {
    bool failed;    /* there was such an allocation */
    bool temporary; /* a file beside the place of another */
    char end[3];    /* of "out"; "" when there is none */
};

static void read_end(char end[3])
{
    FILE *file = fopen("out", "rb");

    end[0] = '\0';
    if (!file)
        return;
    if (fseek(file, -2, SEEK_END) == 0)
        end[fread(end, 1, 2, file)] = '\0';
    else
        memcpy(end, "?", 2);
    fclose(file);
}

static void look(void *user)
{
    struct remains *remains = user;
    DIR *folder = opendir(".");

    *remains = (struct remains){.failed = access(".alloc-failed", F_OK) == 0};
    read_end(remains->end);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        remains->temporary |= strstr(entry->d_name, ".tmp") != NULL;
    if (folder)
        closedir(folder);
}

/* ---- one run ---- */

struct trial {
    const struct case_file *c;
    const char *shim, *program;
    char good_end[3];         /* of "out" when nothing fails */
    struct case_file failing; /* the case with the variables of the shim */
    char env[4], variables[4096];
    unsigned long runs, faults;
};

static void set_shim(struct trial *t, unsigned long at, bool on)
{
    const struct case_section *given = case_find(t->c, "env");
    const size_t place = given ? (size_t)(given - t->c->section) : t->c->n;

    snprintf(t->variables, sizeof t->variables,
             "%sLD_PRELOAD=%s\nFAIL_ALLOC_AT=%lu\nFAIL_ALLOC_ON=%d\n",
             given ? given->text : "", t->shim, at, on);
    memcpy(t->env, "env", sizeof t->env);
    t->failing = *t->c;
    t->failing.n = t->c->n + (given == NULL);
    t->failing.section[place] =
        (struct case_section){t->env, t->variables, strlen(t->variables)};
}

static size_t count_lines(const char *text, const char *word)
{
    size_t n = 0;

    while ((text = strstr(text, word))) {
        n++;
        text += strcspn(text, "\n");
    }
    return n;
}

/* NULL when all is well. */
static const char *judge(const struct trial *t, const struct case_result *got,
                         const struct remains *remains)
{
    char *difference = case_compare(t->c, got);
    const bool same = *difference == '\0';

    free(difference);
    if (remains->temporary)
        return "a temporary file is left";
    if (*remains->end && strcmp(remains->end, t->good_end) != 0)
        return "a file is not whole";
    if (same)
        return strcmp(remains->end, t->good_end) == 0 ? NULL : "no file is written";
    if (got->status != EXIT_TROUBLE)
        return "the exit code is not 3";
    const size_t lines = count_lines(got->err, "memory");
    return lines > 0 && lines <= MOST_LINES ? NULL : "not a line or two on memory";
}

static void tell(struct trial *t, const char *fault, const struct case_result *got,
                 unsigned long at, bool on)
{
    if (t->faults++ < MOST_TOLD)
        printf("%s: allocation %lu%s: %s; exit %d\n%.2000s%.2000s\n", t->c->path, at,
               on ? " and all behind it" : "", fault, got->status, got->out, got->err);
}

/* False when there is no such allocation. */
static bool fail_one(struct trial *t, unsigned long at, bool on)
{
    struct remains remains;
    struct case_result got;

    set_shim(t, at, on);
    if (!case_run_and_look(&t->failing, t->program, look, &remains, &got)) {
        printf("%s: cannot run it\n", t->c->path);
        t->faults++;
        return false;
    }
    const char *fault = judge(t, &got, &remains);

    if (fault)
        tell(t, fault, &got, at, on);
    t->runs++;
    case_release_result(&got);
    return remains.failed;
}

/* ---- one case ---- */

/* The case as it is; false when it does not even hold then. */
static bool run_as_it_is(struct trial *t)
{
    struct remains remains;
    struct case_result got;

    if (!case_run_and_look(t->c, t->program, look, &remains, &got))
        return false;
    char *difference = case_compare(t->c, &got);
    const bool good = *difference == '\0';

    printf("%s", difference);
    memcpy(t->good_end, remains.end, sizeof t->good_end);
    free(difference);
    case_release_result(&got);
    return good;
}

static unsigned long run_case(const char *path, const char *program, const char *shim)
{
    struct case_file c;
    struct trial t = {.c = &c, .program = program, .shim = shim};

    if (!case_read(path, &c) || !run_as_it_is(&t)) {
        printf("%s: does not hold\n", path);
        return 1;
    }
    for (int on = 0; on <= 1; on++)
        for (unsigned long at = 1; at <= MOST_RUNS && fail_one(&t, at, on); at++)
            ;
    printf("%-40s %5lu runs, %lu faults\n", path, t.runs, t.faults);
    case_release(&c);
    return t.faults;
}

int main(int argc, char **argv)
{
    unsigned long faults = 0;

    if (argc < 4) {
        fprintf(stderr, "usage: alloc PROGRAM SHIM CASE...\n");
        return 2;
    }
    char *shim = realpath(argv[2], NULL);

    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 3; i < argc && shim; i++)
        faults += run_case(argv[i], argv[1], shim);
    free(shim);
    return !shim || faults > 0;
}
