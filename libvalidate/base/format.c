/*
 * format.c - vsnprintf() for formats that mostly put texts together: those of %s, %.*s,
 * %d, %u, %zu and %lu are read here, all others are left to it.
 *
 * Source: C11, 7.21.6.1.
 */
#include "base/format.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct text {
    char *out;
    size_t size, n; /* n: of all that was to be written */
};

static void put(struct text *text, const char *data, size_t len)
{
    if (text->n < text->size) {
        const size_t room = text->size - text->n;

        memcpy(text->out + text->n, data, len < room ? len : room);
    }
    text->n += len;
}

static void put_number(struct text *text, uint64_t number, bool minus)
{
    char digits[21];
    size_t at = sizeof digits;

    do
        digits[--at] = (char)('0' + number % 10);
    while (number /= 10);
    if (minus)
        digits[--at] = '-';
    put(text, digits + at, sizeof digits - at);
}

struct args {
    va_list list;
};

/* What is after the '%' of "%.*s"; false: only vsnprintf() knows. */
static bool put_part(struct text *text, struct args *args)
{
    const int most = va_arg(args->list, int);
    const char *data = va_arg(args->list, const char *);

    if (most < 0 || (!data && most > 0))
        return false;
    if (most > 0)
        put(text, data, strnlen(data, (size_t)most));
    return true;
}

static bool put_whole(struct text *text, struct args *args)
{
    const char *data = va_arg(args->list, const char *);

    if (data)
        put(text, data, strlen(data));
    return data != NULL;
}

static void put_signed(struct text *text, int number)
{
    const int64_t wide = number;

    put_number(text, (uint64_t)(wide < 0 ? -wide : wide), wide < 0);
}

/* The directive after a '%'; what follows it, or NULL: only vsnprintf() knows. */
static const char *put_directive(struct text *text, const char *at, struct args *args)
{
    if (at[0] == 's')
        return put_whole(text, args) ? at + 1 : NULL;
    if (at[0] == '.' && at[1] == '*' && at[2] == 's')
        return put_part(text, args) ? at + 3 : NULL;
    if (at[0] == 'd') {
        put_signed(text, va_arg(args->list, int));
        return at + 1;
    }
    if (at[0] == 'u') {
        put_number(text, va_arg(args->list, unsigned), false);
        return at + 1;
    }
    if (at[0] == 'z' && at[1] == 'u') {
        put_number(text, va_arg(args->list, size_t), false);
        return at + 2;
    }
    if (at[0] == 'l' && at[1] == 'u') {
        put_number(text, va_arg(args->list, unsigned long), false);
        return at + 2;
    }
    return NULL;
}

static bool put_all(struct text *text, const char *format, struct args *args)
{
    const char *next;

    for (; (next = strchr(format, '%')) != NULL; format = next) {
        put(text, format, (size_t)(next - format));
        next = put_directive(text, next + 1, args);
        if (!next)
            return false;
    }
    put(text, format, strlen(format));
    return true;
}

int xds_vformat(char *out, size_t size, const char *format, va_list args)
{
    struct text text = {.out = out, .size = size - 1};
    struct args copy;

    va_copy(copy.list, args);
    const bool done = put_all(&text, format, &copy);

    va_end(copy.list);
    if (!done || text.n > INT32_MAX)
        return vsnprintf(out, size, format, args);
    out[text.n < text.size ? text.n : text.size] = '\0';
    return (int)text.n;
}
