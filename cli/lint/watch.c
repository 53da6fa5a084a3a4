/*
 * watch.c - once more whenever the input changes.
 *
 * Fails:  where a format is for programs, and where nothing can be watched.
 *
 * A file is watched by way of its folder: editors put a new file in its place. Folders
 * are put under watch before they are read, so no change is missed between two runs.
 */
#define _DEFAULT_SOURCE 1 /* DT_DIR */

#include "cli/lint/lint.h"

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

struct watcher {
    const struct command *command;
    int fd;
    struct watched *items;
    size_t n, cap;
};

/* ---- what is watched ---- */

static bool watch_folder(struct watcher *w, const char *path, const char *only)
{
    const int id = inotify_add_watch(w->fd, path, CHANGES);

    if (id < 0)
        return false;
    if (w->n == w->cap) {
        const size_t cap = w->cap ? 2 * w->cap : 64;
        struct watched *more = realloc(w->items, cap * sizeof *more);

        if (!more)
            return false;
        w->items = more;
        w->cap = cap;
    }
    w->items[w->n++] = (struct watched){id, only};
    return true;
}

static bool is_folder(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool watch_tree(struct watcher *w, const char *path, unsigned depth);

/* A folder that went away meanwhile is none of ours. */
static bool watch_entries(struct watcher *w, DIR *folder, const char *path,
                          unsigned depth)
{
    const struct dirent *entry;
    char below[PATH_MAX];

    while ((entry = readdir(folder)) != NULL) {
        const int n = snprintf(below, sizeof below, "%s/%s", path, entry->d_name);

        if (entry->d_name[0] == '.' || n < 0 || (size_t)n >= sizeof below)
            continue;
        if (is_folder(below) && !watch_tree(w, below, depth + 1) && errno != ENOENT)
            return false;
    }
    return true;
}

static bool watch_tree(struct watcher *w, const char *path, unsigned depth)
{
    DIR *folder;
    bool good;

    if (depth > MOST_DEPTH)
        return true;
    if (!watch_folder(w, path, NULL))
        return false;
    folder = opendir(path);
    if (!folder)
        return false;
    good = watch_entries(w, folder, path, depth);
    (void)closedir(folder);
    return good;
}

static bool watch_file(struct watcher *w, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash + 1 - path)) : strdup(".");
    const bool good = folder && watch_folder(w, folder, slash ? slash + 1 : path);

    free(folder);
    return good;
}

/* New folders may have come with the last change; what is under watch already stays. */
static int watch_all(struct watcher *w, const struct operands *operands)
{
    w->n = 0;
    for (size_t i = 0; i < operands->n; i++) {
        const char *path = operands->items[i];
        const bool good = is_folder(path) ? watch_tree(w, path, 0) : watch_file(w, path);

        if (!good)
            return trouble_errno(w->command, path);
    }
    return EXIT_CLEAN;
}

/* ---- waiting ---- */

static bool matters(const struct watcher *w, const struct inotify_event *event)
{
    if (event->mask & IN_Q_OVERFLOW)
        return true;
    if (event->len == 0 || ((event->mask & IN_CREATE) && !(event->mask & IN_ISDIR)))
        return false;
    for (size_t i = 0; i < w->n; i++)
        if (w->items[i].id == event->wd &&
            (!w->items[i].only || strcmp(w->items[i].only, event->name) == 0))
            return true;
    return false;
}

/* Reads what has happened; false when that cannot be done. */
static bool read_events(const struct watcher *w, bool *changed)
{
    _Alignas(struct inotify_event) char buffer[16384];
    const ssize_t n = read(w->fd, buffer, sizeof buffer);

    if (n < 0)
        return errno == EINTR;
    for (const char *at = buffer; at < buffer + n;) {
        const struct inotify_event *event = (const void *)at;

        *changed = *changed || matters(w, event);
        at += sizeof *event + event->len;
    }
    return true;
}

/* Till something has changed and nothing more does. */
static bool wait_for_change(const struct watcher *w)
{
    struct pollfd source = {.fd = w->fd, .events = POLLIN};
    bool changed = false;

    for (;;) {
        const int n = poll(&source, 1, changed ? QUIET_MS : -1);

        if (n == 0)
            return true;
        if (n < 0 && errno != EINTR)
            return false;
        if (n > 0 && !read_events(w, &changed))
            return false;
    }
}

/* ---- runs ---- */

static int usage_fault(const struct command *self, const struct lint_settings *settings,
                       const struct operands *operands)
{
    if (settings->input.common.output || settings->write_baseline || settings->also.n > 0)
        return usage_error(self, "--watch cannot write to a file");
    if (settings->input.from)
        return usage_error(self, "--watch cannot watch --from");
    for (size_t i = 0; i < operands->n; i++)
        if (strcmp(operands->items[i], "-") == 0)
            return usage_error(self, "--watch cannot watch standard input");
    return operands->n > 0 ? EXIT_CLEAN : usage_error(self, "needs a PATH");
}

static int run_and_wait(struct watcher *w, const struct lint_settings *settings,
                        const struct operands *operands,
                        int (*run)(const struct command *self,
                                   const struct lint_settings *settings,
                                   const struct operands *operands))
{
    for (;;) {
        int status = watch_all(w, operands);

        if (status != EXIT_CLEAN)
            return status;
        /* Everything on the screen, and what was scrolled off it. */
        if (isatty(STDOUT_FILENO) == 1 && settings->input.common.color != COLOR_NEVER)
            (void)fputs("\033[H\033[2J\033[3J", stdout);
        status = run(w->command, settings, operands);
        if (status == EXIT_USAGE)
            return status;
        if (!settings->input.common.quiet)
            (void)fputs("waiting for the input to change; press Ctrl-C to stop\n",
                        stderr);
        if (!wait_for_change(w))
            return trouble_errno(w->command, "inotify");
    }
}

int watch(const struct command *self, const struct lint_settings *settings,
          const struct operands *operands,
          int (*run)(const struct command *self, const struct lint_settings *settings,
                     const struct operands *operands))
{
    struct watcher w = {.command = self};
    int status = usage_fault(self, settings, operands);

    if (status != EXIT_CLEAN)
        return status;
    w.fd = inotify_init1(IN_CLOEXEC);
    if (w.fd < 0)
        return trouble_errno(self, "inotify");
    status = run_and_wait(&w, settings, operands, run);
    (void)close(w.fd);
    free(w.items);
    return status;
}
