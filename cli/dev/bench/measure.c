/*
 * measure.c - wall time, processor time and peak memory of commands, in alternating
 * rounds.
 *
 *   measure ROUNDS KEY=COMMAND...
 *
 * all alike. Exit status 0 and 1 are fine: 1 is lint that finds something. Gives:  a line
 * for each command on standard output, parted by tabs: "time", KEY, median, least and
 * most milliseconds of wall time, median of processor time, peak KiB. Fails:  with 3 when
 * a command does, and says which.
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
    int key_length;
    const char *key, *text;
    double wall_ms[MOST_ROUNDS], cpu_ms[MOST_ROUNDS];
    long peak_kib;
};

static double now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double ms_of(struct timeval t)
{
    return (double)t.tv_sec * 1e3 + (double)t.tv_usec / 1e3;
}

static void become(const char *text)
{
    char *words[MOST_WORDS + 1], *copy = strdup(text);
    size_t n = 0;
    const int null = open("/dev/null", O_RDWR);

    for (char *word = strtok(copy, " "); word && n < MOST_WORDS; word = strtok(NULL, " "))
        words[n++] = word;
    words[n] = NULL;
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    if (n > 0)
        execvp(words[0], words);
    _exit(127);
}

static void run(struct command *c, size_t round)
{
    struct rusage usage = {0};
    int status = -1;
    const double start = now_ms();
    const pid_t child = fork();

    if (child == 0)
        become(c->text);
    if (child < 0 || wait4(child, &status, 0, &usage) < 0 || !WIFEXITED(status) ||
        WEXITSTATUS(status) > 1) {
        (void)fprintf(stderr, "measure: '%s' failed\n", c->text);
        exit(3);
    }
    c->wall_ms[round] = now_ms() - start;
    c->cpu_ms[round] = ms_of(usage.ru_utime) + ms_of(usage.ru_stime);
    if (usage.ru_maxrss > c->peak_kib)
        c->peak_kib = usage.ru_maxrss;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void print(struct command *c, size_t rounds)
{
    qsort(c->wall_ms, rounds, sizeof *c->wall_ms, by_size);
    qsort(c->cpu_ms, rounds, sizeof *c->cpu_ms, by_size);
    printf("time\t%.*s\t%.3f\t%.3f\t%.3f\t%.3f\t%ld\n", c->key_length, c->key,
           c->wall_ms[rounds / 2], c->wall_ms[0], c->wall_ms[rounds - 1],
           c->cpu_ms[rounds / 2], c->peak_kib);
}

/* KEY=COMMAND; false when it is not. */
static int read_command(struct command *c, const char *arg)
{
    const char *equals = strchr(arg, '=');

    if (!equals)
        return 0;
    c->key = arg;
    c->key_length = (int)(equals - arg);
    c->text = equals + 1;
    return 1;
}

static int measure(struct command *commands, size_t n, size_t rounds)
{
    for (size_t round = 0; round < rounds; round++)
        for (size_t i = 0; i < n; i++)
            run(&commands[i], round);
    for (size_t i = 0; i < n; i++)
        print(&commands[i], rounds);
    return 0;
}

static int usage(void)
{
    (void)fputs("usage: measure ROUNDS KEY=COMMAND...\n", stderr);
    return 2;
}

int main(int argc, char **argv)
{
    const size_t rounds = argc > 2 ? (size_t)strtoul(argv[1], NULL, 10) : 0;
    const size_t n = argc > 2 ? (size_t)argc - 2 : 0;

    if (rounds == 0 || rounds > MOST_ROUNDS)
        return usage();
    struct command *commands = calloc(n, sizeof *commands);
    size_t good = 0;

    if (!commands)
        return 3;
    while (good < n && read_command(&commands[good], argv[good + 2]))
        good++;
    const int status = good == n ? measure(commands, n, rounds) : usage();

    free(commands);
    return status;
}
