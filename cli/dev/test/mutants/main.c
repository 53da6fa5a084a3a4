/*
 * main.c - cases, one after the other, up to the first that fails: its path is printed.
 *
 * usage: mutants-test LIST    a file with a path of a case in each line
 *        mutants-test -k LIST prints all cases that pass, and runs on
 *
 * The program is in this one, so a case costs a fork() and no start. mutants.py links it
 * with a faulty object; a fault can make a loop endless or ask for all memory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/dev/fuzz/program.h"
#include "cli/dev/test/case.h"

enum { SECONDS = 10, MEMORY_MB = 2048 };

static int limited(int argc, char **argv)
{
    const struct rlimit memory = {(rlim_t)MEMORY_MB << 20, (rlim_t)MEMORY_MB << 20};
    const struct rlimit time = {SECONDS, SECONDS};

    setrlimit(RLIMIT_AS, &memory);
    setrlimit(RLIMIT_CPU, &time);
    alarm(6 * SECONDS);
    return xds_program_main(argc, argv);
}

static bool passes(const char *path)
{
    struct case_file c;
    struct case_result got = {0};

    if (!case_read(path, &c) || !case_call(&c, limited, &got))
        return false;
    char *difference = case_compare(&c, &got);
    const bool same = !*difference;

    free(difference);
    case_release_result(&got);
    case_release(&c);
    return same;
}

int main(int argc, char **argv)
{
    const bool all = argc == 3 && strcmp(argv[1], "-k") == 0;
    FILE *list = argc == 2 || all ? fopen(argv[argc - 1], "r") : NULL;
    char path[256];

    if (!list) {
        (void)fprintf(stderr, "usage: mutants-test [-k] LIST\n");
        return 2;
    }
    while (fgets(path, sizeof path, list)) {
        path[strcspn(path, "\n")] = '\0';
        const bool ok = passes(path);

        /* Nothing is kept that a child would print, too. */
        if (ok == all && (puts(path) == EOF || fflush(stdout) != 0))
            return 2;
        if (!ok && !all)
            return 1;
    }
    return fclose(list) == 0 ? 0 : 2;
}
