/* string.h - for Windows: a text in bytes. */
#ifndef XDS_WINDOWS_STRING_H
#define XDS_WINDOWS_STRING_H

#include_next <string.h>

void *posix_memmem(const void *in, size_t n, const void *what, size_t len);

#define memmem posix_memmem

#endif
