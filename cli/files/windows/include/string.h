/* string.h - for Windows: a text in bytes, and what is wrong. */
#ifndef XDS_WINDOWS_STRING_H
#define XDS_WINDOWS_STRING_H

#include_next <string.h>

#include <stdint.h>

void *posix_memmem(const void *in, size_t n, const void *what, size_t len);

#define memmem posix_memmem

/* Of sockets, too. */
const char *posix_strerror(int why);

#define strerror(why) ((char *)(uintptr_t)posix_strerror(why))

#endif
