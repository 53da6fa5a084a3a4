/* lines_test.c - a file line by line, whatever its ends, and however long a line is. */
#include <criterion/criterion.h>

#include "cli/files/lines.h"

#include <errno.h>
#include <string.h>

struct input {
    FILE *file;
    struct lines lines;
};

static struct input open_file(FILE *file)
{
    struct input in = {.file = file};

    cr_assert_not_null(file);
    cr_assert(lines_open(&in.lines, file));
    return in;
}

/* A file that holds `times` copies of the text. */
static struct input open_text(const char *text, size_t len, size_t times)
{
    FILE *file = tmpfile();

    cr_assert_not_null(file);
    for (size_t i = 0; i < times; i++)
        cr_assert_eq(fwrite(text, 1, len, file), len);
    rewind(file);
    return open_file(file);
}

static void close_input(struct input *in)
{
    lines_close(&in->lines);
    (void)fclose(in->file);
}

static void expect_line(struct input *in, const char *wanted, size_t number)
{
    struct xds_slice line;

    cr_assert_eq(lines_next(&in->lines, &line), LINE_READ, "%s", wanted);
    cr_expect_eq(line.len, strlen(wanted), "%s", wanted);
    cr_expect_str_eq(line.data, wanted);
    cr_expect_eq(in->lines.number, number, "%s", wanted);
}

static void expect_end(struct input *in)
{
    struct xds_slice line;

    cr_expect_eq(lines_next(&in->lines, &line), LINE_END);
    cr_expect_eq(lines_next(&in->lines, &line), LINE_END, "the end stays the end");
}

static const struct row {
    const char *text;
    const char *lines[4]; /* up to NULL */
} rows[] = {
    {"", {NULL}},
    {"\n", {"", NULL}},
    {"a", {"a", NULL}},
    {"a\n", {"a", NULL}},
    {"a\nb", {"a", "b", NULL}},
    {"a\n\nb\n", {"a", "", "b", NULL}},
    {"a\r\nb\r\n", {"a", "b", NULL}},
    {"a\r\nb\r", {"a", "b", NULL}},
    {"\r\n", {"", NULL}},
    {"a\r\r\n", {"a\r", NULL}},
    {"a\rb\n", {"a\rb", NULL}},
};

Test(lines, every_line_is_given_without_its_end)
{
    for (const struct row *r = rows; r < rows + sizeof rows / sizeof *rows; r++) {
        struct input in = open_text(r->text, strlen(r->text), 1);

        for (size_t i = 0; r->lines[i]; i++)
            expect_line(&in, r->lines[i], i + 1);
        expect_end(&in);
        close_input(&in);
    }
}

Test(lines, a_nul_byte_is_part_of_its_line)
{
    struct input in = open_text("a\0b\n", 4, 1);
    struct xds_slice line;

    cr_assert_eq(lines_next(&in.lines, &line), LINE_READ);
    cr_expect_eq(line.len, 3);
    cr_expect_arr_eq(line.data, "a\0b", 4);
    expect_end(&in);
    close_input(&in);
}

/* Lines of 9 bytes never end where a buffer does. */
Test(lines, a_line_may_cross_the_end_of_a_buffer)
{
    const size_t n = LINE_MAX_BYTES / 2;
    struct input in = open_text("12345678\n", 9, n);
    struct xds_slice line;

    for (size_t i = 0; i < n; i++) {
        cr_assert_eq(lines_next(&in.lines, &line), LINE_READ);
        cr_assert_str_eq(line.data, "12345678");
    }
    expect_end(&in);
    close_input(&in);
}

/* A file of one line of `len` bytes and then "after", with an end or without. */
static struct input open_long(size_t len, const char *after)
{
    FILE *file = tmpfile();

    cr_assert_not_null(file);
    for (size_t i = 0; i < len; i++)
        cr_assert_neq(fputc('x', file), EOF);
    (void)fputs(after, file);
    rewind(file);
    return open_file(file);
}

static const struct length_row {
    size_t len;
    enum line_status status;
} lengths[] = {
    {LINE_MAX_BYTES - 1, LINE_READ},     {LINE_MAX_BYTES, LINE_READ},
    {LINE_MAX_BYTES + 1, LINE_TOO_LONG}, {LINE_MAX_BYTES + 4096, LINE_TOO_LONG},
    {3 * LINE_MAX_BYTES, LINE_TOO_LONG},
};

Test(lines, one_that_is_too_long_is_passed_over_and_the_next_is_given)
{
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct input in = open_long(lengths[i].len, "\nafter\n");
        struct xds_slice line;

        cr_expect_eq(lines_next(&in.lines, &line), lengths[i].status, "%zu",
                     lengths[i].len);
        cr_expect_eq(in.lines.number, 1);
        expect_line(&in, "after", 2);
        expect_end(&in);
        close_input(&in);
    }
}

Test(lines, the_last_line_may_be_too_long_and_have_no_end)
{
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct input in = open_long(lengths[i].len, "");
        struct xds_slice line;

        cr_expect_eq(lines_next(&in.lines, &line), lengths[i].status, "%zu",
                     lengths[i].len);
        expect_end(&in);
        close_input(&in);
    }
}

Test(lines, a_file_that_cannot_be_read_is_an_error_and_no_end)
{
    FILE *file = fopen("/", "rb"); /* opens, but gives no bytes */
    struct xds_slice line;

    cr_assert_not_null(file);
    struct input in = open_file(file);
    cr_expect_eq(lines_next(&in.lines, &line), LINE_ERROR);
    cr_expect_eq(errno, EISDIR);
    close_input(&in);
}
