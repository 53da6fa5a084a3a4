/*
 * format.c - vsnprintf() for formats that mostly put texts together: the conversions that
 * xds_format_next() knows are read here, all others are left to it.
 *
 * Source: C11, 7.21.6.1.
 */
#include "base/format.h"

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

// NOLINTBEGIN(clang-analyzer-valist.Uninitialized): it cannot see the callers' va_copy()

static void take_part(va_list *args, struct xds_conversion *out)
{
    const int most = va_arg(*args, int);
    const char *data = va_arg(*args, const char *);

    out->text = (struct xds_slice){NULL, 0};
    if (most == 0)
        out->text = XDS_S("");
    else if (data && most > 0)
        out->text = xds_slice_make(data, (size_t)most);
}

static void take_char(va_list *args, struct xds_conversion *out)
{
    out->room[0] = (char)va_arg(*args, int);
    out->text = xds_slice_make(out->room, 1);
}

static void take_number(uint64_t number, struct xds_conversion *out)
{
    out->text = xds_digits(number, out->room);
    out->is_number = true;
}

static void take_signed(int number, struct xds_conversion *out)
{
    out->text = xds_signed_digits(number, out->room);
    out->is_number = true;
}

/* Within xds_vformat() a call for each conversion would be a third of its time. */
static inline __attribute__((always_inline)) const char *
next_of(const char *at, va_list *args, struct xds_conversion *out)
{
    out->is_number = false;
    switch (at[0]) {
    case 's':
        out->text = xds_slice_of(va_arg(*args, const char *));
        return at + 1;
    case '.':
        if (at[1] != '*' || at[2] != 's')
            return NULL;
        take_part(args, out);
        return at + 3;
    case 'c':
        take_char(args, out);
        return at + 1;
    case 'd':
        take_signed(va_arg(*args, int), out);
        return at + 1;
    case 'u':
        take_number(va_arg(*args, unsigned), out);
        return at + 1;
    case 'z':
        if (at[1] != 'u')
            return NULL;
        take_number(va_arg(*args, size_t), out);
        return at + 2;
    case 'l':
        if (at[1] == 'u') {
            take_number(va_arg(*args, unsigned long), out);
            return at + 2;
        }
        if (at[1] != 'l' || at[2] != 'u')
            return NULL;
        take_number(va_arg(*args, unsigned long long), out);
        return at + 3;
    default:
        return NULL;
    }
}

// NOLINTEND(clang-analyzer-valist.Uninitialized)

const char *xds_format_next(const char *at, va_list *args, struct xds_conversion *out)
{
    return next_of(at, args, out);
}

/* The conversion after a '%'; what follows it, or NULL: only vsnprintf() knows. */
static const char *put_next(struct text *text, const char *at, va_list *args)
{
    struct xds_conversion got;
    const char *next = next_of(at, args, &got);

    if (!next || !got.text.data)
        return NULL;
    put(text, got.text.data,
        *at == '.' ? strnlen(got.text.data, got.text.len) : got.text.len);
    return next;
}

static bool put_all(struct text *text, const char *format, va_list *args)
{
    const char *next;

    for (; (next = strchr(format, '%')) != NULL; format = next) {
        put(text, format, (size_t)(next - format));
        next = put_next(text, next + 1, args);
        if (!next)
            return false;
    }
    put(text, format, strlen(format));
    return true;
}

int xds_vformat(char *out, size_t size, const char *format, va_list args)
{
    struct text text = {.out = out, .size = size - 1};
    va_list copy;

    va_copy(copy, args);
    const bool done = put_all(&text, format, &copy);

    va_end(copy);
    if (!done || text.n > INT32_MAX)
        return vsnprintf(out, size, format, args);
    out[text.n < text.size ? text.n : text.size] = '\0';
    return (int)text.n;
}
