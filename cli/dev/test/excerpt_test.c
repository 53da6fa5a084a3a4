/* excerpt_test.c - lines of files, wherever the buffer ends. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/files/excerpt.h"

/* A file of its own for each test; a test is a process. */
static char path[] = "/tmp/xdscope-excerpt-XXXXXX";
static struct excerpt excerpt;

static struct xds_slice slice(const char *text)
{
    return (struct xds_slice){text, strlen(text)};
}

static void begin(void)
{
    const int fd = mkstemp(path);

    cr_assert_geq(fd, 0);
    close(fd);
    excerpt_init(&excerpt);
}

static void end(void)
{
    excerpt_release(&excerpt);
    unlink(path);
}

TestSuite(excerpt_file, .init = begin, .fini = end);

static void fill(const char *text, size_t len)
{
    FILE *file = fopen(path, "wb");

    cr_assert_not_null(file);
    cr_assert_eq(fwrite(text, 1, len, file), len);
    cr_assert_eq(fclose(file), 0);
}

/* text NULL: there is nothing to show. */
static void expect(uint32_t line, uint32_t column, const char *text)
{
    struct xds_slice got = {NULL, 0};
    const bool found = excerpt_line(&excerpt, slice(path), line, column, &got);

    cr_expect_eq(found, text != NULL, "%u:%u", line, column);
    if (found && text)
        cr_expect(got.len == strlen(text) && memcmp(got.data, text, got.len) == 0,
                  "%u:%u: want '%s', got '%.*s'", line, column, text, (int)got.len,
                  got.data);
}

Test(excerpt_file, a_line_begins_at_the_column_and_has_no_end)
{
    static const char text[] = "\xEF\xBB\xBFone\n\ntwo\r\n\xc3\xa4\xc3\xb6 \x80x\nlast";

    fill(text, sizeof text - 1);
    expect(1, 1, "one");
    expect(1, 3, "e");
    expect(1, 4, NULL);
    expect(2, 1, NULL);
    expect(3, 2, "wo");
    expect(3, 2, "wo");
    expect(4, 2, "\xc3\xb6 \x80x");
    expect(4, 4, "x");
    expect(5, 1, "last");
    expect(6, 1, NULL);
    expect(7, 1, NULL);
}

Test(excerpt_file, a_place_before_the_last_one_starts_over)
{
    fill("one\ntwo\n", 8);
    expect(2, 2, "wo");
    expect(2, 1, "two");
    expect(1, 1, "one");
}

Test(excerpt_file, another_file_is_another_text)
{
    struct xds_slice got;

    fill("one\n", 4);
    expect(1, 1, "one");
    cr_expect_not(excerpt_line(&excerpt, slice("/nowhere"), 1, 1, &got));
    expect(1, 2, "ne");
}

/* Three bytes in two columns, so that buffers and steps end inside of characters. */
Test(excerpt_file, columns_are_found_across_buffers)
{
    enum { PAIRS = 200000 };
    char *text = malloc(PAIRS * 3 + 1);
    struct xds_slice got;

    cr_assert_not_null(text);
    for (size_t i = 0; i < PAIRS; i++)
        memcpy(text + i * 3, "a\xc3\xa4", 3);
    text[PAIRS * 3] = '\n';
    fill(text, PAIRS * 3 + 1);
    for (uint32_t column = 1; column <= 2 * PAIRS; column += 997) {
        const size_t left = PAIRS * 3 - ((column - 1) / 2 * 3 + (column - 1) % 2);

        cr_assert(excerpt_line(&excerpt, slice(path), 1, column, &got), "%u", column);
        cr_expect_eq(got.data[0], column % 2 ? 'a' : '\xc3', "%u", column);
        cr_expect(got.len >= XDS_LINE_PART || got.len == left, "%u", column);
    }
    expect(1, 2 * PAIRS, "\xc3\xa4");
    expect(1, 2 * PAIRS + 1, NULL);
    free(text);
}

Test(excerpt_file, lines_are_found_across_buffers)
{
    enum { LINES = 100000 };
    char *text = malloc(LINES * 6);

    cr_assert_not_null(text);
    for (unsigned i = 0; i < LINES; i++) {
        char line[8];

        snprintf(line, sizeof line, "%05u\n", i);
        memcpy(text + i * 6, line, 6);
    }
    fill(text, LINES * 6);
    for (unsigned i = 0; i < LINES; i += 331) {
        char line[8];

        snprintf(line, sizeof line, "%05u", i);
        expect(i + 1, 1, line);
    }
    expect(LINES + 1, 1, NULL);
    free(text);
}

Test(excerpt_file, an_endless_line_gives_no_more_than_the_buffer)
{
    static char text[1 << 20];
    struct xds_slice got;

    memset(text, 'x', sizeof text);
    fill(text, sizeof text);
    cr_assert(excerpt_line(&excerpt, slice(path), 1, 500000, &got));
    cr_expect_geq(got.len, XDS_LINE_PART);
    cr_expect_leq(got.len, sizeof excerpt.buffer);
}

Test(excerpt_file, bytes_that_only_continue_are_one_column)
{
    static char text[1 << 18];

    memset(text, '\x80', sizeof text);
    memcpy(text + sizeof text - 3, "xy\n", 3);
    fill(text, sizeof text);
    expect(1, 1, "xy");
    expect(1, 2, "y");
}

Test(excerpt_file, a_binary_file_has_no_lines)
{
    fill("one\0two\n", 8);
    expect(1, 1, NULL);
    expect(2, 1, NULL);
}

Test(excerpt_file, an_empty_file_has_no_lines)
{
    expect(1, 1, NULL);
}

/* Opening a pipe that nobody writes to would wait for ever. */
Test(excerpt_file, a_pipe_is_not_opened_again, .timeout = 10)
{
    cr_assert_eq(unlink(path), 0);
    cr_assert_eq(mkfifo(path, 0600), 0);
    expect(1, 1, NULL);
}

Test(excerpt_file, standard_input_is_not_a_file_of_that_name)
{
    struct xds_slice got;
    char folder[] = "/tmp/xdscope-excerpt-folder-XXXXXX";

    cr_assert_not_null(mkdtemp(folder));
    cr_assert_eq(chdir(folder), 0);
    FILE *file = fopen("-", "wb");

    cr_assert_not_null(file);
    fputs("secret\n", file);
    fclose(file);
    cr_expect_not(excerpt_line(&excerpt, slice("-"), 1, 1, &got));
    cr_expect(excerpt_line(&excerpt, slice("./-"), 1, 1, &got));
    unlink("-");
    cr_assert_eq(chdir("/"), 0);
    rmdir(folder);
}
