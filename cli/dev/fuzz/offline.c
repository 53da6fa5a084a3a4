/*
 * offline.c - what a program under fuzzing cannot do.
 *
 * These functions take the place of libc's in the programs that link this file. libFuzzer
 * itself lists folders, so that libc's are called while no input runs.
 */
#define _GNU_SOURCE 1 /* RTLD_NEXT */

#include "cli/dev/fuzz/offline.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
#include <stddef.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <unistd.h>

static bool is_offline;

void xds_offline(bool is_on)
{
    is_offline = is_on;
}

/* libc's own function of this name. */
#define LIBC(name) (*(__typeof__(&(name)) *)&(void *){dlsym(RTLD_NEXT, #name)})

/* How long an input may take is for libFuzzer to say. */
unsigned alarm(unsigned seconds)
{
    return is_offline ? 0 : LIBC(alarm)(seconds);
}

int socket(int domain, int type, int protocol)
{
    if (!is_offline)
        return LIBC(socket)(domain, type, protocol);
    errno = EACCES;
    return -1;
}

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints,
                struct addrinfo **out)
{
    return is_offline ? EAI_FAIL : LIBC(getaddrinfo)(name, service, hints, out);
}

int inotify_init1(int flags)
{
    if (!is_offline)
        return LIBC(inotify_init1)(flags);
    errno = ENOSYS;
    return -1;
}

DIR *opendir(const char *path)
{
    if (!is_offline || *path != '/')
        return LIBC(opendir)(path);
    errno = EACCES;
    return NULL;
}
