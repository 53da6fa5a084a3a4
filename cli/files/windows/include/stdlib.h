/* stdlib.h - for Windows: names of files. */
#ifndef XDS_WINDOWS_STDLIB_H
#define XDS_WINDOWS_STDLIB_H

#include_next <stdlib.h>

char *posix_realpath(const char *path, char *none);
char *posix_mkdtemp(char *path);
int posix_mkostemps(char *path, int suffix, int flags);

#define realpath posix_realpath
#define mkdtemp posix_mkdtemp
#define mkostemps posix_mkostemps
#define mkostemp(path, flags) posix_mkostemps(path, 0, flags)

#endif
