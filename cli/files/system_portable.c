/* system_portable.c - for systems with POSIX alone. */
#define _DEFAULT_SOURCE 1 /* _SC_NPROCESSORS_ONLN */
#include "cli/files/system.h"

#include <unistd.h>

long system_processors(void)
{
    return sysconf(_SC_NPROCESSORS_ONLN);
}

void system_copy_attributes(const char *from, int to)
{
    (void)from;
    (void)to;
}

void system_send(int to, int from)
{
    (void)to;
    (void)from;
}

int system_reserve(int fd, long long size)
{
    (void)fd;
    (void)size;
    return 0;
}
