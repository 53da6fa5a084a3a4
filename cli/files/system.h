/*
 * system.h - what not every system has: system_linux.c, or system_portable.c with what
 * POSIX has (SYSTEM of the Makefile).
 */
#ifndef XDS_CLI_SYSTEM_H
#define XDS_CLI_SYSTEM_H

/* Processors that this process may use; less than 1: unknown. */
long system_processors(void);

/* Extended attributes of users and the access control list, as far as the file system
 * lets us. */
void system_copy_attributes(const char *from, int to);

/* As much as the kernel copies by itself, from where both are: it does not do that for
 * every kind of file, and others do the rest. */
void system_send(int to, int from);

/* Room on the disk for all of a file: 0 or an errno. 0 also where none can be had. */
int system_reserve(int fd, long long size);

#endif
