/*
 * conf_find.c - which configuration file counts.
 *
 * Source: XDG Base Directory Specification; ruff and shellcheck look in the same way.
 */
#include "cli/conf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define NAME "xdscope.conf"

#define LONGEST ((size_t)1024) /* of "../../../" */

static bool is_file(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && !S_ISDIR(info.st_mode);
}

/* The root is its own parent. */
static bool is_root(const char *folder, const char *parent)
{
    struct stat a, b;

    return stat(folder, &a) != 0 || stat(parent, &b) != 0 ||
           (a.st_dev == b.st_dev && a.st_ino == b.st_ino);
}

static char *find_above(void)
{
    char path[LONGEST + sizeof NAME] = NAME;
    size_t up = 0;

    while (!is_file(path)) {
        char folder[LONGEST] = ".", parent[LONGEST + 3];

        if (up > 0)
            (void)snprintf(folder, sizeof folder, "%.*s", (int)up, path);
        (void)snprintf(parent, sizeof parent, "%s/..", folder);
        if (up + 6 >= sizeof folder || is_root(folder, parent))
            return NULL;
        memcpy(path + up, "../", 3);
        up += 3;
        memcpy(path + up, NAME, sizeof NAME);
    }
    return strdup(path);
}

static char *join(const char *a, const char *b)
{
    const size_t size = strlen(a) + strlen(b) + 1;
    char *path = malloc(size);

    if (path)
        (void)snprintf(path, size, "%s%s", a, b);
    return path;
}

/* The specification has relative paths ignored. */
static char *find_own(void)
{
    const char *folder = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    char *path = NULL;

    if (folder && folder[0] == '/')
        path = join(folder, "/xdscope/" NAME);
    else if (home && home[0] == '/')
        path = join(home, "/.config/xdscope/" NAME);
    if (path && is_file(path))
        return path;
    free(path);
    return NULL;
}

char *conf_find(void)
{
    errno = 0;
    char *path = find_above();

    return path || errno == ENOMEM ? path : find_own();
}
