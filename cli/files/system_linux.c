/* system_linux.c - what Linux has beyond POSIX. */
#define _GNU_SOURCE /* sched_getaffinity() */
#include "cli/files/system.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/xattr.h>
#include <unistd.h>

long system_processors(void)
{
    cpu_set_t set;

    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
                                                       : sysconf(_SC_NPROCESSORS_ONLN);
}

static bool is_ours_to_copy(const char *attribute)
{
    return strncmp(attribute, "user.", 5) == 0 ||
           strcmp(attribute, "system.posix_acl_access") == 0;
}

void system_copy_attributes(const char *from, int to)
{
    char names[4096], value[4096];
    const ssize_t len = listxattr(from, names, sizeof names);

    for (const char *name = names; name < names + len; name += strlen(name) + 1) {
        const ssize_t size =
            is_ours_to_copy(name) ? getxattr(from, name, value, sizeof value) : -1;

        if (size >= 0)
            (void)fsetxattr(to, name, value, (size_t)size, 0);
    }
}

void system_send(int to, int from)
{
    enum { PART = 1 << 30 };

    while (sendfile(to, from, NULL, PART) > 0)
        ;
}

int system_reserve(int fd, long long size)
{
    const int why = posix_fallocate(fd, 0, (off_t)size);

    return why == EINVAL || why == EOPNOTSUPP ? 0 : why;
}
