/*
 * changes_inotify.c - changes of files, as Linux tells them.
 *
 * A file is watched by way of its folder: editors put a new file in its place. Folders
 * are put under watch before they are read, so no change is missed between two runs.
 */
#define _DEFAULT_SOURCE 1 /* DT_DIR */

#include "cli/lint/changes.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    QUIET_MS = 100, /* so long nothing may happen before the next run */
    MOST_DEPTH = 64,
    /* What makes a file another one; a file that is created is not written yet. */
    CHANGES = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE,
};

/* A folder under watch. */
struct watched {
    int id;
    const char *only; /* the one file that matters, or NULL */
};

struct changes {
    const struct command *command;
    int fd;
    struct watched *items;
    size_t n, cap;
};

struct changes *changes_new(const struct command *command)
{
    const int fd = inotify_init1(IN_CLOEXEC);
    struct changes *c = fd < 0 ? NULL : calloc(1, sizeof *c);

    if (c) {
        c->command = command;
        c->fd = fd;
        return c;
    }
    (void)trouble_errno(command, "inotify");
    if (fd >= 0)
        (void)close(fd);
    return NULL;
}

void changes_free(struct changes *c)
{
    (void)close(c->fd);
    free(c->items);
    free(c);
}

/* ---- what is watched ---- */

static bool watch_folder(struct changes *c, const char *path, const char *only)
{
    const int id = inotify_add_watch(c->fd, path, CHANGES);

    if (id < 0)
        return false;
    if (c->n == c->cap) {
        const size_t cap = c->cap ? 2 * c->cap : 64;
        struct watched *more = realloc(c->items, cap * sizeof *more);

        if (!more)
            return false;
        c->items = more;
        c->cap = cap;
    }
    c->items[c->n++] = (struct watched){id, only};
    return true;
}

static bool is_folder(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool watch_tree(struct changes *c, const char *path, unsigned depth);

/* A folder that went away meanwhile is none of ours. */
static bool watch_entries(struct changes *c, DIR *folder, const char *path,
                          unsigned depth)
{
    const struct dirent *entry;
    char below[PATH_MAX];

    while ((entry = readdir(folder)) != NULL) {
        const int n = snprintf(below, sizeof below, "%s/%s", path, entry->d_name);

        if (entry->d_name[0] == '.' || n < 0 || (size_t)n >= sizeof below)
            continue;
        if (is_folder(below) && !watch_tree(c, below, depth + 1) && errno != ENOENT)
            return false;
    }
    return true;
}

static bool watch_tree(struct changes *c, const char *path, unsigned depth)
{
    DIR *folder;
    bool good;

    if (depth > MOST_DEPTH)
        return true;
    if (!watch_folder(c, path, NULL))
        return false;
    folder = opendir(path);
    if (!folder)
        return false;
    good = watch_entries(c, folder, path, depth);
    (void)closedir(folder);
    return good;
}

static bool watch_file(struct changes *c, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash + 1 - path)) : strdup(".");
    const bool good = folder && watch_folder(c, folder, slash ? slash + 1 : path);

    free(folder);
    return good;
}

/* New folders may have come with the last change; what is under watch already stays. */
int changes_note(struct changes *c, const struct operands *operands)
{
    c->n = 0;
    for (size_t i = 0; i < operands->n; i++) {
        const char *path = operands->items[i];
        const bool good = is_folder(path) ? watch_tree(c, path, 0) : watch_file(c, path);

        if (!good)
            return trouble_errno(c->command, path);
    }
    return EXIT_CLEAN;
}

/* ---- waiting ---- */

static bool matters(const struct changes *c, const struct inotify_event *event)
{
    if (event->mask & IN_Q_OVERFLOW)
        return true;
    if (event->len == 0 || ((event->mask & IN_CREATE) && !(event->mask & IN_ISDIR)))
        return false;
    for (size_t i = 0; i < c->n; i++)
        if (c->items[i].id == event->wd &&
            (!c->items[i].only || strcmp(c->items[i].only, event->name) == 0))
            return true;
    return false;
}

/* Reads what has happened; false when that cannot be done. */
static bool read_events(const struct changes *c, bool *changed)
{
    _Alignas(struct inotify_event) char buffer[16384];
    const ssize_t n = read(c->fd, buffer, sizeof buffer);

    if (n < 0)
        return errno == EINTR;
    for (const char *at = buffer; at < buffer + n;) {
        const struct inotify_event *event = (const void *)at;

        *changed = *changed || matters(c, event);
        at += sizeof *event + event->len;
    }
    return true;
}

bool changes_wait(const struct changes *c)
{
    struct pollfd source = {.fd = c->fd, .events = POLLIN};
    bool changed = false;

    for (;;) {
        const int n = poll(&source, 1, changed ? QUIET_MS : -1);

        if (n == 0)
            return true;
        if ((n < 0 && errno != EINTR) || (n > 0 && !read_events(c, &changed))) {
            (void)trouble_errno(c->command, "inotify");
            return false;
        }
    }
}
