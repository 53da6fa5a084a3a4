/*
 * criterion.h - what tests under ThreadSanitizer need of Criterion: one process.
 *
 * Criterion runs each test in a process that shares memory with its own at an address
 * that ThreadSanitizer keeps for itself. Here the tests of one file run one after the
 * other.
 */
#ifndef CLI_DEV_TEST_PLAIN_CRITERION_H
#define CLI_DEV_TEST_PLAIN_CRITERION_H

#include <stdbool.h>
#include <string.h>

struct plain_test {
    const char *name;
    void (*run)(void);
    struct plain_test *next;
};

/* Called before main(). */
void plain_add(struct plain_test *test);
/* Ends the program unless it is true. */
__attribute__((format(printf, 5, 6))) void plain_expect(bool good, const char *what,
                                                        const char *file, int line,
                                                        const char *format, ...);

#define Test(suite, test, ...)                                                           \
    static void suite##_##test(void);                                                    \
    __attribute__((constructor)) static void add_##suite##_##test(void)                  \
    {                                                                                    \
        static struct plain_test row = {#suite "/" #test, suite##_##test, NULL};         \
                                                                                         \
        plain_add(&row);                                                                 \
    }                                                                                    \
    static void suite##_##test(void)

#define cr_assert(good, ...)                                                             \
    plain_expect((good), #good, __FILE__, __LINE__, "" __VA_ARGS__)
#define cr_assert_eq(a, b, ...) cr_assert((a) == (b), __VA_ARGS__)
#define cr_assert_not_null(a, ...) cr_assert((a) != NULL, __VA_ARGS__)
#define cr_expect(good, ...) cr_assert(good, __VA_ARGS__)
#define cr_expect_eq(a, b, ...) cr_assert((a) == (b), __VA_ARGS__)
#define cr_expect_gt(a, b, ...) cr_assert((a) > (b), __VA_ARGS__)
#define cr_expect_str_eq(a, b, ...) cr_assert(strcmp((a), (b)) == 0, __VA_ARGS__)
#define cr_expect_arr_eq(a, b, n, ...) cr_assert(memcmp((a), (b), (n)) == 0, __VA_ARGS__)

#endif
