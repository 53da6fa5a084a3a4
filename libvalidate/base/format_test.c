/* format_test.c - formats give what vsnprintf() gives. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/format.h"

__attribute__((format(printf, 2, 3))) static void same_of(size_t size, const char *format,
                                                          ...)
{
    char ours[64], theirs[64];
    va_list args, again;

    memset(ours, 'x', sizeof ours);
    memset(theirs, 'x', sizeof theirs);
    va_start(args, format);
    va_copy(again, args);
    const int n = xds_vformat(ours, size, format, args);

    cr_expect_eq(n, vsnprintf(theirs, size, format, again), "%d of %s", n, format);
    va_end(again);
    va_end(args);
    cr_expect_str_eq(ours, theirs);
}

/* Whole, cut within each part, and with no room at all. */
#define SAME(...)                                                                        \
    do                                                                                   \
        for (size_t size = 1; size <= 64; size++)                                        \
            same_of(size, __VA_ARGS__);                                                  \
    while (0)

Test(format, texts_and_numbers_are_those_of_printf)
{
    const char open[] = {'a', 'b', 'c'};
    const char *volatile none = NULL; /* gcc is not to know it */

    SAME("plain");
    SAME("%s", "");
    SAME("a %s b %s", "text", "more");
    SAME("<%.*s>", 2, open);
    SAME("<%.*s>", 9, "short");
    SAME("<%.*s>", 0, none);
    SAME("<%.*s>", -1, "all of it");
    SAME("%d %d %d", 0, INT_MIN, INT_MAX);
    SAME("%u %u", 0U, UINT_MAX);
    SAME("%zu", SIZE_MAX);
    SAME("%" PRIu32 " %" PRIu64, UINT32_MAX, UINT64_MAX);
    SAME("%lu %llu", ULONG_MAX, ULLONG_MAX);
    SAME("%c", 'c');
}

Test(format, others_are_left_to_it)
{
    SAME("100 %%");
    SAME("%s: %5.2f %s", "x", 1.25, "y");
    SAME("%-8s|%4d|%x|%c", "left", 7, 255U, 'c');
    SAME("%lld %.3s", -5LL, "cut off");
}
