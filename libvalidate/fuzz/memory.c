/*
 * memory.c - what is printed, in memory; and how a property that does not hold is
 * reported.
 *
 * Fails:  write with false when there is no memory.
 */
#include "fuzz/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool xds_memory_write(void *user, const char *data, size_t len)
{
    struct xds_memory *memory = user;

    if (len > memory->cap - memory->len) {
        const size_t cap = 2 * (memory->len + len);
        char *larger = realloc(memory->data, cap);

        if (!larger)
            return false;
        memory->data = larger;
        memory->cap = cap;
    }
    if (len > 0)
        memcpy(memory->data + memory->len, data, len);
    memory->len += len;
    return true;
}

void xds_memory_print(struct xds_memory *memory, const char *format, ...)
{
    char text[1024];
    va_list args;

    va_start(args, format);
    const int len = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (len > 0)
        (void)xds_memory_write(memory, text,
                               (size_t)len < sizeof text ? (size_t)len : sizeof text - 1);
}

struct xds_slice xds_memory_text(const struct xds_memory *memory)
{
    return xds_slice_make(memory->data ? memory->data : "", memory->len);
}

void xds_fuzz_fail(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    (void)vfprintf(stderr, format, args);
    va_end(args);
    (void)fputc('\n', stderr);
    abort();
}
