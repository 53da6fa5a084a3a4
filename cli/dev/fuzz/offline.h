/* offline.h - what a program under fuzzing cannot do: reach a network, wait for a file to
 * change, list folders outside of its own. */
#ifndef CLI_DEV_FUZZ_OFFLINE_H
#define CLI_DEV_FUZZ_OFFLINE_H

#include <stdbool.h>

/* In between socket(), getaddrinfo(), inotify_init1() and opendir() of an absolute path
 * fail. */
void xds_offline(bool is_on);

#endif
