/*
 * changes_poll.c - changes of files, seen by looking at them every quarter of a second.
 *
 * What is seen of all of them is one sum: their names, sizes, times and numbers.
 */
#include "cli/lint/changes.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { LOOK_MS = 250, MOST_DEPTH = 64 };

struct changes {
    const struct command *command;
    const struct operands *operands;
    uint64_t sum;
};

struct changes *changes_new(const struct command *command)
{
    struct changes *c = calloc(1, sizeof *c);

    if (c)
        c->command = command;
    else
        (void)trouble(command, "out of memory");
    return c;
}

void changes_free(struct changes *c)
{
    free(c);
}

/* ---- the sum ---- */

/* FNV-1a. */
static uint64_t add_bytes(uint64_t sum, const void *bytes, size_t n)
{
    const unsigned char *at = bytes;

    for (size_t i = 0; i < n; i++)
        sum = (sum ^ at[i]) * 1099511628211u;
    return sum;
}

static uint64_t add_number(uint64_t sum, uint64_t number)
{
    return add_bytes(sum, &number, sizeof number);
}

/* In any order, as folders list their files. */
static uint64_t sum_of(const char *path, unsigned depth);

static uint64_t sum_of_entries(DIR *folder, const char *path, unsigned depth)
{
    const struct dirent *entry;
    char below[PATH_MAX];
    uint64_t sum = 0;

    while ((entry = readdir(folder)) != NULL) {
        const int n = snprintf(below, sizeof below, "%s/%s", path, entry->d_name);

        if (entry->d_name[0] != '.' && n > 0 && (size_t)n < sizeof below)
            sum += sum_of(below, depth + 1);
    }
    return sum;
}

/* A file that is not there has a sum, too. */
static uint64_t sum_of(const char *path, unsigned depth)
{
    uint64_t sum = add_bytes(14695981039346656037u, path, strlen(path));
    struct stat info;

    if (stat(path, &info) != 0)
        return sum;
    sum = add_number(sum, (uint64_t)info.st_ino);
    if (!S_ISDIR(info.st_mode)) {
        sum = add_number(sum, (uint64_t)info.st_size);
        sum = add_number(sum, (uint64_t)info.st_mtim.tv_sec);
        return add_number(sum, (uint64_t)info.st_mtim.tv_nsec);
    }
    DIR *folder = depth < MOST_DEPTH ? opendir(path) : NULL;

    if (folder) {
        sum = add_number(sum, sum_of_entries(folder, path, depth));
        (void)closedir(folder);
    }
    return sum;
}

static uint64_t sum_of_all(const struct operands *operands)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < operands->n; i++)
        sum += sum_of(operands->items[i], 0);
    return sum;
}

/* ---- looking ---- */

/* Where nothing can ever come: false, errno says why. */
static bool can_be_seen(const char *path)
{
    const char *slash = strrchr(path, '/');
    struct stat info;

    if (stat(path, &info) == 0)
        return true;
    char *folder = slash ? strndup(path, (size_t)(slash + 1 - path)) : strdup(".");
    const bool good = folder && stat(folder, &info) == 0;
    const int why = errno;

    free(folder);
    errno = why;
    return good;
}

int changes_note(struct changes *c, const struct operands *operands)
{
    for (size_t i = 0; i < operands->n; i++)
        if (!can_be_seen(operands->items[i]))
            return trouble_errno(c->command, operands->items[i]);
    c->operands = operands;
    c->sum = sum_of_all(operands);
    return EXIT_CLEAN;
}

bool changes_wait(const struct changes *c)
{
    const struct timespec pause = {.tv_nsec = LOOK_MS * 1000000L};
    uint64_t now = c->sum, last;

    do {
        last = now;
        (void)nanosleep(&pause, NULL);
        now = sum_of_all(c->operands);
    } while (now == c->sum || now != last);
    return true;
}
