/* stdio.h - for Windows: a file is replaced by another one; a file in memory. */
#ifndef XDS_WINDOWS_STDIO_H
#define XDS_WINDOWS_STDIO_H

#include_next <stdio.h>

FILE *posix_open_memstream(char **text, size_t *len);
int posix_fclose(FILE *file);
int posix_rename(const char *from, const char *to);

#define open_memstream posix_open_memstream
#define fclose posix_fclose
#define rename posix_rename

#endif
