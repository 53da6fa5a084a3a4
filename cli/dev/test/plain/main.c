/* main.c - run the tests of one file one after the other, in this process. */
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static struct plain_test *first;

void plain_add(struct plain_test *test)
{
    test->next = first;
    first = test;
}

void plain_expect(bool good, const char *what, const char *file, int line,
                  const char *format, ...)
{
    va_list args;

    if (good)
        return;
    (void)fprintf(stderr, "%s:%d: not so: %s; ", file, line, what);
    va_start(args, format);
    (void)vfprintf(stderr, format, args);
    va_end(args);
    (void)fputc('\n', stderr);
    exit(1);
}

int main(void)
{
    for (const struct plain_test *test = first; test; test = test->next) {
        test->run();
        (void)printf("  PASS\t%s\n", test->name);
        (void)fflush(stdout);
    }
    return 0;
}
