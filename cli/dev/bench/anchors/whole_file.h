/*
 * whole_file.h - a file in memory, for anchors whose library wants all of it at once.
 *
 * Gives: bytes on the heap that nobody frees, and how many; NULL when it cannot be read.
 */
#ifndef XDSCOPE_BENCH_WHOLE_FILE_H
#define XDSCOPE_BENCH_WHOLE_FILE_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static char *whole_of(FILE *file, size_t *size)
{
    struct stat status;

    if (fstat(fileno(file), &status) != 0)
        return NULL;
    *size = (size_t)status.st_size;
    char *bytes = (char *)malloc(*size + 1);

    if (bytes && fread(bytes, 1, *size, file) != *size) {
        free(bytes);
        bytes = NULL;
    }
    return bytes;
}

static char *whole_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");

    if (!file)
        return NULL;
    char *bytes = whole_of(file, size);

    (void)fclose(file);
    return bytes;
}

#endif
