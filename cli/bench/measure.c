/*
 * measure.c - wall time and peak memory of commands, in alternating rounds.
 *
 *   measure ROUNDS 'command a' 'command b' ...
 *
 * Runs each command once per round, in turn, so that a noisy machine disturbs all alike.
 * Prints one line per command: median milliseconds, peak memory in KiB, the command.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_ROUNDS = 101, MOST_WORDS = 64 };

struct command {
    const char *text;
    double ms[MOST_ROUNDS];
    long peak_kib;
};

static double now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void become(const char *text)
{
    char *words[MOST_WORDS + 1], *copy = strdup(text);
    size_t n = 0;
    const int null = open("/dev/null", O_RDWR);

    for (char *word = strtok(copy, " "); word && n < MOST_WORDS; word = strtok(NULL, " "))
        words[n++] = word;
    words[n] = NULL;
    dup2(null, 0);
    dup2(null, 1);
    dup2(null, 2);
    execv(words[0], words);
    _exit(127);
}

static void run(struct command *c, size_t round)
{
    struct rusage usage;
    int status;
    const double start = now_ms();
    const pid_t child = fork();

    if (child == 0)
        become(c->text);
    wait4(child, &status, 0, &usage);
    c->ms[round] = now_ms() - start;
    if (usage.ru_maxrss > c->peak_kib)
        c->peak_kib = usage.ru_maxrss;
    if (!WIFEXITED(status) || WEXITSTATUS(status) > 1) {
        fprintf(stderr, "measure: '%s' failed\n", c->text);
        exit(3);
    }
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    const size_t rounds = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 0;
    const size_t n = argc > 2 ? (size_t)argc - 2 : 0;
    struct command *commands = calloc(n ? n : 1, sizeof *commands);

    if (!commands || n == 0 || rounds == 0 || rounds > MOST_ROUNDS) {
        fputs("usage: measure ROUNDS COMMAND...\n", stderr);
        return 2;
    }
    for (size_t i = 0; i < n; i++)
        commands[i].text = argv[i + 2];
    for (size_t round = 0; round < rounds; round++)
        for (size_t i = 0; i < n; i++)
            run(&commands[i], round);
    for (size_t i = 0; i < n; i++) {
        qsort(commands[i].ms, rounds, sizeof *commands[i].ms, by_size);
        printf("%.2f %ld %s\n", commands[i].ms[rounds / 2], commands[i].peak_kib,
               commands[i].text);
    }
    free(commands);
    return 0;
}
